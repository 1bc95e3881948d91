r"""Words of other languages than English that the rules know: one `Language` for each language.

The fields are alternatives of a regular expression for folded text (see `characters`) in lower
case; `\s++` stands between words. To teach the rules a language, add a block here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

_NEVER = r"(?!)"
_LATIN = "a-zà-öø-ÿœ"


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What the rules need to know of one language.

    `script`: its letters, as the inside of a character class (empty: words are not set apart by
    blanks or other signs); `tells`: words that tell the language from others of its script, none
    where the script itself does. `answer`: nouns that announce an answer; `choice`: wordings that
    announce the right options; `option`: what an option or statement is called; `right`, `wrong`:
    judgements; `link`: words between a label, a judgement and an answer that may be passed over;
    `both`: and; `either`: or; `to`: between the ends of a range; `none`: no option is right;
    `every`: all are; `besides`: all but the following; `no_value`: there is no answer;
    `retraction`: the text takes back what it just said; `states`: verbs before a value;
    `denial`: not;
    `letters`: option letters in their order; `numbers`: words for numbers; `decimal_comma`: 3,5
    is three and a half.
    """

    name: str
    script: str
    answer: str
    option: str
    right: str
    wrong: str
    link: str
    both: str
    either: str
    tells: frozenset[str] = frozenset()
    choice: str = _NEVER
    to: str = _NEVER
    none: str = _NEVER
    every: str = _NEVER
    besides: str = _NEVER
    no_value: str = _NEVER
    retraction: str = _NEVER
    states: str = _NEVER
    denial: str = _NEVER
    letters: tuple[str, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    decimal_comma: bool = False


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _counted(words: str, first: int) -> dict[str, int]:
    return {word: value for value, word in enumerate(words.split(), start=first)}


HINDI = Language(
    name="Hindi",
    script="ऀ-ॿ",
    answer=r"अंतिम\s++उत्तर|सही\s++उत्तर|उत्तर|जवाब",
    choice=r"सही\s++(?:विकल्प|कथन|चुनाव)|सत्य\s++कथन",
    option=r"विकल्प|कथन",
    right=r"सही|सत्य|ठीक|हाँ",
    wrong=r"(?:सही|सत्य|ठीक)\s++नहीं|गलत|ग़लत|असत्य|नहीं",
    link=r"का\s++कथन|की\s++बात|कथन|विकल्प|दोनों|तीनों|चारों|सभी|केवल|ही|भी|हैं|है|होगा|होंगे|यह|क्रमशः",
    both=r"और|तथा|एवं|व",
    either=r"या|अथवा",
    to=r"से",
    none=r"(?:उपरोक्त|इनमें|ऊपर|दिए\s++गए\s++विकल्पों)\s*+(?:में\s++)?(?:से\s++)?कोई\s++(?:भी\s++)?(?:विकल्प\s++)?(?:सही\s++)?नहीं|कोई\s++(?:भी\s++)?विकल्प\s++सही\s++नहीं",
    every=r"(?:उपरोक्त\s++)?सभी\s++(?:विकल्प|कथन)|उपरोक्त\s++सभी|(?:चारों|सभी)\s++(?:विकल्प\s++|कथन\s++)?सही",
    besides=r"को\s++छोड़कर|के\s++अलावा|के\s++सिवा",
    no_value=r"(?:निर्धारित|ज्ञात|हल|निकाल\w*)\s++नहीं\s++(?:किया|की)?\s*+जा|उत्तर\s++नहीं\s++दिया\s++जा|पर्याप्त\s++जानकारी\s++नहीं",
    retraction=r"नहीं\s*+[,.!]|रुकिए|रुको|ठहरिए|गलती\s++हो\s++गई",
    states=r"है|हैं|होगा|होगी|बराबर|प्राप्त\s++होता",
    letters=("कखगघ",),
    numbers=_counted("शून्य", 0) | _counted("दो तीन चार पाँच छह सात आठ नौ दस", 2),
)
ARABIC = Language(
    name="Arabic",
    script="ء-ي",
    answer=r"الإجابة|الاجابة|إجابة|الجواب|جوابي|إجابتي",
    choice=r"الخيار\s++الصحيح|الخيارات\s++الصحيحة|(?:العبارات|العبارة)\s++الصحيحة|الاختيار\s++الصحيح",
    option=r"الخيار|الخيارات|خيار|العبارة|العبارات|الاختيار",
    right=r"صحيح(?:ة|ان|تان|ين)?|صواب|صائب(?:ة)?|نعم",
    wrong=r"غير\s++صحيح(?:ة|ين|ان|تان)?|خاطئ(?:ة|ان|تان)?|خطأ|ليس(?:ت)?\s++صحيح(?:ة|ا|ًا)?|باطل(?:ة)?|لا(?=\s*+[,.;)]|$)",
    link=r"النهائي(?:ة)?|الصحيح(?:ة)?|هي|هو|هما|كلاهما|فقط|جميعها|كلها|أيضا|أيضًا|الخيار|الخيارات|العبارة|العبارات|إذن",
    both=r"و",
    either=r"أو|أم",
    to=r"إلى",
    none=r"لا\s++شيء\s++مما|لا\s++(?:يوجد|توجد)\s++(?:أي\s++)?(?:خيار|إجابة)|ليس\s++أي\s++من|لا\s++أي\s++من|(?:جميع|كل)\s++الخيارات\s++(?:خاطئة|غير\s++صحيحة)",
    every=r"جميع\s++(?:ما\s++سبق|الخيارات|العبارات)|كل\s++(?:ما\s++سبق|الخيارات|العبارات)",
    besides=r"باستثناء|ما\s++عدا|عدا",
    no_value=r"لا\s++يمكن\s++(?:تحديد|حساب|إيجاد|معرفة)|لا\s++يمكنني|غير\s++كافية",
    retraction=r"لا\s*+[,.!]|انتظر|عفوا|هذا\s++خطأ",
    denial=r"ليس(?:ت)?|لا|لم",
    states=r"هو|هي|تساوي|يساوي|تبلغ|يبلغ",
    letters=("أبجد", "ابجد"),
    numbers=_counted("صفر", 0) | _counted("ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة", 3),
)
CHINESE = Language(
    name="Chinese",
    script="",
    answer=r"(?:最终|正确)?答案",
    choice=r"正确(?:的)?(?:选项|答案|说法|叙述|陈述|命题)|正确的(?:是|有)|说法正确|应选|应该选|故选|所以选|因此选|我选|选择(?![题项])|选(?![项择题])",
    option=r"选项|说法|命题|陈述|叙述",
    right=r"正确|成立|对|是对的|真",
    wrong=r"不正确|不对|不成立|错误|有误|错的|错|假|不符",
    link=r"选项|说法|是|都是|都|均|也|而|则|为|应为|应该是|应是|包括|分别|只有|有|以上",
    both=r"和|与|及|以及",
    either=r"或者|或",
    to=r"至|到",
    none=r"以上(?:选项)?(?:都|均|皆)?不(?:是|对|正确)|没有(?:一个)?正确(?:的)?(?:选项|答案)|(?:选项|四项)?(?:都|均)不正确|无正确选项",
    every=r"以上(?:选项)?(?:都|均|全部)(?:正确|对|是)|全部(?:都)?正确|(?:四个|所有|全部)选项(?:都|均)?(?:正确|成立)",
    besides=r"除了",
    no_value=r"无法(?:确定|求|计算|得出|判断|回答)|不能确定|条件不足|信息不足",
    retraction=r"不\s*+[,.!]|不对|等等|等一下|错了|更正|有误",
    denial=r"不是|并非|没有|不",
    states=r"是|为|等于|共有|共|得",
    letters=("甲乙丙丁",),
)
JAPANESE = Language(
    name="Japanese",
    script="",
    answer=r"正解|答え|解答|答(?=[\s:は])",
    choice=r"正しい(?:選択肢|もの|記述|答え)|正解",
    option=r"選択肢|記述",
    right=r"正しい|正解|正しく|成り立つ|成立する|適切",
    wrong=r"正しくない|不正しい|誤り|誤っている|間違い|間違って|成り立たない|不適切|正しくありません",
    link=r"選択肢|は|が|も|の|だけ|のみ|です|である|ともに|いずれも|すべて|全て|つまり|以上より|記述",
    both=r"と|および|及び",
    either=r"または|あるいは|か",
    to=r"から|まで",
    none=r"いずれも(?:正しくない|誤り)|正しい(?:選択肢|もの)は(?:ない|ありません)|該当(?:なし|する選択肢はない)|どれも正しくない",
    every=r"(?:すべて|全て)(?:の選択肢)?(?:が)?正しい|(?:すべて|全て)の選択肢",
    besides=r"以外",
    no_value=r"求められない|求められません|求めることができ(?:ない|ません)|決定できない|決まらない|情報が(?:不足|足りない)|答えられません|わかりません",
    retraction=r"いや|いいえ|待って|ちょっと待|違う|間違え|訂正",
    denial=r"ではない|ではありません|でない",
    states=r"は|が|で|を|=",
)
KOREAN = Language(
    name="Korean",
    script="",
    answer=r"(?:최종\s++)?정답|답",
    choice=r"옳은\s++(?:것|보기|선택지)(?:은|는)?|올바른\s++선택지",
    option=r"선택지|보기",
    right=r"옳다|맞다|참|정답|옳습니다|맞습니다",
    wrong=r"옳지\s++않|틀리|틀렸|거짓|아니다|틀립니다",
    link=r"은|는|이|가|도|모두",
    both=r"와|과|및|그리고",
    either=r"또는|혹은",
    none=r"정답이\s++없|모두\s++틀",
    every=r"모두\s++(?:옳|맞)",
    no_value=r"(?:구할|알|결정할)\s++수\s++없",
    retraction=r"아니|잠깐",
    states=r"은|는|이다",
)
SPANISH = Language(
    name="Spanish",
    script=_LATIN,
    tells=_words(
        "respuesta opción opciones correcta correctas entonces por luego el los las una que "
        "es vale tanto obtenemos tenemos conclusión lo"
    ),
    answer=r"(?:mi\s++)?(?:respuestas?|resultado)(?:\s++(?:correctas?|final(?:es)?))?",
    choice=r"(?:opci(?:ón|ones)|alternativas?|afirmaci(?:ón|ones)|enunciados?|incisos?)\s++(?:correct[ao]s?|verdader[ao]s?|adecuadas?)",
    option=r"opci(?:ón|ones)|alternativas?|afirmaci(?:ón|ones)|enunciados?|incisos?",
    right=r"correct[oa]s?|verdader[oa]s?|ciert[oa]s?|válid[oa]s?|sí",
    wrong=r"incorrect[oa]s?|fals[oa]s?|errón[eo][oa]s?|no\s++(?:es|son)\s++(?:correct|verdader|ciert|válid)[oa]s?|no(?=\s*+[,.;)]|$)",
    link=r"es|son|está|están|también|la|las|los|el|ambas|solo|sólo|únicamente|opción|opciones|letra|por\s++tanto|entonces|pues|aproximadamente|de|unos|inciso",
    both=r"y|e",
    either=r"o|u",
    to=r"hasta",
    none=r"ninguna\s++(?:de\s++(?:las|ellas|estas)|opción|respuesta|es\s++correcta)|ninguno\s++de\s++los",
    every=r"todas\s++(?:las\s++(?:anteriores|opciones|afirmaciones|respuestas)|son\s++(?:correctas|verdaderas))",
    besides=r"excepto|menos|salvo",
    no_value=r"no\s++(?:se\s++puede|es\s++posible|puedo)\s++(?:determinar|calcular|saber|responder|resolver)|datos\s++insuficientes|faltan\s++datos",
    retraction=r"no\s*+[,.!]|espera|me\s++equivoqué|perdón|corrijo",
    denial=r"no",
    states=r"es|son|vale|valen|igual\s++a|resulta|obtenemos|tenemos|hay",
    numbers=_counted("cero", 0)
    | _counted("dos tres cuatro cinco seis siete ocho nueve diez once doce", 2),
    decimal_comma=True,
)
FRENCH = Language(
    name="French",
    script=_LATIN,
    tells=_words(
        "réponse réponses finalement trouvons en la le on donc est sont vaut une les des dans "
        "avec trouve obtient où soit proposition ainsi du bonne bonnes"
    ),
    answer=r"(?:ma\s++)?(?:réponses?|résultat)(?:\s++(?:correctes?|finales?|exactes?|finaux))?",
    choice=r"(?:bonnes?|justes?)\s++(?:réponses?|options?)|(?:options?|propositions?|affirmations?)\s++(?:correctes?|vraies?|exactes?|justes?)",
    option=r"options?|propositions?|affirmations?",
    right=r"corrects?|correctes?|vraie?s?|exacte?s?|justes?|oui|valables?",
    wrong=r"incorrecte?s?|fausse?s?|faux|inexacte?s?|(?:n'est|ne\s++sont)\s++pas\s++(?:correcte?s?|vraie?s?|exacte?s?|justes?)|erronée?s?|non(?=\s*+[,.;)]|$)",
    link=r"est|sont|sera|seraient|donc|alors|aussi|également|la|le|les|l'|toutes|tous|deux|les\s++deux|uniquement|seulement|option|options|lettre|de|environ|ainsi|c'est|proposition|propositions",
    both=r"et",
    either=r"ou",
    to=r"à|jusqu'à",
    none=r"aucune\s++(?:des|de\s++ces|réponse|option|proposition)",
    every=r"toutes\s++(?:les\s++(?:réponses|options|propositions|affirmations)|sont\s++(?:correctes|vraies))",
    besides=r"sauf|excepté|à\s++l'exception\s++de|hormis",
    no_value=r"(?:ne\s++peut\s++pas|impossible\s++de)\s++(?:être\s++)?(?:déterminé|déterminer|calculé|calculer|répondre|conclure)|données\s++insuffisantes|on\s++ne\s++peut\s++(?:pas\s++)?(?:déterminer|conclure|calculer)",
    retraction=r"non\s*+[,.!]|attende[zr]|attends|je\s++me\s++suis\s++trompé|erreur\s*+[,.:!]",
    denial=r"n'est\s++pas|ne\s++sont\s++pas|ne\s++peut\s++pas|pas",
    states=r"il\s++y\s++a|est|sont|vaut|valent|égale?(?:\s++à)?|d'où|obtient|trouve|finalement|soit",
    numbers=_counted("zéro", 0)
    | _counted("deux trois quatre cinq six sept huit neuf dix onze douze", 2),
    decimal_comma=True,
)
GERMAN = Language(
    name="German",
    script=_LATIN,
    tells=_words(
        "antwort also die zu antwort lösung ergebnis richtig und ist sind der das eine nicht "
        "folgt beträgt wir für aus ergibt daher somit"
    ),
    answer=r"(?:meine\s++)?(?:(?:end)?ergebnis|lösung|(?:endgültige\s++|richtige\s++)?antwort(?:en)?)",
    choice=r"richtig(?:e|en)?\s++(?:sind|ist|option(?:en)?|aussage(?:n)?|antwort(?:en)?|lösung(?:en)?)|(?:korrekt|wahr|zutreffend)(?:e|en)?\s++(?:sind|ist|aussage(?:n)?|option(?:en)?)",
    option=r"option(?:en)?|aussagen?|antwort(?:en)?|möglichkeit(?:en)?",
    right=r"richtig|wahr|korrekt|zutreffend|trifft\s++zu|treffen\s++zu|stimmt|stimmen|ja",
    wrong=r"falsch|unwahr|unrichtig|inkorrekt|nicht\s++(?:richtig|wahr|korrekt|zutreffend)|trifft\s++nicht\s++zu|stimmt\s++nicht|nein",
    link=r"ist|sind|lautet|lauten|auch|ebenfalls|die|der|das|also|somit|daher|demnach|beide|alle|nur|option|optionen|aussage|aussagen|buchstabe|beträgt|ca\.|etwa|rund",
    both=r"und|sowie",
    either=r"oder",
    to=r"bis",
    none=r"keine\s++(?:der|dieser|option|antwort|aussage)|keine\s++(?:ist\s++)?richtig",
    every=r"alle\s++(?:oben|genannten|optionen|antworten|aussagen|vier|sind\s++(?:richtig|wahr|korrekt))",
    besides=r"außer|bis\s++auf|ausgenommen",
    no_value=r"(?:kann|können|lässt\s++sich|ist)\s++(?:\w+\s++){0,3}nicht\s++(?:eindeutig\s++)?(?:bestimm|berechn|beantwort|lösbar|bestimmbar)\w*|fehlen(?:de)?\s++angaben",
    retraction=r"nein\s*+[,.!]|warte|halt\s*+[,.!]|das\s++(?:ist|war)\s++falsch|korrektur",
    denial=r"nicht|keine?",
    states=r"ist|sind|beträgt|betragen|gleich|ergibt|erhält|lautet|folgt|gilt|also",
    numbers=_counted("null", 0)
    | _counted("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf", 2),
    decimal_comma=True,
)
RUSSIAN = Language(
    name="Russian",
    script="а-яё",
    answer=r"(?:окончательн\w{2,3}\s++|правильн\w{2,3}\s++)?ответы?|решение",
    choice=r"(?:правильн|верн)\w{2,3}\s++(?:вариант|ответ|утверждени|пункт)\w{0,3}|верны(?:ми)?(?:\s++являются)?|правильны(?:ми)?(?:\s++являются)?",
    option=r"вариант\w{0,3}|утверждени\w{1,2}|пункт\w{0,2}|ответ\w{0,2}",
    right=r"верн(?:о|а|ы|ый|ая|ое|ые)|правильн(?:о|а|ы|ый|ая|ое|ые)|истинн(?:о|а|ы|ый|ая|ое|ые)|подходит|да",
    wrong=r"неверн\w{1,2}|неправильн\w{1,2}|ложн\w{1,2}|не\s++(?:верн|правильн)\w{1,2}|ошибочн\w{1,2}|не\s++подходит|нет(?=\s*+[,.;)]|$)",
    link=r"является|являются|тоже|также|только|оба|обе|все|это|вариант|варианты|утверждение|утверждения|есть|под\s++буквой|равен|равна|примерно|пункты",
    both=r"и|а\s++также",
    either=r"или|либо",
    to=r"до",
    none=r"ни\s++один\s++из|нет\s++правильного|ни\s++одно\s++из|ни\s++один\s++вариант",
    every=r"все\s++(?:варианты|вышеперечисленн\w{1,3}|утверждения|ответы|четыре|перечисленн\w{1,3})",
    besides=r"кроме|за\s++исключением",
    no_value=r"(?:нельзя|невозможно|не\s++могу)\s++(?:однозначно\s++)?(?:определить|вычислить|найти|ответить|решить|дать)|недостаточно\s++(?:данных|информации)",
    retraction=r"нет\s*+[,.!]|погоди|стоп\s*+[,.!]|это\s++неверно|я\s++ошиб",
    denial=r"не",
    states=r"равн\w{1,3}|составляет|получаем|получим|итого|есть|будет|это",
    letters=("АБВГ", "АБВГД"),
    numbers=_counted("ноль", 0)
    | _counted("два три четыре пять шесть семь восемь девять десять", 2),
    decimal_comma=True,
)
ITALIAN = Language(
    name="Italian",
    script=_LATIN,
    tells=_words(
        "risposta opzione opzioni quindi è sono della gli una che il dunque corretta corrette"
    ),
    answer=r"rispost[ae](?:\s++(?:corrett[ae]|esatt[ae]|final[ei]))?|risultato",
    choice=r"(?:opzion[ei]|affermazion[ei])\s++(?:corrett[ae]|ver[ae]|esatt[ae])",
    option=r"opzion[ei]|affermazion[ei]",
    right=r"corrett[oaei]|ver[oaei]|esatt[oaei]|giust[oaei]",
    wrong=r"scorrett[oaei]|fals[oaei]|errat[oaei]|sbagliat[oaei]|non\s++(?:è|sono)\s++(?:corrett|ver)[oaei]",
    link=r"è|sono|anche|la|le|entrambe|quindi|dunque|solo|circa|opzione|opzioni",
    both=r"e|ed",
    either=r"o|oppure",
    none=r"nessuna\s++(?:delle|opzione|risposta)",
    every=r"tutte\s++le\s++(?:opzioni|risposte|affermazioni|precedenti)",
    besides=r"tranne|eccetto",
    no_value=r"non\s++(?:si\s++può|è\s++possibile)\s++(?:determinare|calcolare)",
    retraction=r"no\s*+[,.!]|aspetta|mi\s++sono\s++sbagliat",
    denial=r"non",
    states=r"è|sono|vale|valgono|otteniamo|uguale\s++a",
    decimal_comma=True,
)
PORTUGUESE = Language(
    name="Portuguese",
    script=_LATIN,
    tells=_words(
        "resposta opção opções alternativa portanto são é uma então não correta corretas da os"
    ),
    answer=r"(?:respostas?|resultado)(?:\s++(?:corretas?|fina(?:l|is)))?|gabarito",
    choice=r"(?:opç(?:ão|ões)|alternativas?|afirmaç(?:ão|ões))\s++(?:corretas?|verdadeiras?|certas?)",
    option=r"opç(?:ão|ões)|alternativas?|afirmaç(?:ão|ões)",
    right=r"corret[oa]s?|verdadeir[oa]s?|cert[oa]s?",
    wrong=r"incorret[oa]s?|fals[oa]s?|errad[oa]s?|não\s++(?:é|são)\s++(?:corret|verdadeir)[oa]s?",
    link=r"é|são|também|a|as|o|os|ambas|apenas|somente|letra|portanto|então|opção|alternativa",
    both=r"e",
    either=r"ou",
    to=r"até",
    none=r"nenhuma\s++(?:das|opção|alternativa|resposta)",
    every=r"todas\s++as\s++(?:anteriores|opções|alternativas|afirmações)",
    besides=r"exceto|menos",
    no_value=r"não\s++(?:é\s++possível|se\s++pode)\s++(?:determinar|calcular)",
    retraction=r"não\s*+[,.!]|espere|espera|me\s++enganei",
    denial=r"não",
    states=r"é|são|vale|igual\s++a|obtemos|temos",
    decimal_comma=True,
)

LANGUAGES: tuple[Language, ...] = (
    *(HINDI, ARABIC, CHINESE, JAPANESE, KOREAN),
    *(SPANISH, FRENCH, GERMAN, RUSSIAN, ITALIAN, PORTUGUESE),
)

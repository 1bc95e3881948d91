"""Words of other languages than English that the rules know, one place for each kind of word.

Each value is an alternative of a regular expression, for folded text (see `characters`). Languages:
Hindi, Arabic, Chinese, Japanese, Spanish, French, German, Russian.
"""

import re

WRONG = (
    r"(?:सही|सत्य)\s++नहीं|गलत|असत्य"
    r"|غير\s++صحيح(?:ة|ين)?|خاطئ(?:ة)?|خطأ|ليس(?:ت)?\s++صحيح(?:ة)?"
    r"|不正确|不对|不成立|错误|错的|错|不正しい|誤り|正しくない"
    r"|incorrect[oae]s?|fals[oa]s?|fausse?s?|falsch|неверн\w{1,3}|неправильн\w{1,3}|ложн\w{1,3}"
)
RIGHT = (
    r"सही|सत्य|صحيح(?:ة|ان|تان)?|صواب|正确|成立|正しい"
    r"|correct[oae]s?|verdader[oa]s?|ciert[oa]s?|vraie?s?|exacte?s?|richtig|wahr|korrekt"
    r"|верн\w{1,3}|правильн\w{1,3}"
)
LINK = (
    r"(?:का\s++|की\s++)?(?:कथन|विकल्प)?|(?:हैं|है)|选项|是|都是|都|均|也|は|が"
    r"|es|son|est|sont|ist|sind|también|aussi|auch|هي|هو|هما|тоже|также|-"
)
NO_OPTION = (
    r"(?:उपरोक्त|इनमें|ऊपर|दिए\s++गए\s++विकल्पों)\s*+(?:में\s++)?(?:से\s++)?कोई\s++(?:भी\s++)?(?:विकल्प\s++)?(?:सही\s++)?नहीं"
    r"|以上(?:选项)?(?:都|均|皆)?不(?:是|对|正确)|没有(?:一个)?正确(?:的)?(?:选项|答案)|いずれも正しくない"
    r"|لا\s++شيء\s++مما|لا\s++(?:يوجد|توجد)\s++(?:أي\s++)?(?:خيار|إجابة)"
    r"|ninguna\s++(?:de\s++las|opción|respuesta)|aucune\s++(?:des|de\s++ces|réponse|option)"
    r"|keine\s++der\b|ни\s++один\s++из|нет\s++правильного"
)
NO_VALUE = (
    r"(?:निर्धारित|ज्ञात|हल)\s++नहीं\s++(?:किया|की)\s++जा|无法(?:确定|求|计算|得出)|不能确定|求められない"
    r"|لا\s++يمكن\s++(?:تحديد|حساب|إيجاد)|no\s++se\s++puede\s++(?:determinar|calcular)"
    r"|ne\s++peut\s++pas\s++être\s++(?:déterminé|calculé)|kann\s++nicht\s++(?:bestimmt|berechnet)"
    r"|(?:нельзя|невозможно)\s++(?:определить|вычислить|найти)"
)
EVERY_OPTION = (
    r"(?:उपरोक्त\s++)?सभी\s++(?:विकल्प|कथन)|उपरोक्त\s++सभी|以上(?:选项)?(?:都|均|全部)(?:正确|对|是)|全部正确|すべて正しい"
    r"|جميع\s++(?:ما\s++سبق|الخيارات)|كل\s++(?:ما\s++سبق|الخيارات)"
    r"|todas\s++las\s++(?:anteriores|opciones)|toutes\s++les\s++(?:réponses|options)"
    r"|alle\s++(?:oben|genannten|optionen|antworten)|все\s++(?:варианты|вышеперечисленн\w{1,3})"
)
RETRACTION = (
    r"नहीं\s*+[,.!]|रुकिए|रुको|不\s*+[,.!，]|不对|等等|等一下|いや|لا\s*+[,.!]|انتظر"
    r"|espera|attende[zr]|warte|нет\s*+[,.!]|погоди"
)

# Option letters of other scripts, in order, for questions whose options are A, B, C, D.
_SERIES = ("कखगघ", "أبجد", "ابجد", "甲乙丙丁", "АБВГ")
_OPTION_WORD = r"विकल्प|उत्तर|الخيار|الإجابة|الجواب|选项|答案|選択肢|вариант|ответ"
_LOCAL = re.compile(
    r"(?P<open>[(\[])\s{0,2}(?P<bracketed>[कखगघأابجد甲乙丙丁АБВГ])\s{0,2}[)\]]"
    rf"|(?i:{_OPTION_WORD})[\s:*\"'(]{{1,4}}(?P<named>[कखगघأابجد甲乙丙丁АБВГ])(?!\w)"
)
_CYRILLIC_ONLY = re.compile(r"[(\[]\s{0,2}[БГ]\s{0,2}[)\]]")
_HOMOGLYPHS = str.maketrans("АВСЕН", "ABCEH")


def latin_labels(text: str) -> str:
    """Text of the same length in which bracketed (or named) option letters of other scripts are the
    Latin ones in the same place of their series. `(В)` of a text that has no `(Б)` or `(Г)` is a
    Latin B that was typed in Cyrillic."""
    if text.isascii():
        return text
    is_cyrillic = bool(_CYRILLIC_ONLY.search(text))

    def latin(found: re.Match[str]) -> str:
        group = "bracketed" if found["bracketed"] else "named"
        letter = found[group]
        if letter in "АБВГ" and not is_cyrillic:
            new = letter.translate(_HOMOGLYPHS)
        else:
            new = next("ABCD"[s.index(letter)] for s in _SERIES if letter in s)
        at = found.start(group) - found.start()
        return found.group()[:at] + new + found.group()[at + 1 :]

    return _LOCAL.sub(latin, text)

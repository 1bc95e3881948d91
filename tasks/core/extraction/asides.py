"""What stands after the answer and is no part of it.

- a *continuation*: a model that was not told to stop goes on with another question;
- a *farewell*: "I hope this helps! Let me know …", "Do you want me to …";
- a *note*: a last paragraph that begins with "Note:" and declares nothing.
"""

import re

_CONTINUATION = re.compile(
    r"^[ \t#*>]*+(?:question|problem|exercise|example|user|human|student|instruction|input"
    r"|q\d{0,3})[ \t]*\d*[ \t]*[:.](?![:.])",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_TURN = ("<|im_start|>user", "<|user|>", "<|endoftext|>", "[INST]")
_FAREWELL = re.compile(
    r"(?:(?<=[.!?*])\s+|(?m:^)\s*)(?:i\s+hope\s+(?:this|that|it)|hope\s+(?:this|that)\s+helps|please\s+let\s+me|let\s+me\s+know"
    r"|(?:do|would|should|shall|could)\s+(?:you|i)\s+(?:want|like|need|also|wish|explain|show)|feel\s+free"
    r"|is\s+there\s+anything|if\s+you\s+(?:have|need|want|would\s+like)|happy\s+to\s+(?:help|explain)|good\s+luck"
    r"|j'espère|ich\s+hoffe|espero\s+que)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?m)^[ \t>*_(\[]*(?:(?:side\s+)?note|n\.\s?b\.|remark|aside|p\.\s?s\.|reference|source"
    r"|disclaimer)s?[*_]*\s*:",
    re.IGNORECASE,
)
_DECLARES = re.compile(
    r"answer|boxed|correct\s+(?:option|choice|statement)|therefore", re.IGNORECASE
)
_TAIL = 1200
_MIN_BEFORE = 12


def answer_end(text: str) -> int:
    """Offset where the part of a text that answers ends; its length where nothing follows."""
    end = len(text)
    for continuation in _CONTINUATION.finditer(text):
        if len(text[: continuation.start()].strip()) >= _MIN_BEFORE:
            end = continuation.start()
            break
    turns = [at for turn in _NEXT_TURN if (at := text.find(turn, _MIN_BEFORE, end)) >= 0]
    end = min([end, *turns])
    farewell = _FAREWELL.search(text, max(0, end - _TAIL), end)
    if farewell and not _DECLARES.search(text, farewell.start(), end):
        end = farewell.start()
    note = _NOTE.search(text, max(0, end - _TAIL), end)
    if note and not _DECLARES.search(text, note.start(), end):
        end = note.start()
    return end

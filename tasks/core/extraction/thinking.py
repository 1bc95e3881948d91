"""What a reasoning model thinks before it answers is not its answer.

Thinking is blanked, not cut, so that offsets hold. Understood: `<think>`, `<thinking>`,
`<thought>`, `<reasoning>`, `<scratchpad>`, `[THINK]`, `◁think▷`, `<|begin_of_thought|>` and
the `analysis` channel of harmony-style text. A block that is never closed lasts to the end; a
closing mark without an opening one ends a block that began before the text.
"""

import re

_MARK = re.compile(
    r"""
    (?P<open> <(?:think|thinking|thought|reasoning|scratchpad)\s*> | \[THINK\] | ◁think▷
      | <\|begin_of_thought\|> | <\|channel\|>\s*(?:analysis|commentary)\b )
  | (?P<close> </(?:think|thinking|thought|reasoning|scratchpad)\s*> | \[/THINK\] | ◁/think▷
      | <\|end_of_thought\|> | <\|channel\|>\s*final\s*<\|message\|> )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGNS = ("<", "◁", "THINK]", "think]")
_INK = re.compile(r"[^\n]")


def blank_thinking(text: str) -> str:
    """Text of the same length with all thinking turned into blanks (line ends stay)."""
    if not any(sign in text for sign in _SIGNS):
        return text
    visible: list[tuple[int, int]] = []
    visible_from: int | None = 0
    for mark in _MARK.finditer(text):
        if mark.lastgroup == "open":
            if visible_from is not None:
                visible.append((visible_from, mark.start()))
                visible_from = None
        else:
            if visible_from is not None:
                visible.clear()
            visible_from = mark.end()
    if visible_from is not None:
        visible.append((visible_from, len(text)))
    pieces = []
    blank_from = 0
    for start, end in visible:
        pieces += [_INK.sub(" ", text[blank_from:start]), text[start:end]]
        blank_from = end
    return "".join([*pieces, _INK.sub(" ", text[blank_from:])])

"""How a question becomes the text that a model is asked.

A prompt is `prefix + question + suffix`: the wording of a mode for the question's type around the
question's own text. The text is put in once and never read as a template, so braces, LaTeX and
markers in it are safe.

What happens to blanks is a named rule, because published prompts can only be given back byte for
byte if their rule is known:

| rule | the question's text | the finished prompt |
| --- | --- | --- |
| `verbatim` | as it is | as it is |
| `strip` | blanks at both ends go | blanks at both ends go |
| `halve_blank_lines` | each pair of line ends becomes one, once; then as `strip` | as `strip` |

A template is the wording of a mode with the markers `{{instruction}}` (what to answer, by type) and
`{{question}}`, each exactly once.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tasks.core.errors import BadInput
from tasks.core.types import Question, QuestionType

INSTRUCTION_MARKER = "{{instruction}}"
QUESTION_MARKER = "{{question}}"


def _verbatim(text: str) -> str:
    return text


def _strip(text: str) -> str:
    return text.strip()


def _halve_blank_lines(text: str) -> str:
    return text.replace("\n\n", "\n").strip()


WHITESPACE_RULES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"verbatim": _verbatim, "strip": _strip, "halve_blank_lines": _halve_blank_lines}
)
_MARKER = re.compile(r"\{\{(\w+)\}\}")
_KEEP_ENDS = frozenset({"verbatim"})


@dataclass(frozen=True, slots=True)
class Frame:
    """The wording around the questions of one type."""

    prefix: str
    suffix: str


@dataclass(frozen=True, slots=True)
class PromptPack:
    """The wording of one mode. `name` says where it is from; `by_type` may lack types."""

    name: str
    mode: str
    whitespace_rule: str
    by_type: Mapping[QuestionType, Frame]


def render(question: Question, pack: PromptPack) -> str:
    """Return the whole prompt. Raises BadInput where the pack has no wording for the type."""
    frame = pack.by_type.get(question.type)
    if frame is None:
        raise BadInput(
            f"prompts {pack.name!r} of mode {pack.mode!r} have no wording for type "
            f"{question.type.value!r} (question {question.question_id!r})"
        )
    text = WHITESPACE_RULES[pack.whitespace_rule](question.question)
    prompt = frame.prefix + text + frame.suffix
    return prompt if pack.whitespace_rule in _KEEP_ENDS else prompt.strip()


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values in the places of their `{{name}}` markers, once: a value is never read as a
    template. Raises BadInput for a marker without a value."""
    if unknown := sorted(set(_MARKER.findall(template)) - values.keys()):
        raise BadInput(f"the template has {{{{{unknown[0]}}}}}; it may have {', '.join(values)}")
    return _MARKER.sub(lambda found: values[found[1]], template)


def parse_pack(
    name: str,
    mode: str,
    whitespace_rule: str,
    template: str,
    instructions: Mapping[QuestionType, str],
    file: str,
) -> PromptPack:
    """Make the pack of a mode out of its template and the instructions by type.

    `file` names the template in messages. Raises BadInput where a marker is missing or there twice.
    """
    for marker in (INSTRUCTION_MARKER, QUESTION_MARKER):
        n_found = template.count(marker)
        if n_found != 1:
            raise BadInput(f"{file}: {marker} stands there {n_found} times; it must be there once")
    before, after = template.split(QUESTION_MARKER)
    frames = {
        question_type: Frame(
            before.replace(INSTRUCTION_MARKER, instruction),
            after.replace(INSTRUCTION_MARKER, instruction),
        )
        for question_type, instruction in instructions.items()
    }
    return PromptPack(name, mode, whitespace_rule, frames)

"""What the rules look at and what they find."""

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.core.extraction.labels import LabelGroup
from tasks.core.types import ExtractStatus, Question


@dataclass(frozen=True, slots=True)
class Reading:
    """A response prepared for the rules. All texts have the length of the response.

    `text`: characters folded, what is no part of the answer blanked; `said`: words of other
    languages as signs (see `languages`); `lower`: `said` in lower case; `plain`: `said` with markup
    blanked (for questions with options; else the same as `said`). `options` are the question's, or
    those its text names.
    """

    text: str
    said: str
    lower: str
    plain: str
    question: Question
    options: Mapping[str, str]
    truncated: bool

    @property
    def labels(self) -> str:
        """The labels an answer may have, in order (`"ABCD"` where the question names none)."""
        return "".join(self.options) or "ABCD"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A place where the text says that what follows is its answer.

    `cue` names the wording; the answer is looked for in [`start`, `end`). `listed`: the answer
    stands on the lines after the cue. `boxed`: the stretch is the content of a box.
    """

    cue: str
    cue_start: int
    start: int
    end: int
    boxed: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """An answer, or the statement that there is none, at a place. Offsets as in `Extract`.

    `second`: another reading of the same words (0.25 for 25 %; `percent` says that it is this).
    """

    rule: str
    status: ExtractStatus
    answer: str | None
    start: int
    end: int
    second: str | None = None
    percent: bool = False


def of_group(reading: Reading, rule: str, group: LabelGroup) -> Evidence:
    """What a group of labels answers; labels joined by "or" are ambiguous."""
    if group.alternative and len(group.letters) > 1:
        return Evidence(rule, ExtractStatus.AMBIGUOUS, None, group.start, group.end)
    return of_letters(reading, rule, group.letters, group.start, group.end)


def of_letters(reading: Reading, rule: str, letters: str, start: int, end: int) -> Evidence:
    """An answer in letters; labels that the question does not have are no answer."""
    if not letters or not set(letters) <= set(reading.labels):
        return Evidence(rule, ExtractStatus.UNPARSED, None, start, end)
    return Evidence(rule, ExtractStatus.ANSWERED, "".join(sorted(letters)), start, end)

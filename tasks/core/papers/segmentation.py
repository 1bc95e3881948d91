"""Lines → booklets, sections, shared paragraphs and the lines of each question.

A state machine over the lines in reading order. Every line ends in a question, in a paragraph or
in a dropped region that says why.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from tasks.core.pages.lines import Line
from tasks.core.pages.page import Box
from tasks.core.pages.reading import PageReading
from tasks.core.papers.furniture import furniture_of
from tasks.core.papers.layout import Layout
from tasks.core.papers.plain_text import plain_text
from tasks.core.types import QuestionType

LONGEST_HEADING = 60  # characters; a longer line of that kind is text

Position = tuple[int, int, float]
"""Page, panel of the page, and height: ordered as a reader comes by."""


class Reason(StrEnum):
    """Why a region of a page is no question."""

    FURNITURE = "header or footer"
    INSTRUCTIONS = "instructions"
    HEADING = "heading"
    AFTER_END = "after the end"


class Dropped(NamedTuple):
    """A line that is no part of a question."""

    line: Line
    reason: Reason


@dataclass(slots=True)
class Section:
    """`instructions` is their plain text; `booklet` counts from 0, in order of the file."""

    booklet: int
    name: str
    instructions: str = ""


@dataclass(slots=True)
class Paragraph:
    """Lines that stand before several questions and belong to each of them.

    `numbers` are those that its heading names; without any it belongs to the next two questions.
    """

    numbers: frozenset[int]
    start: Position
    lines: list[Line] = field(default_factory=list)
    n_questions: int = 0

    def belongs_to(self, number: int) -> bool:
        """Whether the next question, of this number, needs it."""
        return number in self.numbers if self.numbers else self.n_questions < 2


@dataclass(slots=True)
class Block:
    """The lines of one question. `number` as printed; `index` runs from 1 through the file."""

    index: int
    number: int
    section: Section | None
    booklet: int
    paragraph: Paragraph | None
    lines: list[Line]
    start: Position
    end: Position = (10**9, 0, 0.0)


@dataclass(slots=True)
class Segmentation:
    """`headings` are (booklet that follows, plain text) of lines outside questions."""

    blocks: list[Block] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)


def segment(pages: list[PageReading], layout: Layout) -> Segmentation:
    """Cut the pages of one file into questions."""
    furniture = furniture_of(pages, layout)
    machine = _Machine(layout)
    for page in pages:
        for line in page.lines:
            if id(line) in furniture:
                machine.result.dropped.append(Dropped(line, Reason.FURNITURE))
            else:
                machine.read(line)
    return machine.result


class _Machine:
    def __init__(self, layout: Layout) -> None:
        self.result = Segmentation()
        self._layout = layout
        self._booklet = 0
        self._section: Section | None = None
        self._paragraph: Paragraph | None = None
        self._block: Block | None = None
        self._state = "before"
        self._margin: float | None = None  # x of question numbers

    def read(self, line: Line) -> None:
        """Put the next line of the file where it belongs."""
        text = plain_text(line.text)
        layout = self._layout
        if layout.end.search(text):
            self._close(line)
            self._state = "ended"
            self._drop(line, Reason.AFTER_END)
        elif layout.section.search(text):
            self._open_section(line, text)
        elif self._is_subject(text) and self._state != "paragraph":
            self._close(line)
            self._state = "before"
            self._paragraph = None
            self.result.headings.append((self._next_booklet(), text))
            self._drop(line, Reason.HEADING)
        elif (number := self._number(line, text)) is not None:
            self._open_question(line, number)
        elif layout.paragraph.search(text):
            self._close(line)
            self._open_paragraph(line, text)
        elif self._state == "paragraph" and self._paragraph is not None:
            self._paragraph.lines.append(line)
        elif self._state == "question" and self._block is not None:
            self._block.lines.append(line)
        elif self._state == "instructions" and self._section is not None:
            self._section.instructions += " " + text
            self._drop(line, Reason.INSTRUCTIONS)
        else:
            self._drop(line, Reason.AFTER_END if self._state == "ended" else Reason.HEADING)

    def _drop(self, line: Line, reason: Reason) -> None:
        self.result.dropped.append(Dropped(line, reason))

    def _is_subject(self, text: str) -> bool:
        return any(heading.search(text) for _, heading in self._layout.subjects)

    def _next_booklet(self) -> int:
        has_questions = any(b.booklet == self._booklet for b in self.result.blocks)
        if has_questions:
            self._booklet += 1
            self._section = None
        return self._booklet

    def _number(self, line: Line, text: str) -> int | None:
        match = self._layout.question.search(text)
        if match is None:
            return None
        number = int(match.group(1))
        previous = self._block_before()
        is_next = previous is None or number == previous.number + 1 or number == 1
        if self._margin is not None and abs(line.box.x0 - self._margin) > 40 and not is_next:
            return None
        return number

    def _block_before(self) -> Block | None:
        return self.result.blocks[-1] if self.result.blocks else None

    def _open_section(self, line: Line, text: str) -> None:
        self._close(line)
        self._paragraph = None
        self._section = Section(self._booklet, text)
        self.result.sections.append(self._section)
        self._state = "instructions"
        self._drop(line, Reason.INSTRUCTIONS)

    def _open_paragraph(self, line: Line, text: str) -> None:
        named = {int(n) for n in re.findall(r"\b\d{1,3}\b", text)}
        self._paragraph = Paragraph(frozenset(named), position_of(line))
        if len(text) > LONGEST_HEADING:
            self._paragraph.lines.append(line)
        else:
            self._drop(line, Reason.HEADING)
        self._state = "paragraph"

    def _open_question(self, line: Line, number: int) -> None:
        self._close(line)
        previous = self._block_before()
        if previous is not None and previous.booklet == self._booklet and number <= previous.number:
            self._booklet += 1
        if self._section is not None and self._section.booklet != self._booklet:
            in_use = any(b.section is self._section for b in self.result.blocks)
            if not in_use:
                self._section.booklet = self._booklet
        if self._paragraph is not None:
            if self._paragraph.belongs_to(number):
                self._paragraph.n_questions += 1
            else:
                self._paragraph = None
        self._margin = line.box.x0
        self._state = "question"
        self._block = Block(
            index=len(self.result.blocks) + 1,
            number=number,
            section=self._section,
            booklet=self._booklet,
            paragraph=self._paragraph,
            lines=[line],
            start=position_of(line),
        )
        self.result.blocks.append(self._block)

    def _close(self, line: Line) -> None:
        if self._block is not None:
            self._block.end = position_of(line)
        self._block = None


def type_of(section: Section | None, layout: Layout) -> QuestionType:
    """The type that the section's instructions name."""
    if section is not None:
        for question_type, pattern in layout.types:
            if pattern.search(section.instructions):
                return question_type
    return layout.default_type


def subject_of(block: Block, segmentation: Segmentation, layout: Layout) -> str | None:
    """By the heading before the booklet; where none names it, by the printed order."""
    for booklet, text in segmentation.headings:
        if booklet == block.booklet:
            for subject, heading in layout.subjects:
                if heading.search(text):
                    return subject
    n_booklets = 1 + max(b.booklet for b in segmentation.blocks)
    if n_booklets == len(layout.subjects):
        return layout.subjects[block.booklet][0]
    return None


def position_of(line: Line) -> Position:
    """Where the line begins."""
    return line.page, line.panel, line.box.y0


def region_of(start: Position, end: Position, pages: list[PageReading]) -> list[tuple[int, Box]]:
    """The parts of pages between two positions."""
    regions = []
    for page in pages:
        for panel, box in enumerate(page.panels):
            place = (page.number, panel)
            if start[:2] <= place <= end[:2]:
                top = start[2] - 4 if place == start[:2] else box.y0
                bottom = end[2] if place == end[:2] else box.y1
                if bottom > top:
                    regions.append((page.number, Box(box.x0, top, box.x1, bottom)))
    return regions

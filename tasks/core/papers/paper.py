"""A file's pages → its questions, with an account of every glyph.

`read_paper` is the whole path after the engine: `pages` rebuild lines, `segmentation` cuts them,
`questions` words each question, `figure_filter` judges its drawings.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from tasks.core.errors import BadInput
from tasks.core.pages.font_maps import FontMaps
from tasks.core.pages.page import Box, Page
from tasks.core.pages.prose import UNREAD_LATEX
from tasks.core.pages.reading import PageReading, read_page
from tasks.core.papers.figure_filter import judge_figures
from tasks.core.papers.layout import Layout
from tasks.core.papers.questions import read_question, vocabulary_of
from tasks.core.papers.segmentation import (
    Block,
    Paragraph,
    Segmentation,
    region_of,
    segment,
    subject_of,
    type_of,
)
from tasks.core.types import QuestionType


@dataclass(frozen=True, slots=True)
class ExamQuestion:
    """One question as the paper prints it.

    `index` runs from 1 through the file, `number` is printed. `status`: kept, dropped (it needs a
    drawing) or review; `reason` says why it is not plainly kept. `flags` name what is doubtful.
    """

    index: int
    number: int
    booklet: int
    section: str | None
    subject: str | None
    type: QuestionType
    statement: str
    options: dict[str, str]
    latex: str
    has_figure: bool
    status: str
    reason: str | None
    regions: tuple[tuple[int, Box], ...]
    flags: tuple[str, ...] = ()


class GlyphAccount(NamedTuple):
    """Glyphs of a page by where they ended; the parts add up to `total`.

    `blank`: spaces at the edge of a line, in no text. `lost` must be 0.
    """

    page: int
    total: int
    in_questions: int
    in_figures: int
    dropped: int
    hidden: int
    blank: int
    lost: int


@dataclass(slots=True)
class PaperReading:
    """`faults` are pages that could not be read as a whole (in words)."""

    questions: list[ExamQuestion]
    account: list[GlyphAccount]
    dropped: list[tuple[int, Box, str]]
    faults: list[str] = field(default_factory=list)


def read_paper(pages: list[Page], maps: FontMaps, layout: Layout) -> PaperReading:
    """Raises `BadInput` where the layout finds no question at all."""
    readings = [read_page(page, maps) for page in pages]
    segmentation = segment(readings, layout)
    if not segmentation.blocks:
        raise BadInput(f"no questions found with the layout {layout.name!r}")
    vocabulary = vocabulary_of([line for reading in readings for line in reading.lines])
    return PaperReading(
        questions=[
            _question(block, segmentation, readings, layout, vocabulary)
            for block in segmentation.blocks
        ],
        account=_account(pages, readings, segmentation),
        dropped=[(d.line.page, d.line.box, d.reason.value) for d in segmentation.dropped],
        faults=[f"page {page.number}: {fault}" for page in pages for fault in page.faults],
    )


def _question(
    block: Block,
    segmentation: Segmentation,
    pages: list[PageReading],
    layout: Layout,
    vocabulary: frozenset[str],
) -> ExamQuestion:
    shared = block.paragraph.lines if block.paragraph else []
    text = read_question(block.lines, shared, layout, vocabulary)
    regions = region_of(block.start, block.end, pages)
    if block.paragraph is not None:
        regions += _region_of_paragraph(block.paragraph, segmentation, pages)
    figures = [figure for page in pages for figure in page.figures]
    verdict = judge_figures(regions, figures, text.latex)
    question_type = type_of(block.section, layout)
    flags = []
    if UNREAD_LATEX in text.latex:
        flags.append(f"{text.latex.count(UNREAD_LATEX)} glyphs without a character")
    if question_type in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE) and len(text.options) < 4:
        flags.append(f"{len(text.options)} options found")
    status = "dropped" if verdict.has_figure else "kept"
    if status == "kept" and (verdict.is_doubtful or flags):
        status = "review"
    return ExamQuestion(
        index=block.index,
        number=block.number,
        booklet=block.booklet,
        section=block.section.name if block.section else None,
        subject=subject_of(block, segmentation, layout),
        type=question_type,
        statement=text.statement,
        options=text.options,
        latex=text.latex,
        has_figure=verdict.has_figure,
        status=status,
        reason=verdict.reason or ("; ".join(flags) or None),
        regions=tuple(regions),
        flags=tuple(flags),
    )


def _region_of_paragraph(
    paragraph: Paragraph, segmentation: Segmentation, pages: list[PageReading]
) -> list[tuple[int, Box]]:
    """From the paragraph's heading to the first of its questions."""
    first = next(b for b in segmentation.blocks if b.paragraph is paragraph)
    return region_of(paragraph.start, first.start, pages)


def _account(
    pages: list[Page], readings: list[PageReading], segmentation: Segmentation
) -> list[GlyphAccount]:
    asked: dict[int, set[int]] = {page.number: set() for page in pages}
    dropped: dict[int, set[int]] = {page.number: set() for page in pages}
    for block in segmentation.blocks:
        shared = block.paragraph.lines if block.paragraph else []
        for line in [*block.lines, *shared]:
            asked[line.page].update(g for span in line.spans for g in span.glyphs)
    for line, _ in segmentation.dropped:
        dropped[line.page].update(g for span in line.spans for g in span.glyphs)
    account = []
    for page, reading in zip(pages, readings, strict=True):
        dropped[page.number].update(reading.turned)
        drawn = {g for figure in reading.figures for g in figure.glyphs}
        rest = set(range(len(page.glyphs))) - asked[page.number] - dropped[page.number] - drawn
        blank = {i for i in rest if page.glyphs[i].code in (0x20, 0xA0)}
        account.append(
            GlyphAccount(
                page=page.number,
                total=len(page.glyphs) + len(page.hidden),
                in_questions=len(asked[page.number]),
                in_figures=len(drawn - asked[page.number]),
                dropped=len(dropped[page.number] - asked[page.number]),
                hidden=len(page.hidden),
                blank=len(blank),
                lost=len(rest - blank),
            )
        )
    return account

"""The LaTeX of questions as nodes: what it looks like, and that nothing of it is lost or unsafe."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.report.latex import question_nodes
from tasks.core.report.markup import ALLOWED, Element, Node, element, texts
from tasks.core.report.math import formula


def text_of(nodes: tuple[Node, ...]) -> str:
    return "".join("".join(texts(node)) for node in nodes)


def all_elements(nodes: tuple[Node, ...]) -> list[Element]:
    found = []
    for node in nodes:
        if isinstance(node, Element):
            found += [node, *all_elements(node.children)]
    return found


def tags(source: str) -> list[str]:
    return [each.tag for each in all_elements(question_nodes(source))]


def test_paragraphs_formulas_and_styles() -> None:
    nodes = question_nodes(
        "Find \\textbf{all $x$} with 5\\% of\n\n$$x^2=1$$\n\nin ``R''~now\\\\here"
    )
    assert [node.tag for node in nodes if isinstance(node, Element)] == ["p", "p", "p"]
    assert tags("\\textbf{all $x$}") == ["p", "strong", "math", "mrow", "mi"]
    assert "5% of" in text_of(nodes)
    assert tags("one\\\\[2pt] two \\[x\\]") == ["p", "br", "math", "mrow", "mi"]
    assert "“R”\u00a0now" in text_of(nodes)
    display = all_elements(nodes[1:2])[1]
    assert (display.tag, display.attributes) == ("math", {"display": "block"})


def test_table_cells_are_split_outside_formulas_and_groups() -> None:
    source = (
        "\\begin{center}\n\\begin{tabular}{|c|c|}\n\\hline\n\n{$\\begin{array}{c} a \\\\ b & c "
        "\\end{array}$} & \\multicolumn{2}{|c|}{wide \\& so} \\\\\n\\cline { 2 - 3 }\n & 1 & 2 \\\\"
        "\n\\hline\n\\end{tabular}\n\\end{center}"
    )
    (center,) = question_nodes(source)
    rows = [each for each in all_elements((center,)) if each.tag == "tr"]
    assert isinstance(center, Element)
    assert center.attributes == {"class": "center"}
    assert [len(row.children) for row in rows] == [2, 3]
    wide = rows[0].children[1]
    assert isinstance(wide, Element)
    assert wide.attributes == {"colspan": "2"}
    assert text_of((wide,)) == "wide & so"
    assert [text_of((cell,)) for cell in rows[1].children] == ["", "1", "2"]


def test_lists_nest_and_unclosed_environments_stay_as_source() -> None:
    inner = "\\begin{enumerate}\\item in\\end{enumerate}"
    nested = f"\\begin{{itemize}}\\item one {inner}\\item two\\end{{itemize}}"
    assert [tag for tag in tags(nested) if tag != "p"] == ["ul", "li", "ol", "li", "li"]
    assert text_of(question_nodes("a \\begin{itemize} b")) == "a \\begin{itemize} b"
    assert text_of(question_nodes("a \\end{itemize} b")) == "a \\end{itemize} b"
    assert tags("\\begin{verbatim}x & y\\end{verbatim}") == ["pre"]


def test_environments_of_display_formulas() -> None:
    for name in ("aligned", "align*", "gathered", "equation", "cases", "pmatrix"):
        body = "x = 1" if name == "equation" else "a & b \\\\ c & d"
        source = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        assert tags(source)[:2] == ["p", "math"], name
        assert tags(f"$$\n{source}\n$$")[:2] == ["p", "math"], name


def test_prices_are_no_formula() -> None:
    assert tags("It costs $5 and then $6, or \\$7.") == ["p"]


@pytest.mark.parametrize(
    "source", ["\\foo{x}", "x & y", "\\frac{1", "<b>&amp;", "\\text{</p>}", "\0"]
)
def test_formula_is_mathml_or_its_source(source: str) -> None:
    made = formula(source)
    assert made.tag == "math" or (made.tag, made.children) == ("code", (source,))


def test_operator_names_that_the_converter_lacks() -> None:
    assert formula("\\arg(z)").tag == "math"
    assert "arg" in text_of((formula("\\arg(z)"),))


def test_only_known_tags_and_attributes_can_be_made() -> None:
    for tag, attributes in (("script", {}), ("p", {"onclick": "x"}), ("a", {"href": "x"})):
        with pytest.raises(ValueError, match="not allowed"):
            element(tag, **attributes)


_PIECES = st.sampled_from([
    "$", "$$", "\\[", "\\]", "\\(", "\\)", "{", "}", "&", "\\\\", "\n\n", "\\item", "\\textbf{",
    "\\begin{tabular}", "{cc}", "\\end{tabular}", "\\begin{itemize}", "\\end{itemize}", "\\hline",
    "\\begin{array}", "\\end{array}", "\\multicolumn{2}{c}{", "\\frac{1}{2}", "^", "_", "~", "``",
    "<script>", "\\text{<img onerror=x>}", "\0", "\u202e", "x", "5", " ",
])  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_any_source_gives_allowed_nodes(source: str) -> None:
    nodes = question_nodes(source)
    for each in all_elements(nodes):
        assert each.attributes.keys() <= ALLOWED[each.tag]


@given(st.text(alphabet=st.characters(exclude_characters="\\$~`'{}", exclude_categories=["Cs"])))
def test_plain_text_is_kept_but_for_blanks(source: str) -> None:
    assert "".join(text_of(question_nodes(source)).split()) == "".join(source.split())


def test_hostile_sizes_take_no_long() -> None:
    for piece in (
        "\\begin{a}",
        "$1",
        "\\textbf{",
        "{",
        "\\begin{tabular}{c}",
        "\\(",
        "&\\\\",
        "\\\\[",
    ):
        source = piece * (40_000 // len(piece))
        assert len(text_of(question_nodes(source))) >= len(source) // 4


def test_published_questions_are_set_almost_whole(shared_data: Path) -> None:
    questions = json.loads((shared_data / "jeebench" / "dataset.json").read_text())
    elements = all_elements(tuple(n for q in questions for n in question_nodes(q["question"])))
    found = [each.tag for each in elements]
    assert found.count("math") > 4600
    assert found.count("table") == 7
    assert found.count("code") + found.count("pre") <= 4

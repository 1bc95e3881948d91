"""Answers that are closed forms."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.extraction import extract
from tasks.core.types import ExtractStatus, QuestionType
from tests.core.extraction.questions import question

FORM = question(QuestionType.EXPRESSION, "Find $f(x)$.")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"$\frac{x^2}{2}+C$", r"\frac{x^2}{2}+C"),
        (r"So $f(x)=\boxed{\dfrac{x^{2}}{2}+C}$.", r"\frac{x^{2}}{2}+C"),
        (r"The final answer is $2\sqrt{3}\,a$.", r"2\sqrt{3}a"),
        ("Answer: x + 1", "x+1"),
        (r"Therefore $y = mx + c$.", "mx+c"),
        (r"\boxed{\sin x \cos x}", r"\sinx\cosx"),
        (r"We get $f(x) = x^2 = x \cdot x$, so the answer is $x^2$.", "x^2"),
        (r"\boxed{x} wait, no: \boxed{x+1}", "x+1"),
        ("12", "12"),
        ("3/4", "0.75"),
        (r"The answer is $\frac{1}{4}$.", "0.25"),
        (r"<think>$x$</think>\boxed{y}", "y"),
    ],
)
def test_closed_form(text: str, answer: str) -> None:
    found = extract(text, FORM)
    assert (found.answer, found.status) == (answer, ExtractStatus.ANSWERED)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("ANSWER: None", ExtractStatus.ABSTAINED),
        ("We cannot determine it.", ExtractStatus.ABSTAINED),
        (r"\boxed{x=1 \text{ or } x=2}", ExtractStatus.AMBIGUOUS),
        (r"The answer is $\boxed{x}$? Hmm.", ExtractStatus.UNPARSED),
        ("The answer is unknown to me.", ExtractStatus.UNPARSED),
        ("I think so.", ExtractStatus.UNPARSED),
        ("", ExtractStatus.UNPARSED),
    ],
)
def test_no_closed_form(text: str, status: ExtractStatus) -> None:
    found = extract(text, FORM)
    assert (found.answer, found.status) == (None, status)


ATOMS = st.sampled_from(["x", "y", "2", "3", r"\alpha", r"\pi", "k"])
TERMS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: rf"\frac{{{pair[0]}}}{{{pair[1]}}}"),
        inner.map(lambda form: rf"\sqrt{{{form}}}"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}+{pair[1]})"),
        inner.map(lambda form: f"{form}^{{2}}"),
    ),
    max_leaves=5,
)


@settings(deadline=None)
@given(TERMS.map(lambda form: f"x+{form}"))
def test_forms_in_every_notation(form: str) -> None:
    for text in (form, f"${form}$", rf"\boxed{{{form}}}", f"So the final answer is ${form}$."):
        assert extract(text, FORM).answer == form, text

"""The bundled sample exam: its form, and every gold computed afresh from the question's facts."""

import json
import math
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from tasks.core.questions.answer_keys import Accepted, Letters, Number, parse_key
from tasks.core.questions.options import parse_options
from tasks.core.types import QuestionType
from tasks.io.settings import DATA

EXAM = "Proctor Sample Paper 1"
FIELDS = ["description", "index", "subject", "type", "question", "gold"]


@cache
def _questions() -> dict[int, dict[str, str]]:
    rows = json.loads((DATA / "sample" / "questions.json").read_text("utf-8"))
    return {row["index"]: row for row in rows}


def test_form_is_that_of_jeebench() -> None:
    questions = _questions()
    assert list(questions) == list(range(1, 31))
    assert all(list(row) == FIELDS and row["description"] == EXAM for row in questions.values())
    assert Counter(row["subject"] for row in questions.values()) == dict.fromkeys(
        ("math", "phy", "chem"), 10
    )
    assert Counter(row["type"] for row in questions.values()) == {
        "MCQ": 8,
        "MCQ(multiple)": 8,
        "Integer": 7,
        "Numeric": 7,
    }


@pytest.mark.parametrize("index", range(1, 31))
def test_options_and_golds_fit_the_type(index: int) -> None:
    row = _questions()[index]
    question_type = QuestionType(row["type"])
    options = parse_options(row["question"])
    key = parse_key(row["gold"], question_type)
    assert isinstance(key, Accepted)
    if question_type in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE):
        assert list(options) == ["A", "B", "C", "D"]
        assert len(set(options.values())) == 4
        assert isinstance(key.answers[0], Letters)
        assert key.answers[0].letters == row["gold"]
    else:
        assert options == {}
        assert isinstance(key.answers[0], Number)
    assert row["question"].count("$") % 2 == 0
    assert row["question"].count("{") == row["question"].count("}")


def test_special_contents() -> None:
    questions = _questions()
    paragraph = questions[11]["question"].split("\n\n")[0]
    assert questions[12]["question"].startswith(paragraph + "\n\n")
    assert "\\begin{tabular}" in questions[13]["question"]
    assert "\\rightleftharpoons" in questions[21]["question"]
    assert len({row["question"] for row in questions.values()}) == len(questions)


def _nearest_option(index: int, value: float) -> str:
    """The one option whose number is the value; LaTeX numbers of this exam only."""
    options = parse_options(_questions()[index]["question"])
    right = [label for label, text in options.items() if math.isclose(_number(text), value)]
    assert len(right) == 1
    return right[0]


def _number(text: str) -> float:
    plain = text.replace("$", "").split("\\mathrm")[0].replace("R", "").strip()
    if plain.startswith("\\frac"):
        over, under = plain.removeprefix("\\frac{").removesuffix("}").split("}{")
        return int(over) / int(under)
    if plain.startswith("\\sqrt"):
        return math.sqrt(int(plain.removeprefix("\\sqrt{").removesuffix("}")))
    return float(plain)


def _true_statements(*truths: bool) -> str:
    return "".join(label for label, is_true in zip("ABCD", truths, strict=True) if is_true)


def _tangent_slope() -> str:
    options = parse_options(_questions()[2]["question"])
    slopes = {label: _number(text) for label, text in options.items()}
    # Distance of the centre from the line equals the radius.
    right = [
        label
        for label, slope in slopes.items()
        if math.isclose(3 / math.hypot(1, slope), math.sqrt(9 / 5))
    ]
    assert len(right) == 1
    return right[0]


def _both_red() -> str:
    draws = [set(draw) for draw in combinations(range(7), 2)]
    red = set(range(4))
    with_red = [draw for draw in draws if draw & red]
    return _nearest_option(3, sum(draw <= red for draw in with_red) / len(with_red))


def _cubic() -> str:
    cubic = np.polynomial.Polynomial([1, -3, 0, 1])
    slope, curvature = cubic.deriv(), cubic.deriv(2)
    inside = np.linspace(-0.999, 0.999, 401)
    grid = np.linspace(0, 2, 4001)
    return _true_statements(
        bool(np.isclose(slope(-1), 0) and curvature(-1) < 0),
        bool((slope(inside) < 0).all()),
        int(np.isclose(cubic.roots().imag, 0).sum()) == 1,
        bool(np.isclose(cubic(grid).min(), -1)),
    )


def _matrix() -> str:
    matrix = np.array([[2, 1], [1, 2]])
    return _true_statements(
        bool(np.isclose(np.linalg.det(matrix), 3)),
        bool((matrix @ matrix == 4 * matrix - 3 * np.eye(2)).all()),
        int(np.linalg.matrix_power(matrix, 3).sum()) == 54,
        bool((np.linalg.inv(matrix) > 0).all()),
    )


def _sequence() -> str:
    terms = [Fraction(n, 2**n) for n in range(1, 200)]
    return _true_statements(
        terms[0] == terms[1],
        all(later > earlier for earlier, later in pairwise(terms[1:])),
        math.isclose(sum(terms), 2),
        sum(terms[:3]) == Fraction(3, 2),
    )


def _integral() -> float:
    middles = (np.arange(300_000) + 0.5) / 100_000
    return float(3 * np.abs(middles**2 - 2 * middles).mean() * 3)


def _projectile() -> str:
    speed, angle, g = 20.0, math.radians(30), 10.0
    across, up = speed * math.cos(angle), speed * math.sin(angle)
    seconds = 2 * up / g
    return _true_statements(
        math.isclose(across, 0),
        math.isclose(seconds, 2),
        math.isclose(up**2 / (2 * g), 5),
        math.isclose(across * seconds, 20 * math.sqrt(3)),
    )


def _capacitors() -> str:
    small, large, volts = Fraction(2), Fraction(3), 10
    joined = 1 / (1 / small + 1 / large)
    charge = joined * volts
    return _true_statements(
        charge / small == 4,
        joined == Fraction("1.2"),
        joined * volts**2 / 2 == 120,
        charge == 12,
    )


def _table_power() -> str:
    volts, milliamperes = np.array([1.0, 2.0, 3.0]), np.array([20.0, 40.0, 60.0])
    ohms = volts / (milliamperes / 1000)
    assert np.allclose(ohms, ohms[0])
    return _nearest_option(13, 5.0**2 / float(ohms[0]))


def _shape_of_xef4() -> str:
    n_bonds, n_lone_pairs = 4, (8 - 4) // 2
    shapes = {(4, 0): "tetrahedral", (4, 1): "see-saw", (4, 2): "square planar"}
    options = parse_options(_questions()[22]["question"])
    right = [label for label, text in options.items() if text == shapes[n_bonds, n_lone_pairs]]
    assert len(right) == 1
    return right[0]


def _ph() -> str:
    def ph_of(hydrogen: float) -> float:
        return -math.log10(hydrogen)

    water = 1e-14
    return _true_statements(
        math.isclose(ph_of(0.010), 2),
        math.isclose(ph_of(water / 0.010), 10),
        math.isclose(ph_of(0.010 / 10) - ph_of(0.010), 1),
        math.isclose(ph_of(math.sqrt(water)), 7),
    )


def _unpaired_in_diatomic(n_electrons: int) -> int:
    """Fill the orbitals of a second-row diatomic molecule by Hund's rule; the order of the bonding
    pi and sigma levels of 2p does not matter from 14 electrons on."""
    n_left = n_electrons
    for degeneracy in (1, 1, 1, 1, 2, 1, 2, 1):
        filled = min(n_left, 2 * degeneracy)
        n_left -= filled
        if n_left == 0:
            return min(filled, 2 * degeneracy - filled)
    raise AssertionError("too many electrons")


def _paramagnetic() -> str:
    n_electrons = {"O2": 16, "N2": 14, "NO": 15, "CO": 14}
    return _true_statements(*(_unpaired_in_diatomic(n) > 0 for n in n_electrons.values()))


def _first_order() -> str:
    rate = math.log(2) / 10
    return _true_statements(
        math.isclose(math.exp(-rate * 20), 0),
        math.isclose(math.exp(-rate * 30), 0.125),
        math.isclose(math.log(2) / rate, 20),
        math.isclose(rate, 0.10, rel_tol=0.05),
    )


def _unpaired_in_zinc_ion() -> int:
    shells = {"1s": 2, "2s": 2, "2p": 6, "3s": 2, "3p": 6, "3d": 30 - 20}
    capacity = {"s": 2, "p": 6, "d": 10}
    return sum(min(n, capacity[shell[1]] - n) for shell, n in shells.items())


def _combustion() -> int:
    balanced = [
        sum(counts)
        for counts in product(range(1, 9), repeat=4)
        if 3 * counts[0] == counts[2]
        and 8 * counts[0] == 2 * counts[3]
        and 2 * counts[1] == 2 * counts[2] + counts[3]
    ]
    return min(balanced)


LETTERS: dict[int, Callable[[], str]] = {
    1: lambda: _nearest_option(1, abs((3 + 1j) / (1 - 2j)) ** 2),
    2: _tangent_slope,
    3: _both_red,
    4: _cubic,
    5: _matrix,
    6: _sequence,
    11: lambda: _nearest_option(11, 0.20 * math.sqrt(50 / 2)),
    13: _table_power,
    14: lambda: _nearest_option(14, 2 * 2.5 * 10),
    15: _projectile,
    16: _capacitors,
    21: lambda: _nearest_option(21, 0.10**2 / (0.50 * 0.20**3)),
    22: _shape_of_xef4,
    23: _ph,
    24: _paramagnetic,
    25: _first_order,
}
NUMBERS: dict[int, Callable[[], float]] = {
    7: lambda: sum(360 % n == 0 for n in range(2, 361, 2)),
    8: _integral,
    9: lambda: abs(2 * 1 - 2 + 2 * 3 - 1) / math.sqrt(2**2 + 1 + 2**2),
    10: lambda: (math.expm1(3e-4) - 3e-4) / 1e-8,
    12: lambda: math.sqrt(50 / 2 * (0.20**2 - 0.12**2)),
    17: lambda: 1 / -0.25,
    18: lambda: 5 * 240 / (2 * 0.60),
    19: lambda: 0.5 ** (20 / 8),
    20: lambda: 0.5 * (0.5 * 3 * 0.5**2) * 5**2,
    26: lambda: (7 * 2 - 2 * 1) / 2,
    27: _unpaired_in_zinc_ion,
    28: _combustion,
    29: lambda: 2 * 25.0 * 0.10 / 0.15,
    30: lambda: -0.76 - 0.34,
}


def test_every_gold_is_computed() -> None:
    assert sorted([*LETTERS, *NUMBERS]) == list(_questions())


@pytest.mark.parametrize("index", LETTERS)
def test_letters(index: int) -> None:
    assert _questions()[index]["gold"] == LETTERS[index]()


@pytest.mark.parametrize("index", NUMBERS)
def test_numbers(index: int) -> None:
    row = _questions()[index]
    value = NUMBERS[index]()
    within = 1e-6 if row["type"] == "Integer" else 0.0051
    assert abs(float(Decimal(row["gold"])) - value) < within

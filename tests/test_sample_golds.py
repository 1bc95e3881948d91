"""Every gold of the sample exam, computed afresh from the question's facts."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt
import pytest

from tasks.core.questions.options import parse_options
from tests.sample_exam import sources

Grid = npt.NDArray[np.float64]

QUESTIONS = {each.number: each for each in sources()}
PLANCK, ELECTRON, CHARGE = 6.626e-34, 9.109e-31, 1.602e-19


def _options(number: int) -> dict[str, str]:
    return parse_options(QUESTIONS[number].question)


def _option_of(number: int, value: float) -> str:
    """The one option whose number is the value; LaTeX numbers of this exam only."""
    right = [
        label for label, text in _options(number).items() if math.isclose(_number(text), value)
    ]
    assert len(right) == 1
    return right[0]


def _option_saying(number: int, text: str) -> str:
    (right,) = (label for label, said in _options(number).items() if said == text)
    return right


def _number(text: str) -> float:
    plain = text.replace("$", "").split("\\mathrm")[0].strip()
    if plain.startswith("\\frac"):
        over, under = plain.removeprefix("\\frac{").removesuffix("}").split("}{")
        return int(over) / int(under)
    return float(plain)


def _true_statements(*truths: bool) -> str:
    return "".join(label for label, is_true in zip("ABCD", truths, strict=True) if is_true)


def _table_power() -> str:
    volts, milliamperes = np.array([1.0, 2.0, 3.0]), np.array([20.0, 40.0, 60.0])
    ohms = volts / (milliamperes / 1000)
    assert np.allclose(ohms, ohms[0])
    return _option_of(2, 5.0**2 / float(ohms[0]))


def _magnetic_force() -> str:
    x, y, z = 2e-6 * np.cross(np.array([3e5, 4e5, 0.0]), np.array([0.0, 0.0, 0.5]))
    assert z == 0
    return _option_saying(4, f"$({x:.1f} \\hat{{i}}{y:+.1f} \\hat{{j}}) \\mathrm{{~N}}$")


def _projectile() -> str:
    speed, angle, g = 20.0, math.radians(30), 10.0
    across, up = speed * math.cos(angle), speed * math.sin(angle)
    seconds = 2 * up / g
    return _true_statements(
        math.isclose(across, 0),
        math.isclose(seconds, 2),
        math.isclose(speed**2 * math.sin(angle) ** 2 / (2 * g), 5),
        math.isclose(across * seconds, 20 * math.sqrt(3)),
    )


def _de_broglie() -> str:
    def of_energy(mass: float, energy: float) -> float:
        return PLANCK / math.sqrt(2 * mass * energy)

    def of_momentum(mass: float, momentum: float) -> float:
        return of_energy(mass, momentum**2 / (2 * mass))

    volts = 100.0
    energy = CHARGE * volts
    wavelength = of_energy(ELECTRON, energy)
    return _true_statements(
        math.isclose(of_energy(ELECTRON, 2 * energy), wavelength / math.sqrt(2)),
        math.isclose(of_energy(4 * ELECTRON, energy), wavelength / 2),
        math.isclose(wavelength, PLANCK / math.sqrt(2 * ELECTRON * CHARGE * volts)),
        of_momentum(2 * ELECTRON, 1e-24) < 0.999 * of_momentum(ELECTRON, 1e-24),
    )


def _incline() -> str:
    lying, hanging, angle, g = 3.0, 2.0, math.radians(30), 10.0
    acceleration = (hanging - lying * math.sin(angle)) * g / (lying + hanging)
    return _true_statements(
        acceleration > 0,
        math.isclose(acceleration, 1),
        math.isclose(hanging * (g - acceleration), 20),
        math.isclose(lying * g * math.cos(angle), 15 * math.sqrt(3)),
    )


def _amide() -> str:
    """Oxidation keeps the two carbons, SOCl2 makes the acid a chloride, NH3 makes that an amide."""
    products = {"ethanol": "ethanoic acid", "ethanoic acid": "ethanoyl chloride"}
    products["ethanoyl chloride"] = "ethanamide"
    compound = "ethanol"
    for _ in range(3):
        compound = products[compound]
    return _option_saying(14, compound)


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
    n_electrons = {"O2": 8 + 8, "N2": 7 + 7, "NO+": 7 + 8 - 1, "O2-": 8 + 8 + 1}
    return _true_statements(*(_unpaired_in_diatomic(n) > 0 for n in n_electrons.values()))


def _first_order() -> str:
    rate = math.log(2) / 10
    half_life = math.log(2) / rate  # whatever the initial concentration
    return _true_statements(
        math.isclose(math.exp(-rate * 20), 0),
        math.isclose(math.exp(-rate * 30), 0.125),
        math.isclose(half_life, 20),
        math.isclose(rate, 0.10, rel_tol=0.05),
    )


def _unpaired_in_zinc_ion() -> int:
    shells = {"1s": 2, "2s": 2, "2p": 6, "3s": 2, "3p": 6}
    shells["3d"] = 30 - 2 - sum(shells.values())
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


def _matching() -> str:
    middles = (np.arange(100_000) + 0.5) / 100_000 * math.pi / 2
    values = {
        "P": float(2 * np.sin(middles).mean() * math.pi / 2),
        "Q": sum(3.0**-n for n in range(60)),
        "R": math.sin(3e-6) / 1e-6,
        "S": float(np.linalg.det(np.array([[2, 1], [1, 1]]))),
    }
    listed = {"1": 3 / 2, "2": 1, "3": 3, "4": 2, "5": 0}
    found = {
        entry: next(label for label, value in listed.items() if math.isclose(value, each))
        for entry, each in values.items()
    }
    text = " \\quad".join(f"({entry}) \\rightarrow({label})" for entry, label in found.items())
    return _option_saying(25, f"${text}$")


def _modulus_of_parabola() -> str:
    """The graph of |x² − 1| is nowhere negative, 1 at 0, 0 at ±1 and curved between them."""
    drawn: dict[str, Callable[[Grid], Grid]] = {
        "A": lambda x: x**2 - 1,
        "B": lambda x: abs(abs(x) - 1),
        "C": lambda x: abs(x**2 - 1),
        "D": lambda x: x**2,
    }
    grid = np.linspace(-2, 2, 401)
    (right,) = (
        label for label, graph in drawn.items() if np.allclose(graph(grid), np.abs(grid**2 - 1))
    )
    return right


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


def _integral() -> float:
    middles = (np.arange(300_000) + 0.5) / 100_000
    return float(3 * np.abs(middles**2 - 2 * middles).mean() * 3)


def _riemann_sum() -> float:
    n = 1_000_000
    k = np.arange(1, n + 1, dtype=float)
    return float((n / (n**2 + k**2)).sum())


LETTERS: dict[int, Callable[[], str]] = {
    1: lambda: _option_of(1, math.sqrt(432 / 300)),
    2: _table_power,
    3: lambda: _option_of(3, 12 / (4 + 1 / (1 / 6 + 1 / 3))),
    4: _magnetic_force,
    5: _projectile,
    6: _de_broglie,
    7: _incline,
    13: lambda: _option_of(13, 0.10**2 / (0.50 * 0.20**3)),
    14: _amide,
    15: lambda: _option_saying(15, f"{1 + abs(270 - 90) // 60}-methylphenol"),  # 60° a carbon
    16: _ph,
    17: _paramagnetic,
    18: _first_order,
    24: lambda: _option_of(24, 1 / (1 + 1 / (2 + 1 / 3))),
    25: _matching,
    26: lambda: _option_of(26, round((math.sqrt(4 + 1e-6) - 2) / 1e-6, 6)),
    27: _modulus_of_parabola,
    28: _matrix,
    29: _sequence,
    30: _cubic,
}
NUMBERS: dict[int, Callable[[], float]] = {
    8: lambda: 5 * math.sqrt(144 / 2.5e-3) / (2 * 0.60),
    9: lambda: 1 / 0.20 + 1 / -0.50,
    10: lambda: math.sqrt(50 / 2 * (0.20**2 - 0.12**2)),
    11: lambda: math.pi / 2 / math.sqrt(50 / 2),
    12: lambda: 2 ** -(20 / 8),
    19: lambda: (7 * 2 - 2 * 1) / 2,
    20: _unpaired_in_zinc_ion,
    21: _combustion,
    22: lambda: 2 * 25.0 * 0.10 / 0.15,
    23: lambda: -0.76 - 0.34,
    31: lambda: float(np.cbrt(10 + 6 * math.sqrt(3)) + np.cbrt(10 - 6 * math.sqrt(3))),
    32: _integral,
    33: lambda: float(np.linalg.norm(np.cross([1, 2, 3], [2, -1, 2]))) / 2,
    34: _riemann_sum,
}


def test_every_gold_is_computed() -> None:
    assert sorted([*LETTERS, *NUMBERS]) == list(QUESTIONS)


@pytest.mark.parametrize("number", LETTERS)
def test_letters(number: int) -> None:
    assert QUESTIONS[number].gold == LETTERS[number]()


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers(number: int) -> None:
    source = QUESTIONS[number]
    within = 1e-6 if source.section.type == "Integer" else 0.0051
    assert abs(float(Decimal(source.gold)) - NUMBERS[number]()) < within

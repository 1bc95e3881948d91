"""Intervals and paired tests: known answers, properties, and coverage on simulated data."""

import tracemalloc
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.statistics.bootstrap import (
    Interval,
    mcnemar_exact,
    mean_interval,
    paired_difference,
)

Values = npt.NDArray[np.float64]

JEE_SCORES = [0.0, 0.25, 0.5, 0.75, 1.0]


def interval_of(values: Values, **options: float) -> Interval:
    settings_of = {"level": 0.95, "n_resamples": 2_000, "seed": 1} | options
    interval = mean_interval(
        values,
        level=settings_of["level"],
        n_resamples=int(settings_of["n_resamples"]),
        seed=int(settings_of["seed"]),
    )
    assert interval is not None
    return interval


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_questions_have_no_interval(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    assert mean_interval(array, seed=1) is None
    assert paired_difference(array, array, seed=1) is None


def test_an_interval_carries_what_is_needed_to_compute_it_again() -> None:
    values = np.array(JEE_SCORES * 20)
    interval = mean_interval(values, level=0.9, n_resamples=500, seed=7)
    assert interval is not None
    assert interval == mean_interval(
        values, level=interval.level, n_resamples=interval.n_resamples, seed=interval.seed
    )
    assert (interval.level, interval.n_resamples, interval.seed) == (0.9, 500, 7)
    assert interval.unit == "question"
    assert interval != mean_interval(values, level=0.9, n_resamples=500, seed=8)


def test_two_questions_one_right_span_everything() -> None:
    interval = interval_of(np.array([0.0, 1.0]))
    assert (interval.lower, interval.upper) == (0.0, 1.0)


@pytest.mark.parametrize("n", [10, 1_000])
def test_equal_scores_leave_no_doubt(n: int) -> None:
    interval = interval_of(np.full(n, 0.1))
    assert (interval.lower, interval.upper) == (0.1, 0.1)


@pytest.mark.parametrize("n_questions", [400, 10_000])
def test_many_questions_give_the_normal_interval(n_questions: int) -> None:
    values = np.resize([0.0, 1.0, 1.0, 1.0], n_questions)
    half_width = 1.959964 * np.sqrt(0.75 * 0.25 / n_questions)
    interval = interval_of(values, n_resamples=20_000)
    assert interval.lower == pytest.approx(0.75 - half_width, abs=0.04 * half_width)
    assert interval.upper == pytest.approx(0.75 + half_width, abs=0.04 * half_width)


def test_values_that_repeat_and_values_that_hardly_do_give_one_interval() -> None:
    repeated = np.resize(JEE_SCORES, 1_000)
    distinct = repeated + np.linspace(-1e-9, 1e-9, repeated.size)
    one, other = (
        interval_of(repeated, n_resamples=20_000),
        interval_of(distinct, n_resamples=20_000),
    )
    assert one.lower == pytest.approx(other.lower, abs=0.001)
    assert one.upper == pytest.approx(other.upper, abs=0.001)


def test_the_exact_distribution_of_three_questions() -> None:
    """Resampling 0, 0, 1: the mean is 0, 1/3, 2/3, 1 with chances 8, 12, 6, 1 of 27."""
    values = np.array([0.0, 0.0, 1.0])
    assert interval_of(values, level=0.5, n_resamples=20_000).lower == 0
    assert interval_of(values, level=0.5, n_resamples=20_000).upper == pytest.approx(2 / 3)
    assert interval_of(values, level=0.99, n_resamples=20_000).upper == 1


score_lists = st.lists(st.sampled_from(JEE_SCORES), min_size=2, max_size=60)


@settings(max_examples=50)
@given(score_lists, st.integers(0, 2**32), st.data())
def test_bounds_and_order_of_questions(scores: list[float], seed: int, data: st.DataObject) -> None:
    values = np.array(scores)
    interval = interval_of(values, seed=seed, n_resamples=300)
    assert values.min() <= interval.lower <= interval.upper <= values.max()
    shuffled = np.array(data.draw(st.permutations(scores)))
    assert interval_of(shuffled, seed=seed, n_resamples=300) == interval


@settings(max_examples=50)
@given(score_lists)
def test_a_higher_level_is_wider_and_a_shift_shifts(scores: list[float]) -> None:
    values = np.array(scores)
    narrow, wide = (interval_of(values, level=level, n_resamples=300) for level in (0.8, 0.99))
    assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper
    shifted = interval_of(values + 2, level=0.8, n_resamples=300)
    assert shifted.lower == pytest.approx(narrow.lower + 2)
    assert shifted.upper == pytest.approx(narrow.upper + 2)


@pytest.mark.parametrize(("n_questions", "p"), [(60, 0.5), (200, 0.3), (515, 0.1)])
def test_nominal_95_percent_covers_the_true_mean(n_questions: int, p: float) -> None:
    n_simulations = 1_000
    generator = np.random.default_rng(20231)
    n_covered = 0
    for seed in range(n_simulations):
        values = generator.binomial(1, p, n_questions).astype(np.float64)
        interval = interval_of(values, n_resamples=1_000, seed=seed)
        n_covered += interval.lower <= p <= interval.upper
    assert 0.925 <= n_covered / n_simulations <= 0.97


def test_a_hundred_thousand_questions_fit_in_bounded_memory() -> None:
    distinct = np.linspace(0, 1, 100_000)
    few = np.resize(JEE_SCORES, 100_000)
    for values, n_resamples in ((distinct, 200), (few, 10_000)):
        tracemalloc.start()
        interval = interval_of(values, n_resamples=n_resamples)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert interval.lower < 0.5 < interval.upper
        assert peak < 150 * 2**20


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([[0.0, 1.0]], {}, "shape"),
        ([0.0, float("nan")], {}, "finite"),
        ([0.0, float("inf")], {}, "finite"),
        ([0.0, 1.0], {"level": 1.0}, "level"),
        ([0.0, 1.0], {"level": 0.0}, "level"),
        ([0.0, 1.0], {"n_resamples": 0}, "resamples"),
    ],
)
def test_bad_arguments_are_refused(
    values: list[float], options: dict[str, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        interval_of(np.array(values), **options)


def test_what_both_models_share_cancels_in_a_paired_difference() -> None:
    generator = np.random.default_rng(5)
    hard = generator.choice(JEE_SCORES, 500)
    better = hard.copy()
    better[hard == 0] += 0.25
    interval = paired_difference(better, hard, n_resamples=2_000, seed=1)
    assert interval is not None
    gain = float(np.mean(better - hard))
    assert 0 < interval.lower < gain < interval.upper
    apart = interval_of(better)
    assert interval.upper - interval.lower < (apart.upper - apart.lower) / 2


def test_swapping_the_models_mirrors_the_difference() -> None:
    x, y = np.random.default_rng(6).choice(JEE_SCORES, (2, 500))
    one = paired_difference(x, y, seed=3)
    other = paired_difference(y, x, seed=3)
    assert one is not None
    assert other is not None
    assert one.lower == pytest.approx(-other.upper, abs=0.003)
    assert one.upper == pytest.approx(-other.lower, abs=0.003)


@given(score_lists)
def test_a_model_does_not_differ_from_itself(scores: list[float]) -> None:
    interval = paired_difference(np.array(scores), np.array(scores), seed=3, n_resamples=100)
    assert interval is not None
    assert (interval.lower, interval.upper) == (0, 0)


def test_pairs_need_the_same_questions() -> None:
    with pytest.raises(ValueError, match="same questions"):
        paired_difference(np.zeros(3), np.zeros(4), seed=1)


@pytest.mark.parametrize(
    ("n_only_x", "n_only_y", "p_value"),
    [(24, 9, 0.0135), (0, 0, 1.0), (5, 5, 1.0), (1, 0, 1.0), (0, 6, 0.03125), (10, 2, 0.0386)],
)
def test_mcnemar(n_only_x: int, n_only_y: int, p_value: float) -> None:
    assert mcnemar_exact(n_only_x, n_only_y) == pytest.approx(p_value, abs=5e-5)
    assert mcnemar_exact(n_only_y, n_only_x) == mcnemar_exact(n_only_x, n_only_y)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_counts_outcomes_at_least_as_lopsided(n_only_x: int, n_only_y: int) -> None:
    n = n_only_x + n_only_y
    row = [1]
    for _ in range(n):
        row = [1, *(a + b for a, b in pairwise(row)), 1]
    off = abs(n_only_x - n_only_y)
    expected = sum(ways for k, ways in enumerate(row) if abs(n - 2 * k) >= off) / 2**n
    assert mcnemar_exact(n_only_x, n_only_y) == pytest.approx(expected)


def test_mcnemar_of_many_questions_is_a_number() -> None:
    assert 0.2 < mcnemar_exact(5_000, 5_100) < 0.4
    assert mcnemar_exact(0, 5_000) == 0.0


def test_mcnemar_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="negative"):
        mcnemar_exact(-1, 3)

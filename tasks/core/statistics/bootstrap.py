"""Intervals for means over questions, and tests for two models on the same questions.

The unit that is drawn is the question: its samples, and its games in both seats, stay together, so
a question's score goes in as one value. Intervals are percentile bootstrap intervals (Efron &
Tibshirani 1993, ch. 13) with linear percentiles; the random seed is an argument and part of the
result, and the order of the questions changes nothing.

Drawing n questions with replacement is drawing how often each distinct value occurs, a
multinomial. Scores take few values, so 100,000 questions cost about as much as 100; values that
hardly repeat are drawn one by one, in batches of bounded memory.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_BATCH_CELLS = 4_000_000
_FEW_DISTINCT = 1 / 8


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and everything that is needed to compute it again.

    `lower`, `upper` are in the unit of the values; `level` is a fraction (0.95); `unit` is what
    was resampled.
    """

    lower: float
    upper: float
    level: float
    n_resamples: int
    seed: int
    unit: str = "question"


def mean_interval(
    values: npt.NDArray[np.float64],
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int,
) -> Interval | None:
    """Give the percentile bootstrap interval of a mean.

    `values` has shape (n_questions,), one finite value per question. None for fewer than two
    questions, which say nothing about their spread. Raises ValueError for another shape, for NaN
    or infinite values (leave unscored questions out), and for a `level` outside (0, 1).
    """
    if values.ndim != 1:
        raise ValueError(f"values have shape {values.shape}, not (n_questions,)")
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite; leave unscored questions out")
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    if n_resamples < 1:
        raise ValueError(f"{n_resamples} resamples give no interval")
    if values.size < 2:
        return None
    means = _resampled_means(values, n_resamples, np.random.Generator(np.random.PCG64(seed)))
    tail = (1 - level) / 2
    lower, upper = np.quantile(means, [tail, 1 - tail], method="linear")
    return Interval(float(lower), float(upper), level, n_resamples, seed)


def paired_difference(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int,
) -> Interval | None:
    """Give the interval of mean(x − y) where x[i] and y[i] are two results on question i.

    Questions are drawn in pairs, so what they share (hard for both) cancels out. Both arrays have
    shape (n_questions,); otherwise as `mean_interval`.
    """
    if x.shape != y.shape:
        raise ValueError(f"x has shape {x.shape} and y {y.shape}; pairs need the same questions")
    return mean_interval(x - y, level=level, n_resamples=n_resamples, seed=seed)


def mcnemar_exact(n_only_x: int, n_only_y: int) -> float:
    """Give the two-sided exact p-value of McNemar's test (McNemar 1947; exact binomial form).

    The counts are the questions that only x, and only y, got right; those that both or neither
    got right say nothing about the difference. p = min(1, 2 · P(K ≤ smaller count)) for
    K ~ Binomial(n, ½) over the n questions that differ; 1 where none differs. Raises ValueError
    for negative counts.
    """
    if min(n_only_x, n_only_y) < 0:
        raise ValueError(f"counts {n_only_x}, {n_only_y} are negative")
    n_different = n_only_x + n_only_y
    ways = tail = 1
    for k in range(min(n_only_x, n_only_y)):
        ways = ways * (n_different - k) // (k + 1)
        tail += ways
    p_value: float = 2 * tail / 2**n_different
    return min(1.0, p_value)


def _resampled_means(
    values: npt.NDArray[np.float64], n_resamples: int, generator: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Means of `n_resamples` draws of n out of n values; shape (n_resamples,)."""
    distinct, counts = np.unique(values, return_counts=True)
    draw_counts = distinct.size < _FEW_DISTINCT * values.size
    ordered = np.repeat(distinct, counts)
    means = np.empty(n_resamples)
    batch = max(1, _BATCH_CELLS // (distinct.size if draw_counts else values.size))
    for start in range(0, n_resamples, batch):
        rows = min(batch, n_resamples - start)
        if draw_counts:
            drawn = generator.multinomial(values.size, counts / values.size, size=rows)
            means[start : start + rows] = drawn @ distinct / values.size
        else:
            drawn = generator.integers(values.size, size=(rows, values.size), dtype=np.uint32)
            means[start : start + rows] = ordered[drawn].mean(axis=1)
    return np.clip(means, distinct[0], distinct[-1])

# SPDX-License-Identifier: Apache-2.0
r"""Which system to judge next, so that few judgements tell systems apart.

One more judgement of system *s* lowers the variance of its mean from σ²/n to σ²/(n+1).
That is worth most where the order of two systems is in doubt. The priority of *s* is

.. math::

    \frac{\hat\sigma_s^2}{n_s (n_s + 1)} \sum_{t \ne s}
    \Phi\!\left(-\frac{|\bar x_s - \bar x_t|}
    {\sqrt{\hat\sigma_s^2 / n_s + \hat\sigma_t^2 / n_t}}\right),

the reduction of the variance, weighted by the approximate probability of every pair
being in the wrong order. Systems far from all others have a priority near 0; pairs that
nobody can tell apart are never dropped, but count less the more they were judged. This
is a greedy variant of optimal computing budget allocation (Chen, Lin, Yücesan and Chick
2000), which uses the same probabilities to choose the best of several alternatives.
:func:`~tertium.judgements.planning.rating_next.rate_next` plans pairs of systems on
shared segments of a store; here systems are chosen one by one, while people work.

Scores are adjusted for the text first (:func:`adjusted`): what is hard for one system
is hard for its rivals, and who is judged more often is judged on other texts.
Variances are shrunk towards the pooled variance within systems, as if `PRIOR` more
judgements had shown it; judgements that are under way count in n, not in means.

References
----------
C.-H. Chen, J. Lin, E. Yücesan and S. E. Chick (2000). Simulation budget allocation for
further enhancing the efficiency of ordinal optimization. Discrete Event Dynamic Systems
10, 251-270.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

__all__ = ["PRIOR", "Scores", "Tally", "adjusted", "priorities"]

#: Judgements by which variances are shrunk towards the pooled one.
PRIOR = 5.0


@dataclass
class Tally:
    """Scores of a system: how many, their mean, and squared deviations from it.

    Examples
    --------
    >>> tally = Tally()
    >>> for score in (1.0, 2.0, 6.0):
    ...     tally.add(score)
    >>> tally
    Tally(number=3, mean=3.0, squares=14.0)
    """

    number: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, score: float) -> None:
        """Add a score (Welford 1962)."""
        self.number += 1
        step = score - self.mean
        self.mean += step / self.number
        self.squares += step * (score - self.mean)


class Scores:
    """Scores of systems on texts, to which more are added as they come.

    Examples
    --------
    >>> scores = Scores()
    >>> for row in [("a", "1", 90.0), ("b", "1", 85.0), ("a", "2", 20.0)]:
    ...     scores.add(*row)
    >>> {name: tally.number for name, tally in scores.tallies().items()}
    {'a': 2, 'b': 1}
    """

    def __init__(self) -> None:
        self._systems: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._rows = (array("i"), array("i"), array("d"))

    def add(self, system: str, text: str, score: float) -> None:
        """Add a score."""
        systems, texts, values = self._rows
        systems.append(self._systems.setdefault(system, len(self._systems)))
        texts.append(self._texts.setdefault(text, len(self._texts)))
        values.append(score)

    def tallies(self, *, rounds: int = 20) -> dict[str, Tally]:
        """Return tallies of scores from which the effect of the text was subtracted.

        The model is that of :func:`adjusted`.
        """
        if not self._systems:
            return {}
        import numpy as np

        systems, texts, values = map(np.array, self._rows)
        number = np.bincount(systems)
        shrunk = np.bincount(texts) + 1
        effects = np.zeros(len(shrunk))
        means = np.full(len(number), np.nan)
        for _ in range(rounds):
            before = means
            means = np.bincount(systems, values - effects[texts]) / number
            if np.allclose(means, before, rtol=1e-9, atol=1e-6):
                break
            effects = np.bincount(texts, values - means[systems]) / shrunk
        rest = values - effects[texts]
        means = np.bincount(systems, rest) / number
        squares = np.bincount(systems, (rest - means[systems]) ** 2)
        columns = (number.tolist(), means.tolist(), squares.tolist())
        rows = zip(self._systems, *columns, strict=True)
        return {name: Tally(*facts) for name, *facts in rows}


def adjusted(
    scores: Iterable[tuple[str, str, float]], *, rounds: int = 20
) -> dict[str, Tally]:
    """Return tallies of scores from which the effect of the text was subtracted.

    The model is score = system + text; texts are random effects whose variance is taken
    to be that of the rest, so that the effect of a text with k scores is shrunk by
    k / (k + 1). It is fitted by alternating means: linear in scores and rounds.

    Parameters
    ----------
    scores : iterable of (str, str, float)
        System, text and score.
    rounds : int
        At most; fewer if nothing changes any more.

    Examples
    --------
    >>> rows = [("a", "1", 90.0), ("b", "1", 85.0), ("a", "2", 20.0), ("b", "2", 15.0)]
    >>> tallies = adjusted(rows)
    >>> round(tallies["a"].mean - tallies["b"].mean, 3)
    5.0
    >>> tallies["a"].squares < (90 - 55) ** 2 + (20 - 55) ** 2
    True
    """
    rows = Scores()
    for row in scores:
        rows.add(*row)
    return rows.tallies(rounds=rounds)


def priorities(
    tallies: Mapping[str, Tally],
    *,
    pending: Mapping[str, int] | None = None,
    exhausted: Collection[str] = (),
    floor: int = 10,
) -> dict[str, float]:
    """Return how much one more judgement of every system is worth.

    While a system is below the floor, the one with the fewest judgements comes next.
    Quadratic in the number of systems.

    Parameters
    ----------
    tallies : dict of str to Tally
        Scores so far by system.
    pending : dict of str to int, optional
        Judgements under way.
    exhausted : collection of str
        Systems of which nothing is left to judge; others are compared with them.
    floor : int
        Judgements that every system gets in any case, 2 at least.

    Returns
    -------
    dict of str to float
        For systems that are not exhausted; the larger, the sooner.

    Examples
    --------
    >>> near = {"a": Tally(20, 80.0, 2000.0), "b": Tally(20, 79.0, 2000.0)}
    >>> worth = priorities({**near, "c": Tally(20, 20.0, 2000.0)})
    >>> worth["a"] > worth["c"]
    True
    """
    waiting = pending or {}
    numbers = {
        name: tally.number + waiting.get(name, 0) for name, tally in tallies.items()
    }
    open_ones = [name for name in tallies if name not in exhausted]
    known = {name: tally for name, tally in tallies.items() if tally.number > 1}
    if any(name not in known or numbers[name] < floor for name in open_ones):
        return {name: -float(numbers[name]) for name in open_ones}
    variances = _variances(known)
    errors = {name: variances[name] / numbers[name] for name in known}
    worth = {}
    for name in open_ones:
        doubt = sum(
            _wrong(known[name].mean - other.mean, errors[name] + errors[rival])
            for rival, other in known.items()
            if rival != name
        )
        worth[name] = errors[name] / (numbers[name] + 1) * doubt
    return worth


def _variances(tallies: Mapping[str, Tally]) -> dict[str, float]:
    """Return variances of scores, shrunk towards that within all systems."""
    freedom = sum(tally.number - 1 for tally in tallies.values())
    pooled = sum(tally.squares for tally in tallies.values()) / max(freedom, 1)
    return {
        name: (PRIOR * pooled + tally.squares) / (PRIOR + tally.number - 1)
        for name, tally in tallies.items()
    }


def _wrong(gap: float, variance: float) -> float:
    """Return the probability that two means are in the wrong order."""
    if variance <= 0:
        return 0.0 if gap else 0.5
    return 0.5 * math.erfc(abs(gap) / math.sqrt(2 * variance))

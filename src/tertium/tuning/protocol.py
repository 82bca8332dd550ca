# SPDX-License-Identifier: Apache-2.0
"""The line protocol of tuners: one request per line, one answer per line.

The protocol is that of BEER 2.0 (``EVAL``, ``EVAL BEST``, ``MARGIN``, ``EXIT``), with
additive statistics for tuners that score whole corpora (MERT).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tertium._messages import count
from tertium.errors import InputError, TertiumError, UnknownNameError

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["answers"]

_SEPARATOR = "|||"


@runtime_checkable
class HasMargins(Protocol):
    """A metric that scales a raw value to its score, such as ``beer``."""

    def margins(self, hyps: Sequence[str], refs: Sequence[str]) -> list[float]:
        """Return the raw values of texts, one reference each."""


def answers(metric: Metric, lines: Iterable[bytes]) -> Iterator[str]:
    """Yield one line per request, until EXIT or the end of the input.

    Parameters
    ----------
    metric : Metric
    lines : iterable of bytes
        The requests, in UTF-8.

    Raises
    ------
    InputError
        When the metric depends on the whole corpus.

    Examples
    --------
    >>> from tertium.metrics import metric
    >>> list(answers(metric("wer"), [b"EVAL ||| a cat ||| the cat ||| a cat"]))
    ['0.5 0.0']
    """
    _check(metric)
    return _answers(metric, lines)


def _check(metric: Metric) -> None:
    if metric.needs_corpus:
        message = (
            f"{metric.name} weights words by all references, but a tuner sends them "
            "one by one; choose another metric, such as beer or sentbleu"
        )
        raise InputError(message)


def _answers(metric: Metric, lines: Iterable[bytes]) -> Iterator[str]:
    kinds = _requests(metric)
    for line in lines:
        try:
            name, *parts = map(str.strip, line.decode("utf-8").split(_SEPARATOR))
            if name == "EXIT" and not parts:
                return
            if name not in kinds:
                raise UnknownNameError("request", name, [*kinds, "EXIT"])
            yield " ".join(repr(float(value)) for value in kinds[name](parts))
        except UnicodeDecodeError as error:
            yield f"ERROR byte {error.start + 1} of the line is not UTF-8; send UTF-8"
        except TertiumError as error:
            yield f"ERROR {' '.join(str(error).split())}"


def _requests(metric: Metric) -> dict[str, Callable[[list[str]], Iterable[float]]]:
    """Return the function for each request, from its parts to numbers."""

    def scores(parts: list[str]) -> list[float]:
        hyp, refs = _texts(parts)
        values = metric.segment_scores([hyp] * len(refs), refs, threads=1)
        return [_defined(float(score)) for score in values]

    def margins(parts: list[str]) -> list[float]:
        if not isinstance(metric, HasMargins):
            raise InputError(
                f"{metric.name} has no raw values before scaling; send EVAL"
            )
        hyp, refs = _texts(parts)
        return metric.margins([hyp] * len(refs), refs)

    def statistics(parts: list[str]) -> list[float]:
        hyp, refs = _texts(parts)
        rows = metric.statistics([hyp], [tuple(refs)], threads=1)
        return [float(value) for value in rows[0]]

    best = max if metric.higher_is_better else min
    return {
        "EVAL": scores,
        "EVAL BEST": lambda parts: [best(scores(parts))],
        "MARGIN": margins,
        "MARGIN BEST": lambda parts: [max(margins(parts))],
        "STATS": statistics,
        "SCORE": lambda parts: [_from_statistics(metric, parts)],
    }


def _texts(parts: list[str]) -> tuple[str, list[str]]:
    """Return the hypothesis and its references."""
    if len(parts) < 2:
        message = (
            f"the request has {count(len(parts), 'text')}; send HYP ||| REF, and "
            "further references after it"
        )
        raise InputError(message)
    return parts[0], parts[1:]


def _from_statistics(metric: Metric, parts: list[str]) -> float:
    """Return the score of statistics in the format of STATS."""
    import numpy as np

    try:
        (text,) = parts
        row = np.array([float(number) for number in text.split()])
    except ValueError:
        message = "the request is not SCORE ||| NUMBERS; send numbers of STATS, or sums"
        raise InputError(message) from None
    width = len(metric.statistics([""], [""], threads=1)[0])
    if len(row) != width or not np.isfinite(row).all():
        message = (
            f"{metric.name} has {width} statistics, not {len(row)}; send {width} "
            "finite numbers"
        )
        raise InputError(message)
    return _defined(float(np.asarray(metric.from_statistics(row))))


def _defined(score: float) -> float:
    if score != score:
        raise InputError("the score of these texts is not defined; send other texts")
    return score

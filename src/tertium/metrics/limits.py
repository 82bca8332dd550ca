# SPDX-License-Identifier: Apache-2.0
"""Segments that are too long for a metric.

Time grows with the square of the words for some metrics. A line of a million words is
hardly ever a segment: the file has lost its line ends. So a metric may state how many
words it takes (:attr:`tertium.metrics.Metric.longest`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium import _core
from tertium.data.batch import Batch
from tertium.errors import InputError

__all__ = ["SegmentTooLongError", "check_lengths"]


class SegmentTooLongError(InputError):
    """A segment has more words than a metric takes.

    Parameters
    ----------
    metric : str
        The name of the metric.
    words, longest : int
        How many words the segment has, and how many it may have.
    segment : int
        Counted from 1, as lines are.
    system : int, optional
        The number of the system, counted from 0; None for a reference.
    column : str, optional
        The name of the system.
    """

    def __init__(
        self,
        metric: str,
        words: int,
        longest: int,
        *,
        segment: int,
        system: int | None,
        column: str = "",
    ) -> None:
        self._facts = metric, words, longest
        self._segment, self._system = segment, system
        if not column:
            column = "reference" if system is None else f"system {system + 1}"
        super().__init__(
            f"segment {segment:,} ({column}, line {segment:,}) has {words:,} words, "
            f"and {metric} takes {longest:,} at most, since its cost grows faster than "
            "the words; split the segment (are line ends missing?), or use a metric of "
            "n-grams such as bleu or chrf"
        )

    def placed(self, names: Sequence[str], before: int) -> SegmentTooLongError:
        """Return the error with names of systems, for a chunk after other segments."""
        system = self._system
        return SegmentTooLongError(
            *self._facts,
            segment=before + self._segment,
            system=system,
            column="" if system is None else f"system {names[system]}",
        )


def check_lengths(metric: str, longest: int | None, batch: Batch) -> None:
    """Raise an error if a text has more words than the metric takes."""
    if longest is None:
        return
    columns: list[tuple[int | None, Sequence[str | Sequence[str]]]]
    columns = [(None, batch.references), *enumerate(batch.systems)]
    for system, texts in columns:
        # N words have 2 N - 1 characters at least; most texts are shorter than that.
        if _core.longest_text(texts) < 2 * longest:
            continue
        for segment, item in enumerate(texts, start=1):
            for text in (item,) if isinstance(item, str) else item:
                words = len(text.split()) if len(text) > 2 * longest else 0
                if words > longest:
                    raise SegmentTooLongError(
                        metric, words, longest, segment=segment, system=system
                    )

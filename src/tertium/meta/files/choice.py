# SPDX-License-Identifier: Apache-2.0
"""Which scores of a file count: one test set, one reference, one domain.

Files of the WMT metrics task hold scores of several test sets, with several references
and, of systems, in several domains. They are scores of different things.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tertium.errors import InputError

__all__ = ["ScoreChoice", "ScoreRow"]

# What stands for the reference of a metric that uses none.
_NO_REFERENCE = {"src", "source", "none", "noref", "no-ref", "na", "n/a", "-"}
_WHOLE = "all"  # domains


class ScoreRow(NamedTuple):
    """One score of a file; what the file does not say is None."""

    metric: str
    langpair: str | None
    system: str
    segment: str | None
    score: float
    line: int
    testset: str | None = None
    reference: str | None = None
    domain: str | None = None
    falls: bool = False  # with quality, as the file says
    undefined: bool = False  # by the definition of the metric; the score is NaN
    unnamed: bool = False  # the system has the name of the file
    by_stem: bool = False  # the metric has the name of the file, less its extension
    path: str | None = None  # of the line, where it is not that of the file: a shard


Row = tuple[str, ScoreRow]  # with the path of the file


@dataclass(frozen=True)
class ScoreChoice:
    """What was chosen; None for the only one there is."""

    testset: str | None = None
    reference: str | None = None
    domain: str | None = None

    def chosen(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows that count.

        Raises
        ------
        InputError
            When there are several of something and none is chosen, or there is not
            the one that is chosen.
        """
        by_pair: dict[str | None, list[Row]] = {}
        for row in rows:
            by_pair.setdefault(row[1].langpair, []).append(row)
        return [
            row
            for rows_of_pair in by_pair.values()
            for row in self._of_pair(rows_of_pair)
        ]

    def _of_pair(self, rows: Sequence[Row]) -> Sequence[Row]:
        kept = self._of_testset(rows)
        kept = self._of_domain(kept)
        kept = self._of_reference(kept)
        _check_levels(rows, kept)
        return kept

    def _of_testset(self, rows: Sequence[Row]) -> Sequence[Row]:
        known = dict.fromkeys(row.testset for _, row in rows if row.testset)
        wanted = _one("test set", known, self.testset, "test_set")
        return [r for r in rows if r[1].testset in (None, wanted)] if wanted else rows

    def _of_domain(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Segments have a domain each, systems a score in each and in all."""
        known = dict.fromkeys(row.domain for _, row in rows if row.domain)
        if self.domain is not None:
            wanted = _one("domain", known, self.domain, "domain")
            return [r for r in rows if r[1].domain in (None, wanted)]
        domains = dict.fromkeys(
            row.domain for _, row in rows if row.domain and row.segment is None
        )
        wanted = _WHOLE
        if _WHOLE not in domains:
            wanted = _one("domain", domains, None, "domain") or _WHOLE
        return [
            r for r in rows if r[1].segment is not None or r[1].domain in (None, wanted)
        ]

    def _of_reference(self, rows: Sequence[Row]) -> Sequence[Row]:
        def free(row: ScoreRow) -> bool:
            return row.reference is None or row.reference.lower() in _NO_REFERENCE

        known = dict.fromkeys(str(row.reference) for _, row in rows if not free(row))
        wanted = _one("reference", known, self.reference, "reference")
        if wanted is None:
            return rows
        kept = [r for r in rows if free(r[1]) or r[1].reference == wanted]
        # A metric has one kind of scores: those with the reference, if there are any.
        using = {row.metric for _, row in kept if row.reference == wanted}
        return [
            r
            for r in kept
            if r[1].reference in (None, wanted) or r[1].metric not in using
        ]


def _one(
    what: str, known: Iterable[str], wanted: str | None, option: str
) -> str | None:
    """Return the one that is wanted, or the only one."""
    names = list(known)
    if wanted is not None and names and wanted not in names:
        raise InputError(f"no scores of {what} {wanted}; there are {', '.join(names)}")
    if wanted is None and len(names) > 1:
        message = (
            f"scores of more than one {what}: {', '.join(names)}; choose one by name"
        )
        raise InputError(message, options=(option,))
    return wanted if wanted in names else names[0] if names else None


def _check_levels(rows: Sequence[Row], kept: Sequence[Row]) -> None:
    """Raise an error if a metric lost its scores of systems, or those of segments."""

    def levels(some: Sequence[Row]) -> dict[str, dict[bool, ScoreRow]]:
        examples: dict[str, dict[bool, ScoreRow]] = {}
        for _, row in some:
            examples.setdefault(row.metric, {})[row.segment is None] = row
        return examples

    left = levels(kept)
    for metric, before in levels(rows).items():
        for of_systems in before.keys() - left.get(metric, before).keys():
            row = before[of_systems]
            others = ", ".join(
                name for name in (row.testset, row.domain, row.reference) if name
            )
            message = (
                f"{metric} has scores of {'systems' if of_systems else 'segments'} for "
                f"another choice only ({others}); choose the same for both, or leave "
                "one file out"
            )
            raise InputError(message)

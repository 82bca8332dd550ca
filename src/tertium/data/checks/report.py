# SPDX-License-Identifier: Apache-2.0
"""Findings of checks, and the report that holds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tertium._messages import count
from tertium._version import __version__
from tertium.data.checks.tally import Tally

__all__ = ["SEVERITIES", "Finding", "Report", "degree", "finding", "merged", "segments"]

#: From grave to harmless: scores are wrong, scores may suffer, good to know.
SEVERITIES = ("error", "warning", "note")

_SHOWN = 5


@dataclass(frozen=True)
class Finding:
    """One mistake, or what looks like one.

    Attributes
    ----------
    kind : str
        One of ``KINDS``.
    severity : str
        ``error``, ``warning`` or ``note``.
    where : str
        ``source``, ``reference 1``, ``system 'A'``, or several of them.
    message : str
        What is wrong, the first segments (from 1), and after a semicolon the cure.
    count : int
        How many segments it concerns.
    examples : tuple of int
        The first ten of these segments, from 1; empty where all are concerned.
    """

    kind: str
    severity: str
    where: str
    message: str
    count: int
    examples: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.message} [{self.kind}]"

    def to_dict(self) -> dict[str, str | int | list[int]]:
        """Return the finding as the JSON shows it."""
        return {
            "kind": self.kind,
            "severity": self.severity,
            "where": self.where,
            "message": self.message,
            "count": self.count,
            "examples": list(self.examples),
        }


@dataclass(frozen=True, repr=False)
class Report:
    """All findings in a test set, the most severe first.

    Attributes
    ----------
    segments : int
        How many segments were looked at.
    findings : list of Finding
    """

    segments: int
    findings: list[Finding]

    def count(self, severity: str) -> int:
        """Return how many findings have a severity."""
        return sum(item.severity == severity for item in self.findings)

    def summary(self) -> str:
        """Return the report in one line.

        Examples
        --------
        >>> Report(2, [Finding("empty", "warning", "source", "...", 1)]).summary()
        '1 finding in 2 segments: 1 warning'
        >>> Report(2, []).summary()
        'nothing found in 2 segments'
        """
        where = "1 segment" if self.segments == 1 else f"{self.segments:,} segments"
        if not self.findings:
            return f"nothing found in {where}"
        parts = [count(n, s) for s in SEVERITIES if (n := self.count(s))]
        return f"{count(len(self.findings), 'finding')} in {where}: {', '.join(parts)}"

    def __repr__(self) -> str:
        return "\n".join([*map(str, self.findings), self.summary()])

    def to_dict(self) -> dict[str, object]:
        """Return the object that ``tertium check -f json`` prints."""
        return {
            "tertium": __version__,
            "segments": self.segments,
            "findings": [item.to_dict() for item in self.findings],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return :meth:`to_dict` as JSON."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)


def finding(
    kind: str,
    severity: str,
    *,
    where: str,
    what: str,
    cure: str,
    numbers: Tally,
) -> Finding:
    """Return a finding on the segments with these numbers."""
    return Finding(
        kind,
        severity,
        where,
        f"{what}: {segments(numbers)}; {cure}",
        count=len(numbers),
        examples=tuple(numbers.first),
    )


def degree(part: int, whole: int) -> str:
    """Return the severity of failures of a system in some segments.

    A few failures are normal; many of them deserve a warning.

    Examples
    --------
    >>> degree(1, 1000), degree(1, 50), degree(26, 50)
    ('note', 'warning', 'error')
    """
    if 2 * part > whole:
        return "error"
    return "warning" if 100 * part >= whole else "note"


def segments(numbers: Tally) -> str:
    """Return the first numbers in words.

    Examples
    --------
    >>> segments(Tally([3])), segments(Tally([1, 2]))
    ('segment 3', 'segments 1, 2')
    >>> segments(Tally(range(1, 10)))
    'segments 1, 2, 3, 4, 5 and 4 more'
    """
    if len(numbers) == 1:
        return f"segment {numbers.first[0]}"
    shown = ", ".join(map(str, numbers.first[:_SHOWN]))
    more = len(numbers) - _SHOWN
    return f"segments {shown}" + (f" and {more} more" if more > 0 else "")


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings that are the same for several texts as one.

    Examples
    --------
    >>> pair = [Finding("empty", "note", name, "...", 1) for name in ("a", "b")]
    >>> [item.where for item in merged(pair)]
    ['a, b']
    """
    wheres: dict[Finding, list[str]] = {}
    for item in findings:
        key = Finding(**{**item.__dict__, "where": ""})
        wheres.setdefault(key, []).append(item.where)
    return [
        Finding(**{**key.__dict__, "where": ", ".join(where)})
        for key, where in wheres.items()
    ]

# SPDX-License-Identifier: Apache-2.0
"""A flag: something that stands out about a judge."""

from __future__ import annotations

from dataclasses import dataclass

from tertium.notes import Note

__all__ = ["FLAG_KINDS", "Flag"]

#: What can stand out about a judge.
FLAG_KINDS = (
    "fast",
    "slow",
    "rushed",
    "chance",
    "low agreement",
    "inconsistent",
    "alone",
    "ties",
    "one value",
    "favourite value",
    "lenient",
    "strict",
    "checks",
)


@dataclass(frozen=True)
class Flag:
    """Something that stands out about a judge.

    Parameters
    ----------
    kind : str
        One of :data:`FLAG_KINDS`.
    note : Note
        What was observed.
    scale : str
        The scale it was observed on; empty for rankings and times.

    Examples
    --------
    >>> Flag("lenient", Note("lenient", {"gap": 12.5}), "adequacy").reason
    '12.5 above others on the same outputs (adequacy)'
    """

    kind: str
    note: Note
    scale: str = ""

    @property
    def reason(self) -> str:
        """The note in English, with its scale."""
        return f"{self.note} ({self.scale})" if self.scale else str(self.note)

    def to_dict(self) -> dict[str, str]:
        """Return what JSON shows."""
        return {"kind": self.kind, "reason": self.reason}

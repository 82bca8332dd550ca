# SPDX-License-Identifier: Apache-2.0
"""What turns a hypothesis into a reference, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from tertium.grammars.search.edits import UNIT, Kind

__all__ = ["Change", "Correction"]


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a correction, in the order of the corrected sentence.

    Parameters
    ----------
    kind : Kind
        What happens to the token; ``Kind.MATCH`` if it is right.
    label : str
        The kind by name, case shifts with their cases.
    index : int or None
        Which token of the hypothesis; None for one that was missing.
    hyp, ref : str
        The tokens; empty on the side that has none.
    cost : int
        Without the move.
    moved_by : int or None
        How many places further right the token comes; None if it did not move. A
        token may move and come to the same place, because others move around it.
    """

    kind: Kind
    label: str
    index: int | None
    hyp: str
    ref: str
    cost: int
    moved_by: int | None = None

    @property
    def moved(self) -> bool:
        """Whether the token moved."""
        return self.moved_by is not None

    @property
    def continues(self) -> bool:
        """Whether the token is joined to the one before it, into one compound."""
        return self.kind is Kind.COMP_LEMMA_JOIN and not self.ref


@dataclass(frozen=True)
class Correction:
    """A way to turn a hypothesis into a reference.

    Parameters
    ----------
    cost : int
        Of all edits and moves together.
    reference : tuple of str
        The tokens of the reference.
    changes : tuple of Change
        What happens, token by token.
    move_cost : int
        What each move costs.
    """

    cost: int
    reference: tuple[str, ...]
    changes: tuple[Change, ...]
    move_cost: int = field(repr=False)

    @property
    def score(self) -> float:
        """The cost per token of the reference: 0 is perfect, above 1 is possible."""
        return self.cost / UNIT / max(1, len(self.reference))

    @property
    def edits(self) -> tuple[Change, ...]:
        """What is edited: a move is one, and what else a moved token needs another."""
        changes: list[Change] = []
        for change in self.changes:
            if change.moved:
                changes.append(
                    Change(
                        Kind.MOVE,
                        Kind.MOVE.label,
                        change.index,
                        change.hyp,
                        change.hyp,
                        self.move_cost,
                        change.moved_by,
                    )
                )
            if change.kind is not Kind.MATCH:
                changes.append(change)
        return tuple(changes)

    @property
    def errors(self) -> tuple[Change, ...]:
        """The edits, of a compound written apart the first one only."""
        return tuple(change for change in self.edits if not change.continues)

    def __str__(self) -> str:
        """Return the correction as the figure 7 of the thesis shows it."""
        return " ".join(map(self._shown, self.changes))

    def _shown(self, change: Change) -> str:
        text = change.ref
        if change.kind is not Kind.MATCH:
            pair = f"{change.hyp or '<eps>'}/{change.ref or '<eps>'}"
            text = f"[{change.label}: {pair} ({change.cost / UNIT:g})]"
        if change.moved:
            text = f"[move: {text} ({self.move_cost / UNIT:g})]"
        return text

# SPDX-License-Identifier: Apache-2.0
"""A published table or figure, what came out when it was repeated, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

__all__ = ["Cell", "Claim", "Curve", "Exhibit", "Outcome", "Verdict"]

#: Cells that must be inside their 95 % intervals: some miss by chance.
_SHARE = 0.95


class Verdict(str, Enum):
    """How a published table or figure and its repetition compare."""

    EQUAL = "equal"
    PATTERN = "pattern holds"
    DIFFERS = "differs"
    IMPOSSIBLE = "not possible"


@dataclass(frozen=True)
class Exhibit:
    """One table or figure of a document.

    Parameters
    ----------
    name : str
        The document and the label, such as ``forests/table-1``.
    label : str
        As printed: ``Table 1``.
    page : str
        The page or section it is on.
    about : str
        What it claims, in a sentence.
    data : str
        What it was computed from.
    here : str
        What the repetition is computed from.
    why : str
        Why the repetition agrees or differs, or why there is none, in a sentence.
    recipe : str
        ``module:function`` in `tertium.reproductions.recipes`; empty if the exhibit
        cannot be repeated.
    same_data : bool
        Whether the repetition has the data of the publication, so that figures can
        be equal and not only similar.
    needs_data : bool
        Whether the recipe reads the user's copy of the data.
    digits : int
        Decimal places that were printed.
    published : mapping
        Row to column to the printed value.
    """

    name: str
    label: str
    page: str
    about: str
    data: str
    why: str
    here: str = ""
    recipe: str = ""
    same_data: bool = False
    needs_data: bool = True
    digits: int = 3
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def value(self, cell: Cell) -> float | None:
        """Return the published value that a cell is compared with."""
        if cell.against is None:
            return None
        return self.published.get(cell.row, {}).get(cell.against)

    def agrees(self, cell: Cell) -> bool | None:
        """Return whether the published value is within the interval of a cell.

        Without an interval the values must be equal in all printed digits. None if
        there is no published value.
        """
        value = self.value(cell)
        if value is None:
            return None
        unit = 10.0**-self.digits
        low = cell.ours if cell.low is None else cell.low
        high = cell.ours if cell.high is None else cell.high
        # Half a unit for rounding, and a hair for binary fractions.
        return low - 0.5001 * unit <= value <= high + 0.5001 * unit


@dataclass(frozen=True)
class Cell:
    """One figure of a repetition.

    Parameters
    ----------
    row, column : str
    ours : float
    low, high : float, optional
        Its 95 % interval.
    against : str, optional
        The published column it is compared with, in the same row.
    part : str
        The sub-table it belongs to, such as one reading of a formula.
    """

    row: str
    column: str
    ours: float
    low: float | None = None
    high: float | None = None
    against: str | None = None
    part: str = ""


@dataclass(frozen=True)
class Claim:
    """A statement of the document and whether it holds here.

    Parameters
    ----------
    text : str
        Such as ``HAMMING is last on every pair``.
    holds : bool
    detail : str
        The figures: ``31 of 34 pairs``.
    decisive : bool
        Whether it decides the verdict; a second reading of a formula does not.
    """

    text: str
    holds: bool
    detail: str = ""
    decisive: bool = True


@dataclass(frozen=True)
class Curve:
    """A line of a figure: a name and points."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Outcome:
    """What came out when an exhibit was repeated.

    Parameters
    ----------
    cells : tuple of Cell
    claims : tuple of Claim
    curves : tuple of Curve
        Of a figure over `axis`.
    axis : str
    seconds : float
        How long it took.
    """

    cells: tuple[Cell, ...] = ()
    claims: tuple[Claim, ...] = ()
    curves: tuple[Curve, ...] = ()
    axis: str = ""
    seconds: float = 0.0

    def verdict(self, exhibit: Exhibit) -> Verdict:
        """Return how the repetition compares with what was published.

        *Equal*: all decisive claims hold and, on the same data, at least 95 % of the
        published values are within the intervals of ours. *Pattern holds*: all
        decisive claims hold. Without claims, the figures alone decide.
        """
        agreed = [a for cell in self.cells if (a := exhibit.agrees(cell)) is not None]
        decisive = [claim.holds for claim in self.claims if claim.decisive]
        if not all(decisive):
            return Verdict.DIFFERS
        if exhibit.same_data and agreed and sum(agreed) >= _SHARE * len(agreed):
            return Verdict.EQUAL
        if exhibit.same_data and not exhibit.published and decisive:
            return Verdict.EQUAL  # Claims alone were published.
        return Verdict.PATTERN if decisive else Verdict.DIFFERS

# SPDX-License-Identifier: Apache-2.0
"""Where something stands in a grammar, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tertium.errors import FormatError

__all__ = ["GrammarError", "Position", "Problems", "Source", "did_you_mean"]


@dataclass(frozen=True)
class Source:
    """The text of a file."""

    path: str
    text: str
    lines: list[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", self.text.split("\n"))


@dataclass(frozen=True)
class Position:
    """A place in a file; line and column are counted from 1."""

    source: Source = field(repr=False)
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"

    @property
    def marked(self) -> str:
        """The line, and below it a caret under the place."""
        lines = self.source.lines
        line = lines[self.line - 1] if 0 < self.line <= len(lines) else ""
        # Tabs stay tabs, so that the caret stands below its character.
        before = "".join(
            "\t" if character == "\t" else " " for character in line[: self.column - 1]
        )
        return f"    {line}\n    {before}^"


class GrammarError(FormatError):
    """A grammar cannot be used; the message shows the place and the cure.

    Parameters
    ----------
    what : str
        What is wrong.
    cure : str
        What to do about it.
    at : Position, optional
        Where.
    path : str, optional
        The file or folder, if no position can be named.
    options : sequence of str
        Arguments that are a cure.

    Attributes
    ----------
    column : int or None
        The column, counted from 1.
    others : tuple of GrammarError
        What else is wrong with the same grammar.
    """

    def __init__(
        self,
        what: str,
        cure: str,
        *,
        at: Position | None = None,
        path: str = "",
        options: Sequence[str] = (),
    ) -> None:
        where = at.source.path if at else path
        line = at.line if at else None
        super().__init__(f"{what}; {cure}", path=where, line=line, options=options)
        self.what = what
        self.cure = cure
        self.at = at
        self.column = at.column if at else None
        self.others: tuple[GrammarError, ...] = ()
        if at:
            self.args = (f"{at}: {what}; {cure}\n{at.marked}",)


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return the near names as a cure, or another cure if none is near."""
    import difflib  # 5 ms that only a wrong name should cost

    names = sorted(set(known))
    folded: dict[str, str] = {}
    for one in names:
        folded.setdefault(one.lower(), one)
    near = difflib.get_close_matches(name.lower(), folded, n=3, cutoff=0.6)
    if not near:
        return otherwise
    return f"did you mean {' or '.join(folded[one] for one in near)}?"


class Problems:
    """Collects what is wrong, so that all of it can be told at once."""

    def __init__(self) -> None:
        self.errors: list[GrammarError] = []
        self.warnings: list[GrammarError] = []

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Note an error that the block raises, and go on after it."""
        try:
            yield
        except GrammarError as error:
            for one in (error, *error.others):
                if one not in self.errors:  # two users of one broken definition
                    self.errors.append(one)

    def error(self, what: str, cure: str, at: Position) -> None:
        """Note an error."""
        self.errors.append(GrammarError(what, cure, at=at))

    def warn(self, what: str, cure: str, at: Position) -> None:
        """Note a warning."""
        self.warnings.append(GrammarError(what, cure, at=at))

    def settle(self) -> None:
        """Raise the first error, if there is one; it carries the others."""
        if self.errors:
            first, *others = self.errors
            first.others = tuple(others)
            raise first

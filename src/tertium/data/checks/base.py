# SPDX-License-Identifier: Apache-2.0
"""What a check is: it looks at chunks once or twice, and then says what it found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import ClassVar

from tertium.data.checks.report import Finding
from tertium.data.checks.survey import Survey
from tertium.data.checks.tally import Tally
from tertium.data.checks.view import View

__all__ = ["Check", "Tallies"]


class Tallies(defaultdict[str, Tally]):
    """Segments by the text they are in."""

    def __init__(self) -> None:
        super().__init__(Tally)


class Check:
    """Looks for one kind of mistake.

    Every chunk is looked at; then, if the check asks for it, once more with the survey
    of the whole at hand.
    """

    #: What the survey must know.
    needs: ClassVar[frozenset[str]] = frozenset()

    def look(self, view: View) -> None:
        """Take a chunk."""

    def needs_another_look(self, survey: Survey) -> bool:  # noqa: ARG002
        """Return whether chunks must be looked at once more."""
        return False

    def look_again(self, view: View, survey: Survey) -> None:
        """Take a chunk for the second time."""

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield the mistakes, after the last chunk."""
        raise NotImplementedError

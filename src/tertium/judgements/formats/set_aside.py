# SPDX-License-Identifier: Apache-2.0
"""Lines of a file that hold no judgement, so that it can be written again.

A store has a place for judgements only. The first judgement after such lines, or else
the last line's first one, keeps them as metadata: ``before`` or ``after``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tertium.judgements.formats.cells import meta_of, to_meta
from tertium.judgements.formats.format import Numbered
from tertium.judgements.judgement import Rating, Span

__all__ = ["PLACES", "SetAside", "keep", "lines_around"]

#: Where set-aside lines stand, by name of the metadata.
PLACES = ("before", "after")


def keep(line: list[Numbered], values: Mapping[str, object]) -> list[Numbered]:
    """Return the judgements of a line, the first of them with more metadata."""
    for place, (number, one) in enumerate(line):
        if isinstance(one, Rating | Span):
            kept = one._replace(meta=to_meta({**meta_of(one.meta), **values}))
            return [*line[:place], (number, kept), *line[place + 1 :]]
    return line


class SetAside:
    """Hands judgements on, line by line, and lines without any along with them."""

    def __init__(self) -> None:
        self._rows: list[object] = []
        self._held: list[Numbered] = []  # the last line, until another one follows

    def put(self, row: object) -> None:
        """Keep a line without a judgement."""
        self._rows.append(row)

    def follow(self, line: list[Numbered]) -> list[Numbered]:
        """Return the judgements of the line before this one."""
        before = {"before": self._rows} if self._rows else {}
        done, self._held, self._rows = self._held, keep(line, before), []
        return done

    def finish(self) -> list[Numbered]:
        """Return the judgements of the last line."""
        return keep(self._held, {"after": self._rows}) if self._rows else self._held


def lines_around(meta: Mapping[str, object]) -> dict[str, list[object]]:
    """Return the lines that metadata keep, by place."""
    return {
        where: rows for where in PLACES if isinstance(rows := meta.get(where), list)
    }

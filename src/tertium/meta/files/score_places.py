# SPDX-License-Identifier: Apache-2.0
"""Segments of score files that only have a place in their file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tertium.errors import FormatError

__all__ = ["Places"]


class Places:
    """Names of segments that only have a place in their file.

    Parameters
    ----------
    path : str
    segments : sequence of str, optional
        Their names, if they are known.
    mark : str
        What their numbers start with otherwise.
    """

    def __init__(self, path: str, segments: Sequence[str] | None, mark: str) -> None:
        self._path, self._segments, self._mark = path, segments, mark
        self._counts: dict[str, int] = defaultdict(int)

    def __call__(self, system: str, at: int, line: int) -> str:
        """Return the name of the segment of a system at a place, from 0."""
        self._counts[system] = max(self._counts[system], at + 1)
        if self._segments is None:
            return f"{self._mark}{at + 1}"
        if at >= len(self._segments):
            count = len(self._segments)
            what = f"{system} has more than the {count} segments there are"
            raise FormatError(what, path=self._path, line=line)
        return self._segments[at]

    def check(self) -> None:
        """Raise an error if a system has too few scores."""
        if self._segments is None:
            return
        for system, count in self._counts.items():
            if count != len(self._segments):
                what = f"{system} has {count} scores for {len(self._segments)} segments"
                what = f"{what}; give one per segment, or None"
                raise FormatError(what, path=self._path)

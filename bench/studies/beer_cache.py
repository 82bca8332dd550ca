# SPDX-License-Identifier: Apache-2.0
"""Profiles that remember features, and judgements sampled at random.

Studies train dozens of models on nearly the same texts; with a profile of this kind the
features of every text are computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.learn.data import Source
from tertium.learn.profile import Profile
from tertium.reproductions.recipes.beer.sources import drawn, judgements

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["Remembering", "drawn", "judgements", "remembering"]


class Remembering(Profile):
    """A profile that computes the features of no text twice."""

    _place: dict[tuple[str, str], int]
    _rows: Rows
    _used: int

    def features(
        self, hyps: Sequence[str], refs: Sequence[str], *, threads: int | None = None
    ) -> Rows:
        """Return all features of texts, new ones computed and kept."""
        place = self._place
        keys = list(zip(hyps, refs, strict=True))
        new = [key for key in dict.fromkeys(keys) if key not in place]
        if new:
            texts, against = (list(side) for side in zip(*new, strict=True))
            rows = super().features(texts, against, threads=threads)
            for number, key in enumerate(new, start=self._used):
                place[key] = number
            self._keep(rows)
        return self._rows[[place[key] for key in keys]]

    def fitted(self, refs: Sequence[str]) -> Profile:  # noqa: ARG002
        """Return the profile itself: it was fitted when it was made."""
        return self

    def _keep(self, rows: Rows) -> None:
        wanted = self._used + len(rows)
        if wanted > len(self._rows):
            # Twice as much each time, so that rows are copied a few times at most.
            grown = np.empty((max(wanted, 2 * len(self._rows)), rows.shape[1]))
            grown[: self._used] = self._rows[: self._used]
            object.__setattr__(self, "_rows", grown)
        self._rows[self._used : wanted] = rows
        object.__setattr__(self, "_used", wanted)


def remembering(profile: Profile, sources: Sequence[Source] = ()) -> Remembering:
    """Return the profile with a memory.

    Parameters
    ----------
    profile : Profile
    sources : sequence of Source
        What blocks learn from references, such as function words, they learn here and
        not at each training; needed only by profiles with such blocks.
    """
    refs = dict.fromkeys(ref for s in sources for refs in s.testset.references
                         for ref in refs)  # fmt: skip
    profile = profile.fitted(list(refs)) if refs else profile
    made = Remembering(profile.name, profile.summary, profile.lowercase, profile.blocks)
    for name, value in (
        ("_place", {}),
        ("_rows", np.empty((0, len(profile.names)))),
        ("_used", 0),
    ):
        object.__setattr__(made, name, value)
    return made

# SPDX-License-Identifier: Apache-2.0
"""Shortlists: minimum Bayes risk among the hypotheses that a score likes best.

Fernandes et al. (2022, Quality-aware decoding for neural machine translation, section
3.3) choose in two stages: a metric without references keeps some hypotheses of a list,
and MBR chooses among these. Here all hypotheses stay pseudo-references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr.results import MbrList, MbrResult

__all__ = ["Shortlist"]


class Shortlist:
    """The hypotheses of lists with the best values of a feature, in their order.

    Parameters
    ----------
    lists : sequence of NBestList
    feature : str
        See :func:`tertium.tuning.reranking.attach_scores`.
    keep : int
        How many hypotheses of each list to keep; of equal values the first.
    higher_is_better : bool

    Raises
    ------
    InputError
        If lists do not have the feature, or nothing would be kept.

    Examples
    --------
    >>> made = NBestList("0", ["a", "b", "c"], ("qe",), np.array([[1.0], [3], [2]]))
    >>> Shortlist([made], "qe", keep=2).lists[0].texts
    ['b', 'c']
    """

    def __init__(
        self,
        lists: Sequence[NBestList],
        feature: str,
        *,
        keep: int,
        higher_is_better: bool = True,
    ) -> None:
        if keep < 1:
            raise InputError(f"keep is at least 1, not {keep}")
        self._all = list(lists)
        self._kept = []
        self.lists: list[NBestList] = []
        for each in self._all:
            if feature not in each.names:
                raise UnknownNameError("feature", feature, each.names)
            values = each.features[:, each.names.index(feature)]
            order = np.argsort(-values if higher_is_better else values, kind="stable")
            kept = sorted(order[:keep].tolist())
            self._kept.append(kept)
            self.lists.append(each.select(kept))

    def placed(self, number: int, chosen: MbrList) -> MbrList:
        """Return what was chosen from a list, with places in the whole list."""
        kept = self._kept[number]
        picks = (replace(pick, index=kept[pick.index]) for pick in chosen.best)
        whole = len(self._all[number])
        return replace(chosen, hypotheses=whole, best=tuple(picks))

    def restored(self, result: MbrResult) -> MbrResult:
        """Return a result with places in the whole lists."""
        lists = tuple(self.placed(i, each) for i, each in enumerate(result.lists))
        return replace(result, lists=lists)

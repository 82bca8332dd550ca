# SPDX-License-Identifier: Apache-2.0
"""Probes: metrics that ignore quality, shown beside real ones.

A coefficient that likes one of them can be gamed (Macháček 2014, section 4.4.2):
leaving out ties rewards a metric that abstains, rewarding them one that ties all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tertium.meta.human import Human
from tertium.meta.scores import MetricScores, segment_names

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["probes"]


def probes(human: Human, testset: Testset | None = None) -> list[MetricScores]:
    """Return the scores of the probes.

    - ``probe-constant``: the same score for everything;
    - ``probe-segment``: the length of the reference, so that all outputs of a
      segment are tied, and segments are not;
    - ``probe-length``: the length of the output.

    Parameters
    ----------
    human : Human
        What they have to score.
    testset : Testset, optional
        Without texts there is the first probe only.
    """
    tables = [
        MetricScores(
            "probe-constant",
            dict.fromkeys(human.systems, 0.0),
            {name: dict.fromkeys(human.segments, 0.0) for name in human.systems},
            langpair=human.langpair,
            probe=True,
        )
    ]
    if testset is None:
        return tables

    def scored(name: str, length: Callable[[str, int], int]) -> MetricScores:
        segments = segment_names(testset)
        lengths = {
            system: {
                segment: float(length(system, i)) for i, segment in enumerate(segments)
            }
            for system in testset.systems
        }
        means = {s: sum(v.values()) / max(1, len(v)) for s, v in lengths.items()}
        return MetricScores(name, means, lengths, langpair=human.langpair, probe=True)

    if testset.references and testset.references[0]:
        tables.append(
            scored("probe-segment", lambda _, i: len(testset.references[i][0]))
        )
    tables.append(scored("probe-length", lambda s, i: len(testset.systems[s][i])))
    return tables

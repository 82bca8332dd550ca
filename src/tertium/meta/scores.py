# SPDX-License-Identifier: Apache-2.0
"""Scores of metrics on one language pair, computed here or read from files."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tertium.data.kept import Lazy
from tertium.data.segment_ids import full_ids, repeats
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.engine.results import ScoreTable
    from tertium.metrics import Metric
    from tertium.stats.resample import Report

__all__ = ["MetricScores", "run_metrics", "segment_names"]

_CHUNK = 500  # segments that are scored between two reports of progress


@dataclass(frozen=True)
class MetricScores:
    """The scores of a metric for the systems of one language pair.

    Parameters
    ----------
    name : str
    system : dict of str to float
        Scores of whole systems; empty if there are none.
    segment : dict of str to dict of str to float
        Scores of segments by system and name of the segment; a segment without
        a score is not in it.
    higher_is_better : bool
    langpair : str, optional
    probe : bool
        Whether it is a probe, which ignores quality.
    undefined : dict of str to collection of str
        By system, the segments that it scored and for which it has no value by its
        definition, such as link-tau where fewer than two words are aligned.
    unnamed : collection of str
        Systems that are called after the file with their scores, which names none.
    guessed : bool
        Whether the direction follows from the name of the metric and its scores.
    unnumbered : dict of str to tuple
        The first segment of a system whose name is not a number, its file and line.
    """

    name: str
    system: Mapping[str, float] = field(default_factory=dict)
    segment: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    higher_is_better: bool = True
    langpair: str | None = None
    probe: bool = False
    undefined: Mapping[str, Collection[str]] = field(default_factory=dict)
    unnamed: Collection[str] = ()
    guessed: bool = False
    unnumbered: Mapping[str, tuple[str, str, int]] = field(default_factory=dict)

    def rising(self) -> MetricScores:
        """Return the scores with their sign turned so that higher is better."""
        if self.higher_is_better:
            return self
        return replace(
            self,
            system={name: -score for name, score in self.system.items()},
            segment={
                name: {segment: -score for segment, score in scores.items()}
                for name, scores in self.segment.items()
            },
            higher_is_better=True,
        )

    def renamed(self, name: str) -> MetricScores:
        """Return the scores under another name."""
        return replace(self, name=name)


def run_metrics(
    testset: Testset,
    metrics: Sequence[str | Metric],
    *,
    segments: bool = True,
    threads: int | None = None,
    progress: Report | None = None,
) -> list[MetricScores]:
    """Return the scores that metrics of Tertium give a test set.

    Parameters
    ----------
    testset : Testset
        Segments go by their ids, or by their number from 1.
    metrics : sequence of str
    segments : bool
        Whether to score segments too.
    threads : int, optional
    progress : callable, optional
        Called with "segments", how many are scored, and how many there are.
    """
    from tertium.data.origins import placed_chunks
    from tertium.engine.score import score_stream

    def scored(size: int) -> ScoreTable:
        return score_stream(
            lambda: placed_chunks(testset, size),
            metrics=metrics,
            segments=segments,
            threads=threads,
            progress=progress and (lambda n, _: progress("segments", n, len(testset))),
        )

    try:
        table = scored(_CHUNK)
    except InputError:
        scored(max(1, len(testset)))  # whose message counts segments from the first
        raise
    names = segment_names(testset)
    out = []
    for spec, info in table.metrics.items():
        by_system = {name: scores[spec] for name, scores in table.systems.items()}
        values = {
            name: dict(zip(names, scores.segments or (), strict=True))
            for name, scores in by_system.items()
            if segments
        }
        out.append(
            MetricScores(
                spec,
                {name: scores.score for name, scores in by_system.items()},
                {
                    name: {
                        key: value for key, value in row.items() if value is not None
                    }
                    for name, row in values.items()
                },
                info.higher_is_better,
                testset.langpair,
                undefined={
                    name: {key for key, value in row.items() if value is None}
                    for name, row in values.items()
                },
            )
        )
    return out


def segment_names(testset: Testset) -> Sequence[str]:
    """Return the ids of a test set, or the numbers of its segments from 1.

    Where ids start anew in every document, as in XML of WMT, names are
    ``DOCUMENT/ID``, as judgements have them
    (:mod:`tertium.judgements.segment_names`).

    Raises
    ------
    InputError
        When two segments have one name: scores of one would pass for the other's.
    """
    if isinstance(testset.references, Lazy):
        return _names_on_disk(testset)
    if testset.ids is None:
        return [str(i) for i in range(1, len(testset) + 1)]
    names = full_ids(testset.ids, testset.docs)
    if len(set(names)) < len(names):
        twice = next(name for name, n in Counter(names).items() if n > 1)
        message = f"two segments have the id {twice}; give each its own"
        raise InputError(message)
    return names


def _names_on_disk(testset: Testset) -> Sequence[str]:
    """Return the names of many segments, made when they are asked for."""
    if testset.ids is None:
        return Lazy(len(testset), lambda place: str(place + 1))
    names = full_ids(testset.ids, testset.docs)
    firsts, _ = repeats(array("q", map(hash, names)))
    if len(firsts):
        message = f"two segments have the id {names[int(firsts[0]) - 1]}"
        raise InputError(f"{message}; give each its own")
    return names

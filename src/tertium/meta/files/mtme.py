# SPDX-License-Identifier: Apache-2.0
"""Folders of mt-metrics-eval, version 2: read whole, and written.

Texts are read by :mod:`tertium.data.formats.mtme`. Human scores are in
``human-scores/LP.NAME.LEVEL.score``, those of metrics in
``metric-scores/LP/METRIC-REF.LEVEL.score``: system and score, ``None`` where there is
none, in three levels: ``seg``, with the segments of a system in order, ``sys``, and
``domain``, with the domain in front. Higher is better. Files may be compressed.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tertium.data.formats.mtme import (
    MtmeTexts,
    mtme_files,
    mtme_langpair,
    read_mtme_texts,
)
from tertium.data.lines import open_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.cells import NO_SCORE, score
from tertium.judgements.ranking.ratings import SegmentScores
from tertium.meta.files.mtme_writing import Domains, write_mtme
from tertium.meta.human import Human, from_table, official
from tertium.meta.scores import MetricScores, segment_names

__all__ = ["Mtme", "human_of", "read_mtme", "write_mtme"]

_LEVELS = ("seg", "sys", "domain")


@dataclass(frozen=True)
class Mtme:
    """What a folder of mt-metrics-eval holds for one language pair.

    Parameters
    ----------
    testset : Testset
        Documents are in ``docs``, domains in the layer ``domain``. Human references
        stand among the systems, too, as they do in the folder.
    human : dict of str to MetricScores
        Human scores by their name, such as ``mqm``.
    metrics : list of MetricScores
        Called ``METRIC-REF``.
    references : tuple of str
        The names of the references.
    human_domains, metric_domains : dict
        Scores of parts of the test set: by name, domain and system.
    """

    testset: Testset
    human: dict[str, MetricScores] = field(default_factory=dict)
    metrics: list[MetricScores] = field(default_factory=list)
    references: tuple[str, ...] = ()
    human_domains: Domains = field(default_factory=dict)
    metric_domains: Domains = field(default_factory=dict)

    @property
    def texts(self) -> MtmeTexts:
        """The texts alone."""
        return MtmeTexts(self.testset, self.references)

    def write(self, folder: str | os.PathLike[str], *, compress: bool = False) -> None:
        """Write everything to a new folder."""
        write_mtme(
            folder,
            self.testset,
            scores=self.metrics,
            human=self.human,
            references=self.references,
            human_domains=self.human_domains,
            metric_domains=self.metric_domains,
            compress=compress,
        )


def read_mtme(folder: str | os.PathLike[str], langpair: str | None = None) -> Mtme:
    """Return texts and scores of a folder of mt-metrics-eval.

    Parameters
    ----------
    folder : path
    langpair : str, optional
        Needed where there are several.

    Raises
    ------
    FormatError
        When something is missing, or a row is not understood; with file and line.
    InputError
        When there are several language pairs to choose from.
    """
    root = os.fspath(folder)
    langpair = mtme_langpair(root, langpair)
    texts = read_mtme_texts(root, langpair)
    segments = segment_names(texts.testset)
    human, human_domains = _scores(
        os.path.join(root, "human-scores"), f"{langpair}.", langpair, segments
    )
    metrics, metric_domains = _scores(
        os.path.join(root, "metric-scores", langpair), "", langpair, segments
    )
    return Mtme(
        texts.testset,
        human,
        list(metrics.values()),
        texts.references,
        human_domains,
        metric_domains,
    )


def human_of(
    folder: Mtme, name: str | None = None, *, references: bool = False
) -> Human:
    """Return human scores, for metrics to be compared with.

    Parameters
    ----------
    folder : Mtme
    name : str, optional
        Which scores, such as ``mqm``; needed where there are several.
    references : bool
        Whether references count as systems, where they were judged. Metrics that
        use a reference cannot score it; mt-metrics-eval leaves them out, too.

    Returns
    -------
    Human
        With the published scores of systems where there are any. They can be
        resampled only if they are the means of the segments.

    Raises
    ------
    InputError
        When there are no such scores, or none of segments.
    """
    known = ", ".join(folder.human) or "none"
    if name is None and len(folder.human) != 1:
        message = f"human scores: {known}; choose one by name"
        raise InputError(message, options=("gold",))
    chosen = next(iter(folder.human)) if name is None else name
    if chosen not in folder.human:
        raise InputError(f"no human scores called {chosen}; there are {known}")
    scores = folder.human[chosen]
    left_out = () if references else folder.references
    systems = [
        s for s, values in scores.segment.items() if values and s not in left_out
    ]
    if not systems:
        raise InputError(f"{chosen} has no scores of segments; choose other scores")
    segments = tuple(segment_names(folder.testset))
    nan = float("nan")
    matrix = np.array(
        [[scores.segment[s].get(segment, nan) for segment in segments] for s in systems]
    )
    judged = ~np.isnan(matrix).all(axis=0)
    table = SegmentScores(
        tuple(systems),
        tuple(name for name, known in zip(segments, judged, strict=True) if known),
        matrix[:, judged],
        int((~np.isnan(matrix)).sum()),
    )
    human = from_table(table, folder.testset.langpair, f"{chosen} scores")
    known_scores = {s: scores.system[s] for s in systems if s in scores.system}
    if not known_scores:
        return human
    if _same(known_scores, human.scores):
        return replace(human, scores=known_scores)
    return official(human, [scores])


def _same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        math.isclose(one[name], other[name], rel_tol=1e-9, abs_tol=1e-12)
        for name in one
    )


def _scores(
    folder: str, start: str, langpair: str, segments: Sequence[str]
) -> tuple[dict[str, MetricScores], dict[str, dict[str, dict[str, float]]]]:
    system: dict[str, dict[str, float]] = {}
    segment: dict[str, dict[str, dict[str, float]]] = {}
    domains: dict[str, dict[str, dict[str, float]]] = {}
    for rest, file in mtme_files(folder, start).items():
        name, _, level = rest.removesuffix(".score").rpartition(".")
        if not rest.endswith(".score") or level not in _LEVELS or not name:
            continue
        rows = _rows(file, 3 if level == "domain" else 2)
        if level == "seg":
            segment[name] = _by_segment(file, rows, segments)
            continue
        for cells, value in rows:
            of = system.setdefault(name, {})
            if level == "domain":
                of = domains.setdefault(name, {}).setdefault(cells[0], {})
            if value is not None:
                of[cells[-2]] = value
    names = dict.fromkeys([*segment, *system])
    tables = {
        name: MetricScores(
            name, system.get(name, {}), segment.get(name, {}), langpair=langpair
        )
        for name in names
    }
    return tables, domains


def _rows(file: str, width: int) -> Iterator[tuple[list[str], float | None]]:
    for number, line in enumerate(open_lines(file), start=1):
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != width:
            what = f"{len(cells)} fields where {width} are due"
            raise FormatError(what, path=file, line=number)
        try:
            yield cells, None if cells[-1] in NO_SCORE else score(cells[-1])
        except ValueError as error:
            what = f"{error}; write one, or None"
            raise FormatError(what, path=file, line=number) from None


def _by_segment(
    file: str,
    rows: Iterator[tuple[list[str], float | None]],
    segments: Sequence[str],
) -> dict[str, dict[str, float]]:
    values: dict[str, list[float | None]] = {}
    for (system, _), value in rows:
        values.setdefault(system, []).append(value)
    for system, row in values.items():
        if len(row) != len(segments):
            what = f"{system} has {len(row)} scores for {len(segments)} segments"
            raise FormatError(f"{what}; give one per segment, or None", path=file)
    return {
        system: {
            name: value
            for name, value in zip(segments, row, strict=True)
            if value is not None
        }
        for system, row in values.items()
    }

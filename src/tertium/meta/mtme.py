# SPDX-License-Identifier: Apache-2.0
"""Folders of mt-metrics-eval, version 2: read whole, and written.

``sources/LP.txt``, ``references/LP.NAME.txt``, ``system-outputs/LP/SYSTEM.txt`` and
``documents/LP.docs`` (domain and document) have one line a segment. Scores by people
are in ``human-scores/LP.NAME.LEVEL.score``, those of metrics in
``metric-scores/LP/METRIC-REF.LEVEL.score``: system and score, ``None`` where there is
none, in three levels: ``seg``, with the segments of a system in order, ``sys``, and
``domain``, with the domain in front. Higher is better. Files may be compressed.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tertium.data.lines import open_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.cells import NO_SCORE, score
from tertium.judgements.ranking.ratings import SegmentScores
from tertium.meta.human import Human, from_table, official
from tertium.meta.mtme_writing import Domains, write_mtme
from tertium.meta.scores import MetricScores, segment_names

__all__ = ["Mtme", "human_of", "read_mtme", "write_mtme"]

_PACKED = re.compile(r"\.(gz|xz|bz2|zst)$")
_LEVELS = ("seg", "sys", "domain")


@dataclass(frozen=True)
class Mtme:
    """What a folder of mt-metrics-eval says of one language pair.

    Parameters
    ----------
    testset : Testset
        Documents are in ``docs``, domains in the layer ``domain``. Human references
        stand among the systems, too, as they do in the folder.
    human : dict of str to MetricScores
        Scores by people by their name, such as ``mqm``.
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
    root = Path(folder)
    langpair = _langpair(root, langpair)
    references = _texts(root / "references", f"{langpair}.")
    systems = _texts(root / "system-outputs" / langpair, "")
    sources = _texts(root / "sources", f"{langpair}")[""]
    documents = _files(root / "documents", f"{langpair}.docs")
    docs: list[str] | None = None
    layers = {}
    if documents:
        rows = [line.rpartition("\t") for line in open_lines(documents[""])]
        docs = [name for _, _, name in rows]
        layers = {"domain": [domain for domain, _, _ in rows]}
    testset = Testset(
        list(zip(*references.values(), strict=True))
        if references
        else [()] * len(sources),
        systems,
        sources=sources,
        docs=docs,
        langpair=langpair,
        layers=layers,
    )
    segments = segment_names(testset)
    human, human_domains = _scores(
        root / "human-scores", f"{langpair}.", langpair, segments
    )
    metrics, metric_domains = _scores(
        root / "metric-scores" / langpair, "", langpair, segments
    )
    return Mtme(
        testset,
        human,
        list(metrics.values()),
        tuple(references),
        human_domains,
        metric_domains,
    )


def human_of(
    folder: Mtme, name: str | None = None, *, references: bool = False
) -> Human:
    """Return what people said, for metrics to be compared with.

    Parameters
    ----------
    folder : Mtme
    name : str, optional
        Which scores, such as ``mqm``; needed where there are several.
    references : bool
        Whether references count as systems, where people judged them. Metrics that
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
        raise InputError(f"scores by people: {known}; choose one with --gold")
    chosen = next(iter(folder.human)) if name is None else name
    if chosen not in folder.human:
        raise InputError(f"no scores by people called {chosen}; there are {known}")
    scores = folder.human[chosen]
    left_out = () if references else folder.references
    systems = [s for s, own in scores.segment.items() if own and s not in left_out]
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
        tuple(name for name, own in zip(segments, judged, strict=True) if own),
        matrix[:, judged],
        int((~np.isnan(matrix)).sum()),
    )
    found = from_table(table, folder.testset.langpair, f"{chosen} scores")
    known_scores = {s: scores.system[s] for s in systems if s in scores.system}
    if not known_scores:
        return found
    if _same(known_scores, found.scores):
        return replace(found, scores=known_scores)
    return official(found, [scores])


def _same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        math.isclose(one[name], other[name], rel_tol=1e-9, abs_tol=1e-12)
        for name in one
    )


def _langpair(root: Path, langpair: str | None) -> str:
    known = sorted(
        _PACKED.sub("", file.name).removesuffix(".txt")
        for file in (root / "sources").glob("*.txt*")
    )
    if not known:
        what = "no sources/LP.txt; give a folder of mt-metrics-eval"
        raise FormatError(what, path=str(root))
    if langpair is None and len(known) > 1:
        raise InputError(f"more than one language pair: {', '.join(known)}; name one")
    if langpair is not None and langpair not in known:
        raise InputError(f"no language pair {langpair}; there are {', '.join(known)}")
    return langpair or known[0]


def _files(folder: Path, start: str) -> dict[str, Path]:
    """Return the files whose names start so, by the rest of their names."""
    if not folder.is_dir():
        return {}
    found: dict[str, Path] = {}
    for file in sorted(folder.iterdir()):
        name = _PACKED.sub("", file.name)
        if not name.startswith(start):
            continue
        rest = name[len(start) :]
        if rest in found:
            what = f"the same as {found[rest].name}; remove one"
            raise FormatError(what, path=str(file))
        found[rest] = file
    return found


def _texts(folder: Path, start: str) -> dict[str, list[str]]:
    return {
        rest.removesuffix(".txt"): list(open_lines(file))
        for rest, file in _files(folder, start).items()
        if rest.endswith(".txt")
    }


def _scores(
    folder: Path, start: str, langpair: str, segments: Sequence[str]
) -> tuple[dict[str, MetricScores], dict[str, dict[str, dict[str, float]]]]:
    system: dict[str, dict[str, float]] = {}
    segment: dict[str, dict[str, dict[str, float]]] = {}
    domains: dict[str, dict[str, dict[str, float]]] = {}
    for rest, file in _files(folder, start).items():
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
    found = {
        name: MetricScores(
            name, system.get(name, {}), segment.get(name, {}), langpair=langpair
        )
        for name in names
    }
    return found, domains


def _rows(file: Path, width: int) -> Iterator[tuple[list[str], float | None]]:
    for number, line in enumerate(open_lines(file), start=1):
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != width:
            what = f"{len(cells)} fields where {width} are due"
            raise FormatError(what, path=str(file), line=number)
        try:
            yield cells, None if cells[-1] in NO_SCORE else score(cells[-1])
        except ValueError as error:
            what = f"{error}; write one, or None"
            raise FormatError(what, path=str(file), line=number) from None


def _by_segment(
    file: Path,
    rows: Iterator[tuple[list[str], float | None]],
    segments: Sequence[str],
) -> dict[str, dict[str, float]]:
    values: dict[str, list[float | None]] = {}
    for (system, _), value in rows:
        values.setdefault(system, []).append(value)
    for system, own in values.items():
        if len(own) != len(segments):
            what = f"{system} has {len(own)} scores for {len(segments)} segments"
            raise FormatError(f"{what}; give one a segment, or None", path=str(file))
    return {
        system: {
            name: value
            for name, value in zip(segments, own, strict=True)
            if value is not None
        }
        for system, own in values.items()
    }

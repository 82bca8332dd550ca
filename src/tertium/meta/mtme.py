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

from tertium.data._atomic import replace_folder
from tertium.data.lines import open_lines, write_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements
from tertium.judgements.formats.cells import NO_SCORE, score
from tertium.judgements.formats.mtme import means, score_lines
from tertium.judgements.ranking import mqm_scores
from tertium.judgements.ranking.ratings import SegmentScores
from tertium.meta.human import Human, _from_table, official
from tertium.meta.scores import MetricScores, segment_names

__all__ = ["Mtme", "human_of", "read_mtme", "write_mtme"]

_PACKED = re.compile(r"\.(gz|xz|bz2|zst)$")
_LEVELS = ("seg", "sys", "domain")

Domains = Mapping[str, Mapping[str, Mapping[str, float]]]


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
    found = _from_table(table, folder.testset.langpair, f"{chosen} scores")
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


def write_mtme(
    folder: str | os.PathLike[str],
    testset: Testset,
    judgements: Judgements | None = None,
    scores: Sequence[MetricScores] = (),
    *,
    human: Mapping[str, MetricScores] | None = None,
    references: Sequence[str] = (),
    human_domains: Domains | None = None,
    metric_domains: Domains | None = None,
    compress: bool = False,
) -> None:
    """Write a folder that mt-metrics-eval reads; all of it or nothing.

    Parameters
    ----------
    folder : path
    testset : Testset
        With sources and a language pair.
    judgements : Judgements, optional
        Ratings of segments; their scale is the name of the scores. Error spans give
        scores called ``mqm``. Several judges of one output count as their mean, and
        systems get the mean of their segments.
    scores : sequence of MetricScores
        Written so that higher is better. A name that does not end in a reference or
        ``-src`` gets the references of the test set.
    human : dict of str to MetricScores, optional
        Scores by people that are known already, systems included.
    references : sequence of str, optional
        Names of the references; ``refA``, ``refB`` ... otherwise.
    human_domains, metric_domains : dict, optional
        Scores of domains by name, domain and system. For `judgements`, they are
        computed if the test set has a layer ``domain``.
    compress : bool
        Whether to write ``.gz`` files.

    Raises
    ------
    InputError
        When something does not fit, or cannot be a file name.
    """
    langpair = testset.langpair
    if not langpair or testset.sources is None:
        what = "language pair" if not langpair else "sources"
        raise InputError(f"the test set has no {what}, which the folder needs; add it")
    width = max((len(refs) for refs in testset.references), default=0)
    names = list(references) or [f"ref{chr(65 + i)}" for i in range(width)]
    if len(names) != width or any(len(r) != width for r in testset.references):
        message = (
            f"{len(names)} names for {width} references; every segment needs as many"
        )
        raise InputError(message)
    segments = segment_names(testset)
    domain = testset.layers.get("domain")
    people = dict(human or {})
    domains = dict(human_domains or {})
    if judgements is not None:
        for name, found in _from_judgements(judgements, langpair, segments).items():
            if name in people:
                raise InputError(f"two kinds of scores are called {name}; rename one")
            people[name] = found
            if domain:
                domains[name] = _by_domain(found, segments, domain)
    suffix = ".gz" if compress else ""

    def write(place: str, lines: Iterator[str] | Sequence[str]) -> None:
        path = root / f"{place}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_lines(path, lines)

    with replace_folder(os.fspath(folder)) as own:
        root = Path(own)
        write(f"sources/{langpair}.txt", testset.sources)
        for k, name in enumerate(names):
            column = [refs[k] for refs in testset.references]
            write(f"references/{langpair}.{_plain(name)}.txt", column)
        for name, hyps in testset.systems.items():
            write(f"system-outputs/{langpair}/{_plain(name)}.txt", hyps)
        docs = testset.docs or ["unknown"] * len(testset)
        rows = zip(domain or ["all"] * len(testset), docs, strict=True)
        write(f"documents/{langpair}.docs", [f"{d}\t{name}" for d, name in rows])
        for name, found in people.items():
            start = f"human-scores/{langpair}.{_plain(name)}"
            for level, lines in _levels(found, segments, domains.get(name)):
                write(f"{start}.{level}.score", lines)
        for metric in scores:
            full = _metric_name(metric.name, names)
            own_domains = (metric_domains or {}).get(metric.name)
            start = f"metric-scores/{langpair}/{_plain(full)}"
            for level, lines in _levels(metric.rising(), segments, own_domains):
                write(f"{start}.{level}.score", lines)


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


def _from_judgements(
    judgements: Judgements, langpair: str, segments: Sequence[str]
) -> dict[str, MetricScores]:
    by_scale = {
        scale: systems
        for (pair, scale), systems in means(judgements).items()
        if pair in ("", langpair)
    }
    errors = _from_spans(judgements, langpair)
    if errors:
        if "mqm" in by_scale:
            message = "there are error spans and ratings called mqm; give one of them"
            raise InputError(message)
        by_scale["mqm"] = errors
    if not by_scale:
        message = (
            f"no ratings or error spans of segments for {langpair}; rankings have no "
            "place in the folder"
        )
        raise InputError(message)
    known = set(segments)
    found = {}
    for scale, systems in by_scale.items():
        for system, own in systems.items():
            strange = next((name for name in own if name not in known), None)
            if strange is not None:
                message = (
                    f"segment {strange!r} of {system} was judged, but is not in the "
                    "test set; give the ids that the judgements use"
                )
                raise InputError(message)
        total = {name: sum(own.values()) / len(own) for name, own in systems.items()}
        found[scale] = MetricScores(scale, total, systems, langpair=langpair)
    return found


def _from_spans(judgements: Judgements, langpair: str) -> dict[str, dict[str, float]]:
    """Return MQM scores of systems and segments, none where nobody judged."""
    import polars as pl

    pair = pl.col("langpair").cast(pl.String)
    own = replace(
        judgements,
        spans=judgements.spans.filter(pair.is_null() | (pair == langpair)),
    )
    if not own.counts()["spans"]:
        return {}
    table = mqm_scores(own)
    # Segments go by campaign, document and name there.
    names = [name.rpartition("\t")[2] for name in table.segments]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        message = (
            f"segment {twice!r} is in several documents or campaigns; give every "
            "segment a name of its own"
        )
        raise InputError(message)
    return {
        system: {
            segment: float(value)
            for segment, value in zip(names, row, strict=True)
            if not math.isnan(value)
        }
        for system, row in zip(table.systems, table.scores, strict=True)
    }


def _by_domain(
    scores: MetricScores, segments: Sequence[str], domain: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Return the means of every domain, where a system has scores."""
    found: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(domain):
        members = [s for s, own in zip(segments, domain, strict=True) if own == name]
        for system, own in scores.segment.items():
            values = [own[s] for s in members if s in own]
            if values:
                found.setdefault(name, {})[system] = sum(values) / len(values)
    return found


def _levels(
    scores: MetricScores,
    segments: Sequence[str],
    domains: Mapping[str, Mapping[str, float]] | None,
) -> Iterator[tuple[str, Iterator[str] | list[str]]]:
    if scores.segment:
        yield "seg", score_lines(scores.segment, segments)
    if scores.system:
        lacking = [name for name in scores.segment if name not in scores.system]
        lines = [f"{name}\t{value!r}" for name, value in scores.system.items()]
        yield "sys", lines + [f"{name}\tNone" for name in lacking]
    if domains:
        yield (
            "domain",
            [
                f"{domain}\t{name}\t{value!r}"
                for domain, own in domains.items()
                for name, value in own.items()
            ],
        )


def _metric_name(name: str, references: Sequence[str]) -> str:
    """Return the name of a metric with its references, as file names have it."""
    suffix = name.rpartition("-")[2]
    if "-" in name and all(r in (*references, "src") for r in suffix.split(".")):
        return name
    return f"{name}-{'.'.join(references) or 'src'}"


def _plain(name: str) -> str:
    if not name or "/" in name or "\x00" in name or name in (".", ".."):
        raise InputError(f"{name!r} cannot be part of a file name; rename it")
    return name

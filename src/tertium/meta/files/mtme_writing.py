# SPDX-License-Identifier: Apache-2.0
"""Folders of mt-metrics-eval, written; :mod:`tertium.meta.files.mtme` reads them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from tertium._files import replace_folder
from tertium.data.lines import write_lines
from tertium.data.testset import Testset
from tertium.errors import InputError
from tertium.judgements import Judgements
from tertium.judgements.formats.mtme import means, score_lines
from tertium.judgements.ranking import mqm_scores
from tertium.judgements.segment_names import are_short
from tertium.judgements.segment_names import segment_names as judged_segments
from tertium.meta.scores import MetricScores, segment_names

__all__ = ["Domains", "write_mtme"]

#: Scores of parts of a test set: by name, domain and system.
Domains: TypeAlias = Mapping[str, Mapping[str, Mapping[str, float]]]


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
        Human scores that are known already, systems included.
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
    tables = dict(human or {})
    domains = dict(human_domains or {})
    if judgements is not None:
        for name, table in _from_judgements(judgements, langpair, segments).items():
            if name in tables:
                raise InputError(f"two kinds of scores are called {name}; rename one")
            tables[name] = table
            if domain:
                domains[name] = _by_domain(table, segments, domain)
    suffix = ".gz" if compress else ""

    def write(place: str, lines: Iterator[str] | Sequence[str]) -> None:
        path = root / f"{place}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_lines(path, lines)

    with replace_folder(os.fspath(folder)) as new:
        root = Path(new)
        write(f"sources/{langpair}.txt", testset.sources)
        for k, name in enumerate(names):
            column = [refs[k] for refs in testset.references]
            write(f"references/{langpair}.{_plain(name)}.txt", column)
        for name, hyps in testset.systems.items():
            write(f"system-outputs/{langpair}/{_plain(name)}.txt", hyps)
        docs = testset.docs or ["unknown"] * len(testset)
        rows = zip(domain or ["all"] * len(testset), docs, strict=True)
        write(f"documents/{langpair}.docs", [f"{d}\t{name}" for d, name in rows])
        for name, table in tables.items():
            start = f"human-scores/{langpair}.{_plain(name)}"
            for level, lines in _levels(table, segments, domains.get(name)):
                write(f"{start}.{level}.score", lines)
        for metric in scores:
            full = _metric_name(metric.name, names)
            own_domains = (metric_domains or {}).get(metric.name)
            start = f"metric-scores/{langpair}/{_plain(full)}"
            for level, lines in _levels(metric.rising(), segments, own_domains):
                write(f"{start}.{level}.score", lines)


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
    tables = {}
    for scale, systems in by_scale.items():
        for system, values in systems.items():
            strange = next((name for name in values if name not in known), None)
            if strange is not None:
                message = (
                    f"segment {strange!r} of {system} was judged, but is not in the "
                    "test set; give the ids that the judgements use"
                )
                raise InputError(message)
        total = {
            name: sum(values.values()) / len(values) for name, values in systems.items()
        }
        tables[scale] = MetricScores(scale, total, systems, langpair=langpair)
    return tables


def _from_spans(judgements: Judgements, langpair: str) -> dict[str, dict[str, float]]:
    """Return MQM scores of systems and segments, none where nobody judged."""
    import polars as pl

    pair = pl.col("langpair").cast(pl.String)
    chosen = replace(
        judgements,
        spans=judgements.spans.filter(pair.is_null() | (pair == langpair)),
    )
    if not chosen.counts()["spans"]:
        return {}
    table = mqm_scores(chosen)
    names = judged_segments(chosen.spans)
    if not are_short(names):
        twice = names.filter(pl.col("segment").is_duplicated())["segment"]
        message = (
            f"segment {min(twice.cast(pl.String))!r} is in several documents or "
            "campaigns; give every segment a name of its own"
        )
        raise InputError(message)
    return {
        system: {
            segment: float(value)
            for segment, value in zip(table.segments, row, strict=True)
            if not math.isnan(value)
        }
        for system, row in zip(table.systems, table.scores, strict=True)
    }


def _by_domain(
    scores: MetricScores, segments: Sequence[str], domain: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Return the means of every domain, where a system has scores."""
    means: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(domain):
        members = [s for s, this in zip(segments, domain, strict=True) if this == name]
        for system, by_segment in scores.segment.items():
            values = [by_segment[s] for s in members if s in by_segment]
            if values:
                means.setdefault(name, {})[system] = sum(values) / len(values)
    return means


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
                for domain, by_system in domains.items()
                for name, value in by_system.items()
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

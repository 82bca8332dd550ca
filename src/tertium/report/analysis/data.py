# SPDX-License-Identifier: Apache-2.0
"""All segments of a report as compact columns, for the script that shows them.

Texts of a segment stand together: systems say nearly the same, which compresses well.
Errors are strings with one character per word; ``templates/segments.js`` reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np

from tertium.analysis.buckets import Bucket
from tertium.analysis.report import SystemReport
from tertium.analysis.word_errors import KINDS, LabelledOutputs
from tertium.analysis.words import pattern, split
from tertium.data.annotated import layer
from tertium.report.analysis.dependencies import MOST, tree_columns
from tertium.report.analysis.derp_paths import path_columns
from tertium.report.analysis.links import link_lines
from tertium.report.analysis.trained_losses import loss_columns

__all__ = ["document_of", "segment_data"]

#: What texts carry besides words; without them, the same texts may score differently.
_LAYERS = ("tree", "parses", "links", "permutation", "automaton")
_DIGITS = bytes.maketrans(bytes(range(16)), b"0123456789abcdef")


def segment_data(report: SystemReport) -> dict[str, Any]:
    """Return names, texts, scores and errors of all segments."""
    table, testset = report.comparison.scores, report.testset
    counts = [len(refs) for refs in testset.references]
    chosen = np.array([one.chosen for one in report.labels.values()])
    texts, names = _texts(report), list(testset.systems)
    return {
        "systems": names,
        "focus": [names.index(name) for name in report.focus],
        "ranked": [names.index(name) for name in table.ranked()],
        "commands": _commands(report),
        "metrics": [
            {
                "label": table.labels[spec],
                "digits": info.digits,
                "higher": info.higher_is_better,
            }
            for spec, info in table.metrics.items()
        ],
        "kinds": [*KINDS, *(habit.name for habit in report.habits)],
        "words": pattern(script=True),
        "most": MOST,
        "sources": testset.sources is not None,
        "references": counts[0] if len(set(counts)) == 1 else counts,
        "texts": texts,
        "trees": tree_columns(texts),
        "language": report.language,  # of stems that were aligned, if any
        "layers": any(
            layer(text, name) is not None for text in texts for name in _LAYERS
        ),
        "paths": path_columns(report, texts),
        "losses": loss_columns(report),
        "scores": [
            _scores(report.segments[spec], info.digits)
            for spec, info in table.metrics.items()
        ],
        "errors": _errors(report),
        "lengths": [len(split(refs[0])) for refs in testset.references],
        "disagreement": disagreement(report),
        "documents": _documents(testset.docs),
        "groups": [_steps(bucket.group.members) for bucket in report.buckets],
        "chosen": chosen.T.ravel().tolist() if chosen.any() else None,
        "labels": [_labels(one) for one in report.labels.values()],
    }


def _commands(report: SystemReport) -> list[dict[str, Any] | None] | None:
    """Return the command that explains outputs, by system, if there is one."""
    if not report.commands:
        return None
    commands = map(report.commands.get, report.testset.systems)
    return [None if command is None else asdict(command) for command in commands]


def _texts(report: SystemReport) -> list[str]:
    """Return source, references and outputs of every segment, one after another."""
    testset = report.testset
    outputs = list(testset.systems.values())
    texts: list[str] = []
    for number, refs in enumerate(testset.references):
        if testset.sources is not None:
            texts.append(testset.sources[number])
        texts += refs
        texts += [column[number] for column in outputs]
    return texts


def _scores(scores: np.ndarray, digits: int) -> list[int | None]:
    """Return scores as integers, segment by segment; None where there is none."""
    values = np.round(scores.T.ravel() * 10**digits)
    whole = np.isfinite(values)
    if whole.all():
        return [*_integers(values)]
    return [
        int(value) if one else None for value, one in zip(values, whole, strict=True)
    ]


def _errors(report: SystemReport) -> list[int]:
    """Return one bit per kind of error and habit, segment by segment."""
    names = list(report.testset.systems)
    bits = np.zeros((len(report.testset), len(names)), np.int64)
    for place, name in enumerate(names):
        for kind, column in enumerate(report.labels[name].counts.T):
            bits[:, place] |= (column > 0).astype(np.int64) << kind
        for number, habit in enumerate(report.habits, start=len(KINDS)):
            bits[list(habit.segments[name]), place] |= 1 << number
    return _integers(bits.ravel())


def disagreement(report: SystemReport) -> list[int]:
    """Return how far metrics disagree on each segment, from 0 to 1000.

    It is the largest difference between two metrics' ranks of an output among all.
    """
    worst = np.zeros(len(report.testset))
    ranks = []
    for spec, info in report.comparison.scores.metrics.items():
        scores = report.segments[spec]
        order = scores if info.higher_is_better else -scores
        defined = ~np.isnan(order)
        known, places = np.unique(order[defined], return_inverse=True)
        ranked = np.full(scores.shape, np.nan)
        ranked[defined] = places / max(1, len(known) - 1)
        ranks.append(ranked)
    for one, other in combinations(ranks, 2):
        apart = np.nan_to_num(np.abs(one - other))  # without a score, no rank
        worst = np.maximum(worst, apart.max(axis=0))
    return _integers(np.round(1000 * worst))


def _documents(docs: Sequence[str] | None) -> dict[str, list[Any]] | None:
    """Return the names of documents, and the number of the name of every segment."""
    if docs is None:
        return None
    names = {name: number for number, name in enumerate(dict.fromkeys(docs))}
    return {"names": list(names), "numbers": [names[name] for name in docs]}


def document_of(report: SystemReport, bucket: Bucket) -> int | None:
    """Return the number of the document that a group consists of, if it is one."""
    docs = report.testset.docs
    if docs is None or bucket.group.kind != "document":
        return None
    names = {docs[number] for number in bucket.group.members}
    return list(dict.fromkeys(docs)).index(*names) if len(names) == 1 else None


def _steps(members: np.ndarray) -> list[int]:
    """Return sorted numbers as the distances between them."""
    return _integers(np.diff(members, prepend=0))


def _labels(one: LabelledOutputs) -> list[str]:
    """Return errors of outputs, errors of references, and links, line by line."""
    return [
        b"\n".join(flags.translate(_DIGITS) for flags in one.output).decode(),
        b"\n".join(flags.translate(_DIGITS) for flags in one.reference).decode(),
        link_lines(one.links),
    ]


def _integers(values: np.ndarray) -> list[int]:
    integers: list[int] = values.astype(np.int64).tolist()
    return integers

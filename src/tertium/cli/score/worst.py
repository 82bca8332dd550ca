# SPDX-License-Identifier: Apache-2.0
"""``tertium score --worst N``: the worst segments, ready for ``tertium explain``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import Table, emit, render
from tertium.data.annotated import layer
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.engine.results import ScoreTable
    from tertium.metrics import Metric

__all__ = ["Worst", "list_worst", "run_worst"]

_SHOWN = 60


@dataclass(frozen=True)
class Worst:
    """A segment and its score."""

    metric: str
    system: str
    segment: int
    score: float


def run_worst(
    args: argparse.Namespace, open_chunks: Callable[[], Iterable[Testset]]
) -> int:
    """Score, and write the worst segments instead of the scores of systems."""
    from tertium.data.testset import join
    from tertium.engine.inputs import as_metrics
    from tertium.engine.score import score_stream

    if args.segments or args.documents or args.interval is not None:
        message = "--worst lists segments; leave --segments --documents --interval away"
        raise InputError(message)
    metrics = [_for_segments(spec) for spec in args.metrics]
    if metrics != args.metrics:
        remark(
            args,
            "segments are listed by sentbleu: bleu is 0 for texts of fewer than four "
            "words, right ones too",
        )
        args.metrics = metrics
    testset = join(open_chunks())
    with Progress("segments", quiet=args.quiet) as progress:
        table = score_stream(
            lambda: [testset],
            metrics=args.metrics,
            segments=True,
            threads=args.threads,
            progress=progress,
        )
    best = {spec: _best(metric) for spec, metric in as_metrics(args.metrics).items()}
    found = list_worst(table, args.worst, best)
    if flags.for_programs(args) or args.format == "json":
        for spec in table.metrics:
            for name in table.systems:
                if said := _left_out(table, found, spec, name, best[spec], args.worst):
                    remark(args, f"{name}, {spec}: {said}")
    if args.format == "json":
        emit(_json(table, found, testset), args.output)
    else:
        tables = _tables(table, found, testset, best, args)
        render(tables, args.format, output=args.output)
    return 0


def _for_segments(spec: str) -> str:
    """Return the metric to list segments by.

    Examples
    --------
    >>> _for_segments("bleu:tokenize=intl"), _for_segments("chrf")
    ('sentbleu:tokenize=intl', 'chrf')
    """
    name, colon, settings = spec.partition(":")
    if name.lower() != "bleu" or "effective_order" in settings:
        return spec
    return f"sentbleu{colon}{settings}"


def list_worst(
    table: ScoreTable, number: int, best: Mapping[str, float]
) -> list[Worst]:
    """Return the worst segments of every system under every metric, worst first.

    Of equal scores the first segment comes first; segments without a score, and
    those with the best value that a metric has, are left out.
    """
    found = []
    for spec, info in table.metrics.items():
        sign = 1 if info.higher_is_better else -1
        for name, scores in table.systems.items():
            own = [
                Worst(spec, name, index, value)
                for index, value in enumerate(scores[spec].segments or (), start=1)
                if value is not None
                and math.isfinite(value)
                and not _is_best(value, best[spec])
            ]
            own.sort(key=lambda item: (sign * item.score, item.segment))
            found += own[:number]
    return found


def _best(metric: Metric) -> float:
    return metric.bounds[1 if metric.higher_is_better else 0]


def _is_best(value: float, best: float) -> bool:
    # Sums of floats may miss 100 by a hair.
    return math.isclose(value, best, rel_tol=1e-12, abs_tol=1e-12)


def _left_out(
    table: ScoreTable,
    found: Sequence[Worst],
    spec: str,
    system: str,
    best: float,
    number: int,
) -> str:
    """Return what to say of segments that have the best value, if any were due."""
    listed = sum((item.metric, item.system) == (spec, system) for item in found)
    scores = table.systems[system][spec].segments or ()
    perfect = sum(v is not None and _is_best(v, best) for v in scores)
    if listed == number or not perfect:
        return ""
    if not listed:
        info = table.metrics[spec]
        side = "below" if info.higher_is_better else "above"
        return f"no segment is {side} the best value, {info.show(best)}"
    return f"{count(perfect, 'segment')} with the best value left out"


def _tables(
    table: ScoreTable,
    found: Sequence[Worst],
    testset: Testset,
    best: Mapping[str, float],
    args: argparse.Namespace,
) -> list[Table]:
    digits, labels = flags.digits(args), flags.labels(table.metrics, args)
    if flags.for_programs(args):
        rows = [
            [
                item.metric,
                item.system,
                str(item.segment),
                table.metrics[item.metric].show(item.score, digits),
                *_texts(item, testset),
            ]
            for item in found
        ]
        head = ["metric", "system", "segment", "score", "output", "reference"]
        return [Table(head, rows, left=len(head))]
    tables = []
    for spec, info in table.metrics.items():
        for name in table.systems:
            own = [f for f in found if (f.metric, f.system) == (spec, name)]
            rows = [
                [
                    str(item.segment),
                    info.show(item.score, digits),
                    *(_cut(text) for text in _texts(item, testset)),
                ]
                for item in own
            ]
            head = ["segment", labels[spec], "output", "reference"]
            notes = (
                _left_out(table, found, spec, name, best[spec], args.worst),
                _hint(args, name, spec, own),
            )
            tables.append(
                Table(
                    head,
                    rows,
                    title=f"{name}: worst of {count(table.segments, 'segment')}"
                    f" under {labels[spec]}",
                    note="\n".join(filter(None, notes)),
                    left=len(head),
                )
            )
    return tables


def _hint(
    args: argparse.Namespace, system: str, spec: str, found: Sequence[Worst]
) -> str:
    """Return the command that explains these segments."""
    import shlex

    if not found:
        return ""
    words = ["tertium", "explain"]
    if args.testset:
        words.append(args.testset)
    for flag, values in (("-r", args.references), ("-i", args.systems)):
        if values:
            words += [flag, *values]
    layered = (
        ("-s", args.source and [args.source]),
        ("--permutations", getattr(args, "permutations", None)),
        ("--alignments", getattr(args, "alignments", None)),
        ("--trees", getattr(args, "trees", None)),
        ("--ref-trees", getattr(args, "ref_trees", None)),
    )
    for flag, values in layered:
        if values:
            words += [flag, *values]
    for flag in ("zero_based", "one_based", "sure_only"):
        if getattr(args, flag, False):
            words.append(f"--{flag.replace('_', '-')}")
    if args.input_format:
        words += ["--input-format", args.input_format]
    numbers = ",".join(str(item.segment) for item in found)
    words += ["--system", system, "--segments", numbers, "-m", spec]
    return shlex.join(words)


def _texts(item: Worst, testset: Testset) -> tuple[str, str]:
    index = item.segment - 1
    refs = testset.references[index]
    output = testset.systems[item.system][index]
    perm = layer(output, "permutation")
    return str(output) if perm is None else str(perm), refs[0] if refs else ""


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"


def _json(table: ScoreTable, found: Sequence[Worst], testset: Testset) -> str:
    import json

    own = table.to_dict()
    out = {
        "tertium": own["tertium"],
        "metrics": own["metrics"],
        "worst": [
            {
                "metric": item.metric,
                "system": item.system,
                "segment": item.segment,
                "score": item.score,
                "output": testset.systems[item.system][item.segment - 1],
                "references": list(testset.references[item.segment - 1]),
            }
            for item in found
        ],
    }
    return json.dumps(out, ensure_ascii=False, indent=2)

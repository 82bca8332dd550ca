# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar growth`` and ``sensitivity``: two runs on test sets."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._version import __version__
from tertium.cli.grammar import inputs
from tertium.cli.grammar.material import add_material, read_material
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import Table, emit, render

if TYPE_CHECKING:
    from tertium.grammars.growth import Growth
    from tertium.grammars.sensitivity import Sensitivity

__all__ = ["growth", "sensitivity"]

_GROWTH = """\
Score systems by BLEU against 1, 10, 100 ... references of each segment, drawn
uniformly; larger draws hold the smaller ones. Sets with fewer references give all
they have. Letters are lower-cased and punctuation is left out on both sides.
"""

_GROWTH_EXAMPLES = """\
  tertium grammar growth weather -t run/testset.jsonl -i A=a.txt B=b.txt
  tertium grammar growth weather -t run/testset.jsonl -i a.txt --sizes 1 5 25 125
  tertium grammar growth --references segments.refs -i a.txt -f json

The JSON has {"tertium": VERSION, "metric": SIGNATURE, "seed", "sizes": [..], "drawn":
[references a segment, on average], "systems": {NAME: [scores]}}.
"""

_SENSITIVITY = """\
Measure whether small changes of a source change the output a lot. Compared are the
outputs of sources that differ in one word (or two: --edits 2) and mean the same; the
index of a system is the mean distance of the two outputs: 0 where they are equal, 1
where they share no word. The gain is the index divided by the mean distance of the
sources. Take a test set with all sources: a diverse one has none that are near.
"""

_SENSITIVITY_EXAMPLES = """\
  tertium grammar testset weather --all 50 -o near      then translate, and
  tertium grammar sensitivity -t near/testset.jsonl -i A=a.txt B=b.txt
  tertium grammar sensitivity -t near/testset.jsonl -i a.jsonl --edits 2 --top 50
  tertium grammar sensitivity -t near/testset.jsonl -i a.txt --across -f json

The JSON has {"tertium": VERSION, "edits", "across", "systems": [{"system",
"template" (empty: all), "pairs", "changed", "index", "gain"}], "jumps": [{"system",
"template", "ids", "sources", "outputs", "edits", "distance"}]}.
"""


# -------------------------------------------------------------------------- growth


def growth(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.growth import METRIC, SIZES, bleu_growth

    parser = flags.parser("grammar growth", _GROWTH, _GROWTH_EXAMPLES)
    add_material(parser)
    inputs.add_outputs(parser, "outputs of systems")
    parser.add_argument(
        "--sizes",
        nargs="+",
        type=flags.number(1, 10**6),
        default=list(SIZES),
        metavar="N",
        help="how many references (default: 1 10 100 1000)",
    )
    parser.add_argument(
        "-m",
        "--metric",
        default=METRIC,
        metavar="SPEC",
        help="another metric (default: %(default)s)",
    )
    flags.add_run(parser)
    flags.add_output(parser)
    args = parser.parse_args(argv)
    material = read_material(args)
    systems = inputs.read_systems(args, material.segments)
    references = [
        material.automaton(own.template, own.set) for own in material.segments
    ]
    with Progress("sizes", quiet=args.quiet) as progress:
        found = bleu_growth(
            systems,
            references,
            sizes=args.sizes,
            seed=args.seed,
            metric=args.metric,
            threads=args.threads,
            progress=progress,
        )
    _write_growth(found, len(references), args)
    return 0


def _write_growth(found: Growth, segments: int, args: argparse.Namespace) -> None:
    if args.format == "json":
        out = {
            "tertium": __version__,
            "metric": found.metric,
            "seed": found.seed,
            "sizes": found.sizes,
            "drawn": found.drawn,
            "systems": found.scores,
        }
        emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)
        return
    show = _shown(args)
    if flags.for_programs(args):
        rows = [
            [name, str(size), repr(drawn), show(score)]
            for name, scores in found.scores.items()
            for size, drawn, score in zip(found.sizes, found.drawn, scores, strict=True)
        ]
        head = ["system", "references", "drawn", "score"]
        render([Table(head, rows)], args.format, output=args.output)
        return
    name = args.metric.partition(":")[0]
    label = "BLEU" if name == "bleu" else name
    head = ["system", *(f"{label}-{size}" for size in found.sizes)]
    rows = [[name, *map(show, scores)] for name, scores in found.scores.items()]
    few = [
        f"{size:,}: {drawn:,.1f}"
        for size, drawn in zip(found.sizes, found.drawn, strict=True)
        if drawn < size
    ]
    note = f"{count(segments, 'segment')}, seed {found.seed}\n{found.metric}"
    if few:
        note += f"\nsmall sets have fewer references; on average for {', '.join(few)}"
    render([Table(head, rows, note=note)], args.format, output=args.output)


# --------------------------------------------------------------------- sensitivity


def sensitivity(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.exchange import read_sources
    from tertium.grammars.sensitivity import sensitivity as measured

    parser = flags.parser("grammar sensitivity", _SENSITIVITY, _SENSITIVITY_EXAMPLES)
    inputs.add_testset(parser)
    inputs.add_outputs(parser, "outputs of systems")
    parser.add_argument(
        "--edits",
        type=flags.number(1, 2),
        default=1,
        metavar="N",
        help="how many words a small change is, 1 or 2 (default: %(default)s)",
    )
    parser.add_argument(
        "--across",
        action="store_true",
        help="compare sources of different variable sets too, which do not mean the "
        "same",
    )
    parser.add_argument(
        "--top",
        type=flags.number(0),
        default=10,
        metavar="N",
        help="how many of the largest jumps to list (default: %(default)s)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    flags.add_output(parser)
    args = parser.parse_args(argv)
    segments = read_sources(args.testset)
    systems = inputs.read_systems(args, segments)
    with Progress("pairs", quiet=args.quiet) as progress:
        found = measured(
            segments,
            systems,
            most=args.edits,
            across=args.across,
            top=args.top,
            progress=progress,
        )
    _write_sensitivity(found, args)
    return 0


def _write_sensitivity(found: Sensitivity, args: argparse.Namespace) -> None:
    if args.format == "json":
        out = {
            "tertium": __version__,
            "edits": found.most,
            "across": found.across,
            "systems": [asdict(own) for own in found.systems],
            "jumps": [asdict(own) for own in found.jumps],
        }
        emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)
        return
    show = _shown(args, 3)
    plain = flags.for_programs(args)
    rows = [
        [
            own.system,
            own.template if plain else own.template or "(all)",
            str(own.pairs) if plain else f"{own.pairs:,}",
            show(own.changed),
            show(own.index),
            show(own.gain),
        ]
        for own in found.systems
    ]
    head = ["system", "template", "pairs", "changed", "index", "gain"]
    note = "index: mean distance of outputs whose sources are near; lower is steadier"
    tables = [Table(head, rows, note=note, left=2)]
    if found.jumps and not plain:
        rows = [
            [own.system, show(own.distance), *texts]
            for own in found.jumps
            for texts in zip(own.sources, own.outputs, strict=True)
        ]
        for row in rows[1::2]:
            row[:2] = ["", ""]
        tables.append(
            Table(
                ["system", "distance", "source", "output"],
                rows,
                title="Largest jumps",
                left=4,
                rules=range(2, len(rows), 2),
            )
        )
    render(tables, args.format, output=args.output)


def _shown(args: argparse.Namespace, usual: int = 2) -> Callable[[float], str]:
    """Return how numbers are written: all digits for programs."""
    digits = flags.digits(args)

    def show(value: float) -> str:
        return (
            repr(value)
            if digits == -1
            else f"{value:.{usual if digits is None else digits}f}"
        )

    return show

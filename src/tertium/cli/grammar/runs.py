# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar growth`` and ``sensitivity``: two runs on test sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import frozen

if TYPE_CHECKING:
    pass

__all__ = ["growth", "sensitivity"]

_GROWTH = """\
Score systems by BLEU against 1, 10, 100 ... references of each segment, sampled
uniformly; larger samples contain the smaller ones. Sets with fewer references give all
they have. Text is lower-cased and punctuation removed on both sides.
"""

_GROWTH_EXAMPLES = """\
  tertium grammar growth weather -t run/testset.jsonl -i A=a.txt B=b.txt
  tertium grammar growth weather -t run/testset.jsonl -i a.txt --sizes 1 5 25 125
  tertium grammar growth --references segments.refs -i a.txt -f json

The JSON has {"tertium": VERSION, "metric": SIGNATURE, "seed", "sizes": [..], "drawn":
[references per segment, on average], "systems": {NAME: [scores]}}.
"""

_SENSITIVITY = """\
Measure whether small changes of a source change the output a lot. Compared are the
outputs of sources that differ in one word (or two: --edits 2) and mean the same; the
index of a system is the mean distance between the two outputs: 0 if they are equal, 1
if they have no word in common. The gain is the index divided by the mean distance
between the sources. Use a test set with all sources: a diverse one has no near pairs.
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


@frozen
class GrowthOptions(inputs.EvaluationInput, values.Output, values.Run):
    """The options of ``growth``."""

    systems: list[str]
    sizes: list[int]
    metric: str


def growth(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.sets.growth import METRIC, SIZES, measure_growth

    parser = flags.parser("grammar growth", _GROWTH, _GROWTH_EXAMPLES)
    inputs.add_evaluation_input(parser)
    inputs.add_systems(parser, "outputs of systems")
    parser.add_argument(
        "--sizes",
        nargs="+",
        type=flags.number(1, 10**6),
        default=list(SIZES),
        metavar="N",
        help="numbers of references (default: 1 10 100 1000)",
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
    options = values.parse(parser, argv, GrowthOptions)
    with Progress("sizes", quiet=options.quiet) as progress:
        result = measure_growth(
            flags.named_files(options.systems),
            options.names,
            references=options.references,
            testset=options.testset,
            target=options.target,
            input_format=options.input_format,
            sizes=options.sizes,
            metric=options.metric,
            seed=options.seed,
            allow_outside=options.allow_outside,
            threads=options.threads,
            progress=progress,
        )
    inputs.remark_notes(options, result.notes)
    from tertium.report.tables.grammars import growth_table

    write_result(
        options,
        result.to_json,
        lambda: [growth_table(result, options.style, metric=options.metric)],
    )
    return 0


# --------------------------------------------------------------------- sensitivity


@frozen
class SensitivityOptions(values.Output, values.Remarks):
    """The options of ``sensitivity``."""

    testset: str
    systems: list[str]
    edits: int
    across: bool
    top: int


def sensitivity(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.sensitivity import measure_sensitivity

    parser = flags.parser("grammar sensitivity", _SENSITIVITY, _SENSITIVITY_EXAMPLES)
    inputs.add_testset(parser)
    inputs.add_systems(parser, "outputs of systems")
    parser.add_argument(
        "--edits",
        type=flags.number(1, 2),
        default=1,
        metavar="N",
        help="how many words a small change is, 1 or 2 (default: %(default)s)",
    )
    flags.add_switch(
        parser,
        "--across",
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
    options = values.parse(parser, argv, SensitivityOptions)
    with Progress("pairs", quiet=options.quiet) as progress:
        result = measure_sensitivity(
            flags.named_files(options.systems),
            options.testset,
            edits=options.edits,
            across=options.across,
            top=options.top,
            progress=progress,
        )
    from tertium.report.tables.grammars import sensitivity_tables

    write_result(
        options, result.to_json, lambda: sensitivity_tables(result, options.style)
    )
    return 0

# SPDX-License-Identifier: Apache-2.0
"""``tertium agree``: how far judges agree, and which of them stand out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium.cli.judgements.reading import add_files, read, remark_each
from tertium.cli.shared import flags
from tertium.cli.shared.executors import working
from tertium.cli.shared.remarks import remark_few
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import Output, Place, Remarks, frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements import AgreementReport, Judgements

__all__ = ["Options", "command"]

_ABOUT = """\
Measure how far judges agree with themselves (intra) and with each other (inter):
pooled kappa of rankings, Krippendorff's alpha, intraclass correlations and Fleiss'
kappa of ratings. List every judge with speed, habits and flags.
"""

_EXAMPLES = """\
  tertium agree demo
  tertium agree wmt12.RNK_results.csv --by langpair
  tertium agree store --intervals --pairs
  tertium agree ratings.csv --scale DA --adjust judge+segment
  tertium agree ratings.csv --adjust judge --adjusted adjusted.tsv
  tertium agree store --intervals --resamples 100000 --cluster slurm.toml
  tertium agree store --by judge -f csv -o judges.csv
  tertium agree store --by time --slices 6 -f json

TSV and CSV hold one table: all coefficients, or, with --by judge, the judges, or,
with --pairs, every two judges.

The JSON has "groups" (all judgements first, then those of --by; each {"name",
"rankings", "ratings"}): "rankings" is {"intra", "inter", "ties" (P(=)), "expected"
(P(E)), intervals of both ("ties_interval", "expected_interval"), "rankings",
"comparisons", "segments", "outcomes": {"alpha", "fleiss"}},
"ratings" has, by scale, {"ratings", "units", "judges", "alpha" (by level), "icc" (by
name), "k", "icc_method", "fleiss", "intra", "repeated" (outputs that a judge rated
again)}. Every figure is {"value", "interval", "reason"}, null where it has no value,
and then "reason" says why; a kappa also has
"agreed", "compared", "observed" (P(A)), "expected" and "band". "judges" is a list of
{"judge", "rankings", "ratings", "ties", "ties_interval", "intra", "inter",
"seconds", "checks": {"passed", "total"} or null, "usage" (by scale; "intervals" has
those of mean, sd, share, lenience and wobble), "flags": [{"kind", "reason"}]}; with
--by judge "time" is a list of {"judge" (null: all together), "segments", "judgements",
"seconds", "mean", "timed", "long"}, without judgements of 600 s and more;
"pairs" of {"a", "b", and a kappa};
"adjusted" has, by scale, {"method", "effects", "spreads", "left_out", "variances",
"test", "alpha_before", "alpha_after", "alpha_change", "intervals" (of effects,
spreads, variances and test; "drawn" is what was resampled)}; "remarks" and
"bootstrap" close it.
"""


@frozen
class Options(Output, Place, Remarks):
    """The options of the verb."""

    judgements: Sequence[str]
    only: Sequence[str]
    input_format: str | None
    langpair: Sequence[str] | None
    campaign: str | None
    by: str | None
    scale: str | None
    pairs: bool
    adjust: str | None
    adjusted: str | None
    slices: int
    intervals: bool
    resamples: int
    confidence: float
    seed: int


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(_parser(), argv, Options)
    if options.adjusted and not options.adjust:
        message = "adjusted ratings can only be written if there are any; say how"
        raise InputError(message, options=("adjust",))
    if not options.intervals and (options.cluster or options.checkpoint):
        message = "only resamples take long enough for --cluster and --checkpoint"
        raise InputError(f"{message}; omit them, or ask for --intervals")
    judgements = read(
        options.judgements,
        options,
        only=options.only,
        langpair=options.langpair,
        campaign=options.campaign,
        input_format=options.input_format,
    )
    with working(options):
        report = _agree(options, judgements)
    remark_each(options, report.notes)
    if options.adjusted:
        _write_adjusted(options, judgements, report)
    from tertium.report.tables.agreement import agreement_tables

    write_result(
        options,
        report.to_json,
        lambda: agreement_tables(report, options.style, pairs=options.pairs),
    )
    return 0


def _agree(options: Options, judgements: Judgements) -> AgreementReport:
    from tertium.judgements import agree

    if options.intervals:
        remark_few(options, options.resamples, options.confidence, "--resamples")
    return agree(
        judgements,
        by=options.by,
        scale=options.scale,
        adjust=options.adjust,
        pairs=options.pairs,
        slices=options.slices,
        intervals=options.intervals,
        resamples=options.resamples,
        confidence=options.confidence,
        seed=options.seed,
    )


def _write_adjusted(
    options: Options, judgements: Judgements, report: AgreementReport
) -> None:
    """Write the ratings of every scale that could be adjusted."""
    from tertium.judgements.agreement.ratings import scales
    from tertium.judgements.writing import write_adjusted

    rated = scales(judgements.ratings)  # costs of error spans are not ratings
    known = [
        scale
        for scale, one in report.adjusted.items()
        if scale in rated and one.adjustment.reason is None
    ]
    notes = write_adjusted(
        judgements, str(options.adjusted), str(options.adjust), scales=known
    )
    remark_each(options, notes)


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("agree", _ABOUT, _EXAMPLES)
    add_files(parser, langpair="a single one also applies to files that name none")
    parser.add_argument(
        "--by",
        choices=("langpair", "campaign", "judge", "time"),
        help="also by language pair, campaign, or time slice; judge: the time judges "
        "spent, each and all together (in csv and tsv the row without a name)",
    )
    parser.add_argument(
        "--scale",
        metavar="S",
        help="only ratings on this scale; MQM also stands for the cost of error spans",
    )
    flags.add_switch(parser, "--pairs", help="also every two judges (rankings)")
    parser.add_argument(
        "--adjust",
        choices=("judge", "judge+segment", "z"),
        help="adjust ratings by a mixed model, or to z-scores, and test the change",
    )
    parser.add_argument(
        "--adjusted",
        metavar="FILE",
        help="with --adjust, also write the adjusted ratings, for other verbs: .tsv, "
        ".csv or .jsonl, .gz if compressed; language pairs are adjusted together",
    )
    parser.add_argument(
        "--slices",
        type=flags.number(1, 1000),
        default=4,
        metavar="N",
        help="time slices, for --by time (default: 4)",
    )
    flags.add_switch(
        parser,
        "--intervals",
        help="bootstrap intervals of all figures, by resampling segments",
    )
    parser.add_argument(
        "--resamples",
        type=flags.number(1, 10**6),
        default=1000,
        metavar="N",
        help="(default: 1000)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="P",
        help="of the intervals (default: 0.95)",
    )
    parser.add_argument(
        "--campaign",
        metavar="NAME",
        help="the campaign of the files' judgements; stores keep theirs",
    )
    parser.add_argument(
        "--seed",
        type=flags.number(0),
        default=SEED,
        metavar="N",
        help=f"(default: {SEED})",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    flags.add_place(parser)
    flags.add_output(parser)
    return parser

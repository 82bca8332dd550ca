# SPDX-License-Identifier: Apache-2.0
"""``tertium agree``: how far judges agree, and which of them stand out."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium._version import __version__
from tertium.cli.agree.programs import table_for_programs
from tertium.cli.agree.tables import (
    adjustment_tables,
    judge_tables,
    pair_tables,
    ranking_tables,
    rating_tables,
)
from tertium.cli.judgements.reading import add_only, read, remark_each
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark, remark_few
from tertium.cli.shared.render import emit, render

if TYPE_CHECKING:
    from tertium.judgements import Judgements

__all__ = ["command"]

_ABOUT = """\
Measure how far judges agree with themselves (intra) and with each other (inter):
pooled kappa of rankings, Krippendorff's alpha, intraclass correlations and Fleiss'
kappa of ratings. List every judge with speed, habits and anything that stands out.
"""

_EXAMPLES = """\
  tertium agree demo
  tertium agree wmt12.RNK_results.csv --by langpair
  tertium agree store --intervals --pairs
  tertium agree ratings.csv --scale DA --adjust judge+segment
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
those of mean, sd, share, lenience and wobble), "flags": [{"kind", "reason"}]};
"pairs" of {"a", "b", and a kappa};
"adjusted" has, by scale, {"method", "effects", "spreads", "left_out", "variances",
"test", "alpha_before", "alpha_after", "alpha_change", "intervals" (of effects,
spreads, variances and test; "drawn" says what was resampled)}; "remarks" and
"bootstrap" close it.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    judgements = _read(args)
    from tertium.judgements.agreement.overview import agree
    from tertium.judgements.estimates import Bootstrap

    bootstrap = None
    if args.intervals:
        bootstrap = Bootstrap(args.resamples, args.seed, args.confidence)
        remark_few(args, args.resamples, args.confidence, "--resamples")
    report = agree(
        judgements,
        by=args.by,
        scale=args.scale,
        adjustment=args.adjust,
        pairs=args.pairs,
        slices=args.slices,
        bootstrap=bootstrap,
    )
    for text in report.remarks:
        remark(args, text)
    if args.format == "json":
        shown = {"tertium": __version__, **report.to_dict()}
        emit(json.dumps(shown, ensure_ascii=False, indent=2), args.output)
        return 0
    digits = 3 if args.digits is None else args.digits
    if flags.for_programs(args):
        tables = [table_for_programs(report, args)]
    else:
        tables = [
            *ranking_tables(report, digits),
            *rating_tables(report, digits),
            *adjustment_tables(report, digits),
            *judge_tables(report, digits),
            *(pair_tables(report, digits) if args.pairs else ()),
        ]
    render(tables, args.format, output=args.output)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("agree", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "judgements",
        nargs="+",
        metavar="STORE|FILE",
        help="judgements made by `tertium judgements import`, or files of any format "
        "that it reads, or `demo`",
    )
    add_only(parser)
    parser.add_argument(
        "--by",
        choices=("langpair", "campaign", "judge", "time"),
        help="also by language pair, campaign, or slice of time",
    )
    parser.add_argument(
        "--scale",
        metavar="S",
        help="only ratings on this scale; MQM also stands for what error spans cost",
    )
    parser.add_argument(
        "--pairs", action="store_true", help="also every two judges (rankings)"
    )
    parser.add_argument(
        "--adjust",
        choices=("judge", "judge+segment", "z"),
        help="adjust ratings by a mixed model, or to z-scores, and test the change",
    )
    parser.add_argument(
        "--slices",
        type=flags.number(1, 1000),
        default=4,
        metavar="N",
        help="of time, for --by time (default: 4)",
    )
    parser.add_argument(
        "--intervals",
        action="store_true",
        help="bootstrap intervals of all figures; segments are drawn",
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
        "--input-format", metavar="FORMAT", help="overrules what the file looks like"
    )
    parser.add_argument(
        "-l",
        "--langpair",
        nargs="+",
        metavar="SRC-TRG",
        help="only these language pairs; one also stands for files that name none",
    )
    parser.add_argument(
        "--campaign", metavar="NAME", help="for files that do not say it"
    )
    parser.add_argument(
        "--seed",
        type=flags.number(0),
        default=SEED,
        metavar="N",
        help=f"(default: {SEED})",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    flags.add_output(parser)
    return parser.parse_args(argv)


def _read(args: argparse.Namespace) -> Judgements:
    from tertium.judgements.selection import campaign_notes

    judgements = read(
        args.judgements,
        args,
        only=args.only,
        langpair=args.langpair,
        campaign=args.campaign,
        input_format=args.input_format,
    )
    if args.by != "campaign":
        remark_each(args, campaign_notes(judgements))
    return judgements

# SPDX-License-Identifier: Apache-2.0
"""``tertium agree``: how far judges agree, and which of them stand out."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli import options
from tertium.cli.agree_programs import table_for_programs
from tertium.cli.judgement_choice import add_choice
from tertium.cli.judgement_files import (
    langpairs,
    of_langpairs,
    read_leniently,
    remark_campaigns,
)
from tertium.cli.render import Table, emit, render

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.judgements.estimates import Estimate
    from tertium.judgements.overview import Adjusted, AgreementReport

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
(P(E)), "rankings", "comparisons", "segments", "outcomes": {"alpha", "fleiss"}},
"ratings" has, by scale, {"ratings", "units", "judges", "alpha" (by level), "icc" (by
name), "k", "icc_method", "fleiss", "intra"}. Every figure is {"value", "interval",
"reason"}, null where it has no value, and then "reason" says why; a kappa also has
"agreed", "compared", "observed" (P(A)), "expected" and "band". "judges" is a list of
{"judge", "rankings", "ratings", "ties", "intra", "inter", "seconds", "usage" (by
scale), "flags": [{"kind", "reason"}]}; "pairs" of {"a", "b", and a kappa};
"adjusted" has, by scale, {"method", "effects", "spreads", "left_out", "variances",
"test", "alpha_before", "alpha_after"}; "remarks" and "bootstrap" close it.
"""

_NOTE = """\
κ: pooled over comparisons of two candidates that were made twice, by one judge (intra)
or two (inter), n of them. P(E) is agreement by chance from P(=), the share of ties.
α: Krippendorff's, of outcomes as categories. Fleiss: kappa of the same."""

_RATING_NOTE = """\
α: Krippendorff's, by level of measurement. intra: of outputs that a judge rated again.
ICC: Shrout and Fleiss (1979); k is {k}."""

_JUDGE_NOTE = """\
s: median seconds a judgement, without those of 600 s and more."""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    judgements = _read(args)
    from tertium.judgements.estimates import Bootstrap
    from tertium.judgements.overview import agree

    bootstrap = None
    if args.intervals:
        bootstrap = Bootstrap(args.resamples, args.seed, args.confidence)
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
        options.remark(args, text)
    if args.format == "json":
        shown = {"tertium": __version__, **report.to_dict()}
        emit(json.dumps(shown, ensure_ascii=False, indent=2), args.output)
        return 0
    digits = 3 if args.digits is None else args.digits
    if options.for_programs(args):
        tables = [table_for_programs(report, args)]
    else:
        tables = [
            *_ranking_table(report, digits),
            *_rating_tables(report, digits),
            *_adjustment_tables(report, digits),
            *_judge_tables(report, digits),
            *(_pair_table(report, digits) if args.pairs else ()),
        ]
    render(tables, args.format, output=args.output)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = options.parser("agree", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "judgements",
        nargs="+",
        metavar="STORE|FILE",
        help="judgements made by `tertium judgements import`, or files of any format "
        "that it reads, or `demo`",
    )
    add_choice(parser)
    parser.add_argument(
        "--by",
        choices=("langpair", "campaign", "judge", "time"),
        help="also by language pair, campaign, or slice of time",
    )
    parser.add_argument("--scale", metavar="S", help="only ratings on this scale")
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
        type=options.number(1, 1000),
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
        type=options.number(1, 10**6),
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
        type=options.number(0),
        default=12345,
        metavar="N",
        help="(default: 12345)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    options.add_output(parser)
    return parser.parse_args(argv)


def _read(args: argparse.Namespace) -> Judgements:
    from tertium.judgements import Given

    only: list[str] = args.langpair or []
    found = read_leniently(
        args.judgements,
        args,
        given=Given(campaign=args.campaign),
        langpair=only[0] if len(only) == 1 else None,
    )
    if args.by != "campaign":
        remark_campaigns(args, found)
    return of_langpairs(found, langpairs(found, only)) if only else found


# ------------------------------------------------------------------------ figures


def _number(value: float | None, digits: int) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"


def _probability(p: float | None) -> str:
    if p is None:
        return "n/a"
    return f"= {p:.4f}" if p >= 0.00005 else "< 0.0001"


def _figure(one: Estimate | None, digits: int) -> str:
    """Return a figure with its interval."""
    if one is None or one.value is None:
        return "n/a"
    shown = _number(one.value, digits)
    if one.interval is None:
        return shown
    low, high = (_number(x, digits) for x in one.interval)
    return f"{shown} [{low}, {high}]"


def _ranking_table(report: AgreementReport, digits: int) -> Iterator[Table]:
    groups = [group for group in report.groups if group.rankings is not None]
    if not groups:
        return
    head = [report.by if report.by in ("langpair", "campaign", "time") else ""]
    head += ["rankings", "P(=)", "P(E)", "intra κ", "n", "inter κ", "n", "band"]
    head += ["α", "Fleiss"]
    rows = []
    why = set()
    for group in groups:
        found = group.rankings
        if found is None:
            continue
        rows.append(
            [
                group.name,
                f"{found.rankings:,}",
                _number(found.ties, digits),
                _number(found.expected, digits),
                _figure(found.intra, digits),
                f"{found.intra.compared:,}",
                _figure(found.inter, digits),
                f"{found.inter.compared:,}",
                found.inter.band or "n/a",
                *(_figure(group.outcomes.get(k), digits) for k in ("alpha", "fleiss")),
            ]
        )
        for name, one in (("intra", found.intra), ("inter", found.inter)):
            if one.reason:
                why.add(f"{name} κ is n/a where {one.reason}.")
    note = "\n".join([_NOTE, *sorted(why), *_interval_note(report)])
    yield Table(head, rows, title="Agreement on rankings", note=note)


def _interval_note(report: AgreementReport) -> list[str]:
    run = report.bootstrap
    if run is None:
        return []
    text = (
        f"[low, high]: {100 * run.confidence:g} % interval, {run.resamples:,} "
        f"bootstrap resamples of segments (seed {run.seed})."
    )
    return [text]


def _rating_tables(report: AgreementReport, digits: int) -> Iterator[Table]:
    for scale in report.whole.ratings:
        head = [report.by if report.by in ("langpair", "campaign", "time") else ""]
        head += ["ratings", "units", "judges"]
        first = report.whole.ratings[scale]
        levels = list(first.alpha)
        head += [f"α {level}" for level in levels] + ["intra α"]
        if first.fleiss is not None:
            head.append("Fleiss")
        head += list(first.icc.values)
        rows, why = [], set()
        for group in report.groups:
            if scale not in group.ratings:
                continue
            one = group.ratings[scale]
            cells: list[Estimate | None] = [one.alpha.get(level) for level in levels]
            cells.append(one.intra)
            if first.fleiss is not None:
                cells.append(one.fleiss)
            cells += one.icc.values.values()
            shown = [f"{count:,}" for count in (one.ratings, one.units, one.judges)]
            rows.append([group.name, *shown, *(_figure(x, digits) for x in cells)])
            why |= {f"n/a: {x.reason}." for x in cells if x is not None and x.reason}
        k = first.icc.k
        shown_k = f"{k:.0f}" if k == int(k) else f"{k:.2f}, for unequal numbers"
        if first.icc.method == "mixed model":
            shown_k += "; (2) and (3) by a mixed model, as judgements are missing"
        lines = [_RATING_NOTE.format(k=shown_k), *sorted(why), *_interval_note(report)]
        title = f"Agreement on ratings: {scale}"
        yield _upright(Table(head, rows, title=title, note="\n".join(lines)))


def _upright(table: Table) -> Table:
    """Return a wide table with few rows turned: a line a coefficient."""
    head = ["", *(row[0] for row in table.rows)]
    rows = [
        [name, *(row[i] for row in table.rows)]
        for i, name in enumerate(table.head)
        if i
    ]
    return Table(head, rows, title=table.title, note=table.note)


def _adjustment_tables(report: AgreementReport, digits: int) -> Iterator[Table]:
    for scale, one in report.adjusted.items():
        yield _adjustment(scale, one, digits)


def _adjustment(scale: str, one: Adjusted, digits: int) -> Table:
    found = one.adjustment
    title = f"Adjustment of ratings: {scale}, {found.method}"
    if found.reason is not None:
        note = f"Nothing was adjusted: {found.reason}."
        return Table(["judge", "effect"], [], title=title, note=note)
    rows = [
        [name, _number(effect, digits)]
        + ([_number(found.spreads[name], digits)] if found.spreads else [])
        for name, effect in found.effects.items()
    ]
    head = ["judge", "mean", "sd"] if found.spreads else ["judge", "effect"]
    notes = []
    if found.fit is not None:
        parts = zip(found.method.split("+"), found.fit.variances, strict=True)
        shown = [f"{name} {_number(v, digits)}" for name, v in parts]
        shown.append(f"residual {_number(found.fit.residual, digits)}")
        notes.append(f"variances (REML): {', '.join(shown)}.")
    if (test := found.test) is not None:
        notes.append(
            f"adjusted against raw: mean shift {_number(test.mean_shift, digits)}, "
            f"paired t-test p {_probability(test.p)}; equal distributions "
            f"(Kolmogorov-Smirnov) p {_probability(test.p_distribution)}."
        )
    before, after = _figure(one.before, digits), _figure(one.after, digits)
    notes.append(f"α (interval) before: {before}, after: {after}.")
    notes += [f"left out: {name}, {why}." for name, why in found.left_out.items()]
    return Table(head, rows, title=title, note="\n".join(notes))


# ------------------------------------------------------------------------- judges


def _judge_tables(report: AgreementReport, digits: int) -> Iterator[Table]:
    ranked = any(p.rankings for p in report.judges)
    scales = [
        s for s in report.whole.ratings if any(s in p.usage for p in report.judges)
    ]
    head = ["judge"]
    if ranked:
        head += ["rankings", "ties", "intra κ", "inter κ", "band"]
    for scale in scales:
        tail = f" {scale}" if len(scales) > 1 else ""
        head += [f"ratings{tail}", f"mean{tail}", f"sd{tail}", f"r{tail}"]
    head += ["s", "flags"]
    rows = []
    for p in report.judges:
        row = [p.judge]
        if ranked:
            band = p.inter.band if p.inter is not None else None
            row += [f"{p.rankings:,}", _number(p.ties, 2)]
            row += [_figure(p.intra, digits), _figure(p.inter, digits), band or "n/a"]
        for scale in scales:
            use = p.usage.get(scale)
            if use is None:
                row += ["0", "n/a", "n/a", "n/a"]
                continue
            row += [f"{use.ratings:,}", _number(use.mean, digits)]
            row += [_number(use.sd, digits), _figure(use.correlation, digits)]
        row += [_figure(p.speed.median, 1), ", ".join(f.kind for f in p.flags) or "-"]
        rows.append(row)
    note = _JUDGE_NOTE
    if scales:
        note += "\nr: correlation with the mean of the other judges."
    yield Table(head, rows, title="Judges", note=note)
    flagged = [
        [p.judge, flag.kind, flag.reason] for p in report.judges for flag in p.flags
    ]
    if flagged:
        head = ["judge", "flag", "what was seen"]
        yield Table(head, flagged, title="Worth a look", left=3)


def _pair_table(report: AgreementReport, digits: int) -> Iterator[Table]:
    found = report.whole.rankings
    if found is None:
        return
    rows = [
        [a, b, _figure(kappa, digits), f"{kappa.compared:,}", kappa.band or "n/a"]
        for (a, b), kappa in found.pairs.items()
    ]
    yield Table(["a", "b", "κ", "n", "band"], rows, title="Pairs of judges", left=2)

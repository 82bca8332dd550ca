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
from tertium.cli.shared.parsers import note_facts
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
kappa of ratings. List every judge with speed, habits and flags. With --spans, compare
error spans instead: where they are, how severe, of which category.
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
  tertium agree store --spans -f json
  tertium agree store --spans -t outputs.tsv --unit segment --pairs

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

With --spans the JSON has "inter" and "intra" (different judges; a judge who was shown
an output again), each {"outputs", "spans", "matched", "units" (documents or segments
with spans), "character_f1",
"character_f1_partial", "character_f1_severity", "character_alpha", "span_f1",
"alpha", "alpha_severity", "severity", "category", "category_alpha",
"error_free_kappa"}; "judges", a list of
{"judge", "inter", "intra", "habits": {"outputs", "spans", "missing", "error_free",
"per_100_words", "per_1000_characters", "length", "severities", "seconds",
"words_per_second"}}; "pairs" of {"a", "b", and the figures}; "bootstrap" (with
"unit") and "remarks". Figures are {"value", "interval", "reason"}; "reason" says why
there is no value, or no interval. TSV and CSV have one row per figure.
"""


@frozen
class Options(Output, Place, Remarks):
    """The options of the verb."""

    judgements: Sequence[str]
    only: Sequence[str]
    input_format: str | None
    langpair: Sequence[str] | None
    campaign: str | None
    judges: str
    by: str | None
    scale: str | None
    pairs: bool
    adjust: str | None
    adjusted: str | None
    slices: int
    spans: bool
    testset: str | None
    unit: str
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
    if options.testset and not options.spans:
        message = "texts are for error spans; omit -t, or ask for --spans"
        raise InputError(message, options=("testset",))
    if options.spans and (options.by or options.scale or options.adjust):
        message = "--by, --scale and --adjust are for ratings and rankings"
        raise InputError(f"{message}; omit them, or omit --spans")
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
    if options.judges == "per-campaign":
        from tertium.judgements.selection import judges_per_campaign

        judgements = judges_per_campaign(judgements)
    if options.spans:
        return _agree_on_spans(options, judgements)
    with working(options):
        report = _agree(options, judgements)
    remark_each(options, report.notes)
    if options.adjusted:
        _write_adjusted(options, judgements, report)
    note_facts(judges=len(report.judges), methods=_coefficients(report))
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
        intervals=options.intervals and options.resamples > 0,
        resamples=options.resamples,
        confidence=options.confidence,
        seed=options.seed,
    )


def _coefficients(report: AgreementReport) -> list[str]:
    """Return the coefficients that were computed, as `tertium cite` knows them."""
    whole = report.groups[0]
    used = [] if whole.rankings is None else ["pooled-kappa", "alpha", "fleiss"]
    if whole.ratings:
        used += ["alpha", "icc", "fleiss"]
    return list(dict.fromkeys(used))


def _agree_on_spans(options: Options, judgements: Judgements) -> int:
    from tertium.judgements.agreement.spans.outputs import texts_of
    from tertium.judgements.agreement.spans.report import agree_on_spans
    from tertium.report.tables.span_agreement import span_tables

    texts = None
    if options.testset:
        from tertium.data.reading import read as read_testset

        texts = texts_of(read_testset(options.testset), judgements)
    remark_few(options, options.resamples, options.confidence, "--resamples")
    report = agree_on_spans(
        judgements,
        texts=texts,
        unit=options.unit,
        resamples=options.resamples,
        confidence=options.confidence,
        seed=options.seed,
    )
    remark_each(options, report.notes)
    note_facts(judges=len(report.judges), methods=["span-f1", "span-alpha"])
    write_result(
        options,
        report.to_json,
        lambda: span_tables(report, options.style, pairs=options.pairs),
    )
    return 0


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
    flags.add_switch(
        parser, "--pairs", help="also every two judges (rankings, or spans)"
    )
    flags.add_switch(
        parser, "--spans", help="compare error spans, always with intervals"
    )
    parser.add_argument(
        "-t",
        "--testset",
        metavar="TESTSET",
        help="the outputs, for --spans: their lengths and words; segments are named by "
        "id, number or, as in Appraise's exports, DOCUMENT:N",
    )
    parser.add_argument(
        "--unit",
        choices=("document", "segment"),
        default="document",
        help="what is resampled, for --spans (default: document; segments where "
        "documents are unknown)",
    )
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
        type=flags.number(0, 10**6),
        default=1000,
        metavar="N",
        help="0 gives no intervals (default: 1000)",
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
        "--judges",
        choices=("by-name", "per-campaign"),
        default="by-name",
        help="who is the same judge: all with one name, or only within a campaign, as "
        "where rounds gave one name to two people (default: by-name)",
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

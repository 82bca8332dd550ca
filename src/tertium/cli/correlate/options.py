# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium correlate``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from itertools import zip_longest

from tertium.cli.judgements.reading import add_only
from tertium.cli.shared import flags
from tertium.cli.shared.caching import add_cache
from tertium.cli.shared.inputs import add_layers
from tertium.cli.shared.values import Caching, Layers, Output, Place, Run, frozen
from tertium.cli.shared.values import parse as parse_values

__all__ = ["Options", "parse"]

_FAMILIES = ("metric", "variant")
_KINDS = ("rankings", "ratings", "spans")  # of judgements

_ABOUT = """\
Compare metrics with human judgements: correlations of system and segment scores
in all the ways the WMT metrics tasks have used, with bootstrap intervals, tests of
differences between metrics, and probes that show what a coefficient is worth.
"""

_EXAMPLES = """\
  tertium correlate demo -m bleu chrf ter
  tertium correlate de-en.tsv -J de-en.rankings.tsv -m bleu chrf pef
  tertium correlate *-en.tsv.gz -J *.rankings.tsv.gz -m bleu chrf --coef all
  tertium correlate de-en.tsv -J store --scores mine.seg.score -m chrf --test bootstrap
  tertium correlate --mtme wmt23 -l en-de --gold mqm --test permutation
  tertium correlate --mtme wmt23 -l en-de --gold mqm --test permutation \\
    --cluster slurm.toml --checkpoint chunks
  tertium correlate demo -m bleu chrf -f html -o report.html
  tertium correlate *-en.tsv.gz -J store -m bleu chrf --gap chrf
  tertium correlate *.tsv.gz -J store -m bleu chrf --resamples 0 --task-files results
  tertium correlate demo -m bleu chrf --plot values.svg scatter=scatter.png
  tertium correlate de-en.tsv -J ratings.tsv -m dted:variant=c dted:variant=fc \\
    --trees A=a.conllu --ref-trees ref.conllu --coef spearman:none --families variant
  tertium correlate de-en.tsv -J ratings.tsv --gold order adequacy --human judge \\
    --unit item judgement --coef spearman:none -m bleu
  tertium correlate --spans --predictions metric.jsonl --judgements store
  tertium correlate en-de.tsv --spans --predictions A=a.jsonl B=b.jsonl -J store \\
    --probes --test permutation
  tertium correlate en-de.tsv --spans --predictions a.jsonl -J store -f html -o p.html

Coefficients (--coef):
{coefficients}

The JSON is {{"tertium", "run", "human": {{PAIR: KIND}}, "notes", "coefficients",
"correlations": [{{"langpair", "metric", "coefficient", "value", "interval", "n",
"probe", "of", "over", "p", "undefined"}}], "differences": [{{"langpair",
"coefficient", "a", "b", "delta", "p", "p_adjusted", "better"}}], "tallies":
[{{"coefficient", "a", "b", "a_wins", "b_wins", "draws"}}], "clusters"}}; with --gap
also "gaps", with --families also "families": [{{"langpair", "coefficient", "a", "b",
"better", "u", "p"}}], with --families variant also "hypotheses": [{{"kind",
"langpair", "coefficient", "a", "b", "a_range", "b_range", "margin", "holds",
"threshold", "pairs", "p"}}], with several values of --gold also "questions":
[{{"langpair", "a", "b", "a_levels", "b_levels", "counts", "n", "pearson", "spearman",
"p", "unit"}}]; PAIR then ends in the judgements' name, and in `judgements` for single
ones beside means. With --data-hash also "data": {{LANGPAIR: HASH}}. "n" is the number
of items behind a value, "of" the number if the metric had scored everything that was
judged, "over" what was resampled for the interval. "p" tests the value against 0: for
Pearson's, Spearman's and Kendall's coefficients of systems, or of all outputs at once
(:none). "undefined" counts judged outputs for which the metric is undefined; its system
scores leave them out, too. "tallies" count language pairs; where several judgements or
units are compared, each has its own, named by "view". TSV and CSV have one row per
value with the same names; with --test also cluster, wins and losses (how many metrics
are significantly worse and better) and one column p:METRIC per metric with adjusted
p-values.

With --spans the JSON is {{"tertium", "run", "outputs", "judged", "segments", "scale",
"notes", "spans": [{{"metric", "measure", "value", "interval", "probe"}}],
"differences": [{{"measure", "a", "b", "delta", "p", "p_adjusted"}}]}}. A "measure" is
MATCHING:AVERAGE-PART (MATCHING: exact, overlap, character, character-severity,
character-wmt25, mpp, mpp-weighted, missing; AVERAGE: micro, macro; PART: precision,
recall, f), error-free:PART (precision, recall, f1, mcc, precision-at-recall-0.8),
score:pearson or score:kendall (tau-b), correlations with human scores on "scale", or
with scores from human spans if it is null. Precision at a recall and Kendall's tau are
not tested.
"run" has "error_free_score" and "error_free_prediction", null unless given.
"outputs" were compared, "judged" were judged.
LaTeX sets the best value of a column in bold; other tables mark it with *.
"""


@frozen
class Options(Output, Caching, Place, Run, Layers):
    """The options, named as their flags."""

    testsets: list[str]
    systems_columns: list[str] | None
    judgements: list[str] | None
    only: list[str]
    human_scores: list[str] | None
    mtme: str | None
    gold: list[str] | None
    human: str | None
    unit: list[str]
    metrics: list[str]
    scores: list[str]
    reference: str | None
    test_set: str | None
    domain: str | None
    lower_is_better: list[str]
    higher_is_better: list[str]
    missing: str | None
    spans: bool
    predictions: list[str]
    probes: bool
    error_free_score: float | None
    error_free_prediction: float | None
    least: int
    langpair: list[str] | None
    coef: list[str] | None
    exclude: list[str]
    slice: str | None
    no_probes: bool
    resamples: int
    over: str | None
    slow: bool
    confidence: float
    p_values: bool
    test: str | None
    trials: int | None
    correction: str
    average_without: list[str]
    gap: list[str]
    task_files: str | None
    families: str | None
    plot: list[str]
    data_hash: bool


def parse(argv: Sequence[str]) -> Options:
    """Return the options on a command line."""
    from tertium.meta.agreement.coefficients import COEFFICIENTS

    width = max(map(len, COEFFICIENTS))
    listed = "\n".join(
        f"  {each.name:{width}}  {each.about}" for each in COEFFICIENTS.values()
    )
    parser = flags.parser("correlate", _ABOUT, _EXAMPLES.format(coefficients=listed))
    _add_judgements(parser)
    _add_scores(parser)
    _add_spans(parser)
    add_layers(parser)
    _add_choice(parser)
    _add_certainty(parser)
    _add_views(parser)
    flags.add_data_hash(parser, "results")
    flags.add_run(parser)
    flags.add_place(parser)
    add_cache(parser, "statistics of segments, and trees of parsers,")
    flags.add_output(parser)
    return parse_values(parser, _unambiguous(argv), Options)


def _unambiguous(argv: Sequence[str]) -> list[str]:
    """Return a command line on which no test set is taken for the value of an option.

    A test set may stand after --families without a value, and after one of --gold
    unless test sets stand first, or --mtme brings them: a file may have a scale's name.
    """
    testsets, rest = [], []
    known = any(word.partition("=")[0] == "--mtme" for word in argv)
    known |= not "".join(argv[:1]).startswith("-")
    option, values = "", 0
    for word, after in zip_longest(argv, argv[1:], fillvalue=""):
        values = 0 if word.startswith("-") else values + 1
        option = word if word.startswith("-") else option
        if word == "--families" and after not in _FAMILIES:
            rest.append("--families=metric")
        elif not known and option == "--gold" and values > 1 and _is_testset(word):
            testsets.append(word)
        else:
            rest.append(word)
    return [*testsets, *rest]


def _is_testset(word: str) -> bool:
    return word not in _KINDS and (word == "demo" or os.path.exists(word))


def _add_judgements(parser: argparse.ArgumentParser) -> None:
    """Add options on texts and their judgements."""
    parser.add_argument(
        "testsets",
        nargs="*",
        metavar="TESTSET",
        help="texts to score, one file per language pair, or `demo`; not needed where "
        "all scores come from files",
    )
    flags.add_systems_columns(parser)
    parser.add_argument(
        "-J",
        "--judgements",
        nargs="+",
        metavar="FILE",
        help="judgement files or stores (see `tertium judgements import --help`)",
    )
    add_only(parser)
    parser.add_argument(
        "--human-scores",
        nargs="+",
        metavar="FILE",
        help="official system scores, instead of those from the judgements; without "
        "-J, only systems are compared",
    )
    parser.add_argument(
        "--mtme",
        metavar="FOLDER",
        help="a folder of mt-metrics-eval: texts, judgements and scores in one",
    )
    parser.add_argument(
        "--gold",
        nargs="+",
        metavar="NAME",
        help="which judgements: rankings, ratings, spans, or a scale such as mqm; "
        "several are compared side by side, with a table of how their answers go "
        "together",
    )
    parser.add_argument(
        "--human",
        metavar="METHOD",
        help="how outputs and systems get scores (default: that of `tertium rank "
        "--help`, as expected-wins for rankings and z for ratings); judge and "
        "judge+segment adjust ratings by a mixed model, as `tertium agree --adjust` "
        "does",
    )
    parser.add_argument(
        "--unit",
        nargs="+",
        choices=("item", "judgement"),
        default=["item"],
        help="correlate with the mean of every output (item, the default), with every "
        "single judgement (for :none and :sys), or with both side by side",
    )


def _add_scores(parser: argparse.ArgumentParser) -> None:
    """Add options on metrics and their scores."""
    parser.add_argument(
        "-m", "--metrics", nargs="+", default=[], metavar="SPEC", help="metrics to run"
    )
    parser.add_argument(
        "--scores",
        nargs="+",
        default=[],
        metavar="[NAME=]FILE",
        help="metric scores: files of the WMT metrics task or mt-metrics-eval "
        "(.seg.score, .sys.score), tables with a header, JSON of `tertium score`, "
        "output of COMET (JSON or text) or MetricX (JSONL), automatic scores of WMT25, "
        "or one number per line (NAME: its system)",
    )
    parser.add_argument(
        "--reference",
        metavar="NAME",
        help="the reference of --mtme that metrics of -m use (default: the first), and "
        "the reference of --scores, where files have several",
    )
    parser.add_argument(
        "--test-set",
        metavar="NAME",
        help="the test set of --scores, where files have several",
    )
    parser.add_argument(
        "--domain",
        metavar="NAME",
        help="the domain of --scores, where files have several (default: all)",
    )
    flags.add_directions(parser, "metrics")
    parser.add_argument(
        "--missing",
        choices=("error", "drop"),
        help="outputs that were judged but not scored (default: error; with --spans: "
        "drop); with drop, metrics without some scores show how many they have, and "
        "come last",
    )
    parser.add_argument(
        "--least",
        type=flags.number(1),
        default=1,
        metavar="N",
        help="with --missing drop, leave out metrics that scored fewer than N judged "
        "outputs (default: 1)",
    )


def _add_spans(parser: argparse.ArgumentParser) -> None:
    """Add options on metrics that mark error spans."""
    flags.add_switch(
        parser,
        "--spans",
        help="compare predicted error spans (--predictions) with human ones: exact, "
        "overlapping, by character, by MPP, and error-free outputs",
    )
    parser.add_argument(
        "--predictions",
        nargs="+",
        default=[],
        metavar="[NAME=]FILE",
        help="spans that metrics predict: stores or files as for --judgements",
    )
    flags.add_switch(
        parser,
        "--probes",
        help="with --spans, add predictions that ignore quality: nothing, everything, "
        "random places, and words absent from the references (needs a test set)",
    )
    parser.add_argument(
        "--error-free-score",
        type=float,
        metavar="SCORE",
        help="with --spans, outputs without a human span are free of errors only with "
        "this human score or more, as 85 in WMT26 (default: whatever the score; an "
        "output without one then has errors)",
    )
    parser.add_argument(
        "--error-free-prediction",
        type=float,
        metavar="SCORE",
        help="with --spans, predict outputs with this score or more to be free of "
        "errors (default: those without a predicted span); predictions of scores alone "
        "have no error-free measures without it",
    )


def _add_choice(parser: argparse.ArgumentParser) -> None:
    """Add options on what is compared."""
    parser.add_argument(
        "-l", "--langpair", nargs="+", metavar="SRC-TRG", help="only these"
    )
    parser.add_argument(
        "--coef", nargs="+", metavar="NAME", help="coefficients, or all (see below)"
    )
    parser.add_argument(
        "--exclude", nargs="+", default=[], metavar="SYSTEM", help="leave systems out"
    )
    parser.add_argument(
        "--slice",
        metavar="NAME[=FILE]",
        help="compare on parts of the test set: length, document, judge, or another "
        "column of the test set such as domain; judge=FILE and segment=FILE read "
        "groups from a file, with one name and its group per line",
    )
    flags.add_switch(
        parser, "--no-probes", help="omit the probes, metrics that ignore quality"
    )


def _add_certainty(parser: argparse.ArgumentParser) -> None:
    """Add options on intervals and tests."""
    from tertium.meta.uncertainty.resampling import RESAMPLED
    from tertium.meta.uncertainty.testing import TESTS

    parser.add_argument(
        "--resamples",
        type=flags.number(0, 10**6),
        default=1000,
        metavar="N",
        help="for intervals (default: 1000; 0: none)",
    )
    parser.add_argument(
        "--over",
        choices=RESAMPLED,
        help="what intervals and the bootstrap test resample (default: judgements for "
        "rankings, segments for ratings); systems show what to expect of other systems",
    )
    flags.add_switch(
        parser,
        "--slow",
        help="intervals also for rank correlations of many outputs (:none, :sys)",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="(default: 0.95)"
    )
    flags.add_switch(
        parser,
        "--p-values",
        help="show p-values of correlations against 0 in tables (for :none and system "
        "coefficients), and mark those below 1 - confidence; TSV, CSV and JSON always "
        "have them",
    )
    parser.add_argument(
        "--test",
        choices=TESTS,
        help="test differences between metrics and mark the winning cluster",
    )
    parser.add_argument(
        "--trials",
        type=flags.number(1, 10**6),
        metavar="N",
        help="trials of a test (default: 1000, and more for many metrics: enough that "
        "the smallest p-value after correction is at most a fifth of 1 - confidence)",
    )
    parser.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="for the number of metric pairs (default: holm)",
    )


def _add_views(parser: argparse.ArgumentParser) -> None:
    """Add options on what is shown."""
    parser.add_argument(
        "--average-without",
        nargs="+",
        default=[],
        metavar="PAIR",
        help="language pairs that averages leave out",
    )
    parser.add_argument(
        "--gap",
        nargs="+",
        default=[],
        metavar="METRIC",
        help="show how often human judgements confirm a score difference, by its size",
    )
    parser.add_argument(
        "--task-files",
        metavar="FOLDER",
        help="also write the result files of a metrics task: "
        "system.correlations.toEn, .fromEn and segment.correlations.toEn, .fromEn "
        "(.other without English), TSV with one line per metric and one column per "
        "language pair",
    )
    parser.add_argument(
        "--families",
        nargs="?",
        const="metric",
        choices=_FAMILIES,
        help="compare families, metrics that differ in settings only: is the lowest of "
        "one above the highest of another? variant: families of metrics that differ "
        "only in parser, model, tokeniser, matcher and aligner, and tests of "
        "hypotheses on them",
    )
    parser.add_argument(
        "--plot",
        nargs="+",
        default=[],
        metavar="[CHART=]FILE",
        help="also write a chart, to .svg, .png or .json (Vega-Lite): values (the "
        "default), heatmap, scatter, tests, systems, agreement, kappa, gaps, families, "
        "histogram, questions",
    )

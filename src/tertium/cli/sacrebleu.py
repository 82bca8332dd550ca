# SPDX-License-Identifier: Apache-2.0
"""``tertium sacrebleu``: sacreBLEU 2.6.0's command line and output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from tertium._seed import SEED
from tertium._version import __version__
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.sacrebleu.inputs import Column
    from tertium.sacrebleu.report import Layout
    from tertium.sacrebleu.scores import Segments

__all__ = ["command"]

_ABOUT = """\
Score files with the options of sacreBLEU 2.6.0 and print what it prints; only the
version in signatures differs. Name the references first, then the other options.
"""

_EXAMPLES = """\
  tertium sacrebleu ref.txt -i out.txt -m bleu chrf ter
  tertium sacrebleu ref.txt -i out.txt -b -w 2
  tertium sacrebleu ref1.txt ref2.txt -i out.txt --confidence -f text
  tertium sacrebleu ref.txt -i baseline.txt a.txt b.txt --paired-bs -f text
  cat out.txt | tertium sacrebleu ref.txt -sl -m chrf

Test sets are not downloaded (-t, --list, --echo and so on): export the reference
with `sacrebleu -t SET -l PAIR --echo ref > ref.txt`.

environment: SACREBLEU_FORMAT=json|text|latex, SACREBLEU_SEED=N|none, NO_COLOR=1
"""

_FORMATS = ("json", "text", "latex")
_METRICS = ("bleu", "chrf", "ter")
_TOKENIZERS = (
    *("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab"),
    *("spm", "flores101", "flores200", "spBLEU-1K"),
)
_DEFAULT_TRIALS = {"bs": 1000, "ar": 10_000}
_REFUSED = {
    "test_set": "-t/--test-set",
    "list": "--list",
    "download": "--download",
    "echo": "--echo",
    "citation": "--cite",
    "origlang": "--origlang",
    "subset": "--subset",
    "detail": "-d/--detail",
}


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    _check(args)
    from tertium.sacrebleu import inputs
    from tertium.sacrebleu.settings import metrics_of

    say = partial(remark, args)
    how = {"encoding": args.encoding, "remark": say}
    references = inputs.read_references(args.refs, columns=args.num_refs, **how)
    systems = inputs.read_systems(args.input, paired=args.test is not None, **how)
    _check_systems(args, systems)
    inputs.check_lengths(systems, references)
    args.num_refs = len(references)
    metrics = metrics_of(args.metrics, vars(args), langpair=args.langpair, remark=say)
    for text in _remarks(args, metrics, systems):
        say(text)
    report = _report(args, metrics, systems, inputs.segments(references))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # as sacreBLEU, whatever the locale
    emit(report, None)
    return 0


def _report(
    args: argparse.Namespace,
    metrics: list[Metric],
    systems: Sequence[Column],
    refs: Segments,
) -> str:
    if args.sentence_level:
        return _sentences(args, metrics[0], systems[0].lines, refs)
    if args.test is None:
        metrics = sorted(metrics, key=lambda metric: metric.name)
    if len(systems) == 1:
        return _one(args, metrics, systems[0].lines, refs)
    return _several(args, metrics, systems, refs)


def _sentences(
    args: argparse.Namespace, metric: Metric, hyps: list[str], refs: Segments
) -> str:
    from tertium.sacrebleu.scores import sentence_scores

    scores = sentence_scores(metric, hyps, refs)
    if args.score_only:
        return "\n".join(score.number(args.width) for score in scores)
    signature = _signature(args, metric)
    return "\n".join(score.line(args.width, signature) for score in scores)


def _one(
    args: argparse.Namespace, metrics: list[Metric], hyps: list[str], refs: Segments
) -> str:
    from tertium.sacrebleu.report import report_one
    from tertium.sacrebleu.scores import corpus_score

    run: dict[str, str] = {}
    score = corpus_score
    if args.confidence and args.confidence_n > 1:
        from tertium.sacrebleu.paired import score_with_interval

        run = {"bs": str(args.confidence_n), "seed": str(args.seed).lower()}
        score = partial(
            score_with_interval, resamples=args.confidence_n, seed=args.seed
        )
    args.short = args.short and args.format != "json"
    signatures = [_signature(args, metric, **run) for metric in metrics]
    scores = [score(metric, hyps, refs) for metric in metrics]
    return report_one(scores, signatures, _layout(args))


def _several(
    args: argparse.Namespace,
    metrics: list[Metric],
    systems: Sequence[Column],
    refs: Segments,
) -> str:
    from tertium.sacrebleu.report import MetricColumn, report_several
    from tertium.sacrebleu.scores import plain_results

    texts = [system.lines for system in systems]
    run: dict[str, str] = {}
    if args.test is None:
        results = plain_results(metrics, texts, refs)
    else:
        from tertium.sacrebleu.paired import TESTS

        run = {args.test: str(args.trials), "seed": str(args.seed).lower()}
        results = TESTS[args.test](
            metrics, texts, refs, trials=args.trials, seed=args.seed
        )
    columns = [
        MetricColumn(metric.label, _signature(args, metric, **run), found)
        for metric, found in zip(metrics, results, strict=True)
    ]
    test = None if args.test is None else (args.test, args.trials)
    names = [system.name for system in systems]
    return report_several(names, columns, _layout(args), test=test)


def _layout(args: argparse.Namespace) -> Layout:
    from tertium.sacrebleu.report import Layout

    # sacreBLEU colours always and colorama takes the colours out of pipes and files.
    plain = args.no_color or os.environ.get("NO_COLOR") or not sys.stdout.isatty()
    return Layout(
        format=args.format,
        width=args.width,
        score_only=args.score_only,
        colour=not plain,
    )


def _signature(args: argparse.Namespace, metric: Metric, **run: str) -> str:
    from tertium.sacrebleu.scores import signature

    names = "short" if args.short else "long"
    return signature(metric, names=names, nrefs=str(args.num_refs), **run)


# -------------------------------------------------------------------------- checks


def _check(args: argparse.Namespace) -> None:
    for name, option in _REFUSED.items():
        if getattr(args, name):
            testset, pair = args.test_set or "SET", args.langpair or "PAIR"
            message = (
                f"{option} is about test sets, and tertium sacrebleu reads files only; "
                f"export the reference with `sacrebleu -t {testset} -l {pair} --echo "
                "ref > ref.txt` and pass it: tertium sacrebleu ref.txt -i out.txt"
            )
            raise InputError(message)
    if args.width < 0:
        message = f"-w {args.width} is no number of digits; write 0 or more"
        raise InputError(message)
    if args.sentence_level and len(set(args.metrics)) > 1:
        message = "-sl takes one metric; run it once for every metric after -m"
        raise InputError(message)
    if args.sentence_level and (args.confidence or args.test):
        message = "-sl has no statistical tests; leave out -sl, or the test"
        raise InputError(message)


def _check_systems(args: argparse.Namespace, systems: Sequence[Column]) -> None:
    number = len(systems)
    if args.sentence_level and number > 1:
        message = f"-sl takes one system, not {number}; run it once for every system"
        raise InputError(message)
    if args.test and number == 1:
        message = "a paired test needs two systems; name the baseline first after -i"
        raise InputError(message)
    if args.confidence and number > 1:
        message = f"-ci takes one system, not {number}; use --paired-bs for several"
        raise InputError(message)


def _remarks(
    args: argparse.Namespace, metrics: Sequence[Metric], systems: Sequence[Column]
) -> Iterator[str]:
    from tertium.sacrebleu import remarks

    if "bleu" in args.metrics and not args.force:
        yield from remarks.on_tokenized(systems)
    if args.test:
        yield from remarks.on_copies(systems, args.trials)
        yield from remarks.on_few_trials(args.trials, f"--paired-{args.test}-n")
    if args.confidence and args.confidence_n > 1:
        yield from remarks.on_few_resamples(args.confidence_n, "--confidence-n")
    if args.test == "ar":
        yield from remarks.on_smoothing(metrics)


# ------------------------------------------------------------------------- options


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("sacrebleu", _ABOUT, _EXAMPLES)
    parser.allow_abbrev = True  # as in sacreBLEU: scripts may rely on it
    parser.usage = "tertium sacrebleu REF ... [-i FILE ...] [-m METRIC ...] [options]"
    _add_input(parser)
    _add_bleu(parser.add_argument_group("BLEU"))
    _add_chrf(parser.add_argument_group("chrF"))
    _add_ter(parser.add_argument_group("TER"))
    _add_tests(parser.add_argument_group("statistics"))
    _add_report(parser.add_argument_group("report"))
    _add_refused(parser)
    version = f"tertium sacrebleu {__version__} (as sacreBLEU 2.6.0)"
    parser.add_argument("--version", "-V", action="version", version=version)
    args = parser.parse_args(argv)
    wish = os.environ.get("SACREBLEU_FORMAT", "").lower()
    args.format = wish if wish in _FORMATS else args.format
    args.bleu_effective_order = args.sentence_level
    args.test = "bs" if args.paired_bs else "ar" if args.paired_ar else None
    trials = args.paired_bs_n if args.paired_bs else args.paired_ar_n
    # sacreBLEU makes as many as this, too, but then writes of "0 trials".
    args.trials = trials if trials > 0 else _DEFAULT_TRIALS.get(args.test)
    args.seed = _seed() if args.test or args.confidence else None
    return args


def _seed() -> int | None:
    text = os.environ.get("SACREBLEU_SEED", str(SEED))
    if text.lower() == "none":
        return None
    if text.strip().isdecimal():
        return int(text)
    message = f"SACREBLEU_SEED is {text!r}; write a number from 0 on, or none"
    raise InputError(message)


_Group: TypeAlias = "argparse._ArgumentGroup | argparse.ArgumentParser"


def _flag(group: _Group, *names: str, help: str) -> None:
    group.add_argument(*names, action="store_true", help=help)


def _number(group: _Group, *names: str, default: int, help: str) -> None:
    about = f"{help} (default: {default})".strip()
    group.add_argument(*names, type=int, default=default, metavar="N", help=about)


def _add_input(group: _Group) -> None:
    group.add_argument(
        "refs", nargs="*", default=[], metavar="REF", help="reference files"
    )
    group.add_argument(
        "--input",
        "-i",
        nargs="*",
        metavar="FILE",
        help="systems; without it stdin, with a column for every system",
    )
    _number(group, "--num-refs", "-nr", default=1, help="columns of the reference")
    group.add_argument("--encoding", "-e", default="utf-8", help="(default: utf-8)")
    group.add_argument(
        "--metrics", "-m", choices=_METRICS, nargs="+", default=["bleu"], help="metrics"
    )
    _flag(group, "--sentence-level", "-sl", help="score every line")
    group.add_argument(
        "--language-pair",
        "-l",
        dest="langpair",
        metavar="PAIR",
        help="such as en-zh: chooses the tokeniser",
    )


def _add_bleu(group: _Group) -> None:
    group.add_argument(
        "--smooth-method",
        "-s",
        choices=("none", "floor", "add-k", "exp"),
        default="exp",
        dest="bleu_smooth_method",
        help="(default: exp)",
    )
    group.add_argument(
        "--smooth-value",
        "-sv",
        type=float,
        dest="bleu_smooth_value",
        metavar="X",
        help="(default: 0.1 for floor, 1 for add-k)",
    )
    group.add_argument(
        "--tokenize",
        "-tok",
        choices=_TOKENIZERS,
        dest="bleu_tokenize",
        metavar="NAME",
        help=f"{', '.join(_TOKENIZERS)} (default: by -l, or 13a)",
    )
    group.add_argument(
        "--lowercase",
        "-lc",
        action="store_true",
        dest="bleu_lowercase",
        help="ignore case",
    )
    _flag(group, "--force", help="no remark on tokenised text")


def _add_chrf(group: _Group) -> None:
    _number(group, "--chrf-char-order", "-cc", default=6, help="of characters")
    _number(group, "--chrf-word-order", "-cw", default=0, help="of words; chrF++: 2")
    _number(group, "--chrf-beta", default=2, help="weight of recall")
    _flag(group, "--chrf-whitespace", help="spaces are characters")
    _flag(group, "--chrf-lowercase", help="ignore case")
    _flag(group, "--chrf-eps-smoothing", help="smooth as chrF++.py, NLTK and Moses")


def _add_ter(group: _Group) -> None:
    _flag(group, "--ter-case-sensitive", help="case counts")
    _flag(group, "--ter-asian-support", help="cut Chinese and Japanese characters")
    _flag(group, "--ter-no-punct", help="remove punctuation")
    _flag(group, "--ter-normalized", help="normalise and tokenise as Tercom")


def _add_tests(group: argparse._ArgumentGroup) -> None:
    _flag(group, "--confidence", "-ci", help="bootstrap interval of one system")
    _number(group, "--confidence-n", "-cin", default=1000, help="resamples for -ci")
    tests = group.add_mutually_exclusive_group()
    _flag(tests, "--paired-ar", "-par", help="randomisation test against the first one")
    _flag(tests, "--paired-bs", "-pbs", help="bootstrap test against the first one")
    _number(group, "--paired-ar-n", "-parn", default=10_000, help="trials for -par")
    _number(group, "--paired-bs-n", "-pbsn", default=1000, help="resamples for -pbs")
    _number(group, "--paired-jobs", "-j", default=1, help="ignored: one is enough")


def _add_report(group: _Group) -> None:
    _flag(group, "--quiet", "-q", help="no remarks")
    _flag(group, "--short", "-sh", help="short signatures")
    _flag(group, "--score-only", "-b", help="nothing but the score")
    _number(group, "--width", "-w", default=1, help="digits behind the point")
    _flag(group, "--no-color", "-nc", help="no colours")
    group.add_argument(
        "--format", "-f", choices=_FORMATS, default="json", help="(default: json)"
    )


def _add_refused(group: _Group) -> None:
    hidden = argparse.SUPPRESS
    for names in (("--citation", "--cite"), ("--list",), ("--detail", "-d")):
        _flag(group, *names, help=hidden)
    group.add_argument("--test-set", "-t", help=hidden)
    group.add_argument("--origlang", "-ol", help=hidden)
    group.add_argument("--subset", help=hidden)
    group.add_argument("--download", help=hidden)
    group.add_argument("--echo", nargs="+", help=hidden)

# SPDX-License-Identifier: Apache-2.0
"""The arguments of sacreBLEU's command line, with its names, defaults and choices."""

from __future__ import annotations

import argparse
from typing import TypeAlias

__all__ = ["FORMATS", "UNSUPPORTED", "add_arguments"]

FORMATS = ("json", "text", "latex")

#: Options about test sets, which are downloads, by name.
UNSUPPORTED = {
    "test_set": "-t/--test-set",
    "list": "--list",
    "download": "--download",
    "echo": "--echo",
    "citation": "--cite",
    "origlang": "--origlang",
    "subset": "--subset",
    "detail": "-d/--detail",
}

_METRICS = ("bleu", "chrf", "ter")
_TOKENIZERS = (
    *("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab"),
    *("spm", "flores101", "flores200", "spBLEU-1K"),
)

_Group: TypeAlias = "argparse._ArgumentGroup | argparse.ArgumentParser"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add sacreBLEU's arguments to a parser; those of `UNSUPPORTED` are hidden."""
    _add_input(parser)
    _add_bleu(parser.add_argument_group("BLEU"))
    _add_chrf(parser.add_argument_group("chrF"))
    _add_ter(parser.add_argument_group("TER"))
    _add_tests(parser.add_argument_group("statistics"))
    _add_report(parser.add_argument_group("report"))
    _add_unsupported(parser)


def _flag(group: _Group, *names: str, help: str) -> None:  # noqa: A002 (as argparse)
    group.add_argument(*names, action="store_true", help=help)


def _number(
    group: _Group,
    *names: str,
    default: int,
    help: str,  # noqa: A002 (as argparse)
) -> None:
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
        help="system outputs (default: stdin, with one column per system)",
    )
    _number(
        group,
        "--num-refs",
        "-nr",
        default=1,
        help="number of columns in the reference file",
    )
    group.add_argument("--encoding", "-e", default="utf-8", help="(default: utf-8)")
    group.add_argument(
        "--metrics", "-m", choices=_METRICS, nargs="+", default=["bleu"], help="metrics"
    )
    _flag(group, "--sentence-level", "-sl", help="score each line")
    group.add_argument(
        "--language-pair",
        "-l",
        dest="langpair",
        metavar="PAIR",
        help="such as en-zh; selects the tokeniser",
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
    _flag(group, "--force", help="no remark about tokenised text")


def _add_chrf(group: _Group) -> None:
    _number(group, "--chrf-char-order", "-cc", default=6, help="character n-gram order")
    _number(
        group,
        "--chrf-word-order",
        "-cw",
        default=0,
        help="word n-gram order; chrF++: 2",
    )
    _number(group, "--chrf-beta", default=2, help="weight of recall")
    _flag(group, "--chrf-whitespace", help="count spaces as characters")
    _flag(group, "--chrf-lowercase", help="ignore case")
    _flag(group, "--chrf-eps-smoothing", help="smooth like chrF++.py, NLTK and Moses")


def _add_ter(group: _Group) -> None:
    _flag(group, "--ter-case-sensitive", help="match case")
    _flag(group, "--ter-asian-support", help="split Chinese and Japanese characters")
    _flag(group, "--ter-no-punct", help="remove punctuation")
    _flag(group, "--ter-normalized", help="normalise and tokenise like Tercom")


def _add_tests(group: argparse._ArgumentGroup) -> None:
    _flag(
        group, "--confidence", "-ci", help="bootstrap confidence interval of one system"
    )
    _number(group, "--confidence-n", "-cin", default=1000, help="resamples for -ci")
    tests = group.add_mutually_exclusive_group()
    _flag(
        tests, "--paired-ar", "-par", help="randomisation test against the first system"
    )
    _flag(tests, "--paired-bs", "-pbs", help="bootstrap test against the first system")
    _number(group, "--paired-ar-n", "-parn", default=10_000, help="trials for -par")
    _number(group, "--paired-bs-n", "-pbsn", default=1000, help="resamples for -pbs")
    _number(
        group, "--paired-jobs", "-j", default=1, help="ignored; one job is fast enough"
    )


def _add_report(group: _Group) -> None:
    _flag(group, "--quiet", "-q", help="no remarks")
    _flag(group, "--short", "-sh", help="short signatures")
    _flag(group, "--score-only", "-b", help="print the score only")
    _number(group, "--width", "-w", default=1, help="decimal places")
    _flag(group, "--no-color", "-nc", help="no colours")
    group.add_argument(
        "--format", "-f", choices=FORMATS, default="json", help="(default: json)"
    )


def _add_unsupported(group: _Group) -> None:
    hidden = argparse.SUPPRESS
    for names in (("--citation", "--cite"), ("--list",), ("--detail", "-d")):
        _flag(group, *names, help=hidden)
    group.add_argument("--test-set", "-t", help=hidden)
    group.add_argument("--origlang", "-ol", help=hidden)
    group.add_argument("--subset", help=hidden)
    group.add_argument("--download", help=hidden)
    group.add_argument("--echo", nargs="+", help=hidden)

# SPDX-License-Identifier: Apache-2.0
"""``tertium sacrebleu``: sacreBLEU 2.6.0's command line and output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from tertium._seed import SEED
from tertium._version import __version__
from tertium.cli.shared import flags, values
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.cli.shared.values import OptionGroup, frozen
from tertium.errors import InputError
from tertium.sacrebleu.options import SacreBleuOptions

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
_UNSUPPORTED = {
    "test_set": "-t/--test-set",
    "list": "--list",
    "download": "--download",
    "echo": "--echo",
    "citation": "--cite",
    "origlang": "--origlang",
    "subset": "--subset",
    "detail": "-d/--detail",
}


class _Unsupported(OptionGroup):
    """Options of sacreBLEU about test sets, which are rejected."""

    test_set: str | None
    list: bool
    download: str | None
    echo: Sequence[str] | None
    citation: bool
    origlang: str | None
    subset: str | None
    detail: bool


@frozen
class Options(_Unsupported, values.Remarks, SacreBleuOptions):
    """The options of the verb."""

    no_color: bool

    def __post_init__(self) -> None:
        for name, flag in _UNSUPPORTED.items():
            if getattr(self, name):
                testset, pair = self.test_set or "SET", self.langpair or "PAIR"
                message = (
                    f"{flag} is for test sets, but tertium sacrebleu reads files only; "
                    f"export the reference with `sacrebleu -t {testset} -l {pair} "
                    "--echo ref > ref.txt` and pass it: tertium sacrebleu ref.txt -i "
                    "out.txt"
                )
                raise InputError(message)
        super().__post_init__()


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    wish = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if wish in _FORMATS:  # It overrides -f, as in sacreBLEU.
        options = replace(options, format=wish)
    from tertium.sacrebleu.run import run

    # sacreBLEU always colours, and colorama removes colours from pipes and files.
    plain = options.no_color or os.environ.get("NO_COLOR") or not sys.stdout.isatty()
    seed = _seed() if options.test or options.confidence else None
    report = run(options, seed=seed, remark=partial(remark, options), colour=not plain)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # as sacreBLEU, in every locale
    emit(report, None)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("sacrebleu", _ABOUT, _EXAMPLES)
    parser.allow_abbrev = True  # as in sacreBLEU: scripts may rely on it
    parser.usage = "tertium sacrebleu REF ... [-i FILE ...] [-m METRIC ...] [options]"
    _add_input(parser)
    _add_bleu(parser.add_argument_group("BLEU"))
    _add_chrf(parser.add_argument_group("chrF"))
    _add_ter(parser.add_argument_group("TER"))
    _add_tests(parser.add_argument_group("statistics"))
    _add_report(parser.add_argument_group("report"))
    _add_unsupported(parser)
    version = f"tertium sacrebleu {__version__} (as sacreBLEU 2.6.0)"
    parser.add_argument("--version", "-V", action="version", version=version)
    return parser


def _seed() -> int | None:
    text = os.environ.get("SACREBLEU_SEED", str(SEED))
    if text.lower() == "none":
        return None
    if text.strip().isdecimal():
        return int(text)
    message = f"SACREBLEU_SEED is {text!r}; give an integer from 0, or none"
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
        "--format", "-f", choices=_FORMATS, default="json", help="(default: json)"
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

# SPDX-License-Identifier: Apache-2.0
"""``tertium sacrebleu``: sacreBLEU 2.6.0's command line and output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from tertium._seed import SEED
from tertium._version import __version__
from tertium.cli.shared import flags, values
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.cli.shared.values import OptionGroup, frozen
from tertium.errors import InputError
from tertium.sacrebleu.arguments import FORMATS, UNSUPPORTED, add_arguments
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
        for name, flag in UNSUPPORTED.items():
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
    if wish in FORMATS:  # It overrides -f, as in sacreBLEU.
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
    add_arguments(parser)
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

# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements``: import, count, export and merge human judgements."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tertium.cli.judgements.choice import add_choice, choose
from tertium.cli.judgements.files import refuse_twice
from tertium.cli.judgements.remarks import counted, remark_import
from tertium.cli.judgements.scale import add_normalise, normaliser, put_on_scale
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.judgements.formats import Format

__all__ = ["command"]

_ACTIONS = {
    "import": "read files of other tools into a store",
    "stats": "count judges, systems, segments, judgements, ties",
    "export": "write judgements in a format that others read",
    "merge": "put several stores into one",
}

_FEW = 40

_STORES = """\
A store is a folder of Parquet files, or, if its name ends in .sqlite, .sqlite3 or
.db, one SQLite file. `demo` names bundled judgements by simulated judges.
"""

_IMPORT = """\
Read files of judgements into a store. The format is told from each file. Rows that
cannot be read are set aside in a file, with file, line and reason; the exit code is
0 all the same, and 2 with --strict, which then writes nothing.
"""

_IMPORT_EXAMPLES = """\
  tertium judgements import wmt12.RNK_results.csv.gz -o wmt12
  tertium judgements import *.rankings.tsv.gz -o wmt15.sqlite --campaign wmt15
  tertium judgements import mine.txt -o store --format pairs --langpair de-en
  tertium judgements import answers.json -o store --systems systems.tsv
  tertium judgements import asked.tsv -o store --normalise likert=5
  tertium judgements import esa.csv -o store --batches batches.json
"""

_EXPORT = """\
Write judgements of a store, or of files of any format, in one format. Most formats
lose something, as listed below; what of these judgements is lost is said on stderr.
"""

_EXPORT_EXAMPLES = """\
  tertium judgements export store -o all.jsonl
  tertium judgements export store -o de-en.csv --format wmt-csv --only langpair=de-en
  tertium judgements export demo -o pairs.tsv --format pairs
  tertium judgements export wmt12 -o scores.tsv --format likert-tsv --normalise rank
"""

_MERGE = """\
Put the judgements of several stores, or of files of any format, into a new store.
Nothing is left out, also not what is there twice.
"""

_MERGE_EXAMPLES = """\
  tertium judgements merge wmt15 wmt16 -o both
  tertium judgements merge old.sqlite new.rankings.tsv -o all.sqlite
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    if not argv:
        sys.stdout.write(_help())
        return 2
    if argv[0] in ("-h", "--help"):
        sys.stdout.write(_help())
        raise SystemExit(0)
    action, rest = argv[0], argv[1:]
    if action not in _ACTIONS:
        raise UnknownNameError("action of tertium judgements", action, _ACTIONS)
    if action == "stats":
        from tertium.cli.judgements.stats import stats

        return stats(rest)
    run: dict[str, Callable[[Sequence[str]], int]] = {
        "import": _import,
        "export": _export,
        "merge": _merge,
    }
    return run[action](rest)


def _help() -> str:
    width = max(map(len, _ACTIONS))
    listed = "".join(f"  {name:<{width}}  {what}\n" for name, what in _ACTIONS.items())
    return (
        "usage: tertium judgements ACTION ...\n\n"
        f"Keep what people said of translations.\n\nactions:\n{listed}\n{_STORES}\n"
        "examples:\n"
        "  tertium judgements stats demo\n"
        "  tertium judgements import wmt12.RNK_results.csv.gz -o wmt12\n"
        "  tertium judgements ACTION --help         every action has examples\n"
    )


# ----------------------------------------------------------------------- import


def _import(argv: Sequence[str]) -> int:
    from tertium.judgements import FORMATS, Given, import_judgements
    from tertium.judgements.store import check_store_place

    about = f"{_IMPORT}\n{_STORES}"
    examples = f"{_IMPORT_EXAMPLES}\n{_formats(writable=False)}"
    parser = flags.parser("judgements import", about, examples)
    parser.add_argument("files", nargs="+", metavar="FILE", help="`-` is stdin")
    _add_store(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        metavar="NAME",
        help="(default: told from the file)",
    )
    parser.add_argument(
        "-l",
        "--langpair",
        metavar="SRC-TRG",
        help="of all judgements (default: what the file, or its name, says)",
    )
    parser.add_argument("--campaign", metavar="NAME", help="of all judgements")
    parser.add_argument(
        "--scale", metavar="NAME", help="of ratings whose file does not name one"
    )
    parser.add_argument(
        "--systems",
        metavar="FILE",
        help="who produced which candidate, where only texts were judged: TSV with "
        "the columns segment, part, system, text",
    )
    parser.add_argument(
        "--keep-unmatched",
        action="store_true",
        help="with --systems: keep candidates that no system has, which count for "
        "agreement only (default: an error that lists them)",
    )
    parser.add_argument(
        "--batches",
        metavar="FILE",
        help="the batches of an Appraise campaign (JSON): exports then name segments "
        "by their line in the test set, and error spans get their texts",
    )
    add_normalise(parser)
    parser.add_argument(
        "--strict", action="store_true", help="fail at the first bad row"
    )
    parser.add_argument(
        "--quarantine",
        metavar="FILE",
        help="where bad rows go (default: STORE.bad.tsv)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    if args.keep_unmatched and args.systems is None:
        parser.error("--keep-unmatched goes with --systems")
    check_store_place(args.output)
    refuse_twice(args.files)
    scale = normaliser(args.normalise)
    later = args.systems is not None or scale is not None
    aside = args.quarantine or f"{args.output.rstrip(os.sep)}.bad.tsv"
    files = [name for each in args.files for name in _named(each)]
    with Progress("judgements", quiet=args.quiet) as progress:
        found = import_judgements(
            files,
            out=None if later else args.output,
            format=args.format,
            given=Given(args.langpair, args.campaign, args.scale, args.batches),
            strict=args.strict,
            quarantine=aside,
            progress=progress,
        )
    judgements = found.judgements
    if args.systems is not None:
        from tertium.cli.judgements.systems import with_systems

        judgements = with_systems(args, judgements, found.formats)
    if scale is not None:
        judgements = put_on_scale(args, judgements, scale)
        if not any(judgements.counts().values()):
            what = f"{counted(found.judgements)} to put on a scale by {scale[0]}"
            raise InputError(f"{what}; choose another, or leave out --normalise")
    if later:
        from tertium.judgements import write_store

        write_store(judgements, args.output)
    remark_import(args, found, judgements, aside)
    return 0


# --------------------------------------------------------------- export and merge


def _export(argv: Sequence[str]) -> int:
    from tertium.judgements import FORMATS

    examples = f"{_EXPORT_EXAMPLES}\n{_formats(writable=True)}"
    parser = flags.parser("judgements export", _EXPORT, examples)
    add_judgements(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="`-` is stdout"
    )
    names = [name for name, kind in FORMATS.items() if kind.write is not None]
    parser.add_argument(
        "--format",
        choices=names,
        metavar="NAME",
        default="tertium-jsonl",
        help="(default: tertium-jsonl, which loses nothing)",
    )
    add_normalise(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    scale = normaliser(args.normalise)
    judgements = read(args)
    if scale is not None:
        judgements = put_on_scale(args, judgements, scale)
    kind = FORMATS[args.format]
    counts = judgements.counts()
    if not any(counts[name] for name in kind.kinds):
        message = (
            f"nothing to write: {args.format} holds {', '.join(kind.kinds)}, and there "
            f"are {counted(judgements)}; choose another format"
        )
        raise InputError(message)
    if kind.write is None:
        raise InputError(f"{args.format} can be read only; choose another format")
    kind.write(judgements, args.output)
    if not args.quiet:
        _remark_losses(args, judgements, kind)
    return 0


def _remark_losses(
    args: argparse.Namespace, judgements: Judgements, kind: Format
) -> None:
    """Say what of these judgements the format did not hold; nothing if it did all."""
    from tertium.judgements.formats.losses import lost

    said = []
    holds = " and ".join(kind.kinds)
    counts = judgements.counts()
    left = [name for name in counts if counts[name] and name not in kind.kinds]
    if left:
        what = " and ".join(f"{counts[name]:,} {name}" for name in left)
        said.append(f"{what} left out: {kind.name} holds {holds} only")
    by_number: dict[int, list[str]] = {}
    for name, number in lost(judgements, kind).items():
        by_number.setdefault(number, []).append(name)
    for number, names in by_number.items():
        noun = holds.removesuffix("s") if number == 1 else holds
        verb = "loses" if number == 1 else "lose"
        said.append(f"{number:,} {noun} {verb} {', '.join(names)}")
    if said:
        remark(args, f"{'; '.join(said)}; tertium-jsonl keeps all")


def _merge(argv: Sequence[str]) -> int:
    from tertium.judgements import write_store
    from tertium.judgements.store import check_store_place

    parser = flags.parser("judgements merge", f"{_MERGE}\n{_STORES}", _MERGE_EXAMPLES)
    add_judgements(parser)
    _add_store(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    check_store_place(args.output)
    judgements = read(args)
    write_store(judgements, args.output)
    remark(args, f"wrote {counted(judgements)} to {args.output}")
    return 0


# ----------------------------------------------------------------- shared options


def add_judgements(parser: argparse.ArgumentParser) -> None:
    """Add what names judgements: stores, files, `demo`, and a choice of them."""
    parser.add_argument(
        "judgements",
        nargs="+",
        metavar="JUDGEMENTS",
        help="stores, files of any known format, or `demo`",
    )
    add_choice(parser)


def read(args: argparse.Namespace) -> Judgements:
    """Return the judgements that the options name."""
    from tertium.judgements import read_judgements

    refuse_twice(args.judgements)
    return choose(read_judgements(args.judgements), args.only)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", required=True, metavar="STORE", help="the store to make"
    )


def _named(name: str) -> list[str]:
    from tertium.judgements import demo_files

    return demo_files() if name == "demo" and not os.path.exists(name) else [name]


def _formats(*, writable: bool) -> str:
    from tertium.judgements import FORMATS
    from tertium.judgements.formats.losses import LOSSES

    shown = {
        name: kind.about
        for name, kind in FORMATS.items()
        if kind.write is not None or not writable
    }
    width = max(map(len, shown))
    lines = []
    for name, about in shown.items():
        lines.append(f"  {name:<{width}}  {about}\n")
        if writable and (what := FORMATS[name].loses):
            said = f"loses {', '.join(str(LOSSES[each]) for each in what)}"
            for line in textwrap.wrap(said, 84 - width):
                lines.append(f"  {'':<{width}}  {line}\n")
    return f"formats:\n{''.join(lines)}"

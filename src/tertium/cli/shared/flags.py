# SPDX-License-Identifier: Apache-2.0
"""Options that several verbs share, and the test sets they name."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium.cli.shared.layers import apply_layers, layer_paths
from tertium.cli.shared.parsers import parser, parser_of
from tertium.cli.shared.remarks import remark, remark_notes
from tertium.cli.shared.tree_layer import tree_paths
from tertium.cli.shared.values import Output, Sort
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.engine.results import MetricInfo, ScoreTable

__all__ = [
    "add_input",
    "add_metrics",
    "add_output",
    "add_run",
    "add_sort",
    "add_systems_columns",
    "check_input",
    "chunks",
    "digits",
    "for_programs",
    "labels",
    "named_files",
    "number",
    "ordered",
    "parser",
    "parser_of",
    "read_testset",
    "same_file",
]

# Of numbers on the command line: int() raises an error of its own beyond 4,300.
_DIGITS = 40

FORMATS = ("table", "json", "tsv", "csv", "md", "latex", "html")


class _Metrics(argparse.Action):
    """Collects the values of a repeated option; the first one ends the default."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        before = getattr(namespace, self.dest)
        given = [] if before is self.default else before
        setattr(namespace, self.dest, [*given, *(values or ())])


def number(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds, for argparse."""
    most = 2**64 - 1 if high is None else high

    def read(text: str) -> int:
        digits = text.lstrip("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
            shown = text if len(text) <= 40 else f"{text[:40]}..."
            message = f"{shown!r} is no whole number"
            raise argparse.ArgumentTypeError(message)
        if high is None and int(text) < low:
            message = f"{text} is too small; give {low} or more"
            raise argparse.ArgumentTypeError(message)
        if not low <= int(text) <= most:
            message = f"{text} is not between {low} and {most}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return read


def add_input(group: argparse.ArgumentParser) -> None:
    """Add the options that name a test set."""
    group.add_argument(
        "testset",
        nargs="?",
        metavar="TESTSET",
        help="a file that holds everything (.jsonl .tsv .csv .xlsx .parquet .xml), a "
        "folder made by `tertium convert` or of mt-metrics-eval, or `demo`; best given "
        "before the options",
    )
    group.add_argument(
        "-r",
        "--references",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="reference files (text or SGML, also .gz .xz .bz2 .zst; - is stdin)",
    )
    group.add_argument(
        "-i",
        "--systems",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="system outputs, named after their files unless a name is given",
    )
    group.add_argument("-s", "--source", metavar="FILE", help="the source text")
    group.add_argument(
        "--docs", metavar="FILE", help="the document id of every segment"
    )
    add_systems_columns(group)
    group.add_argument(
        "--input-format",
        metavar="FORMAT",
        help="overrules the extension: plain, tsv, csv, xlsx, jsonl, parquet, sgml, "
        "xml",
    )
    group.add_argument(
        "-l", "--langpair", metavar="SRC-TRG", help="language pair such as en-de"
    )


def add_systems_columns(group: argparse._ActionsContainer) -> None:
    """Add the option that says which columns of a test set are systems."""
    group.add_argument(
        "--systems-columns",
        nargs="+",
        metavar="NAME",
        help="the columns of the test set that are systems (default: every column that "
        "is not a source, reference, id, document or layer, except those with numbers "
        "only, with the same text throughout, or with a name such as LP or score)",
    )


def add_metrics(group: argparse.ArgumentParser, default: tuple[str, ...]) -> None:
    """Add the option that names metrics."""
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action=_Metrics,
        default=list(default),
        metavar="SPEC",
        help="metrics as name or name:key=value,key=value "
        f"(default: {' '.join(default)}; all: `tertium metrics`)",
    )


def add_run(group: argparse.ArgumentParser) -> None:
    """Add the options of anything that computes."""
    group.add_argument(
        "--seed", type=number(0), default=SEED, metavar="N", help=f"(default: {SEED})"
    )
    group.add_argument(
        "-j",
        "--threads",
        type=number(1, 1024),
        metavar="N",
        help="threads (default: all cores)",
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )


def add_sort(group: argparse.ArgumentParser) -> None:
    """Add the option that orders systems in tables."""
    group.add_argument(
        "--sort",
        choices=("quality", "given"),
        default="quality",
        help="order of systems in tables: best first by the first metric (default; "
        "equal ones as given), or as given, as always in JSON and within segments",
    )


def ordered(
    table: ScoreTable, options: Sort | argparse.Namespace, metric: str | None = None
) -> list[str]:
    """Return the names of systems in the order asked for."""
    return list(table.systems) if options.sort == "given" else table.ranked(metric)


def add_output(group: argparse.ArgumentParser) -> None:
    """Add the options that say how results look and where they go."""
    group.add_argument(
        "-f", "--format", choices=FORMATS, default="table", help="(default: table)"
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there, not stdout")
    group.add_argument(
        "-w",
        "--digits",
        type=number(0, 30),
        metavar="N",
        help="digits behind the point",
    )


def chunks(
    args: argparse.Namespace, *, twice: bool = False, check_ids: bool = True
) -> Callable[[], Iterator[Testset]]:
    """Return a function that streams the test set from its start.

    Standard input and pipes can be read only once: if the function will be called
    `twice`, their texts are kept. With `check_ids`, ids that repeat are reported.
    """
    from tertium.cli.shared.mtme import mtme_chunks
    from tertium.cli.shared.testset_notes import repeated_ids_text
    from tertium.data import stream
    from tertium.data.segment_ids import RepeatedIds

    reported: set[str] = set()

    def open_chunks() -> Iterator[Testset]:
        repeated = RepeatedIds()
        for chunk in stream(
            args.testset,
            references=args.references,
            systems=_systems(args.systems),
            sources=args.source,
            docs=args.docs,
            systems_columns=args.systems_columns,
            format=args.input_format,
            langpair=args.langpair,
        ):
            if "notes" not in reported:
                reported.add("notes")
                remark_notes(args, chunk)
            repeated.add(chunk)
            yield chunk
        if check_ids and "ids" not in reported:
            reported.add("ids")
            if pairs := repeated.pairs():
                remark(args, repeated_ids_text(pairs))

    check_input(args)
    layered = apply_layers(args, mtme_chunks(args) or open_chunks)
    if not twice or all(map(_can_be_read_again, _paths(args))):
        return layered
    kept = list(layered())
    return lambda: iter(kept)


def read_testset(args: argparse.Namespace, *, check_ids: bool = True) -> Testset:
    """Return the whole test set."""
    from tertium.data.testset import join

    return join(chunks(args, check_ids=check_ids)())


def check_input(args: argparse.Namespace) -> None:
    """Raise an error if nothing is named, or the test set stands among metrics."""
    named = (args.testset, args.references, args.systems)
    if all(item is None for item in named) and not tree_paths(args):
        message = (
            "nothing to read; give a test set before the options (try: demo), or "
            "references with -r and systems with -i"
        )
        raise InputError(message)
    if layer_paths(args).count("-") and _paths(args).count("-") > 1:
        message = "standard input (-) is given more than once; use files for the others"
        raise InputError(message)
    output = getattr(args, "output", None)
    if output is not None and any(same_file(output, path) for path in _paths(args)):
        message = f"{output} is one of the inputs; write to another file"
        raise InputError(message)
    for spec in getattr(args, "metrics", ()):
        if "," in spec and ":" not in spec:
            message = f"{spec!r} is not one metric; put spaces between metrics"
            raise InputError(message)
        if os.path.exists(spec) and not spec.isidentifier():
            message = f"{spec} is a file, not a metric; give the test set before -m"
            raise InputError(message)


def _paths(args: argparse.Namespace) -> list[str]:
    """Return everything that is read, as it was named."""
    named = [args.testset, args.source, args.docs, *(args.references or ())]
    named += layer_paths(args)
    named += [path for _, path in _systems(args.systems) or ()]
    return [path for path in named if path is not None]


def _can_be_read_again(path: str) -> bool:
    from tertium.data.io import wants_demo

    return wants_demo(path) or os.path.isfile(path) or os.path.isdir(path)


def same_file(first: str, second: str) -> bool:
    """Tell whether both name one file."""
    # Devices such as /dev/null may be both.
    both = os.path.isfile(first) and os.path.isfile(second)
    return both and os.path.samefile(first, second)


def _systems(items: list[str] | None) -> list[tuple[str, str]] | None:
    return None if items is None else named_files(items)


def named_files(items: list[str]) -> list[tuple[str, str]]:
    """Return (name, path) of every ``NAME=FILE`` or ``FILE``."""
    from tertium.data import system_name

    found = []
    for item in items:
        name, equals, path = item.partition("=")
        # A file whose own name has an equals sign is meant as it stands.
        if equals and name and not os.path.exists(item):
            found.append((name, path))
        else:
            found.append((system_name(item), item))
    return found


def for_programs(options: Output | argparse.Namespace) -> bool:
    """Tell whether the output is TSV or CSV: one table, full specs and digits."""
    return options.format in ("tsv", "csv")


def digits(options: Output | argparse.Namespace) -> int | None:
    """Return the digits asked for; all of them for programs."""
    if options.digits is None and for_programs(options):
        return -1
    return None if options.digits is None else int(options.digits)


def labels(
    infos: Mapping[str, MetricInfo], options: Output | argparse.Namespace
) -> dict[str, str]:
    """Return the head of every metric's column: its label, or its spec.

    Programs always get the spec, people where two labels are the same.
    """
    names = [info.label for info in infos.values()]
    return {
        spec: spec
        if for_programs(options) or names.count(info.label) > 1
        else info.label
        for spec, info in infos.items()
    }

# SPDX-License-Identifier: Apache-2.0
"""Options that several verbs share; those of test sets are in `inputs`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence

from tertium._seed import SEED
from tertium.cli.shared.parsers import parser, parser_of
from tertium.errors import InputError

__all__ = [
    "add_cluster",
    "add_data_hash",
    "add_directions",
    "add_metrics",
    "add_output",
    "add_place",
    "add_resegment",
    "add_run",
    "add_scores",
    "add_shards",
    "add_sort",
    "add_switch",
    "add_systems_columns",
    "add_threads",
    "named_files",
    "number",
    "parser",
    "parser_of",
    "run_files",
    "single_files",
]

# Of integers on the command line: int() has a limit of its own at 4,300.
_DIGITS = 40

FORMATS = ("table", "json", "tsv", "csv", "md", "latex", "html")


class _Metrics(argparse.Action):
    """Collect the values of a repeated option, which replace the default."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        before = getattr(namespace, self.dest)
        earlier = [] if before is self.default else before
        setattr(namespace, self.dest, [*earlier, *(values or ())])


def add_shards(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the options that write a folder of shards; `about` says what with N."""
    parser.add_argument(
        "--rows-per-shard", type=number(1, 10**9), metavar="N", help=about
    )
    parser.add_argument(
        "--compress",
        choices=("gz", "xz", "bz2", "zst"),
        help="compress shards of text",
    )


def number(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a parser of integers within bounds, for argparse."""
    most = 2**64 - 1 if high is None else high

    def read(text: str) -> int:
        digits = text.lstrip("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
            shown = text if len(text) <= 40 else f"{text[:40]}..."
            message = f"{shown!r} is not an integer"
            raise argparse.ArgumentTypeError(message)
        if high is None and int(text) < low:
            message = f"{text} is too small; give {low} or more"
            raise argparse.ArgumentTypeError(message)
        if not low <= int(text) <= most:
            message = f"{text} is not between {low} and {most}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return read


def add_switch(
    group: argparse._ActionsContainer,
    *names: str,
    help: str,
) -> None:
    """Add an option without a value, which is False unless it is given."""
    group.add_argument(*names, action="store_true", help=help)


def add_systems_columns(group: argparse._ActionsContainer) -> None:
    """Add the option that names the columns of a test set that are systems."""
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
        default=default,  # a tuple; what a user names is a list
        metavar="SPEC",
        help="metrics as name or name:key=value,key=value "
        f"(default: {' '.join(default)}; all: `tertium metrics`)",
    )


def add_scores(parser: argparse.ArgumentParser) -> None:
    """Add the options about files of scores."""
    parser.add_argument(
        "--scores",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help="also segment scores that other programs computed, as further metrics: "
        "output of COMET (JSON or text) or MetricX (JSONL), .seg.score of the WMT "
        "metrics task or mt-metrics-eval, automatic scores of WMT25, tables with the "
        "columns system, segment and score, JSON of `tertium score`, or one number per "
        "line (NAME: its system); as a metric: scores:file=FILE,name=COMET,higher=no",
    )
    add_directions(parser, "metrics")


def add_directions(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options that say which `what` of ``--scores`` fall or rise."""
    for flag, about in (
        ("--lower-is-better", "fall with quality (known: MetricX, TER, WER)"),
        ("--higher-is-better", "rise with quality, whatever name or file suggest"),
    ):
        parser.add_argument(
            flag,
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME",
            help=f"{what} of --scores that {about}",
        )


def add_resegment(parser: argparse.ArgumentParser) -> None:
    """Add the option that cuts outputs into the lines of the references."""
    parser.add_argument(
        "--resegment",
        nargs="?",
        const="words",
        choices=("words", "similarity"),
        help="first cut outputs into the lines of the references, where they have "
        "others, as `tertium resegment` does (words unless given)",
    )


def add_data_hash(group: argparse.ArgumentParser, where: str = "signatures") -> None:
    """Add the option that names the test set in signatures, or elsewhere."""
    add_switch(
        group,
        "--data-hash",
        help=f"name the test set in {where} as data:8hex, the hash of its references "
        "(of one file: `sha256sum ref.txt | cut -c 1-8`)",
    )


def add_tests(group: argparse.ArgumentParser) -> None:
    """Add how all pairs of systems are tested."""
    group.add_argument(
        "--test",
        choices=("bootstrap", "randomisation"),
        default="bootstrap",
        help="(default: bootstrap); randomisation is exact for few segments",
    )
    group.add_argument(
        "--resamples",
        type=number(1, 10**7),
        metavar="N",
        help="(default: 1000 for the bootstrap, 10000 for randomisation, and more for "
        "many pairs: so many that the smallest p-value after correction is at most a "
        "fifth of --alpha)",
    )
    group.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="for the number of pairs: Holm (default), Benjamini-Hochberg, none",
    )
    group.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="(default: 0.05)"
    )
    add_switch(group, "--by-document", help="resample whole documents")


def add_run(group: argparse.ArgumentParser) -> None:
    """Add the options of verbs that compute."""
    group.add_argument(
        "--seed", type=number(0), default=SEED, metavar="N", help=f"(default: {SEED})"
    )
    add_threads(group)


def add_threads(group: argparse.ArgumentParser) -> None:
    """Add the number of threads, and whether anything is said meanwhile."""
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


def add_cluster(group: argparse.ArgumentParser) -> None:
    """Add where chunks are done."""
    group.add_argument(
        "--cluster",
        metavar="WHERE",
        help="do the work on a Dask cluster: local:N for N workers on this machine "
        "(local: one per core), tcp://HOST:PORT or scheduler.json of a scheduler, or a "
        ".toml file that describes a cluster (SLURM, SSH, ...); results are the same "
        "to the last bit",
    )


def add_place(group: argparse.ArgumentParser) -> None:
    """Add where chunks are done, and where finished ones are kept."""
    add_cluster(group)
    group.add_argument(
        "--checkpoint",
        metavar="DIR",
        help="keep finished chunks there, so that the same command goes on after a "
        "crash; delete it afterwards",
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


def add_output(group: argparse.ArgumentParser, *, excel: bool = False) -> None:
    """Add the options for the format and place of results, Excel's too or not."""
    group.add_argument(
        "-f",
        "--format",
        choices=(*FORMATS, *(["xlsx"] if excel else [])),
        default="table",
        help="(default: table"
        + ", or an Excel workbook with segments if FILE ends in .xlsx" * excel
        + ")",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there, not stdout")
    group.add_argument(
        "-w",
        "--digits",
        type=number(0, 30),
        metavar="N",
        help="decimal places",
    )


def named_files(items: Sequence[str]) -> list[tuple[str, str]]:
    """Return (name, path) of every ``NAME=FILE`` or ``FILE``."""
    from tertium.data import system_name

    files = []
    for item in items:
        name, equals, path = item.partition("=")
        # A file whose own name has an equals sign is meant as it stands.
        if equals and name and not os.path.exists(item):
            files.append((name, path))
        else:
            files.append((system_name(item), item))
    return files


def single_files(items: Sequence[str]) -> list[tuple[str, str]]:
    """Return (name, path) of every file, one per system.

    Raises
    ------
    InputError
        If a system has several runs; see :func:`run_files`.
    """
    files = named_files(items)
    for name, path in files:
        parts = path.split(",")
        if len(parts) > 1 and not os.path.exists(path) and os.path.exists(parts[0]):
            from tertium.engine.runs import reject_runs

            raise reject_runs(name)
    return files


def run_files(
    items: Sequence[str],
) -> tuple[list[tuple[str, str]], dict[str, list[str]]]:
    """Return (name, path) of every file, and which names are runs of one system.

    Runs are ``NAME=FILE,FILE,...``, unless there is a file of that name.

    Raises
    ------
    InputError
        If several runs have no name.
    """
    files: list[tuple[str, str]] = []
    runs: dict[str, list[str]] = {}
    for item in items:
        name, path = named_files([item])[0]
        parts = path.split(",")
        if len(parts) == 1 or os.path.exists(path):
            files.append((name, path))
            continue
        if path == item:
            if not all(map(os.path.exists, parts)):
                files.append((name, path))  # Whoever opens it says what is missing.
                continue
            message = f"{item} are several runs of a system without a name; give NAME="
            raise InputError(f"{message}{item}")
        if not all(parts):
            raise InputError(f"{item} names a run without a file; give NAME=FILE,FILE")
        if name in runs:
            raise InputError(f"the runs of {name} are given twice; give them at once")
        from tertium.engine.runs import run_name

        runs[name] = [run_name(name, number) for number in range(1, len(parts) + 1)]
        files += zip(runs[name], parts, strict=True)
    return files, runs

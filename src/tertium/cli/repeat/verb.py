# SPDX-License-Identifier: Apache-2.0
"""``tertium repeat``: a recorded run, run again and compared."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tertium.cli.shared import flags, values
from tertium.cli.shared.render import emit, write_result
from tertium.cli.shared.values import Output, frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    pass

__all__ = ["command"]

_ABOUT = """\
Run the command of a record again and compare the results: the figures, the output and
all files that it wrote. Exit code 0: equal; 1: different, or an input has changed; 2:
something is missing.
"""

_EXAMPLES = """\
  tertium score -r ref.txt -i out.txt --record run.json
  tertium repeat run.json
  tertium repeat run.json --in ../data         the inputs are in another folder
  tertium repeat run.json --find ~/wmt         they are anywhere in this folder
  tertium repeat run.json --stdin out.txt      the run read standard input
  tertium repeat run.json --tolerance 1e-9 -f json

The record may come from someone else. Only verbs of Tertium are run, in a temporary
folder that has links to the inputs; writing elsewhere, starting programs and opening
connections end the run, the last two unless --trust is given. Your files stay as they
are. Nothing is taken from a cache or checkpoint. What workers of --cluster local:N
did is done in one process, with the same results.

The JSON is {"tertium": VERSION, "verdict": "equal", "different" or "missing",
"command": [WORD], "differences": [{"where", "then", "now"}], "missing": [{"what",
"why", "cure"}], "versions": {NAME: [THEN, NOW]}}.
"""

#: Exit codes by verdict.
_CODES = {"equal": 0, "different": 1, "missing": 2}


@frozen
class Options(Output):
    """The options of the verb."""

    file: str
    folder: str | None
    find: list[str]
    stdin: str | None
    tolerance: float
    trust: bool


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = _parse(argv)
    from tertium.cli import VERBS
    from tertium.errors import UnknownNameError
    from tertium.records.repeating import repeat
    from tertium.records.run import read_run

    run = read_run(options.file)
    if run.verb not in VERBS:
        raise UnknownNameError(f"verb in {options.file}", run.verb, VERBS)
    wanted = run.input_text is not None
    with _standard_input(options.stdin, wanted=wanted) as stdin:
        result = repeat(
            options.file,
            folder=options.folder,
            search=options.find,
            stdin=stdin,
            tolerance=options.tolerance,
            trust=options.trust,
        )
    if options.format == "table":
        from tertium.report.tables.repetition import repetition_text

        emit(repetition_text(result), options.output)
    else:
        from tertium.report.tables.repetition import repetition_tables

        write_result(options, result.to_dict, lambda: repetition_tables(result))
    return _CODES[result.verdict.value]


@contextmanager
def _standard_input(path: str | None, *, wanted: bool) -> Iterator[str | None]:
    """Give a file with what the run is to read from standard input, if there is any."""
    stream = getattr(sys.stdin, "buffer", None)
    pipe = path is not None and os.path.exists(path) and not os.path.isfile(path)
    here = path is None and stream is not None and not sys.stdin.isatty()
    if not wanted or not (pipe or here):
        yield path
        return
    import shutil
    import tempfile

    # It is hashed before it is read, and a pipe can be read once.
    with tempfile.TemporaryDirectory(prefix="tertium-stdin-") as folder:
        copy = os.path.join(folder, "stdin")
        with open(copy, "wb") as file:
            if pipe and path is not None:
                with open(path, "rb") as source:
                    shutil.copyfileobj(source, file)
            elif stream is not None:
                shutil.copyfileobj(stream, file)
        yield copy if pipe or os.path.getsize(copy) else None


def _parse(argv: Sequence[str]) -> Options:
    parser = flags.parser("repeat", _ABOUT, _EXAMPLES)
    parser.add_argument("file", metavar="RUN.json", help="what --record wrote")
    parser.add_argument(
        "--in",
        dest="folder",
        metavar="DIR",
        help="the folder to run in, which relative paths of inputs start from "
        "(default: the one of the record, seen from where the record is)",
    )
    parser.add_argument(
        "--find",
        nargs="+",
        action="extend",
        default=[],
        metavar="DIR",
        help="search these folders for inputs that are not at their places; they are "
        "known by their content",
    )
    parser.add_argument(
        "--stdin",
        metavar="FILE",
        help="what the run read from standard input (or redirect it: < FILE)",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=0.0,
        metavar="X",
        help="numbers may differ by this share (default: 0); then only figures and "
        "names of files are compared, not their layout",
    )
    flags.add_switch(
        parser,
        "--trust",
        help="the run may start programs, such as a decoder; a record from a stranger "
        "could start anything",
    )
    flags.add_output(parser)
    options = values.parse(parser, argv, Options)
    if not 0 <= options.tolerance < 1:
        raise InputError("--tolerance is a share from 0 to below 1, such as 1e-9")
    for folder in (*options.find, *([options.folder] if options.folder else [])):
        if not os.path.isdir(folder):
            raise InputError(f"there is no folder {folder}; correct the path")
    return options

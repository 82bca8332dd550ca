# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar check`` and ``watch``: what is wrong with templates."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._version import __version__
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags
from tertium.cli.shared.advice import with_flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import (
    FormatError,
    InputError,
    MissingExtraError,
    TertiumError,
    UntrustedError,
)

if TYPE_CHECKING:
    from tertium.grammars.template import Finding, Template
    from tertium.grammars.validation import TokenAnalyser

__all__ = ["check", "watch"]

_ABOUT = """\
Look for mistakes in templates: syntax, names and types of the grammar, variable sets
that one language lacks, empty sets, a prototype that the grammar rejects, samples that
are wrongly accepted or rejected, and, as warnings, small sets, values said in one way
only, words that the analyser does not know. Files of references are read and counted.
The exit code is 1 if there is an error; warnings do not count unless --strict is given.
"""

_EXAMPLES = """\
  tertium grammar check weather
  tertium grammar check templates/ --strict -f json
  tertium grammar check weather --analyser voikko
  tertium grammar check segments.refs

A template may come from someone else: it starts no program and reads no file outside
its folder unless --allow-commands or --allow-outside is given. A program given with
--analyser command:... always runs.

The JSON has {"tertium": VERSION, "templates": [{"name", "summary", "findings":
[{"severity", "code", "where", "message", "cure"}]}]}.
"""

_WATCH = """\
Check templates, and check them again whenever one of their files is saved. Ctrl-C
ends it.
"""

_WATCH_EXAMPLES = """\
  tertium grammar watch weather
  tertium grammar watch weather --analyser none --every 2
"""


@dataclass(frozen=True)
class _Report:
    """What was found in one template or file."""

    name: str
    summary: str
    findings: tuple[Finding, ...]
    #: Errors of grammars as they are, with the line and a caret.
    errors: tuple[str, ...] = ()


def check(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar check", _ABOUT, _EXAMPLES)
    _add_names(parser)
    parser.add_argument(
        "--strict", action="store_true", help="warnings are errors, for the exit code"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    flags.add_output(parser)
    args = parser.parse_args(argv)
    reports = _check(args)
    _write(reports, args)
    return _exit_code(reports, strict=args.strict)


def _add_names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="+",
        metavar="TEMPLATE|REFERENCES",
        help="folders of templates, names of bundled ones, or files of references",
    )
    parser.add_argument(
        "--analyser",
        metavar="SPEC",
        help="what reads words of the target languages, or none (default: what "
        "template.toml names)",
    )
    inputs.add_commands(parser)
    inputs.add_outside(parser)


def _exit_code(reports: Sequence[_Report], *, strict: bool = False) -> int:
    kinds = {one.severity for own in reports for one in own.findings}
    return int("error" in kinds or (strict and bool(kinds)))


# ------------------------------------------------------------------------ checking


def _check(args: argparse.Namespace) -> list[_Report]:
    reports = []
    for name in args.names:
        if os.path.isfile(name) and not inputs.is_template(name):
            reports.append(_check_file(name, args))
        else:
            for folder in inputs.find_templates([name]):
                reports.append(_check_folder(folder, name, args))
    return reports


def _check_file(name: str, args: argparse.Namespace) -> _Report:
    from tertium.grammars.reference_files import read_reference_sets

    try:
        segments = read_reference_sets(name, allow_outside=args.allow_outside)
    except FormatError as error:
        return _broken(name, error)
    total = sum(own.automaton.count for own in segments)
    return _Report(
        name,
        f"{count(len(segments), 'segment')}, {count(total, 'reference')}",
        tuple(_noted(note) for own in segments for note in own.notes),
    )


def _noted(note: str) -> Finding:
    """Return what a set of references lacks of its file as a warning."""
    from tertium.grammars.template import Finding

    where, _, text = note.partition(": ")
    what, _, cure = text.partition("; ")
    return Finding("warning", "lost", where, what, cure)


def _check_folder(folder: Path, name: str, args: argparse.Namespace) -> _Report:
    from tertium.grammars.template import check_template

    try:
        template = inputs.load_found(folder, name, args)
        analysers, refused = _analysers(template, args)
        findings = check_template(template, analysers)
    except MissingExtraError:
        raise
    except FormatError as error:
        return _broken(str(folder), error)
    return _Report(template.id, _summary(template), (*refused, *findings))


def _analysers(
    template: Template, args: argparse.Namespace
) -> tuple[dict[str, TokenAnalyser], list[Finding]]:
    """Return the analysers by language, and what is wrong with those not allowed."""
    from tertium.grammars.analysers import analyser_spec
    from tertium.grammars.morphology import load_analyser

    found: dict[str, TokenAnalyser] = {}
    refused: list[Finding] = []
    for language in template.targets:
        try:
            spec = args.analyser or analyser_spec(template, language)
            if spec != "none":
                found[language] = load_analyser(spec)
        except UntrustedError as error:
            refused.append(_found("untrusted", error))
        except (InputError, MissingExtraError) as error:
            if args.analyser:
                raise
            # The grammar can be checked all the same.
            remark(args, f"words of {language} are not looked up: {error}")
    return found, refused


def _broken(name: str, error: FormatError) -> _Report:
    from tertium.grammars.gf.problems import GrammarError
    from tertium.grammars.template import Finding

    findings, texts = [], []
    every = (error, *error.others) if isinstance(error, GrammarError) else (error,)
    for one in every:
        if isinstance(one, GrammarError):
            where = str(one.at or one.path)
            findings.append(Finding("error", "grammar", where, one.what, one.cure))
        else:
            code = "untrusted" if isinstance(one, UntrustedError) else "file"
            findings.append(_found(code, one))
        if "\n" in str(one):
            texts.append(str(one))
    return _Report(name, "cannot be read", tuple(findings), tuple(texts))


def _found(code: str, error: FormatError) -> Finding:
    from tertium.grammars.template import Finding

    where, text = _place(error)
    what, _, cure = text.rpartition("; ")
    return Finding("error", code, where, what or cure, cure)


def _place(error: FormatError) -> tuple[str, str]:
    """Return file, line and perhaps column of an error, and the rest of its text."""
    text = with_flags(error).split("\n")[0].removeprefix(error.path)
    numbers, _, rest = text.partition(": ")
    if re.fullmatch(r"(:\d+)*", numbers):
        return f"{error.path}{numbers}", rest
    return error.path, text


def _summary(template: Template) -> str:
    grammar = template.grammar
    parts = [
        count(grammar.trees, "tree"),
        count(len(grammar.sets(template.source)), "set"),
    ]
    for language in template.languages:
        total = sum(own.count for own in grammar.sets(language).values())
        parts.append(f"{language} {total:,}")
    return ", ".join(parts)


# ------------------------------------------------------------------------- writing


def _write(reports: Sequence[_Report], args: argparse.Namespace) -> None:
    if args.format == "json":
        found = {
            "tertium": __version__,
            "templates": [
                {
                    "name": own.name,
                    "summary": own.summary,
                    "findings": [asdict(one) for one in own.findings],
                }
                for own in reports
            ],
        }
        emit(json.dumps(found, ensure_ascii=False, indent=2), args.output)
        return
    rows = [
        [own.name, one.severity, one.code, one.where, one.message, one.cure]
        for own in reports
        for one in own.findings
    ]
    head = ["template", "severity", "code", "where", "what", "cure"]
    table = Table(head, rows, left=len(head))
    if args.format != "table":
        render([table], args.format, output=args.output)
        return
    emit("".join(map(_text, reports)), args.output)


def _text(report: _Report) -> str:
    errors = sum(one.severity == "error" for one in report.findings)
    warnings = len(report.findings) - errors
    found = [
        count(number, noun)
        for number, noun in ((errors, "error"), (warnings, "warning"))
        if number
    ]
    lines = [f"{report.name}: {report.summary}; {', '.join(found) or 'nothing wrong'}"]
    full = {text.split("\n")[0]: text for text in report.errors}
    for one in report.findings:
        head = f"{one.where}: {one.message}; {one.cure}"
        shown = full.get(head, head)
        lines += [f"  {one.severity}: {shown.split(chr(10))[0]}"]
        lines += [f"  {line}" for line in shown.split("\n")[1:]]
    return "\n".join(lines) + "\n"


# -------------------------------------------------------------------------- watch


def watch(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar watch", _WATCH, _WATCH_EXAMPLES)
    _add_names(parser)
    parser.add_argument(
        "--every",
        type=_seconds,
        default=0.5,
        metavar="SECONDS",
        help="how often to look (default: %(default)s)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    args.format, args.output = "table", None
    seen: dict[str, tuple[int, int]] | None = None
    try:
        while True:
            now = _stamps(args.names, strict=seen is None)
            if now != seen:
                changed = sorted(
                    path
                    for path in {*now, *(seen or {})}
                    if path and seen and now.get(path) != seen.get(path)
                )
                seen = now
                _look(args, changed)
            time.sleep(args.every)
    except KeyboardInterrupt:
        sys.stdout.write("\n")
        remark(args, "stopped watching")
        return 0


def _look(args: argparse.Namespace, changed: Sequence[str]) -> None:
    stamp = time.strftime("%H:%M:%S")
    why = f" ({', '.join(map(os.path.basename, changed))} changed)" if changed else ""
    sys.stdout.write(f"--- {stamp}{why}\n")
    try:
        _write(_check(args), args)
    except (TertiumError, OSError) as error:
        # A file may be half saved, or gone for a moment: the next look will tell.
        sys.stdout.write(f"{error}\n")
    sys.stdout.flush()


def _stamps(names: Sequence[str], *, strict: bool) -> dict[str, tuple[int, int]]:
    """Return time and size of every file that may matter.

    A template that was there may be gone for a moment; unless `strict`, that is a
    change like others.
    """
    found: dict[str, tuple[int, int]] = {}
    try:
        files = _files(names)
    except (InputError, OSError):  # OSError: gone between two looks at a folder
        if strict:
            raise
        return {"": (0, 0)}
    for path in files:
        try:
            about = path.stat()
        except OSError:
            continue
        found[str(path)] = (about.st_mtime_ns, about.st_size)
    return found


def _files(names: Sequence[str]) -> set[Path]:
    """Return the files of templates, and those of folders their grammars name."""
    files: set[Path] = set()
    for name in names:
        if os.path.isfile(name):
            files.add(Path(name))
            continue
        for folder in inputs.find_templates([name]):
            own = {path for path in folder.iterdir() if path.is_file()}
            files |= own
            for path in own:
                if path.suffix == ".gf":
                    files |= _elsewhere(path)
    return files


def _elsewhere(path: Path) -> set[Path]:
    """Return the grammars in the folders of a line ``--# -path=.:../common``."""
    try:
        first = path.read_text(encoding="utf-8", errors="replace").split("\n")[0]
    except OSError:
        return set()
    mark, equals, folders = first.partition("-path=")
    if not equals or not mark.startswith("--#"):
        return set()
    return {
        own
        for folder in folders.strip().split(":")
        for own in (path.parent / folder).glob("*.gf")
    }


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.05 <= value <= 3600:
        message = f"{text!r} is no time; give seconds, 0.05 to 3600"
        raise argparse.ArgumentTypeError(message)
    return value

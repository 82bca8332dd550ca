# SPDX-License-Identifier: Apache-2.0
"""Checks of templates and reference files, also of those that cannot be read."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tertium._messages import count
from tertium.data.lines import StrPath
from tertium.errors import (
    FormatError,
    InputError,
    MissingExtraError,
    UntrustedError,
)
from tertium.grammars.authoring.catalogue import find_templates, is_template, load_named
from tertium.grammars.authoring.template import Template
from tertium.grammars.authoring.validation import Finding, TokenAnalyser, check_template
from tertium.grammars.gf.problems import GrammarError
from tertium.grammars.morphology import load_analyser
from tertium.grammars.morphology.analysers import analyser_spec
from tertium.grammars.sets.exchange import as_paths
from tertium.grammars.sets.reference_files import read_reference_sets

__all__ = ["CheckReport", "check_templates"]


@dataclass(frozen=True)
class CheckReport:
    """The findings in one template or reference file.

    Attributes
    ----------
    name : str
        The template id, or the file.
    summary : str
        What it contains.
    findings : tuple of Finding
        Errors and warnings.
    notes : tuple of str
        What was not checked, and why.
    """

    name: str
    summary: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return len(self.findings) - self.errors

    def to_dict(self) -> dict[str, object]:
        """Return ``name``, ``summary`` and ``findings``."""
        return {
            "name": self.name,
            "summary": self.summary,
            "findings": [finding.to_dict() for finding in self.findings],
        }


def check_templates(
    names: StrPath | Sequence[StrPath],
    *,
    analyser: str | None = None,
    allow_commands: bool = False,
    allow_outside: bool = False,
) -> list[CheckReport]:
    """Look for mistakes in templates and reference files.

    Parameters
    ----------
    names : str, path, or sequence of these
        Templates as :func:`tertium.grammars.find_templates` finds them, and reference
        files.
    analyser : str, optional
        What analyses words of the target languages, or ``none``; what each template
        names by default.
    allow_commands : bool
        Whether the analysers that templates name may start programs or load models
        that can run code.
    allow_outside : bool
        Whether files may be read from outside their folder.

    Returns
    -------
    list of CheckReport
        One per template or file. A template that cannot be read is a finding, too.

    Raises
    ------
    InputError
        When a name is neither a template nor a file.

    Examples
    --------
    >>> (report,) = check_templates("size", analyser="none")
    >>> report.name, report.errors
    ('size', 0)
    """
    reports = []
    for name in as_paths(names):
        if os.path.isfile(name) and not is_template(name):
            reports.append(_check_file(name, allow_outside=allow_outside))
            continue
        for folder in find_templates(name):
            reports.append(
                _check_folder(
                    folder,
                    name,
                    analyser,
                    allow_commands=allow_commands,
                    allow_outside=allow_outside,
                )
            )
    return reports


def _check_file(name: StrPath, *, allow_outside: bool) -> CheckReport:
    try:
        segments = read_reference_sets(name, allow_outside=allow_outside)
    except FormatError as error:
        return _unreadable(os.fspath(name), error)
    total = sum(segment.automaton.count for segment in segments)
    return CheckReport(
        os.fspath(name),
        f"{count(len(segments), 'segment')}, {count(total, 'reference')}",
        tuple(_lost(note) for segment in segments for note in segment.notes),
    )


def _lost(note: str) -> Finding:
    """Return what a reference set lacks of its file as a warning."""
    where, _, text = note.partition(": ")
    what, _, cure = text.partition("; ")
    return Finding("warning", "lost", where, what, cure)


def _check_folder(
    folder: Path,
    name: StrPath,
    analyser: str | None,
    *,
    allow_commands: bool,
    allow_outside: bool,
) -> CheckReport:
    try:
        template = load_named(
            folder, name, allow_commands=allow_commands, allow_outside=allow_outside
        )
        analysers, rejected, notes = _analysers(template, analyser)
        findings = check_template(template, analysers)
    except MissingExtraError:
        raise
    except FormatError as error:
        return _unreadable(str(folder), error)
    return CheckReport(
        template.id, _summary(template), (*rejected, *findings), tuple(notes)
    )


def _analysers(
    template: Template, spec: str | None
) -> tuple[dict[str, TokenAnalyser], list[Finding], list[str]]:
    """Return analysers by language, errors of those not allowed, and notes."""
    analysers: dict[str, TokenAnalyser] = {}
    rejected: list[Finding] = []
    notes: list[str] = []
    for language in template.targets:
        try:
            wanted = spec or analyser_spec(template, language)
            if wanted != "none":
                analysers[language] = load_analyser(wanted)
        except UntrustedError as error:
            rejected.append(_finding("untrusted", error))
        except (InputError, MissingExtraError) as error:
            if spec:
                raise
            # The grammar can be checked all the same.
            notes.append(f"words of {language} are not looked up: {error}")
    return analysers, rejected, notes


def _unreadable(name: str, error: FormatError) -> CheckReport:
    every = (error, *error.others) if isinstance(error, GrammarError) else (error,)
    return CheckReport(name, "cannot be read", tuple(map(_problem, every)))


def _problem(error: FormatError) -> Finding:
    if not isinstance(error, GrammarError):
        code = "untrusted" if isinstance(error, UntrustedError) else "file"
        return _finding(code, error)
    return Finding(
        "error",
        "grammar",
        str(error.at or error.path),
        error.what,
        error.cure,
        str(error).partition("\n")[2],
        error.options,
    )


def _finding(code: str, error: FormatError) -> Finding:
    first, _, excerpt = str(error).partition("\n")
    where, text = _place(first, error.path)
    what, _, cure = text.rpartition("; ")
    return Finding("error", code, where, what or cure, cure, excerpt, error.options)


def _place(text: str, path: str) -> tuple[str, str]:
    """Return file, line and perhaps column of an error, and the rest of its text."""
    numbers, _, rest = text.removeprefix(path).partition(": ")
    if re.fullmatch(r"(:\d+)*", numbers):
        return f"{path}{numbers}", rest
    return path, text.removeprefix(path)


def _summary(template: Template) -> str:
    grammar = template.grammar
    parts = [
        count(grammar.trees, "tree"),
        count(len(grammar.sets(template.source)), "set"),
    ]
    for language in template.languages:
        total = sum(automaton.count for automaton in grammar.sets(language).values())
        parts.append(f"{language} {total:,}")
    return ", ".join(parts)

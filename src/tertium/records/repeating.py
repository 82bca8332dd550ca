# SPDX-License-Identifier: Apache-2.0
"""A recorded run, run again: equal, different and where, or what is missing.

Inputs that have changed are used as they are, and are the first of the differences.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from tertium._version import __version__
from tertium.errors import InputError
from tertium.records.comparing import Difference, differences, file_differences
from tertium.records.files import hash_file
from tertium.records.machine import VALUES
from tertium.records.mirror import Mirror
from tertium.records.missing import (
    Located,
    Missing,
    changed_versions,
    find_missing,
    locate,
)
from tertium.records.run import File, Json, Results, Run, read_run
from tertium.records.unrecorded import why_unrecorded

__all__ = ["Repetition", "Verdict", "repeat"]

#: Without the current folder among the places that Python imports from: it may hold
#: files of the record.
_START = "from tertium.cli.repeat.child import main; main()"

#: The options of verbs that a repetition sets itself.
_RECORD, _CHECKPOINT, _CLUSTER = "--record", "--checkpoint", "--cluster"
_CACHE = "--cache"

#: What Dask starts on this machine to know its processor.
_HARMLESS = {"uname -p"}

#: Clusters of this machine, which compute what one process computes.
_LOCAL = r"local(:\d+)?"

#: Of a hash that are shown.
_DIGITS = 16


class Verdict(Enum):
    """How a repetition ended."""

    EQUAL = "equal"
    DIFFERENT = "different"
    MISSING = "missing"


@dataclass(frozen=True)
class Repetition:
    """A recorded run and its repetition.

    Attributes
    ----------
    run : Run
        The record.
    again : Run, optional
        The record of the repetition; None if it could not be run, or ended with an
        error because an input had changed.
    differences : sequence of Difference
        Of inputs, then of results.
    missing : sequence of Missing
    """

    run: Run
    again: Run | None
    differences: Sequence[Difference] = ()
    missing: Sequence[Missing] = ()

    @property
    def verdict(self) -> Verdict:
        """Whether inputs and results were equal."""
        if self.missing:
            return Verdict.MISSING
        return Verdict.DIFFERENT if self.differences else Verdict.EQUAL

    @property
    def versions(self) -> Mapping[str, tuple[str, str]]:
        """Versions that differ, then and now."""
        return {} if self.again is None else changed_versions(self.run, self.again)

    def to_dict(self) -> dict[str, Json]:
        """Return the object that ``tertium repeat -f json`` prints."""
        return {
            "tertium": __version__,
            "verdict": self.verdict.value,
            "command": list(self.run.command),
            "differences": [
                {"where": each.where, "then": each.then, "now": each.now}
                for each in self.differences
            ],
            "missing": [
                {"what": each.what, "why": each.why, "cure": each.cure}
                for each in self.missing
            ],
            "versions": {name: list(pair) for name, pair in self.versions.items()},
        }


def repeat(
    path: str | os.PathLike[str],
    *,
    folder: str | None = None,
    search: Sequence[str] = (),
    stdin: str | None = None,
    tolerance: float = 0.0,
    trust: bool = False,
) -> Repetition:
    """Run a recorded command again and compare the results.

    It runs in a process of its own that may write nowhere but in a temporary folder,
    which has the inputs at their places. Without `trust`, what workers on the same
    machine did (``--cluster local:4``) is done in that process: the results are equal.

    Parameters
    ----------
    path : path-like
        The record.
    folder : str, optional
        Where the inputs are: the folder that the command was run in. By default where
        it was, seen from the record.
    search : sequence of str
        Folders to search for inputs that are not at their places, by their content.
    stdin : str, optional
        A file with what the run read from standard input.
    tolerance : float
        How far numbers may differ, relative to the larger one.
    trust : bool
        Whether the run may start programs and open connections. A record from someone
        else could start anything.

    Raises
    ------
    FormatError
        If the file is not a record.
    InputError
        If its command cannot be repeated, such as that of a server.
    """
    name = os.fspath(path)
    run = read_run(name)
    _check_command(run, name)
    base = folder if folder is not None else _folder(run, name)
    inputs, missing = locate(run, base, search)
    missing += _missing_stdin(run, stdin)
    changed = [*_changed_inputs(inputs), *_changed_stdin(run, stdin)]
    if not trust:
        missing += _missing_trust(run, name)
    missing += find_missing(run)
    if missing:
        return Repetition(run, None, missing=missing)
    with tempfile.TemporaryDirectory(prefix="tertium-repeat-") as root:
        mirror = Mirror.make(root, run, inputs)
        again, message = _run(run, mirror, stdin, trust=trust)
        if again is None and changed:
            end = Difference("the run", f"exit code {run.results.exit}", message)
            return Repetition(run, None, [*changed, end])
        if again is None:
            cure = "see the message, and what the record says about versions"
            failed = Missing("a run without errors", message, cure)
            return Repetition(run, None, missing=[failed])
        again = replace(again, results=_named_as_then(again.results, mirror))
        changes = differences(run.results, again.results, tolerance=tolerance)
        changes = _explained(changes, run, base, mirror)
    return Repetition(run, again, [*changed, *changes])


def _check_command(run: Run, name: str) -> None:
    if unrecorded := why_unrecorded(run.command):
        command, why = unrecorded
        raise InputError(f"{name}: {command} cannot be repeated: {why}")
    if _with_option(run.command, _RECORD, "") == list(run.command):
        raise InputError(f'{name}: "command" does not write a record; record it again')


def _folder(run: Run, name: str) -> str:
    parent = os.path.dirname(os.path.abspath(name))
    return os.path.normpath(os.path.join(parent, *run.folder.split("/")))


def _missing_stdin(run: Run, stdin: str | None) -> list[Missing]:
    if run.input_text is None:
        return []
    what = f"standard input of {run.input_text.size:,} bytes"
    known = f" (sha256 {run.input_text.sha256})"
    if stdin is None:
        cure = "give a file with the same content as stdin"
        return [Missing(what, f"the run read it{known}", cure)]
    if not os.path.isfile(stdin):
        return [Missing(what, f"there is no file {stdin}", "correct the path")]
    return []


def _changed_inputs(inputs: Sequence[Located]) -> Iterator[Difference]:
    for each in inputs:
        if each.now is not None and each.file.sha256 is not None:
            yield _changed(f"input {each.file.path}", each.file.sha256, each.now)


def _changed_stdin(run: Run, stdin: str | None) -> Iterator[Difference]:
    if run.input_text is not None and stdin is not None and os.path.isfile(stdin):
        now = hash_file(stdin)
        if now != run.input_text.sha256:
            yield _changed("standard input", run.input_text.sha256, now)


def _changed(where: str, then: str, now: str) -> Difference:
    return Difference(where, *(f"sha256 {each[:_DIGITS]}" for each in (then, now)))


def _with_option(words: Sequence[str], name: str, value: str) -> list[str]:
    """Return a command with another value of an option, if it has the option."""
    out = list(words)
    for number, word in enumerate(words):
        if word == "--":
            break
        if word.startswith(f"{name}="):
            out[number] = f"{name}={value}"
        elif word == name and number + 1 < len(words):
            out[number + 1] = value
    return out


def _values(words: Sequence[str], option: str) -> list[tuple[slice, str]]:
    """Return where a command has an option, and with which value."""
    end = list(words).index("--") if "--" in words else len(words)
    out = []
    for number, word in enumerate(words[:end]):
        if word.startswith(f"{option}="):
            place = slice(number, number + 1)
            out.append((place, word.partition("=")[2]))
        elif word == option and number + 1 < end:
            out.append((slice(number, number + 2), words[number + 1]))
    return out


def _without(words: Sequence[str], option: str, pattern: str = ".*") -> list[str]:
    """Return a command without an option whose value matches a pattern.

    Examples
    --------
    >>> _without(["score", "--cluster", "local:4", "-m", "bleu"], "--cluster", _LOCAL)
    ['score', '-m', 'bleu']
    """
    out = list(words)
    for place, value in reversed(_values(words, option)):
        if re.fullmatch(pattern, value, re.DOTALL):
            del out[place]
    return out


def _missing_trust(run: Run, name: str) -> list[Missing]:
    """Return what a run did that a record from a stranger must not do."""
    programs = [each for each in run.programs if each not in _HARMLESS]
    named = [each for _, each in _values(run.command, _CLUSTER)]
    others = [each for each in named if not re.fullmatch(_LOCAL, each)]
    reasons = []
    if others:
        reasons.append(f"the run used the cluster {others[-1]}")
    if programs:
        reasons.append(f"the run started programs: {'; '.join(programs[:3])}")
    cure = "read the record, and allow it if you trust it"
    return [Missing(f"trust in {name}", why, cure) for why in reasons]


def _run(
    run: Run, mirror: Mirror, stdin: str | None, *, trust: bool
) -> tuple[Run | None, str]:
    """Return the record of the repetition, or None and what was said instead."""
    record = os.path.join(mirror.root, "record", "run.json")
    os.mkdir(os.path.dirname(record))
    # Workers have no guard.
    words = mirror.words if trust else _without(mirror.words, _CLUSTER, _LOCAL)
    words = _with_option(words, _RECORD, record)
    # What was kept is not a repetition, and that of a stranger is not to be trusted.
    words = _without(words, _CACHE)
    words = _with_option(words, _CHECKPOINT, os.path.join(mirror.root, "checkpoint"))
    with open(stdin or os.devnull, "rb") as source:
        done = subprocess.run(  # noqa: S603 (no shell; Tertium's own verbs)
            [
                sys.executable,
                "-c",
                _START,
                mirror.root,
                mirror.folder,
                "trust" if trust else "guard",
                *words,
            ],
            stdin=source if stdin else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=mirror.root,
            env=_environment(run, mirror),
            check=False,
        )
    messages = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if not os.path.isfile(record):
        last = messages[-1] if messages else f"exit code {done.returncode}"
        return None, last.removeprefix("tertium: ")
    return read_run(record), ""


def _environment(run: Run, mirror: Mirror) -> dict[str, str]:
    """Return the environment of the repetition: ours, with the record's settings."""
    place = os.path.join(mirror.root, "tmp")
    os.makedirs(place, exist_ok=True)
    ours = {name: value for name, value in os.environ.items() if name not in VALUES}
    theirs = {name: run.environment[name] for name in VALUES if name in run.environment}
    return {
        **ours,
        **theirs,
        "PYTHONDONTWRITEBYTECODE": "1",
        "TERTIUM_CACHE": "off",  # A cached result is not a repetition.
        "TMPDIR": place,
        "TEMP": place,
        "TMP": place,
    }


def _named_as_then(results: Results, mirror: Mirror) -> Results:
    """Return results with the files under the names that the record has for them."""
    names = {place.replace(os.sep, "/"): path for path, place in mirror.renamed.items()}
    files = [
        File(names.get(file.path, file.path), file.sha256, file.size)
        for file in results.files
    ]
    return replace(results, files=files)


def _explained(
    changes: Sequence[Difference], run: Run, base: str, mirror: Mirror
) -> list[Difference]:
    """Return the differences, those of files line by line where that is possible.

    A record has only the hash of a file, but the file may still be there.
    """
    files = {file.path: file for file in run.results.files}
    out: list[Difference] = []
    for each in changes:
        file = files.get(each.where)
        then = _known(file, base) if file else None
        if file is None or then is None:
            out.append(each)
            continue
        place = mirror.renamed.get(file.path)
        now = place or os.path.join(mirror.folder, *file.path.split("/"))
        version = run.versions.get("tertium", __version__)
        lines = file_differences(file.path, then, now, version=version)
        out += [each] if lines is None else lines
    return out


def _known(file: File, base: str) -> str | None:
    """Return where a result of the first run is, if it is unchanged."""
    parts = [file.path] if os.path.isabs(file.path) else [base, *file.path.split("/")]
    place = os.path.join(*parts)
    if not os.path.isfile(place) or hash_file(place) != file.sha256:
        return None
    return place

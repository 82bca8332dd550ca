# SPDX-License-Identifier: Apache-2.0
"""The record of a run: what was asked, what was read, what came out.

A record is JSON that a person can read. It comes from someone else as often as not, so
:meth:`Run.from_dict` believes nothing: whatever is not as it should be is an error that
names the field.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from tertium.errors import FormatError
from tertium.records.checking import Fields

__all__ = ["SCHEMA", "File", "Results", "Run", "Text", "read_run"]

#: Of the layout; another number is another layout.
SCHEMA = 1

#: What JSON can hold.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_CURE = "name a file that `tertium VERB --record FILE` wrote"
_SHA256 = re.compile("[0-9a-f]{64}")
_LARGEST = 256 * 1024 * 1024  # bytes of a record


@dataclass(frozen=True)
class File:
    """A file that a run has read or written.

    Attributes
    ----------
    path : str
        With slashes: relative to the run's folder, absolute where the command names it
        so, or for a resource ``PLACE:PATH``, such as ``tertium:text/wordlists/en``.
    sha256 : str, optional
        Of the content; None for a pipe, or if the run changed the file after reading.
    size : int, optional
        In bytes.
    """

    path: str
    sha256: str | None
    size: int | None

    def to_dict(self) -> dict[str, Json]:
        """Return the file as JSON."""
        return {"path": self.path, "sha256": self.sha256, "bytes": self.size}

    @classmethod
    def from_fields(cls, fields: Fields) -> File:
        """Return the file that JSON describes."""
        return cls(
            fields.path("path"), _hash(fields), fields.count("bytes", optional=True)
        )


@dataclass(frozen=True)
class Text:
    """What a run has written to standard output, or read from standard input.

    Attributes
    ----------
    sha256 : str
        Of the bytes; of output, after the version of Tertium was taken out.
    size : int
        In bytes, likewise.
    text : str, optional
        The text itself, unless it is long.
    """

    sha256: str
    size: int
    text: str | None = None

    def to_dict(self) -> dict[str, Json]:
        """Return the text as JSON."""
        content: dict[str, Json] = {"sha256": self.sha256, "bytes": self.size}
        return content if self.text is None else {**content, "text": self.text}

    @classmethod
    def from_fields(cls, fields: Fields) -> Text:
        """Return the text that JSON describes."""
        digest = _hash(fields)
        if digest is None:
            raise fields.wrong("sha256", "is missing")
        size = fields.count("bytes")
        return cls(digest, size or 0, fields.text("text", optional=True))


@dataclass(frozen=True)
class Results:
    """What came out of a run.

    Attributes
    ----------
    exit : int
        The exit code.
    output : Text
        Standard output.
    data : JSON, optional
        The result with all digits, for verbs that have JSON; in whatever format it was
        shown.
    files : sequence of File
        What was written.
    folders : sequence of str
        The folders for these that were there before.
    """

    exit: int
    output: Text
    data: Json = None
    files: Sequence[File] = ()
    folders: Sequence[str] = ()

    def to_dict(self) -> dict[str, Json]:
        """Return the results as JSON."""
        return {
            "exit": self.exit,
            "stdout": self.output.to_dict(),
            "data": self.data,
            "files": [file.to_dict() for file in self.files],
            "folders": list(self.folders),
        }

    @classmethod
    def from_fields(cls, fields: Fields) -> Results:
        """Return the results that JSON describes."""
        return cls(
            exit=fields.count("exit") or 0,
            output=Text.from_fields(fields.inner("stdout")),
            data=cast("Json", fields.any("data")),
            files=[File.from_fields(each) for each in fields.several("files")],
            folders=fields.paths("folders"),
        )


@dataclass(frozen=True)
class Run:
    """One run of a verb.

    Attributes
    ----------
    command : sequence of str
        The words after ``tertium``, as typed.
    folder : str
        Where it was run, relative to the record.
    options : mapping of str to JSON
        All options, those not typed with their defaults.
    seed, threads : int, optional
        None where the verb has none, or all cores were used.
    versions : mapping of str to str
        Of Tertium, Python and every distribution that was imported.
    environment : mapping of str to str
        Variables that the verb may heed; of paths, only that they were set.
    inputs, resources : sequence of File
        The user's files; word lists, models and other files that came with a package or
        lie in a folder for such files.
    input_text : Text, optional
        Standard input, if it was read.
    programs : sequence of str
        Commands of other programs that were started.
    machine : mapping of str to str or int
    started : str
        Date and time, UTC.
    seconds : float
    results : Results
    facts : mapping of str to JSON
        About the data, such as the number of segments; for ``tertium cite``.
    """

    command: Sequence[str]
    folder: str
    options: Mapping[str, Json]
    versions: Mapping[str, str]
    inputs: Sequence[File]
    resources: Sequence[File]
    results: Results
    seed: int | None = None
    threads: int | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    input_text: Text | None = None
    programs: Sequence[str] = ()
    machine: Mapping[str, str | int] = field(default_factory=dict)
    started: str = ""
    seconds: float = 0.0
    facts: Mapping[str, Json] = field(default_factory=dict)

    @property
    def verb(self) -> str:
        """The verb, such as ``score``."""
        return self.command[0]

    def to_dict(self) -> dict[str, Json]:
        """Return the record as JSON."""
        return {
            "tertium-record": SCHEMA,
            "command": list(self.command),
            "folder": self.folder,
            "started": self.started,
            "seconds": self.seconds,
            "seed": self.seed,
            "threads": self.threads,
            "options": dict(self.options),
            "versions": dict(self.versions),
            "machine": dict(self.machine),
            "environment": dict(self.environment),
            "programs": list(self.programs),
            "inputs": [file.to_dict() for file in self.inputs],
            "stdin": None if self.input_text is None else self.input_text.to_dict(),
            "resources": [file.to_dict() for file in self.resources],
            "facts": dict(self.facts),
            "results": self.results.to_dict(),
        }

    def to_json(self) -> str:
        """Return the record as it is written to a file."""
        content = self.to_dict()
        return f"{json.dumps(content, ensure_ascii=False, indent=1)}\n"

    @classmethod
    def from_dict(cls, content: object, *, path: str = "<record>") -> Run:
        """Return the record that JSON describes.

        Raises
        ------
        FormatError
            For everything that is not as :meth:`to_dict` returns it.
        """
        fields = Fields(content, path)
        if "tertium-record" not in fields.content:
            raise FormatError(f"not a record; {_CURE}", path=path)
        schema = fields.count("tertium-record")
        if schema != SCHEMA:
            message = (
                f"a record in layout {schema}, but this version of Tertium reads "
                f"{SCHEMA}; use the version that wrote it"
            )
            raise FormatError(message, path=path)
        command = fields.texts("command")
        if not command:
            raise fields.wrong("command", "is empty")
        if any("\0" in word for word in command):
            raise fields.wrong("command", "has a null character")
        stdin = fields.any("stdin")
        return cls(
            command=command,
            folder=fields.path("folder"),
            options=cast("Mapping[str, Json]", fields.inner("options").content),
            seed=fields.count("seed", optional=True),
            threads=fields.count("threads", optional=True),
            versions=fields.inner("versions").all_texts(),
            environment=fields.inner("environment").all_texts(),
            inputs=[File.from_fields(each) for each in fields.several("inputs")],
            resources=[File.from_fields(each) for each in fields.several("resources")],
            input_text=(
                None if stdin is None else Text.from_fields(fields.inner("stdin"))
            ),
            programs=fields.texts("programs"),
            machine=fields.inner("machine").texts_or_counts(),
            started=fields.text("started") or "",
            seconds=fields.number("seconds"),
            results=Results.from_fields(fields.inner("results")),
            facts=cast("Mapping[str, Json]", fields.inner("facts").content),
        )


def read_run(path: str | os.PathLike[str]) -> Run:
    """Return the record in a file.

    Raises
    ------
    FormatError
        If there is no such file, or it is not a record.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        what = f"cannot be read ({error.strerror or error}); check the path"
        raise FormatError(what, path=name) from None
    except ValueError:
        raise FormatError("cannot be a file name; check it", path=repr(name)) from None
    if len(raw) > _LARGEST:
        raise FormatError("too large for a record; name another file", path=name)
    try:
        content = json.loads(raw)
    except UnicodeDecodeError:
        raise FormatError(f"not UTF-8; {_CURE}", path=name) from None
    except json.JSONDecodeError as error:
        what = f"not JSON ({error.msg}); {_CURE}"
        raise FormatError(what, path=name, line=error.lineno) from None
    except (RecursionError, ValueError):  # nested too deeply; too many digits
        raise FormatError(f"not JSON that can be read; {_CURE}", path=name) from None
    return Run.from_dict(content, path=name)


def _hash(fields: Fields) -> str | None:
    digest = fields.text("sha256", optional=True)
    if digest is not None and not _SHA256.fullmatch(digest):
        raise fields.wrong("sha256", "is not a hash of 64 hexadecimal digits")
    return digest

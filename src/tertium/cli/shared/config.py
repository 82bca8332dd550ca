# SPDX-License-Identifier: Apache-2.0
"""Options from ``tertium.toml``: a table per verb, with the long names of its flags.

::

    [all]
    threads = 2

    [score]
    references = ["ref.txt"]
    metrics = ["bleu", "chrf++"]

They become words of the command line, so that a record has them; an option that is
typed replaces that of the file. A file that merely lies in the current folder may come
from someone else: it may set what is read, computed and shown, and nothing that writes
files, starts programs or opens connections. A file that is named with ``--config`` may
set all.

Nothing of this is imported unless there is such a file.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence

from tertium._toml import read_toml
from tertium.cli import VERBS
from tertium.cli.shared.parsers import parser_of
from tertium.errors import (
    FormatError,
    InputError,
    TertiumError,
    UnknownNameError,
    UntrustedError,
)

__all__ = ["FILE", "HARMLESS", "SHARED", "configured"]

#: What is read if it lies in the current folder.
FILE = "tertium.toml"

_ALL = "all"

#: Options of many verbs, which the table [all] may have; verbs without one ignore it.
SHARED = frozenset(
    [
        "alpha",
        "digits",
        "docs",
        "format",
        "input-format",
        "langpair",
        "metrics",
        "no-cache",
        "quiet",
        "references",
        "resamples",
        "seed",
        "sort",
        "source",
        "threads",
    ]
)

_TEXTS = frozenset(
    ["alignments", "mtme", "one-based", "ref-trees", "reference", "sets", "sure-only"]
)
_TEXTS |= {"systems", "systems-columns", "trees"}

#: What a file that nobody named may set, besides :data:`SHARED`, by verb: other options
#: write files, start programs, load models, open connections, or allow that. The same
#: name can mean something else to another verb: `permute --permutations` is written.
HARMLESS: Mapping[str, frozenset[str]] = {
    "score": _TEXTS
    | {"data-hash", "documents", "interval", "permutations", "segments", "worst"}
    | {"joined", "lower-is-better", "resegment", "scores", "test-set", "zero-based"},
    "compare": _TEXTS
    | {"baseline", "by-document", "correction", "data-hash", "gaps", "lower-is-better"}
    | {"pairs", "scores", "test", "test-set"},
    "report": _TEXTS
    | {"by-document", "focus", "language", "scores", "tags", "title", "training"},
    "explain": _TEXTS,
    "correlate": _TEXTS | {"correction", "data-hash", "over", "scores", "test"},
    "check": frozenset({"systems", "systems-columns"}),
}

#: What a test set on the command line replaces.
_INPUTS = ("docs", "mtme", "permutations", "references", "source", "systems")

#: Verbs whose command lines are someone else's, or hold another command line.
_WITHOUT = ("sacrebleu", "completion", "repeat")
_NEVER = ("config", "no-config", "record", "help")


def configured(
    verb: str, words: Sequence[str], run: Callable[[Sequence[str]], int]
) -> list[str]:
    """Return the words after a verb, with those that its configuration adds.

    Parameters
    ----------
    verb : str
    words : sequence of str
        As typed; ``--config FILE`` and ``--no-config`` are taken out.
    run : callable
        The command of the verb.
    """
    words, path, wanted = _choice(words)
    if not wanted or verb in _WITHOUT or {"-h", "--help"} & set(words):
        if path and verb in _WITHOUT:
            raise InputError(f"tertium {verb} has no configuration; omit --config")
        return words
    tables = _Tables(path or FILE, trusted=path is not None)
    if not tables.concern(verb):
        return words
    try:
        parser = parser_of(run, words or ["\0"])
    except TertiumError:
        return words  # The verb says what is wrong with them.
    added = tables.words(parser, words)
    if added and not {"-q", "--quiet"} & {*words, *added}:
        import shlex

        shown = " ".join(map(shlex.quote, added))
        sys.stderr.write(f"tertium: {tables.path} adds {shown}\n")
    place = words.index("--") if "--" in words else len(words)
    return [*words[:place], *added, *words[place:]]


def _choice(words: Sequence[str]) -> tuple[list[str], str | None, bool]:
    """Return words without the choice of a file, the file, and whether to read one."""
    rest: list[str] = []
    path, wanted = None, True
    items = iter(words)
    for word in items:
        if word == "--":
            rest += [word, *items]
        elif word == "--no-config":
            wanted = False
        elif word == "--config":
            path = next(items, None)
            if path is None:
                raise InputError("--config needs a file")
        elif word.startswith("--config="):
            path = word.partition("=")[2]
        else:
            rest.append(word)
    if path is not None and not wanted:
        raise InputError("--config names a file and --no-config forbids it; omit one")
    return rest, path, wanted


class _Tables:
    """A configuration file."""

    def __init__(self, path: str, *, trusted: bool) -> None:
        self.path = path
        self._trusted = trusted
        self._content = read_toml(path)
        with open(path, encoding="utf-8-sig") as file:
            self._lines = file.read().splitlines()
        for name, table in self._content.items():
            if name not in (*VERBS, _ALL):
                raise self._unknown("table", name, (*VERBS, _ALL), (), name)
            if name in _WITHOUT:
                raise self._wrong(f"tertium {name} does not read this file", (), name)
            if not isinstance(table, Mapping):
                raise self._wrong(f"{name} is not a table; write [{name}]", (), name)
        for key in self._content.get(_ALL, ()):
            if key not in SHARED:
                raise self._unknown("key of [all]", key, SHARED, (_ALL,), key)

    def concern(self, verb: str) -> bool:
        """Return whether there is anything for a verb."""
        return bool(self._content.get(verb) or self._content.get(_ALL))

    def words(self, parser: argparse.ArgumentParser, typed: Sequence[str]) -> list[str]:
        """Return the words for the options that are not typed."""
        place = tuple(parser.prog.split()[1:])
        options = {
            name[2:]: action
            for action in parser._actions  # argparse has no other way
            for name in action.option_strings
            if name.startswith("--") and name[2:] not in _NEVER
        }
        chosen: dict[str, tuple[tuple[str, ...], object]] = {}
        shared = self._content.get(_ALL, {})
        for key in shared:
            if key in options:
                chosen[key] = ((_ALL,), shared[key])
        for key, value in self._table(place).items():
            if key not in options:
                raise self._unknown(
                    f"option of tertium {' '.join(place)}", key, options, place, key
                )
            chosen[key] = (place, value)
        added: list[str] = []
        replaced = _INPUTS if _has_texts(parser, typed) else ()
        for key, (where, value) in chosen.items():
            self._check_trust(key, value, where)
            words = self._option(key, value, options[key], where)
            if key not in replaced and not _typed(options[key], typed):
                added += words
        return added

    def _table(self, place: Sequence[str]) -> Mapping[str, object]:
        """Return the table of a verb or of an action of one, such as [tune.run]."""
        table: Mapping[str, object] = self._content
        for depth, name in enumerate(place):
            below = table.get(name, {})
            if not isinstance(below, Mapping):
                return {}
            if depth + 1 < len(place):
                above = tuple(place[: depth + 1])
                for key, value in below.items():
                    if not isinstance(value, Mapping):
                        what = f"[{'.'.join(above)}] has tables of actions, not {key}"
                        raise self._wrong(what, above, key)
            table = below
        return table

    def _check_trust(self, key: str, value: object, where: tuple[str, ...]) -> None:
        if self._trusted:
            return
        cure = f"type --{key}, or --config {self.path} if you trust the file"
        if key not in SHARED | HARMLESS.get(where[0], frozenset()):
            what = f"{key} may not come from a file that nobody named; {cure}"
            raise UntrustedError(what, path=self.path, line=self._line(where, key))
        if key == "metrics":
            from tertium.metrics import metric
            from tertium.metrics.settings import from_a_file

            try:
                with from_a_file():
                    for spec in value if isinstance(value, list) else [value]:
                        metric(str(spec))
            except InputError as error:
                line = self._line(where, key)
                raise FormatError(str(error), path=self.path, line=line) from None

    def _option(
        self, key: str, value: object, action: argparse.Action, where: tuple[str, ...]
    ) -> list[str]:
        """Return an option as it would be typed."""
        flag = f"--{key}"
        if action.nargs == 0:
            if not isinstance(value, bool):
                raise self._wrong(f"{key} is either true or false", where, key)
            return [flag] if value else []
        if isinstance(value, bool):
            if action.nargs != "?":
                raise self._wrong(f"{key} needs a value, not true or false", where, key)
            return [flag] if value else []
        if isinstance(value, Mapping):
            value = [f"{name}={_joined(files)}" for name, files in value.items()]
        many = action.nargs in ("+", "*")
        items = value if isinstance(value, list) else [value]
        if not many and len(items) != 1:
            raise self._wrong(f"{key} takes one value, not a list", where, key)
        for item in items:
            if isinstance(item, bool) or not isinstance(item, str | int | float):
                what = f"{key} takes texts and numbers, not {type(item).__name__}"
                raise self._wrong(what, where, key)
        texts = [str(item) for item in items]
        if not many:
            return [f"{flag}={texts[0]}"]
        for text in texts:
            if text.startswith("-") and text != "-":
                raise self._wrong(f"{key} has {text!r}, an option", where, key)
        return [flag, *texts] if texts else []

    def _wrong(self, what: str, where: tuple[str, ...], key: str) -> FormatError:
        return FormatError(
            f"{what}; correct it", path=self.path, line=self._line(where, key)
        )

    def _unknown(
        self,
        kind: str,
        name: str,
        known: Sequence[str] | frozenset[str] | Mapping[str, object],
        where: tuple[str, ...],
        key: str,
    ) -> FormatError:
        message = str(UnknownNameError(kind, name, known))
        return FormatError(message, path=self.path, line=self._line(where, key))

    def _line(self, where: tuple[str, ...], key: str) -> int | None:
        """Return the line of a key in a table, if it is written in the usual way."""
        table: tuple[str, ...] = ()
        wanted = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*[.=]""")
        for number, line in enumerate(self._lines, start=1):
            if header := re.match(r"\s*\[+([^\]]*)\]", line):
                table = tuple(re.split(r"[.\s\"']+", header[1].strip(" \"'")))
                if (*where, key) == table[: len(where) + 1]:
                    return number
            elif table == where and wanted.match(line):
                return number
        return None


def _joined(files: object) -> str:
    return ",".join(map(str, files)) if isinstance(files, list) else str(files)


def _has_texts(parser: argparse.ArgumentParser, words: Sequence[str]) -> bool:
    """Return whether a command line names a whole test set."""
    try:
        options, _ = parser.parse_known_args(words)
    except InputError:
        return False
    wholes = ("testset", "mtme", "permutations")
    return any(getattr(options, name, None) for name in wholes)


def _typed(action: argparse.Action, words: Sequence[str]) -> bool:
    """Return whether an option is on a command line."""
    for word in words:
        if word == "--":
            return False
        for name in action.option_strings:
            if word == name or word.startswith(f"{name}="):
                return True
            short = len(name) == 2 and name[1] != "-"
            if short and word.startswith(name):
                return True
    return False

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
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from tertium._toml import read_toml
from tertium.cli import VERBS
from tertium.cli.shared.habits import settle
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

#: Options of many verbs, which the table [all] may have; verbs without one ignore it,
#: and `format` concerns those that show tables.
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

#: What only a file that is named may set: the other one could hide itself.
_HIDING = frozenset(["quiet"])

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
    | {"higher-is-better", "joined", "lower-is-better", "resegment", "scores"}
    | {"compress", "rows-per-shard", "test-set", "zero-based"},
    "compare": _TEXTS
    | {"baseline", "by-document", "correction", "data-hash", "gaps", "lower-is-better"}
    | {"higher-is-better", "pairs", "scores", "test", "test-set"},
    "report": _TEXTS
    | {"by-document", "correction", "data-hash", "focus", "higher-is-better"}
    | {"language", "lower-is-better", "resegment", "scores", "tags", "test"}
    | {"test-set", "title", "training"},
    "explain": _TEXTS,
    "correlate": _TEXTS
    | {"correction", "data-hash", "higher-is-better", "lower-is-better", "over"}
    | {"scores", "test"},
    "check": frozenset({"systems", "systems-columns"}),
    "resegment": frozenset({"always", "by", "exact", "text-key"}),
}

#: What a test set on the command line replaces, one of ``-t`` too.
_SET = frozenset(
    ["docs", "input-format", "mtme", "permutations", "ref-trees", "reference"]
)
_SET |= {"references", "sets", "source", "test-set", "zero-based"}

#: What a test set with outputs replaces besides; ``-t`` is scored with those of a file.
_OUTPUTS = frozenset(["alignments", "one-based", "scores", "sure-only", "systems"])
_OUTPUTS |= {"higher-is-better", "lower-is-better", "systems-columns", "tags", "trees"}

#: The names of options and arguments that are test sets with outputs.
_WHOLES = frozenset(["testset", "mtme", "permutations"])

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
    if path is None and not os.path.isfile(FILE):
        return words
    tables = _Tables(path or FILE, trusted=path is not None)
    if not tables.concern(verb):
        return words
    try:
        parser = parser_of(run, words or ["\0"])
    except TertiumError:
        return words  # The verb says what is wrong with them.
    chosen = tables.options(parser)
    typed = _typed(parser, words)
    if typed is None:
        return words  # As above.
    added = _untyped(parser, chosen, typed)
    if added and "quiet" not in typed:  # No file can hide what it adds.
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

    def options(self, parser: argparse.ArgumentParser) -> dict[str, list[str]]:
        """Return the words for every option of the file."""
        place = tuple(parser.prog.split()[1:])
        options = _options(parser)
        specific = self._table(place)
        chosen: dict[str, tuple[tuple[str, ...], object]] = {}
        for key, value in self._content.get(_ALL, {}).items():
            if key not in options or not _fits(key, value, options[key]):
                continue
            if not any(rival in specific for rival in _rivals(parser, options[key])):
                chosen[key] = ((_ALL,), value)
        for key, value in specific.items():
            if key not in options:
                raise self._unknown(
                    f"option of tertium {' '.join(place)}", key, options, place, key
                )
            chosen[key] = (place, value)
        words: dict[str, list[str]] = {}
        for key, (where, value) in chosen.items():
            self._check_trust(key, value, where)
            words[key] = self._option(key, value, options[key], where)
        return words

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
        allowed = SHARED | HARMLESS.get(where[0], frozenset())
        if key not in allowed - _HIDING:
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
        number = action.nargs if isinstance(action.nargs, int) else None
        many = action.nargs in ("+", "*") or number is not None
        items = value if isinstance(value, list) else [value]
        if number is not None and len(items) != number:
            raise self._wrong(f"{key} takes a list of {number} values", where, key)
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


def _options(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options that a file can set, by their long names."""
    return {
        name[2:]: action
        for action in parser._actions  # argparse has no other way
        for name in action.option_strings
        if name.startswith("--") and name[2:] not in _NEVER
    }


def _fits(key: str, value: object, action: argparse.Action) -> bool:
    """Return whether a verb is meant by a value of [all].

    A format is one of tables: what a verb writes otherwise, such as texts, stays. What
    is not a format at all is left for the verb to reject.
    """
    if key != "format":
        return True
    from tertium.cli.shared.flags import FORMATS

    known = value in (action.choices or ()) or value not in (*FORMATS, "xlsx")
    return action.default == "table" and known


def _rivals(parser: argparse.ArgumentParser, action: argparse.Action) -> set[str]:
    """Return the long names and inner names of what excludes an option."""
    return {
        name
        for group in parser._mutually_exclusive_groups
        if action in group._group_actions
        for rival in group._group_actions
        if rival is not action
        for name in (rival.dest, *(each[2:] for each in rival.option_strings))
    }


def _untyped(
    parser: argparse.ArgumentParser,
    chosen: Mapping[str, Sequence[str]],
    typed: frozenset[str],
) -> list[str]:
    """Return the words of options that nothing on the command line replaces."""
    replaced: frozenset[str] = frozenset()
    if typed & _WHOLES:
        replaced = _SET | _OUTPUTS
    elif "test_set" in typed:
        replaced = _SET
    options = _options(parser)
    return [
        word
        for key, words in chosen.items()
        if key not in replaced
        and options[key].dest not in typed
        and not _rivals(parser, options[key]) & typed
        for word in words
    ]


def _typed(
    parser: argparse.ArgumentParser, words: Sequence[str]
) -> frozenset[str] | None:
    """Return the inner names of what a command line sets; None if it is wrong.

    The parser loses its defaults.
    """
    for action in parser._actions:
        action.default, action.required = None, False
    for group in parser._mutually_exclusive_groups:
        group.required = False
    parser._defaults.clear()
    try:
        options, _ = parser.parse_known_args(words)
    except TertiumError:
        return None
    with suppress(TertiumError):  # The file may have what is missing.
        settle(parser, options, words)
    values = vars(options).items()
    return frozenset(name for name, value in values if value not in (None, []))

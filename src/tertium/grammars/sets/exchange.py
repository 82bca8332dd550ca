# SPDX-License-Identifier: Apache-2.0
r"""Test sets of grammars: their file, the files for systems, and outputs.

``testset.jsonl`` has one object per line::

    {"id": "have.1a,2b.Eng.strings.0", "template": "have", "set": "1a,2b",
     "source": "Anna has a big car now.", "constructions": ["XHasY"]}

The id is that of Nieminen (2018): template, variable set, language, and the number of
the sentence within its set. Systems get either one source per line, or objects
``{"id": ..., "source": ...}``; they return lines in the same order, or objects
``{"id": ..., "translation": ...}`` in any order.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError
from tertium.grammars.gf.variables import show_set

__all__ = [
    "SourceSentence",
    "as_paths",
    "make_folder",
    "read_outputs",
    "read_sources",
    "segment_id",
    "sentence_text",
    "set_label",
    "write_for_systems",
    "write_sources",
]

#: The keys of an output in JSON; the documented one comes first.
OUTPUT_KEYS = ("translation", "output", "hypothesis", "hyp", "target", "text")


@dataclass(frozen=True)
class SourceSentence:
    """A sentence to translate.

    Attributes
    ----------
    id : str
        Its name in all files.
    template : str
        Its template; empty if there is none.
    set : str
        The variable set, such as ``1a,2b``.
    source : str
        The text.
    constructions : tuple of str
        The functions that make it.
    """

    id: str
    template: str
    set: str
    source: str
    constructions: tuple[str, ...] = ()


def as_paths(paths: StrPath | Iterable[StrPath]) -> list[StrPath]:
    """Return one path or several as a list.

    Examples
    --------
    >>> as_paths("a.refs"), as_paths(["a.refs", "b.refs"])
    (['a.refs'], ['a.refs', 'b.refs'])
    """
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


def set_label(codes: Iterable[str]) -> str:
    """Return a variable set as part of a file name or segment id.

    Examples
    --------
    >>> set_label({"2b", "1a"}), set_label(())
    ('1a,2b', '-')
    """
    return show_set(codes) or "-"


def segment_id(template: str, codes: Iterable[str], language: str, number: int) -> str:
    """Return the id of a sentence.

    Examples
    --------
    >>> segment_id("have", {"2b", "1a"}, "Eng", 0)
    'have.1a,2b.Eng.strings.0'
    """
    return f"{template}.{set_label(codes)}.{language}.strings.{number}"


def sentence_text(tokens: Sequence[str], *, style: str = "sentence") -> str:
    """Return tokens as text for a system.

    Parameters
    ----------
    tokens : sequence of str
        The tokens of the grammar.
    style : {"sentence", "plain"}
        Whether the text begins with a capital letter and ends with a full stop, as
        systems expect, or is the tokens separated by spaces.

    Examples
    --------
    >>> sentence_text(["now", ",", "Anna", "sleeps"])
    'Now, Anna sleeps.'
    >>> sentence_text(["now", ",", "Anna", "sleeps"], style="plain")
    'now , Anna sleeps'
    """
    if style == "plain":
        return " ".join(tokens)
    if style != "sentence":
        message = f"unknown style {style!r}; choose sentence or plain"
        raise InputError(message)
    text = ""
    for token in tokens:
        glue = not text or all(char in ",.;:!?)]}…" for char in token)
        text += token if glue else f" {token}"
    if text and not unicodedata.category(text[-1]).startswith("P"):
        text += "."
    return text[:1].upper() + text[1:]


# ------------------------------------------------------------------------- writing


def make_folder(path: StrPath) -> None:
    """Make a folder unless it exists.

    Raises
    ------
    InputError
        When it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        message = f"cannot make the folder {path} ({error.strerror}); name another"
        raise InputError(message) from None


def write_sources(path: StrPath, sentences: Iterable[SourceSentence]) -> None:
    """Write ``testset.jsonl``."""
    write_lines(
        path,
        (json.dumps(asdict(sentence), ensure_ascii=False) for sentence in sentences),
    )


def write_for_systems(path: StrPath, sentences: Iterable[SourceSentence]) -> None:
    """Write the file that systems translate: JSONL if its name says so, or text."""
    if _is_jsonl(path):
        rows = (
            {"id": sentence.id, "source": sentence.source} for sentence in sentences
        )
        write_lines(path, (json.dumps(row, ensure_ascii=False) for row in rows))
    else:
        write_lines(path, (sentence.source for sentence in sentences))


# ------------------------------------------------------------------------- reading


def read_sources(path: StrPath) -> list[SourceSentence]:
    """Read ``testset.jsonl``.

    Raises
    ------
    FormatError
        When a line is wrong, or an id occurs twice.
    """
    sentences: dict[str, SourceSentence] = {}
    for number, row in _rows(path):
        wrong = partial(FormatError, path=display(path), line=number)
        texts = {}
        for key in ("id", "template", "set", "source"):
            value = row.get(key, "" if key in ("template", "set") else None)
            if not isinstance(value, str) or (key == "id" and not value):
                what = f"{key!r} is missing or not text; give id, template, set, source"
                raise wrong(what)
            texts[key] = value
        made = row.get("constructions", [])
        if not isinstance(made, list) or not all(isinstance(x, str) for x in made):
            what = "'constructions' is not a list of strings; give function names"
            raise wrong(what)
        if texts["id"] in sentences:
            what = f"the id {texts['id']!r} occurs twice; give every sentence its own"
            raise wrong(what)
        sentences[texts["id"]] = SourceSentence(**texts, constructions=tuple(made))
    if not sentences:
        what = "this test set has no sentence; make one with `tertium grammar testset`"
        raise FormatError(what, path=display(path))
    return list(sentences.values())


def read_outputs(path: StrPath, ids: Sequence[str]) -> list[str]:
    """Read the outputs of a system for the segments with these ids, in their order.

    Parameters
    ----------
    path : str or path
        Text, line n for segment n; or JSONL by id, if its name ends in ``.jsonl``.
    ids : sequence of str
        The segments.

    Raises
    ------
    FormatError
        When an output is missing, or there are too many; the message says which.
    """
    if _is_jsonl(path):
        return _by_id(path, ids)
    lines = list(open_lines(path))
    if len(lines) == len(ids) and not _looks_like_json(lines):
        return lines
    if _looks_like_json(lines):
        what = "this looks like JSON lines; rename the file to NAME.jsonl"
        raise FormatError(what, path=display(path), line=1)
    if len(lines) < len(ids):
        what = (
            f"there are {len(lines):,} lines for {len(ids):,} segments (the first "
            f"without one is {ids[len(lines)]!r}); give one line per segment, "
            "empty if there is no output"
        )
        raise FormatError(what, path=display(path))
    what = f"there are {len(lines):,} lines for {len(ids):,} segments; this is one more"
    raise FormatError(
        f"{what}; give one line per segment", path=display(path), line=len(ids) + 1
    )


def _by_id(path: StrPath, ids: Sequence[str]) -> list[str]:
    known = set(ids)
    outputs: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, row in _rows(path):
        wrong = partial(FormatError, path=display(path), line=number)
        name = row.get("id")
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)
        if not isinstance(name, str):
            what = "'id' is missing or not text; give id and translation"
            raise wrong(what)
        if name not in known:
            what = f"the test set has no segment {name!r}; remove it"
            raise wrong(what)
        if name in outputs:
            what = f"the id {name!r} occurs twice (first in line {lines[name]})"
            raise wrong(f"{what}; keep one")
        text = next((row[key] for key in OUTPUT_KEYS if key in row), None)
        if not isinstance(text, str):
            what = "'translation' is missing or not text; give id and translation"
            raise wrong(what)
        outputs[name], lines[name] = text, number
    missing = [name for name in ids if name not in outputs]
    if missing:
        what = (
            f"{len(missing):,} of {len(ids):,} segments are missing (first: "
            f"{', '.join(map(repr, missing[:3]))}); give one object per segment"
        )
        raise FormatError(what, path=display(path))
    return [outputs[name] for name in ids]


def _rows(path: StrPath) -> Iterable[tuple[int, dict[str, object]]]:
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            what = f"not JSON ({error}); write one object per line"
            raise FormatError(what, path=display(path), line=number) from None
        if not isinstance(row, dict):
            what = "not an object; write one object per line"
            raise FormatError(what, path=display(path), line=number)
        yield number, row


def _looks_like_json(lines: Sequence[str]) -> bool:
    first = lines[0].strip() if lines else ""
    return first.startswith('{"') and first.endswith("}")


def _is_jsonl(path: StrPath) -> bool:
    name = os.fspath(path).lower()
    for packed in (".gz", ".xz", ".bz2", ".zst"):
        name = name.removesuffix(packed)
    return name.endswith((".jsonl", ".ndjson"))

# SPDX-License-Identifier: Apache-2.0
r"""Test sets of grammars: their file, files for systems, and what comes back.

``testset.jsonl`` has an object a line::

    {"id": "have.1a,2b.Eng.strings.0", "template": "have", "set": "1a,2b",
     "source": "Anna has a big car now.", "constructions": ["XHasY"]}

The id is that of the thesis: template, variable set, language, and the number of the
sentence among those of its set. Systems get either the sources one a line, or
objects ``{"id": ..., "source": ...}``; back come lines in the same order, or objects
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
    "read_outputs",
    "read_sources",
    "segment_id",
    "sentence_text",
    "set_label",
    "write_for_systems",
    "write_sources",
]

#: What an output may be called in JSON; the first is what we ask for.
OUTPUT_KEYS = ("translation", "output", "hypothesis", "hyp", "target", "text")


@dataclass(frozen=True)
class SourceSentence:
    """A sentence to translate.

    Attributes
    ----------
    id : str
        Its name in all files.
    template : str
        The template it is from; empty if there is none.
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


def set_label(codes: Iterable[str]) -> str:
    """Return a variable set as part of the name of a file or segment.

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
    """Return tokens as a text that a system is given.

    Parameters
    ----------
    tokens : sequence of str
        The tokens of the grammar.
    style : {"sentence", "plain"}
        Whether the text begins with a capital letter and ends with a full stop, as
        systems are used to, or is the tokens with spaces between.

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


def write_sources(path: StrPath, sentences: Iterable[SourceSentence]) -> None:
    """Write ``testset.jsonl``."""
    write_lines(
        path, (json.dumps(asdict(own), ensure_ascii=False) for own in sentences)
    )


def write_for_systems(path: StrPath, sentences: Iterable[SourceSentence]) -> None:
    """Write the file that systems translate: JSONL by its name, or text."""
    if _is_jsonl(path):
        rows = ({"id": own.id, "source": own.source} for own in sentences)
        write_lines(path, (json.dumps(row, ensure_ascii=False) for row in rows))
    else:
        write_lines(path, (own.source for own in sentences))


# ------------------------------------------------------------------------- reading


def read_sources(path: StrPath) -> list[SourceSentence]:
    """Read ``testset.jsonl``.

    Raises
    ------
    FormatError
        When a line is wrong, or an id is there twice.
    """
    found: dict[str, SourceSentence] = {}
    for number, row in _rows(path):
        wrong = partial(FormatError, path=display(path), line=number)
        texts = {}
        for key in ("id", "template", "set", "source"):
            value = row.get(key, "" if key in ("template", "set") else None)
            if not isinstance(value, str) or (key == "id" and not value):
                what = f"{key!r} is missing or no text; give id, template, set, source"
                raise wrong(what)
            texts[key] = value
        made = row.get("constructions", [])
        if not isinstance(made, list) or not all(isinstance(x, str) for x in made):
            what = "'constructions' is no list of texts; give the names of functions"
            raise wrong(what)
        if texts["id"] in found:
            what = f"the id {texts['id']!r} is there twice; give each sentence its own"
            raise wrong(what)
        found[texts["id"]] = SourceSentence(**texts, constructions=tuple(made))
    if not found:
        what = "there is no sentence in this test set; make one with `grammar testset`"
        raise FormatError(what, path=display(path))
    return list(found.values())


def read_outputs(path: StrPath, ids: Sequence[str]) -> list[str]:
    """Read the outputs of a system for the segments with these ids, in their order.

    Parameters
    ----------
    path : str or path
        Text, line n for segment n; or JSONL by id, told by the name or by the first
        line.
    ids : sequence of str
        The segments.

    Raises
    ------
    FormatError
        When an output is missing, or there are others; the message says which.
    """
    if _is_jsonl(path):
        return _by_id(path, ids)
    lines = list(open_lines(path))
    if len(lines) == len(ids) and not _looks_like_json(lines):
        return lines
    if _looks_like_json(lines):
        what = "this looks like JSON lines; call the file NAME.jsonl"
        raise FormatError(what, path=display(path), line=1)
    if len(lines) < len(ids):
        what = (
            f"there are {len(lines):,} lines for {len(ids):,} segments (the first "
            f"without one is {ids[len(lines)]!r}); give one line each, empty if the "
            "system said nothing"
        )
        raise FormatError(what, path=display(path))
    what = f"there are {len(lines):,} lines for {len(ids):,} segments; this is one more"
    raise FormatError(
        f"{what}; give one line each", path=display(path), line=len(ids) + 1
    )


def _by_id(path: StrPath, ids: Sequence[str]) -> list[str]:
    known = set(ids)
    found: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, row in _rows(path):
        wrong = partial(FormatError, path=display(path), line=number)
        own = row.get("id")
        if isinstance(own, int) and not isinstance(own, bool):
            own = str(own)
        if not isinstance(own, str):
            what = "'id' is missing or no text; give id and translation"
            raise wrong(what)
        if own not in known:
            what = f"the test set has no segment {own!r}; leave it out"
            raise wrong(what)
        if own in found:
            what = f"the id {own!r} is there twice (first in line {lines[own]})"
            raise wrong(f"{what}; keep one")
        text = next((row[key] for key in OUTPUT_KEYS if key in row), None)
        if not isinstance(text, str):
            what = "'translation' is missing or no text; give id and translation"
            raise wrong(what)
        found[own], lines[own] = text, number
    lacking = [own for own in ids if own not in found]
    if lacking:
        what = (
            f"{len(lacking):,} of {len(ids):,} segments are missing (first: "
            f"{', '.join(map(repr, lacking[:3]))}); give one object each"
        )
        raise FormatError(what, path=display(path))
    return [found[own] for own in ids]


def _rows(path: StrPath) -> Iterable[tuple[int, dict[str, object]]]:
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            what = f"not JSON ({error}); write one object a line"
            raise FormatError(what, path=display(path), line=number) from None
        if not isinstance(row, dict):
            what = "not an object; write one object a line"
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

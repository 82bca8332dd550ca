# SPDX-License-Identifier: Apache-2.0
"""Reference sets from files of any format.

=====================  ===========================================================
``light``              patterns, see ``light.py``: ``.txt``, ``.refs``
``plain``              texts as they are, line n for segment n; never detected
``jsonl``              ``{"id": ..., "references": [...], "pattern": ...}``, or
                       ``{"id": ..., "arcs": [...], "finals": [...]}``
``fst``                ``.fst.txt``, OpenFst text
``plf``, ``slf``       Moses and HTK lattices
``mesh``, ``sausage``  confusion networks, from SRILM and written by hand
=====================  ===========================================================

A folder stands for all its files, sorted by name. The sets of several files are
united: a segment has the references that any of them gives it. A file with ids need
not have all segments; files that number their segments must have equally many.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import cast

from tertium.automata.automaton import Automaton
from tertium.automata.confusion import read_mesh, read_sausages
from tertium.automata.expressions import choice
from tertium.automata.graph import Graph
from tertium.automata.lattices import read_plf, read_slf
from tertium.automata.openfst import SUFFIX, SYMBOLS, read_fst
from tertium.automata.segment import Segment
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.grammars.light.notation import parse_light, read_light

__all__ = ["FORMATS", "read_reference_sets", "write_reference_sets"]

_SUFFIXES = {
    ".refs": "light", ".light": "light", ".txt": "light", ".jsonl": "jsonl",
    ".fst": "fst", ".plf": "plf", ".slf": "slf", ".lat": "slf", ".mesh": "mesh",
    ".sausage": "sausage", ".cn": "sausage",
}  # fmt: skip
_PACKED = (".gz", ".xz", ".bz2", ".zst")


def read_reference_sets(
    *paths: StrPath, input_format: str = "auto", allow_outside: bool = False
) -> list[Segment]:
    """Return the segments of files, each with its reference set.

    Parameters
    ----------
    *paths : str or path
        Files or folders. Segments with the same id are united, and a file may lack
        some; files without ids must have equally many segments.
    input_format : str
        The format of all files; ``auto`` detects it by name, then by the first lines.
    allow_outside : bool
        Whether files may include others from outside their folder.

    Returns
    -------
    list of Segment
        With notes on what the files contain and the sets do not.

    Raises
    ------
    FormatError
        When a file cannot be read, or has no segment.
    InputError
        When files without ids have different numbers of segments.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "ball.refs")
    ...     size = file.write_text("{the|a} ball is {red|green}")
    ...     read_reference_sets(file)
    [Segment(id='1', automaton=<Automaton: 4 sentences, 5 states, 6 arcs>)]
    """
    if input_format != "auto" and input_format not in FORMATS:
        raise UnknownNameError("format of references", input_format, FORMATS)
    if not paths:
        raise InputError("no reference file; give at least one")
    united: dict[str, Automaton] = {}
    notes: dict[str, tuple[str, ...]] = {}
    counted: tuple[int, StrPath] | None = None
    for path in paths:
        segments = _read(path, input_format, allow_outside=allow_outside)
        for one in segments:
            notes[one.id] = notes.get(one.id, ()) + one.notes
        new = {one.id: one.automaton for one in segments}
        if len(new) < len(segments):
            twice = Counter(one.id for one in segments).most_common(1)[0][0]
            what = f"the segment {twice!r} occurs twice; give every segment its own id"
            raise FormatError(what, path=display(path))
        if list(new) == [str(number) for number in range(1, len(new) + 1)]:
            # Line numbers: one line too few would shift all that follow.
            if counted is not None and counted[0] != len(new):
                message = (
                    f"{display(counted[1])} has {counted[0]:,} segments, "
                    f"{display(path)} has {len(new):,}; give equally many, or ids"
                )
                raise InputError(message)
            counted = len(new), path
        for name, automaton in new.items():
            united[name] = united[name] | automaton if name in united else automaton
    if not united:
        # The paths agree, so the first lacks segments like all others.
        raise FormatError(
            "no segment in this file; write at least one", path=display(paths[0])
        )
    for name, automaton in united.items():
        if not automaton:
            what = f"segment {name!r} has no reference; give at least one"
            raise FormatError(what, path=display(paths[-1]))
    return [Segment(name, united[name], notes[name]) for name in united]


def _read(path: StrPath, kind: str, *, allow_outside: bool) -> list[Segment]:
    if os.path.isdir(path):
        return _folder(path, kind, allow_outside=allow_outside)
    return _file(
        path, _detected(path) if kind == "auto" else kind, allow_outside=allow_outside
    )


def _file(path: StrPath, kind: str, *, allow_outside: bool) -> list[Segment]:
    if kind == "light":  # the only format whose files name others
        return read_light(path, allow_outside=allow_outside)
    return FORMATS[kind](path)


def _folder(path: StrPath, kind: str, *, allow_outside: bool) -> list[Segment]:
    names = sorted(os.listdir(path))
    names = [n for n in names if n != SYMBOLS and not n.startswith(".")]
    segments: dict[str, Segment] = {}
    for name in names:
        file = os.path.join(path, name)
        file_kind = _detected(file) if kind == "auto" else kind
        for segment in _file(file, file_kind, allow_outside=allow_outside):
            # Files with one segment are named after it; others number theirs.
            alone = file_kind in ("fst", "slf")
            key = segment.id if alone else f"{name}:{segment.id}"
            if key in segments:
                what = f"the segment {key!r} is in two files; rename one"
                raise FormatError(what, path=file)
            segments[key] = Segment(key, segment.automaton, segment.notes)
    if not segments:
        what = "no file in this folder; give another folder"
        raise FormatError(what, path=display(path))
    return list(segments.values())


def _detected(path: StrPath) -> str:
    """Return the format of a file, by its name or else by its first lines."""
    name = os.path.basename(os.fspath(path)).lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    if name.endswith(SUFFIX):
        return "fst"
    kind = _SUFFIXES.get(os.path.splitext(name)[1])
    if kind is not None:
        return kind
    if os.fspath(path) == "-":
        return "light"  # which can be read only once
    for line in islice(open_lines(path), 20):
        start = line.strip()
        if start.startswith("{") and '"' in start and start.endswith("}"):
            return "jsonl"
        if start.startswith("((("):
            return "plf"
        if start.startswith(("VERSION=", "UTTERANCE=", "N=", "NODES=")):
            return "slf"
        if start.startswith("numaligns "):
            return "mesh"
        cells = line.split("\t")
        if len(cells) in (3, 4, 5) and cells[0].isdecimal() and cells[1].isdecimal():
            return "fst"
    return "light"


# ------------------------------------------------------------------------- readers


def _read_plain(path: StrPath) -> list[Segment]:
    # An empty line is not a reference: another file may have one.
    return [
        Segment(str(number), Automaton.from_sentences([line] if line.strip() else []))
        for number, line in enumerate(open_lines(path), start=1)
    ]


def _read_fst(path: StrPath) -> list[Segment]:
    name = os.path.basename(os.fspath(path))
    for end in (*_PACKED, ".txt", ".fst"):
        name = name.removesuffix(end)
    segment = read_fst(path)
    return [Segment(name, segment.automaton, segment.notes)]


def _read_jsonl(path: StrPath) -> list[Segment]:
    segments: dict[str, Segment] = {}
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            segment = _json_segment(line, number)
        except FormatError as error:
            what = f"in the pattern: {error}"
            raise FormatError(what, path=display(path), line=number) from None
        except InputError as error:
            raise FormatError(str(error), path=display(path), line=number) from None
        if segment.id in segments:
            what = f"the id {segment.id!r} occurs twice; give every segment its own"
            raise FormatError(what, path=display(path), line=number)
        segments[segment.id] = segment
    return list(segments.values())


def _json_segment(line: str, number: int) -> Segment:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = f"not JSON ({error}); write one object per line"
        raise InputError(message) from None
    if not isinstance(row, dict):
        raise InputError("not an object; write one object per line")
    name = row.get("id", number)
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise InputError("'id' is not a string; write a string or an integer")
    # Test sets call references "ref".
    texts = [*_texts(row, "references"), *_texts(row, "ref")]
    patterns = _texts(row, "pattern")
    if not texts and not patterns and "arcs" not in row:
        message = "no references; give 'references', 'ref', 'pattern' or 'arcs'"
        raise InputError(message)
    automaton = Automaton.from_sentences(texts)
    if "arcs" in row:
        automaton |= _json_automaton(row)
    if patterns:
        light = choice([parse_light(pattern) for pattern in patterns])
        automaton |= Automaton.from_expression(light)
    return Segment(str(name), automaton)


def _json_automaton(row: dict[str, object]) -> Automaton:
    """Return the automaton that :func:`write_reference_sets` wrote."""
    arcs, finals = row["arcs"], row.get("finals")
    fine = (
        isinstance(arcs, list)
        and isinstance(finals, list)
        and all(isinstance(state, int) for state in finals)
        and all(
            isinstance(arc, list)
            and [type(cell) for cell in arc] == [int, int, str]
            and len(arc[2].split()) == 1
            for arc in arcs
        )
    )
    if not fine:
        message = (
            "'arcs' and 'finals' are not an automaton; write [[STATE, STATE, WORD], "
            "...] and [STATE, ...], from state 0"
        )
        raise InputError(message)
    graph = Graph("0")
    for source, target, word in cast("list[tuple[int, int, str]]", arcs):
        graph.add(str(source), word, str(target))
    graph.finals.update(map(str, cast("list[int]", finals)))
    return graph.automaton()


def write_reference_sets(path: StrPath, segments: Iterable[Segment]) -> None:
    """Write reference sets as JSON lines with ``id``, ``arcs`` and ``finals``.

    The initial state is 0. :func:`read_reference_sets` reads such files.
    """
    write_lines(path, map(_json_line, segments))


def _json_line(segment: Segment) -> str:
    automaton = segment.automaton
    arcs = [
        [state, to, automaton.symbols[symbol]]
        for state, leaving in enumerate(automaton.arcs)
        for symbol, to in leaving
    ]
    finals = [state for state, final in enumerate(automaton.finals) if final]
    row = {"id": segment.id, "arcs": arcs, "finals": finals}
    return json.dumps(row, ensure_ascii=False)


def _texts(row: dict[str, object], key: str) -> list[str]:
    value = row.get(key, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
        raise InputError(f"{key!r} is not text; give a string or a list of strings")
    return texts


#: The readers by the name of their format.
FORMATS: dict[str, Callable[[StrPath], list[Segment]]] = {
    "light": read_light,
    "plain": _read_plain,
    "jsonl": _read_jsonl,
    "fst": _read_fst,
    "plf": read_plf,
    "slf": read_slf,
    "mesh": read_mesh,
    "sausage": read_sausages,
}

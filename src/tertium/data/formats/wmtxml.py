# SPDX-License-Identifier: Apache-2.0
"""WMT XML, the format of WMT 2021 and later: everything in one file.

``<dataset><doc id origlang><src lang><p><seg id>``, then ``<ref lang translator>`` and
``<hyp lang system>`` alike; ``<collection id>`` may hold documents. Attributes of
documents and the collection become layers. A reference may lack segments; a system
may not.

Read with expat rather than ElementTree, for the line in messages and to reject entity
declarations. Text and language pair are exact, save that the pair needs a source and
a target to sit on. Characters that XML forbids are rejected on writing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby, islice
from xml.parsers import expat

from tertium._messages import quote
from tertium.data.formats.documents import Run, languages, layers_of, runs
from tertium.data.lines import display, open_lines, write_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError

__all__ = ["stream", "write"]

_BATCH = 1000
_COLLECTION = "collection"
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "&#10;", "\r": "&#13;"}
)
_QUOTED = {**_ESCAPES, ord('"'): "&quot;", ord("\t"): "&#9;"}

Segments = dict[str, str]


def stream(path: str, *, size: int) -> Iterator[Testset]:
    """Yield the test set of a WMT XML file in chunks."""
    reader = _Reader(path)
    lines = open_lines(path)
    while batch := list(islice(lines, _BATCH)):
        reader.feed("\n".join(batch) + "\n", final=False)
    reader.feed("", final=True)
    yield from reader.testset().chunks(size)


def write(testset: Testset, path: str) -> None:
    """Write a WMT XML file."""
    documents = runs(testset, path, reserved=("id",))
    write_lines(path, _render(testset, documents, path))


class _Reader:
    """Collect columns from the events of the parser."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.collection: str | None = None
        self.doc: _Doc | None = None
        self.segments: Segments | None = None
        self.id: str | None = None
        self.text: list[str] = []
        self.docs: list[_Doc] = []
        self.seen: set[tuple[str, str]] = set()
        self.languages: dict[str, str] = {}
        self.root = False
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.entity

    def feed(self, data: str, *, final: bool) -> None:
        """Parse the next piece of the file."""
        try:
            self.parser.Parse(data, final)
        except expat.ExpatError as error:
            what = f"not XML at column {error.offset + 1} ({error}); repair the file"
            raise FormatError(
                what, path=display(self.path), line=error.lineno
            ) from None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""
        if self.id is not None:
            raise self.error(f"<{name}> inside <seg>; write the text alone, escaped")
        if not self.root and name != "dataset":
            raise self.error(f"<{name}> where <dataset> should be; check the format")
        self.root = True
        if name == _COLLECTION:
            self.collection = attributes.get("id", "")
        elif name == "doc":
            self.start_doc(attributes)
        elif name in ("src", "ref", "hyp"):
            self.start_column(name, attributes)
        elif name == "seg" and self.segments is not None:
            if "id" not in attributes:
                raise self.error("<seg> without id; number the segments of a document")
            self.id = attributes["id"]
            self.text = []

    def start_doc(self, attributes: dict[str, str]) -> None:
        """Take the start of a document."""
        if self.doc is not None:
            raise self.error("<doc> inside <doc>; close the first one")
        if "id" not in attributes:
            raise self.error("<doc> without id; name every document")
        layers = {k: v for k, v in attributes.items() if k != "id"}
        if self.collection is not None:
            layers[_COLLECTION] = self.collection
        self.doc = _Doc(attributes["id"], self.parser.CurrentLineNumber, layers)

    def start_column(self, name: str, attributes: dict[str, str]) -> None:
        """Take the start of a source, reference or system output."""
        if self.doc is None:
            raise self.error(f"<{name}> outside <doc>; put it into one")
        if self.segments is not None:
            raise self.error(f"<{name}> inside another column; close that first")
        key = {"src": "", "ref": "translator", "hyp": "system"}[name]
        label = attributes.get(key, "")
        if name == "hyp" and not label:
            raise self.error("<hyp> without system; name every system")
        known = self.doc.columns[name]
        if label in known:
            what = f"<{name}> {label!r}" if label else f"<{name}>"
            raise self.error(f"{what} is in this document twice; keep one")
        known[label] = self.segments = {}
        if language := attributes.get("lang"):
            side = "source" if name == "src" else "target"
            before = self.languages.setdefault(side, language)
            if before != language:
                raise self.error(
                    f"{side} language {language!r} after {before!r}; "
                    "keep every language pair in a separate file"
                )

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if name == "seg" and self.segments is not None and self.id is not None:
            if self.id in self.segments:
                raise self.error(
                    f"segment {self.id!r} is there twice; "
                    "number the segments of a document"
                )
            self.segments[self.id] = "".join(self.text)
            self.id = None
        elif name in ("src", "ref", "hyp"):
            self.segments = None
        elif name == _COLLECTION:
            self.collection = None
        elif name == "doc" and self.doc is not None:
            self.end_doc(self.doc)
            self.doc = None

    def end_doc(self, doc: _Doc) -> None:
        """Check a document against itself and the first one."""
        for seg in doc.ids:
            if (doc.name, seg) in self.seen:
                what = f"segment {seg!r} of document {doc.name!r} is there twice"
                raise self.error(f"{what}; number the segments of a document")
            self.seen.add((doc.name, seg))
        for kind, columns in doc.columns.items():
            for label, segments in columns.items():
                self.check_segments(doc, f"<{kind}> {label!r}", segments, kind)
        if not doc.ids:
            return
        self.docs.append(doc)
        for kind in ("src", "hyp"):
            mine, first = doc.columns[kind], self.docs[0].columns[kind]
            for label in {**first, **mine}:
                if label not in mine or label not in first:
                    what = f"system {label!r}" if kind == "hyp" else "<src>"
                    lacking = doc if label not in mine else self.docs[0]
                    raise self.error(
                        f"document {lacking.name!r} lacks {what}, others have it; "
                        "give every document the same",
                        line=lacking.line,
                    )

    def check_segments(
        self, doc: _Doc, label: str, segments: Segments, kind: str
    ) -> None:
        """Reject segments that only some columns of a document have."""
        for seg in segments:
            if seg not in doc.ids:
                what = f"{label} has segment {seg!r}, which the document lacks"
                raise self.error(f"{what}; add it to all or drop it", line=doc.line)
        for seg in doc.ids:
            if seg not in segments and kind != "ref":
                what = f"{label} lacks segment {seg!r} of document {doc.name!r}"
                raise self.error(f"{what}; add it", line=doc.line)

    def characters(self, data: str) -> None:
        """Take text."""
        if self.id is not None:
            self.text.append(data)

    def entity(self, name: str, *_: object) -> None:
        """Reject entities, which can blow up to any size."""
        raise self.error(f"entity {name!r} is declared; write the text itself")

    def error(self, what: str, *, line: int | None = None) -> FormatError:
        """Return an error at the current line."""
        line = line or self.parser.CurrentLineNumber
        return FormatError(what, path=display(self.path), line=line)

    def testset(self) -> Testset:
        """Return what was read."""
        first = self.docs[0].columns if self.docs else {"src": {}, "hyp": {}}
        pair = [self.languages.get(side) for side in ("source", "target")]
        try:
            return Testset(
                [refs for doc in self.docs for refs in doc.references()],
                {name: self.column("hyp", name) for name in first["hyp"]},
                sources=self.column("src", "") if first["src"] else None,
                docs=[doc.name for doc in self.docs for _ in doc.ids],
                ids=[seg for doc in self.docs for seg in doc.ids],
                langpair=f"{pair[0]}-{pair[1]}" if all(pair) else None,
                layers=layers_of([doc.layers for doc in self.docs for _ in doc.ids]),
            )
        except InputError as error:
            raise FormatError(str(error), path=display(self.path)) from None

    def column(self, kind: str, label: str) -> list[str]:
        """Return one column over all documents."""
        return [doc.columns[kind][label][seg] for doc in self.docs for seg in doc.ids]


class _Doc:
    """One ``<doc>``: its columns by kind and label."""

    def __init__(self, name: str, line: int, layers: dict[str, str]) -> None:
        self.name = name
        self.line = line
        self.layers = layers
        self.columns: dict[str, dict[str, Segments]] = {"src": {}, "ref": {}, "hyp": {}}

    @cached_property
    def ids(self) -> Segments:
        """Return the segments that count: of the source, else of the first column."""
        columns = [c for kind in self.columns.values() for c in kind.values()]
        return columns[0] if columns else {}

    def references(self) -> Iterator[tuple[str, ...]]:
        """Yield the references of every segment."""
        for seg in self.ids:
            refs = self.columns["ref"].values()
            yield tuple(segments[seg] for segments in refs if seg in segments)


def _render(testset: Testset, documents: list[Run], path: str) -> Iterator[str]:
    pair = languages(testset, path)
    source = {} if pair is None else {"lang": pair[0]}
    target = {} if pair is None else {"lang": pair[1]}

    def show(attributes: dict[str, str]) -> str:
        return "".join(
            f' {name}="{_checked(value, path, "an attribute").translate(_QUOTED)}"'
            for name, value in attributes.items()
        )

    def column(tag: str, attributes: dict[str, str], run: Run, k: int) -> Iterator[str]:
        yield f"    <{tag}{show(attributes)}>"
        yield "      <p>"
        for index, seg in run.ids.items():
            if tag == "src":
                text = (testset.sources or [])[index]
            elif tag == "hyp":
                text = testset.systems[attributes["system"]][index]
            elif len(testset.references[index]) <= k:
                continue
            else:
                text = testset.references[index][k]
            text = _checked(text, path, f"segment {index + 1}").translate(_ESCAPES)
            yield f"        <seg{show({'id': seg})}>{text}</seg>"
        yield "      </p>"
        yield f"    </{tag}>"

    def document(run: Run) -> Iterator[str]:
        layers = {k: v for k, v in run.layers.items() if k != _COLLECTION}
        yield f"  <doc{show({'id': run.doc, **layers})}>"
        if testset.sources is not None:
            yield from column("src", source, run, 0)
        for k in range(max(len(testset.references[index]) for index in run.ids)):
            translator = chr(ord("A") + k) if k < 26 else str(k + 1)
            yield from column("ref", {**target, "translator": translator}, run, k)
        for name in testset.systems:
            yield from column("hyp", {**target, "system": name}, run, 0)
        yield "  </doc>"

    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<dataset id="testset">'
    for collection, members in groupby(
        documents, lambda run: run.layers.get(_COLLECTION)
    ):
        if collection is not None:
            yield f"<collection{show({'id': collection})}>"
        for run in members:
            yield from document(run)
        if collection is not None:
            yield "</collection>"
    yield "</dataset>"


def _checked(text: str, path: str, where: str) -> str:
    if match := _FORBIDDEN.search(text):
        raise InputError(
            f"cannot write {path}: {where} has the character U+{ord(match[0]):04X}, "
            f"which XML forbids, in {quote(text)}; write another format such as jsonl"
        )
    return text

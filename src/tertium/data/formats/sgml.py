# SPDX-License-Identifier: Apache-2.0
"""WMT SGML: source, references and systems in separate files.

``<refset setid srclang trglang> <doc docid sysid origlang> <seg id>``. The files are
not XML in practice (bare ``&``, values without quotes), so they are read by their tags
alone. Segments come in the order of the first file and are joined on document and
segment id. White space around a segment goes, a line break inside is a space, and the
five entities of XML are undone; the writer rejects text that this would change.

Attributes of documents (``origlang``, ``genre``) become layers. A file with several
``sysid`` gives several references, or systems of those names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tertium._files import replace_folder
from tertium._messages import quote
from tertium.data.formats.columns import Column
from tertium.data.formats.documents import Run, languages, layers_of, runs, texts
from tertium.data.formats.plain import stream, text_columns
from tertium.data.lines import display, open_lines, write_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError

__all__ = ["SgmlSet", "expand", "parse", "stream", "write"]

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_ENTITY = re.compile("&(amp|lt|gt|quot|apos);")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_BREAK = re.compile(r"[ \t\r]*\n[ \t\r\n]*")
_RESERVED = ("docid", "sysid", "id", "srclang", "trglang")
_SETS = {"source": "srcset", "reference": "refset", "system": "tstset"}

Key = tuple[str, str]


@dataclass
class SgmlSet:
    """The contents of one file.

    Parameters
    ----------
    path : str
        The file.
    langpair : str, optional
        The language pair, when both languages are named.
    columns : dict
        ``sysid`` to the texts by document and segment id, in order.
    attributes : dict
        Document and segment id to the other attributes of the document.
    """

    path: str
    langpair: str | None = None
    columns: dict[str, dict[Key, str]] = field(default_factory=dict)
    attributes: dict[Key, dict[str, str]] = field(default_factory=dict)


def parse(path: str) -> SgmlSet:
    """Return the contents of an SGML file.

    Raises
    ------
    FormatError
        When a tag is missing, or a segment occurs twice.
    """
    return _Parser(path).parse()


def expand(
    columns: list[tuple[Column, str]],
) -> tuple[list[tuple[Column, Iterator[str]]], str | None]:
    """Return columns with an iterator over each, and the language pair.

    Parameters
    ----------
    columns : list of pairs
        Columns with their format, ``plain`` or ``sgml``.

    Raises
    ------
    FormatError
        When one SGML file has a segment that another lacks.
    """
    sets = [parse(column.path) if kind == "sgml" else None for column, kind in columns]
    parsed = [one for one in sets if one is not None]
    base = parsed[0]
    keys = list(next(iter(base.columns.values())))
    pairs = [one.langpair for one in parsed if one.langpair]
    streams: list[tuple[Column, Iterator[str]]] = []
    for (column, _), one in zip(columns, sets, strict=True):
        if one is None:
            streams.append((column, open_lines(column.path)))
            continue
        for sysid, segments in one.columns.items():
            _check_same(segments, keys, one.path, base.path)
            name = column.name if len(one.columns) == 1 else sysid
            streams.append(
                (_renamed(column, name, streams), iter([segments[key] for key in keys]))
            )
    roles = {column.role for column, _ in streams}
    if "doc" not in roles:
        streams.append((Column("doc", base.path), iter([doc for doc, _ in keys])))
    if "id" not in roles:
        streams.append((Column("id", base.path), iter([seg for _, seg in keys])))
    layers = layers_of([base.attributes[key] for key in keys])
    for name, layer in layers.items():
        streams.append((Column("layer", base.path, name), iter(layer)))
    return streams, pairs[0] if pairs else None


def write(testset: Testset, path: str) -> None:
    """Write a folder of SGML files."""
    documents = runs(testset, path, reserved=_RESERVED)
    pair = languages(testset, path) or ("any", "any")
    for label, column in texts(testset):
        for number, text in enumerate(column, start=1):
            if "\n" in text or "\r" in text:
                raise InputError(
                    f"cannot write {path}: {label}, segment {number} has a line break "
                    f"in {quote(text)}; write another format such as jsonl"
                )
    with replace_folder(path) as folder:
        for file, role, name, column in text_columns(testset, folder):
            for number, text in enumerate(column, start=1):
                if _clean(_escape(text)) != text:
                    raise InputError(
                        f"cannot write {path}: {role} {name!r}, segment {number} has "
                        f"white space around it or a line break in it: {quote(text)}; "
                        "strip it, or write another format such as jsonl"
                    )
            write_lines(f"{file}.sgm", _render(documents, role, name, column, pair))


class _Parser:
    """Walk over the tags of one file."""

    def __init__(self, path: str) -> None:
        self.text = "\n".join(open_lines(path))
        self.result = SgmlSet(path)
        self.root = False
        self.doc: str | None = None
        self.column: dict[Key, str] = {}
        self.sizes: dict[tuple[str, str], int] = {}
        self.sysid = ""
        self.attributes: dict[str, str] = {}

    def parse(self) -> SgmlSet:
        """Return the contents."""
        opened: tuple[Key, int] | None = None
        for tag in _TAG.finditer(self.text):
            name, closing = tag[2].lower(), bool(tag[1])
            if opened is not None:
                if name != "seg" or not closing:
                    break
                self.column[opened[0]] = _clean(self.text[opened[1] : tag.start()])
                opened = None
            elif name == "seg":
                opened = self.segment(tag), tag.end()
            elif name == "doc":
                self.doc = None if closing else self.document(tag)
            elif not closing:
                self.root = True
                self.result.langpair = _langpair(_attributes(tag[3]))
        if opened is not None:
            raise self.error("<seg> without </seg>; close every segment", opened[1])
        if not self.root:
            what = "no <srcset>, <refset> or <tstset>; check that this is WMT SGML"
            raise self.error(what, 0)
        if not self.result.columns:
            self.result.columns[""] = {}
        return self.result

    def document(self, tag: re.Match[str]) -> str:
        """Take the start of a document and return its name."""
        attributes = _attributes(tag[3])
        doc = attributes.pop("docid", None)
        if doc is None:
            raise self.error("<doc> without docid; name every document", tag.start())
        self.sysid = attributes.pop("sysid", "")
        self.column = self.result.columns.setdefault(self.sysid, {})
        self.attributes = attributes
        return doc

    def segment(self, tag: re.Match[str]) -> Key:
        """Take the start of a segment and return its key."""
        if self.doc is None or tag[1]:
            what = "segment tag out of place; put <seg>...</seg> into a <doc>"
            raise self.error(what, tag.start())
        place = self.doc, self.sysid
        self.sizes[place] = self.sizes.get(place, 0) + 1
        key = self.doc, _attributes(tag[3]).get("id", str(self.sizes[place]))
        if key in self.column:
            raise self.error(
                f"segment {key[1]!r} of document {key[0]!r} is there twice; "
                "number the segments of a document",
                tag.start(),
            )
        self.result.attributes.setdefault(key, self.attributes)
        return key

    def error(self, what: str, at: int) -> FormatError:
        """Return an error at a place in the text."""
        line = self.text.count("\n", 0, at) + 1
        return FormatError(what, path=display(self.result.path), line=line)


def _render(
    documents: list[Run], role: str, name: str, column: list[str], pair: tuple[str, str]
) -> Iterator[str]:
    root = _SETS[role]
    languages = {"setid": "testset", "srclang": pair[0], "trglang": pair[1]}
    yield f"<{root}{_show(languages)}>"
    for run in documents:
        sysid = {} if role == "source" else {"sysid": name}
        yield f"<doc{_show({'docid': run.doc, **sysid, **run.layers})}>"
        for index, seg in run.ids.items():
            yield f"<seg{_show({'id': seg})}>{_escape(column[index])}</seg>"
        yield "</doc>"
    yield f"</{root}>"


def _check_same(
    segments: dict[Key, str], keys: list[Key], path: str, base: str
) -> None:
    for doc, seg in keys:
        if (doc, seg) not in segments:
            what = (
                f"segment {seg!r} of document {doc!r} is missing, {base} has it; add it"
            )
            raise FormatError(what, path=display(path))
    if len(segments) > len(keys):
        known = set(keys)
        doc, seg = next(key for key in segments if key not in known)
        what = f"segment {seg!r} of document {doc!r} is not in {base}; add it there"
        raise FormatError(what, path=display(path))


def _renamed(
    column: Column, name: str, streams: list[tuple[Column, Iterator[str]]]
) -> Column:
    if column.role != "system":
        return column
    for other, _ in streams:
        if other.role == "system" and other.name == name:
            raise InputError(
                f"two systems are called {name!r}: {display(other.path)} and "
                f"{display(column.path)}; give each its own name"
            )
    return Column(column.role, column.path, name)


def _langpair(attributes: dict[str, str]) -> str | None:
    source, target = attributes.get("srclang"), attributes.get("trglang")
    if not source or not target or "any" in (source.lower(), target.lower()):
        return None
    return f"{source}-{target}"


def _attributes(text: str) -> dict[str, str]:
    attributes = {}
    for name, *values in _ATTRIBUTE.findall(text):
        name = name.lower() if name.lower() in _RESERVED else name
        attributes[name] = _unescape("".join(values))
    return attributes


def _clean(text: str) -> str:
    return _unescape(_BREAK.sub(" ", text.strip(" \t\r\n")))


def _unescape(text: str) -> str:
    return _ENTITY.sub(lambda entity: _CHARACTERS[entity[1]], text)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _show(attributes: dict[str, str]) -> str:
    return "".join(
        ' {}="{}"'.format(name, _escape(value).replace('"', "&quot;"))
        for name, value in attributes.items()
    )

# SPDX-License-Identifier: Apache-2.0
"""The ranking XML that Appraise exports, as WMT used it from 2013 to 2016.

Two layouts: ``<HIT><ranking-task id><ranking-result user duration><translation system
rank/>`` and ``<ranking-result><ranking-item user duration src-id><translation system
rank/>``. A value that an element lacks is looked up in those around it. Systems with
equal output share one ``translation``, their names separated by commas.

Read with expat rather than ElementTree, for the line in messages and to reject entity
declarations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from xml.parsers import expat

from tertium.data.lines import display, open_lines
from tertium.errors import FormatError
from tertium.judgements.formats.format import Format, ImportOptions
from tertium.judgements.formats.names import file_langpair, language, system_name
from tertium.judgements.formats.values import (
    NothingRanked,
    bad,
    check_places,
    moment,
    rank,
    seconds,
)
from tertium.judgements.judgement import Bad, Judgement, Place, Ranking

__all__ = ["WMT_XML"]

_BATCH = 1000
_RESULTS = ("ranking-result", "ranking-item")
_SEGMENTS = ("ranking-item", "ranking-task")

Attributes = dict[str, str]


class _Reader:
    """Collects rankings from the events of the parser."""

    def __init__(self, path: str, options: ImportOptions) -> None:
        self.path = path
        self.options = options
        self.open: list[tuple[str, Attributes, int]] = []
        self.translations: list[tuple[int, Attributes]] = []
        self.found: list[Judgement | Bad] = []
        self.made = 0
        self.before: list[int] = []  # results made when an element began
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = self.entity

    def feed(self, data: str, *, final: bool) -> list[Judgement | Bad]:
        """Parse the next piece of the file and return its rankings."""
        try:
            self.parser.Parse(data, final)
        except expat.ExpatError as error:
            what = f"not XML at column {error.offset + 1} ({error}); repair the file"
            raise FormatError(
                what, path=display(self.path), line=error.lineno
            ) from None
        read, self.found = self.found, []
        return read

    def start(self, name: str, attributes: Attributes) -> None:
        """Take the start of an element."""
        line = self.parser.CurrentLineNumber
        if name == "translation":
            self.translations.append((line, attributes))
        else:
            self.open.append((name, attributes, line))
            self.before.append(self.made)
            self.translations = []

    def end(self, name: str) -> None:
        """Take the end of an element: that of a result makes a ranking."""
        if name == "translation":
            return
        if name in _RESULTS and (self.translations or self.is_skipped()):
            try:
                self.found.append(self.ranking())
            except ValueError as error:
                self.found.append(bad(self.open[-1][2], error, self.text()))
            self.made += 1
        self.translations = []
        self.open.pop()
        self.before.pop()

    def is_skipped(self) -> bool:
        """Return whether the innermost element is a result without translations."""
        return self.made == self.before[-1] and self.value("user") != ""

    def entity(self, *declaration: object) -> None:
        """Reject entities: they can fill the memory or read files."""
        what = f"declares an entity ({declaration[0]}); write the text itself"
        line = self.parser.CurrentLineNumber
        raise FormatError(what, path=display(self.path), line=line)

    def value(self, key: str) -> str:
        """Return an attribute of the innermost element that has it."""
        for _, attributes, _ in reversed(self.open):
            if key in attributes:
                return attributes[key]
        return ""

    def segment(self) -> str:
        """Return the segment: src-id, or the id of the item or task."""
        if source := self.value("src-id"):
            return source
        for name, attributes, _ in reversed(self.open):
            if name in _SEGMENTS and "id" in attributes:
                return attributes["id"]
        return ""

    def ranking(self) -> Ranking:
        """Return the ranking of the innermost element."""
        if not self.translations:
            message = "the judge skipped it: no translation has a rank"
            raise NothingRanked(message)
        places = []
        # Some name the systems on an outer element, in the order of translations.
        outer = self.value("systems").split(",")
        outer += [""] * len(self.translations)
        for i, (_, attributes) in enumerate(self.translations):
            text = attributes.get("rank", "")
            names = attributes.get("system", outer[i]).split(",")
            if text == "-1":
                continue
            number = rank(text)
            if number is None or not all(names):
                message = (
                    f"rank {text!r} of {','.join(names)!r} is not an integer from 1, "
                    "or a name is missing"
                )
                raise ValueError(message)
            systems = tuple(system_name(name.strip()) for name in names)
            places.append(Place(systems, number))
        check_places(places)
        segment = self.segment()
        if not segment:
            message = "no segment: neither src-id nor an id of the item"
            raise ValueError(message)
        source, target = self.value("source-language"), self.value("target-language")
        pair = f"{language(source)}-{language(target)}" if source and target else None
        hit = self.value("hit-id")
        return Ranking(
            tuple(places),
            segment,
            judge=self.value("user") or None,
            document=self.value("doc-id") or None,
            langpair=self.options.langpair or pair or file_langpair(self.path),
            campaign=self.options.campaign,
            time=moment(self.value("timestamp")),
            duration=seconds(self.value("duration")),
            meta=json.dumps({"hit": hit}, ensure_ascii=False) if hit else None,
        )

    def text(self) -> str:
        """Return the innermost result as a line of XML."""
        from xml.sax.saxutils import quoteattr

        def tag(name: str, attributes: Attributes, end: str) -> str:
            shown = "".join(f" {k}={quoteattr(v)}" for k, v in attributes.items())
            return f"<{name}{shown}{end}>"

        name, attributes, _ = self.open[-1]
        inner = [tag("translation", each, "/") for _, each in self.translations]
        return "".join([tag(name, attributes, ""), *inner, f"</{name}>"])


def _read(path: str, options: ImportOptions) -> Iterator[Judgement | Bad]:
    reader = _Reader(path, options)
    lines = open_lines(path)
    while batch := list(islice(lines, _BATCH)):
        yield from reader.feed("\n".join(batch) + "\n", final=False)
    yield from reader.feed("", final=True)


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    text = " ".join(head)
    return text.lstrip().startswith("<") and any(
        f"<{name}" in text for name in ("appraise-results", "HIT", *_RESULTS)
    )


WMT_XML = Format(
    "wmt-xml",
    _fits,
    _read,
    kinds=("rankings",),
)

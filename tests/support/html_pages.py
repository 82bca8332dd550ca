# SPDX-License-Identifier: Apache-2.0
"""Pages taken apart, for tests of reports."""

from __future__ import annotations

import base64
import gzip
import json
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "hr", "input"}


class ParsedPage(HTMLParser):
    """A page taken apart: elements balanced, texts of cells, scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self._rows: list[list[str]] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((attributes, ""))
        elif tag == "table":
            self._rows = self.tables.setdefault(attributes["aria-label"], [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" in self.open:
            attributes, before = self.scripts[-1]
            self.scripts[-1] = attributes, before + data
        elif {"td", "th"} & set(self.open) and "table" in self.open:
            self._rows[-1][-1] += data
        elif "style" not in self.open:
            self.words += data

    def data(self) -> list[dict]:
        """Return all objects of JSON that the page holds, packed ones too."""
        objects = []
        for attributes, text in self.scripts:
            if attributes.get("type") == "application/json":
                objects.append(json.loads(text))
            elif attributes.get("type") == "application/gzip":
                objects.append(json.loads(gzip.decompress(base64.b64decode(text))))
        return objects

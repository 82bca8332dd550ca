# SPDX-License-Identifier: Apache-2.0
"""Lexicons in plain tables: one reading of one form per line, without dependencies.

Columns are separated by tabs. Without a header they are ``form``, ``lemma``, ``pos``,
``features`` and, if there is a fifth, ``parts``::

    omenapuun   omenapuu   NOUN   Case=Gen|Number=Sing   omena+puu

A first line with the names of columns sets another order. So a template's
``lexicon.lock.tsv`` (lemma, pos, features, form, generator) is a lexicon too. Every
lexicon is *closed*: a word that it lacks may well be one of the language.
Lines that begin with ``# `` are remarks; ``_`` is an empty cell.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import normalize

from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError, InputError
from tertium.grammars.morphology.base import Analysis
from tertium.grammars.morphology.features import from_ud, read_features, unique

__all__ = ["Entry", "TsvLexicon", "parse_lexicon"]

_COLUMNS = ("form", "lemma", "pos", "features", "parts", "generator")
_NAMES = {"feats": "features", "upos": "pos", "generator+version": "generator"}
_NEEDED = ("form", "lemma")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a lexicon."""

    form: str
    lemma: str
    pos: str = ""
    features: str = ""
    parts: tuple[str, ...] = ()
    generator: str = ""

    @property
    def analyses(self) -> tuple[Analysis, ...]:
        """The readings this line stands for, one if no feature has two values."""
        return from_ud(self.lemma, self.pos, read_features(self.features), self.parts)


class TsvLexicon:
    """Readings and forms from a table; see the module for the columns.

    Parameters
    ----------
    entries : iterable of Entry
        The lines.
    name : str
        What results call the lexicon.
    language : str
        A language code, if known.

    Examples
    --------
    >>> lexicon = TsvLexicon([Entry("auton", "auto", "NOUN", "Case=Gen|Number=Sing")])
    >>> lexicon.analyse("auton")[0].case
    'GEN'
    >>> lexicon.generate("auto", "NOUN", "Case=Gen")
    ('auton',)
    """

    #: A word that it lacks may still be one of the language.
    closed = True

    def __init__(
        self, entries: Iterable[Entry], *, name: str = "tsv", language: str = ""
    ) -> None:
        self.entries = tuple(entries)
        self.name = name
        self.language = language
        by_form: dict[str, list[Analysis]] = {}
        for entry in self.entries:
            by_form.setdefault(entry.form, []).extend(entry.analyses)
        self._analyses = {form: unique(rows) for form, rows in by_form.items()}
        self._by_lemma: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.entries:
            self._by_lemma.setdefault((entry.lemma, entry.pos), []).append(entry)

    @classmethod
    def read(cls, path: StrPath, *, language: str = "") -> TsvLexicon:
        """Return the lexicon in a file, which may be compressed.

        Raises
        ------
        FormatError
            When the file cannot be read or a line is none of a lexicon.
        """
        lines = list(open_lines(path))
        entries = parse_lexicon(lines, name=display(path))
        return cls(
            entries,
            name=table_name("tsv", path, lines),
            language=language,
        )

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        """Return the readings of exactly this form."""
        return self._analyses.get(token, ())

    def generate(self, lemma: str, pos: str, features: str) -> tuple[str, ...]:
        """Return the forms of a lemma that have at least these features."""
        wanted = read_features(features).items()
        return tuple(
            dict.fromkeys(
                entry.form
                for entry in self._by_lemma.get((lemma, pos), ())
                if wanted <= read_features(entry.features).items()
            )
        )


def parse_lexicon(lines: Iterable[str], *, name: str = "<text>") -> Iterator[Entry]:
    """Yield the entries of a table's lines.

    Raises
    ------
    FormatError
        With the file's name and the line.
    """
    columns: tuple[str, ...] = ()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("# "):
            continue
        cells = line.split("\t")
        if not columns:
            columns = _header(cells, name, number)
            if columns:
                continue
            columns = _COLUMNS[:5]
        try:
            yield _entry(cells, columns)
        except InputError as error:
            raise FormatError(str(error), path=name, line=number) from None


def table_name(kind: str, path: StrPath, lines: Iterable[str]) -> str:
    """Return a name that changes with the content: ``tsv:words.tsv@12345678``."""
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return f"{kind}:{os.path.basename(os.fspath(path))}@{digest[:8]}"


def _header(cells: list[str], name: str, number: int) -> tuple[str, ...]:
    """Return the columns that a first line names; none if it is an entry."""
    names = [cell.strip().lower() for cell in cells]
    columns = tuple(_NAMES.get(cell, cell) for cell in names)
    # A form may be the word "form"; a header names the lemma as well.
    if not set(_NEEDED) <= set(columns):
        return ()
    unknown = [column for column in columns if column not in _COLUMNS]
    if unknown or len(set(columns)) < len(columns):
        message = (
            f"the header has the columns {', '.join(columns)}; name each once, from "
            f"{', '.join(_COLUMNS)}"
        )
        raise FormatError(message, path=name, line=number)
    return columns


def _entry(cells: list[str], columns: tuple[str, ...]) -> Entry:
    if not 2 <= len(cells) <= len(columns):
        message = (
            f"the line has {len(cells)} columns; give 2 to {len(columns)}: "
            f"{', '.join(columns)}, separated by tabs"
        )
        raise InputError(message)
    row = {
        # Tokens of texts are composed before anybody looks them up.
        column: "" if cell.strip() == "_" else normalize("NFC", cell.strip())
        for column, cell in zip(columns, cells, strict=False)
    }
    for column in _NEEDED:
        if not row.get(column):
            message = f"the {column} is empty; give one"
            raise InputError(message)
        if column == "form" and len(row["form"].split()) > 1:
            message = f"the form {row['form']!r} is several tokens; give one"
            raise InputError(message)
    features = row.get("features", "")
    read_features(features)
    parts = tuple(part for part in row.get("parts", "").split("+") if part)
    return Entry(
        row["form"],
        row["lemma"],
        row.get("pos", "").upper(),
        features,
        parts if len(parts) > 1 else (),
        row.get("generator", ""),
    )

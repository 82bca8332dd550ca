# SPDX-License-Identifier: Apache-2.0
"""WordNet: which words share a meaning (Miller 1995).

Formats: the database files of Princeton's WordNet (``index.noun`` ..., ``noun.exc``
...) from Debian's package `wordnet-base` or NLTK's data, the tab-separated files of
the Open Multilingual Wordnet (``wn-data-xxx.tab``), and WN-LMF (``.xml``,
``.xml.gz``) of the Global WordNet Association.

The lookup is the one that Meteor 1.5 was observed to use. It returns the meanings of
the word itself, regardless of the part of speech, and those of one base form: from the
list of exceptions if the word is there, else from the first rule of detachment that
applies. Unlike in WordNet's morphy, the base form is looked up as every part of speech:
`drawn` shares a meaning with the noun `attraction` through `draw`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium.errors import FormatError, InputError
from tertium.text._files import read_bytes, read_text_lines

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

__all__ = ["WordNet", "find_wordnet"]

_PLACES = ("/usr/share/wordnet", "/usr/local/share/wordnet", "/usr/share/wordnet/dict")
_PARTS = ("noun", "verb", "adj", "adv")
_LETTERS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}

# Endings of nouns, verbs and adjectives, in the order of wordnet's morphy.
_RULES = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
    ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip
_SHORTEST = 3  # the endings of words of one or two letters are kept


class WordNet:
    """A lexicon of synonyms.

    Parameters
    ----------
    path : str
        The folder of WordNet's database files, or an OMW or WN-LMF file. ``auto``
        is the folder of Debian's package.

    Raises
    ------
    FormatError
        If a file is invalid, with the line.
    InputError
        If `path` is ``auto`` and there is none.
    """

    def __init__(self, path: str) -> None:
        path = find_wordnet() if path == "auto" else os.fspath(path)
        self.path = path
        self._senses: dict[str, tuple[int, ...]] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        self._english = True
        if os.path.isdir(path):
            self._read_database(path)
        elif path.endswith((".xml", ".xml.gz")):
            self._read_lmf(path)
        else:
            self._read_omw(path)
        if not self._senses:
            message = "has no words; name WordNet's folder, an OMW or a WN-LMF file"
            raise FormatError(message, path=path)

    def keys(self, word: str) -> tuple[int, ...]:
        """Return the synonym sets of a lower-case word, as numbers."""
        synsets = self._senses.get(word, ())
        for base in self._base_forms(word):
            synsets += self._senses.get(base, ())
        return tuple(dict.fromkeys(synsets))

    def _base_forms(self, word: str) -> tuple[str, ...]:
        if word in self._bases:
            return self._bases[word]
        if self._english and len(word) >= _SHORTEST:
            for ending, instead in _RULES:
                if word.endswith(ending):
                    base = word[: -len(ending)] + instead
                    if base in self._senses:
                        return (base,)
        return ()

    # ------------------------------------------------------------ readers

    def _read_database(self, folder: str) -> None:
        senses: dict[str, list[int]] = {}
        for part, name in enumerate(_PARTS):
            path = os.path.join(folder, f"index.{name}")
            for number, line in read_text_lines(path):
                if not line or line[0] == " ":  # the licence is indented
                    continue
                fields = line.split()
                try:
                    count = int(fields[2])
                    offsets = [int(offset) for offset in fields[-count:]]
                    if not 0 < count <= len(fields) - 6:
                        raise ValueError
                except (IndexError, ValueError):
                    message = (
                        f"is not a line of WordNet's index: {line[:40]!r}; unpack it "
                        "again"
                    )
                    raise FormatError(message, path=path, line=number) from None
                senses.setdefault(fields[0], []).extend(4 * at + part for at in offsets)
        self._senses = {word: tuple(numbers) for word, numbers in senses.items()}
        for name in _PARTS:
            path = os.path.join(folder, f"{name}.exc")
            if not os.path.exists(path):
                continue
            for number, line in read_text_lines(path):
                fields = line.split()
                if len(fields) == 1:
                    message = f"has no base form of {fields[0]!r}; unpack it again"
                    raise FormatError(message, path=path, line=number)
                if fields:
                    old = self._bases.get(fields[0], ())
                    self._bases[fields[0]] = (*old, *fields[1:])

    def _read_omw(self, path: str) -> None:
        self._english = False
        senses: dict[str, list[int]] = {}
        for number, line in read_text_lines(path):
            if not line:
                continue
            fields = line.split("\t")
            if line[0] == "#":
                self._english = self._english or "eng" in fields[1:2]
                continue
            offset, _, letter = fields[0].partition("-")
            if len(fields) < 3 or not offset.isdigit() or letter not in _LETTERS:
                message = (
                    f"is not a line of an OMW file: {line[:40]!r}; each has a synset "
                    "such as 00001740-n, a type and a word, separated by tabs"
                )
                raise FormatError(message, path=path, line=number)
            kind = fields[1].rpartition(":")[2]
            if kind == "lemma":
                key = 4 * int(offset) + _LETTERS[letter]
                senses.setdefault(fields[2].lower().replace(" ", "_"), []).append(key)
        self._senses = {word: tuple(numbers) for word, numbers in senses.items()}

    def _read_lmf(self, path: str) -> None:
        reader = _LmfReader(path)
        self._english = reader.english
        self._senses = {word: tuple(numbers) for word, numbers in reader.senses.items()}


class _LmfReader:
    """Collects words and synsets from the events of an XML parser.

    Expat instead of ElementTree, for line numbers in messages and to reject entities.
    """

    def __init__(self, path: str) -> None:
        from xml.parsers import expat

        self.path = path
        self.english = False
        self.senses: dict[str, list[int]] = {}
        self._forms: list[str] = []
        self._synsets: dict[str, int] = {}
        self._parser: XMLParserType = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EntityDeclHandler = self._entity
        try:
            self._parser.Parse(read_bytes(path), True)
        except expat.ExpatError as error:
            message = f"is not XML ({error}); name a WN-LMF file"
            raise FormatError(message, path=path, line=error.lineno) from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "Lexicon":
            language = attributes.get("language", "")
            self.english = self.english or language.startswith("en")
        elif tag == "LexicalEntry":
            self._forms = []
        elif tag in ("Lemma", "Form"):
            form = self._attribute(tag, attributes, "writtenForm")
            self._forms.append(form.lower().replace(" ", "_"))
        elif tag == "Sense":
            synset = self._attribute(tag, attributes, "synset")
            key = self._synsets.setdefault(synset, len(self._synsets))
            for form in self._forms:
                self.senses.setdefault(form, []).append(key)

    def _attribute(self, tag: str, attributes: dict[str, str], name: str) -> str:
        if name in attributes:
            return attributes[name]
        message = f"<{tag}> has no {name}; name a WN-LMF file"
        line = self._parser.CurrentLineNumber
        raise FormatError(message, path=self.path, line=line)

    def _entity(self, *_: object) -> None:
        message = "declares an entity, which WN-LMF does not; remove it"
        line = self._parser.CurrentLineNumber
        raise FormatError(message, path=self.path, line=line)


def find_wordnet() -> str:
    """Return the folder of the English WordNet in the usual places.

    Raises
    ------
    InputError
        If there is none.
    """
    for folder in _candidates():
        if os.path.exists(os.path.join(folder, "index.noun")):
            return folder
    message = (
        f"there is no WordNet in {', '.join(_PLACES)}; install it (apt install "
        "wordnet-base) or name its folder with synonyms=PATH"
    )
    raise InputError(message)


def _candidates() -> Iterator[str]:
    if "WNSEARCHDIR" in os.environ:  # the variable of WordNet's own programs
        yield os.environ["WNSEARCHDIR"]
    yield from _PLACES

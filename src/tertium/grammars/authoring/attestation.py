# SPDX-License-Identifier: Apache-2.0
"""Whether a corpus attests the word pairs that a grammar makes.

What an author thinks can be said should be checked against what people write. Every
pair of adjacent words in the sentences of a construction is counted in a corpus;
unattested pairs are where to look first. No sentence is enumerated for this: the pairs
are those of consecutive arcs.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium._version import __version__
from tertium.automata.automaton import Automaton
from tertium.data.lines import StrPath, open_lines
from tertium.errors import InputError
from tertium.grammars.authoring.catalogue import (
    Templates,
    check_language,
    load_templates,
)
from tertium.grammars.authoring.template import Template
from tertium.grammars.search.tokens import bare_references, bare_tokens
from tertium.grammars.search.words import fold
from tertium.grammars.sets.exchange import as_paths

__all__ = [
    "Attestation",
    "Attested",
    "Pair",
    "attest",
    "attest_templates",
    "count_pairs",
    "word_pairs",
]


@dataclass(frozen=True)
class Pair:
    """Two adjacent words, and a sentence that has them.

    Parameters
    ----------
    words : tuple of two str
        As the grammar writes them.
    count : int
        How often the corpus has them.
    example : tuple of str
        A sentence of the grammar.
    """

    words: tuple[str, str]
    count: int
    example: tuple[str, ...]


@dataclass(frozen=True)
class Attested:
    """The pairs of a construction, the least attested ones first."""

    construction: str
    pairs: tuple[Pair, ...]

    @property
    def found(self) -> int:
        """How many pairs the corpus attests."""
        return sum(pair.count > 0 for pair in self.pairs)

    def to_dict(self, top: int) -> dict[str, object]:
        """Return the counts, and the `top` least attested pairs."""
        return {
            "name": self.construction,
            "pairs": len(self.pairs),
            "found": self.found,
            "least": [
                {
                    "words": pair.words,
                    "count": pair.count,
                    "example": " ".join(pair.example),
                }
                for pair in self.pairs[:top]
            ],
        }


@dataclass(frozen=True)
class Attestation:
    """How well a corpus attests the constructions of templates.

    Attributes
    ----------
    language : str or None
        The language asked for; None for the first target of each template.
    constructions : tuple of (str, Attested)
        Template ids with their constructions.
    """

    language: str | None
    constructions: tuple[tuple[str, Attested], ...]

    def to_json(self, top: int = 10) -> dict[str, object]:
        """Return ``tertium``, ``language`` and ``constructions``.

        Parameters
        ----------
        top : int
            How many pairs per construction to list.
        """
        return {
            "tertium": __version__,
            "language": self.language,
            "constructions": [
                {"template": template, **attested.to_dict(top)}
                for template, attested in self.constructions
            ],
        }


def attest_templates(
    templates: Templates,
    corpus: StrPath | Sequence[StrPath],
    *,
    language: str | None = None,
    allow_outside: bool = False,
) -> Attestation:
    """Look up the word pairs of templates in a corpus.

    Parameters
    ----------
    templates : Template, str, path, or sequence of these
        As :func:`tertium.grammars.load_templates` takes them.
    corpus : path or sequence of paths
        Plain text of the language, one sentence or paragraph per line.
    language : str, optional
        Such as ``Fin``; the first target of each template by default.
    allow_outside : bool
        Whether templates may read files outside their folder.

    Raises
    ------
    InputError
        When the corpus is empty, or no template has the language.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "corpus.txt")
    ...     size = file.write_text("Kaivuri on valtava.")
    ...     attestation = attest_templates("size", file)
    >>> any(attested.found for _, attested in attestation.constructions)
    True
    """
    loaded = load_templates(templates, allow_outside=allow_outside)
    check_language(loaded, language)
    paths = as_paths(corpus)
    counts = count_pairs(line for path in paths for line in open_lines(path))
    if not counts:
        names = ", ".join(os.fspath(path) for path in paths)
        raise InputError(f"{names} has no text; give a corpus")
    return Attestation(
        language,
        tuple(
            (template.id, attested)
            for template in loaded
            for attested in attest(
                _constructions(template, language or template.targets[0]), counts
            )
        ),
    )


def _constructions(
    template: Template, language: str
) -> Iterator[tuple[str, Automaton]]:
    for codes in template.grammar.sets(language):
        yield from template.grammar.constructions(language, codes).items()


def word_pairs(sentences: Automaton) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the adjacent words in a set, each with a sentence. Linear in pairs.

    Examples
    --------
    >>> pairs = word_pairs(Automaton.from_sentences(["a red ball", "a ball"]))
    >>> sorted(pairs)
    [('a', 'ball'), ('a', 'red'), ('red', 'ball')]
    >>> pairs["a", "red"]
    ('a', 'red', 'ball')
    """
    bare = bare_references(sentences)
    begins: dict[int, tuple[str, ...]] = {0: ()}
    for state, arcs in enumerate(bare.arcs):
        for symbol, to in arcs:
            begins.setdefault(to, (*begins[state], bare.symbols[symbol]))
    ends: dict[int, tuple[str, ...]] = {}
    for state in reversed(range(len(bare))):
        if bare.finals[state]:
            ends[state] = ()
        else:
            symbol, to = bare.arcs[state][0]
            ends[state] = (bare.symbols[symbol], *ends[to])
    pairs: dict[tuple[str, str], tuple[str, ...]] = {}
    for state, arcs in enumerate(bare.arcs):
        for first, between in arcs:
            for second, after in bare.arcs[between]:
                pair = bare.symbols[first], bare.symbols[second]
                pairs.setdefault(pair, (*begins[state], *pair, *ends[after]))
    return pairs


def count_pairs(lines: Iterable[str]) -> Counter[tuple[str, str]]:
    """Return how often words follow each other in a text, ignoring case."""
    counts: Counter[tuple[str, str]] = Counter()
    for line in lines:
        words = [fold(word) for word in bare_tokens(line)]
        counts.update(itertools.pairwise(words))
    return counts


def attest(
    constructions: Iterable[tuple[str, Automaton]],
    counts: Counter[tuple[str, str]],
) -> list[Attested]:
    """Return how much of every construction a corpus attests, the least first.

    Parameters
    ----------
    constructions : iterable of (str, Automaton)
        Names and sentences; those of one name count together.
    counts : Counter
        As :func:`count_pairs` returns them.
    """
    pairs: dict[str, dict[tuple[str, str], tuple[str, ...]]] = {}
    for name, sentences in constructions:
        examples = pairs.setdefault(name, {})
        for pair, example in word_pairs(sentences).items() if sentences else ():
            examples.setdefault(pair, example)
    attested = [
        Attested(
            name,
            tuple(
                sorted(
                    (
                        Pair(words, counts[fold(words[0]), fold(words[1])], example)
                        for words, example in examples.items()
                    ),
                    key=lambda pair: (pair.count, pair.words),
                )
            ),
        )
        for name, examples in pairs.items()
    ]
    return sorted(
        attested, key=lambda one: one.found / len(one.pairs) if one.pairs else 1.0
    )

# SPDX-License-Identifier: Apache-2.0
"""Diverse test sets: which sentences of a source grammar are translated.

Nieminen 2018, section 5.4.1. The sentences of a variable set are sorted, shuffled with
a seed, and taken one by one if they are far enough from all taken before. Choices
where the thesis is silent: distance is token Levenshtein divided by the longer
length; sets of more than 10,000 sentences are sampled first; the requested size is
spread evenly over templates, and others make up for what a template cannot give;
within a template its variable sets take turns, in an order shuffled with the seed, so
that a small test set does not contain the first values only; and every set has its own
seed, derived from that of the run: sets of equal shape would give equal sentences.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium._seed import SEED
from tertium.automata.automaton import Automaton
from tertium.data.lines import StrPath, write_lines
from tertium.errors import InputError
from tertium.grammars.authoring.catalogue import Templates, load_templates
from tertium.grammars.authoring.template import Template
from tertium.grammars.gf.variables import VariableSet, show_set
from tertium.grammars.sets.distance import Numbering
from tertium.grammars.sets.exchange import (
    SourceSentence,
    make_folder,
    segment_id,
    sentence_text,
    write_for_systems,
    write_sources,
)

__all__ = [
    "LIMIT",
    "WHOLE",
    "Choice",
    "SourceSelection",
    "diverse",
    "make_testset",
    "select_sources",
    "whole_sources",
]

#: Larger sets are sampled before anything is compared.
LIMIT = 10_000

#: More sources than this are not a test set, and would not fit into memory.
WHOLE = 1_000_000

Sentence = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """How sources are chosen.

    Parameters
    ----------
    threshold : float
        The minimum distance between sentences of a set, 0 to 1.
    seed : int
        The seed of the shuffle.
    style : {"sentence", "plain"}
        Whether sources begin with a capital letter and end with a full stop, or are as
        the grammar has them.
    """

    threshold: float = 0.3
    seed: int = SEED
    style: str = "sentence"

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            message = f"the threshold is {self.threshold:g}; give 0 to 1, such as 0.3"
            raise InputError(message)


@dataclass(frozen=True)
class SourceSelection:
    """A test set made from templates.

    Attributes
    ----------
    sentences : tuple of SourceSentence
        The sentences to translate.
    templates : int
        How many templates they were chosen from.
    requested : int or None
        How many sentences were asked for; None for all.
    """

    sentences: tuple[SourceSentence, ...]
    templates: int
    requested: int | None

    @property
    def sets(self) -> int:
        """How many variable sets the sentences are from."""
        return len({(one.template, one.set) for one in self.sentences})

    def write(self, folder: StrPath, *, people: bool = False) -> None:
        """Write ``testset.jsonl``, ``sources.txt`` and ``sources.jsonl``.

        Parameters
        ----------
        folder : str or path
            A folder, which is made if needed.
        people : bool
            Whether to write ``instructions.txt`` for translators, too.
        """
        make_folder(folder)
        write_sources(os.path.join(folder, "testset.jsonl"), self.sentences)
        for name in ("sources.txt", "sources.jsonl"):
            write_for_systems(os.path.join(folder, name), self.sentences)
        if people:
            # Its package needs NumPy, which choosing sentences does not.
            from tertium.grammars.analysis.humans import INSTRUCTIONS

            lines = INSTRUCTIONS.splitlines()
            write_lines(os.path.join(folder, "instructions.txt"), lines)


def make_testset(
    templates: Templates,
    *,
    size: int = 100,
    threshold: float = 0.3,
    all: int | None = None,  # noqa: A002 (the name of the flag)
    plain: bool = False,
    seed: int = SEED,
    allow_outside: bool = False,
) -> SourceSelection:
    """Choose source sentences of templates, evenly over templates and variable sets.

    Parameters
    ----------
    templates : Template, str, path, or sequence of these
        As :func:`tertium.grammars.load_templates` takes them.
    size : int
        How many sentences.
    threshold : float
        The minimum distance between two sentences of a set: token edits / longer
        length.
    all : int, optional
        Instead of a diverse choice: so many sentences of each variable set, sampled
        uniformly; 0 for every sentence.
    plain : bool
        Whether sources are as the grammar has them, without a capital letter and a
        full stop.
    seed : int
        The seed of the choice.
    allow_outside : bool
        Whether templates may read files outside their folder.

    Raises
    ------
    InputError
        When there are too many sources, or the threshold is not between 0 and 1.

    Examples
    --------
    >>> selection = make_testset("size", size=3)
    >>> len(selection.sentences), selection.sets
    (3, 3)
    """
    style = "plain" if plain else "sentence"
    choice = Choice(threshold, seed, style)
    loaded = load_templates(templates, allow_outside=allow_outside)
    if all is None:
        sentences = select_sources(loaded, size, choice)
    else:
        sentences = whole_sources(loaded, size=all or None, seed=seed, style=style)
    return SourceSelection(tuple(sentences), len(loaded), size if all is None else None)


def diverse(
    sentences: Automaton | Iterable[Sequence[str]],
    *,
    threshold: float = 0.3,
    seed: int = SEED,
) -> Iterator[Sentence]:
    """Yield sentences that are far from each other until there are no more.

    Every sentence is compared with all taken before, O(n * taken) distances; what
    differs enough by its length alone is not compared.

    Parameters
    ----------
    sentences : Automaton or iterable of sequences of str
        Sentences, as tokens.
    threshold : float
        The minimum distance between two sentences: token Levenshtein / longer length.
    seed : int
        The seed of the shuffle, and of the sample of large sets.

    Examples
    --------
    >>> ball = Automaton.from_sentences(["a red ball", "a red one", "it is blue"])
    >>> [" ".join(tokens) for tokens in diverse(ball, threshold=0.5, seed=1)]
    ['a red one', 'it is blue']
    """
    ready = _sorted(sentences, seed)
    random.Random(seed).shuffle(ready)  # noqa: S311
    numbering = Numbering()
    numbers = [numbering(tokens) for tokens in ready]
    kept: list[list[int]] = []
    for tokens, numbered in zip(ready, numbers, strict=True):
        for place, other in enumerate(kept):
            longer = max(len(numbered), len(other), 1)
            if abs(len(numbered) - len(other)) / longer >= threshold:
                continue
            if numbering.distance(numbered, other) / longer < threshold:
                # A sentence near to one is often near to the next: try it first.
                kept.insert(0, kept.pop(place))
                break
        else:
            kept.append(numbered)
            yield tokens


def _sorted(
    sentences: Automaton | Iterable[Sequence[str]], seed: int
) -> list[Sentence]:
    if not isinstance(sentences, Automaton):
        ready = sorted({tuple(tokens) for tokens in sentences})
        if len(ready) <= LIMIT:
            return ready
        return sorted(random.Random(seed).sample(ready, LIMIT))  # noqa: S311
    if sentences.count > LIMIT:
        return sorted(sentences.sample(LIMIT, seed))
    return list(sentences)


def select_sources(
    templates: Sequence[Template], size: int, choice: Choice | None = None
) -> list[SourceSentence]:
    """Return diverse sources of all variable sets of templates.

    There may be fewer than requested, if the sets have no more that differ.

    Parameters
    ----------
    templates : sequence of Template
        Each contributes equally many, as far as possible.
    size : int
        How many sentences.
    choice : Choice, optional
        Threshold, seed and style.

    Raises
    ------
    InputError
        When there is no template, or two have the same id.
    """
    choice = choice or Choice()
    _check(templates)
    turns = [_taking_turns(template, choice) for template in templates]
    taken: list[list[tuple[VariableSet, Sentence]]] = [[] for _ in templates]
    left = size
    able = list(range(len(templates)))
    while left > 0 and able:
        # A round gives every template one sentence: quotas differ by one at most,
        # and what one cannot give goes to the others.
        for number in tuple(able):
            chosen = next(turns[number], None) if left else None
            if chosen is not None:
                taken[number].append(chosen)
                left -= 1
            elif left:
                able.remove(number)
    return [
        sentence
        for template, chosen in zip(templates, taken, strict=True)
        for sentence in _numbered(template, chosen, choice.style)
    ]


def _taking_turns(
    template: Template, choice: Choice
) -> Iterator[tuple[VariableSet, Sentence]]:
    sets = template.grammar.sets(template.source)
    order = list(sets)
    random.Random(choice.seed).shuffle(order)  # noqa: S311
    waiting = [
        (
            codes,
            diverse(
                sets[codes],
                threshold=choice.threshold,
                seed=_seed(choice.seed, template, codes),
            ),
        )
        for codes in order
    ]
    while waiting:
        still = []
        for codes, sentences in waiting:
            sentence = next(sentences, None)
            if sentence is not None:
                still.append((codes, sentences))
                yield codes, sentence
        waiting = still


def _seed(seed: int, template: Template, codes: VariableSet) -> int:
    """Return a seed for one set: sets of equal shape must not give equal sentences."""
    name = f"{seed} {template.id} {show_set(codes)}"
    return random.Random(name).getrandbits(63)  # noqa: S311


def whole_sources(
    templates: Sequence[Template],
    *,
    size: int | None = None,
    seed: int = SEED,
    style: str = "sentence",
) -> list[SourceSentence]:
    """Return all sources of templates, or a uniform sample of each variable set.

    For measuring sensitivity, which needs sentences that hardly differ.

    Raises
    ------
    InputError
        When there are more than :data:`WHOLE`; they are counted first.
    """
    _check(templates)
    total = sum(
        automaton.count if size is None else min(automaton.count, size)
        for template in templates
        for automaton in template.grammar.sets(template.source).values()
    )
    if total > WHOLE:
        message = (
            f"{total:,} sources are too many (at most {WHOLE:,}); sample fewer of each "
            "variable set, such as 100"
        )
        raise InputError(message, options=("all",))
    sources = []
    for template in templates:
        chosen = [
            (codes, tokens)
            for codes, automaton in template.grammar.sets(template.source).items()
            for tokens in (
                automaton
                if size is None
                else sorted(automaton.sample(size, _seed(seed, template, codes)))
            )
        ]
        sources += _numbered(template, chosen, style)
    return sources


def _check(templates: Sequence[Template]) -> None:
    if not templates:
        raise InputError("no template; give at least one")
    ids = [template.id for template in templates]
    for place, name in enumerate(ids):
        if name in ids[:place]:
            message = (
                f"two templates have the id {name!r} "
                f"({templates[ids.index(name)].folder} and "
                f"{templates[place].folder}); give each its own"
            )
            raise InputError(message)


def _numbered(
    template: Template, taken: Sequence[tuple[VariableSet, Sentence]], style: str
) -> list[SourceSentence]:
    """Return sentences with their ids, set by set in the order of the grammar."""
    by_set: dict[VariableSet, list[Sentence]] = {}
    for codes, tokens in taken:
        by_set.setdefault(codes, []).append(tokens)
    grammar = template.grammar
    return [
        SourceSentence(
            segment_id(template.id, codes, template.source, number),
            template.id,
            show_set(codes),
            sentence_text(tokens, style=style),
            grammar.accepting(template.source, codes, tokens),
        )
        for codes in grammar.sets(template.source)
        for number, tokens in enumerate(by_set.get(codes, ()))
    ]

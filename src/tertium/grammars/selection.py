# SPDX-License-Identifier: Apache-2.0
"""Few sentences that differ: what of a source grammar goes into a test set.

Nieminen 2018, 5.4.1. The sentences of a variable set are sorted, shuffled with a
seed, and taken one by one if they are far enough from every one taken before. Choices
where the thesis is silent: distance is token Levenshtein divided by the longer
length; sets of more than 10,000 sentences are sampled first; the size asked for is
spread evenly over templates, and what a template cannot give the others do; within a
template its variable sets take turns, in an order shuffled with the seed, so that a
small test set does not hold the first values only; and every set has a seed of its own,
made from that of the run, since sets of equal shape would give equal sentences.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium._seed import SEED
from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.grammars.distance import Numbering
from tertium.grammars.exchange import SourceSentence, segment_id, sentence_text
from tertium.grammars.gf.variables import VariableSet, show_set
from tertium.grammars.template import Template

__all__ = ["LIMIT", "WHOLE", "Choice", "diverse", "select_sources", "whole_sources"]

#: Larger sets are sampled before anything is compared.
LIMIT = 10_000

#: More sources than these are no test set, and would not fit into memory.
WHOLE = 1_000_000

Sentence = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """How sources are chosen.

    Parameters
    ----------
    threshold : float
        How far sentences of a set must be from each other, 0 to 1.
    seed : int
        Of the shuffle.
    style : {"sentence", "plain"}
        Whether sources begin with a capital and end with a full stop, or are as the
        grammar has them.
    """

    threshold: float = 0.3
    seed: int = SEED
    style: str = "sentence"

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            message = f"the threshold is {self.threshold:g}; give 0 to 1, such as 0.3"
            raise InputError(message)


def diverse(
    sentences: Automaton | Iterable[Sequence[str]],
    *,
    threshold: float = 0.3,
    seed: int = SEED,
) -> Iterator[Sentence]:
    """Yield sentences that are far from each other, as long as there are any.

    Every sentence is compared with all taken before, O(n * taken) distances; what
    differs enough by its length alone is not compared.

    Parameters
    ----------
    sentences : Automaton or iterable of sequences of str
        A set of sentences, as tokens.
    threshold : float
        The least distance of two sentences: token Levenshtein / longer length.
    seed : int
        Of the shuffle, and of the sample of large sets.

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
    for tokens, own in zip(ready, numbers, strict=True):
        for place, other in enumerate(kept):
            longer = max(len(own), len(other), 1)
            if abs(len(own) - len(other)) / longer >= threshold:
                continue
            if numbering.distance(own, other) / longer < threshold:
                # What was near to one sentence is often near to the next: first.
                kept.insert(0, kept.pop(place))
                break
        else:
            kept.append(own)
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
    """Return a test set: different sources of all variable sets of templates.

    There may be fewer than asked for, if the sets have no more that differ.

    Parameters
    ----------
    templates : sequence of Template
        Each gives as many as the others, as far as it can.
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
            found = next(turns[number], None) if left else None
            if found is not None:
                taken[number].append(found)
                left -= 1
            elif left:
                able.remove(number)
    return [
        sentence
        for template, own in zip(templates, taken, strict=True)
        for sentence in _numbered(template, own, choice.style)
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
            found = next(sentences, None)
            if found is not None:
                still.append((codes, sentences))
                yield codes, found
        waiting = still


def _seed(seed: int, template: Template, codes: VariableSet) -> int:
    """Return a seed for one set: sets that are built alike must not give the same."""
    name = f"{seed} {template.id} {show_set(codes)}"
    return random.Random(name).getrandbits(63)  # noqa: S311


def whole_sources(
    templates: Sequence[Template],
    *,
    size: int | None = None,
    seed: int = SEED,
    style: str = "sentence",
) -> list[SourceSentence]:
    """Return all sources of templates, or as many of each set, drawn uniformly.

    For the sensitivity run, which wants sentences that hardly differ.

    Raises
    ------
    InputError
        When there are more than :data:`WHOLE`; they are counted first.
    """
    _check(templates)
    total = sum(
        own.count if size is None else min(own.count, size)
        for template in templates
        for own in template.grammar.sets(template.source).values()
    )
    if total > WHOLE:
        message = (
            f"{total:,} sources are too many (at most {WHOLE:,}); draw fewer of each "
            "variable set, such as --all 100"
        )
        raise InputError(message)
    found = []
    for template in templates:
        own = [
            (codes, tokens)
            for codes, automaton in template.grammar.sets(template.source).items()
            for tokens in (
                automaton
                if size is None
                else sorted(automaton.sample(size, _seed(seed, template, codes)))
            )
        ]
        found += _numbered(template, own, style)
    return found


def _check(templates: Sequence[Template]) -> None:
    if not templates:
        raise InputError("no template; give the folder of one")
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

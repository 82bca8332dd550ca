# SPDX-License-Identifier: Apache-2.0
"""Whether small changes of a source change the output a lot (Nieminen 2018, 5.4).

A grammar has many sources that differ in one word. Their outputs should hardly
differ either; where they do, a system is fragile. Compared are pairs of sources of
one template that are at most `edits` token edits apart; by default those of one
variable set, which mean the same. The index of a system is the mean distance between
the two outputs: token Levenshtein distance / longer length, case-folded and without
punctuation, 0 where outputs are equal, 1 where they have nothing in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from tertium._messages import count as counted
from tertium._version import __version__
from tertium.errors import InputError
from tertium.grammars.search.tokens import bare_tokens
from tertium.grammars.sets.distance import edit_distance, normalised_distance
from tertium.grammars.sets.exchange import SourceSentence
from tertium.grammars.sets.testset import Sources, Systems, read_segments, read_systems

__all__ = [
    "Jump",
    "Sensitivity",
    "SystemSensitivity",
    "measure_sensitivity",
    "near_pairs",
]


@dataclass(frozen=True)
class Jump:
    """A small change of a source, and its effect on the output.

    Attributes
    ----------
    system, template : str
        The system and the template.
    ids, sources, outputs : pair of str
        The two segments.
    edits : int
        Token edits between the sources.
    distance : float
        Between the outputs, 0 to 1.
    """

    system: str
    template: str
    ids: tuple[str, str]
    sources: tuple[str, str]
    outputs: tuple[str, str]
    edits: int
    distance: float


@dataclass(frozen=True)
class SystemSensitivity:
    """How a system reacts to small changes, in one template or in all.

    Attributes
    ----------
    system : str
        The system.
    template : str
        The template; empty for all together.
    pairs : int
        How many pairs of sources were compared.
    changed : float
        The share of pairs whose outputs differ at all.
    index : float
        The mean distance of outputs.
    gain : float
        The index divided by the mean distance of the sources: above 1, the system
        amplifies changes.
    """

    system: str
    template: str
    pairs: int
    changed: float
    index: float
    gain: float


@dataclass(frozen=True)
class Sensitivity:
    """How sensitive systems are to small changes.

    Attributes
    ----------
    systems : tuple of SystemSensitivity
        All templates together first, then each; systems in the order given.
    jumps : tuple of Jump
        The largest changes of outputs, the largest first.
    edits : int
        How many token edits count as a small change.
    across : bool
        Whether sources of different variable sets were compared too.
    """

    systems: tuple[SystemSensitivity, ...]
    jumps: tuple[Jump, ...]
    edits: int
    across: bool

    def to_json(self) -> dict[str, object]:
        """Return ``tertium``, ``edits``, ``across``, ``systems`` and ``jumps``."""
        return {
            "tertium": __version__,
            "edits": self.edits,
            "across": self.across,
            "systems": [asdict(system) for system in self.systems],
            "jumps": [asdict(jump) for jump in self.jumps],
        }


def near_pairs(
    sentences: Sequence[Sequence[str]], edits: int = 1
) -> Iterator[tuple[int, int, int]]:
    """Yield the places of sentences at most `edits` token edits apart, and the edits.

    Two sentences that near have a common rest after removing as many tokens from
    each, so only sentences with a common rest are compared. That takes O(n * L^edits)
    for n sentences of L tokens instead of O(n^2). Equal sentences are not a pair.

    Examples
    --------
    >>> list(near_pairs(["a red ball".split(), "a ball".split(), "it is".split()]))
    [(0, 1, 1)]
    """
    if edits not in (1, 2):
        message = f"edits is {edits}; a small change is 1 or 2 token edits"
        raise InputError(message)
    rests: dict[tuple[str, ...], list[int]] = {}
    for place, tokens in enumerate(sentences):
        shorter = {
            tuple(token for index, token in enumerate(tokens) if index not in out)
            for size in range(edits + 1)
            for out in combinations(range(len(tokens)), size)
        }
        for rest in shorter:
            rests.setdefault(rest, []).append(place)
    distances: dict[tuple[int, int], int] = {}
    for places in rests.values():
        for pair in combinations(places, 2):
            if pair not in distances:
                distances[pair] = edit_distance(*(sentences[place] for place in pair))
    for (one, other), distance in sorted(distances.items()):
        if 0 < distance <= edits:
            yield one, other, distance


def measure_sensitivity(
    systems: Systems,
    testset: Sources,
    *,
    edits: int = 1,
    across: bool = False,
    top: int = 10,
    progress: Callable[[int], None] | None = None,
) -> Sensitivity:
    """Return how much outputs change where sources hardly do.

    Parameters
    ----------
    systems : mapping of name to path or outputs, or sequence
        As in :func:`tertium.evaluate`.
    testset : path or sequence of SourceSentence
        All sources of templates, or a sample; a diverse test set has no near pairs.
    edits : int
        How many token edits count as a small change: 1 or 2.
    across : bool
        Whether to compare sources of different variable sets, too.
    top : int
        How many jumps to list.
    progress : callable, optional
        Called with how many pairs are done.

    Raises
    ------
    InputError
        When the numbers of segments differ, or no two sources are near.

    Examples
    --------
    >>> testset = [
    ...     SourceSentence("1", "ball", "", "the ball is red"),
    ...     SourceSentence("2", "ball", "", "a ball is red"),
    ... ]
    >>> result = measure_sensitivity({"A": ["der Ball", "ein Ball"]}, testset)
    >>> result.systems[0].index
    0.5
    """
    sentences = read_segments(testset)
    outputs = read_systems(systems, sentences)
    for system, texts in outputs.items():
        if len(texts) != len(sentences):
            message = (
                f"system {system!r} has {len(texts):,} outputs, the test set has "
                f"{len(sentences):,} segments; give one output per segment"
            )
            raise InputError(message)
    pairs = _pairs(sentences, edits, across=across)
    if not pairs:
        message = (
            f"no two of {len(sentences):,} sources are within "
            f"{counted(edits, 'token edit')} of each other; translate all sources of "
            "the templates (`tertium grammar testset --all`), or allow more edits"
        )
        raise InputError(message)
    jumps, results = _compare(sentences, outputs, pairs, top, progress)
    return Sensitivity(tuple(results), tuple(jumps), edits, across)


def _compare(
    sentences: Sequence[SourceSentence],
    outputs: Mapping[str, Sequence[str]],
    pairs: Sequence[tuple[int, int, int]],
    top: int,
    progress: Callable[[int], None] | None,
) -> tuple[list[Jump], list[SystemSensitivity]]:
    """Return the largest jumps, and the figures of every system."""
    words = [_folded(sentence.source) for sentence in sentences]
    jumps: list[Jump] = []
    systems: list[SystemSensitivity] = []
    done = 0
    for system, texts in outputs.items():
        tokens = [_folded(text) for text in texts]
        figures: dict[str, list[tuple[float, float]]] = {}
        for one, other, edits in pairs:
            template = sentences[one].template
            distance = normalised_distance(tokens[one], tokens[other])
            longer = max(len(words[one]), len(words[other]), 1)
            figures.setdefault(template, []).append((distance, edits / longer))
            if distance:
                jumps.append(
                    Jump(
                        system,
                        template,
                        (sentences[one].id, sentences[other].id),
                        (sentences[one].source, sentences[other].source),
                        (texts[one], texts[other]),
                        edits,
                        distance,
                    )
                )
            done += 1
            if progress is not None:
                progress(done)
        every = [figure for rows in figures.values() for figure in rows]
        systems.append(_summary(system, "", every))
        systems += [_summary(system, name, rows) for name, rows in figures.items()]
        # Only the largest can be among the largest of all.
        jumps = sorted(jumps, key=_order)[:top]
    return jumps, systems


def _pairs(
    sentences: Sequence[SourceSentence], edits: int, *, across: bool
) -> list[tuple[int, int, int]]:
    groups: dict[tuple[str, str], list[int]] = {}
    for place, sentence in enumerate(sentences):
        key = (sentence.template, "" if across else sentence.set)
        groups.setdefault(key, []).append(place)
    return [
        (places[one], places[other], distance)
        for places in groups.values()
        for one, other, distance in near_pairs(
            [_folded(sentences[place].source) for place in places], edits
        )
    ]


def _summary(
    system: str, template: str, figures: Sequence[tuple[float, float]]
) -> SystemSensitivity:
    count = len(figures)
    index = sum(distance for distance, _ in figures) / count
    source = sum(change for _, change in figures) / count
    changed = sum(distance > 0 for distance, _ in figures) / count
    return SystemSensitivity(system, template, count, changed, index, index / source)


def _order(jump: Jump) -> tuple[float, int, str, tuple[str, str]]:
    return -jump.distance, jump.edits, jump.system, jump.ids


def _folded(text: str) -> list[str]:
    return [token.casefold() for token in bare_tokens(text)]

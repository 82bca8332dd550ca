# SPDX-License-Identifier: Apache-2.0
"""Whether small changes of a source change the output a lot (Nieminen 2018, 5.4).

A grammar has many sources that differ in one word. Their outputs should hardly
differ either, and where they do, a system is fragile. Compared are pairs of sources
of one template that are at most `most` token edits apart; by default those of one
variable set, which mean the same. The index of a system is the mean distance of the
two outputs: token Levenshtein / longer length, letters folded and without
punctuation, 0 where outputs are equal, 1 where they share nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tertium.errors import InputError
from tertium.grammars.distance import edit_distance, normalised_distance
from tertium.grammars.exchange import SourceSentence
from tertium.grammars.tokens import bare_tokens

__all__ = ["Jump", "Sensitivity", "SystemSensitivity", "near_pairs", "sensitivity"]


@dataclass(frozen=True)
class Jump:
    """A small change of a source, and what it did to the output.

    Attributes
    ----------
    system, template : str
        Whose output it is, and of what.
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
    """How a system takes small changes, in one template or in all.

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
        makes changes larger.
    """

    system: str
    template: str
    pairs: int
    changed: float
    index: float
    gain: float


@dataclass(frozen=True)
class Sensitivity:
    """What a sensitivity run found.

    Attributes
    ----------
    systems : tuple of SystemSensitivity
        All templates together first, then each; systems in the order given.
    jumps : tuple of Jump
        The largest changes of outputs, the largest first.
    most : int
        How many token edits were a small change.
    across : bool
        Whether sources of different variable sets were compared too.
    """

    systems: tuple[SystemSensitivity, ...]
    jumps: tuple[Jump, ...]
    most: int
    across: bool


def near_pairs(
    sentences: Sequence[Sequence[str]], most: int = 1
) -> Iterator[tuple[int, int, int]]:
    """Yield places of sentences at most `most` token edits apart, and the edits.

    Two sentences that near have a common rest after leaving out as many tokens of
    each; so only sentences with a common rest are compared. That takes O(n * L^most)
    for n sentences of L tokens instead of O(n^2). Equal sentences are no pair.

    Examples
    --------
    >>> list(near_pairs(["a red ball".split(), "a ball".split(), "it is".split()]))
    [(0, 1, 1)]
    """
    if most not in (1, 2):
        message = f"a small change of {most} tokens; give 1 or 2"
        raise InputError(message)
    rests: dict[tuple[str, ...], list[int]] = {}
    for place, tokens in enumerate(sentences):
        own = {
            tuple(token for index, token in enumerate(tokens) if index not in out)
            for size in range(most + 1)
            for out in combinations(range(len(tokens)), size)
        }
        for rest in own:
            rests.setdefault(rest, []).append(place)
    found: dict[tuple[int, int], int] = {}
    for places in rests.values():
        for pair in combinations(places, 2):
            if pair not in found:
                found[pair] = edit_distance(sentences[pair[0]], sentences[pair[1]])
    for (one, other), edits in sorted(found.items()):
        if 0 < edits <= most:
            yield one, other, edits


def sensitivity(
    sentences: Sequence[SourceSentence],
    outputs: Mapping[str, Sequence[str]],
    *,
    most: int = 1,
    across: bool = False,
    top: int = 20,
    progress: Callable[[int], None] | None = None,
) -> Sensitivity:
    """Return how far outputs change where sources hardly do.

    Parameters
    ----------
    sentences : sequence of SourceSentence
        All sources of templates, or a sample; a diverse test set has no near pairs.
    outputs : dict of str to sequence of str
        By system, the output for each sentence.
    most : int
        How many token edits are a small change: 1 or 2.
    across : bool
        Whether to compare sources of different variable sets, too.
    top : int
        How many jumps to list.
    progress : callable, optional
        Is told how many pairs are done.

    Raises
    ------
    InputError
        When numbers of segments differ, or no two sources are near.
    """
    for system, own in outputs.items():
        if len(own) != len(sentences):
            message = (
                f"system {system!r} has {len(own):,} outputs, the test set has "
                f"{len(sentences):,} segments; give one output each"
            )
            raise InputError(message)
    pairs = _pairs(sentences, most, across=across)
    if not pairs:
        message = (
            f"no two of {len(sentences):,} sources are {most} token edit"
            f"{'s' if most > 1 else ''} apart or less; translate all sources of the "
            "templates (`tertium grammar testset --all`), or allow more"
        )
        raise InputError(message)
    words = [_folded(own.source) for own in sentences]
    jumps: list[Jump] = []
    systems: list[SystemSensitivity] = []
    done = 0
    for system, texts in outputs.items():
        said = [_folded(text) for text in texts]
        figures: dict[str, list[tuple[float, float]]] = {}
        for one, other, edits in pairs:
            template = sentences[one].template
            distance = normalised_distance(said[one], said[other])
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
        every = [figure for own in figures.values() for figure in own]
        systems.append(_summary(system, "", every))
        systems += [_summary(system, name, own) for name, own in figures.items()]
        # Only the largest can be among the largest of all.
        jumps = sorted(jumps, key=_order)[:top]
    return Sensitivity(tuple(systems), tuple(jumps), most, across)


def _pairs(
    sentences: Sequence[SourceSentence], most: int, *, across: bool
) -> list[tuple[int, int, int]]:
    groups: dict[tuple[str, str], list[int]] = {}
    for place, own in enumerate(sentences):
        key = (own.template, "" if across else own.set)
        groups.setdefault(key, []).append(place)
    return [
        (places[one], places[other], edits)
        for places in groups.values()
        for one, other, edits in near_pairs(
            [_folded(sentences[place].source) for place in places], most
        )
    ]


def _summary(
    system: str, template: str, figures: Sequence[tuple[float, float]]
) -> SystemSensitivity:
    count = len(figures)
    index = sum(distance for distance, _ in figures) / count
    source = sum(own for _, own in figures) / count
    changed = sum(distance > 0 for distance, _ in figures) / count
    return SystemSensitivity(system, template, count, changed, index, index / source)


def _order(jump: Jump) -> tuple[float, int, str, tuple[str, str]]:
    return -jump.distance, jump.edits, jump.system, jump.ids


def _folded(text: str) -> list[str]:
    return [token.casefold() for token in bare_tokens(text)]

# SPDX-License-Identifier: Apache-2.0
"""BLEU against 1, 10, 100 ... references of a set (BLEU-n; Nieminen 2018, 7.3).

Every segment gets n of its references, drawn uniformly without replacement, and the
larger draws hold the smaller ones; then it is ordinary BLEU with many references.
Segments whose set has fewer than n references get all of them. As in matching,
letters are lower-cased and punctuation is left out on both sides, so that systems do
not lose points for full stops that a grammar lacks; the signature says so. References
are drawn after that, so that n references are n different ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tertium._seed import SEED
from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.grammars.tokens import bare, bare_tokens
from tertium.grammars.words import fold
from tertium.metrics.base import Metric
from tertium.metrics.registry import metric as metric_of

__all__ = ["METRIC", "SIZES", "Growth", "bleu_growth", "drawn_references"]

#: How many references by default.
SIZES = (1, 10, 100, 1000)

#: Texts are words with spaces between already.
METRIC = "bleu:tokenize=none"


@dataclass(frozen=True)
class Growth:
    """How a score grows with the number of references.

    Attributes
    ----------
    sizes : tuple of int
        How many references were asked for.
    drawn : tuple of float
        How many a segment had on average: small sets have no more.
    scores : dict of str to tuple of float
        By system, one a size.
    metric : str
        The metric, with its signature.
    seed : int
        Of the draws.
    """

    sizes: tuple[int, ...]
    drawn: tuple[float, ...]
    scores: Mapping[str, tuple[float, ...]]
    metric: str
    seed: int


def bleu_growth(
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[Automaton],
    *,
    sizes: Sequence[int] = SIZES,
    seed: int = SEED,
    metric: str = METRIC,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Growth:
    """Return how the scores of systems grow with the number of references.

    Parameters
    ----------
    outputs : dict of str to sequence of str
        By system, the output for each segment.
    references : sequence of Automaton
        The set of each segment.
    sizes : sequence of int
        How many references; each at least 1.
    seed : int
        Of the draws.
    metric : str
        The spec of a metric that takes several references.
    threads : int, optional
        All cores by default.
    progress : callable, optional
        Is told how many sizes are done.

    Raises
    ------
    InputError
        When a size is less than 1, or numbers of segments differ.

    Examples
    --------
    >>> ball = Automaton.from_sentences(["the ball is red now", "a ball is red now"])
    >>> bleu_growth({"A": ["A ball is red now."]}, [ball], sizes=[2]).scores["A"]
    (100.0,)
    """
    sizes = tuple(dict.fromkeys(sizes))
    if not sizes or min(sizes) < 1:
        message = f"sizes {', '.join(map(str, sizes))}; give numbers of at least 1"
        raise InputError(message)
    if not references:
        raise InputError("no segment; give at least one")
    for system, own in outputs.items():
        if len(own) != len(references):
            message = (
                f"system {system!r} has {len(own):,} outputs, there are "
                f"{len(references):,} segments; give one output each"
            )
            raise InputError(message)
    scorer = metric_of(metric)
    words = {system: [_plain(text) for text in own] for system, own in outputs.items()}
    everything = drawn_references(references, max(sizes), seed=seed)
    scores: dict[str, list[float]] = {system: [] for system in outputs}
    drawn = []
    for done, size in enumerate(sizes, start=1):
        refs = [own[:size] for own in everything]
        drawn.append(sum(map(len, refs)) / len(refs))
        for system, texts in words.items():
            scores[system].append(scorer.corpus_score(texts, refs, threads=threads))
        if progress is not None:
            progress(done)
    return Growth(
        sizes,
        tuple(drawn),
        {system: tuple(own) for system, own in scores.items()},
        _signature(scorer),
        seed,
    )


def drawn_references(
    references: Sequence[Automaton], size: int, *, seed: int = SEED
) -> list[list[str]]:
    """Return up to so many references of each segment, drawn uniformly.

    The first n of a list are what a smaller draw gives. Segments are drawn for
    independently, also if they have the same set.
    """
    draw = random.Random(seed)  # noqa: S311
    # Many segments have the same set.
    plain = {id(own): own for own in references}
    for key, own in plain.items():
        plain[key] = own.relabelled(lambda token: fold(bare(token)))
    return [
        [
            " ".join(tokens)
            for tokens in plain[id(own)].sample(size, draw.getrandbits(63))
        ]
        for own in references
    ]


def _signature(scorer: Metric) -> str:
    """Return the signature of a metric on texts without case and punctuation."""
    facts = scorer.signature_for(nrefs="n", prep="folded,bare").split("|")
    return "|".join("case:lc" if own == "case:mixed" else own for own in facts)


def _plain(text: str) -> str:
    return " ".join(map(fold, bare_tokens(text)))

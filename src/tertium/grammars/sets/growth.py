# SPDX-License-Identifier: Apache-2.0
"""BLEU against 1, 10, 100 ... references per segment (BLEU-n; Nieminen 2018, 7.3).

Every segment gets n of its references, sampled uniformly without replacement; larger
samples contain the smaller ones. The rest is ordinary BLEU with many references.
Segments whose set has fewer than n references get all of them. As in matching, text
is lower-cased and punctuation removed on both sides, so that systems do not lose
points for full stops that a grammar lacks; the signature records this. References are
sampled after that, so that n references are n different ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tertium._seed import SEED
from tertium._version import __version__
from tertium.automata.automaton import Automaton
from tertium.data.lines import StrPath
from tertium.errors import InputError
from tertium.grammars.authoring.catalogue import Templates
from tertium.grammars.search.tokens import bare, bare_tokens
from tertium.grammars.search.words import fold
from tertium.grammars.sets.testset import (
    Sources,
    Systems,
    read_grammar_testset,
    read_systems,
)
from tertium.metrics.base import Metric
from tertium.metrics.registry import metric as metric_of

__all__ = [
    "METRIC",
    "SIZES",
    "Growth",
    "bleu_growth",
    "measure_growth",
    "sample_references",
]

#: The default numbers of references.
SIZES = (1, 10, 100, 1000)

#: Texts are tokenised already.
METRIC = "bleu:tokenize=none"


@dataclass(frozen=True)
class Growth:
    """How a score grows with the number of references.

    Attributes
    ----------
    sizes : tuple of int
        The requested numbers of references per segment.
    sampled : tuple of float
        The average number of references per segment: small sets have fewer.
    scores : dict of str to tuple of float
        By system, one score per size.
    metric : str
        The metric, with its signature.
    seed : int
        The seed of the sample.
    segments : int
        How many segments were scored.
    notes : tuple of str
        What reference files contain and the reference sets do not.
    """

    sizes: tuple[int, ...]
    sampled: tuple[float, ...]
    scores: Mapping[str, tuple[float, ...]]
    metric: str
    seed: int
    segments: int = 0
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return ``tertium``, ``metric``, ``seed``, ``sizes``, ``drawn``, ``systems``.

        ``drawn`` is :attr:`sampled`, ``systems`` is :attr:`scores`.
        """
        return {
            "tertium": __version__,
            "metric": self.metric,
            "seed": self.seed,
            "sizes": self.sizes,
            "drawn": self.sampled,
            "systems": self.scores,
        }


def measure_growth(
    systems: Systems,
    templates: Templates = (),
    *,
    references: StrPath | Sequence[StrPath] = (),
    testset: Sources | None = None,
    target: str = "",
    input_format: str = "auto",
    sizes: Sequence[int] = SIZES,
    metric: str = METRIC,
    seed: int = SEED,
    allow_outside: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Growth:
    """Score systems against 1, 10, 100 ... references of each segment.

    Parameters
    ----------
    systems, templates, references, testset, target, input_format, allow_outside
        As in :func:`tertium.evaluate`.
    sizes, metric, seed, threads, progress
        As in :func:`bleu_growth`.

    Examples
    --------
    >>> from tertium.grammars import SourceSentence
    >>> sentence = SourceSentence("1", "size", "1a,2a,3a", "The digger is enormous.")
    >>> outputs = {"A": ["Kaivuri on valtava, mutta liikkuu tarkasti."]}
    >>> growth = measure_growth(outputs, "size", testset=[sentence], sizes=[1, 10])
    >>> growth.sampled
    (1.0, 10.0)
    """
    data = read_grammar_testset(
        templates,
        references=references,
        testset=testset,
        target=target,
        input_format=input_format,
        allow_outside=allow_outside,
    )
    growth = bleu_growth(
        read_systems(systems, data.segments),
        [segment.automaton for segment in data.reference_sets()],
        sizes=sizes,
        seed=seed,
        metric=metric,
        threads=threads,
        progress=progress,
    )
    return replace(growth, notes=data.notes)


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
        The reference set of each segment.
    sizes : sequence of int
        Numbers of references; each at least 1.
    seed : int
        The seed of the sample.
    metric : str
        The spec of a metric that takes several references.
    threads : int, optional
        All cores by default.
    progress : callable, optional
        Called with how many sizes are done.

    Raises
    ------
    InputError
        When a size is less than 1, or the numbers of segments differ.

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
    for system, texts in outputs.items():
        if len(texts) != len(references):
            message = (
                f"system {system!r} has {len(texts):,} outputs, there are "
                f"{len(references):,} segments; give one output per segment"
            )
            raise InputError(message)
    scorer = metric_of(metric)
    words = {name: [_plain(text) for text in texts] for name, texts in outputs.items()}
    largest = sample_references(references, max(sizes), seed=seed)
    scores: dict[str, list[float]] = {system: [] for system in outputs}
    sampled = []
    for done, size in enumerate(sizes, start=1):
        refs = [sample[:size] for sample in largest]
        sampled.append(sum(map(len, refs)) / len(refs))
        for system, texts in words.items():
            scores[system].append(scorer.corpus_score(texts, refs, threads=threads))
        if progress is not None:
            progress(done)
    return Growth(
        sizes,
        tuple(sampled),
        {system: tuple(values) for system, values in scores.items()},
        _signature(scorer),
        seed,
        len(references),
    )


def sample_references(
    references: Sequence[Automaton], size: int, *, seed: int = SEED
) -> list[list[str]]:
    """Return at most `size` references of each segment, sampled uniformly.

    A smaller sample is the beginning of a larger one. Segments are sampled
    independently, even if they have the same reference set.
    """
    seeds = random.Random(seed)  # noqa: S311
    # Many segments have the same set.
    plain = {id(automaton): automaton for automaton in references}
    for key, automaton in plain.items():
        plain[key] = automaton.relabelled(lambda token: fold(bare(token)))
    return [
        [
            " ".join(tokens)
            for tokens in plain[id(automaton)].sample(size, seeds.getrandbits(63))
        ]
        for automaton in references
    ]


def _signature(scorer: Metric) -> str:
    """Return the signature of a metric on texts without case and punctuation."""
    fields = scorer.signature_for(nrefs="n", prep="folded,bare").split("|")
    return "|".join("case:lc" if one == "case:mixed" else one for one in fields)


def _plain(text: str) -> str:
    return " ".join(map(fold, bare_tokens(text)))

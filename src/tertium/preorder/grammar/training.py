# SPDX-License-Identifier: Apache-2.0
"""Training of reordering grammars by expectation maximisation.

Stanojević 2017, sections 3.3 and 3.4.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.preorder.grammar.alternatives import Alternatives
from tertium.preorder.grammar.checkpoints import Checkpoint, fingerprint
from tertium.preorder.grammar.corpus import UnitCorpus, learn_terminals
from tertium.preorder.grammar.estimates import Estimate, chart_estimate, smoothed
from tertium.preorder.grammar.model import Grammar
from tertium.preorder.grammar.settings import GrammarSettings
from tertium.preorder.grammar.shards import ForestShards
from tertium.preorder.grammar.splitting import Schedule, merge_half, split_in_two
from tertium.preorder.grammar.terminals import Lexicon

if TYPE_CHECKING:
    from tertium.align.links import Link

__all__ = ["GrammarSettings", "Iteration", "train_grammar"]

#: What is told about progress: what is counted, how many are done, of how many.
OnProgress: TypeAlias = Callable[[str, int, int | None], None]


@dataclass(frozen=True)
class Iteration:
    """One iteration of training.

    Parameters
    ----------
    number : int
        Counted from 1.
    log_likelihood : float
        Of the training sentences with their orders, before the iteration.
    perplexity : float
        The same per unit: exp(-log-likelihood / units).
    held_out : float, optional
        The perplexity of the sentences held out, after the iteration.
    """

    number: int
    log_likelihood: float
    perplexity: float
    held_out: float | None = None


def train_grammar(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Iterable[Link | Sequence[float]] | Alternatives],
    *,
    variant: str = "itg",
    splits: tuple[int, int] = (30, 3),
    rounds: int = 0,
    iterations: int = 30,
    seed: int = SEED,
    held_out: int = 0,
    patience: int = 3,
    attach: str = "right",
    height: str = "low",
    unknown: int = 3,
    suffixes: int = 0,
    backoff: float = 5.0,
    backoff_classes: int = 100,
    smoothing: float = 0.01,
    floor: float = 0.001,
    prior: tuple[float, float] | None = None,
    max_words: int = 50,
    threads: int | None = None,
    progress: OnProgress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Grammar:
    """Learn a reordering grammar from sentences and word links.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The words of each source sentence.
    links : sequence of iterables of Link or of pairs, or of Alternatives
        Source and target words of each sentence, counted from 0; or several
        alternatives with weights, which are learnt from as a mixture
        (:mod:`tertium.preorder.grammar.alternatives`).
    variant : {"itg", "pet", "left", "right"}
        Learn from all trees of binary operators, all trees of operators with up to
        five children, or the left or right tree of each sentence alone.
    splits : pair of int
        The number of latent states of binary operators, and of others.
    rounds : int
        Split states in two so many times, instead of all at once, and merge the half
        of the pairs that matters least again
        (:mod:`tertium.preorder.grammar.splitting`); `splits` are then at most the
        numbers of states.
    iterations : int
        At most so many iterations, after those of the rounds.
    seed : int
        Of the noise that makes states differ.
    held_out : int
        Keep every n-th sentence apart, and stop when their perplexity has not fallen
        for `patience` iterations. 0 learns from all sentences.
    patience : int
    attach : {"right", "left"}
        The side on which unaligned words join a neighbour: ``right`` for languages
        whose function words come first, such as English; ``left`` for those such as
        Japanese.
    height : {"low", "high", "both"}
        Whether they join a unit, or the largest block that starts or ends there; or
        learn from the trees of all combinations.
    unknown : int
        Words that occur at most so often count as unknown.
    suffixes : int
        Unknown words that share a suffix are a class if there are at least so many; 0
        for no classes.
    backoff : float
        Count the slots of a word's class so often for every word; 0 for no classes.
        Rare words profit from it.
    backoff_classes : int
        The number of word classes, which are learnt from the sentences.
    smoothing : float
        The share of the mean over the states of an operator in every probability.
    floor : float
        The share of emissions that depend on the frequency of a terminal alone.
    prior : pair of float, optional
        Parameters of symmetric Dirichlet priors: of the states that a slot expands
        into, and of the terminals that it emits. Iterations are then variational
        (:mod:`tertium.preorder.grammar.priors`). Small values make probabilities
        sparse. Without a prior, likelihood alone decides.
    max_words : int
        Leave longer sentences out.
    threads : int, optional
        As many as the machine has by default. The grammar does not depend on it.
    progress : callable, optional
        Called with what is counted, how many are done, and of how many.
    checkpoint : str or path, optional
        A file that is written after every iteration. Training that was stopped
        continues from it and returns the same grammar as training without a stop.

    Returns
    -------
    Grammar
        Its ``settings`` have all of the above, the log of iterations, and how many
        sentences were left out.

    Raises
    ------
    InputError
        If a setting is invalid, a link lies outside its sentence, no sentence is left
        to learn from, or the checkpoint belongs to other data or settings.

    Examples
    --------
    >>> sentences = ["she reads books".split(), "he reads".split()]
    >>> links = [[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1)]]
    >>> grammar = train_grammar(sentences, links, splits=(2, 1), unknown=0)
    >>> [item["perplexity"] for item in grammar.settings["log"]][-1] < 3
    True
    """
    settings = GrammarSettings(
        variant=variant,
        splits=tuple(splits),  # type: ignore[arg-type]
        rounds=rounds,
        iterations=iterations,
        seed=seed,
        held_out=held_out,
        patience=patience,
        attach=attach,
        height=height,
        unknown=unknown,
        suffixes=suffixes,
        backoff=backoff,
        backoff_classes=backoff_classes,
        smoothing=smoothing,
        floor=floor,
        prior=None if prior is None else tuple(prior),  # type: ignore[arg-type]
        max_words=max_words,
    )
    corpus = UnitCorpus.of(sentences, links, max_words=max_words)
    trainer = _Trainer(corpus, settings, threads or 0)
    if backoff > 0:
        trainer.learn_classes(sentences)
    saved = None
    if checkpoint is not None:
        saved = Checkpoint(checkpoint, fingerprint(corpus, asdict(settings)))
    return trainer.run(progress or _silent, saved)


class _Trainer:
    """The corpus in the core, and the steps of training."""

    def __init__(
        self, corpus: UnitCorpus, settings: GrammarSettings, threads: int
    ) -> None:
        self.settings = settings
        self.schedule = Schedule(settings.rounds, settings.seed)
        self.threads = threads
        kept, apart = corpus, None
        if settings.held_out:
            kept, apart = corpus.parts(settings.held_out)
        self.terminals = learn_terminals(
            kept, unknown=settings.unknown, suffixes=settings.suffixes
        )
        self.lexicon = Lexicon(self.terminals)
        self.train = self._forests(kept)
        if len(self.train) == 0:
            raise InputError(
                "there is no sentence to learn from: each of the "
                f"{len(corpus) + corpus.omitted.length:,} is too short or too long, "
                "has fewer than two aligned units, or an order that the operators "
                "cannot express; check the links, or choose variant='pet'"
            )
        self.held_out = None
        if apart is not None:
            forests = self._forests(apart)
            self.held_out = forests if len(forests) > 0 else None
        self.counts = np.zeros(len(self.terminals))
        np.add.at(self.counts, self.lexicon.numbers(kept.texts), kept.unit_weight)

        self.classes = np.full(len(self.terminals), -1)

    def learn_classes(self, sentences: Sequence[Sequence[str]]) -> None:
        """Find the classes of all words that are terminals."""
        from tertium.preorder.classes import word_classes

        learnt = word_classes(
            sentences, classes=self.settings.backoff_classes, seed=self.settings.seed
        )
        self.classes = np.array(
            [learnt.classes.get(terminal, -1) for terminal in self.terminals]
        )

    def _forests(self, corpus: UnitCorpus) -> ForestShards:
        return ForestShards(
            corpus,
            self.lexicon,
            variant=self.settings.variant,
            attach=self.settings.attach,
            height=self.settings.height,
            threads=self.threads,
        )

    def first_estimate(self) -> Estimate:
        operators = self.train.operators
        unsplit = chart_estimate(operators, self.train, len(self.terminals))
        if self.settings.rounds:
            return unsplit
        generator = np.random.default_rng(self.settings.seed)
        return unsplit.split(self.splits, generator)

    @property
    def splits(self) -> list[int]:
        """The states of each operator, or the most of them with rounds."""
        binary, wide = self.settings.splits
        return [binary if item.arity == 2 else wide for item in self.train.operators]

    def run(self, progress: OnProgress, saved: Checkpoint | None) -> Grammar:
        log: list[Iteration] = []
        estimate = self.first_estimate()
        best = estimate
        if saved is not None and (state := saved.read(estimate)) is not None:
            estimate, best, log = state
        total = self.schedule.iterations + self.settings.iterations
        progress("iterations", len(log), total)
        while len(log) < total and not self._is_over(log):
            estimate, iteration = self.iterate(estimate, len(log) + 1)
            log.append(iteration)
            if self._lowest(log) == len(log) - 1:
                best = estimate
            if saved is not None:
                saved.write(estimate, best, log)
            progress("iterations", len(log), total)
        return self.grammar(best, log)

    def iterate(self, estimate: Estimate, number: int) -> tuple[Estimate, Iteration]:
        if self.schedule.splits_before(number):
            generator = self.schedule.generator(number)
            estimate = split_in_two(estimate, self.splits, generator)
        logs, root, unary, value = self.train.expect(estimate)
        total = float(logs.sum())
        estimate = estimate.normalised(root, unary, value, prior=self.settings.prior)
        if self.schedule.merges_after(number):
            estimate = merge_half(estimate, self.train)
        perplexity = float(np.exp(-total / self.train.units))
        return estimate, Iteration(number, total, perplexity, self._held_out(estimate))

    def _held_out(self, estimate: Estimate) -> float | None:
        if self.held_out is None:
            return None
        logs = self.held_out.log_probabilities(self.grammar(estimate, []))
        return float(np.exp(-logs.sum() / self.held_out.units))

    def _lowest(self, log: Sequence[Iteration]) -> int:
        """Return which iteration to keep: the last one if nothing was held out.

        Iterations that split and merge states are steps on the way.
        """
        skipped = min(self.schedule.iterations, len(log) - 1)
        values = [item.held_out for item in log[skipped:]]
        if values[-1] is None:
            return len(log) - 1
        lowest = min(value for value in values if value is not None)
        return skipped + values.index(lowest)

    def _is_over(self, log: Sequence[Iteration]) -> bool:
        if not log or self.held_out is None:
            return False
        return len(log) - 1 - self._lowest(log) >= self.settings.patience

    def grammar(self, estimate: Estimate, log: Sequence[Iteration]) -> Grammar:
        settings: dict[str, object] = {
            **asdict(self.settings),
            "splits": list(self.settings.splits),
            "prior": self.settings.prior and list(self.settings.prior),
            "sentences": len(self.train),
            "units": self.train.units,
            "omitted": asdict(self.train.omitted),
            "log": [asdict(item) for item in log],
        }
        if (self.classes >= 0).any():
            estimate = estimate.backed_off(self.classes, self.settings.backoff)
        return smoothed(
            estimate,
            self.terminals,
            self.counts,
            alpha=self.settings.smoothing,
            floor=self.settings.floor,
            settings=settings,
        )


def _silent(what: str, done: int, total: int | None) -> None:
    """Show no progress."""

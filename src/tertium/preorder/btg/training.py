# SPDX-License-Identifier: Apache-2.0
"""Training of the BTG from sentences and word links.

The objective is the conditional log-likelihood of the gold orders, with trees as latent
variables. Gold orders come from automatic links and have errors; so a tree explains a
gold order with a probability that falls by exp(-penalty) per pair of words on which
the two differ. Weights are learnt by AdaGrad (Duchi, Hazan and Singer 2011) with a rate
that falls linearly to 0.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium._seed import SEED
from tertium.errors import FormatError, InputError
from tertium.preorder.archive import read_model, write_model
from tertium.preorder.btg.lexicon import learn_lexicon
from tertium.preorder.btg.model import MAX_WORDS, Btg
from tertium.preorder.gold import Gold, gold_orders
from tertium.preorder.measures import measure_orders
from tertium.preorder.unaligned import learn_unaligned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.align.links import Links

__all__ = ["BtgIteration", "BtgSettings", "train_btg"]

#: Called with what is counted, how many are done, and of how many.
OnProgress = Callable[[str, int, int | None], None]

_CHECKPOINT = "btg-checkpoint"
_BATCH = 16
#: Sentences between two reports of progress; a multiple of the batch.
_STEP = 2048


@dataclass(frozen=True)
class BtgSettings:
    """How a BTG is trained.

    Parameters
    ----------
    classes : sequence of three int
        The numbers of word classes, from coarse to fine.
    iterations : int
        How often every sentence is learnt from.
    rate : float
        The learning rate at the start.
    penalty : float
        How reliable gold orders are: the logarithm of how much less probable an order
        is per pair of words on which it differs from a tree.
    rare : int
        Words that occur less often are known by their suffix and classes alone.
    slots : int
        The number of weights that features are hashed into; a power of two.
    held_out : int
        Keep every n-th sentence apart and log its tau after each iteration; 0 learns
        from all sentences.
    max_words : int
        Leave longer sentences out.
    seed : int
        Of the word classes and the order in which sentences are learnt from.

    Raises
    ------
    InputError
        If a setting is invalid.
    """

    classes: tuple[int, ...] = (40, 150, 600)
    iterations: int = 4
    rate: float = 0.008
    penalty: float = 2.0
    rare: int = 5
    slots: int = 2**20
    held_out: int = 0
    max_words: int = 60
    seed: int = SEED

    def __post_init__(self) -> None:
        """Check all settings."""
        object.__setattr__(self, "classes", tuple(self.classes))
        if len(self.classes) != 3 or min(self.classes) < 1:
            raise InputError(
                f"classes={self.classes} are not three numbers of classes; give a "
                "coarse, a middle and a fine one, such as (40, 150, 600)"
            )
        for name in ("iterations", "rate", "penalty"):
            if getattr(self, name) <= 0:
                message = f"{name}={getattr(self, name)} is not above 0"
                raise InputError(f"{message}; give a positive number", options=(name,))
        if self.slots < 2 or self.slots & (self.slots - 1) or self.slots > 2**31:
            raise InputError(
                f"slots={self.slots} is not a power of two; give one such as 2**20",
                options=("slots",),
            )
        if not 2 <= self.max_words <= MAX_WORDS:
            raise InputError(
                f"max_words={self.max_words} is not from 2 to {MAX_WORDS}; leave "
                "longer sentences out",
                options=("max_words",),
            )
        if self.held_out < 0 or self.held_out == 1:
            raise InputError(
                f"held_out={self.held_out} keeps no sentence to learn from; give 0, or "
                "a number above 1 to keep every n-th sentence apart",
                options=("held_out",),
            )


@dataclass(frozen=True)
class BtgIteration:
    """The log of one iteration.

    Parameters
    ----------
    number : int
        From 1.
    objective : float
        The mean log-likelihood of a sentence, measured while learning from it.
    held_out : float, optional
        The mean Kendall tau of sentences that were kept apart.
    """

    number: int
    objective: float
    held_out: float | None = None


def train_btg(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    threads: int | None = None,
    progress: OnProgress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **settings: object,
) -> Btg:
    """Learn a BTG from sentences and word links.

    Parameters
    ----------
    sentences, links, threads, progress, checkpoint
        As in :func:`tertium.preorder.train`.
    **settings
        Of :class:`BtgSettings`.

    Raises
    ------
    InputError
        If a setting is invalid, a link lies outside its sentence, no sentence has two
        words, or the checkpoint belongs to other data or settings.

    Notes
    -----
    O(n³) per sentence and iteration.

    Examples
    --------
    >>> sentences = ["she reads books".split(), "he reads".split()] * 8
    >>> links = [((0, 0), (1, 2), (2, 1)), ((0, 0), (1, 1))] * 8
    >>> model = train_btg(sentences, links, classes=(2, 3, 4), rate=0.1)
    >>> model.apply(["he reads books".split()])[0].order
    (0, 2, 1)
    """
    chosen = BtgSettings(**settings)  # type: ignore[arg-type]
    gold = gold_orders(sentences, links)
    trainer = _Trainer(sentences, gold, chosen, threads or 0)
    model = trainer.run(progress or _silent, checkpoint)
    unaligned = learn_unaligned(sentences, links, held_out=chosen.held_out)
    return Btg(model.lexicon, model.weights, model.settings, unaligned)


class _Trainer:
    """The training text in arrays, and the steps of training."""

    def __init__(
        self,
        sentences: Sequence[Sequence[str]],
        gold: Sequence[Gold],
        settings: BtgSettings,
        threads: int,
    ) -> None:
        self.settings = settings
        self.threads = threads
        apart = settings.held_out
        kept = [i for i in range(len(sentences)) if not apart or (i + 1) % apart]
        usable = [i for i in kept if 2 <= len(sentences[i]) <= settings.max_words]
        if not usable:
            raise InputError(
                f"none of {len(sentences):,} sentences has 2 to {settings.max_words} "
                "words; there is nothing to learn from"
            )
        self.omitted = len(kept) - len(usable)
        self.sentences = [sentences[i] for i in usable]
        self.orders = [gold[i].order for i in usable]
        held = [i for i in range(len(sentences)) if apart and not (i + 1) % apart]
        self.held_sentences = [sentences[i] for i in held]
        self.held_gold = [gold[i] for i in held]

    def run(
        self, progress: OnProgress, checkpoint: str | os.PathLike[str] | None
    ) -> Btg:
        settings = self.settings
        progress("word classes", 0, 1)
        self.lexicon = learn_lexicon(
            self.sentences,
            classes=settings.classes,
            rare=settings.rare,
            seed=settings.seed,
        )
        progress("word classes", 1, 1)
        self.attributes, self.starts = self.lexicon.attributes(self.sentences)
        self.ranks = np.concatenate([np.argsort(o) for o in self.orders])
        self.ranks = self.ranks.astype(np.int32)
        mark = self._mark() if checkpoint is not None else ""
        weights, squares, log = self._resume(checkpoint, mark)
        for iteration in range(len(log), settings.iterations):
            objective = self._pass(weights, squares, iteration, progress)
            tau = self._held_out_tau(weights)
            log.append(BtgIteration(iteration + 1, objective, tau))
            if checkpoint is not None:
                _write_checkpoint(checkpoint, mark, weights, squares, log)
        return self._model(weights, log)

    def _pass(
        self,
        weights: NDArray[np.float32],
        squares: NDArray[np.float32],
        iteration: int,
        progress: OnProgress,
    ) -> float:
        """Learn from every sentence once; return the mean objective."""
        settings, size = self.settings, len(self.sentences)
        generator = np.random.default_rng([settings.seed, iteration])
        order = generator.permutation(size).astype(np.uint32)
        total = size * settings.iterations

        def rate(done: int) -> float:
            return settings.rate * (1 - (iteration * size + done) / total)

        objective = 0.0
        for start in range(0, size, _STEP):
            end = min(start + _STEP, size)
            objective += _core.btg_train(
                self.attributes,
                self.starts,
                self.ranks,
                order[start:end],
                weights,
                squares,
                settings.penalty,
                _BATCH,
                rate(start),
                rate(end),
                self.threads,
            )
            progress("sentences", iteration * size + end, total)
        return objective / size

    def _held_out_tau(self, weights: NDArray[np.float32]) -> float | None:
        if not self.held_sentences:
            return None
        model = self._model(weights, [])
        results = model.apply(self.held_sentences, threads=self.threads)
        orders = [result.order for result in results]
        return float(measure_orders(orders, self.held_gold, measures=["tau"]).mean())

    def _model(self, weights: NDArray[np.float32], log: Sequence[BtgIteration]) -> Btg:
        record = {
            **asdict(self.settings),
            "sentences": len(self.sentences),
            "omitted": self.omitted,
            "log": [asdict(item) for item in log],
        }
        return Btg(self.lexicon, weights, json.loads(json.dumps(record)))

    def _mark(self) -> str:
        """Return a hash of everything that the model depends on."""
        out = hashlib.sha256(json.dumps(asdict(self.settings)).encode())
        for array in (self.attributes, self.starts, self.ranks):
            out.update(array.tobytes())
        return out.hexdigest()

    def _resume(
        self, checkpoint: str | os.PathLike[str] | None, mark: str
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], list[BtgIteration]]:
        """Return the weights to start from, and the log so far."""
        if checkpoint is None or not os.path.exists(checkpoint):
            shape = (self.settings.slots, 2)
            return np.zeros(shape, np.float32), np.zeros(shape, np.float32), []
        header, arrays = read_model(checkpoint, _CHECKPOINT)
        if header.get("mark") != mark:
            raise InputError(
                f"{os.fspath(checkpoint)} is a checkpoint of training with other "
                "sentences, links or settings; use the same ones, or delete it to "
                "start again"
            )
        try:
            items = [BtgIteration(**item) for item in header["log"]]  # type: ignore[attr-defined]
            weights, squares = (
                np.array(arrays[name], np.float32) for name in ("weights", "squares")
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"this checkpoint is damaged ({error}); delete it to start again",
                path=os.fspath(checkpoint),
            ) from None
        return weights, squares, items


def _write_checkpoint(
    path: str | os.PathLike[str],
    mark: str,
    weights: NDArray[np.float32],
    squares: NDArray[np.float32],
    log: Sequence[BtgIteration],
) -> None:
    header = {"mark": mark, "log": [asdict(item) for item in log]}
    write_model(path, _CHECKPOINT, header, {"weights": weights, "squares": squares})


def _silent(_what: str, _done: int, _total: int | None) -> None:
    """Report nothing."""

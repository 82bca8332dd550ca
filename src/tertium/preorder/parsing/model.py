# SPDX-License-Identifier: Apache-2.0
"""Preordering with a reordering grammar (Stanojević 2017, section 3.3.3).

A sentence is parsed with all derivations of the grammar. Their posteriors give the
exact probability that a word comes before another, and these the order of least risk.
The thesis samples derivations instead, as its exact method was too slow; samples and
the best derivations are here as well.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tertium import _core
from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.archive import read_model, write_model
from tertium.preorder.grammar import Grammar
from tertium.preorder.lattices import OrderLattice, order_lattice
from tertium.preorder.model import Reordering
from tertium.preorder.parsing.constraints import Constraints
from tertium.preorder.parsing.derivations import Derivation, SampledOrder, trees_of
from tertium.preorder.parsing.risk import (
    RankedOrder,
    best_orders,
    least_risk,
    swap_confidence,
)
from tertium.preorder.unaligned import UnalignedWords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CHOICES", "FALLBACKS", "GrammarPreorderer"]

#: How one order is chosen.
CHOICES = ("risk", "sampled-risk", "frequent", "sample", "derivation")

#: How a sentence is parsed that the grammar does not derive: by the smoothed grammar,
#: as several trees in a row, or not at all.
FALLBACKS = ("smoothed", "glued", "identity")

_OUTCOMES = (None, *FALLBACKS)


@dataclass(frozen=True, eq=False)
class GrammarPreorderer:
    """A preordering model that parses with a reordering grammar.

    Parameters
    ----------
    grammar : Grammar
    max_span : int
        Longer spans are not built. Longer sentences are parsed as the fewest pieces
        in a row. From 400 words on the limit is lower, so that memory is bounded.
    prune : float
        Skip spans whose posterior is lower under the grammar without splits; 0 skips
        none and is exact.
    unaligned : UnalignedWords, optional
        Which words have no counterpart in the translation.

    Notes
    -----
    Parsing takes O(n² · slots · states + n³ · states · arity) time and O(n² · slots)
    memory per sentence.
    """

    grammar: Grammar
    max_span: int = 100
    prune: float = 0.0
    unaligned: UnalignedWords | None = None

    kind = "grammar"

    def __post_init__(self) -> None:
        if self.max_span < 2:
            raise InputError(f"max_span is {self.max_span}; give at least 2 words")
        if not 0 <= self.prune < 1:
            raise InputError(f"prune is {self.prune}; give a probability below 1")

    @cached_property
    def _parser(self) -> _core.ReorderingParser:
        return _core.ReorderingParser(self.grammar.kernel)

    def _encode(
        self, sentences: Sequence[Sequence[str]]
    ) -> list[tuple[int, list[tuple[int, int, int]]]]:
        encoded = []
        for words in sentences:
            terminals = self.grammar.lexicon.encode(words)
            known = {start for start, end, _ in terminals if end == start + 1}
            terminals += [(i, i + 1, -1) for i in range(len(words)) if i not in known]
            encoded.append((len(words), terminals))
        return encoded

    # --------------------------------------------------------------- the protocol

    def expectations(
        self, sentences: Sequence[Sequence[str]], *, threads: int | None = None
    ) -> list[NDArray[np.float64]]:
        """Return, for each sentence, the probabilities that words come before others.

        Entry (i, j) of a matrix is P(word i before word j), exact unless `prune` is
        set. Two opposite entries sum to 1; the diagonal is 0.
        """
        return self.parse(sentences, threads=threads)[0]

    def apply(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        choice: str = "risk",
        samples: int = 1000,
        seed: int = SEED,
        threads: int | None = None,
    ) -> list[Reordering]:
        """Return the new order of each sentence.

        Parameters
        ----------
        sentences : sequence of sequences of str
        constraints : Constraints or sequence of Constraints, optional
            What the orders must respect; only with the choice ``risk``.
        choice : str
            ``risk``: the separable order with the highest expected tau.
            ``sampled-risk``: the best of the sampled orders, the source order and
            that of the best derivation. ``frequent``: the most frequent sampled
            order. ``sample``: one sample. ``derivation``: the best derivation.
        samples : int
            How many derivations are sampled per sentence.
        seed : int
            The seed of the samples.
        threads : int, optional
            All processors by default; the result does not depend on it.

        Returns
        -------
        list of Reordering
            With the expected tau and the confidence of each; ``fallback`` is set for
            sentences that the grammar does not derive.
        """
        if choice not in CHOICES:
            raise UnknownNameError("choice", choice, CHOICES)
        matrices, fallbacks = self.parse(sentences, threads=threads)
        if choice == "risk":
            chosen = least_risk(matrices, constraints=constraints, threads=threads)
        elif constraints is not None:
            message = f"the choice {choice!r} ignores constraints; use 'risk'"
            raise InputError(message)
        else:
            orders = self._chosen(sentences, matrices, choice, samples, seed, threads)
            chosen = [
                Reordering(order, expected=tau, confidence=swap_confidence(order, e))
                for (order, tau), e in zip(orders, matrices, strict=True)
            ]
        return [
            replace(one, fallback=fallback)
            for one, fallback in zip(chosen, fallbacks, strict=True)
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the grammar to a file that :func:`tertium.preorder.load` reads."""
        header, arrays = self.grammar.to_parts()
        if self.unaligned is not None:
            arrays |= self.unaligned.to_arrays()
        write_model(path, self.kind, header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GrammarPreorderer:
        """Read a model that :meth:`save` wrote."""
        header, arrays = read_model(path, cls.kind)
        grammar = Grammar.from_parts(header, arrays, path=path)
        return cls(grammar, unaligned=UnalignedWords.from_arrays(arrays))

    # --------------------------------------------------------------- more results

    def nbest(
        self,
        sentences: Sequence[Sequence[str]],
        count: int,
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[list[RankedOrder]]:
        """Return the `count` separable orders of least risk, the best first."""
        matrices = self.expectations(sentences, threads=threads)
        return best_orders(
            matrices, count=count, constraints=constraints, threads=threads
        )

    def lattice(
        self,
        sentences: Sequence[Sequence[str]],
        count: int = 100,
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[OrderLattice]:
        """Return the lattice of the `count` orders of least risk of each sentence."""
        matrices = self.expectations(sentences, threads=threads)
        lists = best_orders(
            matrices, count=count, constraints=constraints, threads=threads
        )
        return [
            order_lattice(words, [one.order for one in ranked], e)
            for words, ranked, e in zip(sentences, lists, matrices, strict=True)
        ]

    def samples(
        self,
        sentences: Sequence[Sequence[str]],
        count: int = 10_000,
        *,
        seed: int = SEED,
        threads: int | None = None,
    ) -> list[list[SampledOrder]]:
        """Return the orders of sampled derivations, the most frequent first."""
        if count < 1:
            raise InputError(f"{count} derivations cannot be sampled; give at least 1")
        results, _ = self._parser.samples(
            self._encode(sentences), count, seed, self.max_span, threads or 0
        )
        return [
            [
                SampledOrder(tuple(order), times)
                for order, times in zip(orders.tolist(), counts.tolist(), strict=True)
            ]
            for orders, counts in results
        ]

    def derivations(
        self,
        sentences: Sequence[Sequence[str]],
        count: int = 1,
        *,
        threads: int | None = None,
    ) -> list[list[Derivation]]:
        """Return the most probable derivations with their states, the best first.

        Several may give the same order.
        """
        if count < 1:
            raise InputError(f"{count} derivations cannot be chosen; give at least 1")
        results, _ = self._parser.derivations(
            self._encode(sentences), count, self.max_span, threads or 0
        )
        names = [operator.name for operator in self.grammar.operators]
        return [
            [
                Derivation(log, tuple(o), trees_of(rows, names))
                for log, rows, o in ranked
            ]
            for ranked in results
        ]

    def log_probabilities(
        self, sentences: Sequence[Sequence[str]], *, threads: int | None = None
    ) -> list[float]:
        """Return the logarithm of each sentence's probability, over all its orders."""
        return self._parser.log_probabilities(
            self._encode(sentences), self.max_span, threads or 0
        )[0]

    def parse(
        self, sentences: Sequence[Sequence[str]], *, threads: int | None = None
    ) -> tuple[list[NDArray[np.float64]], list[str | None]]:
        """Return the expectations and the fallback of each sentence.

        The fallback is None if the grammar derives the sentence, else one of
        `FALLBACKS`.
        """
        matrices, outcomes = self._parser.expectations(
            self._encode(sentences), self.max_span, self.prune, threads or 0
        )
        return matrices, [_OUTCOMES[outcome] for outcome in outcomes]

    # ------------------------------------------------------------------- helpers

    def _chosen(
        self,
        sentences: Sequence[Sequence[str]],
        matrices: Sequence[NDArray[np.float64]],
        choice: str,
        samples: int,
        seed: int,
        threads: int | None,
    ) -> list[tuple[tuple[int, ...], float]]:
        """Return orders and their expected taus."""
        candidates: list[list[tuple[int, ...]]]
        if choice == "derivation":
            best = self.derivations(sentences, threads=threads)
            candidates = [[one.order for one in ranked] for ranked in best]
        else:
            count = 1 if choice == "sample" else samples
            sampled = self.samples(sentences, count, seed=seed, threads=threads)
            candidates = [[one.order for one in orders] for orders in sampled]
        if choice == "sampled-risk":
            best = self.derivations(sentences, threads=threads)
            for orders, ranked, e in zip(candidates, best, matrices, strict=True):
                orders += [tuple(range(len(e))), ranked[0].order]
            return [
                _least(orders, e)
                for orders, e in zip(candidates, matrices, strict=True)
            ]
        return [
            _least(orders[:1], e)
            for orders, e in zip(candidates, matrices, strict=True)
        ]


def _least(
    orders: Sequence[tuple[int, ...]], expectations: NDArray[np.float64]
) -> tuple[tuple[int, ...], float]:
    """Return the order with the highest expected tau, the first of equal ones."""
    import numpy as np

    rows = np.array(orders, dtype=np.int32).reshape(len(orders), len(expectations))
    taus = _core.expected_taus(expectations, rows)
    best = int(taus.argmax())
    return orders[best], float(taus[best])

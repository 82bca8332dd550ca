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
from tertium.preorder.model import Reordering, check_order
from tertium.preorder.parsing.choices import CHOICES, chosen_orders
from tertium.preorder.parsing.constraints import (
    Constraints,
    LimitRow,
    check_respected,
    checked_constraints,
    limit_rows,
)
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

#: How a sentence is parsed that the grammar does not derive: by the smoothed grammar,
#: as several trees in a row, or not at all.
FALLBACKS = ("smoothed", "glued", "identity")

_OUTCOMES = (None, *FALLBACKS)

#: Longer sentences have no chart of all spans.
_LONGEST_ORDER = 200


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

    def __getstate__(self) -> dict[str, object]:
        # The parser is made again where it is needed.
        return {name: value for name, value in vars(self).items() if name != "_parser"}

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
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[NDArray[np.float64]]:
        """Return, for each sentence, the probabilities that words come before others.

        Entry (i, j) of a matrix is P(word i before word j), exact unless `prune` is
        set. Two opposite entries sum to 1; the diagonal is 0.

        Parameters
        ----------
        sentences : sequence of sequences of str
        constraints : Constraints or sequence of Constraints, optional
            For all sentences, or one item per sentence. Derivations whose order
            violates walls, frozen phrases or pairs have no weight. (Operators of four
            and five children over more than 24 words never separate a pair.)
        threads : int, optional
            All processors by default; the result does not depend on it.
        """
        return self.parse(sentences, constraints=constraints, threads=threads)[0]

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
            What the orders must respect; a maximum displacement only with the
            choice ``risk``.
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
            sentences that the grammar does not derive, or not with the constraints.

        Raises
        ------
        InputError
            If no order of a sentence respects its constraints.
        """
        if choice not in CHOICES:
            raise UnknownNameError("choice", choice, CHOICES)
        limits = checked_constraints(constraints, [len(words) for words in sentences])
        if choice != "risk" and any(one.max_displacement is not None for one in limits):
            raise InputError(
                f"the choice {choice!r} ignores the maximum displacement; use 'risk'"
            )
        matrices, fallbacks = self.parse(
            sentences, constraints=constraints, threads=threads
        )
        if choice == "risk":
            chosen = least_risk(matrices, constraints=constraints, threads=threads)
        else:
            orders = chosen_orders(
                self,
                sentences,
                matrices,
                choice=choice,
                constraints=limits or None,
                samples=samples,
                seed=seed,
                threads=threads,
            )
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
        matrices = self.expectations(
            sentences, constraints=constraints, threads=threads
        )
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
        matrices = self.expectations(
            sentences, constraints=constraints, threads=threads
        )
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
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[list[SampledOrder]]:
        """Return the orders of sampled derivations, the most frequent first.

        All of them respect the constraints but for the maximum displacement.
        """
        if count < 1:
            raise InputError(f"{count} derivations cannot be sampled; give at least 1")
        results, _ = self._parser.samples(
            self._encode(sentences),
            _limits(constraints, sentences),
            count,
            seed,
            self.max_span,
            threads or 0,
        )
        sampled = [
            [
                SampledOrder(tuple(order), times)
                for order, times in zip(orders.tolist(), counts.tolist(), strict=True)
            ]
            for orders, counts in results
        ]
        check_respected([orders[0].order for orders in sampled], constraints)
        return sampled

    def derivations(
        self,
        sentences: Sequence[Sequence[str]],
        count: int = 1,
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[list[Derivation]]:
        """Return the most probable derivations with their states, the best first.

        Several may give the same order. All of them respect the constraints but for
        the maximum displacement.
        """
        if count < 1:
            raise InputError(f"{count} derivations cannot be chosen; give at least 1")
        results, _ = self._parser.derivations(
            self._encode(sentences),
            _limits(constraints, sentences),
            count,
            self.max_span,
            threads or 0,
        )
        names = [operator.name for operator in self.grammar.operators]
        check_respected([tuple(ranked[0][2]) for ranked in results], constraints)
        return [
            [
                Derivation(log, tuple(o), trees_of(rows, names))
                for log, rows, o in ranked
            ]
            for ranked in results
        ]

    def log_probabilities(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[float]:
        """Return the logarithm of each sentence's probability, over all its orders.

        With constraints, over the orders that respect them but for the maximum
        displacement.
        """
        return self._parser.log_probabilities(
            self._encode(sentences),
            _limits(constraints, sentences),
            self.max_span,
            threads or 0,
        )[0]

    def order_log_probabilities(
        self,
        sentences: Sequence[Sequence[str]],
        orders: Sequence[Sequence[int]],
        *,
        threads: int | None = None,
    ) -> list[float]:
        """Return log P(sentence, order) for an order of each sentence.

        This is forced parsing (Stanojević 2017, section 3.3.1): the sum over all
        derivations with this order. Minus :meth:`log_probabilities`, it is
        log P(order | sentence).

        Parameters
        ----------
        sentences : sequence of sequences of str
            At least two words are derived, and at most 200.
        orders : sequence of orders
            Source positions, counted from 0, in their new order.
        threads : int, optional
            All processors by default; the result does not depend on it.

        Returns
        -------
        list of float
            Minus infinity if the grammar does not derive the sentence in this order.

        Raises
        ------
        InputError
            If an order does not fit its sentence, or a sentence is too long.
        """
        if len(orders) != len(sentences):
            raise InputError(
                f"there are {len(sentences)} sentences and {len(orders)} orders; give "
                "one order per sentence"
            )
        for index, words in enumerate(sentences):
            if len(words) > _LONGEST_ORDER:
                raise InputError(
                    f"sentence {index + 1} has {len(words)} words; orders are scored "
                    f"up to {_LONGEST_ORDER}, so divide it"
                )
        checked = [
            check_order(order, len(words))
            for order, words in zip(orders, sentences, strict=True)
        ]
        return self._parser.order_log_probabilities(
            self._encode(sentences), checked, threads or 0
        )

    def parse(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> tuple[list[NDArray[np.float64]], list[str | None]]:
        """Return the expectations and the fallback of each sentence.

        The fallback is None if the grammar derives the sentence, else one of
        `FALLBACKS`.
        """
        matrices, outcomes = self._parser.expectations(
            self._encode(sentences),
            _limits(constraints, sentences),
            self.max_span,
            self.prune,
            threads or 0,
        )
        return matrices, [_OUTCOMES[outcome] for outcome in outcomes]


def _limits(
    constraints: Constraints | Sequence[Constraints | None] | None,
    sentences: Sequence[Sequence[str]],
) -> list[LimitRow]:
    return limit_rows(constraints, [len(words) for words in sentences])

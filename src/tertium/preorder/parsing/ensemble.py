# SPDX-License-Identifier: Apache-2.0
"""Several reordering grammars that decide together.

Expectation maximisation ends in another local optimum for every seed. The errors of the
grammars differ, so the mean of their expectations is better than those of any of them;
Petrov (2010) multiplies the probabilities of such grammars of constituents.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from tertium._seed import SEED
from tertium.errors import FormatError, InputError
from tertium.preorder.archive import read_model, write_model
from tertium.preorder.grammar import Alternatives, Grammar, train_grammar
from tertium.preorder.model import Reordering
from tertium.preorder.parsing.constraints import Constraints
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.preorder.parsing.risk import least_risk
from tertium.preorder.unaligned import UnalignedWords, learn_unaligned

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.align.links import Link

    OnProgress: TypeAlias = Callable[[str, int, int | None], None]

__all__ = ["GrammarEnsemble", "train_grammars"]


@dataclass(frozen=True, eq=False)
class GrammarEnsemble:
    """A preordering model of several grammars.

    Parameters
    ----------
    grammars : tuple of Grammar
        At least one; they may have different operators, splits and terminals.
    unaligned : UnalignedWords, optional
        Which words have no counterpart in the translation.
    """

    grammars: tuple[Grammar, ...]
    unaligned: UnalignedWords | None = None

    kind = "grammars"

    def __post_init__(self) -> None:
        if not self.grammars:
            raise InputError("an ensemble needs at least one grammar; give some")

    @cached_property
    def members(self) -> tuple[GrammarPreorderer, ...]:
        """A model of each grammar."""
        return tuple(map(GrammarPreorderer, self.grammars))

    def expectations(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[NDArray[np.float64]]:
        """Return the mean of the expectations of all grammars.

        Entry (i, j) of a sentence's matrix is P(word i before word j). Constraints are
        those of :meth:`GrammarPreorderer.expectations`.
        """
        return self.parse(sentences, constraints=constraints, threads=threads)[0]

    def parse(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> tuple[list[NDArray[np.float64]], list[str | None]]:
        """Return the expectations and the fallback of each sentence.

        The fallback is None if one of the grammars derives the sentence, else that of
        the first grammar.
        """
        first, *rest = self.members
        totals, fallbacks = first.parse(
            sentences, constraints=constraints, threads=threads
        )
        for member in rest:
            matrices, others = member.parse(
                sentences, constraints=constraints, threads=threads
            )
            for total, matrix in zip(totals, matrices, strict=True):
                total += matrix
            pairs = zip(fallbacks, others, strict=True)
            fallbacks = [one if other else None for one, other in pairs]
        for total in totals:
            total /= len(self.members)
        return totals, fallbacks

    def apply(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[Reordering]:
        """Return the separable order of least risk of each sentence."""
        matrices, fallbacks = self.parse(
            sentences, constraints=constraints, threads=threads
        )
        chosen = least_risk(matrices, constraints=constraints, threads=threads)
        return [
            replace(one, fallback=fallback)
            for one, fallback in zip(chosen, fallbacks, strict=True)
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the grammars to one file that :func:`tertium.preorder.load` reads."""
        headers = []
        arrays: dict[str, NDArray[np.generic]] = {}
        for number, grammar in enumerate(self.grammars):
            header, parts = grammar.to_parts()
            headers.append(header)
            arrays |= {f"{number}.{name}": array for name, array in parts.items()}
        if self.unaligned is not None:
            arrays |= self.unaligned.to_arrays()
        # The settings that readers of any model look at are those of the first.
        common = {"settings": headers[0]["settings"], "grammars": headers}
        write_model(path, self.kind, common, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GrammarEnsemble:
        """Read a model that :meth:`save` wrote.

        Raises
        ------
        FormatError
            If the file is missing, damaged, or a model of another kind.
        """
        header, arrays = read_model(path, cls.kind)
        headers = header.get("grammars")
        if not isinstance(headers, list) or not headers:
            message = "the header names no grammars; train the model again"
            raise FormatError(message, path=os.fspath(path))
        grammars = []
        for number, one in enumerate(headers):
            start = f"{number}."
            parts = {
                name.removeprefix(start): array
                for name, array in arrays.items()
                if name.startswith(start)
            }
            grammars.append(Grammar.from_parts(one, parts, path=path))
        return cls(tuple(grammars), UnalignedWords.from_arrays(arrays))


def train_grammars(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Iterable[Link | Sequence[float]] | Alternatives],
    *,
    restarts: int = 4,
    seed: int = SEED,
    threads: int | None = None,
    progress: OnProgress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **settings: object,
) -> GrammarPreorderer | GrammarEnsemble:
    """Learn one or several reordering grammars and return their preordering model.

    Parameters
    ----------
    sentences, links, threads, progress
        As in :func:`tertium.preorder.grammar.train_grammar`.
    restarts : int
        How many grammars, each from another seed: `seed`, `seed` + 1, ...
    seed : int
    checkpoint : str or path, optional
        The file of the first grammar; those of the others end in ``.2``, ``.3``, ...
    **settings
        Other settings of `train_grammar`.

    Examples
    --------
    >>> sentences = ["she reads books".split(), "he reads".split()]
    >>> links = [[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1)]]
    >>> model = train_grammars(
    ...     sentences, links, restarts=2, splits=(2, 1), unknown=0, iterations=5
    ... )
    >>> model.apply(["he reads books".split()])[0].order
    (0, 2, 1)
    """
    if restarts < 1:
        raise InputError(f"restarts is {restarts}; give an integer from 1")
    grammars = []
    for number in range(restarts):
        place = checkpoint
        if checkpoint is not None and number > 0:
            place = f"{os.fspath(checkpoint)}.{number + 1}"
        grammars.append(
            train_grammar(
                sentences,
                links,
                seed=seed + number,
                threads=threads,
                progress=_shifted(progress, number, restarts),
                checkpoint=place,
                **settings,  # type: ignore[arg-type]
            )
        )
    held_out = int(str(settings.get("held_out", 0)))
    likeliest = [
        each.likeliest if isinstance(each, Alternatives) else each for each in links
    ]
    unaligned = learn_unaligned(sentences, likeliest, held_out=held_out)
    if restarts == 1:
        return GrammarPreorderer(grammars[0], unaligned=unaligned)
    return GrammarEnsemble(tuple(grammars), unaligned)


def _shifted(
    progress: OnProgress | None, number: int, restarts: int
) -> OnProgress | None:
    """Return progress on one grammar as progress on all."""
    if progress is None:
        return None

    def show(what: str, done: int, total: int | None) -> None:
        if total is None:
            progress(what, done, None)
        else:
            progress(what, number * total + done, restarts * total)

    return show

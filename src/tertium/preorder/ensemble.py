# SPDX-License-Identifier: Apache-2.0
"""Several grammars as one model: the mean of their expectations.

Expectation maximisation ends in another local optimum for every seed, and grammars
from different seeds make different errors (Petrov 2010, "Products of random latent
variable grammars"). Their mean expectations are better than those of each.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import FormatError, InputError
from tertium.preorder.archive import read_model, write_model
from tertium.preorder.grammar import Grammar
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.preorder.parsing.risk import least_risk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.preorder.model import Reordering
    from tertium.preorder.parsing.constraints import Constraints

__all__ = ["GrammarEnsemble"]


@dataclass(frozen=True, eq=False)
class GrammarEnsemble:
    """A preordering model of several grammars.

    Parameters
    ----------
    grammars : tuple of Grammar
        At least one, such as those of
        :func:`tertium.preorder.grammar.train_grammars`.

    Examples
    --------
    >>> from tertium.preorder.grammar import GrammarSettings, train_grammars
    >>> sentences = ["she reads books".split(), "he reads".split()] * 8
    >>> links = [[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1)]] * 8
    >>> settings = GrammarSettings(splits=(2, 1), unknown=0)
    >>> grammars = train_grammars(sentences, links, settings, restarts=2)
    >>> GrammarEnsemble(tuple(grammars)).apply(["he reads books".split()])[0].order
    (0, 2, 1)
    """

    grammars: tuple[Grammar, ...]

    kind = "grammars"

    def __post_init__(self) -> None:
        if not self.grammars:
            raise InputError("an ensemble has no grammar; give at least one")

    def expectations(
        self, sentences: Sequence[Sequence[str]], *, threads: int | None = None
    ) -> list[NDArray[np.float64]]:
        """Return, for each sentence, the probabilities that words come before others.

        They are the mean over the grammars.
        """
        sums: list[NDArray[np.float64]] = []
        for grammar in self.grammars:
            model = GrammarPreorderer(grammar)
            matrices = model.expectations(sentences, threads=threads)
            if sums:
                matrices = [a + b for a, b in zip(sums, matrices, strict=True)]
            sums = matrices
        return [matrix / len(self.grammars) for matrix in sums]

    def apply(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[Reordering]:
        """Return the order of each sentence with the highest expected tau."""
        matrices = self.expectations(sentences, threads=threads)
        return least_risk(matrices, constraints=constraints, threads=threads)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the grammars to a file that :func:`tertium.preorder.load` reads."""
        parts = [grammar.to_parts() for grammar in self.grammars]
        arrays = {
            f"{number}.{name}": array
            for number, (_, members) in enumerate(parts)
            for name, array in members.items()
        }
        header = {"grammars": [header for header, _ in parts]}
        write_model(path, self.kind, header, arrays)

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
            message = "the ensemble in this file has no grammars; train it again"
            raise FormatError(message, path=os.fspath(path))
        grammars = []
        for number, part in enumerate(headers):
            start = f"{number}."
            members = {
                name.removeprefix(start): array
                for name, array in arrays.items()
                if name.startswith(start)
            }
            grammars.append(Grammar.of_parts(part, members, path=path))
        return cls(tuple(grammars))

# SPDX-License-Identifier: Apache-2.0
"""A log-linear BTG that reorders sentences.

A tree over the words of a sentence has straight nodes, which keep the order of their
two children, and inverted ones, which swap them (Wu 1997). The probability of a tree
is log-linear in features of its nodes: the words at the ends of both children and next
to them, their classes, and the pairs of words that the node swaps (Nakagawa 2015;
Tromble and Eisner 2009). Sums over all trees are exact.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import FormatError
from tertium.preorder.archive import read_model, write_model
from tertium.preorder.btg.lexicon import Lexicon
from tertium.preorder.parsing.constraints import Constraints, checked_constraints
from tertium.preorder.parsing.risk import least_risk
from tertium.preorder.unaligned import UnalignedWords

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.preorder.model import Reordering
    from tertium.preorder.parsing.constraints import LimitRow

__all__ = ["MAX_WORDS", "Btg"]

#: Longer sentences are reordered in pieces: memory grows with the cube of the length.
MAX_WORDS = 128

#: Sentences whose matrices are computed in one call, which bounds the memory.
_CHUNK = 4096


class Btg:
    """A trained BTG; :func:`tertium.preorder.btg.training.train_btg` learns one.

    Parameters
    ----------
    lexicon : Lexicon
        What is known of words.
    weights : ndarray of shape (slots, 2)
        Of hashed features, for straight and inverted nodes.
    settings : mapping
        How the model was trained, as JSON values, and the log of training.
    unaligned : UnalignedWords, optional
        Which words have no counterpart in the translation.
    """

    kind = "btg"

    def __init__(
        self,
        lexicon: Lexicon,
        weights: NDArray[np.float32],
        settings: Mapping[str, object],
        unaligned: UnalignedWords | None = None,
    ) -> None:
        self.lexicon = lexicon
        self.weights = weights
        self.settings = dict(settings)
        self.unaligned = unaligned

    def __repr__(self) -> str:
        return f"Btg({len(self.lexicon.counts)} words, {len(self.weights)} slots)"

    def expectations(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[NDArray[np.float64]]:
        """Return, for each sentence, the probabilities that words come before others.

        Parameters
        ----------
        sentences : sequence of sequences of str
            Their words. Sentences of more than `MAX_WORDS` words are cut into pieces
            that keep their order.
        constraints : Constraints or sequence of Constraints, optional
            For all sentences, or one item per sentence. Trees that violate walls,
            frozen phrases or pairs have no weight.
        threads : int, optional
            All processors by default; the result does not depend on it.

        Returns
        -------
        list of ndarray
            Entry (i, j) of a matrix is P(word i before word j); the diagonal is 0.

        Notes
        -----
        O(n³) in the number of words.
        """
        checked = checked_constraints(constraints, [len(words) for words in sentences])
        matrices: list[NDArray[np.float64]] = []
        for start in range(0, len(sentences), _CHUNK):
            chunk = sentences[start : start + _CHUNK]
            parts = [_pieces(len(sentence)) for sentence in chunk]
            pieces = [
                sentence[first:end]
                for sentence, part in zip(chunk, parts, strict=True)
                for first, end in part
            ]
            limits = [
                one.limits(first, end)
                for one, part in zip(checked[start:], parts, strict=False)
                for first, end in part
            ]
            flat = iter(self._matrices(pieces, limits, threads))
            for part in parts:
                blocks = list(islice(flat, len(part)))
                matrices.append(blocks[0] if len(blocks) == 1 else _in_order(blocks))
        for one, matrix in zip(checked, matrices, strict=False):
            one.settle(matrix)
        return matrices

    def _matrices(
        self,
        sentences: Sequence[Sequence[str]],
        limits: Sequence[LimitRow],
        threads: int | None,
    ) -> list[NDArray[np.float64]]:
        attributes, starts = self.lexicon.attributes(sentences)
        flat = _core.btg_expectations(
            attributes, starts, self.weights, limits, threads or 0
        )
        sizes = [len(sentence) for sentence in sentences]
        ends = np.cumsum([size * size for size in sizes])[:-1]
        parts = np.split(flat, ends) if sizes else []
        return [
            part.reshape(size, size) for part, size in zip(parts, sizes, strict=True)
        ]

    def apply(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[Reordering]:
        """Return the order of least risk of each sentence.

        Parameters
        ----------
        sentences : sequence of sequences of str
        constraints : Constraints or sequence of Constraints, optional
            For all sentences, or one item per sentence.
        threads : int, optional
            All processors by default; the result does not depend on it.
        """
        matrices = self.expectations(
            sentences, constraints=constraints, threads=threads
        )
        return least_risk(matrices, constraints=constraints, threads=threads)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file that :func:`tertium.preorder.load` reads."""
        used = np.flatnonzero(self.weights.any(axis=1))
        header = {
            "settings": self.settings,
            "slots": len(self.weights),
            "rare": self.lexicon.rare,
            "words": dict(self.lexicon.counts),
        }
        arrays = {
            "classes": self.lexicon.classes,
            "used": used.astype(np.uint32),
            "weights": self.weights[used],
            **(self.unaligned.to_arrays() if self.unaligned else {}),
        }
        write_model(path, self.kind, header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Btg:
        """Read a model that :meth:`save` wrote.

        Raises
        ------
        FormatError
            If the file is not a model of this kind.
        """
        header, arrays = read_model(path, cls.kind)
        try:
            weights = np.zeros((int(str(header["slots"])), 2), np.float32)
            weights[arrays["used"]] = arrays["weights"]
            counts, settings = header["words"], header["settings"]
            classes = arrays["classes"].astype(np.uint32)
            if not isinstance(counts, dict) or not isinstance(settings, dict):
                raise TypeError("words and settings are not objects")
            lexicon = Lexicon(counts, classes, int(str(header["rare"])))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise FormatError(
                f"this model is damaged ({error}); train it again",
                path=os.fspath(path),
            ) from None
        return cls(lexicon, weights, settings, UnalignedWords.from_arrays(arrays))


def _pieces(words: int) -> list[tuple[int, int]]:
    """Return spans of nearly equal length, of at most `MAX_WORDS` words each."""
    number = max(1, -(-words // MAX_WORDS))
    cuts = [words * k // number for k in range(number + 1)]
    return list(pairwise(cuts))


def _in_order(blocks: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the matrix of pieces that follow each other."""
    size = sum(map(len, blocks))
    matrix = np.triu(np.ones((size, size)), 1)
    start = 0
    for block in blocks:
        end = start + len(block)
        matrix[start:end, start:end] = block
        start = end
    return matrix

# SPDX-License-Identifier: Apache-2.0
"""Soft matches by static word vectors in eight bits, in lower case.

P is the mean over words of the text of max(0, best cosine with a word of the
reference), R the same from the other side. Equal words have cosine 1; a word without a
vector matches an equal one alone. With ``weights = "rank"`` the means are weighted by
log(2 + n), n the number of more frequent words in the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tertium import _core
from tertium.data.batch import Batch, lone_surrogate
from tertium.errors import InputError
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.brought import BroughtBlock
from tertium.learn.features.static_file import (
    MAKE,
    NAME,
    StaticVectors,
    find_static,
)
from tertium.learn.features.tables import TableReader
from tertium.learn.features.values import Shares
from tertium.text.tokenizers import NATIVE_TOKENIZERS

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Static"]

_WEIGHTS = ("none", "rank")


class Static(BroughtBlock):
    """Precision, recall and their means of soft matches.

    Parameters
    ----------
    weights : {"rank", "none"}
        Whether rare words count more.
    tokenize : str
        The tokeniser.
    fingerprint : str
        Of the vectors that a model was trained with; others are an error.
    values, **brought
        As in :class:`~tertium.learn.features.brought.BroughtBlock`; without a path the
        file is looked for (:func:`~tertium.learn.features.static_file.find_static`).
    """

    kind = "static"
    uses = ("static",)
    prefix = "static"

    def __init__(
        self,
        values: Sequence[str] = ("min", "max", "f1"),
        *,
        weights: str = "rank",
        tokenize: str = "intl",
        fingerprint: str = "",
        symmetric: bool = True,
        path: str = "",
        where: str = "",
    ) -> None:
        super().__init__(values, symmetric=symmetric, path=path, where=where)
        self.weights = weights
        self.tokenize = tokenize
        self.fingerprint = fingerprint
        mark = "" if weights == "none" else weights
        self.names = tuple(f"static{mark}.{value}" for value in values)

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Static:
        """Return the block of a table."""
        reader = TableReader(table, where)
        values, symmetric = cls.read_values(reader)
        block = cls(
            values,
            weights=reader.text("weights", "rank", choices=_WEIGHTS),
            tokenize=reader.text("tokenize", "intl", choices=NATIVE_TOKENIZERS),
            fingerprint=reader.text("fingerprint", ""),
            symmetric=symmetric,
            where=where,
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        settings = {"weights": self.weights, "tokenize": self.tokenize}
        if self.fingerprint:
            settings["fingerprint"] = self.fingerprint
        return {**super().to_json(), **settings}

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the file that a user names."""
        return self._changed(path=resources.static, fingerprint=self.fingerprint)

    def fitted(self, refs: Sequence[str]) -> Block:  # noqa: ARG002
        """Return the block as a model stores it: with the fingerprint of its file."""
        vectors = self._vectors()
        return self._changed(path=self.path, fingerprint=vectors.fingerprint)

    def _changed(self, *, path: str, fingerprint: str) -> Block:
        block = Static(
            self.values,
            weights=self.weights,
            tokenize=self.tokenize,
            fingerprint=fingerprint,
            symmetric=self.symmetric,
            path=path,
            where=self.where,
        )
        return cast("Block", block)

    def _vectors(self) -> StaticVectors:
        """Return the vectors of the file.

        Raises
        ------
        InputError
            If the model was trained with others.
        """
        vectors = find_static(self.path, where=self.where)
        if self.fingerprint and self.fingerprint != vectors.fingerprint:
            message = (
                f"{self.where}: the model was trained with the word vectors "
                f"{self.fingerprint}, and those of {self.path or NAME} are "
                f"{vectors.fingerprint}; make the same ones with {MAKE} -o {NAME} "
                f"(and the options of then) and name them with static={NAME}, or train "
                "again"
            )
            raise InputError(message)
        return vectors

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        hyps, refs = batch.single
        vectors = self._vectors()
        texts = [text.lower() for text in hyps]
        try:
            pairs = _core.Pairs(
                [texts], [(text.lower(),) for text in refs], self.tokenize
            )
        except UnicodeEncodeError as error:
            raise lone_surrogate([hyps], list(refs)) from error
        matrix, weights = vectors.matrix(pairs.words)
        kernel = _core.soft_match(matrix, weights if self.weights == "rank" else ())
        rows = kernel.rows(pairs, threads or 0)[0]
        matched, units = (rows[:, 0], rows[:, 1]), (rows[:, 2], rows[:, 3])
        return self.columns(Shares.of(matched, units))

# SPDX-License-Identifier: Apache-2.0
"""Soft matches by word vectors.

P is the mean over words of the text of max(0, best cosine with a word of the
reference), R the same from the other side. Equal words have cosine 1 with or without a
vector. The vectors are a file of the user's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tertium import _core
from tertium.data.batch import Batch, lone_surrogate
from tertium.errors import InputError
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.brought import BroughtBlock
from tertium.learn.features.tables import TableReader
from tertium.learn.features.values import Shares
from tertium.learn.features.vectors import read_vectors
from tertium.text.tokenizers import NATIVE_TOKENIZERS

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Embeddings"]


class Embeddings(BroughtBlock):
    """Precision, recall and their means of soft matches.

    Parameters
    ----------
    missing : {"error", "zero"}
        What happens if the user brings no vectors: an error, or equal words alone
        match.
    tokenize : str
        The tokeniser.
    values, **brought
        As in :class:`~tertium.learn.features.brought.BroughtBlock`.
    """

    kind = "embeddings"
    uses = ("embeddings",)
    prefix = "soft"

    def __init__(
        self,
        values: Sequence[str] = ("min", "max", "f1"),
        *,
        symmetric: bool = True,
        missing: str = "error",
        tokenize: str = "none",
        path: str = "",
        where: str = "",
    ) -> None:
        super().__init__(values, symmetric=symmetric, path=path, where=where)
        self.missing = missing
        self.tokenize = tokenize

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Embeddings:
        """Return the block of a table."""
        reader = TableReader(table, where)
        values, symmetric = cls.read_values(reader)
        block = cls(
            values,
            symmetric=symmetric,
            missing=reader.text("missing", "error", choices=("error", "zero")),
            tokenize=reader.text("tokenize", "none", choices=NATIVE_TOKENIZERS),
            where=where,
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        settings = {"missing": self.missing, "tokenize": self.tokenize}
        return {**super().to_json(), **settings}

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the vectors that a user brings."""
        block = Embeddings(
            self.values,
            symmetric=self.symmetric,
            missing=self.missing,
            tokenize=self.tokenize,
            path=resources.embeddings,
            where=self.where,
        )
        return cast("Block", block)

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        import numpy as np

        if not self.path and self.missing == "error":
            message = (
                f"{self.where}: there are no word vectors; name a file with "
                "embeddings=PATH"
            )
            raise InputError(message)
        (texts, refs), lists = batch.single, batch.nested
        try:
            pairs = _core.Pairs([texts], lists, self.tokenize)
        except UnicodeEncodeError as error:
            raise lone_surrogate([texts], list(refs)) from error
        words = pairs.words
        vectors = (
            read_vectors(self.path).matrix(words)
            if self.path
            else np.zeros((len(words), 1))
        )
        rows = _core.soft_match(vectors).rows(pairs, threads or 0)[0]
        matched, units = (rows[:, 0], rows[:, 1]), (rows[:, 2], rows[:, 3])
        return self.columns(Shares.of(matched, units))

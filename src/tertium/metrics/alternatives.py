# SPDX-License-Identifier: Apache-2.0
"""Metrics over trees that may be projected from the reference, or one of several.

McCaffery 2017, 7.4.3 and 8.4, blames parsers for part of the errors of DTED and DERP,
and proposes the best score of n-best parses, and trees of references alone. Both are
settings here: `parses` and `structure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, ClassVar

from tertium import _core
from tertium.data.annotated import layer
from tertium.data.batch import Batch, References
from tertium.errors import InputError
from tertium.metrics.aligned import AUTO
from tertium.metrics.parse_batch import (
    STRUCTURES,
    ParseBatch,
    parsed_batch,
    projected_batch,
)
from tertium.metrics.settings import Value, setting
from tertium.metrics.structured import TreeMetric
from tertium.text.tokenizers import tokenizer_signature
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    import numpy as np

    from tertium.metrics.base import Rows

__all__ = ["AlternativeTreeMetric"]

#: The tokeniser of outputs beside trees of references, which have punctuation marks.
_TOKENIZER = "13a"


class AlternativeTreeMetric(TreeMetric):
    """A metric over trees whose rows are means over segments: DTED and DERP.

    With several parses, `parses` chooses the pair with the best score or the mean over
    all pairs, weighted by their probabilities; then the best reference counts. The best
    pair may be any: a parse of low probability that happens to suit the reference
    counts fully, so that scores rise with the number of parses.
    """

    structure: str = setting(
        "parsed",
        "trees of outputs: parsed; projected from the reference, which alone needs a "
        "tree; projective: the same without crossing arcs",
        choices=STRUCTURES,
    )
    parses: str = setting(
        "first",
        "of several parses: the first, the best pair, the mean over pairs",
        choices=("first", "best", "mean"),
    )
    nbest: int = setting(
        1, "parses that the parser (spacy) makes, for parses", minimum=1, maximum=64
    )

    #: Whether a reference with a degenerate row is never the best of several.
    prefers_founded: ClassVar[bool] = False

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        for name, default in (("structure", "parsed"), ("parses", "first")):
            value = getattr(self, name)
            if self.flat and value != default:
                message = f"{self.name}: flat=yes needs no trees; omit it or {name}="
                raise InputError(f"{message}{value}")
        if self.nbest > 1 and (self.parses == "first" or not self.parser):
            message = (
                f"{self.name}: nbest={self.nbest} is the number of parses that a "
                "parser makes; add parser=spacy and parses=best or parses=mean"
            )
            raise InputError(message)

    @property
    def alternative(self) -> bool:
        """Whether trees are projected, or several parses count."""
        return self.structure != "parsed" or self.parses != "first"

    def parsed_texts(self, batch: Batch) -> list[str]:
        """Return the texts of a batch that need trees: references if these suffice."""
        if self.structure == "parsed":
            return batch.texts
        return list(chain(*batch.nested))

    def align(self, batch: Batch, *, threads: int | None = None) -> _core.Pairs:
        """Return the texts as aligned pairs with trees; of several, the first."""
        if not self.alternative:
            return super().align(batch, threads=threads)
        return self._parse_batch(batch, threads).set_trees(0)

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; texts are aligned once."""
        if not self.alternative:
            return super().rows(batch, threads=threads)
        counts = [len(refs) for refs in batch.nested]
        return [
            self._best_references(rows, counts)
            for rows in self._reference_rows(batch, threads)
        ]

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system."""
        if not self.alternative:
            return super().sums(batch, threads=threads)
        sums = []
        for rows in self.rows(batch, threads=threads):
            total = _core.Sums(self.width)
            total.add(rows)
            sums.append(total)
        return sums

    def reference_scores(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> list[list[float]]:
        """Return the score of every segment against each of its references."""
        if not self.alternative:
            return super().reference_scores(hyps, refs, threads=threads)
        import numpy as np

        batch = self.checked([hyps], refs)
        (rows,) = self._reference_rows(batch, threads)
        scores = iter(np.asarray(self.from_statistics(rows)).tolist())
        return [list(islice(scores, len(texts))) for texts in batch.nested]

    def best_references(
        self, pairs: _core.Pairs, counts: Sequence[int], *, threads: int | None = None
    ) -> list[np.ndarray]:
        """Return which reference every segment's score is from, by system.

        Parameters
        ----------
        pairs : Pairs
            As :meth:`pairs` returns them, where each text has one tree.
        counts : sequence of int
            How many references every segment has.
        threads : int, optional
            All cores by default.
        """
        with self.own_errors():
            every = self._kernel.reference_rows(pairs, threads or 0)
        return [self._best(rows, counts) for rows in every]

    def pair_trees(self, hyp: str, ref: str) -> tuple[DependencyTree, DependencyTree]:
        """Return the trees of an output and a reference that the metric compares.

        Raises
        ------
        InputError
            If the score is a mean over several pairs of trees.
        """
        if not self.alternative:
            return super().pair_trees(hyp, ref)
        batch = self.checked([[hyp]], [[ref]])
        made = self._parse_batch(batch, 1)
        if self.parses == "mean" and len(made) > 1:
            message = (
                f"{self.spec} is a mean over {len(made)} pairs of trees; use "
                "parses=best or parses=first to see one of them"
            )
            raise InputError(message)
        ((rows, weights),) = made.rows(self._kernel, threads=1)
        best = int(self._preferred(rows, weights)[0])
        ref_tree, hyp_tree = made.trees(best)
        return hyp_tree, ref_tree

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, parser and model as fields of a signature."""
        fields = super().signature_fields()
        for name in ("structure", "parses", "nbest"):
            if getattr(self, name) == self.settings[name].default:
                del fields[name]
        if self.structure != "parsed" and not self.parser:
            fields["tok"] = tokenizer_signature(self._splitter(""))
        return fields

    def _parse_batch(self, batch: Batch, threads: int | None) -> ParseBatch:
        """Return the texts with their pairs of trees, made once for a batch."""
        key = ("parses", self._treebank(), self.structure, self.parses == "first")
        return batch.layer(
            (*key, self.nbest, self.tokenize), lambda: self._make(batch, threads)
        )

    def _make(self, batch: Batch, threads: int | None) -> ParseBatch:
        bank = self._treebank()
        parses = bank.parses(self.parsed_texts(batch), self.nbest)
        if self.parses == "first":
            parses = [one[:1] for one in parses]
        if self.structure == "parsed":
            return parsed_batch(batch, parses, bank.aligner, threads=threads)
        outputs = list(chain(*batch.systems))
        return projected_batch(
            batch,
            parses,
            bank.words(outputs, [self._splitter(text) for text in outputs]),
            bank.aligner,
            projective=self.structure == "projective",
            threads=threads,
        )

    def _splitter(self, hyp: str) -> str:
        """Return the tokeniser of an output without a tree, if no parser cuts it."""
        if self.tokenize == AUTO and layer(hyp, "links") is None:
            return _TOKENIZER
        return self.word_splitter(linked=True)

    def _reference_rows(self, batch: Batch, threads: int | None) -> list[Rows]:
        """Return the row of every system and reference, over all pairs of trees."""
        made = self._parse_batch(batch, threads)
        with self.own_errors():
            by_system = made.rows(self._kernel, threads=threads)
        return [self._over_parses(rows, weights) for rows, weights in by_system]

    def _over_parses(self, rows: Rows, weights: np.ndarray) -> Rows:
        import numpy as np

        if self.parses == "mean":
            shares = weights / weights.sum(axis=0)
            mean: Rows = (rows * shares[..., np.newaxis]).sum(axis=0)
            return mean
        best: Rows = rows[self._preferred(rows, weights), np.arange(rows.shape[1])]
        return best

    def _preferred(self, rows: Rows, weights: np.ndarray) -> np.ndarray:
        """Return for every reference the first round with the best score."""
        import numpy as np

        scores = np.where(weights > 0, self._preference(rows), -np.inf)
        return np.asarray(scores.argmax(axis=0))

    def _best_references(self, rows: Rows, counts: Sequence[int]) -> Rows:
        """Return the row of every segment's best reference, the first of equals."""
        import numpy as np

        firsts = np.cumsum([0, *counts[:-1]], dtype=int)
        chosen: Rows = rows[firsts[: len(counts)] + self._best(rows, counts)]
        return chosen

    def _best(self, rows: Rows, counts: Sequence[int]) -> np.ndarray:
        """Return the best reference of every segment, counted from 0."""
        import numpy as np

        preference = self._preference(rows)
        best, first = [], 0
        for count in counts:
            best.append(int(preference[first : first + count].argmax()))
            first += count
        return np.array(best, dtype=int)

    def _preference(self, rows: Rows) -> np.ndarray:
        import numpy as np

        scores = np.asarray(self.from_statistics(rows), dtype=float)
        if self.prefers_founded and self.degenerate_column is not None:
            return np.where(rows[..., self.degenerate_column] > 0, -1.0, scores)
        return scores

# SPDX-License-Identifier: Apache-2.0
"""SEGRANKSBLEU: BLEU with the best judged candidates as further references.

Macháček (2014, section 3.2.3). In his table 3.7 BLEU seems to ignore case, and
SEGRANKSBLEU not; so tables show BLEU with the same settings beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tertium.data.batch import Batch
from tertium.metrics.bleu import Bleu
from tertium.metrics.settings import Value
from tertium.tuning.judged.metrics import JudgedMetric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.metrics.base import Rows

__all__ = ["SegRanksBleu"]


class SegRanksBleu(JudgedMetric, settings=Bleu.settings):
    """SEGRANKSBLEU; the row is that of BLEU, with matches in good candidates too."""

    name = "segranksbleu"
    summary = "BLEU whose n-grams may also come from the best judged candidates"
    formula = (
        "as bleu; an n-gram is clipped at its largest count in a reference or in a "
        "candidate that a judge ranked first; the brevity penalty looks at references "
        "alone. Never below bleu with the same settings, which tables show beside it"
    )
    paper = "Macháček 2014, Measures of Machine Translation Quality, 3.2.3"
    equal_to = "the definition in Macháček 2014, except that garbage is never good"
    cost = Bleu.cost
    empty = Bleu.empty
    punctuation = Bleu.punctuation
    copy_exception = Bleu.copy_exception
    example = "segranksbleu:judgements=demo,testset=demo"

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        self._bleu = Bleu(**{key: getattr(self, key) for key in Bleu.settings})

    @property
    def width(self) -> int:
        """The number of statistics in a row."""
        return self._bleu.width

    def judged_rows(self, batch: Batch, threads: int | None) -> list[Rows]:
        """Return the rows of BLEU, with good candidates as further references."""
        extended = [
            (*refs, *(text for part in self.parts_of(refs) for text in part.good))
            for refs in batch.nested
        ]
        plain = self._bleu.rows(batch, threads=threads)
        more = self._bleu.rows(Batch(batch.systems, extended), threads=threads)
        for rows, lengths in zip(more, plain, strict=True):
            rows[:, 1] = lengths[:, 1]
        return more

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return BLEU of a row, or of every row along the last axis."""
        return self._bleu.from_statistics(rows)

    @property
    def beside(self) -> tuple[str, ...]:
        """BLEU with the same settings: at equal casing, above all."""
        return (self._bleu.spec,)

    def signature_fields(self) -> dict[str, str]:
        """Return sacreBLEU's fields, and a checksum of the judgements."""
        fields = self._bleu.signature_fields()
        return {**fields, "judgements": super().signature_fields()["judgements"]}

    @property
    def label(self) -> str:
        """The usual name."""
        return "SegRanksBLEU"

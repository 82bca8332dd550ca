# SPDX-License-Identifier: Apache-2.0
"""Metrics over stored rankings: EXACTMATCH and PENALIZEUNKNOWN, and their base.

Macháček (2014, section 3.3.2). Each segment is recognised by its reference:
that of the test set named as ``testset=``, or else those of the test set that is
scored, whose segments go by their ids or are counted from 1. Segments with the same
reference share their judgements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar, overload

from tertium.data.annotated import layer
from tertium.data.batch import Batch, References
from tertium.errors import InputError
from tertium.metrics.base import Metric
from tertium.metrics.kernels import checked_rows
from tertium.metrics.mean import Mean
from tertium.metrics.settings import Value, setting
from tertium.text.tokenizers import TOKENIZERS, tokenizer_signature
from tertium.tuning.judged.matching import Matcher, Pattern
from tertium.tuning.judged.parts import JudgedParts, Part, read_parts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium import _core
    from tertium.metrics.base import Rows

__all__ = ["ExactMatch", "JudgedMetric", "PenalizeUnknown", "hit_rate"]

_Judged = TypeVar("_Judged", bound="JudgedMetric")

_WIDTH = 4


class JudgedMetric(Metric):
    """A metric that reads rankings of segments, or of parts of them, from a store."""

    layers = ("segment",)

    judgements: str = setting("", "a store or file of rankings", external=True)
    testset: str = setting(
        "",
        "the test set that was judged; if none, the one that is scored",
        external=True,
    )
    langpair: str = setting("", "the language pair, if judgements have several")

    #: The segments of every reference, once fitted.
    _names: Mapping[str, tuple[str, ...]] | None = None

    @property
    def needs_corpus(self) -> bool:  # type: ignore[override]
        """Whether segments are recognised by their place in the test set."""
        return not self.testset

    @cached_property
    def stored(self) -> JudgedParts:
        """The judgements; read when they are first asked for.

        Raises
        ------
        InputError
            If there are none, or they cannot be used.
        """
        if not self.judgements:
            message = (
                f"{self.name} reads rankings of segments; name them: "
                f"{self.name}:judgements=STORE"
            )
            raise InputError(message)
        return read_parts(self.judgements, self.testset, self.langpair)

    def check(self, batch: Batch) -> None:
        """Raise an error if judgements cannot be read."""
        super().check(batch)
        _ = self.stored

    def fit(self: _Judged, refs: References) -> _Judged:
        """Return a metric that recognises segments by the references of a test set."""
        nested = Batch([], refs).nested
        ids = [_segment(texts) for texts in nested]
        fitted = type(self)(**{key: getattr(self, key) for key in self.settings})
        fitted.stored = self.stored
        fitted._names = self.stored.by_reference(nested, ids)
        return fitted

    def names_of(self, refs: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the judged segments with these references."""
        names = self._names if self._names is not None else self.stored.names
        carried = _segment(refs)
        if carried is not None and carried in self.stored.segments:
            return (carried,)
        known = (names[ref] for ref in refs if ref in names) if names else ()
        return next(iter(known), ())

    def parts_of(self, refs: Sequence[str]) -> list[Part]:
        """Return the judged parts of the segment with these references."""
        segments = self.stored.segments
        return [part for name in self.names_of(refs) for part in segments[name]]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; unfitted, a batch is the whole test set."""
        if self.needs_corpus and self.fitted_to is None:
            fitted = self.prepare(batch.references)
            return fitted.rows(batch, threads=threads)
        return self.judged_rows(batch, threads)

    def judged_rows(self, batch: Batch, threads: int | None) -> list[Rows]:
        """Return the rows of every system, of segments that can be recognised."""
        raise NotImplementedError

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system; only once prepared."""
        if self.needs_corpus and self.fitted_to is None:
            message = f"{self.name} needs all references first; call prepare(refs)"
            raise InputError(message)
        return Metric.sums(self, batch, threads=threads)

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return one row of statistics per segment; see :class:`Metric`."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, and a checksum of the judgements instead of paths."""
        fields = super().signature_fields()
        for key in ("testset", "langpair"):
            fields.pop(key)
        fields["judgements"] = self.stored.fingerprint if self.judgements else "none"
        return fields


class _Hits(NamedTuple):
    """What an output gets for the parts of a segment."""

    wins: int = 0
    decided: int = 0
    hits: int = 0
    parts: int = 0


class ExactMatch(JudgedMetric):
    """EXACTMATCH; the row is (wins, wins and losses, hits, judged parts)."""

    name = "exactmatch"
    summary = "ratio of wins of the judged candidates that an output contains"
    formula = (
        "Σ wins / Σ (wins + losses) of the longest judged candidate of every part that "
        "occurs in the output, against the systems that were judged; a part without a "
        "hit counts for nothing"
    )
    paper = "Macháček 2014, Measures of Machine Translation Quality, 3.3.2"
    equal_to = "the definition in Macháček 2014"
    cost = "linear in the length of the text, times the candidates of a segment"
    empty = "0 for an output without a judged candidate; n/a as a segment"
    punctuation = "marks are words of their own, cut off by mteval-v13a's rules"
    bounds = (0.0, 1.0)
    unit = 1.0
    weight_column = 1
    uses_references = False
    copy_exception = "references only tell which segment was judged"
    example = "exactmatch:judgements=demo,testset=demo"

    tokenize: str = setting("13a", "the tokeniser", choices=TOKENIZERS)
    lowercase: bool = setting(False, "whether to ignore case")
    compat: str = setting(
        "none",
        "char compares characters, as Macháček's program: art occurs in party",
        choices=("none", "char"),
    )
    gaps: int = setting(
        0,
        "how many other words may stand between the words of a candidate",
        minimum=0,
        maximum=100,
    )

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        if self.compat == "char" and self.gaps:
            message = f"{self.name}: gaps are between words; omit compat=char or gaps"
            raise InputError(message)
        self._matcher = Matcher(
            self.tokenize,
            lowercase=self.lowercase,
            characters=self.compat == "char",
            gaps=self.gaps,
        )
        self._patterns: dict[str, list[tuple[tuple[Pattern, ...], int]]] = {}

    @property
    def width(self) -> int:
        """The number of statistics in a row."""
        return _WIDTH

    def judged_rows(
        self,
        batch: Batch,
        threads: int | None,  # noqa: ARG002 - texts are searched in one
    ) -> list[Rows]:
        """Return wins, decided comparisons, hits and parts of every output."""
        import numpy as np

        rows = np.zeros((len(batch.systems), len(batch), self.width))
        judged = [
            (segment, names)
            for segment, refs in enumerate(batch.nested)
            if (names := self.names_of(refs))
        ]
        places = [segment for segment, _ in judged]
        texts = [hyps[segment] for hyps in batch.systems for segment in places]
        outputs = iter(self._matcher.outputs(texts))
        # Outputs of n-best lists repeat each other.
        known: dict[tuple[tuple[str, ...], str], _Hits] = {}
        for system in range(len(batch.systems)):
            for segment, names in judged:
                key = names, next(outputs)
                if key not in known:
                    known[key] = self._hits(*key)
                rows[system, segment] = known[key]
        return list(rows)

    def _hits(self, names: tuple[str, ...], output: str) -> _Hits:
        wins = decided = hits = parts = 0
        for name in names:
            for patterns, systems in self._patterns_of(name):
                parts += 1
                pattern = self._matcher.match(output, patterns)
                if pattern is None:
                    decided += self.lost_by_miss(systems)
                else:
                    hits += 1
                    wins += pattern.wins
                    decided += pattern.decided
        return _Hits(wins, decided, hits, parts)

    def _patterns_of(self, name: str) -> list[tuple[tuple[Pattern, ...], int]]:
        if name not in self._patterns:
            self._patterns[name] = [
                (self._matcher.patterns(part.candidates), part.systems)
                for part in self.stored.segments[name]
            ]
        return self._patterns[name]

    def lost_by_miss(self, systems: int) -> int:  # noqa: ARG002 - overridden
        """Return how many comparisons an output loses that no candidate occurs in."""
        return 0

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the ratio of wins, 0 where nothing was compared."""
        import numpy as np

        array = checked_rows(rows, self.width, metric=self)
        wins, decided = array[..., 0], array[..., 1]
        scores = np.where(decided > 0, wins / np.where(decided > 0, decided, 1.0), 0.0)
        return float(scores) if array.ndim == 1 else scores

    def hit_rate(self, row: Sequence[float]) -> float | None:
        """Return the share of judged parts with a hit, in a row or a sum of rows."""
        hits, parts = row[2], row[3]
        return float(hits / parts) if parts else None

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, named as in sacreBLEU where it has them."""
        fields = super().signature_fields()
        case = "lc" if fields.pop("lowercase") == "yes" else "mixed"
        return {
            "case": case,
            "tok": tokenizer_signature(fields.pop("tokenize")),
        } | fields

    @property
    def label(self) -> str:
        """The usual name."""
        return "ExactMatch"


class PenalizeUnknown(ExactMatch):
    """PENALIZEUNKNOWN; a part without a hit loses to every judged system."""

    name = "penalizeunknown"
    summary = "like exactmatch, but a part without a judged candidate loses to all"
    formula = (
        "as exactmatch; a part of which no candidate occurs adds one loss "
        "for every judged system"
    )
    empty = "0 for an output without a judged candidate"
    example = "penalizeunknown:judgements=demo,testset=demo"

    def lost_by_miss(self, systems: int) -> int:
        """Return how many comparisons an output loses that no candidate occurs in."""
        return systems

    @property
    def label(self) -> str:
        """The usual name."""
        return "PenalizeUnknown"


def hit_rate(metric: Metric, row: Sequence[float]) -> float | None:
    """Return the share of judged parts with a hit, if a metric counts hits.

    Parameters
    ----------
    metric : Metric
        Also a mean of which one part does.
    row : sequence of float
        A row of its statistics, or a sum of rows.

    Examples
    --------
    >>> from tertium import metric
    >>> half = metric("mean:bleu+exactmatch")
    >>> hit_rate(half, [0.0] * 10 + [2.0, 4.0, 3.0, 5.0])
    0.6
    >>> hit_rate(metric("bleu"), [0.0] * 10) is None
    True
    """
    if isinstance(metric, ExactMatch):
        return metric.hit_rate(row)
    if isinstance(metric, Mean):
        start = 0
        for part, _ in metric.parts:
            rate = hit_rate(part, row[start : start + part.width])
            if rate is not None:
                return rate
            start += part.width
    return None


def _segment(refs: Sequence[str]) -> str | None:
    """Return the name of the segment that a reference carries."""
    carried = (layer(ref, "segment") for ref in refs)
    return next((name for name in carried if isinstance(name, str)), None)

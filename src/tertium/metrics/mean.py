# SPDX-License-Identifier: Apache-2.0
"""Weighted mean of other metrics: ``mean:bleu*0.3+chrf*0.5+ter*0.2``.

Every part is put on one scale first, 0 to 100 and rising: a rising metric is
divided by its upper bound, of a falling one the rate is taken from the best
value (100 - TER, 100 - 100 WER). A setting of a part goes in parentheses:
``mean:(chrf:word_order=2)*2+ribes``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, overload

from tertium.data.batch import Batch, References
from tertium.errors import InputError
from tertium.metrics.base import Metric
from tertium.metrics.kernels import checked_rows
from tertium.metrics.parts import ScorePart, ScoreParts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium import _core
    from tertium.metrics.base import Rows

__all__ = ["Mean", "to_percent"]


class Mean(Metric):
    """A weighted mean of metrics; the row holds the rows of all its parts."""

    name = "mean"
    summary = "weighted mean of other metrics, each put on a scale from 0 to 100"
    formula = (
        "mean:SPEC*WEIGHT+SPEC*WEIGHT, a spec with settings in parentheses: Σ wᵢ sᵢ / "
        "Σ wᵢ; sᵢ = 100 · score / unit, or 100 minus that for error rates"
    )
    paper = "Macháček 2014, 4.1.2 (LAYERED, UPC-IPA and other ensembles)"
    equal_to = "the sum of its parts"
    cost = "that of its parts"
    empty = "as its parts"
    bounds = (-math.inf, 100.0)
    copy_exception = "as its parts"

    parts: tuple[tuple[Metric, float], ...]

    def __init__(self, parts: Sequence[tuple[Metric, float]] = ()) -> None:
        super().__init__()
        if not parts:
            message = "mean has no parts; write mean:bleu*0.5+chrf*0.5"
            raise InputError(message)
        self.set_parts(parts)

    def set_parts(self, parts: Sequence[tuple[Metric, float]]) -> None:
        """Check parts and weights and keep them; to be called once."""
        for part, weight in parts:
            if math.isnan(part.unit):
                message = (
                    f"mean: {part.spec} has no natural unit, so it cannot be put on a "
                    "common scale; leave it out"
                )
                raise InputError(message)
            if not math.isfinite(weight) or weight <= 0:
                message = f"mean: weight {weight!r} of {part.spec} must be above 0"
                raise InputError(message)
        self.parts = tuple(parts)
        if any(p.higher_is_better and p.bounds[1] > p.unit for p, _ in parts):
            self.bounds = (-math.inf, math.inf)  # type: ignore[misc]

    @classmethod
    def parse(cls, body: str) -> Mean:
        """Return the mean for ``SPEC*WEIGHT+SPEC*WEIGHT``; weights default to 1."""
        from tertium.metrics.registry import metric

        if not body:
            return cls()
        parts = []
        for item in _split_outside_parentheses(body):
            spec, star, weight = item.rpartition("*")
            if not star or ")" in weight:
                spec, weight = item, "1"
            if spec.startswith("(") and spec.endswith(")"):
                spec = spec[1:-1]
            elif ":" in spec and ("+" in body or "*" in spec):
                message = (
                    f"mean: {spec!r} has settings of its own; put it in parentheses: "
                    f"({spec})"
                )
                raise InputError(message)
            try:
                parts.append((metric(spec), float(weight)))
            except ValueError as error:
                if isinstance(error, InputError):
                    raise
                message = f"mean: weight {weight!r} of {spec} is not a number"
                raise InputError(message) from None
        return cls(parts)

    @property
    def needs_corpus(self) -> bool:  # type: ignore[override]
        """Whether any part does."""
        return any(part.needs_corpus for part, _ in self.parts)

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        """Whether any part does."""
        return any(part.needs_references for part, _ in self.parts)

    @property
    def names_languages(self) -> bool:  # type: ignore[override]
        """Whether a part does."""
        return any(part.names_languages for part, _ in self.parts)

    @property
    def needs_source(self) -> bool:  # type: ignore[override]
        """Whether any part does."""
        return any(part.needs_source for part, _ in self.parts)

    @property
    def needs_docs(self) -> bool:  # type: ignore[override]
        """Whether any part does."""
        return any(part.needs_docs for part, _ in self.parts)

    @property
    def needs_names(self) -> bool:  # type: ignore[override]
        """Whether any part does."""
        return any(part.needs_names for part, _ in self.parts)

    @property
    def layers(self) -> tuple[str, ...]:  # type: ignore[override]
        """What any part reads."""
        return tuple(dict.fromkeys(n for part, _ in self.parts for n in part.layers))

    @property
    def width(self) -> int:
        """The statistics of all parts."""
        return sum(part.width for part, _ in self.parts)

    def fit(self, refs: References) -> Mean:
        """Return the mean of the fitted parts."""
        return Mean([(part.prepare(refs), weight) for part, weight in self.parts])

    def components(self) -> Sequence[Metric]:
        """Return the parts."""
        return [part for part, _ in self.parts]

    def resources(self) -> Mapping[str, str] | None:
        """Return the resources of all parts; see :class:`Metric`."""
        from tertium.metrics.resources import joined_resources

        return joined_resources(part.resources() for part, _ in self.parts)

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return the rows of all parts side by side."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    def check_size(self, segments: int) -> None:
        """Raise an error if a part cannot belong to so many segments."""
        for part, _ in self.parts:
            part.check_size(segments)

    def check(self, batch: Batch) -> None:
        """Raise an error if a part cannot score a batch."""
        for part, _ in self.parts:
            try:
                part.check(batch)
            except InputError as error:
                message = f"{self.spec}: {error}"
                raise InputError(message, options=error.options) from None

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of all parts side by side, for every system."""
        import numpy as np

        by_part = [part.rows(batch, threads=threads) for part, _ in self.parts]
        return [np.concatenate(rows, axis=1) for rows in zip(*by_part, strict=True)]

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sums of all parts side by side, for every system."""
        (first, _), *others = self.parts
        out = first.sums(batch, threads=threads)
        for part, _ in others:
            more = part.sums(batch, threads=threads)
            for place, columns in zip(out, more, strict=True):
                place.append(columns)
        return out

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the weighted mean of the parts' scores."""
        if isinstance(rows, list) and len(rows) == self.width:
            table: ArrayLike = rows  # a plain sum: no NumPy needed
        else:
            table = checked_rows(rows, self.width, metric=self)
        weights = sum(weight for _, weight in self.parts)
        total: float | Rows = 0.0
        start = 0
        for part, weight in self.parts:
            score = part.from_statistics(_columns(table, start, part.width))
            total = total + weight / weights * to_percent(part, score)
            start += part.width
        return total

    def score_parts(self, hyp: str, refs: Sequence[str]) -> ScoreParts:
        """Return what every part contributes to the score of a segment."""
        segment = [hyp], [tuple(refs)]
        weights = sum(weight for _, weight in self.parts)
        parts = []
        for part, weight in self.parts:
            score = part.corpus_score(*segment)
            percent, share = to_percent(part, score), weight / weights
            text = f"{part.label} {score:.4g}, {100 * share:.0f} % of the weight"
            parts.append(ScorePart(float(share * percent), text))
        score = sum(part.value for part in parts)
        return ScoreParts(self.spec, score, "points from each metric", tuple(parts))

    @property
    def spec(self) -> str:
        """The spec string that makes this metric."""
        return "mean:" + "+".join(
            f"{f'({part.spec})' if ':' in part.spec else part.spec}*{_short(weight)}"
            for part, weight in self.parts
        )

    @property
    def label(self) -> str:
        """The parts joined by plus signs."""
        return "mean(" + "+".join(part.label for part, _ in self.parts) + ")"

    def signature_fields(self) -> dict[str, str]:
        """Return the parts with their weights and signatures."""
        return {
            f"{number}.{part.name}*{_short(weight)}": ";".join(
                f"{key}={value}" for key, value in part.signature_fields().items()
            )
            for number, (part, weight) in enumerate(self.parts, start=1)
        }


def _short(weight: float) -> str:
    text = f"{weight:g}"
    return text if float(text) == weight else repr(weight)


def _columns(rows: ArrayLike, start: int, width: int) -> ArrayLike:
    if isinstance(rows, list) and rows and isinstance(rows[0], float):
        return rows[start : start + width]
    import numpy as np

    return np.asarray(rows, dtype=np.float64)[..., start : start + width]


def to_percent(part: Metric, score: float | Rows) -> float | Rows:
    """Return scores on a scale from 0 to 100, on which more is better."""
    percent = score * (100.0 / part.unit)
    return percent if part.higher_is_better else 100.0 - percent


def _split_outside_parentheses(body: str) -> list[str]:
    """Cut at plus signs, but not inside parentheses nor in names like chrf++."""
    items, depth, start = [], 0, 0
    for i, char in enumerate(body):
        depth += (char == "(") - (char == ")")
        if char != "+" or depth:
            continue
        ahead = body[i + 1 : i + 2]
        if ahead in ("", "+", "*") or (ahead.isdigit() and body[i - 1] == "e"):
            continue
        items.append(body[start:i])
        start = i + 1
    items.append(body[start:])
    if depth:
        message = f"mean: parentheses do not match in {body!r}; close every one"
        raise InputError(message)
    return [item.strip() for item in items]

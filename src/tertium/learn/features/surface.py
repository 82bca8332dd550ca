# SPDX-License-Identifier: Apache-2.0
"""Features of words and characters: blocks of units and lengths, from the core."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.learn.features.length import Length
from tertium.learn.features.units import Units

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["surface_rows"]


def surface_rows(
    blocks: Sequence[Units | Length],
    hyps: Sequence[str],
    refs: Sequence[str],
    *,
    threads: int | None = None,  # noqa: ARG001
) -> Rows:
    """Return the features of blocks side by side."""
    import numpy as np

    rows = [
        [v for own in blocks for v in _values(own, hyp, ref)]
        for hyp, ref in zip(hyps, refs, strict=True)
    ]
    width = sum(len(own.names) for own in blocks)
    return np.array(rows, dtype=np.float64).reshape(len(rows), width)


def _values(own: Units | Length, hyp: str, ref: str) -> list[float]:
    released = own.windows == "released"
    texts = [_Text(text, released) for text in (hyp, ref)]
    if isinstance(own, Length):
        return [_length(own, unit, texts) for unit in own.of]
    out = []
    for family, n in own.parsed:
        p, r = _shares(own, family, n, texts)
        if own.symmetric:
            p, r = min(p, r), max(p, r)
        out += [_mean(kind, beta, p, r) for kind, beta in own.means]
    return out


def _length(own: Length, unit: str, texts: list[_Text]) -> float:
    low, high = sorted(len(t.words if unit == "word" else t.chars) for t in texts)
    if low == 0 and own.empty > 1:
        return own.empty
    low = max(low, 1)
    if own.form == "exp":
        return min(math.exp(min(high / low, 20)) - math.e, 1e5) if high else 0.0
    return max(high - low, 0) / low


def _mean(kind: str, beta: float, p: float, r: float) -> float:
    if kind in "pr":
        return p if kind == "p" else r
    if kind == "f":
        below = beta**2 * p + r
        return (1 + beta**2) * p * r / below if below > 0 else 0.0
    return float((p * r**beta) ** (1 / (1 + beta)))


class _Text:
    def __init__(self, text: str, released: bool) -> None:
        cut = text.split(" ") if released else text.split()
        self.words = [w for w in cut if w] or ([""] if released else [])
        self.chars = list(" ".join(self.words))
        self.released = released

    def units(self, family: str, n: int) -> Counter[tuple[str, ...]]:
        words = self.words
        if family == "skip":
            gap = len(words) if n < 0 else n
            return Counter(
                (words[i], words[j])
                for j in range(len(words))
                for i in range(max(0, j - gap - 1), j)
            )
        text = words if family == "word" else self.chars
        size = n - (self.released and family == "char")
        found = Counter(tuple(text[i : i + size]) for i in range(len(text) - n + 1))
        if self.released and family == "word":
            found[("<", *words[:n])] += 1
            found[(*words[-n:], "", "/", ">")] += 1
        return found


def _shares(own: Units, family: str, n: int, texts: list[_Text]) -> tuple[float, float]:
    hyp, ref = (text.units(family, n) for text in texts)
    if not hyp and not ref:
        if own.empty == "zero":
            return 0.0, 0.0
        if family == "skip":
            return _shares(own, "word", 1, texts)
        return _shares(own, family, n - 1, texts) if n > 1 else (1.0, 1.0)
    common = (hyp & ref).total()
    return common / hyp.total() if hyp else 0.0, common / ref.total() if ref else 0.0

# SPDX-License-Identifier: Apache-2.0
"""Twin of the kernel of explicit semantic analysis: plain vectors over all words."""

from __future__ import annotations

import math
from collections.abc import Sequence


def esa(hyp: str, ref: str, documents: Sequence[str]) -> float:
    """Return the cosine of the similarities to every document."""
    hyp_concepts, ref_concepts = (
        [cosine(vector(text, documents), vector(doc, documents)) for doc in documents]
        for text in (hyp, ref)
    )
    return cosine(hyp_concepts, ref_concepts)


def vector(text: str, documents: Sequence[str]) -> list[float]:
    words = sorted({word for doc in documents for word in doc.split()})
    return [_weight(word, text.split(), documents) for word in words]


def _weight(word: str, text: list[str], documents: Sequence[str]) -> float:
    times = text.count(word)
    having = sum(word in doc.split() for doc in documents)
    return (1 + math.log(times)) * math.log(1 + len(documents) / having) if times else 0


def cosine(a: list[float], b: list[float]) -> float:
    below = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / below if below else 0.0

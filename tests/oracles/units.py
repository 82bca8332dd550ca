# SPDX-License-Identifier: Apache-2.0
"""BEER's features of characters, words and skip bigrams, from the definition.

Sources: Stanojević 2017, 5.3 and 6.3.2; for the released program what
it computes. Multisets are Counters, 0/0 is settled where it arises.
"""

from __future__ import annotations

import math
from collections import Counter


def words_of(text: str, *, released: bool = False) -> list[str]:
    if not released:
        return text.split()
    return [word for word in text.split(" ") if word] or [""]


def chars_of(text: str, *, released: bool = False) -> list[str]:
    joined = " ".join(words_of(text, released=released))
    if not released:
        return list(joined)
    units = joined.encode("utf-16-be")  # Java's characters
    return [units[i : i + 2].hex() for i in range(0, len(units), 2)]


def ngrams(sequence: list[str], n: int) -> Counter:
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))


def multiset(unit: str, text: str, *, released: bool = False) -> Counter:
    """Return the units of a text; ``char3``, ``word2``, ``skip2`` or ``skip``."""
    words = words_of(text, released=released)
    family, n = unit[:4], unit[4:]
    if family == "skip":
        gap = int(n) if n else len(words)
        pairs = [(i, j) for j in range(len(words)) for i in range(j)]
        return Counter((words[i], words[j]) for i, j in pairs if j - i - 1 <= gap)
    if family == "word":
        units = ngrams(words, int(n))
        if released:
            size = min(int(n), len(words))
            units[("<S>", *words[:size], "first")] += 1
            units[(*words[len(words) - size :], "</S>", "last")] += 1
        return units
    chars = chars_of(text, released=released)
    if not released:
        return ngrams(chars, int(n))
    starts = range(len(chars) - int(n) + 1)
    return Counter(tuple(chars[i : i + int(n) - 1]) for i in starts)


def counts(unit: str, hyp: str, ref: str, *, released: bool = False) -> tuple:
    """Return (common, units of hyp, units of ref)."""
    hyp_units = multiset(unit, hyp, released=released)
    ref_units = multiset(unit, ref, released=released)
    return (
        sum((hyp_units & ref_units).values()),
        sum(hyp_units.values()),
        sum(ref_units.values()),
    )


def shares(
    unit: str, hyp: str, ref: str, *, released: bool = False, empty: str = "backoff"
) -> tuple[float, float]:
    """Return precision and recall; where no side has units, as A7 says."""
    common, hyp_count, ref_count = counts(unit, hyp, ref, released=released)
    if hyp_count == ref_count == 0:
        if empty == "zero":
            return 0.0, 0.0
        if unit in ("char1", "word1"):
            return 1.0, 1.0
        family, n = unit[:4], unit[4:]
        lower = "word1" if family == "skip" else f"{family}{int(n) - 1}"
        return shares(lower, hyp, ref, released=released)
    return (
        common / hyp_count if hyp_count else 0.0,
        common / ref_count if ref_count else 0.0,
    )


def value(name: str, p: float, r: float) -> float:
    if name in ("p", "min"):
        return p
    if name in ("r", "max"):
        return r
    beta = float(name[1:])
    if name[0] == "f":
        below = beta**2 * p + r
        return (1 + beta**2) * p * r / below if below else 0.0
    return (p * r**beta) ** (1 / (1 + beta))


def unit_features(
    units: list[str],
    values: list[str],
    hyp: str,
    ref: str,
    *,
    symmetric: bool = True,
    empty: str = "backoff",
    windows: str = "exact",
) -> list[float]:
    out = []
    for unit in units:
        p, r = shares(unit, hyp, ref, released=windows == "released", empty=empty)
        if symmetric:
            p, r = min(p, r), max(p, r)
        out += [value(name, p, r) for name in values]
    return out


def disbalance(
    of: str,
    hyp: str,
    ref: str,
    *,
    form: str = "ratio",
    empty: float = 1.0,
    windows: str = "exact",
) -> float:
    read = words_of if of == "word" else chars_of
    sizes = [len(read(text, released=windows == "released")) for text in (hyp, ref)]
    low, high = min(sizes), max(sizes)
    if low == 0 and empty > 1:
        return empty
    if form == "exp":
        ratio = max(high, 1) / max(low, 1)
        return min(math.exp(ratio) - math.e, 1e5) if ratio < 100 else 1e5
    return (high - low) / max(low, 1)

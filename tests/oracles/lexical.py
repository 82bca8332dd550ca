# SPDX-License-Identifier: Apache-2.0
"""Twin of the features of BEER 4, from their definitions."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

_PLAIN = {
    **dict.fromkeys("“”„‟«»", '"'),
    **dict.fromkeys("‘’‚‛`´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_LEXEME = regex.compile(
    r"\p{N}+(?:[.,:]?\p{N}+)*"
    r"|[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]&&\p{L}]"
    r"|[^\s\p{N}\p{P}\p{S}\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]+"
    r"|\S",
    regex.V1,
)

Zipf = Callable[[str], float]


class Word(NamedTuple):
    text: str
    lower: str
    stem: str
    kind: str


def normalised(text: str) -> str:
    plain = " ".join("".join(_PLAIN.get(c, c) for c in text).split())
    return plain.replace("''", '"')


def lower_case(text: str) -> str:
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def words_of(text: str) -> list[Word]:
    words = []
    for token in _LEXEME.findall(normalised(text)):
        lower, size = lower_case(token), len(token)
        kind = "number" if regex.match(r"\p{N}", token) else "word"
        if regex.match(r"[\p{P}\p{S}]", token):
            kind = "symbol"
        long = kind == "word" and size > 4
        stem = lower[: max(4, (2 * size + 2) // 3)] if long else lower
        words.append(Word(token, lower, stem, kind))
    return words


def shares(hyp: Counter, ref: Counter, none: tuple[float, float] = (1.0, 1.0)):
    common = sum((hyp & ref).values())
    return _ratio(common, sum(hyp.values()), sum(ref.values()), none)


def _ratio(common, hyp, ref, none=(1.0, 1.0)):
    if not hyp and not ref:
        return none
    return common / hyp if hyp else 0.0, common / ref if ref else 0.0


def grams(items: Sequence, n: int) -> Counter:
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))


def skips(words: Sequence[str]) -> Counter:
    return Counter(
        (words[i], words[j])
        for i in range(len(words))
        for j in range(i + 1, min(len(words), i + 5))
    )


def common_blocks(hyp: Sequence[str], ref: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return (place, place, length) of blocks, taken the longest first."""
    free_hyp, free_ref = [True] * len(hyp), [True] * len(ref)
    blocks = []
    while True:
        best = None
        for i in range(len(hyp)):
            for j in range(len(ref)):
                size = 0
                while (
                    i + size < len(hyp)
                    and j + size < len(ref)
                    and hyp[i + size] == ref[j + size]
                    and free_hyp[i + size]
                    and free_ref[j + size]
                ):
                    size += 1
                key = (-size, abs(i * len(ref) - j * len(hyp)), i, j)
                if size and (best is None or key < best):
                    best = key
        if best is None:
            return sorted(blocks)
        size, _, i, j = -best[0], *best[1:]
        blocks.append((i, j, size))
        for k in range(size):
            free_hyp[i + k] = free_ref[j + k] = False


def longest_rising(places: Sequence[int]) -> int:
    best = [1] * len(places)
    for i in range(len(places)):
        for j in range(i):
            if places[j] < places[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best, default=0)


def order_values(hyp: Sequence[str], ref: Sequence[str]) -> list[float]:
    if not hyp and not ref:
        return [1.0, 1.0, 0.0, 1.0]
    blocks = common_blocks(hyp, ref)
    matched = sum(size for _, _, size in blocks)
    chunks = len(blocks) - sum(
        (i + size, j + size) == (k, m) for (i, j, size), (k, m, _) in pairwise(blocks)
    )
    continuity = 1 - (chunks - 1) / (matched - 1) if matched > 1 else float(matched)
    missing = len(ref) - matched
    places = [j + k for _, j, size in blocks for k in range(size)]
    return [
        continuity,
        continuity * matched / ((len(hyp) + len(ref)) / 2),
        -(chunks + missing - 1) / len(ref) if ref else -1.0,
        longest_rising(places) / max(len(hyp), len(ref)),
    ]


def edit_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def common_subsequence(a: str, b: str) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        last = 0
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], last + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


def length_values(hyp: int, ref: int) -> list[float]:
    longest = max(hyp, ref)
    difference = -abs(hyp - ref) / longest if longest else 0.0
    return [difference, -max(ref - hyp, 0) / ref if ref else 0.0]


def letters(text: str) -> list[str]:
    """Return the script of every letter, by the name of the character."""
    return [unicodedata.name(c).split()[0] for c in text if c.isalpha()]


def script_value(hyp: str, ref: str) -> float:
    known, scripts = set(letters(ref)), letters(hyp)
    if not known or not scripts:
        return 0.0
    return -sum(script not in known for script in scripts) / len(scripts)


def weight(zipf: float) -> float:
    return min(max(8 - zipf, 0.3), 7.0)


def stem_shares(hyp: list[Word], ref: list[Word], zipf: Zipf):
    weights = {
        stem: min(weight(zipf(w.lower)) for w in ref if w.stem == stem)
        for stem in {w.stem for w in ref}
    }
    in_hyp, in_ref = Counter(w.stem for w in hyp), Counter(w.stem for w in ref)
    common = sum(n * weights[stem] for stem, n in (in_hyp & in_ref).items())
    total = sum(weights.get(w.stem, weight(zipf(w.lower))) for w in hyp)
    return _ratio(common, total, sum(weights[w.stem] for w in ref))


def rarity(word: Word, zipf: Zipf) -> str | None:
    if word.kind != "word" or zipf(word.lower) >= 2:
        return None
    if not word.text.isascii():
        return "foreign"
    return "capital" if lower_case(word.text[0]) != word.text[0] else "lower"


def unknown_values(hyp: list[Word], ref: list[Word], zipf: Zipf) -> list[float]:
    in_hyp, in_ref = {w.lower for w in hyp}, {w.lower for w in ref}
    extra = Counter(rarity(w, zipf) for w in hyp if w.lower not in in_ref)
    missing: Counter[str | None] = Counter()
    for i, word in enumerate(ref):
        if word.lower in in_hyp:
            continue
        kind = rarity(word, zipf)
        listed = word.kind != "word" or zipf(word.lower) >= 2
        capital = lower_case(word.text[0]) != word.text[0]
        if capital and (i > 0 or not listed):
            missing["capital"] += 1
        if kind in ("lower", "foreign"):
            missing[kind] += 1
    values = []
    for kind in ("capital", "lower", "foreign"):
        count = max(0, extra[kind] - missing[kind])
        values += [-count / len(hyp) if hyp else 0.0, -min(count, 4) / 4]
    return values


def features(hyp_text: str, ref_text: str, zipf: Zipf | None = None) -> list[float]:
    texts = normalised(hyp_text), normalised(ref_text)
    hyp, ref = words_of(hyp_text), words_of(ref_text)
    chars = [text.replace(" ", "") for text in texts]
    spaced = [
        "".join(f" {w.lower}" for w in side) + " " * bool(side) for side in (hyp, ref)
    ]
    lower = [[w.lower for w in side] for side in (hyp, ref)]
    out: list[float] = []
    for (a, b), orders, first in ((chars, 6, 1), (spaced, 5, 2)):
        values = (1.0, 1.0)
        for n in range(1, orders + 1):
            values = shares(grams(a, n), grams(b, n), values)
            out += values if n >= first else ()
    words = shares(Counter(lower[0]), Counter(lower[1]))
    out += words
    if zipf is None:
        out += shares(grams(lower[0], 2), grams(lower[1], 2), words)
        out += shares(skips(lower[0]), skips(lower[1]), words)
    else:
        out += stem_shares(hyp, ref, zipf)
        function = [Counter(w for w in side if zipf(w) >= 6) for side in lower]
        out += shares(*function, words)
    out += order_values([w.stem for w in hyp], [w.stem for w in ref])
    longest = max(map(len, texts))
    out.append(-edit_distance(*texts) / longest if longest else 0.0)
    out += _ratio(common_subsequence(*texts), len(texts[0]), len(texts[1]))
    out += length_values(len(hyp), len(ref)) + length_values(*map(len, chars))
    out.append(script_value(*texts))
    return out if zipf is None else out + unknown_values(hyp, ref, zipf)

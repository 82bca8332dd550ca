# SPDX-License-Identifier: Apache-2.0
"""Twins of the edit-distance kernels: WER, PER, CDER, TER, CharacTER."""

from __future__ import annotations

from collections import Counter


def levenshtein(a, b) -> int:
    row = list(range(len(b) + 1))
    for x in a:
        new = [row[0] + 1]
        for j, y in enumerate(b, start=1):
            new.append(min(row[j - 1] + (x != y), row[j] + 1, new[j - 1] + 1))
        row = new
    return row[-1]


def per(hyp: list[str], ref: list[str]) -> int:
    return max(len(hyp), len(ref)) - (Counter(hyp) & Counter(ref)).total()


def cder(hyp: list[str], ref: list[str]) -> int:
    """Rows are reference words, columns hypothesis words, jumps cost one."""
    row = [0] + [1] * len(hyp)
    for word in ref:
        new = [row[0] + 1]
        for j, other in enumerate(hyp, start=1):
            new.append(min(row[j - 1] + (word != other), row[j] + 1, new[j - 1] + 1))
        row = [min(cost, min(new) + 1) for cost in new]
    return row[-1]


def _trace(hyp: list[str], ref: list[str]):
    """Distance, partner of each ref word, and error flags of both sides."""
    n, m = len(hyp), len(ref)
    cost = [
        [i + j if not i or not j else 0 for j in range(m + 1)] for i in range(n + 1)
    ]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost[i][j] = min(
                cost[i - 1][j - 1] + (hyp[i - 1] != ref[j - 1]),
                cost[i - 1][j] + 1,
                cost[i][j - 1] + 1,
            )
    partner, bad_hyp, bad_ref = {}, [0] * n, [0] * m
    i, j = n, m
    while i or j:
        wrong = bool(i and j and hyp[i - 1] != ref[j - 1])
        if i and j and cost[i][j] == cost[i - 1][j - 1] + wrong:
            partner[j - 1] = i - 1
            bad_hyp[i - 1] = bad_ref[j - 1] = int(wrong)
            i, j = i - 1, j - 1
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            bad_hyp[i - 1] = 1
            i -= 1
        else:
            partner[j - 1] = i - 1
            bad_ref[j - 1] = 1
            j -= 1
    return cost[n][m], partner, bad_hyp, bad_ref


def _shifted(words: list[str], start: int, length: int, target: int) -> list[str]:
    phrase = words[start : start + length]
    rest = words[:start] + words[start + length :]
    if target > start + length:
        target -= length
    elif target >= start:  # inside the phrase: as far behind its start
        target = start + (target - start)
    return rest[:target] + phrase + rest[target:]


def ter_edits(hyp: list[str], ref: list[str]) -> int:
    """Greedy shifts, for texts short enough that Tercom's limits do not bite."""
    if not ref:
        return len(hyp)
    words, shifts = list(hyp), 0
    while True:
        distance, partner, bad_hyp, bad_ref = _trace(words, ref)
        candidates = []
        for h in range(len(words)):
            for r in range(len(ref)):
                for length in range(1, 11):
                    if words[h : h + length] != ref[r : r + length]:
                        break
                    if h + length > len(words) or r + length > len(ref):
                        break
                    if not any(bad_hyp[h : h + length]):
                        continue
                    if not any(bad_ref[r : r + length]):
                        continue
                    if h <= partner[r] < h + length:
                        continue
                    places = [0 if r == 0 else partner[r - 1] + 1]
                    places += [partner[r + k] + 1 for k in range(length)]
                    for target in places:
                        moved = _shifted(words, h, length, target)
                        gain = distance - levenshtein(moved, ref)
                        candidates.append((gain, length, -h, -target, moved))
        best = max(candidates, default=(0,))
        if best[0] <= 0:
            return shifts + distance
        words, shifts = best[-1], shifts + 1


def character(hyp: str, ref: str, threshold: float = 0.34) -> tuple[float, int]:
    """Cost and characters of the hypothesis."""
    words, target = hyp.split(), ref.split()
    length = len(" ".join(words))

    def similar(a: str, b: str) -> bool:
        return levenshtein(a, b) < threshold * max(len(a), len(b))

    def distance(order: list[str]) -> int:
        return levenshtein(" ".join(order), " ".join(target))

    cost, edits = 0.0, distance(words)
    while True:
        best = None
        for h in range(len(words)):
            for r in range(len(target)):
                if h == r:
                    continue
                for n in range(1, 11):
                    if h + n > len(words) or r + n > len(target):
                        break
                    if not similar(words[h + n - 1], target[r + n - 1]):
                        break
                    phrase = words[h : h + n]
                    rest = words[:h] + words[h + n :]
                    moved = rest[:r] + phrase + rest[r:]
                    price = sum(map(len, phrase)) / n
                    gain = edits - distance(moved) - price
                    if gain > 1e-9 and (best is None or gain > best[0]):
                        best = (gain, price, moved)
        if best is None:
            return cost + edits, length
        _, price, words = best
        cost, edits = cost + price, distance(words)

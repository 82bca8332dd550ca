# SPDX-License-Identifier: Apache-2.0
"""Twins of the aligners: every set of matches, and the definition of tau."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

#: hyp start, hyp length, ref start, ref length, matcher
Candidate = tuple[int, int, int, int, int]


def word_candidates(
    hyp: Sequence[str], ref: Sequence[str], keys: Sequence[dict[str, set[object]]]
) -> list[Candidate]:
    """Return all pairs of words that share a key, with the first such matcher."""
    candidates = []
    for h, a in enumerate(hyp):
        for r, b in enumerate(ref):
            for number, matcher_keys in enumerate(keys):
                if matcher_keys.get(a, set()) & matcher_keys.get(b, set()):
                    candidates.append((h, 1, r, 1, number))
                    break
    return candidates


def phrase_candidates(
    hyp: Sequence[str], ref: Sequence[str], pairs: set[tuple[str, str]], number: int
) -> list[Candidate]:
    """Return all pairs of phrases that are in the table in either direction.

    A phrase is not a paraphrase of itself.
    """
    both = {(a, b) for a, b in pairs | {(b, a) for a, b in pairs} if a != b}
    return [
        (h, m, r, n, number)
        for h in range(len(hyp))
        for m in range(1, len(hyp) - h + 1)
        for r in range(len(ref))
        for n in range(1, len(ref) - r + 1)
        if (" ".join(hyp[h : h + m]), " ".join(ref[r : r + n])) in both
    ]


def first_of_each(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keep the lowest matcher of equal pairs of phrases."""
    best: dict[tuple[int, ...], int] = {}
    for *place, number in candidates:
        best[tuple(place)] = min(number, best.get(tuple(place), number))
    return sorted((*place, number) for place, number in best.items())  # type: ignore[misc]


def objective(matches: Sequence[Candidate]) -> tuple[int, int, int, int]:
    """Return what is to be smallest: -covered, chunks, displacement, matchers."""
    covered = sum(m + n for _, m, _, n, _ in matches)
    ordered = sorted(matches)
    joints = sum(
        h + m == h2 and r + n == r2
        for (h, m, r, n, _), (h2, _, r2, _, _) in zip(ordered, ordered[1:])  # noqa: B905, RUF007
    )
    far = sum(abs(h - r) for h, _, r, _, _ in matches)
    return -covered, len(matches) - joints, far, sum(m[4] for m in matches)


def every_alignment(
    candidates: Sequence[Candidate],
) -> Iterator[tuple[Candidate, ...]]:
    """Yield every set of candidates that share no word."""
    if not candidates:
        yield ()
        return
    first, *rest = candidates
    h, m, r, n, _ = first
    compatible = [
        (h2, m2, r2, n2, k)
        for h2, m2, r2, n2, k in rest
        if (h2 >= h + m or h >= h2 + m2) and (r2 >= r + n or r >= r2 + n2)
    ]
    for others in every_alignment(compatible):
        yield (first, *others)
    yield from every_alignment(rest)


def best_objective(candidates: Sequence[Candidate]) -> tuple[int, int, int, int]:
    return min(map(objective, every_alignment(candidates)))


def link_tau(links: Sequence[tuple[int, int]]) -> float | None:
    signs = [(h - h2) * (r - r2) for (h, r), (h2, r2) in combinations(set(links), 2)]
    concordant, discordant = sum(s > 0 for s in signs), sum(s < 0 for s in signs)
    if concordant + discordant == 0:
        return None
    return (concordant - discordant) / (concordant + discordant)

# SPDX-License-Identifier: Apache-2.0
"""METEOR, slowly: the score of an alignment, and the choice of one."""

from __future__ import annotations


def score(hyp, ref, matches, *, weights, alpha, beta, gamma, delta, function=()):
    """Return the score of matches (hyp, hyp words, ref, ref words, matcher)."""
    if not matches:
        return 0.0
    chunks, last = 0, None
    for h, hyp_length, r, ref_length, _ in sorted(matches):
        chunks += last != (h, r)
        last = (h + hyp_length, r + ref_length)
    covered_hyp = sum(match[1] for match in matches)
    covered_ref = sum(match[3] for match in matches)
    matched = (covered_hyp + covered_ref) / 2
    penalty = gamma * (chunks / matched) ** beta
    if chunks == 1 and covered_hyp == len(hyp) and covered_ref == len(ref):
        penalty = 0.0

    def share(words, spans):
        worth = [1 - delta if word in function else delta for word in words]
        weighted = sum(
            weights[matcher] * sum(worth[start : start + length])
            for start, length, matcher in spans
        )
        return weighted / sum(worth) if sum(worth) else 0.0

    p = share(hyp, [(m[0], m[1], m[4]) for m in matches])
    r = share(ref, [(m[2], m[3], m[4]) for m in matches])
    return (1 - penalty) * p * r / (alpha * p + (1 - alpha) * r) if p and r else 0.0


def choose(ref_words, candidates, *, beam, exact=0):
    """Return the matches that the search of core/align/meteor.hpp chooses."""

    def shares_no_word(match):
        return all(
            other is match
            or (
                not _overlap(match[0], match[1], other[0], other[1])
                and not _overlap(match[2], match[3], other[2], other[3])
            )
            for other in candidates
        )

    def value(match):
        _, h, _, r, matcher = match
        return h + r if matcher == exact else h // 2 + r // 2

    def cost(path):
        worth = sum(value(m) for m in path if not shares_no_word(m))
        chunks = 0
        for i, (h, _, r, _, _) in enumerate(path):
            before = path[i - 1] if i else None
            chunks += before is None or (
                (before[0] + before[1], before[2] + before[3]) != (h, r)
            )
        return -worth, chunks, -len(path)

    ordered = sorted(candidates, key=lambda m: (m[2], m[4], m[0], m[1], m[3]))
    paths = [[]]
    for r in range(ref_words):
        paths = sorted(paths, key=cost)[:beam]
        further = []
        for path in paths:
            if path and path[-1][2] + path[-1][3] > r:
                further.append(path)
                continue
            here = [match for match in ordered if match[2] == r]
            if len(here) == 1 and shares_no_word(here[0]):
                further.append([*path, here[0]])
                continue
            further += [
                [*path, match]
                for match in here
                if not any(_overlap(match[0], match[1], m[0], m[1]) for m in path)
            ]
            further.append(path)
        paths = further
    return sorted(min(paths, key=cost))


def _overlap(a, a_length, b, b_length):
    return a < b + b_length and b < a + a_length

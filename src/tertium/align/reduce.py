# SPDX-License-Identifier: Apache-2.0
"""From links to permutations (Stanojevic 2017, section 2.5.2).

A permutation has one value for each word of the permuted text, the output: the rank
of the word it is linked with. Settings decide which of several links counts (`keep`)
and what happens to words without links (`unaligned`). Words with the same counterpart
keep their order, as the sort is stable.

To use only links that a bilingual aligner finds in both directions, intersect them
first: ``symmetrise(forward, backward, method="intersection")``.
"""

from __future__ import annotations

from collections.abc import Iterable

from tertium.align.links import Links, Match, check_links, to_matches
from tertium.errors import InputError, UnknownNameError

__all__ = ["KEEP", "UNALIGNED", "reduce_links", "reduce_matches"]

KEEP = ("leftmost", "rightmost", "probable")
UNALIGNED = ("drop", "left", "right")


def reduce_links(
    links: Links, length: int, *, keep: str = "leftmost", unaligned: str = "drop"
) -> tuple[int, ...]:
    """Return the permutation of an output's words that links imply.

    Parameters
    ----------
    links : Links
        The words of `hyp` are permuted.
    length : int
        The number of words of the output.
    keep : str
        Which link of a word with several counts: the one with the ``leftmost`` or
        ``rightmost`` word of the reference, or the most ``probable`` one (the
        leftmost of equally probable ones).
    unaligned : str
        What happens to a word without a link: ``drop`` deletes it, and ranks cover the
        other words only, as in evaluation. With ``left`` and ``right`` it follows the
        nearest linked word on that side, or on the other side if there is none.

    Returns
    -------
    tuple of int
        The rank, from 1, of each remaining word. Without any link it is empty
        (``drop``) or the identity (``left``, ``right``).

    Raises
    ------
    InputError
        When a link points outside the output, or a setting is unknown.

    Notes
    -----
    ``O(n log n)``. Words that share a counterpart keep their order.

    Examples
    --------
    >>> from tertium.align import as_links
    >>> links = as_links([(0, 1), (0, 4), (1, 0), (2, 2), (2, 3), (3, 2)])
    >>> reduce_links(links, 4), reduce_links(links, 4, keep="rightmost")
    ((2, 1, 3, 4), (4, 1, 3, 2))
    >>> reduce_links(as_links([(1, 0)]), 3, unaligned="left")
    (1, 2, 3)
    """
    check_links(links, length, 1 + max((link.ref for link in links), default=0))
    return reduce_matches(to_matches(links), length, keep=keep, unaligned=unaligned)


def reduce_matches(
    matches: Iterable[Match],
    length: int,
    *,
    keep: str = "leftmost",
    unaligned: str = "drop",
) -> tuple[int, ...]:
    """Return the permutation that matches, possibly of phrases, imply.

    A match of m words with n words counts as n: matches are ordered by their first
    word in the output, and each is replaced by its words of the reference in their
    order. With matches of single words this is :func:`reduce_links`; `keep` chooses
    among matches that start at the same word of the output.

    Parameters
    ----------
    matches : iterable of Match
    length : int
        The number of words of the output.
    keep, unaligned : str
        As in :func:`reduce_links`. A word that follows a phrase on its left follows
        its last word, one that follows a phrase on its right its first.

    Raises
    ------
    InputError
        When a match lies outside the output, or a setting is unknown.

    Examples
    --------
    >>> reduce_matches([(0, 1, 2, 2, 3, 1.0), (1, 2, 0, 1, 3, 1.0)], 3)
    (2, 3, 1)
    """
    if keep not in KEEP:
        raise UnknownNameError("way to keep links", keep, KEEP)
    if unaligned not in UNALIGNED:
        raise UnknownNameError("place for unaligned words", unaligned, UNALIGNED)
    kept = _kept(matches, length, keep)
    keys: list[int] = []
    if unaligned == "drop":
        for start in sorted(kept):
            keys += _words(kept[start])
    else:
        keys = _attached(kept, length, unaligned)
    order = sorted(range(len(keys)), key=keys.__getitem__)  # stable
    ranks = [0] * len(keys)
    for rank, item in enumerate(order, start=1):
        ranks[item] = rank
    return tuple(ranks)


def _kept(matches: Iterable[Match], length: int, keep: str) -> dict[int, Match]:
    """Return the match that counts for each word where matches start."""
    kept: dict[int, Match] = {}
    for match in matches:
        hyp, hyp_length, ref, ref_length, _, weight = match
        if hyp < 0 or ref < 0 or min(hyp_length, ref_length) < 1:
            raise InputError(f"{match!r} is not a match; lengths are 1 or more")
        if hyp + hyp_length > length:
            raise InputError(
                f"a match covers words {hyp} to {hyp + hyp_length - 1} (from 0) of an "
                f"output of length {length}; check that they belong together"
            )
        known = kept.get(hyp)
        if known is None:
            kept[hyp] = match
            continue
        better = {
            "leftmost": ref < known[2],
            "rightmost": ref > known[2],
            "probable": (-weight, ref) < (-known[5], known[2]),
        }[keep]
        if better:
            kept[hyp] = match
    return kept


def _words(match: Match) -> range:
    return range(match[2], match[2] + match[3])


def _attached(kept: dict[int, Match], length: int, side: str) -> list[int]:
    covered = {
        word for start, match in kept.items() for word in range(start, start + match[1])
    }
    # For each place, the key of the nearest match before and after it.
    before: list[int | None] = []
    last: int | None = None
    for word in range(length):
        before.append(last)
        if word in kept:
            last = _words(kept[word])[-1]
    behind: list[int | None] = []
    last = None
    for word in reversed(range(length)):
        behind.append(last)
        if word in kept:
            last = _words(kept[word])[0]
    behind.reverse()
    keys: list[int] = []
    for word in range(length):
        if word in kept:
            keys += _words(kept[word])
        elif word not in covered:
            near, far = before[word], behind[word]
            if side == "right":
                near, far = far, near
            # Without any match all keys are equal: the identity.
            keys.append(near if near is not None else far if far is not None else 0)
    return keys

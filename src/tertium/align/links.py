# SPDX-License-Identifier: Apache-2.0
"""Links between words, and operations that do not need the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import NamedTuple, TypeAlias

from tertium import _core
from tertium.data.annotated import Annotated, layer
from tertium.errors import InputError

__all__ = [
    "Link",
    "Links",
    "Match",
    "as_link",
    "as_links",
    "check_links",
    "from_matches",
    "given_links",
    "link_tau",
    "reverse",
    "to_matches",
    "with_links",
]


class Link(NamedTuple):
    """A word of one text and a word of another, counted from 0.

    Parameters
    ----------
    hyp, ref : int
        The word of the output (or source) and of the reference (or target).
    weight : float
        The probability of the link, where one is known.
    sure : bool
        Whether annotators were sure, in files that distinguish this.
    """

    hyp: int
    ref: int
    weight: float = 1.0
    sure: bool = True


Links: TypeAlias = tuple[Link, ...]

#: The core's format: first word of the output, number of words, first
#: word of the reference, number of words, matcher, weight.
Match: TypeAlias = tuple[int, int, int, int, int, float]


def as_links(pairs: Iterable[Sequence[float]]) -> Links:
    """Return pairs of words as sorted links, without duplicates.

    Parameters
    ----------
    pairs : iterable of sequences
        ``(hyp, ref)``, ``(hyp, ref, weight)`` or ``(hyp, ref, weight, sure)``. A
        pair of words that occurs twice gets the greater weight, and is sure if one
        of the two is.

    Raises
    ------
    InputError
        For any other item, a word or weight below 0, or NaN.

    Examples
    --------
    >>> as_links([(1, 0), (0, 1, 0.5), (0, 1, 0.7)])
    (Link(hyp=0, ref=1, weight=0.7, sure=True), Link(hyp=1, ref=0, weight=1.0, \
sure=True))
    """
    links: dict[tuple[int, int], Link] = {}
    for pair in pairs:
        link = as_link(pair)
        if link.hyp < 0 or link.ref < 0:
            raise InputError(
                f"link {link.hyp}-{link.ref} is below 0; words are counted from 0"
            )
        if not 0 <= link.weight < float("inf"):
            raise InputError(
                f"link {link.hyp}-{link.ref} has weight {link.weight}; weights must "
                "be at least 0; use 1 if nothing is known"
            )
        at = link.hyp, link.ref
        known = links.get(at)
        if known is not None:
            weight = max(link.weight, known.weight)
            link = Link(*at, weight, link.sure or known.sure)
        links[at] = link
    return tuple(sorted(links.values()))


def as_link(pair: Sequence[float]) -> Link:
    """Return a pair of words as a link, optionally with weight and certainty."""
    if type(pair) is Link:
        return pair
    try:
        weight = float(pair[2]) if len(pair) > 2 else 1.0
        sure = bool(pair[3]) if len(pair) > 3 else True
        # Integers of any type, including NumPy's, but no fractions.
        hyp, ref = map(index, pair[:2])  # type: ignore[arg-type]
        fits = len(pair) <= 4
    except (TypeError, ValueError, LookupError):
        fits = False
    if not fits:
        message = (
            f"{pair!r} is not a link; give (hyp, ref), words counted from 0, or a Link"
        )
        raise InputError(message)
    return Link(hyp, ref, weight, sure)


def reverse(links: Links) -> Links:
    """Return the links with both sides swapped, sorted.

    Examples
    --------
    >>> [(a, b) for a, b, *_ in reverse(as_links([(0, 2), (1, 0)]))]
    [(0, 1), (2, 0)]
    """
    return tuple(sorted(Link(r, h, weight, sure) for h, r, weight, sure in links))


def check_links(links: Links, hyp_length: int, ref_length: int) -> None:
    """Raise an error if a link points outside its texts.

    Raises
    ------
    InputError
        With the link, the length of the text and possible reasons.

    Examples
    --------
    >>> check_links(as_links([(0, 0)]), 1, 1)
    """
    for link in links:
        sides = (("first", link.hyp, hyp_length), ("second", link.ref, ref_length))
        for side, word, length in sides:
            if 0 <= word < length:
                continue
            words = "1 word" if length == 1 else f"{length} words"
            raise InputError(
                f"link {link.hyp}-{link.ref} (counted from 0) points outside the "
                f"{side} text, which has {words}; check that text and links belong "
                "together, which side comes first, and whether links count from 1"
            )


def from_matches(matches: Iterable[Match]) -> Links:
    """Return the core's matches as links.

    A match of m words with n words becomes m x n links, as is usual for phrases.

    Examples
    --------
    >>> [(h, r) for h, r, *_ in from_matches([(0, 2, 1, 1, 3, 0.6)])]
    [(0, 1), (1, 1)]
    """
    return as_links(
        (hyp + i, ref + j, weight)
        for hyp, hyp_length, ref, ref_length, _, weight in matches
        for i in range(hyp_length)
        for j in range(ref_length)
    )


def to_matches(links: Links) -> list[Match]:
    """Return links as matches between single words."""
    return [(h, 1, r, 1, 0, weight) for h, r, weight, _ in links]


def with_links(hyps: Sequence[str], *columns: Sequence[Links]) -> list[Annotated]:
    """Return outputs annotated with links to the references.

    Every metric over aligned words then uses these instead of aligning. Links count
    the words that the metric's tokeniser makes; a link outside the text is an error
    when the metric is computed.

    Parameters
    ----------
    hyps : sequence of str
        The outputs of one system.
    *columns : sequence of Links
        One column per reference: the links between each output and that reference.

    Raises
    ------
    InputError
        When there is no column, or one is not as long as `hyps`.

    Examples
    --------
    >>> import tertium
    >>> hyps = with_links(["le chat"], [as_links([(0, 0), (1, 1)])])
    >>> tertium.metric("aligned-percentage").corpus_score(hyps, ["the cat"])
    1.0
    """
    if not columns:
        raise InputError("there are no links; give one column per reference")
    for number, column in enumerate(columns, start=1):
        if len(column) != len(hyps):
            raise InputError(
                f"there are {len(hyps)} outputs, but links of {len(column)} with "
                f"reference {number}; give links for each output, even if empty"
            )
    per_hyp = zip(*columns, strict=True)
    out = []
    for hyp, links in zip(hyps, per_hyp, strict=True):
        others = hyp.layers if isinstance(hyp, Annotated) else {}
        annotation = tuple(as_links(pairs) for pairs in links)
        out.append(Annotated(hyp, {**others, "links": annotation}))
    return out


def given_links(text: str, references: int, *, name: str) -> tuple[Links, ...] | None:
    """Return the links of an annotated output with each reference, or None.

    Parameters
    ----------
    text : str
    references : int
        The number of its references.
    name : str
        Its name in errors, such as ``output 3``.

    Raises
    ------
    InputError
        If there is not one list of links per reference, or an item is not a link.

    Examples
    --------
    >>> given_links(Annotated("a b", {"links": [[(1, 0)]]}), 1, name="output 0")
    ((Link(hyp=1, ref=0, weight=1.0, sure=True),),)
    """
    layers = layer(text, "links")
    if layers is None:
        return None
    cure = "give one list of links per reference, such as [[(0, 0), (1, 2)]]"
    if isinstance(layers, str) or not isinstance(layers, Sequence):
        raise InputError(f"the links of {name} are {layers!r}; {cure}")
    for links in layers:
        if isinstance(links, str) or not isinstance(links, Sequence):
            raise InputError(f"{name} has {links!r} as links of a reference; {cure}")
        if isinstance(links, Link) or (links and isinstance(links[0], int)):
            bare = tuple(links[:2])
            raise InputError(f"{name} has the bare link {bare!r}; {cure}")
    if len(layers) != references:
        message = f"{name} has links with {len(layers)} references, but has "
        raise InputError(f"{message}{references}; {cure}")
    try:
        return tuple(tuple(map(as_link, links)) for links in layers)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def link_tau(links: Iterable[tuple[int, int] | Link]) -> float | None:
    """Return Kendall's tau over all pairs of links, or None where undefined.

    (concordant - discordant) / (concordant + discordant), by the sign of
    (h - h') (r - r'); pairs that share a word are skipped. It is undefined if no
    pair remains.

    Parameters
    ----------
    links : iterable of Link or of (int, int)
        Words of the output and of the reference.

    Examples
    --------
    >>> link_tau([(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)])
    -0.4
    >>> link_tau([(0, 0)]) is None
    True

    References
    ----------
    McCaffery 2017, The mat sat on the cat, 3.5.2 (which prints the sign reversed).
    """
    pairs = [as_link(link)[:2] for link in links]
    if any(not 0 <= word < 2**32 for pair in pairs for word in pair):
        message = "a link names a word below 0; count words from 0"
        raise InputError(message)
    return _core.tau_of_links(pairs)

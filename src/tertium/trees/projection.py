# SPDX-License-Identifier: Apache-2.0
"""Trees of outputs made from trees of references, through word links.

Parsers are trained on correct sentences and are unreliable on faulty output (McCaffery
2017, 7.4.3; 8.4 leaves the use of reference trees alone to future work). Direct
projection (Hwa et al. 2005, Bootstrapping parsers via syntactic projection across
parallel texts, section 3) needs a tree of the reference only: words that are linked
with a head and its dependent are head and dependent too. Hwa et al. add empty words and
leave out words without links; here every word of the output has one place, so that the
result is always a tree:

- *Several words of the reference for one word.* The word takes the place of the highest
  of them in the tree, of equally high ones the first.
- *Several words for one word of the reference.* The first one takes its place, and the
  others depend on it, as in fixed expressions of Universal Dependencies.
- *Words of the reference without a counterpart.* Their dependents move up to the
  nearest word above that has one, with their relations, or become roots; so a reference
  with one root may give an output several. Cycles cannot arise, as the ancestors of a
  word are counterparts of ancestors in the reference.
- *Unlinked words of the output.* Between two neighbours whose counterparts enclose only
  unlinked words of the reference (or before the first, or after the last such
  neighbour), they take the places of those words one by one from the left: a wrong
  translation usually stands where the right one would. The links do not change.
  Any other unlinked word depends on the nearest word to its left that has a place, or
  else to its right, and has no dependents.

Relations that do not come from the reference are ``dep``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from tertium.errors import InputError
from tertium.trees.tree import DependencyTree

__all__ = ["make_projective", "project"]

_RELATION = "dep"


def project(
    ref: DependencyTree, words: Sequence[str], links: Iterable[Sequence[float]]
) -> DependencyTree:
    """Return the tree of an output, projected from its reference.

    Parameters
    ----------
    ref : DependencyTree
    words : sequence of str
        The words of the output.
    links : iterable of (int, int)
        Aligned words of the output and of the reference, counted from 0.

    Raises
    ------
    InputError
        If a link lies outside.

    Examples
    --------
    >>> names = ("nsubj", "root", "det", "obj")
    >>> ref = DependencyTree(("she", "sold", "the", "car"), (2, 0, 4, 2), names)
    >>> tree = project(ref, ["the", "car", "she", "bought"], [(0, 2), (1, 3), (2, 0)])
    >>> tree.heads, tree.deprels
    ((2, 0, 0, 3), ('det', 'obj', 'nsubj', 'dep'))
    >>> project(ref, ["she", "bought", "the", "car"], [(0, 0), (2, 2), (3, 3)]).heads
    (2, 0, 4, 2)

    References
    ----------
    Hwa, Resnik, Weinberg, Cabezas and Kolak 2005, Bootstrapping parsers via syntactic
    projection across parallel texts.
    """
    pairs = _checked(links, len(words), len(ref))
    if not len(ref):
        return replace(DependencyTree.flat(words), deprels=(_RELATION,) * len(words))
    places = _highest(ref, pairs)
    _fill_gaps(places, {r for _, r in pairs}, len(words), len(ref))
    first = {place: word for word, place in sorted(places.items(), reverse=True)}
    heads, names = [0] * len(words), [_RELATION] * len(words)
    last: int | None = None
    for word in range(len(words)):
        place = places.get(word)
        if place is None:
            heads[word] = (min(places) if last is None else last) + 1
            continue
        last = word
        if first[place] != word:
            heads[word] = first[place] + 1
            continue
        names[word] = ref.deprels[place]
        above = ref.heads[place]
        while above and above - 1 not in first:
            above = ref.heads[above - 1]
        heads[word] = first[above - 1] + 1 if above else 0
    return DependencyTree(tuple(words), tuple(heads), tuple(names))


def make_projective(tree: DependencyTree) -> DependencyTree:
    """Return the tree without crossing arcs, the nearest one by lifting.

    As long as an arc covers a word that is not below its head, the dependent of the
    shortest such arc (of equally short ones the first) is attached to the head of its
    head (Nivre and Nilsson 2005, Pseudo-projective dependency parsing, section 2).
    Relations stay. A word that left its phrase thus leaves it in the tree.

    Parameters
    ----------
    tree : DependencyTree

    Examples
    --------
    >>> names = ("det", "nsubj", "obj", "root")
    >>> tree = DependencyTree(("the", "she", "car", "sold"), (3, 4, 4, 0), names)
    >>> make_projective(tree).heads
    (4, 4, 4, 0)
    """
    heads = list(tree.heads)
    while (word := _crossing(heads)) is not None:
        heads[word - 1] = heads[heads[word - 1] - 1]
    unchanged = tuple(heads) == tree.heads
    return tree if unchanged else replace(tree, heads=tuple(heads))


def _checked(
    links: Iterable[Sequence[float]], words: int, ref_words: int
) -> list[tuple[int, int]]:
    pairs = sorted({(int(link[0]), int(link[1])) for link in links})
    for word, ref in pairs:
        if not (0 <= word < words and 0 <= ref < ref_words):
            message = (
                f"link {word}-{ref} lies outside texts of {words} and {ref_words} "
                "words; count words from 0"
            )
            raise InputError(message)
    return pairs


def _depths(tree: DependencyTree) -> list[int]:
    """Return how many words are above each word."""
    depths = [-1] * len(tree)
    for start in range(len(tree)):
        path = []
        word = start
        while word >= 0 and depths[word] < 0:
            path.append(word)
            word = tree.heads[word] - 1
        depth = -1 if word < 0 else depths[word]
        for word in reversed(path):
            depth += 1
            depths[word] = depth
    return depths


def _highest(ref: DependencyTree, pairs: list[tuple[int, int]]) -> dict[int, int]:
    """Return for every linked word the highest word it is linked with."""
    depths = _depths(ref)
    places: dict[int, int] = {}
    for word, place in pairs:  # in order, so that the first of equally high ones stays
        known = places.get(word)
        if known is None or depths[place] < depths[known]:
            places[word] = place
    return places


def _fill_gaps(places: dict[int, int], linked: set[int], size: int, top: int) -> None:
    """Give unlinked words the places of unlinked words between the same neighbours."""
    edges = [-1, *sorted(places), size]
    taken = set(linked)
    for left, right in pairwise(edges):
        low = -1 if left < 0 else places[left]
        high = top if right == size else places[right]
        if not taken.isdisjoint(range(low + 1, high)):
            continue
        for step in range(1, min(right - left, high - low)):
            places[left + step] = low + step
            taken.add(low + step)


def _crossing(heads: Sequence[int]) -> int | None:
    """Return the dependent of the shortest arc over words not below its head."""
    arcs = [(abs(word - head), word) for word, head in enumerate(heads, 1) if head]
    for _, word in sorted(arcs):
        head = heads[word - 1]
        for between in range(min(word, head) + 1, max(word, head)):
            above = between
            while above and above != head:
                above = heads[above - 1]
            if not above:
                return word
    return None

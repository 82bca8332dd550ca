# SPDX-License-Identifier: Apache-2.0
"""Short phrases of a sentence: its *parts*.

Constituency trees: Macháček (2014), algorithm 1. From the root
downwards, the first node with at most `max_length` words is a part if it has at least
`min_length`, and the nodes below it are skipped.

Dependency trees have no node for "are then thrown away" when the words hang on one
verb with a long subject, so there are two kinds of parts:

* *subtrees*: a word with everything below it, by the same rule;
* *heads*: a word with too many words below it, together with the neighbours
  that are too short to be parts themselves. The shorter neighbour is taken first,
  the left one if both are equally long; punctuation ends the part. This covers
  predicates, which the rule for constituents tends to miss (Macháček 2014).

Parts never overlap. Words that are in none are *uncovered*.
"""

from __future__ import annotations

from tertium.errors import InputError
from tertium.trees.brackets import ConstituencyTree
from tertium.trees.conllu import Sentence
from tertium.trees.tree import DependencyTree

__all__ = ["MAX_LENGTH", "MIN_LENGTH", "Indices", "extract", "token_tree"]

MIN_LENGTH = 3
MAX_LENGTH = 6

#: Places of words, counted from 0, in ascending order.
Indices = tuple[int, ...]


def extract(
    tree: ConstituencyTree | DependencyTree,
    *,
    min_length: int = MIN_LENGTH,
    max_length: int = MAX_LENGTH,
) -> tuple[Indices, ...]:
    """Return the parts of a sentence, from left to right.

    Parameters
    ----------
    tree : ConstituencyTree or DependencyTree
    min_length, max_length : int
        The shortest and the longest part, in words.

    Returns
    -------
    tuple of tuples of int
        The places of the words of each part, counted from 0; they are adjacent.

    Raises
    ------
    InputError
        When `min_length` is below 1 or above `max_length`.

    Notes
    -----
    Linear in the nodes of the tree, apart from sorting the parts of dependency trees.

    Examples
    --------
    >>> tree = ConstituencyTree.parse("(S (NP (DT the) (JJ old) (NN clock))"
    ...     " (VP (VBZ strikes) (ADVP (RB twice))))")
    >>> extract(tree, min_length=2, max_length=3)
    ((0, 1, 2), (3, 4))
    """
    if not 1 <= min_length <= max_length:
        message = (
            f"a part cannot have {min_length} to {max_length} words; the minimum must "
            "be at least 1 and at most the maximum"
        )
        raise InputError(message, options=("min", "max"))
    if isinstance(tree, ConstituencyTree):
        spans = _of_constituents(tree, min_length, max_length)
    else:
        spans = _of_dependencies(tree, min_length, max_length)
    return tuple(tuple(range(start, end)) for start, end in spans)


def _of_constituents(
    tree: ConstituencyTree, low: int, high: int
) -> list[tuple[int, int]]:
    parts = []
    done = 0
    for _, start, end in tree.nodes:  # parents before children
        if start < done or end - start > high:
            continue  # Inside a node that was used or skipped, or too long.
        done = end
        if end - start >= low:
            parts.append((start, end))
    return parts


# ---------------------------------------------------------------- dependency trees


def _of_dependencies(
    tree: DependencyTree, low: int, high: int
) -> list[tuple[int, int]]:
    below = _Below(tree)
    parts = []
    todo = list(tree.roots)
    while todo:
        word = todo.pop()
        first, last, size = below.first[word], below.last[word], below.size[word]
        whole = last - first + 1 == size  # no gap, as in non-projective trees
        if size <= high and whole:
            if size >= low:
                parts.append((first - 1, last))
            continue
        todo += below.children[word]
        start, end = _around_head(tree, below, word, low, high)
        if end - start + 1 >= low:
            parts.append((start - 1, end))
    return sorted(parts)


def _around_head(
    tree: DependencyTree, below: _Below, head: int, low: int, high: int
) -> tuple[int, int]:
    """Return the first and last word of the part around a head, counted from 1."""
    # Contiguous subtrees that are too short to be parts themselves.
    short = [
        word
        for word in below.children[head]
        if below.size[word] < low
        and below.last[word] - below.first[word] + 1 == below.size[word]
        and not tree.is_punct(word)
    ]
    ends = {below.last[word]: word for word in short}
    starts = {below.first[word]: word for word in short}
    start = end = head
    while True:
        near = [ends.get(start - 1), starts.get(end + 1)]
        fits = [
            word
            for word in near
            if word is not None and end - start + 1 + below.size[word] <= high
        ]
        if not fits:
            return start, end
        word = min(
            fits, key=lambda each: below.size[each]
        )  # the left one if both are equal
        start, end = min(start, below.first[word]), max(end, below.last[word])


class _Below:
    """The words below each word, itself included; counted from 1."""

    def __init__(self, tree: DependencyTree) -> None:
        n = len(tree)
        self.children: list[list[int]] = [[] for _ in range(n + 1)]
        for word, head in enumerate(tree.heads, start=1):
            self.children[head].append(word)
        self.size = [1] * (n + 1)
        self.first = list(range(n + 1))
        self.last = list(range(n + 1))
        order: list[int] = []
        todo = list(self.children[0])
        while todo:
            word = todo.pop()
            order.append(word)
            todo += self.children[word]
        for word in reversed(order):  # children before parents
            for child in self.children[word]:
                self.size[word] += self.size[child]
                self.first[word] = min(self.first[word], self.first[child])
                self.last[word] = max(self.last[word], self.last[child])


def token_tree(sentence: Sentence) -> DependencyTree:
    r"""Return the tree over the tokens of the text instead of syntactic words.

    Alignments link tokens: German "zum Haus" has two, although CoNLL-U has three words
    ("zu dem Haus"). A multiword token is represented by its first word whose head lies
    outside it.

    Examples
    --------
    >>> from tertium.trees import parse_conllu
    >>> rows = ["1-2 zum _ _ _ _ _ _ _ _", "1 zu _ ADP _ _ 3 case _ _",
    ...     "2 dem _ DET _ _ 3 det _ _", "3 Haus _ NOUN _ _ 0 root _ _"]
    >>> lines = [row.replace(" ", "\t") for row in rows]
    >>> tree = token_tree(next(parse_conllu(lines)))
    >>> tree.forms, tree.heads
    (('zum', 'Haus'), (2, 0))
    """
    tree = sentence.tree
    keep: list[int] = []
    forms: list[str] = []
    covered = 0
    for row in sentence.rows:
        name, form = row[0], row[1]
        if "." in name:
            continue
        if "-" in name:
            low, covered = map(int, name.split("-"))
            inside = range(low, covered + 1)
            outward = (word for word in inside if tree.heads[word - 1] not in inside)
            keep.append(next(outward))
            forms.append(form)
        elif int(name) > covered:
            keep.append(int(name))
            forms.append(form)
    if not covered:
        return tree
    kept = tree.keep(keep)
    return DependencyTree(
        tuple(forms), kept.heads, kept.deprels, upos=kept.upos, xpos=kept.xpos
    )

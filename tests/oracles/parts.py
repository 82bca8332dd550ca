# SPDX-License-Identifier: Apache-2.0
"""Slow and obvious: algorithm 1 of Macháček (2014) on nested lists, and images.

A tree is a word or a list of trees.
"""

from __future__ import annotations


def leaves(tree) -> list[str]:
    """Return the words of a tree."""
    if isinstance(tree, str):
        return [tree]
    return [word for child in tree for word in leaves(child)]


def extract(tree, low: int, high: int, start: int = 0) -> list[list[int]]:
    """Return the parts as lists of places."""
    n = len(leaves(tree))
    if n <= high:
        return [list(range(start, start + n))] if n >= low else []
    parts = []
    for child in tree:
        parts += extract(child, low, high, start)
        start += len(leaves(child))
    return parts


def brackets(tree) -> str:
    """Return a tree as Penn brackets."""
    if isinstance(tree, str):
        return f"(T {tree})"
    return f"(X {' '.join(map(brackets, tree))})"


def below(heads: list[int], word: int) -> set[int]:
    """Return a word, counted from 1, and all words under it."""
    words = {word}
    for other, head in enumerate(heads, 1):
        if head == word:
            words |= below(heads, other)
    return words


def in_one_piece(words: set[int]) -> bool:
    """Tell whether words are neighbours."""
    return words == set(range(min(words), max(words) + 1))


def subtrees(heads: list[int], low: int, high: int) -> list[list[int]]:
    """Return the largest subtrees in one piece that are short enough."""
    words = range(1, len(heads) + 1)
    fits = [below(heads, word) for word in words]
    fits = [
        subtree for subtree in fits if len(subtree) <= high and in_one_piece(subtree)
    ]
    largest = [
        subtree for subtree in fits if not any(subtree < other for other in fits)
    ]
    return sorted(
        [word - 1 for word in sorted(subtree)]
        for subtree in largest
        if len(subtree) >= low
    )


def around_heads(
    heads: list[int], punct: set[int], low: int, high: int
) -> list[list[int]]:
    """Return the parts around words that are not in a short enough subtree.

    A part is the word, extended repeatedly by the shorter of its dependents' subtrees
    to the left and right (the left one if equal) that is shorter than a part,
    contiguous and not headed by punctuation, while there is room.
    """
    words = range(1, len(heads) + 1)
    trees = {word: below(heads, word) for word in words}
    fits = [
        value for value in trees.values() if len(value) <= high and in_one_piece(value)
    ]
    parts = []
    for head in words:
        if any(head in value for value in fits):
            continue
        short = [
            trees[word]
            for word in words
            if heads[word - 1] == head and word not in punct and trees[word] in fits
            if len(trees[word]) < low
        ]
        value = {head}
        while True:
            left = [each for each in short if max(each) == min(value) - 1]
            right = [each for each in short if min(each) == max(value) + 1]
            near = [each for each in left + right if len(value | each) <= high]
            if not near:
                break
            value |= sorted(near, key=len)[0]  # stable: the left one of two
        if len(value) >= low:
            parts.append([word - 1 for word in sorted(value)])
    return parts


def image(indices, pairs, words: list[str]) -> str | None:
    """Return the words that are linked to any of the indices, in their order."""
    translated = [
        word
        for place, word in enumerate(words)
        if any((index, place) in pairs for index in indices)
    ]
    return " ".join(translated) if translated else None

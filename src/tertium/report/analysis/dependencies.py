# SPDX-License-Identifier: Apache-2.0
"""Dependency trees of texts as compact columns, for the script that draws them.

Every column is one string with one line per text; lines have one character per word.
Texts of a segment stand together, and so do their trees, which are nearly the same.
``templates/dependencies.js`` reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from tertium.analysis.words import split
from tertium.data.annotated import layer
from tertium.trees.tree import DependencyTree

__all__ = ["MOST", "tree_columns"]

#: Words of a drawing; what comes after them is not stored.
MOST = 120

_ROOT, _OUTSIDE, _HEAD = 0x21, 0x22, 0x23
_FIRST = 0x21  # the character of the most frequent relation, and of no letters
_LAST = 0xD7FF  # the last character before the surrogates
_SPACES = frozenset(" \t\u00a0\u3000")  # between words; the script has the same


def tree_columns(
    texts: Sequence[str], trees: Sequence[DependencyTree | None] | None = None
) -> dict[str, Any] | None:
    """Return the trees of texts, or None if no text has one.

    Parameters
    ----------
    texts : sequence of str
    trees : sequence of DependencyTree or None, optional
        By default those that the texts carry.

    Returns
    -------
    dict
        ``relations``: names, the most frequent first. ``heads``: the distance to the
        head, backwards and forwards in turns, ``!`` for a root and ``"`` for a head
        that is not stored; an empty line for a text without a tree. ``labels``: the
        number of the relation. ``forms``: an empty line if the tree has the words of
        the report, the length of every word if they follow each other in the text, or
        else a tab before every word.
    """
    if trees is None:
        trees = [cast("DependencyTree | None", layer(text, "tree")) for text in texts]
    if not any(trees):
        return None
    counts = Counter(
        relation for tree in trees if tree for relation in tree.deprels[:MOST]
    )
    relations = [name for name, _ in counts.most_common(_LAST - _FIRST + 1)]
    numbers = {name: chr(_FIRST + number) for number, name in enumerate(relations)}
    return {
        "relations": relations,
        "heads": "\n".join(_heads(tree) if tree else "" for tree in trees),
        "labels": "\n".join(
            "".join(numbers.get(name, chr(_FIRST)) for name in tree.deprels[:MOST])
            if tree
            else ""
            for tree in trees
        ),
        "forms": "\n".join(
            _forms(text, tree.forms[:MOST]) if tree else ""
            for text, tree in zip(texts, trees, strict=True)
        ),
    }


def _heads(tree: DependencyTree) -> str:
    """Return one character per word: where its head is."""
    codes = []
    for number, head in enumerate(tree.heads[:MOST], start=1):
        if head == 0:
            codes.append(_ROOT)
        elif head > MOST:
            codes.append(_OUTSIDE)
        else:
            step = head - number
            codes.append(_HEAD + 2 * abs(step) - 2 + (step > 0))
    return "".join(map(chr, codes))


def _forms(text: str, forms: Sequence[str]) -> str:
    """Return what a script needs to find the words of a tree in a text."""
    if split(text)[:MOST] == list(forms):
        return ""
    codes, place = [], 0
    for form in forms:
        while text[place : place + 1] in _SPACES:
            place += 1
        if not text.startswith(form, place) or len(form) > _LAST - _FIRST:
            return "".join(f"\t{' '.join(each.split())}" for each in forms)
        codes.append(chr(_FIRST + len(form)))
        place += len(form)
    return "".join(codes)

# SPDX-License-Identifier: Apache-2.0
"""Orders without learning: the source order, its reverse, and head-final rules.

The rules turn a dependency tree of Universal Dependencies into the order of a
head-final language such as Japanese or Turkish, in the spirit of Isozaki et al. (2010,
Head finalization): every head comes after its dependents. Exceptions:

* function words follow the phrase they belong to: adpositions (`case`), subordinators
  (`mark`), copulas, auxiliaries (the last one first: "eaten been has") and negation;
* conjuncts, names, fixed expressions, lists and particles of verbs keep their order
  (`conj`, `flat`, `fixed`, `goeswith`, `list`, `appos`, `parataxis`, `compound`), and a
  conjunction (`cc`) stays in front of its conjunct;
* punctuation at the edges of a phrase stays there; elsewhere it follows the phrase that
  precedes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.errors import InputError, UnknownNameError
from tertium.trees.tree import DependencyTree, base_relation

__all__ = ["BASELINES", "baseline_orders", "head_final_order"]

BASELINES = ("identity", "reverse", "head-final")

#: Function words after their head, from the nearest to the farthest.
_AFTER = {"neg": 0, "cop": 1, "aux": 2, "case": 3, "mark": 4}
#: Dependents that stay on their side of the head.
_FIXED = {"appos", "compound", "conj", "fixed", "flat", "goeswith", "list", "parataxis"}
_NEGATIONS = {"not", "n't", "nicht", "ne"}


def baseline_orders(
    sentences: Sequence[Sequence[str]],
    name: str,
    *,
    trees: Sequence[DependencyTree] | None = None,
) -> list[tuple[int, ...]]:
    """Return the order of every sentence by a baseline.

    Parameters
    ----------
    sentences : sequence of sequences of str
    name : {"identity", "reverse", "head-final"}
    trees : sequence of DependencyTree, optional
        One tree per sentence, with the same words; for ``head-final``.

    Raises
    ------
    InputError
        If trees are missing, or do not fit the sentences.

    Examples
    --------
    >>> baseline_orders([["a", "b", "c"]], "reverse")
    [(2, 1, 0)]
    """
    if name not in BASELINES:
        raise UnknownNameError("baseline", name, BASELINES)
    if name == "head-final":
        return _head_final_orders(sentences, trees)
    step = 1 if name == "identity" else -1
    return [tuple(range(len(sentence)))[::step] for sentence in sentences]


def _head_final_orders(
    sentences: Sequence[Sequence[str]], trees: Sequence[DependencyTree] | None
) -> list[tuple[int, ...]]:
    if trees is None:
        message = (
            "the baseline head-final needs dependency trees; give one per sentence"
        )
        raise InputError(message, options=("trees",))
    if len(trees) != len(sentences):
        raise InputError(
            f"there are {len(trees):,} trees for {len(sentences):,} sentences; give "
            "one tree per sentence",
            options=("trees",),
        )
    for index, (sentence, tree) in enumerate(zip(sentences, trees, strict=True)):
        if len(sentence) != len(tree):
            raise InputError(
                f"sentence {index} has {len(sentence)} words, its tree {len(tree)}; "
                "parse the text with its white space as word boundaries",
                options=("trees",),
            )
    return [head_final_order(tree) for tree in trees]


def head_final_order(tree: DependencyTree) -> tuple[int, ...]:
    """Return the order of a tree's words in a head-final language.

    Parameters
    ----------
    tree : DependencyTree
        With relations of Universal Dependencies.

    Returns
    -------
    tuple of int
        Positions, counted from 0, in their new order. Takes O(n d) for depth d.

    Examples
    --------
    >>> tree = DependencyTree(
    ...     ("she", "will", "read", "books", "in", "Rome", "."),
    ...     (3, 3, 0, 3, 6, 3, 3),
    ...     ("nsubj", "aux", "root", "obj", "case", "obl", "punct"),
    ... )
    >>> " ".join(tree.forms[word] for word in head_final_order(tree))
    'she books Rome in read will .'
    """
    dependents: list[list[int]] = [[] for _ in range(len(tree) + 1)]
    for word, head in enumerate(tree.heads, start=1):
        dependents[head].append(word)
    above = [0]
    for word in above:  # grows: parents come before their children
        above.extend(dependents[word])
    phrases: dict[int, list[int]] = {}
    for word in reversed(above):
        phrases[word] = _phrase(tree, word, dependents[word], phrases)
    return tuple(word - 1 for word in phrases[0])


def _phrase(
    tree: DependencyTree,
    head: int,
    dependents: list[int],
    phrases: dict[int, list[int]],
) -> list[int]:
    """Return the words of a phrase, from those of its dependents."""
    if not head:
        return [word for root in dependents for word in phrases[root]]
    before: list[list[int]] = []
    right: list[list[int]] = []
    function: list[tuple[int, int, list[int]]] = []
    first, last = _punctuation(tree, head, dependents)
    opening: list[list[int]] = []
    for word in dependents:
        relation = _relation(tree, word)
        phrase = phrases[word]
        if word in first or relation == "cc":
            opening.append(phrase)
        elif word in last:
            continue
        elif relation == "punct":
            # With the phrase before it, wherever that goes.
            place = right or before
            place[-1:] = [[*place[-1], *phrase]] if place else [phrase]
        elif relation in _AFTER:
            function.append((_AFTER[relation], -word, phrase))
        elif relation in _FIXED and word > head:
            right.append(phrase)
        else:
            before.append(phrase)
    parts = [*opening, *before, [head]]
    closing = [phrases[word] for word in last]
    tail = [phrase for *_, phrase in sorted(function)]
    # Case markers follow the whole of a name or a coordination.
    return [word for part in (*parts, *right, *tail, *closing) for word in part]


def _punctuation(
    tree: DependencyTree, head: int, dependents: list[int]
) -> tuple[list[int], list[int]]:
    """Return the punctuation at the start and at the end of a phrase."""
    inner = [head, *(w for w in dependents if _relation(tree, w) != "punct")]
    marks = [w for w in dependents if _relation(tree, w) == "punct"]
    first = [mark for mark in marks if mark < min(inner)]
    return first, [mark for mark in marks if mark > max(inner)]


def _relation(tree: DependencyTree, word: int) -> str:
    """Return the relation of a word without its subtype; ``neg`` for negation."""
    relation = base_relation(tree.deprels[word - 1])
    if relation == "advmod":
        feats = tree.feats[word - 1] if tree.feats else ""
        negative = tree.forms[word - 1].lower() in _NEGATIONS
        return "neg" if negative or "Polarity=Neg" in feats else relation
    return relation

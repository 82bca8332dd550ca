# SPDX-License-Identifier: Apache-2.0
"""Edit distance between ordered labelled trees (Tai 1979; Zhang and Shasha 1989).

The distance is that of zss, apted and edist: the cheapest way to turn one tree into
the other by renaming, deleting and inserting nodes, where the children of a deleted
node take its place. Forests are compared as well.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from tertium import _core
from tertium.errors import InputError
from tertium.trees.labelled import LabelledTree, Nested

__all__ = ["EditOperation", "edit_distance", "edit_distances", "edit_script"]

Tree: TypeAlias = "LabelledTree | str | Nested"
Rename: TypeAlias = Callable[[Hashable, Hashable], float]
Alone: TypeAlias = "Callable[[Hashable], float] | float"


@dataclass(frozen=True)
class EditOperation:
    """One operation of an edit script.

    Parameters
    ----------
    kind : {"match", "rename", "delete", "insert"}
        A match pairs nodes with equal labels, a rename others.
    a, b : int or None
        The nodes of the first and of the second tree, counted from 0.
    cost : float
    """

    kind: Literal["match", "rename", "delete", "insert"]
    a: int | None
    b: int | None
    cost: float


def edit_distance(
    a: Tree,
    b: Tree,
    *,
    rename: Rename | None = None,
    delete: Alone | None = None,
    insert: Alone | None = None,
) -> float:
    """Return the edit distance of two ordered trees.

    Parameters
    ----------
    a, b : LabelledTree, str or nested pairs
        A tree; its bracket notation ``"{a{b}{c}}"``; or pairs of a label and a
        list of children, ``("a", [("b", []), ("c", [])])``.
    rename : callable, optional
        The cost of pairing a node of `a` with a node of `b`, by their labels; 0 for
        equal and 1 for other labels by default. May be infinite.
    delete, insert : callable or float, optional
        The cost of an unpaired node of `a`, and of one of `b`, by its label; 1 by
        default.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If an argument is not a tree, a cost is negative or not a number, or trees are
        too large: more than 2²⁶ pairs of nodes or 2³⁸ subproblems.

    Notes
    -----
    Time and memory are at most O(nm · depths) and O(nm); trees are decomposed
    along left or right paths, whichever makes fewer subproblems.

    Examples
    --------
    >>> edit_distance("{f{d{a}{c{b}}}{e}}", "{f{c{d{a}{b}}}{e}}")
    2.0
    >>> edit_distance(("a", [("b", [])]), ("a", []), delete=0.5)
    0.5

    References
    ----------
    Zhang and Shasha 1989, Simple fast algorithms for the editing distance between
    trees and related problems.
    """
    first, second = _tree(a), _tree(b)
    if rename is None and delete is None and insert is None:
        native = first.native()
        return float(_call(_core.tree_distance, native, second.native(first)))
    return _weighted(first, second, rename, delete, insert, mapping=False)[0]


def edit_distances(
    pairs: Iterable[tuple[Tree, Tree]], *, threads: int | None = None
) -> list[float]:
    """Return the edit distance of many pairs of trees, at unit costs.

    Parameters
    ----------
    pairs : iterable of (tree, tree)
        Trees as in :func:`edit_distance`; a :class:`LabelledTree` that is part of
        several pairs is prepared once.
    threads : int, optional
        All cores by default. Results do not depend on it.

    Examples
    --------
    >>> edit_distances([("{a{b}}", "{a}"), ("{a{b}}", "{c{b}}")])
    [1.0, 1.0]
    """
    first, second = [], []
    for a, b in pairs:
        left, right = _tree(a), _tree(b)
        first.append(left.native())
        second.append(right.native(left))
    distances = _call(_core.tree_distances, first, second, threads or 0)
    return [float(distance) for distance in distances]


def edit_script(
    a: Tree,
    b: Tree,
    *,
    rename: Rename | None = None,
    delete: Alone | None = None,
    insert: Alone | None = None,
) -> tuple[EditOperation, ...]:
    """Return a cheapest edit script; its costs add up to the distance.

    Parameters are those of :func:`edit_distance`. Operations on the nodes of `a`
    come first, in order, then insertions. If there are several cheapest scripts, the
    same one is always returned.

    Examples
    --------
    >>> for operation in edit_script("{a{b}{c}}", "{a{d{c}}}"):
    ...     print(operation.kind, operation.a, operation.b)
    match 0 0
    delete 1 None
    match 2 2
    insert None 1
    """
    first, second = _tree(a), _tree(b)
    if rename is None and delete is None and insert is None:
        _, partners = _call(_core.tree_mapping, first.native(), second.native(first))
    else:
        _, partners = _weighted(first, second, rename, delete, insert, mapping=True)
    out = []
    for node, partner in enumerate(partners):
        label = first.labels[node]
        if partner < 0:
            out.append(EditOperation("delete", node, None, _alone(delete, label)))
            continue
        other = second.labels[partner]
        kind: Literal["match", "rename"] = "match" if label == other else "rename"
        cost = _pair(rename, label, other)
        out.append(EditOperation(kind, node, partner, cost))
    paired = set(partners)
    for node, label in enumerate(second.labels):
        if node not in paired:
            out.append(EditOperation("insert", None, node, _alone(insert, label)))
    return tuple(out)


_T = TypeVar("_T")


def _call(function: Callable[..., _T], *arguments: object) -> _T:
    try:
        return function(*arguments)
    except ValueError as error:  # trees too large to compare
        raise InputError(str(error)) from None


def _tree(tree_or_text: Tree) -> LabelledTree:
    if isinstance(tree_or_text, LabelledTree):
        return tree_or_text
    if isinstance(tree_or_text, str):
        return LabelledTree.from_brackets(tree_or_text)
    return LabelledTree.from_nested(tree_or_text)


def _alone(cost: Alone | None, label: Hashable) -> float:
    if cost is None:
        return 1.0
    costs = cost(label) if callable(cost) else cost
    return _number(costs, f"{label!r} without partner")


def _pair(rename: Rename | None, x: Hashable, y: Hashable) -> float:
    if rename is None:
        return float(x != y)
    return _number(rename(x, y), f"renaming {x!r} to {y!r}")


def _number(cost: float, what: str) -> float:
    try:
        return float(cost)
    except (TypeError, ValueError):
        message = f"{what} costs {cost!r}, which is not a number"
        raise InputError(message) from None


def _check_rename(rename: object) -> None:
    if rename is not None and not callable(rename):
        message = (
            f"rename is {rename!r}; give a function of two labels, such as "
            "lambda a, b: 0 if a == b else 1"
        )
        raise InputError(message)


def _weighted(
    a: LabelledTree,
    b: LabelledTree,
    rename: Rename | None,
    delete: Alone | None,
    insert: Alone | None,
    *,
    mapping: bool,
) -> tuple[float, list[int]]:
    _check_rename(rename)
    removes = [_alone(delete, label) for label in a.labels]
    inserts = [_alone(insert, label) for label in b.labels]
    known: dict[tuple[Hashable, Hashable], float] = {}
    renames = []
    for x in a.labels:
        for y in b.labels:
            cost = known.get((x, y))
            if cost is None:
                cost = _pair(rename, x, y)
                known[x, y] = cost
            renames.append(cost)
    for what, labels, costs in (
        ("deleting", a.labels, removes),
        ("inserting", b.labels, inserts),
    ):
        for node, cost in enumerate(costs):
            if not 0 <= cost < float("inf"):
                message = (
                    f"{what} node {node} ({labels[node]!r}) costs {cost}; costs must "
                    "be finite and not negative"
                )
                raise InputError(message)
    for (x, y), cost in known.items():
        if not cost >= 0:
            message = f"renaming {x!r} to {y!r} costs {cost}; it must not be negative"
            raise InputError(message)
    return _call(
        _core.tree_weighted, a.native(), b.native(), renames, removes, inserts, mapping
    )

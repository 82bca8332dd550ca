# SPDX-License-Identifier: Apache-2.0
"""DERP of two dependency trees, with the edges behind the score.

McCaffery 2017, *The mat sat on the cat*, chapter 5: paths between aligned words
are compared in both trees, over a minimum spanning tree of the aligned words. The
metric ``derp`` scores test sets; this function shows one pair in detail.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.trees._links import check_pair
from tertium.trees.tree import DependencyTree

__all__ = ["DerpEdge", "DerpResult", "PathEncoding", "derp"]

DERP_CHOICES = {
    "ordinality": ("contract", "greedy", "exact"),
    "normalise": ("max", "spanning", "dependency"),
    "labels": ("full", "universal", "none"),
    "degenerate": ("keep", "zero", "drop"),
}


@dataclass(frozen=True)
class PathEncoding:
    """The path from one word of a tree to another.

    Parameters
    ----------
    chi : tuple of str
        The labels climbed, from the first word to the highest node.
    direction : str
        ``"α"`` if the first word precedes the second in the text, else ``"β"``.
    omega : tuple of str
        The labels descended, from the highest node to the second word.
    """

    chi: tuple[str, ...]
    direction: str
    omega: tuple[str, ...]

    def __str__(self) -> str:
        parts = (" ".join(self.chi) or "∅", self.direction, " ".join(self.omega) or "∅")
        return f"({', '.join(parts)})"


@dataclass(frozen=True)
class DerpEdge:
    """An edge of the spanning tree: a path in the reference and its counterpart.

    Parameters
    ----------
    hyp, ref : pair of int
        The words at both ends, counted from 0; the first of one side is aligned
        with the first of the other. Words of the reference come in order.
    hyp_words, ref_words : pair of str
    hyp_path, ref_path : PathEncoding or None
        None in the output if both words of the reference share one counterpart.
    disparity, max_disparity : int
        L, the difference between the two paths, and L_max, its maximum. Both are 0
        for a shared counterpart.
    """

    hyp: tuple[int, int]
    ref: tuple[int, int]
    hyp_words: tuple[str, str]
    ref_words: tuple[str, str]
    hyp_path: PathEncoding | None
    ref_path: PathEncoding
    disparity: int
    max_disparity: int

    @property
    def shared(self) -> bool:
        """Whether both words of the reference have the same counterpart."""
        return self.hyp[0] == self.hyp[1]


@dataclass(frozen=True)
class DerpResult:
    """DERP of a pair of trees.

    Parameters
    ----------
    score : float
        From 0 to 1, higher is better.
    disparity, max_disparity : int
        The sums of L and of L_max over the edges.
    edges : tuple of DerpEdge
        The spanning tree, in the order in which its edges were added.
    degenerate : bool
        Whether there was no path to compare, so that the score is arbitrary.
    words, aligned : int
        Words and aligned words of both trees together, as in
        :class:`~tertium.trees.DtedResult` (without punctuation if that is ignored).
    ref_words, ref_aligned : int
        Those of the reference.
    """

    score: float
    disparity: int
    max_disparity: int
    edges: tuple[DerpEdge, ...]
    degenerate: bool
    words: int
    aligned: int
    ref_words: int
    ref_aligned: int

    @property
    def per_spanning_edge(self) -> float:
        """The sum of L divided by the edges of the spanning tree; 0 without edges."""
        return self.disparity / (self.ref_aligned - 1) if self.ref_aligned > 1 else 0.0

    @property
    def per_dependency_edge(self) -> float:
        """The sum of L divided by the edges of the reference tree; 0 without edges."""
        return self.disparity / (self.ref_words - 1) if self.ref_words > 1 else 0.0


def derp(
    hyp: DependencyTree,
    ref: DependencyTree,
    links: Iterable[Sequence[float]],
    *,
    flat: bool = False,
    ordinality: Literal["contract", "greedy", "exact"] = "contract",
    normalise: Literal["max", "spanning", "dependency"] = "max",
    ignore_punct: bool = False,
    labels: Literal["full", "universal", "none"] = "full",
    degenerate: Literal["keep", "zero", "drop"] = "keep",
) -> DerpResult:
    """Return DERP of two trees with its spanning tree.

    Parameters
    ----------
    hyp, ref : DependencyTree
    links : iterable of (int, int) or of tertium.align.Link
        Aligned words of output and reference, counted from 0.
    flat : bool
        Whether to flatten the trees, so that each word depends on the preceding one.
    ordinality : {"contract", "greedy", "exact"}
        How to treat several words aligned with several words: as one; or join all of
        them on both sides, by repeatedly taking the cheapest pair of paths, or at the
        least total cost (up to 4,000 pairs of paths).
    normalise : {"max", "spanning", "dependency"}
        The score is 1 - ΣL/ΣL_max; or 1/(1 + ΣL/e) with the e edges of the spanning
        tree or of the reference's dependency tree.
    ignore_punct : bool
        Whether to leave out punctuation; its dependents are attached to the word
        above.
    labels : {"full", "universal", "none"}
        Whether to compare full labels, labels without subtypes (``nsubj:pass``), or
        no labels.
    degenerate : {"keep", "zero", "drop"}
        The score where there is nothing to compare: 1, or 0.

    Raises
    ------
    InputError
        If an argument is not a tree, a link lies outside, a choice is unknown, trees
        are too deep (chains of over 5,000 words), or there are too many pairs of
        paths for ``exact``.

    Examples
    --------
    >>> tree = DependencyTree.flat
    >>> links = [(0, 1), (1, 0), (2, 2)]
    >>> result = derp(tree(["b", "a", "c"]), tree(["a", "b", "c"]), links)
    >>> result.disparity, result.max_disparity, round(result.score, 3)
    (2, 6, 0.667)
    >>> str(result.edges[1].ref_path), str(result.edges[1].hyp_path)
    ('(∅, α, DEP)', '(∅, α, DEP DEP)')
    """
    checked = check_pair(hyp, ref, links)
    _check_choices(
        ordinality=ordinality, normalise=normalise, labels=labels, degenerate=degenerate
    )
    texts: list[list[str | Sequence[str]]] = [[hyp.forms], [ref.forms]]
    pairs = _core.Pairs(texts[:1], texts[1:], "none")
    pairs.set_matches(0, 0, 0, [(h, 1, r, 1, 0, 1.0) for h, r in checked])
    try:
        if not flat:
            _set_trees(pairs, ref, hyp)
        score, counts, rows = _core.derp_edges(
            pairs,
            0,
            0,
            0,
            flat,
            ordinality,
            normalise,
            ignore_punct,
            labels,
            degenerate,
        )
    except (ValueError, IndexError) as error:
        message = f"DERP: {error}"
        raise InputError(message) from None
    ways = [
        _Ways(tree, flat=flat, ignore_punct=ignore_punct, labels=labels)
        for tree in (hyp, ref)
    ]
    edges = tuple(_edge(edge, *ways) for edge in rows)
    hyp_aligned, hyp_words, ref_aligned, ref_words = counts
    longest = sum(edge.max_disparity for edge in edges)
    return DerpResult(
        score=score,
        disparity=sum(edge.disparity for edge in edges),
        max_disparity=longest,
        edges=edges,
        degenerate=longest == 0,
        words=hyp_words + ref_words,
        aligned=hyp_aligned + ref_aligned,
        ref_words=ref_words,
        ref_aligned=ref_aligned,
    )


def _check_choices(**chosen: str) -> None:
    for name, value in chosen.items():
        if value not in DERP_CHOICES[name]:
            raise UnknownNameError(f"value of {name}", str(value), DERP_CHOICES[name])


def _set_trees(pairs: _core.Pairs, *trees: DependencyTree) -> None:
    numbers: dict[str, int] = {}
    numbered = [
        (list(t.heads), [numbers.setdefault(name, len(numbers)) for name in t.deprels])
        for t in trees
    ]
    pairs.set_trees(numbered, list(numbers))


def _edge(path: Sequence[int], hyp: _Ways, ref: _Ways) -> DerpEdge:
    hyp_first, hyp_second, ref_first, ref_second, disparity, max_disparity = path
    return DerpEdge(
        hyp=(hyp_first, hyp_second),
        ref=(ref_first, ref_second),
        hyp_words=(hyp.forms[hyp_first], hyp.forms[hyp_second]),
        ref_words=(ref.forms[ref_first], ref.forms[ref_second]),
        hyp_path=None if hyp_first == hyp_second else hyp.path(hyp_first, hyp_second),
        ref_path=ref.path(ref_first, ref_second),
        disparity=disparity,
        max_disparity=max_disparity,
    )


class _Ways:
    """Paths of a tree under the settings of DERP."""

    def __init__(
        self, tree: DependencyTree, *, flat: bool, ignore_punct: bool, labels: str
    ) -> None:
        self.forms = tree.forms
        self.heads = tree.heads
        self._dropped = {
            i
            for i, form in enumerate(tree.forms)
            if ignore_punct and _core.is_punctuation(form)
        }
        if flat:
            tree = DependencyTree.flat(tree.forms)
            self.heads = tree.heads
        self.labels = tree.deprels
        if labels == "universal":
            self.labels = tuple(name.partition(":")[0] for name in tree.deprels)
        elif labels == "none":
            self.labels = ("*",) * len(tree)
        self._chain = flat and not self._dropped

    def path(self, first: int, second: int) -> PathEncoding:
        if self._chain:
            # Each word depends on the preceding one: no need to climb to the root.
            return PathEncoding(
                chi=self.labels[second + 1 : first + 1][::-1],
                direction="α" if first < second else "β",
                omega=self.labels[first + 1 : second + 1],
            )
        up, down = self._above(first), self._above(second)
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        return PathEncoding(
            chi=tuple(self.labels[i] for i in up),
            direction="α" if first < second else "β",
            omega=tuple(self.labels[i] for i in reversed(down)),
        )

    def _above(self, word: int) -> list[int]:
        """Return the word and its ancestors, up to a root."""
        words = []
        while word >= 0:
            if word not in self._dropped:
                words.append(word)
            word = self.heads[word] - 1
        return words

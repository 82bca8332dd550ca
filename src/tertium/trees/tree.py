# SPDX-License-Identifier: Apache-2.0
"""The dependency tree of one text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tertium.errors import InputError

__all__ = ["DependencyTree"]

#: Fields that have one value per word, or none at all.
_OPTIONAL = ("upos", "xpos", "lemmas", "feats")


@dataclass(frozen=True)
class DependencyTree:
    """Words with their heads and the names of the relations.

    Words are counted from 1, as in CoNLL-U; 0 is the head of roots. There may be several
    roots, as in a segment of several sentences, and no words at all.

    Parameters
    ----------
    forms : tuple of str
        The words.
    heads : tuple of int
        The head of each word, counted from 1; 0 for a root.
    deprels : tuple of str
        The relation of each word to its head.
    upos, xpos, lemmas, feats : tuple of str, optional
        Tags, lemmas and features of each word, if known.

    Raises
    ------
    InputError
        When lengths differ, a head is not a word, or heads form a cycle.

    Examples
    --------
    >>> DependencyTree.flat(["cats", "sleep"])
    DependencyTree(forms=('cats', 'sleep'), heads=(0, 1), deprels=('DEP', 'DEP'))
    >>> tree = DependencyTree(("cats", "sleep", "!"), (2, 0, 2), ("nsubj", "root", "punct"))
    >>> tree.roots, tree.children(2), tree.without_punct().forms
    ((2,), (1, 3), ('cats', 'sleep'))
    """  # noqa: E501

    forms: tuple[str, ...]
    heads: tuple[int, ...]
    deprels: tuple[str, ...]
    upos: tuple[str, ...] = field(default=(), repr=False)
    xpos: tuple[str, ...] = field(default=(), repr=False)
    lemmas: tuple[str, ...] = field(default=(), repr=False)
    feats: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        for name in ("forms", "heads", "deprels", *_OPTIONAL):
            value = getattr(self, name)
            if not isinstance(value, tuple):
                object.__setattr__(self, name, tuple(value))
        n = len(self.forms)
        for name in ("heads", "deprels", *_OPTIONAL):
            size = len(getattr(self, name))
            if size != n and (size or name not in _OPTIONAL):
                message = f"a tree has {n} words but {size} {name}; give one per word"
                raise InputError(message)
        _check_heads(self.heads)

    @classmethod
    def flat(cls, forms: Sequence[str]) -> DependencyTree:
        """Return the flat tree, in which each word depends on the preceding one.

        McCaffery 2017, section 3.4.4; needs no parser.
        """
        n = len(forms)
        return cls(tuple(forms), tuple(range(n)), ("DEP",) * n)

    @classmethod
    def join(cls, trees: Sequence[DependencyTree]) -> DependencyTree:
        """Return the trees of several sentences as one with several roots.

        Examples
        --------
        >>> one = DependencyTree.flat(["a", "b"])
        >>> DependencyTree.join([one, one]).heads
        (0, 1, 0, 3)
        """
        if len(trees) == 1:
            return trees[0]
        heads: list[int] = []
        for tree in trees:
            done = len(heads)
            heads += [head and head + done for head in tree.heads]
        full = [tree for tree in trees if len(tree)]
        optional = {
            name: tuple(value for tree in full for value in getattr(tree, name))
            for name in _OPTIONAL
            if all(getattr(tree, name) for tree in full)
        }
        return cls(
            tuple(form for tree in trees for form in tree.forms),
            tuple(heads),
            tuple(name for tree in trees for name in tree.deprels),
            **optional,
        )

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def roots(self) -> tuple[int, ...]:
        """The words without a head, counted from 1."""
        return self.children(0)

    def children(self, number: int) -> tuple[int, ...]:
        """Return the dependents of a word, in order; those of 0 are the roots.

        Linear in the size of the tree.
        """
        self._check_number(number, low=0)
        return tuple(i for i, head in enumerate(self.heads, 1) if head == number)

    def is_punct(self, number: int) -> bool:
        """Tell whether a word, counted from 1, is punctuation.

        It is if it has the tag ``PUNCT`` or the relation ``punct``. A word without a
        tag is punctuation too if all its characters are (Unicode categories P).
        """
        self._check_number(number, low=1)
        if base_relation(self.deprels[number - 1]).lower() == "punct":
            return True
        if self.upos and self.upos[number - 1] not in ("", "_"):
            return self.upos[number - 1] == "PUNCT"
        form = self.forms[number - 1]
        return form != "" and all(unicodedata.category(c)[0] == "P" for c in form)

    def without_punct(self) -> DependencyTree:
        """Return the tree without punctuation.

        Dependents of a mark are attached to the nearest word above it, or become roots.
        """
        keep = [i for i in range(1, len(self) + 1) if not self.is_punct(i)]
        return self if len(keep) == len(self) else self.keep(keep)

    def keep(self, numbers: Sequence[int]) -> DependencyTree:
        """Return the tree of some words, counted from 1, in the order of the text.

        A word whose head is dropped is attached to the nearest kept word above it, with
        its relation, or becomes a root.
        """
        for number in numbers:
            self._check_number(number, low=1)
        kept = sorted(set(numbers))
        new = {0: 0} | {old: i for i, old in enumerate(kept, 1)}
        heads = []
        for old in kept:
            head = self.heads[old - 1]
            while head not in new:
                head = self.heads[head - 1]
            heads.append(new[head])

        def pick(values: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(values[old - 1] for old in kept) if values else ()

        return DependencyTree(
            pick(self.forms),
            tuple(heads),
            pick(self.deprels),
            **{name: pick(getattr(self, name)) for name in _OPTIONAL},
        )

    def without_subtypes(self) -> DependencyTree:
        """Return the tree with ``nsubj`` for ``nsubj:pass`` and so on."""
        return replace(self, deprels=tuple(map(base_relation, self.deprels)))

    def _check_number(self, number: int, *, low: int) -> None:
        if not low <= number <= len(self):
            message = (
                f"the tree has no word {number}; words go from {low} to {len(self)}"
            )
            raise InputError(message)


def base_relation(name: str) -> str:
    """Return a relation without its subtype.

    Examples
    --------
    >>> base_relation("nsubj:pass")
    'nsubj'
    """
    return name.partition(":")[0] or name


def faulty_head(heads: Sequence[int]) -> tuple[int, str] | None:
    """Return the first word, counted from 1, whose head is wrong, and why."""
    n = len(heads)
    for number, head in enumerate(heads, 1):
        if not 0 <= head <= n:
            return number, f"head {head} is not a word; heads go from 0 (root) to {n}"
    # A path upwards ends at 0 or at a word of an earlier path; a word of the same
    # path means a cycle. Linear, as no word is visited twice.
    path_of = [0] * (n + 1)
    for number in range(1, n + 1):
        at = number
        while at and not path_of[at]:
            path_of[at] = number
            at = heads[at - 1]
        if at and path_of[at] == number:
            circle = [at]
            while (next_ := heads[circle[-1] - 1]) != at:
                circle.append(next_)
            shown = " -> ".join(map(str, [*circle[:8], at]))
            return min(circle), f"heads form a cycle ({shown})"
    return None


def _check_heads(heads: Sequence[int]) -> None:
    fault = faulty_head(heads)
    if fault is not None:
        number, why = fault
        message = f"this is not a tree: word {number}: {why}; give each word a head"
        raise InputError(message)

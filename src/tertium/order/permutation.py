# SPDX-License-Identifier: Apache-2.0
"""Permutations: the order of a text's words compared with that of another text.

Position i is the i-th aligned word of the output, its value the rank of the aligned
reference word; the identity is a perfect order (Birch et al. 2010).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tertium import _core
from tertium._messages import quote
from tertium.align.links import as_link
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.align.links import Link
    from tertium.order.tree import PermutationTree

__all__ = [
    "FLAT_METRICS",
    "RECURSIVE_CHOICES",
    "Permutation",
    "Reduction",
    "check_settings",
    "order_score",
    "reduce_matches",
]

#: Metrics of the values only; also the graded scores of operators.
FLAT_METRICS = ("kendall", "spearman", "hamming", "ulam", "fuzzy", "sqrt-kendall")
#: The choices of recursive scores, for classes and metrics.
RECURSIVE_CHOICES = {
    "op_score": ("binary", *FLAT_METRICS),
    "forest": ("split", "tree", "max", "min"),
    "child_weight": ("plain", "span"),
}

# Values have no more digits, as no text has so many words.
_DIGITS = 18


class Permutation(tuple[int, ...]):
    """The values 1 to n in any order; see :meth:`one_based` and the like.

    It is a tuple of values counted from 1: `perm[0]` is the value of the first
    word. Scores are between 0 and 1, the order of the reference. Where
    the formulas give 0/0, the score is 0 without words and 1 with a single word.

    Examples
    --------
    >>> perm = Permutation.one_based([2, 4, 5, 6, 1, 3])
    >>> len(perm), perm[0], perm.inverse()
    (6, 2, Permutation(5 1 6 2 3 4))
    >>> perm.kendall()
    0.5333333333333333
    """

    __slots__ = ()

    def __new__(cls, *_: object) -> Permutation:
        """Raise an error, as the base of the values must be stated."""
        message = (
            "a permutation must state the base of its values; use "
            "Permutation.one_based, .zero_based, .parse or .identity"
        )
        raise InputError(message)

    # ------------------------------------------------------------- constructors

    @classmethod
    def one_based(cls, values: Iterable[int]) -> Permutation:
        """Return the permutation with these values, counted from 1.

        Raises
        ------
        InputError
            If a value is missing, repeated or not an integer.
        """
        return cls._checked(values, base=1)

    @classmethod
    def zero_based(cls, values: Iterable[int]) -> Permutation:
        """Return the permutation with these values, counted from 0.

        Examples
        --------
        >>> Permutation.zero_based([1, 0, 2])
        Permutation(2 1 3)
        """
        return cls._checked(values, base=0)

    @classmethod
    def identity(cls, n: int) -> Permutation:
        """Return 1 to `n` in order."""
        if not isinstance(n, int) or n < 0:
            raise InputError(f"{n!r} is not a length; give an integer from 0")
        return cls._of(range(1, n + 1))

    @classmethod
    def parse(cls, text: str, *, base: int = 1) -> Permutation:
        """Return the permutation of a text: values separated by spaces.

        Examples
        --------
        >>> Permutation.parse("3 1 2"), Permutation.parse("")
        (Permutation(3 1 2), Permutation())
        """
        if not isinstance(text, str):
            raise InputError(f"{text!r} is not a text; give values separated by spaces")
        values = []
        words = text.split()
        for number, word in enumerate(words, start=1):
            if not (word.isascii() and word.isdigit()):
                message = (
                    f"{quote(word)} is not a value of a permutation; write integers "
                    "with spaces between them"
                )
                raise InputError(message)
            if len(digits := word.lstrip("0")) > _DIGITS:
                message = (
                    f"no permutation: value {number} is too large ({len(digits):,} "
                    f"digits) for {len(words):,} words; give each of {base} to "
                    f"{len(words) - 1 + base} once"
                )
                raise InputError(message)
            values.append(int(digits or "0"))
        return cls._checked(values, base=base)

    @classmethod
    def from_links(
        cls,
        words: int,
        links: Sequence[Link | tuple[int, int]],
        *,
        keep: str = "leftmost",
        unaligned: str = "drop",
    ) -> Permutation:
        """Return the order that an alignment implies (Stanojević 2017, section 2.5.2).

        Parameters
        ----------
        words : int
            The number of words of the text.
        links : sequence of Link or of pairs
            The words of the text and of the other text, counted from 0.
        keep : {"leftmost", "rightmost", "probable"}
            Which link of a word with several counts.
        unaligned : {"drop", "left", "right"}
            Leave out words without a link, or move them with the nearest aligned
            word on that side (on the other side where there is none).

        Examples
        --------
        >>> links = [(0, 1), (0, 4), (1, 0), (2, 2), (2, 3), (3, 2)]
        >>> Permutation.from_links(4, links)
        Permutation(2 1 3 4)
        >>> Permutation.from_links(4, links, keep="rightmost")
        Permutation(4 1 3 2)
        """
        read = [as_link(link) for link in links]
        for link in read:
            if not 0 <= link.hyp < words or link.ref < 0:
                message = (
                    f"link {link.hyp}-{link.ref} lies outside its text of {words} "
                    "words; count words from 0"
                )
                raise InputError(message)
        matches = [(link.hyp, 1, link.ref, 1, 0, link.weight) for link in read]
        return reduce_matches(words, matches, keep=keep, unaligned=unaligned).perm

    @classmethod
    def _checked(cls, values: Iterable[int], *, base: int) -> Permutation:
        if not isinstance(values, Iterable):
            raise InputError(f"no permutation: {values!r} is not a list; give values")
        items = tuple(values)
        try:
            _core.Permutations([items], base)
        except ValueError as error:
            what = str(error).removeprefix("permutation 0: ")
            raise InputError(f"no permutation: {what}") from None
        return cls._of(items if base == 1 else (value + 1 for value in items))

    @classmethod
    def _of(cls, values: Iterable[int]) -> Permutation:
        return tuple.__new__(cls, values)

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...]]]:
        return Permutation.one_based, (tuple(self),)

    # -------------------------------------------------------------------- shape

    def inverse(self) -> Permutation:
        """Return the permutation with positions and values exchanged."""
        places = [0] * len(self)
        for position, value in enumerate(self, start=1):
            places[value - 1] = position
        return self._of(places)

    def reverse(self) -> Permutation:
        """Return the values from the last to the first."""
        return self._of(self[::-1])

    def complement(self) -> Permutation:
        """Return the permutation with each value v replaced by n + 1 - v."""
        return self._of(len(self) + 1 - value for value in self)

    @property
    def tree(self) -> PermutationTree:
        """The flat tree, built on each access."""
        from tertium.order.tree import PermutationTree

        return PermutationTree.flat(self)

    @property
    def arity(self) -> int:
        """The smallest number of blocks it splits into; 1 for one word, 0 for none."""
        if len(self) < 2:
            return len(self)
        return len(self.tree.root.op)

    @property
    def prime(self) -> bool:
        """Whether only single words and the whole are blocks.

        Longer than two words: 12 and 21 are the binary operators.
        """
        return len(self) > 2 and self.arity == len(self)

    @property
    def binarizable(self) -> bool:
        """Whether all operators are binary, as in inversion transduction grammar."""
        return all(node.kind != "prime" for node in self.tree.nodes())

    # ------------------------------------------------------------------ metrics

    def kendall(self) -> float:
        """Return the share of pairs in order, in O(n log n)."""
        return order_score(self, "kendall")

    def sqrt_kendall(self) -> float:
        """Return the square root of :meth:`kendall` (Birch et al. 2010)."""
        return order_score(self, "sqrt-kendall")

    def spearman(self) -> float:
        """Return (ρ + 1) / 2 = 1 - 3 Σ(π_i - i)² / (n(n² - 1))."""
        return order_score(self, "spearman")

    def hamming(self) -> float:
        """Return the share of words in their place."""
        return order_score(self, "hamming")

    def ulam(self) -> float:
        """Return (longest increasing subsequence - 1) / (n - 1), in O(n log n)."""
        return order_score(self, "ulam")

    def fuzzy(self) -> float:
        """Return 1 - (runs of +1 steps - 1) / (n - 1)."""
        return order_score(self, "fuzzy")

    def __repr__(self) -> str:
        return f"Permutation({self})"

    def __str__(self) -> str:
        return " ".join(map(str, self))


class Reduction(NamedTuple):
    """The permutation of an alignment, and where its positions come from.

    Parameters
    ----------
    perm : Permutation
    hyp : tuple of int
        The word of the output at each position, counted from 0. A word occurs
        several times where a phrase matches a longer one.
    ref : tuple of int or None
        The word of the reference it is aligned with; None for an unaligned word.
    """

    perm: Permutation
    hyp: tuple[int, ...]
    ref: tuple[int | None, ...]


def reduce_matches(
    words: int,
    matches: Sequence[tuple[int, int, int, int, int, float]],
    *,
    keep: str = "leftmost",
    unaligned: str = "drop",
) -> Reduction:
    """Return the permutation that metrics use, with its words.

    Parameters
    ----------
    words : int
        The number of words of the output.
    matches : sequence of tuples
        First word and length in the output, first word and length in the reference,
        matcher, weight: as in the pairs of an aligner. Phrases are replaced by their
        reference words in order, unless matches share words.
    keep, unaligned : str
        As in :meth:`Permutation.from_links`.

    Examples
    --------
    >>> reduce_matches(3, [(0, 1, 1, 2, 0, 1.0), (2, 1, 0, 1, 0, 1.0)])
    Reduction(perm=Permutation(2 3 1), hyp=(0, 0, 2), ref=(1, 2, 0))
    """
    for name, value, choices in (
        ("keep", keep, ("leftmost", "rightmost", "probable")),
        ("unaligned", unaligned, ("drop", "left", "right")),
    ):
        if value not in choices:
            raise UnknownNameError(f"value of {name}", value, choices)
    try:
        perm, hyp, ref = _core.reduce_matches(words, matches, keep, unaligned)
    except ValueError as error:
        raise InputError(str(error)) from None
    targets = tuple(None if place < 0 else place for place in ref)
    return Reduction(Permutation._of(perm), tuple(hyp), targets)


def check_settings(**settings: float | str) -> None:
    """Raise an error for an invalid setting of recpet or recpef."""
    for name, value in settings.items():
        choices = RECURSIVE_CHOICES.get(name)
        if choices is not None and value not in choices:
            raise UnknownNameError(f"value of {name}", str(value), choices)
        if name in ("beta", "gamma") and not (
            # A NaN fails the comparison as well.
            isinstance(value, int | float) and 0 <= value <= 1
        ):
            raise InputError(f"{name} is {value!r}; give a number from 0 to 1")


def order_score(perm: Sequence[int], measure: str, **settings: float | str) -> float:
    """Return one score of one permutation, from the core."""
    check_settings(**settings)
    kernel = _core.order(measure, **settings)  # type: ignore[arg-type]
    total = kernel.sum_permutations([_core.Permutations([perm])], 1)[0]
    return kernel.score(total.values())

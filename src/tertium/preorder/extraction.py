# SPDX-License-Identifier: Apache-2.0
"""What an aligned corpus contains: minimal phrases, permutations, operators.

The statistics tell how much of a corpus a model can express: sentences whose operators
are all binary fit an inversion transduction grammar, those with prime operators of up
to five children a grammar of permutation trees (Stanojević 2017, section 3.4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tertium._version import __version__
from tertium.order import Permutation
from tertium.preorder.gold import gold_orders
from tertium.preorder.measures import measure_orders
from tertium.preorder.units import Units, check_attachment, corpus_units

if TYPE_CHECKING:
    from tertium.align.links import Links

    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["Extraction", "extract_units"]

_PART = 1000  # sentences between two reports


@dataclass(frozen=True)
class Extraction:
    """The units of a corpus, and statistics of its permutations.

    Parameters
    ----------
    units : tuple of Units
        Of every sentence.
    attach : {"right", "left"}
        Where unaligned units belong.
    words, linked : int
        All words, and those with links.
    phrases : int
        Units of several words.
    unaligned : int
        Units without links.
    too_few : int
        Sentences with fewer than two aligned units, which teach nothing.
    monotone : int
        The others that keep their order.
    arities : mapping of int to int
        How many of the others have an operator with so many children at most; 2 for
        binary operators.
    operators : mapping of str to int
        How often operators occur in flat trees, such as ``21`` and ``2413``.
    tau : float
        Kendall's tau of the source order, the mean over all sentences.
    """

    units: tuple[Units, ...]
    attach: str
    words: int
    linked: int
    phrases: int
    unaligned: int
    too_few: int
    monotone: int
    arities: Mapping[int, int]
    operators: Mapping[str, int]
    tau: float

    def covered(self, arity: int) -> float | None:
        """Return the share of usable sentences whose operators have no more parts."""
        usable = sum(self.arities.values())
        if not usable:
            return None
        return sum(n for width, n in self.arities.items() if width <= arity) / usable

    def to_dict(self) -> dict[str, object]:
        """Return the statistics as plain values."""
        return {
            "tertium": __version__,
            "attach": self.attach,
            "sentences": len(self.units),
            "words": self.words,
            "linked": self.linked,
            "units": sum(len(each.ranks) for each in self.units),
            "phrases": self.phrases,
            "unaligned": self.unaligned,
            "too_few": self.too_few,
            "monotone": self.monotone,
            "arities": {str(arity): n for arity, n in sorted(self.arities.items())},
            "operators": dict(self.operators),
            "covered": {"2": self.covered(2), "5": self.covered(5)},
            "tau": self.tau,
        }


def extract_units(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    attach: str = "right",
    progress: Progress | None = None,
) -> Extraction:
    """Return minimal phrases and permutations of an aligned corpus.

    Parameters
    ----------
    sentences : sequence of sequences of str
    links : sequence of Links
    attach : {"right", "left"}
    progress : callable, optional
        Called with the number of sentences so far, and of all.

    Examples
    --------
    >>> from tertium.align.pharaoh import parse_pharaoh
    >>> links = [parse_pharaoh("0-1 1-3 2-0 3-2"), parse_pharaoh("0-0 1-1")]
    >>> result = extract_units([list("abcd"), list("ef")], links)
    >>> dict(result.operators), result.monotone, result.covered(2)
    ({'2413': 1, '12': 1}, 1, 0.5)
    """
    check_attachment(attach, "low")
    corpus = corpus_units([len(sentence) for sentence in sentences], links)
    units: list[Units] = []
    operators: Counter[str] = Counter()
    arities: Counter[int] = Counter()
    too_few = monotone = 0
    for index in range(len(corpus)):
        each = corpus[index]
        units.append(each)
        if progress and (len(units) % _PART == 0 or len(units) == len(corpus)):
            progress(len(units), len(corpus))
        if each.aligned < 2:
            too_few += 1
            continue
        perm = Permutation.one_based(rank for rank in each.ranks if rank)
        nodes = [node for node in perm.tree.nodes() if not node.is_leaf]
        operators.update(node.name for node in nodes)
        arities[max(len(node.op) for node in nodes)] += 1
        monotone += perm == Permutation.identity(len(perm))
    golds = gold_orders(sentences, links, attach=attach)
    source = [tuple(range(len(sentence))) for sentence in sentences]
    tau = measure_orders(source, golds, measures=["tau"])
    return Extraction(
        tuple(units),
        attach,
        sum(map(len, sentences)),
        sum(p is not None for gold in golds for p in gold.positions),
        sum(b - a > 1 for each in units for a, b in each.spans),
        sum(not rank for each in units for rank in each.ranks),
        too_few,
        monotone,
        dict(arities),
        dict(operators.most_common()),
        float(tau.mean()) if len(tau) else 1.0,
    )

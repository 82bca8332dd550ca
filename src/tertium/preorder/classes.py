# SPDX-License-Identifier: Apache-2.0
"""Word classes: words that occur between the same neighbours.

The exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney 1998) moves words,
one at a time, to the class with which a class bigram model makes the text most likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from tertium import _core
from tertium._seed import SEED
from tertium.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["WordClasses", "word_classes"]


@dataclass(frozen=True)
class WordClasses:
    """The class of every word of a text.

    Parameters
    ----------
    classes : mapping of str to int
        From 0. Words come in the order of their frequency.
    log_likelihoods : tuple of float
        Of the text, at the start and after every iteration; they never fall.
    """

    classes: Mapping[str, int]
    log_likelihoods: tuple[float, ...]

    def members(self) -> list[list[str]]:
        """Return the words of every class, frequent words first."""
        lists: list[list[str]] = [
            [] for _ in range(max(self.classes.values(), default=-1) + 1)
        ]
        for word, number in self.classes.items():
            lists[number].append(word)
        return lists

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "classes": dict(self.classes),
            "log_likelihoods": list(self.log_likelihoods),
        }


def word_classes(
    sentences: Sequence[Sequence[str]],
    *,
    classes: int = 100,
    iterations: int = 8,
    seed: int = SEED,
) -> WordClasses:
    """Return classes of the words of a text.

    Parameters
    ----------
    sentences : sequence of sequences of str
        Their words.
    classes : int
        The number of classes. The most frequent words start in one each.
    iterations : int
        How often every word may move; fewer if no word does.
    seed : int
        Of the random classes in which the other words start.

    Raises
    ------
    InputError
        If `classes` is below 1, or `iterations` below 0.

    Notes
    -----
    An iteration takes O(classes · neighbours) per word, where neighbours are the
    classes next to it.

    References
    ----------
    Martin, Liermann and Ney (1998), Algorithms for bigram and trigram word clustering.

    Examples
    --------
    >>> text = ["a cat sleeps", "the dog sleeps", "a dog eats", "the cat eats"]
    >>> word_classes([line.split() for line in text], classes=3).members()
    [['a', 'the'], ['eats', 'sleeps'], ['cat', 'dog']]
    """
    if classes < 1:
        raise InputError(f"{classes} classes are too few; ask for at least one")
    if iterations < 0:
        raise InputError(f"{iterations} iterations are too few; ask for 0 or more")
    counts = Counter(word for sentence in sentences for word in sentence)
    # Ties by the word itself: the order of sentences changes nothing.
    vocabulary = sorted(counts, key=lambda word: (-counts[word], word))
    numbers = {word: number for number, word in enumerate(vocabulary)}
    flat, starts = _numbered(sentences, numbers)
    numbers_of, log_likelihoods = _core.word_classes(
        flat, starts, len(vocabulary), classes, iterations, seed
    )
    return WordClasses(
        dict(zip(vocabulary, numbers_of.tolist(), strict=True)),
        tuple(log_likelihoods),
    )


def _numbered(
    sentences: Sequence[Sequence[str]], numbers: Mapping[str, int]
) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """Return all words as numbers, and where each sentence starts."""
    import numpy as np

    sizes = accumulate(map(len, sentences), initial=0)
    flat = (numbers[word] for sentence in sentences for word in sentence)
    return np.fromiter(flat, np.uint32), np.fromiter(sizes, np.uint64)

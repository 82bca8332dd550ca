# SPDX-License-Identifier: Apache-2.0
"""Function words: the frequent words of a language, counted in any text.

METEOR 1.5 takes words whose relative frequency is above 0.001 (Denkowski and Lavie
2014, section 3.1). No list is included: ``tertium functionwords`` makes one from any
text.
"""

from __future__ import annotations

import gzip
import math
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tertium.errors import FormatError, InputError
from tertium.text.tokenizers import tokenize as cut

__all__ = [
    "THRESHOLD",
    "FunctionWords",
    "count_words",
    "find_function_words",
    "function_words",
    "read_function_words",
]

#: The relative frequency above which METEOR considers a word a function word.
THRESHOLD = 0.001

_BATCH = 2000


@dataclass(frozen=True)
class FunctionWords:
    """The function words of a text, and how they were found.

    Parameters
    ----------
    counts : dict of str to int
        How often each function word occurs, the most frequent one first.
    words, types : int
        All words of the text, and its different words.
    threshold : float or None
        None if `number` decided.
    number : int or None
    tokenize : str
    lowercase : bool
    """

    counts: dict[str, int]
    words: int
    types: int
    threshold: float | None
    number: int | None
    tokenize: str
    lowercase: bool

    def to_dict(self) -> dict[str, object]:
        """Return words and settings as JSON has them."""
        return {
            "words": self.words,
            "types": self.types,
            "threshold": self.threshold,
            "number": self.number,
            "tokenize": self.tokenize,
            "lowercase": self.lowercase,
            "function_words": self.counts,
        }


def find_function_words(
    lines: Iterable[str],
    *,
    threshold: float = THRESHOLD,
    number: int | None = None,
    lowercase: bool = True,
    tokenize: str = "none",
    progress: Callable[[int], None] | None = None,
) -> FunctionWords:
    """Return the function words of a text.

    Parameters are those of `count_words` and `function_words`.

    Examples
    --------
    >>> find_function_words(["The cat sat", "on the mat"], number=1).counts
    {'the': 2}
    """
    counts = count_words(
        lines, lowercase=lowercase, tokenize=tokenize, progress=progress
    )
    words = function_words(counts, threshold=threshold, number=number)
    return FunctionWords(
        counts={word: counts[word] for word in words},
        words=sum(counts.values()),
        types=len(counts),
        threshold=None if number else threshold,
        number=number,
        tokenize=tokenize,
        lowercase=lowercase,
    )


def count_words(
    lines: Iterable[str],
    *,
    lowercase: bool = True,
    tokenize: str = "none",
    progress: Callable[[int], None] | None = None,
) -> Counter[str]:
    """Return how often each word occurs.

    Lines are read in small batches, so memory grows with the vocabulary only.

    Parameters
    ----------
    lines : iterable of str
    lowercase : bool
        Whether to ignore case.
    tokenize : str
        The tokeniser.
    progress : callable, optional
        Called with the number of lines done.

    Examples
    --------
    >>> sorted(count_words(["The cat", "the mat"]).items())
    [('cat', 1), ('mat', 1), ('the', 2)]
    """
    counts: Counter[str] = Counter()
    pending, done = iter(lines), 0
    while batch := list(islice(pending, _BATCH)):
        if lowercase:
            batch = [line.lower() for line in batch]
        for words in cut(batch, tokenize):
            counts.update(words)
        done += len(batch)
        if progress is not None:
            progress(done)
    return counts


def function_words(
    counts: Counter[str], *, threshold: float = THRESHOLD, number: int | None = None
) -> list[str]:
    """Return the most frequent words, ordered by frequency, then alphabetically.

    Parameters
    ----------
    counts : Counter of str
    threshold : float
        The relative frequency that function words exceed.
    number : int, optional
        Return this many words instead, regardless of their frequency.

    Raises
    ------
    InputError
        If the threshold is not between 0 and 1.

    Examples
    --------
    >>> counts = count_words(["the cat sat on the mat"])
    >>> function_words(counts, threshold=0.2), function_words(counts, number=2)
    (['the'], ['the', 'cat'])
    """
    if not (math.isfinite(threshold) and 0 <= threshold <= 1):
        message = f"threshold {threshold!r} is not a number from 0 to 1"
        raise InputError(message)
    if number is not None and number < 0:
        message = f"number {number} is below 0; give the number of words you want"
        raise InputError(message)
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    if number is not None:
        return ordered[:number]
    limit = threshold * sum(counts.values())
    return [word for word in ordered if counts[word] > limit]


def read_function_words(path: str | os.PathLike[str]) -> frozenset[str]:
    r"""Return the words of a file with one word per line; empty lines are skipped.

    Parameters
    ----------
    path : str or path
        Plain text, or compressed with gzip if it ends in ``.gz``.

    Raises
    ------
    FormatError
        When the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "function.en")
    ...     size = file.write_text("the\n\nof\n")
    ...     sorted(read_function_words(file))
    ['of', 'the']
    """
    name = os.fspath(path)
    try:
        data = Path(name).read_bytes()
        text = (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"byte {error.start + 1} is not UTF-8; save the file as UTF-8"
        raise FormatError(what, path=name) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        what = f"cannot be read as a list of words ({reason}); check the path"
        raise FormatError(what, path=name) from None
    return frozenset(word for line in text.split("\n") if (word := line.strip()))

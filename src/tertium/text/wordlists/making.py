# SPDX-License-Identifier: Apache-2.0
"""Making word lists from counted words, of any text or of another list."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from tertium import _core
from tertium.errors import InputError, MissingExtraError
from tertium.text.wordlists.file import WordList

__all__ = [
    "LEAST_ZIPF",
    "WORDFREQ_LICENCE",
    "WORDFREQ_SOURCE",
    "count_lexemes",
    "make_word_list",
    "wordfreq_frequencies",
]

#: Of lists made from the package wordfreq (Speer 2022); see NOTICE.
WORDFREQ_SOURCE = "wordfreq 3 (Robyn Speer), https://github.com/rspeer/wordfreq"
WORDFREQ_LICENCE = "CC BY-SA 4.0"

#: Rarer words are left out: once in ten million words.
LEAST_ZIPF = 2.0

_BATCH = 4096


def count_lexemes(
    lines: Iterable[str], *, progress: Callable[[int, int | None], None] | None = None
) -> Counter[str]:
    """Return how often every word occurs, as BEER 4 cuts and lower-cases words.

    Parameters
    ----------
    lines : iterable of str
    progress : callable, optional
        Called with the number of lines so far, and None.

    Examples
    --------
    >>> count_lexemes(["The dog’s 1,000 fleas"])["1,000"]
    1
    >>> sorted(count_lexemes(["The dog’s 1,000 fleas"]))
    ["'", '1,000', 'dog', 'fleas', 's', 'the']
    """
    counts: Counter[str] = Counter()
    rest, done = iter(lines), 0
    while batch := list(islice(rest, _BATCH)):
        for words in _core.lexemes(batch):
            counts.update(words)
        done += len(batch)
        if progress:
            progress(done, None)
    return counts


def make_word_list(
    frequencies: Mapping[str, float],
    *,
    language: str,
    source: str,
    licence: str,
    least: float = LEAST_ZIPF,
) -> WordList:
    """Return a word list from words with their counts or frequencies.

    Parameters
    ----------
    frequencies : mapping of str to float
        Lower-cased words as :func:`count_lexemes` cuts them; any unit.
    language : str
    source, licence : str
        Stored in the list.
    least : float
        The Zipf value of the rarest words to keep.

    Raises
    ------
    InputError
        If no word is frequent enough.

    Examples
    --------
    >>> counts = {"the": 9, "cat": 2, "sat": 1}
    >>> small = make_word_list(counts, language="en", source="a line", licence="CC0")
    >>> small.words, small.zipf("the"), small.zipf("dog")
    (3, 8.9, 0.0)
    """
    import numpy as np

    total = sum(frequencies.values())
    kept = {
        word: zipf
        for word, value in frequencies.items()
        if value > 0 and (zipf := math.log10(value / total) + 9) >= least
    }
    if not kept:
        raise InputError(
            f"no word is as frequent as the Zipf value {least:g}; give more text"
        )
    words = sorted(kept)
    hashes = np.array([_core.word_hash(word) for word in words], np.uint64)
    bands = np.array([min(255, round(10 * kept[word])) for word in words], np.uint8)
    buckets = 1 << max(0, (len(words) // 2).bit_length() - 1)
    bucket = (hashes & np.uint64(buckets - 1)).astype(np.int64)
    marks = (hashes >> np.uint64(48)).astype(np.uint16)
    # Of two words with the same mark, the more frequent one counts.
    order = np.lexsort((-bands.astype(int), marks, bucket))
    bucket, marks, bands = bucket[order], marks[order], bands[order]
    first = np.ones(len(order), bool)
    first[1:] = (bucket[1:] != bucket[:-1]) | (marks[1:] != marks[:-1])
    sizes = np.bincount(bucket[first], minlength=buckets)
    if sizes.max() > 255:  # cannot happen by chance
        raise InputError("the words do not spread over the list; give other words")
    payload = b"".join(
        column.tobytes()
        for column in (sizes.astype(np.uint8), marks[first].astype("<u2"), bands[first])
    )
    return WordList(language, int(first.sum()), source, licence, payload)


def wordfreq_frequencies(language: str) -> dict[str, float]:
    """Return the frequencies that the package ``wordfreq`` has for a language.

    Its data may be redistributed under CC BY-SA 4.0. Entries such as ``don't`` are cut
    as BEER 4 cuts words.

    Raises
    ------
    MissingExtraError
        If the package is not installed.
    InputError
        If it does not have the language.
    """
    try:
        import wordfreq
    except ImportError:
        raise MissingExtraError("a list from wordfreq", extra="wordlists") from None
    try:
        known = wordfreq.get_frequency_dict(language, "best")
    except LookupError:
        languages = ", ".join(sorted(wordfreq.available_languages()))
        raise InputError(
            f"wordfreq does not have the language {language!r}, only {languages}; "
            "count words in a text instead"
        ) from None
    frequencies: dict[str, float] = {}
    entries = list(known)
    for entry, words in zip(entries, _core.lexemes(entries), strict=True):
        for word in words:
            frequencies[word] = frequencies.get(word, 0.0) + known[entry]
    return frequencies

# SPDX-License-Identifier: Apache-2.0
"""Word lists: how frequent the words of a language are, three bytes per word.

A list holds no words, only fingerprints of them with their frequency: 16 bits and a
bucket number, both from a hash. A word that is not in a list is taken for one that is
about once in 20,000 times. Words are those of BEER 4: numbers with their separators,
runs of letters and single symbols, in lower case.

Lists of some languages come with Tertium; :func:`make_word_list` makes others.
"""

from tertium.text.wordlists.file import (
    WordList,
    find_word_list,
    read_word_list,
    shipped_word_lists,
)
from tertium.text.wordlists.making import (
    LEAST_ZIPF,
    WORDFREQ_LICENCE,
    WORDFREQ_SOURCE,
    count_lexemes,
    make_word_list,
    wordfreq_frequencies,
)

__all__ = [
    "LEAST_ZIPF",
    "WORDFREQ_LICENCE",
    "WORDFREQ_SOURCE",
    "WordList",
    "count_lexemes",
    "find_word_list",
    "make_word_list",
    "read_word_list",
    "shipped_word_lists",
    "wordfreq_frequencies",
]

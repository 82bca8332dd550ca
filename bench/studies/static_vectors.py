# SPDX-License-Identifier: Apache-2.0
"""Make static word vectors with the words of WMT12, 15 and 16 into English.

    python -m bench static_vectors [-o FILE]

The words are those of the model's vocabulary and, after them, those of references and
outputs that occur at least three times. WMT14 is left out: models are tested on it.
"""

from __future__ import annotations

import argparse
from collections import Counter

from bench.studies import beer_data
from tertium.learn.pairs import judged_pairs
from tertium.learn.vectors_maker import make_vectors
from tertium.text.tokenizers import tokenize

YEARS = ("2012", "2015", "2016")
LEAST = 3


def frequent_words() -> list[str]:
    """Return words in lower case, the most frequent first."""
    counts: Counter[str] = Counter()
    for source in beer_data.sources(YEARS):
        if source.name.endswith("-en"):
            pairs = judged_pairs(source)
            texts = {*pairs.hyps, *(ref for refs in pairs.refs for ref in refs)}
            for words in tokenize(sorted(texts), "intl"):
                counts.update(word.lower() for word in words)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        word
        for word, count in ranked
        if count >= LEAST and any(char.isalpha() for char in word)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default="", metavar="FILE")
    print(make_vectors(parser.parse_args().output, words=frequent_words()))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""LAYERED (Gautam and Bhattacharyya 2014): a weighted mean with the authors' weights.

A preset of ``mean`` over layers of language: words (BLEU), word order (Hamming, Kendall
and Spearman) and dependencies (SHALLOW: the mean of precision and recall of arcs). It
differs from the original in three ways:

- DEEP, with weight 0.26, compares graphs of the Universal Networking Language, which
  Tertium cannot make. The other five weights are scaled to add up to 1.
- The original takes word order from alignments with the source. Here the words of
  output and reference are aligned with each other.
- SHALLOW used the Stanford parser; here any parser or trees from files will do.
  ``flat=yes`` needs neither, but then arcs are pairs of adjacent words.
"""

from __future__ import annotations

from tertium.metrics.aligned import DEFAULT_TOKENIZER
from tertium.metrics.base import Metric
from tertium.metrics.bleu import Bleu
from tertium.metrics.dependency import DependencyF
from tertium.metrics.mean import Mean
from tertium.metrics.order import Hamming, Kendall, Spearman
from tertium.metrics.settings import Value, setting
from tertium.text.tokenizers import NATIVE_TOKENIZERS
from tertium.trees.parsers import PARSERS

__all__ = ["Layered"]


class Layered(Mean):
    """LAYERED without DEEP; the row holds the rows of all its parts."""

    name = "layered"
    summary = "mean of BLEU, word order and dependencies with the weights of LAYERED"
    formula = (
        "(0.26 · bleu + 0.13 · hamming + 0.03 · kendall + 0.04 · spearman + 0.28 · "
        "dependency-f:score=mean) / 0.74, each part from 0 to 100"
    )
    paper = (
        "Gautam and Bhattacharyya 2014, LAYERED: Metric for Machine Translation "
        "Evaluation; weights in Macháček 2014, 4.2.7"
    )
    equal_to = "mean with these parts; not LAYERED itself, which has DEEP besides"
    cost = "that of its parts: of the parser, unless flat=yes or trees come with texts"
    empty = "0 for empty text"
    punctuation = (
        "words of their own in BLEU (13a); left out of word order by tokenize=words; a "
        "parser or given trees bring their own words"
    )
    copy_exception = "as its parts: a copy of fewer than four words has no BLEU"
    bounds = (0.0, 100.0)
    example = "layered:flat=yes"

    tokenize: str = setting(
        DEFAULT_TOKENIZER, "the tokeniser, except for BLEU", choices=NATIVE_TOKENIZERS
    )
    flat: bool = setting(False, "whether to flatten the trees; needs no parser")
    parser: str = setting(
        "", "the parser: spacy, udpipe or stanza", external=True, names=tuple(PARSERS)
    )
    model: str = setting("", "the parser's model: a path or a name", external=True)
    pretokenized: bool = setting(
        False, "whether words are separated already; otherwise the parser does it"
    )
    match: str = setting("exact", "matchers of words for their order: exact+stem")
    language: str = setting("en", "the language of stems")

    def __init__(self, **values: Value) -> None:
        # Not Mean's: parts follow from settings here.
        Metric.__init__(self, **values)
        aligned = {key: getattr(self, key) for key in ("tokenize", "match", "language")}
        trees = {
            key: getattr(self, key)
            for key in ("flat", "parser", "model", "pretokenized")
        }
        self.set_parts(
            [
                (Bleu(), 0.26),
                (Hamming(**aligned), 0.13),
                (Kendall(**aligned), 0.03),
                (Spearman(**aligned), 0.04),
                (DependencyF(score="mean", **aligned, **trees), 0.28),
            ]
        )

    @classmethod
    def parse(cls, body: str) -> Metric:  # type: ignore[override]
        """Return the metric for the part of a spec string after the colon."""
        return super(Mean, cls).parse(body)

    @property
    def spec(self) -> str:
        """The spec string that makes this metric, defaults left out."""
        return super(Mean, self).spec

    @property
    def label(self) -> str:
        """LAYERED."""
        return "LAYERED"

# SPDX-License-Identifier: Apache-2.0
"""What a metric sees of a segment: its words, their alignment, and trees.

Everything is read from what the metric itself scores, so a view cannot differ from
its score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from tertium.align.aligner import aligner
from tertium.data.annotated import layer
from tertium.metrics.aligned import AlignedMetric
from tertium.metrics.base import Metric
from tertium.metrics.settings import Value
from tertium.metrics.structured import TreeMetric
from tertium.report.explain.views import MatchView, Pairing
from tertium.text.tokenizers import tokenize
from tertium.trees.tree import DependencyTree

__all__ = ["RawMatch", "Seen", "look", "with_settings"]

#: First word and length in the output and in the reference, matcher, weight.
RawMatch = tuple[int, int, int, int, int, float]
_Metric = TypeVar("_Metric", bound=Metric)


class Seen(NamedTuple):
    """Words and alignment; the aligner's matches; both trees unless flattened."""

    pairing: Pairing
    raw: list[RawMatch]
    trees: tuple[DependencyTree, DependencyTree] | None = None


def look(metric: AlignedMetric, hyp: str, ref: str) -> Seen:
    """Return what a metric sees of an output and one reference."""
    pairs = metric.pairs(metric.checked([[hyp]], [[ref]]), threads=1)
    raw = pairs.matches(0, 0, 0)
    matchers = aligner(**metric.aligner_settings._asdict()).matchers
    linked = layer(hyp, "links") is not None
    matches = tuple(
        MatchView(
            (match[0], match[0] + match[1]),
            (match[2], match[2] + match[3]),
            "link" if linked else matchers[match[4]].name,
        )
        for match in raw
    )
    trees = _trees(metric, hyp, ref)
    if trees is not None:
        one, other = trees
        structured = isinstance(metric, TreeMetric) and not metric.flat
        words = Pairing(one.forms, other.forms, matches)
        return Seen(words, raw, trees if structured else None)
    splitter = metric.word_splitter(linked=linked)
    words = Pairing(
        _cased(hyp, splitter, pairs.hyp(0, 0)),
        _cased(ref, splitter, pairs.ref(0, 0)),
        matches,
    )
    return Seen(words, raw)


def _trees(
    metric: AlignedMetric, hyp: str, ref: str
) -> tuple[DependencyTree, DependencyTree] | None:
    """Return the trees whose words the metric reads, or None if it tokenizes texts."""
    if isinstance(metric, TreeMetric) and metric.structured:
        return metric.pair_trees(hyp, ref)
    one, other = layer(hyp, "tree"), layer(ref, "tree")
    if (
        "tree" in metric.layers
        and isinstance(one, DependencyTree)
        and isinstance(other, DependencyTree)
    ):
        return one, other
    return None


def with_settings(metric: _Metric, **values: Value) -> _Metric:
    """Return the metric with other values of some settings."""
    settings = {name: getattr(metric, name) for name in metric.settings}
    return type(metric)(**{**settings, **values})


def _cased(text: str, tokenizer: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return words as the text has them, which the metric may have lower-cased."""
    tokens = tuple(tokenize([text], tokenizer)[0])
    # A metric may have a tokenizer of its own, as METEOR does.
    return tokens if len(tokens) == len(words) else tuple(words)

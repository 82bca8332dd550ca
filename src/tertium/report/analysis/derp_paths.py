# SPDX-License-Identifier: Apache-2.0
"""What a script needs to find the paths that DERP compares, as compact columns.

The paths themselves would be too long: ``templates/paths.js`` finds the spanning tree
in both trees and the links that the metric sees, as :func:`tertium.trees.derp` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from tertium.analysis.report import SystemReport
from tertium.data.annotated import layer
from tertium.metrics.derp import Derp
from tertium.report.analysis.dependencies import MOST, tree_columns
from tertium.report.analysis.links import link_lines
from tertium.text.tokenizers import tokenize
from tertium.trees.tree import DependencyTree

__all__ = ["UNKNOWN", "path_columns"]

#: The line of an output whose paths a script does not find.
UNKNOWN = " "
_CHUNK = 1000  # segments that are aligned at once
_NONE = np.zeros(0, np.int64)
_SETTINGS = ("flat", "labels", "ignore_punct", "normalise", "degenerate")

_Links: TypeAlias = "np.ndarray | str"


def path_columns(report: SystemReport, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return trees and links of every metric ``derp`` that compares one pair of trees.

    Parameters
    ----------
    report : SystemReport
    texts : sequence of str
        Source, references and outputs of every segment, one after another.

    Returns
    -------
    list of dict
        ``spec`` and ``label`` of the metric, and its settings. ``trees``: columns as
        of :func:`tree_columns`; None where they are those of the texts. ``links``: of
        every system one line per segment, with one character per word of the output as
        in :func:`link_lines`; where a word has several links, a tab and pairs of words
        as in Pharaoh's format; :data:`UNKNOWN` for trees of more than :data:`MOST`
        words or twice as many links, and where `ordinality` joins several words on
        both sides. ``chosen``: the reference that each score is from, segment by
        segment; None where all are the first.
    """
    labels = report.comparison.scores.labels
    columns = []
    for spec, metric in report.scorers.items():
        if not isinstance(metric, Derp) or metric.alternative:
            continue
        links, chosen = _compared(report, metric)
        columns.append(
            {
                "spec": spec,
                "label": labels[spec],
                **{name: getattr(metric, name) for name in _SETTINGS},
                "trees": _own_trees(report, metric, texts),
                "links": ["\n".join(lines) for lines in _lines(links)],
                "chosen": chosen.T.ravel().tolist() if chosen.any() else None,
            }
        )
    return columns


def _own_trees(
    report: SystemReport, metric: Derp, texts: Sequence[str]
) -> dict[str, Any] | None:
    """Return the trees that a metric flattens or has from a parser."""
    if not (metric.flat or metric.parser):
        return None
    read = _read(report, texts)
    places = [place for place, one in enumerate(read) if one]
    chosen = [texts[place] for place in places]
    known: Sequence[DependencyTree | None]
    if not metric.structured:
        known = _words(metric, chosen)
    elif metric.flat:
        known = [DependencyTree.flat(tree.forms) for tree in metric.trees(chosen)]
    else:
        known = metric.trees(chosen)
    trees: list[DependencyTree | None] = [None] * len(texts)
    for place, tree in zip(places, known, strict=True):
        trees[place] = tree
    return tree_columns(texts, trees)


def _read(report: SystemReport, texts: Sequence[str]) -> list[bool]:
    """Return which texts a metric reads: all but the sources."""
    testset = report.testset
    if testset.sources is None:
        return [True] * len(texts)
    return [
        place > 0
        for refs in testset.references
        for place in range(1 + len(refs) + len(testset.systems))
    ]


def _words(metric: Derp, texts: Sequence[str]) -> list[DependencyTree | None]:
    """Return the words that a metric reads as flat trees, if there are any."""
    trees: list[DependencyTree | None] = []
    linked = [layer(text, "links") is not None for text in texts]
    names = {each: metric.word_splitter(linked=each) for each in set(linked)}
    words = {name: tokenize(list(texts), name) for name in set(names.values())}
    for place, text in enumerate(texts):
        tree = layer(text, "tree")
        cut = words[names[linked[place]]][place]
        forms = tree.forms if isinstance(tree, DependencyTree) else cut
        trees.append(DependencyTree.flat(forms) if forms else None)
    return trees


def _compared(
    report: SystemReport, metric: Derp
) -> tuple[list[list[_Links]], np.ndarray]:
    """Return links and best references, of every system by segment."""
    testset = report.testset
    columns = list(testset.systems.values())
    chosen = np.zeros((len(columns), len(testset)), np.int64)
    links: list[list[_Links]] = [[] for _ in columns]
    for start in range(0, len(testset), _CHUNK):
        refs = testset.references[start : start + _CHUNK]
        batch = metric.checked([one[start : start + _CHUNK] for one in columns], refs)
        pairs = metric.pairs(batch)
        if max(map(len, refs)) > 1:
            best = metric.best_references(pairs, [*map(len, refs)])
            chosen[:, start : start + _CHUNK] = best
        for system, ours in enumerate(chosen):
            for number in range(len(refs)):
                ref = int(ours[start + number])
                matches = pairs.matches(system, number, ref)
                sizes = (len(pairs.hyp(system, number)), len(pairs.ref(number, ref)))
                links[system].append(_links(metric, matches, sizes))
    return links, chosen


def _lines(links: Sequence[Sequence[_Links]]) -> Iterator[list[str]]:
    """Yield the links of every system, one line per segment."""
    for each in links:
        lines = link_lines([_NONE if isinstance(one, str) else one for one in each])
        yield [
            one if isinstance(one, str) else line
            for one, line in zip(each, lines.split("\n"), strict=True)
        ]


def _links(
    metric: Derp, matches: Sequence[Sequence[float]], sizes: tuple[int, int]
) -> _Links:
    """Return what every word of an output is linked with, or else a line.

    A phrase links all of its words with all of the other.
    """
    links = {
        (int(h), int(r))
        for hyp, hyps, ref, refs, *_ in matches
        for h in range(int(hyp), int(hyp + hyps))
        for r in range(int(ref), int(ref + refs))
    }
    if max(sizes) > MOST or len(links) > 2 * MOST:
        return UNKNOWN
    if metric.ordinality != "contract" and _many_to_many([*links]):
        return UNKNOWN
    if len({h for h, _ in links}) < len(links):
        return "\t" + " ".join(f"{h}-{r}" for h, r in sorted(links))
    targets = np.full(sizes[0], -1)
    for h, r in links:
        targets[h] = r
    return targets


def _many_to_many(links: Sequence[tuple[int, int]]) -> bool:
    """Return whether several words of one text are linked with several of the other.

    Then some link has a word with further links on either side.
    """
    hyps = [h for h, _ in links]
    refs = [r for _, r in links]
    return any(hyps.count(h) > 1 and refs.count(r) > 1 for h, r in links)

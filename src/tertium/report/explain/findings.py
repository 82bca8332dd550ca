# SPDX-License-Identifier: Apache-2.0
"""One plain sentence per finding, the most important first.

A finding weighs as many words as it concerns; moved words weigh less than wrong ones,
and punctuation, other forms and case less still. Words that hang elsewhere in the
dependency tree come last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium._messages import count
from tertium.report.explain.order import plain_order
from tertium.report.explain.order_findings import order_findings
from tertium.report.explain.relations import mates_of, sure_links
from tertium.report.explain.views import (
    Dependencies,
    Finding,
    MatchView,
    Order,
    Pairing,
    Tree,
)
from tertium.report.explain.word_findings import (
    Gap,
    form_findings,
    gap_findings,
    mark_findings,
    pair_gaps,
    without_counterpart,
)
from tertium.report.explain.wording import mark, say

__all__ = ["FINDINGS", "RELATIONS", "find", "shorten"]

#: So many findings are told, of those on relations fewer: badly parsed texts have
#: very many.
FINDINGS = 12
RELATIONS = 6


def find(
    pairing: Pairing,
    *,
    dependencies: Dependencies | None = None,
    texts: tuple[str, str] | None = None,
) -> tuple[Finding, ...]:
    """Return the findings of a segment, the most important first.

    Parameters
    ----------
    pairing : Pairing
        The words and their alignment.
    dependencies : Dependencies, optional
        Trees; flattened ones say nothing of relations.
    texts : pair of str, optional
        Output and reference, for punctuation that is not among the words.
    """
    hyp, ref, matches = pairing.hyp, pairing.ref, pairing.matches
    relations = _relations(dependencies, pairing)
    marks = [] if texts is None else mark_findings(hyp, ref, texts)
    if list(hyp) == list(ref):
        text = "The output equals the reference."
        if texts is not None and texts[0].split() != texts[1].split():
            text = "The words equal those of the reference."
            if not marks:
                text = text[:-1] + "; only spaces or the place of punctuation differ."
        elif not hyp:
            text = "Both texts are empty."
        # Equal words may still be parsed in two ways.
        return (say("same", text), *(told for _, told in marks), *relations)
    if not hyp:
        text = f"The output is empty; the reference has {count(len(ref), 'word')}."
        return (say("missing", text, ref=range(len(ref))),)
    if not ref:
        text = f"The reference is empty; the output has {count(len(hyp), 'word')}."
        return (say("extra", text, hyp=range(len(hyp))),)
    gaps = pair_gaps(hyp, ref, matches)
    order = plain_order(pairing)
    whole = without_counterpart(hyp, ref, gaps)
    weighed = [] if whole is None else [whole]
    weighed += gap_findings(hyp, ref, gaps)
    weighed += order_findings(hyp, ref, order)
    weighed += form_findings(hyp, ref, matches)
    weighed += marks
    # Stable: of one weight, the whole comes before gaps, and these before order.
    weighed.sort(key=lambda item: -item[0])
    found = [finding for _, finding in weighed]
    return (*found, *_in_order(order, pairing), *relations)


def _in_order(order: Order, pairing: Pairing) -> list[Finding]:
    """Return that order is right, where enough words are aligned to say so."""
    aligned = len(order.permutation)
    if aligned < 2 or list(order.permutation) != sorted(order.permutation):
        return []
    if 4 * aligned < len(pairing.hyp) + len(pairing.ref):
        return []
    return [say("order", "The aligned words stand in the order of the reference.")]


def shorten(
    findings: Sequence[Finding], relations: int | None = RELATIONS
) -> list[Finding]:
    """Return the findings without the least important ones.

    Parameters
    ----------
    findings : sequence of Finding
        The most important first.
    relations : int or None
        How many relations to keep, beside :data:`FINDINGS` others; None for all. The
        last finding of a kind says how many were left out.
    """
    if relations is None:
        return list(findings)
    words = [own for own in findings if own.kind != "relation"]
    hanging = [own for own in findings if own.kind == "relation"]
    more = "more findings of less weight; the JSON has all of them."
    elsewhere = "more words hang elsewhere; the JSON names them all."
    return [
        *_first(words, FINDINGS, "more", more),
        *_first(hanging, relations, "relation", elsewhere),
    ]


def _first(
    findings: Sequence[Finding], size: int, kind: str, said: str
) -> list[Finding]:
    # Instead of one more finding, a sentence about it would take as much room.
    if len(findings) <= size + 1:
        return list(findings)
    return [*findings[:size], say(kind, f"{len(findings) - size} {said}")]


def _relations(trees: Dependencies | None, pairing: Pairing) -> list[Finding]:
    """Return what hangs elsewhere; it is about words only where all see the same."""
    if trees is None or trees.flat:
        return []
    own = trees.pairing or pairing
    gaps = pair_gaps(own.hyp, own.ref, own.matches)
    found = _relation_findings(trees, own.matches, gaps)
    if trees.pairing is None:
        return found
    return [replace(finding, hyp=(), ref=()) for finding in found]


def _relation_findings(
    trees: Dependencies, matches: Sequence[MatchView], gaps: Sequence[Gap]
) -> list[Finding]:
    links = sure_links(matches)
    pairs = [pair for match in matches for pair in match.pairs]
    mates = mates_of(trees, "hyp", pairs)
    for gap in gaps:
        # What stands in the place of a head is that head, for its dependents.
        for own in gap.hyp:
            mates.setdefault(own, set()).update(gap.ref)
    sizes = _sizes(trees.ref)
    found = []
    for h, r in sorted(links, key=lambda pair: pair[1]):
        if h >= len(trees.hyp.heads) or r >= len(trees.ref.heads):
            continue
        here, there = trees.hyp.heads[h] - 1, trees.ref.heads[r] - 1
        if here == there == -1:
            continue
        same_head = there in mates.get(here, ())
        relation, wanted = trees.hyp.relations[h], trees.ref.relations[r]
        if same_head and relation == wanted:
            continue
        pieces: list[str] = [*mark(trees.ref.words, r)]
        pieces += _place(trees.ref, r, there, " in the reference, ")
        if same_head:
            pieces.append(f"as {relation} in the output.")
        elif here < 0 or there < 0:
            pieces.append("but")
            pieces += _place(trees.hyp, h, here, " in the output.")
        else:
            pieces += ["on ", *mark(trees.hyp.words, here)]
            pieces.append(f" as {relation} in the output.")
        weight = (wanted == "punct", -sizes[r])
        found.append((weight, say("relation", *pieces, hyp=(h,), ref=(r,))))
    # What brings most words along comes first; where a comma hangs matters least.
    return [finding for _, finding in sorted(found, key=lambda item: item[0])]


def _sizes(tree: Tree) -> list[int]:
    """Return how many words hang on every word, itself included; depth times words."""
    sizes = [0] * len(tree.heads)
    for word in range(len(tree.heads)):
        above = word
        while above >= 0:
            sizes[above] += 1
            above = tree.heads[above] - 1
    return sizes


def _place(tree: Tree, word: int, head: int, end: str) -> list[str]:
    if head < 0:
        return [f" is the root{end}"]
    return [
        " hangs on ", *mark(tree.words, head), f" as {tree.relations[word]}{end}"
    ]  # fmt: skip

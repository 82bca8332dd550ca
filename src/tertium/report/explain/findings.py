# SPDX-License-Identifier: Apache-2.0
"""One plain sentence per finding, the most important first.

A finding weighs as many words as it concerns; moved words weigh less than wrong ones,
and punctuation, other forms and case less still. Words with another head in the
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

#: The number of findings shown; fewer on relations, as badly parsed texts have very
#: many.
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
        Trees; flattened ones have no relations.
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
        # Equal words may still have different trees.
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
    # Stable: at equal weight, the whole comes before gaps, and gaps before order.
    weighed.sort(key=lambda item: -item[0])
    findings = [finding for _, finding in weighed]
    return (*findings, *_in_order(order, pairing), *relations)


def _in_order(order: Order, pairing: Pairing) -> list[Finding]:
    """Return that the order is right, if enough words are aligned to conclude it."""
    aligned = len(order.permutation)
    if aligned < 2 or list(order.permutation) != sorted(order.permutation):
        return []
    if 4 * aligned < len(pairing.hyp) + len(pairing.ref):
        return []
    return [say("order", "The aligned words are in the order of the reference.")]


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
        last finding of a kind says how many were omitted.
    """
    if relations is None:
        return list(findings)
    words = [finding for finding in findings if finding.kind != "relation"]
    attached = [finding for finding in findings if finding.kind == "relation"]
    more = "less important findings; the JSON output has all of them."
    elsewhere = (
        "more words differ in head or relation; the JSON output has all of them."
    )
    return [
        *_first(words, FINDINGS, "more", more),
        *_first(attached, relations, "relation", elsewhere),
    ]


def _first(
    findings: Sequence[Finding], size: int, kind: str, rest: str
) -> list[Finding]:
    # A sentence about a single omitted finding would take as much space as it does.
    if len(findings) <= size + 1:
        return list(findings)
    return [*findings[:size], say(kind, f"{len(findings) - size} {rest}")]


def _relations(trees: Dependencies | None, pairing: Pairing) -> list[Finding]:
    """Return differing heads and relations.

    They name words only if the trees have the words of the explanation.
    """
    if trees is None or trees.flat:
        return []
    seen = trees.pairing or pairing
    gaps = pair_gaps(seen.hyp, seen.ref, seen.matches)
    findings = _relation_findings(trees, seen.matches, gaps)
    if trees.pairing is None:
        return findings
    return [replace(finding, hyp=(), ref=()) for finding in findings]


def _relation_findings(
    trees: Dependencies, matches: Sequence[MatchView], gaps: Sequence[Gap]
) -> list[Finding]:
    links = sure_links(matches)
    pairs = [pair for match in matches for pair in match.pairs]
    mates = mates_of(trees, "hyp", pairs)
    for gap in gaps:
        # For its dependents, what replaces a head is that head.
        for word in gap.hyp:
            mates.setdefault(word, set()).update(gap.ref)
    sizes = _sizes(trees.ref)
    weighed = []
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
        weighed.append((weight, say("relation", *pieces, hyp=(h,), ref=(r,))))
    # The largest subtrees come first, punctuation last.
    return [finding for _, finding in sorted(weighed, key=lambda item: item[0])]


def _sizes(tree: Tree) -> list[int]:
    """Return the size of every subtree; takes depth times words."""
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
        " depends on ", *mark(tree.words, head), f" as {tree.relations[word]}{end}"
    ]  # fmt: skip

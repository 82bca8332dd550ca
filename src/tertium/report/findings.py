# SPDX-License-Identifier: Apache-2.0
"""One plain sentence per finding.

Word order comes first, the largest block first: an inverted node of the flat tree is
a block that moved past its neighbour, a prime node is a group of blocks that no
exchange of neighbours explains. Then words that are missing, extra or replaced,
words in another form, and words that hang elsewhere in the dependency tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tertium.report.order import plain_order
from tertium.report.relations import mates_of, sure_links
from tertium.report.views import (
    Block,
    Dependencies,
    Finding,
    MatchView,
    Order,
    Pairing,
    Tree,
)
from tertium.report.wording import Quote, count, listed, mark, name, quote, say

__all__ = ["RELATIONS", "Gap", "find", "pair_gaps", "shorten"]

#: So many words that hang elsewhere are told: badly parsed texts have very many.
RELATIONS = 6

# Longer lists are told by their first and last.
_LISTED = 6


@dataclass(frozen=True)
class Gap:
    """Unaligned neighbours: of the output, of the reference, or facing each other."""

    hyp: tuple[int, ...]
    ref: tuple[int, ...]


def find(
    pairing: Pairing, *, dependencies: Dependencies | None = None
) -> tuple[Finding, ...]:
    """Return the findings of a segment.

    Parameters
    ----------
    pairing : Pairing
        The words and their alignment.
    dependencies : Dependencies, optional
        Trees; flattened ones say nothing of relations.
    """
    hyp, ref, matches = pairing.hyp, pairing.ref, pairing.matches
    relations = _relations(dependencies, pairing)
    if list(hyp) == list(ref):
        text = "The output equals the reference." if hyp else "Both texts are empty."
        same = say("same", text)
        # Equal words may still be parsed in two ways.
        return (same, *relations)
    if not hyp:
        text = f"The output is empty; the reference has {count(len(ref), 'word')}."
        return (say("missing", text, ref=range(len(ref))),)
    if not ref:
        text = f"The reference is empty; the output has {count(len(hyp), 'word')}."
        return (say("extra", text, hyp=range(len(hyp))),)
    gaps = pair_gaps(hyp, ref, matches)
    found = _order_findings(hyp, ref, plain_order(pairing))
    found += _gap_findings(hyp, ref, gaps)
    found += _form_findings(hyp, ref, matches)
    return (*found, *relations)


def shorten(
    findings: Sequence[Finding], relations: int | None = RELATIONS
) -> list[Finding]:
    """Return the findings without the least important relations.

    Parameters
    ----------
    findings : sequence of Finding
        The most important first.
    relations : int or None
        How many relations to keep; None for all. A last finding says how many were
        left out.
    """
    found = [own for own in findings if own.kind == "relation"]
    # Instead of one more finding, a sentence about it would take as much room.
    if relations is None or len(found) <= relations + 1:
        return list(findings)
    kept = set(map(id, found[:relations]))
    left = len(found) - relations
    said = f"{left} more words hang elsewhere; --all and the JSON name them."
    return [
        *(own for own in findings if own.kind != "relation" or id(own) in kept),
        say("relation", said),
    ]


# ---------------------------------------------------------------------------- order


def _order_findings(
    hyp: Sequence[str], ref: Sequence[str], order: Order
) -> list[Finding]:
    if order.forest is None:
        text = "No word of the output is aligned with a word of the reference."
        return [say("order", text)]
    turned = [b for b in order.forest.walk() if b.kind in ("inverted", "prime")]
    if not turned:
        if len(order.permutation) < 2:
            return []
        return [say("order", "The aligned words stand in the order of the reference.")]
    # Stable: of equally large blocks the first.
    turned.sort(key=lambda block: -len(block))
    return [
        _inverted(hyp, order, block)
        if block.kind == "inverted"
        else _prime(hyp, ref, order, block)
        for block in turned
    ]


def _inverted(hyp: Sequence[str], order: Order, block: Block) -> Finding:
    parts = [_hyp_words(order, child) for child in block.children]
    words = tuple(sorted({h for part in parts for h in part}))
    refs = _ref_words(order, block)
    if len(parts) > 2:
        nouns = "words" if all(len(part) == 1 for part in parts) else "blocks"
        if len(parts) == 3:
            outer = "words" if len(parts[0]) == len(parts[2]) == 1 else "blocks"
            return say(
                "reversed",
                f"The {outer} ", *name(hyp, parts[0], bare=True), " and ",
                *name(hyp, parts[2], bare=True), " changed places around ",
                *name(hyp, parts[1], bare=True), ".",
                hyp=words, ref=refs,
            )  # fmt: skip
        if len(parts) > _LISTED:
            return say(
                "reversed",
                f"The {len(parts)} {nouns} from ", quote(hyp, parts[0]), " to ",
                quote(hyp, parts[-1]), " stand in reverse order.",
                hyp=words, ref=refs,
            )  # fmt: skip
        items = listed([quote(hyp, part) for part in parts])
        return say(
            "reversed",
            f"The {nouns} ", *items, " stand in reverse order.",
            hyp=words, ref=refs,
        )  # fmt: skip
    first, second = parts
    # Either block may have moved past the other; people see the shorter one move.
    if len(first) <= len(second):
        moved, where, other = first, " moved before ", second
    else:
        moved, where, other = second, " moved after ", first
    return say(
        "moved",
        *name(hyp, moved), where, *name(hyp, other, bare=True), ".",
        hyp=moved,
        ref=_ref_words(order, block.children[0 if moved is first else 1]),
    )  # fmt: skip


def _prime(
    hyp: Sequence[str], ref: Sequence[str], order: Order, block: Block
) -> Finding:
    parts = [_hyp_words(order, child) for child in block.children]
    words = tuple(sorted({h for part in parts for h in part}))
    refs = _ref_words(order, block)
    nouns = "words" if all(len(part) == 1 for part in parts) else "blocks"
    if len(parts) > _LISTED:
        return say(
            "shuffled",
            f"The {len(parts)} {nouns} from ", quote(hyp, parts[0]), " to ",
            quote(hyp, parts[-1]), " are shuffled.",
            hyp=words, ref=refs,
        )  # fmt: skip
    # The reference's order, in the reference's words.
    proper = sorted(block.children, key=lambda child: child.low)
    there = [quote(ref, _ref_words(order, child)) for child in proper]
    return say(
        "shuffled",
        f"The {nouns} ", *listed([quote(hyp, part) for part in parts]),
        " are shuffled; the reference has ", *listed(there, last=", "), ".",
        hyp=words, ref=refs,
    )  # fmt: skip


def _hyp_words(order: Order, block: Block) -> tuple[int, ...]:
    items = order.items[block.start : block.end]
    return tuple(sorted({h for words, _ in items for h in words}))


def _ref_words(order: Order, block: Block) -> tuple[int, ...]:
    items = order.items[block.start : block.end]
    return tuple(sorted(r for _, r in items if r is not None))


# ----------------------------------------------------------------------------- gaps


def pair_gaps(
    hyp: Sequence[str], ref: Sequence[str], matches: Sequence[MatchView]
) -> list[Gap]:
    """Return stretches of unaligned words, in pairs where they face each other.

    Two stretches face each other if their neighbours are aligned with each other on
    both sides, or else on one side; the edges of the texts count as neighbours.
    """
    links = {pair for match in matches for pair in match.pairs}
    links |= {(-1, -1), (len(hyp), len(ref))}
    loose = _stretches(len(hyp), {h for h, _ in links})
    lost = _stretches(len(ref), {r for _, r in links})
    gaps: list[Gap] = []
    for quality in (3, 2, 1):
        for own in list(loose):
            for other in list(lost):
                if _facing(own, other, links, len(hyp)) >= quality:
                    gaps.append(Gap(own, other))
                    loose.remove(own)
                    lost.remove(other)
                    break
    gaps += [Gap(own, ()) for own in loose] + [Gap((), other) for other in lost]
    return gaps


def _facing(
    own: tuple[int, ...],
    other: tuple[int, ...],
    links: set[tuple[int, int]],
    size: int,
) -> int:
    """Return 3 for both sides, 2 for a side with a word, 1 for an edge, or 0."""
    left = (own[0] - 1, other[0] - 1)
    right = (own[-1] + 1, other[-1] + 1)
    if left in links and right in links:
        return 3
    if (left in links and left[0] >= 0) or (right in links and right[0] < size):
        return 2
    return 1 if left in links or right in links else 0


def _stretches(size: int, aligned: set[int]) -> list[tuple[int, ...]]:
    found: list[list[int]] = []
    for index in range(size):
        if index in aligned:
            continue
        if found and found[-1][-1] == index - 1:
            found[-1].append(index)
        else:
            found.append([index])
    return [tuple(stretch) for stretch in found]


def _gap_findings(
    hyp: Sequence[str], ref: Sequence[str], gaps: Sequence[Gap]
) -> list[Finding]:
    found = []
    for gap in gaps:
        if gap.hyp and gap.ref:
            found.append(
                say(
                    "replaced",
                    "The output has ", quote(hyp, gap.hyp),
                    " where the reference has ", quote(ref, gap.ref), ".",
                    hyp=gap.hyp, ref=gap.ref,
                )
            )  # fmt: skip
        elif gap.ref:
            found.append(_lone("missing", "reference", ref, gap.ref))
        else:
            found.append(_lone("extra", "output", hyp, gap.hyp))
    ranks = {"missing": 0, "replaced": 1, "extra": 2}
    # The longest first, then in the order of the text.
    return sorted(
        found,
        key=lambda f: (
            -max(len(f.hyp), len(f.ref)),
            ranks[f.kind],
            (f.ref or f.hyp)[0],
        ),
    )


def _lone(kind: str, side: str, words: Sequence[str], own: tuple[int, ...]) -> Finding:
    noun, verb, it = ("word", "is", "it") if len(own) == 1 else ("words", "are", "them")
    before, after = own[0] - 1, own[-1] + 1
    if before < 0 and after >= len(words):
        where: list[str] = [f"the {side} has nothing else"]
    elif before < 0:
        where = [f"the {side} has {it} at the start, before ", Quote(words[after])]
    elif after >= len(words):
        where = [f"the {side} has {it} at the end, after ", Quote(words[before])]
    else:
        where = [
            f"the {side} has {it} between ", Quote(words[before]), " and ",
            Quote(words[after]),
        ]  # fmt: skip
    spans = {"ref": own} if side == "reference" else {"hyp": own}
    return say(
        kind, f"The {noun} ", quote(words, own), f" {verb} {kind}; ", *where, ".",
        **spans,
    )  # fmt: skip


# ----------------------------------------------------------------------------- form


def _form_findings(
    hyp: Sequence[str], ref: Sequence[str], matches: Sequence[MatchView]
) -> list[Finding]:
    found, case = [], []
    for match in matches:
        own, other = range(*match.hyp), range(*match.ref)
        here, there = quote(hyp, own), quote(ref, other)
        if here == there:
            continue
        if here.lower() == there.lower():
            case.append((here, there, own, other))
            continue
        reason = _REASONS.get(match.matcher, f"matched by {match.matcher}")
        if match.matcher == "exact":
            reason = "aligned"
        found.append(
            say(
                "form", "The output has ", here, " for ", there, f" ({reason}).",
                hyp=own, ref=other,
            )
        )  # fmt: skip
    if case:
        pieces: list[str] = ["Only the case differs: the output has "]
        for number, (here, there, _, _) in enumerate(case):
            pieces += [", " if number else "", here, " for ", there]
        found.append(
            say(
                "case", *pieces, ".",
                hyp=[h for _, _, own, _ in case for h in own],
                ref=[r for _, _, _, other in case for r in other],
            )
        )  # fmt: skip
    return found


_REASONS = {"stem": "same stem", "synonym": "a synonym", "paraphrase": "a paraphrase"}


# ------------------------------------------------------------------------ relations


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

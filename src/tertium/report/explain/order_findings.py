# SPDX-License-Identifier: Apache-2.0
"""Findings on word order: what moved, and how many words that concerns.

An inverted node of the flat tree is a block that moved past its neighbour, a prime
node is a group of blocks that no exchange of neighbours explains.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.report.explain.views import Block, Finding, Order
from tertium.report.explain.wording import listed, name, quote, say, weight

__all__ = ["order_findings"]

# Longer lists are abbreviated to their first and last item.
_LISTED = 6

#: A word in the wrong place weighs less than a wrong word.
_MOVED = 0.75


def order_findings(
    hyp: Sequence[str], ref: Sequence[str], order: Order
) -> list[tuple[float, Finding]]:
    """Return what moved, each with its weight: the words that left their places."""
    if order.forest is None:
        return []
    turned = [b for b in order.forest.walk() if b.kind in ("inverted", "prime")]
    # Stable: equally large blocks stay in order.
    turned.sort(key=lambda block: -len(block))
    return [
        (
            _MOVED * _moved(hyp, order, block),
            _inverted(hyp, order, block)
            if block.kind == "inverted"
            else _prime(hyp, ref, order, block),
        )
        for block in turned
    ]


def _moved(hyp: Sequence[str], order: Order, block: Block) -> float:
    """Return the weight of all parts of a block but the heaviest, which stayed."""
    parts = [weight(hyp, _hyp_words(order, child)) for child in block.children]
    return sum(parts) - max(parts)


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
                quote(hyp, parts[-1]), " are in reverse order.",
                hyp=words, ref=refs,
            )  # fmt: skip
        items = listed([quote(hyp, part) for part in parts])
        return say(
            "reversed",
            f"The {nouns} ", *items, " are in reverse order.",
            hyp=words, ref=refs,
        )  # fmt: skip
    first, second = parts
    # Either block may have moved past the other; readers see the shorter one move.
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

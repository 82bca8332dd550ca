# SPDX-License-Identifier: Apache-2.0
"""Trees of an explanation as text: permutation, dependency and spanning trees."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.report.draw.lettering import columns, pad, wrap
from tertium.report.draw.pen import Pen, wrapped
from tertium.report.explain.diagrams.blocks import count_text, operator_text, score_text
from tertium.report.explain.explained import Explanation
from tertium.report.explain.views import (
    Block,
    Dependencies,
    Order,
    Pairing,
    Paths,
    Tree,
)

__all__ = [
    "apart_text",
    "brackets",
    "dependencies",
    "derp",
    "forest",
    "path_text",
    "tree",
]

_KIND_HUES = {"straight": "blue", "inverted": "orange", "prime": "red"}
_MARKS = {
    "matched": ("=", "blue"),
    "renamed": ("~", "orange"),
    "deleted": ("-", "red"),
    "inserted": ("+", "red"),
}


# ------------------------------------------------------------------- trees of blocks


def forest(explanation: Explanation, pen: Pen) -> Iterator[str]:
    """Yield lines of the permutation forest."""
    order = explanation.order
    if order is None or order.forest is None:
        return
    trees = f"{count_text(order.trees)} tree" + ("" if order.trees == 1 else "s")
    yield pen("Permutation forest", "bold") + f"  {trees}"
    yield from _apart(explanation, order, pen)
    yield from _permutation(order, pen)
    yield from _blocks(explanation.pairing(order), order, order.forest, pen)


def tree(explanation: Explanation, pen: Pen) -> Iterator[str]:
    """Yield lines of the canonical tree, unless the forest has shown it."""
    order = explanation.order
    # One tree only, or nothing but words: the forest has shown it.
    if order is None or order.tree is None or order.tree == order.forest:
        return
    yield pen("Permutation tree", "bold") + f"  canonical, {order.branching}-branching"
    yield from wrapped("  ", brackets(order.tree), pen)


def _apart(
    explanation: Explanation, view: Order | Dependencies | Paths, pen: Pen
) -> Iterator[str]:
    text = apart_text(explanation, view)
    if text:
        yield from wrapped("  ", text, pen)


def apart_text(explanation: Explanation, view: Order | Dependencies | Paths) -> str:
    """Return which words a view has, and which reference its score is for."""
    notes = []
    if view.pairing is not None:
        tokenized = f"tokenized by {explanation.settings.get('tokenize', 'none')}"
        flat = isinstance(view, Order) or view.flat
        whose = view.metric or (f"texts {tokenized}" if flat else "the trees")
        notes.append(f"Words and links are those of {whose}.")
    if view.metric and explanation.references > 1:
        # A score is that of the best reference, which may differ.
        notes.append(f"Against reference {explanation.reference + 1} alone.")
    return " ".join(notes)


def _permutation(order: Order, pen: Pen) -> Iterator[str]:
    yield from wrapped("  ", " ".join(map(str, order.permutation)), pen)


def brackets(root: Block) -> str:
    """Return a tree of blocks with brackets: ``(21 (12 2 3) 1)``."""
    out: list[str] = []
    stack: list[Block | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            out[-1] += node
        elif not node.children:
            out.append(str(node.low))
        else:
            between = "-" if len(node.operator) > 9 else ""
            out.append(f"({between.join(map(str, node.operator))}")
            stack.append(")")
            stack.extend(reversed(node.children))
    return " ".join(out)


def _blocks(pairing: Pairing, order: Order, root: Block, pen: Pen) -> Iterator[str]:
    stack: list[tuple[Block, str, str]] = [(root, "  ", "  ")]
    while stack:
        node, lead, below = stack.pop()
        words = sorted(
            {h for hyp, _ in order.items[node.start : node.end] for h in hyp}
        )
        text = " ".join(pairing.hyp[h] for h in words)
        if not node.children:
            yield f"{lead}{node.low} {text}"
            continue
        hue = _KIND_HUES[node.kind]
        name = f"{operator_text(node)} {node.kind}"
        share = score_text(node)
        score = f"  {share}" if share else ""
        if all(not child.children for child in node.children):
            # The lowest blocks need one line, not one per word.
            values = f"{' '.join(str(child.low) for child in node.children)}"
            tail = f"  {text}  {pen(values, 'muted')}"
            plain = columns(f"{lead}{name}{score}  {text}  {values}")
            if plain <= pen.width:
                yield lead + pen(name, hue) + score + tail
                continue
        yield lead + pen(name, hue) + score
        for number, child in reversed(list(enumerate(node.children))):
            last = number == len(node.children) - 1
            stack.append((child, *_branch(below, last=last)))


def _branch(below: str, *, last: bool) -> tuple[str, str]:
    """Return the prefix of a child, and that of its descendants."""
    if last:
        return below + "└─ ", below + "   "
    return below + "├─ ", below + "│  "


# ----------------------------------------------------------------------------- trees


def dependencies(explanation: Explanation, pen: Pen) -> Iterator[str]:
    """Yield lines of both dependency trees with their edits."""
    trees = explanation.dependencies
    if trees is None or (trees.flat and not trees.edits):
        return
    what = "Flattened trees" if trees.flat else "Dependency trees"
    cost = ""
    if trees.score is not None:
        distance = " + ".join(map(str, trees.distance))
        cost = f"  DTED {trees.variant}: {distance} operations, score {trees.score:.4f}"
    yield pen(what, "bold") + cost
    yield from _apart(explanation, trees, pen)
    marks = "  ".join(f"{sign} {name}" for name, (sign, _) in _MARKS.items())
    yield pen(f"  {marks}", "muted")
    if trees.flat:
        yield from _flat(trees, pen)
        return
    for side, tree in (("output", trees.hyp), ("reference", trees.ref)):
        yield ""
        yield f"  {side}"
        yield from _dependency_tree(
            trees, tree, "hyp" if tree is trees.hyp else "ref", pen
        )


def _dependency_tree(
    trees: Dependencies, tree: Tree, side: str, pen: Pen
) -> Iterator[str]:
    status = trees.status(side)
    children: dict[int, list[int]] = {}
    for word, head in enumerate(tree.heads):
        children.setdefault(head, []).append(word)
    stack = [(word, "  ", "  ") for word in reversed(children.get(0, []))]
    while stack:
        word, lead, below = stack.pop()
        name = status[word]
        if name == "deleted" and side == "ref":
            name = "inserted"
        sign, hue = _MARKS[name]
        text = f"{sign} {tree.words[word]}"
        relation = pen(tree.relations[word], "muted")
        yield f"{lead}{pen(text, hue)}  {relation}"
        dependents = children.get(word + 1, [])
        for number, child in reversed(list(enumerate(dependents))):
            last = number == len(dependents) - 1
            stack.append((child, *_branch(below, last=last)))


def _flat(trees: Dependencies, pen: Pen) -> Iterator[str]:
    cells = []
    for edit in trees.edits:
        hyp = "" if edit.hyp is None else trees.hyp.words[edit.hyp]
        ref = "" if edit.ref is None else trees.ref.words[edit.ref]
        if edit.operation == "rename":
            cells.append(f"~{hyp}→{ref}")
        else:
            sign = {"match": "=", "delete": "-", "insert": "+"}[edit.operation]
            cells.append(f"{sign}{hyp or ref}")
    for row in wrap(cells, pen.width - 2):
        yield "  " + " ".join(row)


# ------------------------------------------------------------------------------ derp


def derp(explanation: Explanation, pen: Pen) -> Iterator[str]:
    """Yield lines of DERP's spanning tree as a table."""
    paths = explanation.paths
    if paths is None or not (paths.edges or paths.metric):
        return
    flat = " of flattened trees" if paths.flat else ""
    yield pen(f"DERP spanning tree{flat}", "bold") + f"  {paths.equation}"
    yield from _apart(explanation, paths, pen)
    if not paths.edges:
        return
    ref = explanation.pairing(paths).ref
    rows = [["cost", "words", "path in the output", "path in the reference"]]
    for edge in paths.edges:
        first, second = (ref[r] for r in edge.ref)
        rows.append(
            [
                f"{edge.cost:g}/{edge.limit:g}" if edge.limit else "shared",
                f"{first} – {second}",
                path_text(edge.hyp_path, flat=paths.flat),
                path_text(edge.ref_path, flat=paths.flat),
            ]
        )
    widths = [max(columns(row[i]) for row in rows) for i in range(4)]
    for number, row in enumerate(rows):
        line = "  ".join(pad(cell, widths[i]) for i, cell in enumerate(row))
        yield "  " + (pen(line, "muted") if number == 0 else line)


def path_text(
    path: tuple[tuple[str, ...], str, tuple[str, ...]], *, flat: bool = False
) -> str:
    """Return a path: labels climbed ↑, labels descended ↓, and its direction."""
    up, direction, down = path
    if not up and not down:
        return direction
    if flat:
        size = len(up) + len(down)
        return f"{size} word{'' if size == 1 else 's'} {_direction(direction)}"
    steps = [f"↑{label}" for label in up] + [f"↓{label}" for label in down]
    return f"{' '.join(steps)} {_direction(direction)}".strip()


def _direction(direction: str) -> str:
    return {"forward": "→", "backward": "←"}.get(direction, direction)

# SPDX-License-Identifier: Apache-2.0
"""An explanation as text for a terminal: signs that need no colour, and colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.report.drawings.blocks import count_text, operator_text, score_text
from tertium.report.explained import Explanation
from tertium.report.findings import RELATIONS, shorten
from tertium.report.lettering import columns, pad, wrap
from tertium.report.views import (
    Block,
    Dependencies,
    Finding,
    Order,
    Pairing,
    Paths,
    Tree,
)

__all__ = ["SECTIONS", "render_text"]

#: What may be shown, in this order.
SECTIONS = ("alignment", "forest", "tree", "dependencies", "derp", "ngrams", "edits")

_NARROWEST = 60
_CODES = {
    "bold": "1", "muted": "2", "blue": "34", "orange": "33", "red": "31", "green": "32",
    "purple": "35",
}  # fmt: skip
_SIGNS = {"exact": "■", "stem": "◆", "synonym": "●", "paraphrase": "▲"}
_HUES = {"exact": "blue", "stem": "green", "synonym": "orange", "paraphrase": "purple"}
_KIND_HUES = {"straight": "blue", "inverted": "orange", "prime": "red"}
_MARKS = {
    "matched": ("=", "blue"),
    "renamed": ("~", "orange"),
    "deleted": ("-", "red"),
    "inserted": ("+", "red"),
}


@dataclass(frozen=True)
class _Pen:
    """Writes in colour, or not."""

    colour: bool
    width: int

    def __call__(self, text: str, hue: str = "") -> str:
        if not self.colour or not hue or not text:
            return text
        return f"\x1b[{_CODES[hue]}m{text}\x1b[0m"


def render_text(
    explanation: Explanation,
    *,
    sections: Sequence[str] = SECTIONS,
    width: int = 80,
    colour: bool = False,
    relations: int | None = RELATIONS,
) -> str:
    """Return the explanation as text.

    Parameters
    ----------
    sections : sequence of str
        Which of :data:`SECTIONS` to show; findings and scores always are.
    width : int
        Columns of the terminal; at least 60 are used.
    colour : bool
        Whether to write escape codes for colours.
    relations : int or None
        How many findings on relations in trees to show; None for all.
    """
    pen = _Pen(colour, max(width, _NARROWEST))
    findings = shorten(explanation.findings, relations)
    lines = list(_head(explanation, findings, pen))
    for name in SECTIONS:
        if name not in sections:
            continue
        # What is about words alone has no metric.
        plain = name in ("ngrams", "edits")
        for spec, own in [("", explanation)] if plain else explanation.each(name):
            body = list(_SECTION[name](own, pen))
            if body:
                lines += ["", *([pen(spec, "bold")] if spec else []), *body]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _head(
    explanation: Explanation, findings: Sequence[Finding], pen: _Pen
) -> Iterator[str]:
    if explanation.name != "this text":
        yield pen(explanation.name[0].upper() + explanation.name[1:], "bold")
        yield ""
    if explanation.source:
        yield from _labelled("source", explanation.source.split(), pen)
    number = f" {explanation.reference + 1}" if explanation.references > 1 else ""
    yield from _labelled(f"reference{number}", list(explanation.ref), pen)
    yield from _labelled("output", list(explanation.hyp), pen)
    yield ""
    for finding in findings:
        words = finding.text.split()
        for row, line in enumerate(wrap(words, pen.width - 4)):
            yield ("  • " if row == 0 else "    ") + " ".join(line)
    order = explanation.order
    if explanation.scores or (order is not None and order.scores):
        yield ""
    if explanation.scores:
        cells = [
            f"{label} {score.shown}{'' if score.higher_is_better else ' ↓'}"
            for label, score in zip(explanation.labels, explanation.scores, strict=True)
        ]
        yield from _flow("scores", cells, pen)
    if order is not None and order.scores:
        cells = [f"{name} {_number(x)}" for name, x in order.scores.items()]
        yield from _flow("order", cells, pen)


def _flow(label: str, cells: Sequence[str], pen: _Pen) -> Iterator[str]:
    # A cell is never broken: its spaces count as letters here.
    rows = wrap([cell.replace(" ", "\u00a0") + "  " for cell in cells], pen.width - 12)
    for number, row in enumerate(rows):
        text = " ".join(row).replace("\u00a0", " ")
        yield pen(pad(label if number == 0 else "", 12), "muted") + text


def _labelled(label: str, words: Sequence[str], pen: _Pen) -> Iterator[str]:
    rows = wrap(list(words), pen.width - 12) or [["(no words)"]]
    for number, row in enumerate(rows):
        yield pen(pad(label if number == 0 else "", 12), "muted") + " ".join(row)


# ------------------------------------------------------------------------ alignment


def _alignment(explanation: Explanation, pen: _Pen) -> Iterator[str]:
    hyp, ref = explanation.hyp, explanation.ref
    if not hyp or not ref:
        return
    used = list(dict.fromkeys(match.matcher for match in explanation.matches))
    legend = ", ".join(f"{_SIGNS.get(m, '•')} {m}" for m in used)
    title = "Alignment (output ↓, reference →)"
    yield pen(title, "bold") + (f"  {legend}" if legend else "")
    cells = {
        pair: match.matcher for match in explanation.matches for pair in match.pairs
    }
    label = min(max(map(columns, hyp)), pen.width // 3)
    digits = len(str(len(hyp)))
    # Columns are three wide; what does not fit goes into another band below.
    each = max(1, (pen.width - label - digits - 4) // 3)
    for start in range(0, len(ref), each):
        band = range(start, min(start + each, len(ref)))
        yield ""
        yield from _column_heads(ref, band, label + digits + 4, pen)
        for h, word in enumerate(hyp):
            row = []
            for r in band:
                matcher = cells.get((h, r))
                sign = _SIGNS.get(matcher, "•") if matcher else "·"
                hue = _HUES.get(matcher or "", "muted")
                row.append(" " + pen(sign, hue) + " ")
            number = pen(str(h + 1).rjust(digits), "muted")
            yield f"  {number} {pad(_cut(word, label), label)} {''.join(row)}"


def _column_heads(
    ref: Sequence[str], band: range, indent: int, pen: _Pen
) -> Iterator[str]:
    """Write the words of the reference as steps, so that they can be read."""
    # Steps need room to the right; otherwise numbers, explained in lines below.
    widths = [indent + 3 * (r - band.start) + columns(ref[r]) + 1 for r in band]
    if len(band) <= 12 and max(widths) <= pen.width:
        for r in band:
            bars = "".join(" " + pen("│", "muted") + " " for _ in range(band.start, r))
            yield " " * indent + bars + " " + ref[r]
    else:
        words = [f"{r + 1}\u00a0{ref[r]}\u00a0" for r in band]
        for row in wrap(words, pen.width - indent):
            yield " " * indent + pen(" ".join(row).replace("\u00a0", " "), "muted")
        yield " " * indent + "".join(str((r + 1) % 100).center(3) for r in band)


def _cut(word: str, limit: int) -> str:
    if columns(word) <= limit:
        return word
    while word and columns(word) > limit - 1:
        word = word[:-1]
    return word + "…"


# ------------------------------------------------------------------- trees of blocks


def _forest(explanation: Explanation, pen: _Pen) -> Iterator[str]:
    order = explanation.order
    if order is None or order.forest is None:
        return
    trees = f"{count_text(order.trees)} tree" + ("" if order.trees == 1 else "s")
    yield pen("Permutation forest", "bold") + f"  {trees}"
    yield from _apart(explanation, order, pen)
    yield from _permutation(order, pen)
    yield from _blocks(explanation.pairing(order), order, order.forest, pen)


def _tree(explanation: Explanation, pen: _Pen) -> Iterator[str]:
    order = explanation.order
    # One tree only, or nothing but words: the forest has shown it.
    if order is None or order.tree is None or order.tree == order.forest:
        return
    yield pen("Permutation tree", "bold") + f"  canonical, {order.branching}-branching"
    yield from _wrapped("  ", brackets(order.tree), pen)


def _apart(
    explanation: Explanation, view: Order | Dependencies | Paths, pen: _Pen
) -> Iterator[str]:
    text = apart_text(explanation, view)
    if text:
        yield from _wrapped("  ", text, pen)


def apart_text(explanation: Explanation, view: Order | Dependencies | Paths) -> str:
    """Return whose words a view has, and of which reference its number is."""
    said = []
    if view.pairing is not None:
        cut = f"cut by {explanation.settings.get('tokenize', 'none')}"
        flat = isinstance(view, Order) or view.flat
        whose = view.metric or (f"texts {cut}" if flat else "the trees")
        said.append(f"Words and links are those of {whose}.")
    if view.metric and explanation.references > 1:
        # A score is that of the best reference, which may be another.
        said.append(f"Against reference {explanation.reference + 1} alone.")
    return " ".join(said)


def _permutation(order: Order, pen: _Pen) -> Iterator[str]:
    yield from _wrapped("  ", " ".join(map(str, order.permutation)), pen)


def _wrapped(indent: str, text: str, pen: _Pen) -> Iterator[str]:
    for row in wrap(text.split(), pen.width - len(indent)):
        yield indent + " ".join(row)


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


def _blocks(pairing: Pairing, order: Order, root: Block, pen: _Pen) -> Iterator[str]:
    stack: list[tuple[Block, str, str]] = [(root, "  ", "  ")]
    while stack:
        node, lead, below = stack.pop()
        words = sorted(
            {h for own, _ in order.items[node.start : node.end] for h in own}
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
            # The lowest blocks need one line, not one a word.
            values = f"{' '.join(str(child.low) for child in node.children)}"
            own = f"  {text}  {pen(values, 'muted')}"
            plain = columns(f"{lead}{name}{score}  {text}  {values}")
            if plain <= pen.width:
                yield lead + pen(name, hue) + score + own
                continue
        yield lead + pen(name, hue) + score
        for number, child in reversed(list(enumerate(node.children))):
            last = number == len(node.children) - 1
            stack.append((child, *_branch(below, last=last)))


def _branch(below: str, *, last: bool) -> tuple[str, str]:
    """Return what stands before a child, and before what is below it."""
    if last:
        return below + "└─ ", below + "   "
    return below + "├─ ", below + "│  "


# ----------------------------------------------------------------------------- trees


def _dependencies(explanation: Explanation, pen: _Pen) -> Iterator[str]:
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
    trees: Dependencies, tree: Tree, side: str, pen: _Pen
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
        own = children.get(word + 1, [])
        for number, child in reversed(list(enumerate(own))):
            last = number == len(own) - 1
            stack.append((child, *_branch(below, last=last)))


def _flat(trees: Dependencies, pen: _Pen) -> Iterator[str]:
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


def _derp(explanation: Explanation, pen: _Pen) -> Iterator[str]:
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


# --------------------------------------------------------------------------- surface


def _ngrams(explanation: Explanation, pen: _Pen) -> Iterator[str]:
    if not explanation.ngrams or not explanation.hyp:
        return
    yield pen("N-grams of the output", "bold") + "  ■ in the reference, · not"
    for hits in explanation.ngrams:
        total = len(hits.found)
        if not total:
            continue
        signs = "".join("■" if found else "·" for found in hits.found)
        for start in range(0, total, pen.width - 20):
            label = f"  {hits.order}  {hits.hits}/{total}" if start == 0 else ""
            yield pad(label, 14) + signs[start : start + pen.width - 20]


def _edits(explanation: Explanation, pen: _Pen) -> Iterator[str]:
    if not explanation.edits:
        return
    count = sum(edit.operation != "keep" for edit in explanation.edits)
    yield pen("Word edits", "bold") + f"  {count}; [-deleted-] {{+inserted+}}"
    cells = []
    for edit in explanation.edits:
        hyp = "" if edit.hyp is None else explanation.hyp[edit.hyp]
        ref = "" if edit.ref is None else explanation.ref[edit.ref]
        if edit.operation == "keep":
            cells.append(ref)
            continue
        gone = f"[-{hyp}-]" if edit.hyp is not None else ""
        come = f"{{+{ref}+}}" if edit.ref is not None else ""
        cells.append(gone + come)
    for row in wrap(cells, pen.width - 2):
        yield "  " + " ".join(row)


def _number(value: float) -> str:
    return (
        f"{value:.4f}".rstrip("0").rstrip(".") if value not in (0, 1) else f"{value:g}"
    )


_SECTION = {
    "alignment": _alignment,
    "forest": _forest,
    "tree": _tree,
    "dependencies": _dependencies,
    "derp": _derp,
    "ngrams": _ngrams,
    "edits": _edits,
}

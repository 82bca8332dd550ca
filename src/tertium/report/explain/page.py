# SPDX-License-Identifier: Apache-2.0
"""Explanations as a self-contained HTML page.

It follows the reader's light or dark screen, prints, and puts into words what its
diagrams show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tertium.report.components import (
    Cell,
    Component,
    Diagram,
    Inline,
    Page,
    Section,
    Span,
    Table,
    Text,
)
from tertium.report.explain.components import Marked, SegmentCard, WordEdits
from tertium.report.explain.diagrams import draw
from tertium.report.explain.explained import Explanation
from tertium.report.explain.findings import RELATIONS, shorten
from tertium.report.explain.losses import loss_heading, loss_rows
from tertium.report.explain.terminal_trees import apart_text, path_text
from tertium.report.explain.views import Dependencies, Finding, Order, Paths, Tree
from tertium.report.rendering import render

__all__ = ["render_page"]

_CAPTIONS = {
    "alignment": "Alignment: output words in rows, reference words in columns.",
    "forest": "Order: the blocks of the permutation, from the whole to its parts; the "
    "number at a word is its rank in the reference.",
    "tree": "Order: the canonical permutation tree.",
    "dependencies": "Dependency trees of output and reference, and what DTED mapped.",
    "derp": "DERP: the spanning tree of the aligned words, with the cost of each edge.",
}
_DIAGRAMS = ("alignment", "forest", "dependencies", "derp")
_FLAT = (
    "Flattened trees, in which every word depends on the one before it, and what DTED "
    "mapped."
)
_MARKS = {
    "moved": "↔", "reversed": "⇄", "shuffled": "✕", "missing": "−", "extra": "+",
    "replaced": "≠", "form": "≈", "case": "Aa", "relation": "↷", "order": "✓",
    "same": "=", "words": "≠", "more": "…",
    "punctuation": "¶",
}  # fmt: skip


def render_page(
    explanations: Sequence[Explanation],
    *,
    title: str = "Explanations",
    diagrams: Sequence[str] | None = None,
    relations: int | None = RELATIONS,
) -> str:
    """Return a page about one segment or many.

    Parameters
    ----------
    explanations : sequence of Explanation
    title : str
    diagrams : sequence of str
        Which diagrams to show, see :data:`tertium.report.explain.DIAGRAMS`. By default
        all but the canonical tree, or none if the output equals the reference.
    relations : int or None
        How many findings on relations in trees to show; None for all findings and
        losses.
    """
    sections = []
    for number, explanation in enumerate(explanations, start=1):
        alone = len(explanations) == 1 and explanation.name == "this text"
        name = "findings" if alone else _name(explanation, number)
        chosen = diagrams
        if chosen is None:
            chosen = () if explanation.same else _DIAGRAMS
        findings = shorten(explanation.findings, relations)
        complete = relations is None
        blocks = list(_blocks(explanation, findings, chosen, complete=complete))
        heading = name[0].upper() + name[1:]
        sections.append(Section(f"s{number}", heading, blocks, look="explained"))
    page = Page(
        title,
        body=[] if explanations else [Text("Nothing to explain.")],
        header=[_overview(explanations)] if len(explanations) > 1 else [],
        sections=sections,
        contents=False,
        scripts=[],
    )
    return render(page)


def _name(explanation: Explanation, number: int) -> str:
    return f"text {number}" if explanation.name == "this text" else explanation.name


def _overview(explanations: Sequence[Explanation]) -> Table:
    """Return a table of all segments with links to them."""
    labels = explanations[0].labels
    rows = []
    for number, explanation in enumerate(explanations, start=1):
        name = Span(_name(explanation, number), "link", f"#s{number}")
        shown = [score.shown for score in explanation.scores]
        scores = dict(zip(explanation.labels, shown, strict=True))
        cells = [Cell(scores.get(label, ""), None, "number") for label in labels]
        first = explanation.findings[0] if explanation.findings else None
        finding = Cell(_sentence(first) if first else "", None, "prose")
        rows.append([Cell([name]), *cells, finding])
    head = ["segment", *labels, "first finding"]
    return Table("Segments", head, rows, look="overview")


def _blocks(
    explanation: Explanation,
    findings: Sequence[Finding],
    diagrams: Sequence[str],
    *,
    complete: bool,
) -> Iterator[Component]:
    yield SegmentCard(
        list(_texts(explanation)),
        [
            (finding.kind, _MARKS.get(finding.kind, "•"), _sentence(finding))
            for finding in findings
        ],
        list(_scores(explanation)),
    )
    yield from _losses(explanation, complete=complete)
    yield from _parts(explanation)
    if explanation.same and not diagrams:
        return
    if explanation.too_long:
        yield Text(f"No diagrams: {explanation.too_long}.")
        yield from _word_edits(explanation)
        return
    for diagram in diagrams:
        for spec, view in explanation.each(diagram):
            if _shows(view, diagram):
                yield _figure(view, diagram, spec)
    yield from _tables(explanation)


def _texts(explanation: Explanation) -> Iterator[tuple[str, Inline]]:
    if explanation.source:
        yield "Source", explanation.source
    number = f" {explanation.reference + 1}" if explanation.references > 1 else ""
    for side, label in (("ref", f"Reference{number}"), ("hyp", "Output")):
        words, text = explanation.hyp, explanation.hyp_text
        if side == "ref":
            words, text = explanation.ref, explanation.ref_text
        kinds: dict[int, str] = {}
        for finding in explanation.findings:
            spans = finding.ref if side == "ref" else finding.hyp
            if finding.kind in ("missing", "extra", "replaced", "moved", "form"):
                for index in spans:
                    kinds.setdefault(index, finding.kind)
        shown = _marked(text, words, kinds)
        yield label, shown if any(shown) else [Span("no words", "i")]


def _marked(
    text: str, words: Sequence[str], kinds: Mapping[int, str]
) -> list[str | Component]:
    """Return a text with some of its words marked; the words alone if it has others."""
    places, end = [], 0
    for word in words:
        start = text.find(word, end)
        if start < 0:
            return _marked(" ".join(words), words, kinds)
        end = start + len(word)
        places.append((start, end))
    out: list[str | Component] = []
    end = 0
    for i, (start, stop) in enumerate(places):
        if i in kinds:
            out += [text[end:start], Marked(text[start:stop], kinds[i])]
            end = stop
    return [*out, text[end:]]


def _sentence(finding: Finding) -> list[str | Component]:
    """Return a finding; every second piece quotes words."""
    return [
        Span(piece, "quote") if number % 2 else piece
        for number, piece in enumerate(finding.pieces)
    ]


def _scores(explanation: Explanation) -> Iterator[tuple[str, str]]:
    for label, score in zip(explanation.labels, explanation.scores, strict=True):
        yield label if score.higher_is_better else f"{label} ↓", score.shown
    if explanation.order is not None:
        for label, value in explanation.order.scores.items():
            yield label, f"{value:.4f}"


def _shows(explanation: Explanation, diagram: str) -> bool:
    if diagram in ("forest", "tree"):
        return explanation.order is not None and explanation.order.forest is not None
    if diagram == "dependencies":
        return explanation.dependencies is not None
    if diagram == "derp":
        paths = explanation.paths
        return paths is not None and bool(paths.edges or paths.metric)
    return True


_VIEWS: dict[str, Callable[[Explanation], Order | Dependencies | Paths | None]] = {
    "forest": lambda explanation: explanation.order,
    "tree": lambda explanation: explanation.order,
    "dependencies": lambda explanation: explanation.dependencies,
    "derp": lambda explanation: explanation.paths,
}


def _figure(explanation: Explanation, diagram: str, spec: str) -> Diagram:
    caption = _CAPTIONS[diagram]
    trees = explanation.dependencies
    if diagram == "dependencies" and trees is not None and trees.flat:
        caption = _FLAT
    view = _VIEWS[diagram](explanation) if diagram in _VIEWS else None
    if view is not None:
        caption = f"{caption} {apart_text(explanation, view)}".strip()
    if spec:
        caption = f"{spec}. {caption}"
    return Diagram(diagram, draw(explanation, diagram, spec).to_svg(), caption)


# ---------------------------------------------------------------------------- tables


def _losses(explanation: Explanation, *, complete: bool) -> Iterator[Table]:
    for lost in explanation.losses:
        heading = loss_heading(lost, explanation.references)
        rows = [
            [
                Cell(row.amount, None, "number", share=max(0.0, row.share)),
                Cell(row.text, None, "prose"),
            ]
            for row in loss_rows(lost, complete=complete)
        ]
        head = ["points" if lost.in_points else "share", "features"]
        caption = f"{lost.metric} {lost.score:.4f}: {heading}"
        yield Table(caption, head, rows, look="")


def _parts(explanation: Explanation) -> Iterator[Table]:
    for one in explanation.parts:
        rows = [
            [Cell(f"{part.value:.3f}", None, "number"), Cell(part.text, None, "prose")]
            for part in one.parts
        ]
        caption = f"{one.metric} {one.score:.4f}: {one.heading}"
        yield Table(caption, ["points", "part"], rows, look="")


def _word_edits(explanation: Explanation) -> Iterator[Component]:
    edits = [
        (
            None if edit.hyp is None else explanation.hyp[edit.hyp],
            None if edit.ref is None else explanation.ref[edit.ref],
            edit.operation == "keep",
        )
        for edit in explanation.edits
    ]
    if edits:
        yield WordEdits(edits)


def _tables(explanation: Explanation) -> Iterator[Component]:
    yield from _word_edits(explanation)
    hyp = explanation.hyp
    rows: list[list[Inline]] = []
    for ngrams in explanation.ngrams:
        missed = [
            Span(" ".join(hyp[i : i + ngrams.order]), "chip")
            for i, hit in enumerate(ngrams.found)
            if not hit
        ]
        if ngrams.found:
            hits = f"{ngrams.hits} of {len(ngrams.found)}"
            rows.append([str(ngrams.order), hits, missed or "none"])
    if rows:
        yield _table("N-grams", ["n", "found", "not in the reference"], rows)
    for spec, view in explanation.each("dependencies"):
        yield from _script(view, spec)
    for spec, view in explanation.each("derp"):
        yield from _paths(view, spec)


def _script(explanation: Explanation, spec: str) -> Iterator[Table]:
    trees = explanation.dependencies
    if trees is None or trees.flat or not trees.edits:
        return
    rows: list[list[Inline]] = [
        [
            edit.operation,
            "" if edit.hyp is None else _relation(trees.hyp, edit.hyp),
            "" if edit.ref is None else _relation(trees.ref, edit.ref),
        ]
        for edit in trees.edits
    ]
    head = ["operation", "output", "reference"]
    yield _table(_titled("Tree edit script", spec), head, rows)


def _paths(explanation: Explanation, spec: str) -> Iterator[Table]:
    paths = explanation.paths
    if paths is None or not paths.edges:
        return
    ref = explanation.pairing(paths).ref
    rows: list[list[Inline]] = [
        [
            f"{edge.cost:g} / {edge.limit:g}" if edge.limit else "shared",
            f"{ref[edge.ref[0]]} – {ref[edge.ref[1]]}",
            path_text(edge.hyp_path, flat=paths.flat),
            path_text(edge.ref_path, flat=paths.flat),
        ]
        for edge in paths.edges
    ]
    head = ["cost / limit", "words", "path in the output", "path in the reference"]
    yield _table(_titled("Paths of the spanning tree", spec), head, rows)


def _titled(title: str, spec: str) -> str:
    return f"{title}: {spec}" if spec else title


def _relation(tree: Tree, word: int) -> Inline:
    head = tree.heads[word]
    on = tree.words[head - 1] if head else "root"
    return [f"{tree.words[word]} ", Span(f"{tree.relations[word]} → {on}", "small")]


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[Inline]]) -> Table:
    cells = [
        [
            Cell(text, None, "" if i < len(row) - 1 else "prose")
            for i, text in enumerate(row)
        ]
        for row in rows
    ]
    return Table(title, head, cells, look="")

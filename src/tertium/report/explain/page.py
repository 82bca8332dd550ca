# SPDX-License-Identifier: Apache-2.0
"""Explanations as an HTML page that needs nothing but itself.

It follows the reader's light or dark screen, prints, and says in words what its
diagrams show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape

from tertium._version import __version__
from tertium.report.explain.diagrams import draw
from tertium.report.explain.explained import Explanation
from tertium.report.explain.findings import RELATIONS, shorten
from tertium.report.explain.style import HEAD, page_style
from tertium.report.explain.terminal_trees import apart_text, path_text
from tertium.report.explain.views import Dependencies, Finding, Order, Paths, Tree

__all__ = ["render_page"]

_CAPTIONS = {
    "alignment": "Alignment: words of the output in rows, of the reference in columns.",
    "forest": "Order: the blocks of the permutation, from the whole to its parts; the "
    "numbers at words are ranks in the reference.",
    "tree": "Order: the canonical permutation tree.",
    "dependencies": "Dependency trees of output and reference, and what DTED mapped.",
    "derp": "DERP: the spanning tree of the aligned words, with the cost of each edge.",
}
_DIAGRAMS = ("alignment", "forest", "dependencies", "derp")
_FLAT = "Flattened trees, in which every word hangs on the one before it, and what \
DTED mapped."
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
        Which diagrams to hold, see :data:`tertium.report.DIAGRAMS`. By default all
        but the canonical tree, or none where the output equals the reference.
    relations : int or None
        How many findings on relations in trees to show; None for all.
    """
    parts = [HEAD.format(title=_text(title), style=page_style())]
    parts.append(f"<header><h1>{_text(title)}</h1></header>\n<main>")
    if len(explanations) > 1:
        parts.append(_contents(explanations))
    for number, explanation in enumerate(explanations, start=1):
        name = explanation.name
        if name == "this text":
            name = f"text {number}" if len(explanations) > 1 else "findings"
        findings = shorten(explanation.findings, relations)
        heading = name[0].upper() + name[1:]
        parts.append(f'<section id="s{number}" aria-labelledby="h{number}">')
        parts.append(f'<h2 id="h{number}">{_text(heading)}</h2>')
        chosen = diagrams
        if chosen is None:
            chosen = () if explanation.same else _DIAGRAMS
        parts.extend(_segment(explanation, findings, chosen))
        parts.append("</section>")
    if not explanations:
        parts.append("<p>Nothing to explain.</p>")
    parts.append(
        f"</main>\n<footer>Made by Tertium {__version__}.</footer>\n</body>\n</html>\n"
    )
    return "\n".join(parts)


def _contents(explanations: Sequence[Explanation]) -> str:
    labels = explanations[0].labels
    head = "".join(f"<th class=number>{_text(label)}</th>" for label in labels)
    rows = []
    for number, explanation in enumerate(explanations, start=1):
        name = explanation.name if explanation.name != "this text" else f"text {number}"
        shown = [score.shown for score in explanation.scores]
        own = dict(zip(explanation.labels, shown, strict=True))
        cells = "".join(
            f"<td class=number>{_text(own.get(label, ''))}</td>" for label in labels
        )
        first = explanation.findings[0] if explanation.findings else None
        said = _sentence(first) if first else ""
        rows.append(
            f'<tr><td><a href="#s{number}">{_text(name)}</a></td>{cells}'
            f"<td>{said}</td></tr>"
        )
    return (
        '<nav aria-label="Segments"><div class=scroll><table>\n'
        f"<thead><tr><th>Segment</th>{head}<th>First finding</th></tr></thead>\n"
        f"<tbody>{''.join(rows)}</tbody></table></div></nav>"
    )


def _segment(
    explanation: Explanation, findings: Sequence[Finding], diagrams: Sequence[str]
) -> Iterator[str]:
    yield "".join(_texts(explanation))
    if findings:
        yield "<ul class=findings>"
        for finding in findings:
            mark = _MARKS.get(finding.kind, "•")
            yield (
                f'<li class="{finding.kind}"><span class=mark aria-hidden=true>{mark}'
                f"</span><span>{_sentence(finding)}</span></li>"
            )
        yield "</ul>"
    yield _scores(explanation)
    if explanation.same and not diagrams:
        return
    if explanation.too_long:
        yield f"<p>Not drawn: {_text(explanation.too_long)}.</p>"
        yield from _word_edits(explanation)
        return
    for diagram in diagrams:
        for spec, own in explanation.each(diagram):
            if _shows(own, diagram):
                yield _figure(own, diagram, spec)
    yield from _tables(explanation)


def _texts(explanation: Explanation) -> Iterator[str]:
    yield "<dl class=texts>"
    if explanation.source:
        yield f"<dt>Source</dt><dd dir=auto>{_text(explanation.source)}</dd>"
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
        yield f"<dt>{label}</dt><dd dir=auto>{shown or '<i>no words</i>'}</dd>"
    yield "</dl>"


def _marked(text: str, words: Sequence[str], kinds: Mapping[int, str]) -> str:
    """Return a text with some of its words marked; the words alone if it has others."""
    places, end = [], 0
    for word in words:
        start = text.find(word, end)
        if start < 0:
            text = " ".join(words)
            return _marked(text, words, kinds)
        end = start + len(word)
        places.append((start, end))
    out, end = [], 0
    for i, (start, stop) in enumerate(places):
        if i in kinds:
            word = f'<mark class="{kinds[i]}">{_text(text[start:stop])}</mark>'
            out += [_text(text[end:start]), word]
            end = stop
    return "".join([*out, _text(text[end:])])


def _sentence(finding: Finding) -> str:
    return "".join(
        f"<em><bdi>{_text(piece)}</bdi></em>" if number % 2 else _text(piece)
        for number, piece in enumerate(finding.pieces)
    )


def _scores(explanation: Explanation) -> str:
    cells = [
        (label, score.shown, "" if score.higher_is_better else " ↓")
        for label, score in zip(explanation.labels, explanation.scores, strict=True)
    ]
    if explanation.order is not None:
        cells += [(k, f"{v:.4f}", "") for k, v in explanation.order.scores.items()]
    if not cells:
        return ""
    items = "".join(
        f"<div><dt>{_text(label)}{arrow}</dt><dd>{_text(value)}</dd></div>"
        for label, value, arrow in cells
    )
    return f"<dl class=scores>{items}</dl>"


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


def _figure(explanation: Explanation, diagram: str, spec: str) -> str:
    caption = _CAPTIONS[diagram]
    trees = explanation.dependencies
    if diagram == "dependencies" and trees is not None and trees.flat:
        caption = _FLAT
    view = _VIEWS[diagram](explanation) if diagram in _VIEWS else None
    if view is not None:
        caption = f"{caption} {apart_text(explanation, view)}".strip()
    if spec:
        caption = f"{spec}. {caption}"
    svg = draw(explanation, diagram, spec).to_svg()
    return (
        f'<figure class="{diagram}"><div class=scroll>{svg}</div>'
        f"<figcaption>{_text(caption)}</figcaption></figure>"
    )


# ---------------------------------------------------------------------------- tables


def _word_edits(explanation: Explanation) -> Iterator[str]:
    if explanation.edits:
        yield "<h3>Word edits</h3>"
        yield f"<p class=edits dir=auto>{' '.join(_edits(explanation))}</p>"


def _tables(explanation: Explanation) -> Iterator[str]:
    hyp = explanation.hyp
    yield from _word_edits(explanation)
    hits = [own for own in explanation.ngrams if own.found]
    if hits:
        rows = []
        for own in hits:
            lost = [
                " ".join(hyp[i : i + own.order])
                for i, found in enumerate(own.found)
                if not found
            ]
            chips = "".join(
                f"<span class=chip dir=auto>{_text(g)}</span>" for g in lost
            )
            rows.append(
                [
                    str(own.order),
                    f"{own.hits}&nbsp;of&nbsp;{len(own.found)}",
                    chips or "none",
                ]
            )
        yield _table("N-grams", ["n", "found", "not in the reference"], rows)
    for spec, view in explanation.each("dependencies"):
        yield from _script(view, spec)
    for spec, view in explanation.each("derp"):
        yield from _paths(view, spec)


def _script(explanation: Explanation, spec: str) -> Iterator[str]:
    trees = explanation.dependencies
    if trees is None or trees.flat or not trees.edits:
        return
    rows = [
        [
            edit.operation,
            "" if edit.hyp is None else _relation(trees.hyp, edit.hyp),
            "" if edit.ref is None else _relation(trees.ref, edit.ref),
        ]
        for edit in trees.edits
    ]
    head = ["operation", "output", "reference"]
    yield _table(_titled("Edit script of the trees", spec), head, rows)


def _paths(explanation: Explanation, spec: str) -> Iterator[str]:
    paths = explanation.paths
    if paths is None or not paths.edges:
        return
    ref = explanation.pairing(paths).ref
    rows = [
        [
            f"{edge.cost:g} / {edge.limit:g}" if edge.limit else "shared",
            f"{_text(ref[edge.ref[0]])} – {_text(ref[edge.ref[1]])}",
            _text(path_text(edge.hyp_path, flat=paths.flat)),
            _text(path_text(edge.ref_path, flat=paths.flat)),
        ]
        for edge in paths.edges
    ]
    head = ["cost / limit", "words", "path in the output", "path in the reference"]
    yield _table(_titled("Paths of the spanning tree", spec), head, rows)


def _titled(title: str, spec: str) -> str:
    return f"{title}: {spec}" if spec else title


def _relation(tree: Tree, word: int) -> str:
    head = tree.heads[word]
    on = _text(tree.words[head - 1]) if head else "root"
    return (
        f"{_text(tree.words[word])} <small>{_text(tree.relations[word])} → {on}</small>"
    )


def _edits(explanation: Explanation) -> Iterator[str]:
    for edit in explanation.edits:
        hyp = "" if edit.hyp is None else _text(explanation.hyp[edit.hyp])
        ref = "" if edit.ref is None else _text(explanation.ref[edit.ref])
        if edit.operation == "keep":
            yield ref
            continue
        gone = f"<del>{hyp}</del>" if edit.hyp is not None else ""
        come = f"<ins>{ref}</ins>" if edit.ref is not None else ""
        yield gone + come


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<th>{_text(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f"<h3>{_text(title)}</h3>"
        f"<div class=scroll><table><thead><tr>{cells}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _text(text: str) -> str:
    # Control characters and lone surrogates have no place in a page.
    shown = "".join(
        "\ufffd" if char < " " or "\ud800" <= char <= "\udfff" else char
        for char in text
    )
    return escape(shown)

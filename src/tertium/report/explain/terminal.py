# SPDX-License-Identifier: Apache-2.0
"""An explanation as text for a terminal; colour only repeats what signs show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.report.draw.lettering import columns, pad, wrap
from tertium.report.draw.pen import Pen, wrapped
from tertium.report.explain.explained import Explanation
from tertium.report.explain.findings import RELATIONS, shorten
from tertium.report.explain.losses import loss_heading, loss_rows
from tertium.report.explain.terminal_trees import dependencies, derp, forest, tree
from tertium.report.explain.views import Finding

__all__ = ["SECTIONS", "render_text"]

#: The sections, in this order.
SECTIONS = ("alignment", "forest", "tree", "dependencies", "derp", "ngrams", "edits")

#: Sections on words alone, for texts of any length.
_PLAIN = ("ngrams", "edits")

_NARROWEST = 60
_SIGNS = {"exact": "■", "stem": "◆", "synonym": "●", "paraphrase": "▲"}
_HUES = {"exact": "blue", "stem": "green", "synonym": "orange", "paraphrase": "purple"}


def render_text(
    explanation: Explanation,
    *,
    sections: Sequence[str] | None = None,
    width: int = 80,
    colour: bool = False,
    relations: int | None = RELATIONS,
) -> str:
    """Return the explanation as text.

    Parameters
    ----------
    sections : sequence of str
        Which of :data:`SECTIONS` to show; findings, scores and what the scores of
        trained metrics lost always are. By default all, or none where the output
        equals the reference.
    width : int
        Columns of the terminal; at least 60 are used.
    colour : bool
        Whether to write escape codes for colours.
    relations : int or None
        How many findings on relations in trees to show; None for all findings and
        losses.
    """
    pen = Pen(colour, max(width, _NARROWEST))
    findings = shorten(explanation.findings, relations)
    lines = list(_head(explanation, findings, pen))
    lines += _losses(explanation, pen, complete=relations is None)
    lines += _parts(explanation, pen)
    if sections is None:
        sections = () if explanation.same else SECTIONS
    if explanation.too_long and sections:
        sections = [name for name in sections if name in _PLAIN]
        lines += ["", *wrapped("", f"No diagrams: {explanation.too_long}.", pen)]
    for name in SECTIONS:
        if name not in sections:
            continue
        # Sections on words alone have no metric.
        plain = [("", explanation)] if name in _PLAIN else None
        for spec, part in plain or explanation.each(name):
            body = list(_SECTION[name](part, pen))
            if body:
                lines += ["", *([pen(spec, "bold")] if spec else []), *body]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _head(
    explanation: Explanation, findings: Sequence[Finding], pen: Pen
) -> Iterator[str]:
    if explanation.name != "this text":
        yield pen(explanation.name[0].upper() + explanation.name[1:], "bold")
        yield ""
    if explanation.source:
        yield from _labelled("source", explanation.source.split(), pen)
    number = f" {explanation.reference + 1}" if explanation.references > 1 else ""
    # The texts, including punctuation that is not among the words.
    yield from _labelled(f"reference{number}", explanation.ref_text.split(), pen)
    yield from _labelled("output", explanation.hyp_text.split(), pen)
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


def _losses(explanation: Explanation, pen: Pen, *, complete: bool) -> Iterator[str]:
    for lost in explanation.losses:
        heading = loss_heading(lost, explanation.references)
        rows = loss_rows(lost, complete=complete)
        yield ""
        yield f"{pen(lost.metric, 'bold')} {lost.score:.4f}  {heading}"
        yield from _amounts([(row.amount, row.text) for row in rows], pen)


def _parts(explanation: Explanation, pen: Pen) -> Iterator[str]:
    for one in explanation.parts:
        yield ""
        yield f"{pen(one.metric, 'bold')} {one.score:.4f}  {one.heading}"
        yield from _amounts([(f"{p.value:.3f}", p.text) for p in one.parts], pen)


def _amounts(rows: Sequence[tuple[str, str]], pen: Pen) -> Iterator[str]:
    """Yield numbers with what they stand for."""
    size = max(len(amount) for amount, _ in rows)
    for amount, text in rows:
        words = text.replace(" %", "\u00a0%").split(" ")
        for number, line in enumerate(wrap(words, pen.width - size - 4)):
            shown = "" if number else amount
            joined = " ".join(line).replace("\u00a0", " ")
            yield f"  {shown.rjust(size)}  {joined}"


def _flow(label: str, cells: Sequence[str], pen: Pen) -> Iterator[str]:
    # Cells are never broken: their spaces count as letters.
    rows = wrap([cell.replace(" ", "\u00a0") + "  " for cell in cells], pen.width - 12)
    for number, row in enumerate(rows):
        text = " ".join(row).replace("\u00a0", " ")
        yield pen(pad(label if number == 0 else "", 12), "muted") + text


def _labelled(label: str, words: Sequence[str], pen: Pen) -> Iterator[str]:
    rows = wrap(list(words), pen.width - 12) or [["(no words)"]]
    for number, row in enumerate(rows):
        yield pen(pad(label if number == 0 else "", 12), "muted") + " ".join(row)


# ------------------------------------------------------------------------ alignment


def _alignment(explanation: Explanation, pen: Pen) -> Iterator[str]:
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
    # Columns are three wide; the rest goes into another band below.
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
    ref: Sequence[str], band: range, indent: int, pen: Pen
) -> Iterator[str]:
    """Yield the reference words as steps, so that they are legible."""
    # Steps need space on the right; without it, numbers with a legend below.
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


# --------------------------------------------------------------------------- surface


def _ngrams(explanation: Explanation, pen: Pen) -> Iterator[str]:
    if not explanation.ngrams or not explanation.hyp:
        return
    legend = "in the reference" if explanation.too_long else "■ in the reference, · not"
    yield pen("N-grams of the output", "bold") + f"  {legend}"
    for hits in explanation.ngrams:
        total = len(hits.found)
        if not total:
            continue
        if explanation.too_long:
            yield f"  {hits.order}  {hits.hits:,}/{total:,}"
            continue
        signs = "".join("■" if hit else "·" for hit in hits.found)
        for start in range(0, total, pen.width - 20):
            label = f"  {hits.order}  {hits.hits}/{total}" if start == 0 else ""
            yield pad(label, 14) + signs[start : start + pen.width - 20]


def _edits(explanation: Explanation, pen: Pen) -> Iterator[str]:
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
    "forest": forest,
    "tree": tree,
    "dependencies": dependencies,
    "derp": derp,
    "ngrams": _ngrams,
    "edits": _edits,
}

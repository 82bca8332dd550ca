# SPDX-License-Identifier: Apache-2.0
"""Outputs with error spans: as text with underlines, and as JSON.

Minor errors are underlined by ``~``, major ones by ``^``; colour only repeats that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.report.draw.lettering import columns
from tertium.report.draw.pen import Pen, wrapped

if TYPE_CHECKING:
    from tertium.learn.spans import ErrorSpan, MarkedSegment

__all__ = ["render_spans", "spans_to_dict"]

_SIGNS = {"minor": "~", "major": "^"}
_HUES = {"minor": "orange", "major": "red"}
_NARROWEST = 40
_PART = re.compile(r"\S+\s*|\s+")


def render_spans(
    marked: Sequence[MarkedSegment], *, width: int = 80, colour: bool = False
) -> str:
    """Return marked outputs as text for a terminal.

    Parameters
    ----------
    marked : sequence of MarkedSegment
    width : int
        Columns of the terminal; at least 40 are used.
    colour : bool
        Whether to write escape codes for colours.

    Examples
    --------
    >>> from tertium import Testset
    >>> from tertium.learn.spans import mark_testset
    >>> testset = Testset(
    ...     [("We will meet at three.",)], {"A": ["We meets at noon."]},
    ...     langpair="de-en",
    ... )
    >>> print(render_spans(mark_testset(testset), width=60))
    A, segment 1 (96.7)
    <BLANKLINE>
      We meets at noon.
         ~~~~~~~~~~~~~
    <BLANKLINE>
      minor  inflection  0.36  meets at noon
    <BLANKLINE>
      reference: We will meet at three.
    <BLANKLINE>
    """
    pen = Pen(colour, max(width, _NARROWEST))
    blocks = ["\n".join(_block(each, pen)) for each in marked]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def spans_to_dict(marked: MarkedSegment) -> dict[str, object]:
    """Return a marked output as JSON; see ``tertium explain --help``."""
    output = marked.output
    return {
        "system": marked.system,
        "segment": marked.segment,
        "name": marked.name,
        "hyp": output.text,
        "refs": list(marked.references),
        "score": round(output.score, 4),
        "spans": [
            {
                **span._asdict(),
                "probability": round(span.probability, 4),
                "text": _text(output.text, span),
            }
            for span in output.spans
        ],
    }


def _block(marked: MarkedSegment, pen: Pen) -> Iterator[str]:
    output = marked.output
    head = f"{marked.system}, segment {marked.name}" if marked.system else "Score"
    yield pen(f"{head} ({output.score:.1f})", "bold")
    yield ""
    for begin, end in _lines(output.text, pen.width - 2):
        yield ("  " + _shown(output.text[begin:end])).rstrip()
        if under := _underline(output.text, begin, end, output.spans, pen):
            yield f"  {under}"
    yield ""
    rows = [
        (span.severity, span.category, f"{span.probability:.2f}", span)
        for span in output.spans
    ]
    if not rows:
        yield "  no errors found"
    width = max((len(category) for _, category, _, _ in rows), default=0)
    for severity, category, probability, span in rows:
        text = _text(output.text, span)
        quoted = "" if text is None else _shown(text)
        line = f"{pen(severity, _HUES[severity])}  {category:{width}}  {probability}"
        yield f"  {line}  {quoted}".rstrip()
    yield ""
    for reference in marked.references:
        yield from wrapped("  ", f"reference: {_shown(reference)}", pen)


def _text(text: str, span: ErrorSpan) -> str | None:
    if span.start is None or span.end is None:
        return None
    return text[span.start : span.end]


def _lines(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield where lines of at most `width` columns begin and end, cut at spaces."""
    begin = end = used = 0
    for match in _PART.finditer(text):
        size = columns(_shown(match.group().rstrip()))
        if used + size > width and end > begin:
            yield begin, end
            begin, used = end, 0
        used += columns(_shown(match.group()))
        end = match.end()
    yield begin, end


def _underline(
    text: str, begin: int, end: int, spans: Sequence[ErrorSpan], pen: Pen
) -> str:
    """Return the signs below a line."""
    signs = [" "] * (end - begin)
    for span in spans:
        if span.start is not None and span.end is not None:
            for i in range(max(span.start, begin), min(span.end, end)):
                signs[i - begin] = _SIGNS[span.severity]
    wide = [sign * columns(_shown(text[begin + i])) for i, sign in enumerate(signs)]
    line = "".join(wide).rstrip()
    hues = {_SIGNS[severity]: hue for severity, hue in _HUES.items()}
    return re.sub(r"~+|\^+", lambda match: pen(match[0], hues[match[0][0]]), line)


def _shown(text: str) -> str:
    """Return a text without control characters, which a terminal would obey."""
    return "".join(" " if char < " " or char == "\x7f" else char for char in text)

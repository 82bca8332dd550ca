# SPDX-License-Identifier: Apache-2.0
"""Error spans as Appraise counts them: in the text that it shows."""

from __future__ import annotations

from tertium.judgements.formats.cells import from_json
from tertium.judgements.formats.marks import Mark, marks, places_of

__all__ = ["including_end", "row_marks", "shown_marks"]


def row_marks(text: str, target: str | None) -> list[Mark]:
    """Return the errors in a cell of an export.

    Parameters
    ----------
    text : str
        The cell, JSON.
    target : str, optional
        The output.

    Raises
    ------
    ValueError
        When they are not understood.
    """
    if text in ("", "None", "[]"):
        return []
    spans = from_json(text, "the error spans are")
    if isinstance(spans, dict) and "payload" in spans:
        spans = spans["payload"]  # Tutorials say what is expected, too.
    if isinstance(spans, list):
        shown = None if target is None else target.strip()
        spans = [including_end(span, shown) for span in spans]
    return shown_marks(spans, target)


def shown_marks(spans: object, target: str | None) -> list[Mark]:
    """Return errors of an output, which Appraise shows without white space around it.

    So does ``MQMItemHandler`` in its script for documents (commit 17c319c).
    """
    if target is None or target == target.strip():
        return marks(spans, text=target)
    before = len(target) - len(target.lstrip())
    return [
        mark
        if mark.start is None or mark.end is None
        else mark._replace(start=mark.start + before, end=mark.end + before)
        for mark in marks(spans, text=target.strip())
    ]


def including_end(span: object, target: str | None) -> object:
    """Return a span with the end on its last character, as judges mark them.

    Spans of batches, filled in before a judge saw them or expected in a tutorial, have
    no ``error_type``, and end after the last character, sometimes after the text (WMT
    2023, and Examples/MQM+ESA/batches_esa.json of Appraise, commit 44cc7b0).
    """
    if not isinstance(span, dict) or "error_type" in span:
        return span
    first, last = span.get("start_i"), span.get("end_i")
    if not isinstance(first, int) or not isinstance(last, int) or last <= first:
        return span
    most = last - 1 if target is None else min(last, len(places_of(target))) - 1
    return span | {"end_i": max(first, most)}

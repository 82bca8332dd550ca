# SPDX-License-Identifier: Apache-2.0
"""An explanation as a fragment of HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tertium.report.tables.fragment import block

if TYPE_CHECKING:
    from tertium.report.explain.explained import Explanation

__all__ = ["explanation_fragment"]

_MOST = 12  # findings


def explanation_fragment(explanation: Explanation) -> str:
    """Return texts, scores, findings and the alignment of a segment."""
    scores = [
        f"{escape(label)} {escape(score.shown)}"
        for label, score in zip(explanation.labels, explanation.scores, strict=True)
    ]
    title = escape(f"Why {explanation.name} has its score")
    parts = [f"<p><b>{title}</b></p>\n"]
    texts = {
        "source": explanation.source,
        "reference": explanation.ref_text,
        "output": explanation.hyp_text,
    }
    rows = "".join(
        f'<tr><th class="text" scope="row">{name}</th>'
        f'<td class="text" dir="auto">{escape(text)}</td></tr>\n'
        for name, text in texts.items()
        if text is not None
    )
    parts.append(f"<table><tbody>{rows}</tbody></table>\n")
    if scores:
        parts.append(f"<p>{'; '.join(scores)}</p>\n")
    findings = [escape(each.text) for each in explanation.findings]
    shown = "".join(f"<li>{text}</li>\n" for text in findings[:_MOST])
    parts.append(f"<ul>{shown}</ul>\n")
    if len(findings) > _MOST:
        parts.append(f"<p>{len(findings) - _MOST:,} more: to_text() has them</p>\n")
    if explanation.matches and not explanation.same and not explanation.too_long:
        diagram = explanation.to_svg("alignment")
        parts.append(f'<div class="scroll">{diagram}</div>\n')
    return block("".join(parts))

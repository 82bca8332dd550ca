# SPDX-License-Identifier: Apache-2.0
"""Instructions and consent texts: Markdown in, safe HTML out."""

from __future__ import annotations

from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

__all__ = ["to_html"]


@cache
def _reader() -> MarkdownIt:
    # HTML in the text is shown as text, and links to scripts are removed.
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def to_html(text: str) -> SafeString:
    """Return Markdown as HTML; HTML in it is shown, not used."""
    html: SafeString = mark_safe(_reader().render(text))  # noqa: S308 - HTML is escaped
    return html

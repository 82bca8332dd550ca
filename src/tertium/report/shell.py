# SPDX-License-Identifier: Apache-2.0
"""The shell of every report: head, header, sections, footer, scripts.

Pages need nothing but themselves: a content policy forbids them to load anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tertium._version import __version__
from tertium.report.explain.style import HEAD
from tertium.report.html_tables import plain

__all__ = ["POLICY", "Section", "contents", "masthead", "page_shell", "warnings"]

#: Pages load nothing from anywhere.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data:"
)

#: The key, the title and the body (HTML) of a section.
Section = tuple[str, str, str]


def page_shell(
    title: str,
    *,
    style: str,
    header: Iterable[str],
    sections: Sequence[Section],
    scripts: Iterable[str],
    before: Iterable[str] = (),
    footer: str = "",
    head: str = "",
) -> str:
    """Return a whole page.

    Parameters
    ----------
    title : str
        Of the window.
    style : str
        The style sheet.
    header, before, scripts : iterable of str
        HTML: what stands in the header, before the first section, and at the end.
    sections : sequence of Section
    footer : str
        What follows the name of the program.
    head : str
        HTML that is added to the head.
    """
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    start = HEAD.format(title=plain(title), style=style)
    start = start.replace(
        '<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}', 1
    )
    parts = [
        start.replace("</head>", f"{head}\n</head>") if head else start,
        "<header>",
        *header,
        "</header>\n<main>",
        *before,
    ]
    for key, name, body in sections:
        parts.append(
            f'<section id="{key}" aria-labelledby="{key}-title">'
            f'<h2 id="{key}-title">{plain(name)}</h2>{body}</section>'
        )
    parts += [
        f"</main>\n<footer>Made by Tertium {__version__}{plain(footer)}.</footer>",
        *scripts,
        "</body>\n</html>\n",
    ]
    return "\n".join(part for part in parts if part)


def contents(sections: Sequence[Section], *further: str) -> str:
    """Return links to the sections, and further items (HTML)."""
    items = [
        f'<li><a href="#{key}">{plain(name)}</a></li>' for key, name, _ in sections
    ]
    items += [f"<li>{item}</li>" for item in further]
    return (
        '<nav aria-label="Sections"><ul class="contents">'
        + "\n".join(items)
        + "</ul></nav>"
    )


def masthead(kicker: str, heading: str, lead: str) -> str:
    """Return what a page is about, what it found, and that in a few sentences."""
    return (
        f'<p class="kicker">{plain(kicker)}</p><h1>{plain(heading)}</h1>\n'
        f'<p class="lead">{plain(lead)}</p>'
    )


def warnings(heading: str, texts: Iterable[str]) -> str:
    """Return what readers should know before they trust the rest, if anything."""
    items = "".join(f"<li>{plain(text)}</li>" for text in texts)
    if not items:
        return ""
    return f'<div class="cautions"><h2>{heading}</h2><ul>{items}</ul></div>'

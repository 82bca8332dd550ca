# SPDX-License-Identifier: Apache-2.0
"""HTML from components, by the Jinja templates in ``report/templates``.

Everything is escaped automatically. Only the chart library and SVG diagrams are marked
as safe, where the templates say why.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.report.components import Component, Page

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["TEMPLATES", "render", "show"]

#: The folder of the templates, the style sheet and the scripts.
TEMPLATES = Path(__file__).parent / "templates"


def render(page: Page) -> str:
    """Return a page as one HTML file that loads nothing.

    Examples
    --------
    >>> from tertium.report.components import Cell, Section, Table, Text
    >>> rows = [[Cell("A"), Cell("31.2", 31.2, "number")]]
    >>> blocks = [Text("One system."), Table("Scores", ["system", "BLEU"], rows)]
    >>> page = Page("A scores best", sections=[Section("scores", "Scores", blocks)])
    >>> render(page)[:15]
    '<!DOCTYPE html>'
    """
    return _environment().get_template("base.html").render(page=page)


def show(component: Component, macro: str = "") -> Markup:
    """Return the HTML of a component.

    Parameters
    ----------
    component : Component
    macro : str, optional
        A macro other than the component's own, for a part of it.
    """
    macros = _environment().get_template("components.html").module
    html: Markup = getattr(macros, macro or component.macro)(component)
    return html


def _show_all(components: Iterable[Component]) -> Markup:
    from markupsafe import Markup

    return Markup("\n").join(map(show, components))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    # Imported here: most commands write no page.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from tertium.report.draw.palette import dark_rules
    from tertium.report.draw.vega import bundle

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    environment.globals.update(
        show=show,
        show_all=_show_all,
        version=__version__,
        diagram_rules=dark_rules(),
        chart_library=bundle,
    )
    return environment


def _printable(value: object) -> object:
    """Return a value to print: control characters and surrogates become U+FFFD.

    They are not allowed in HTML. Markup was checked when it was made.
    """
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    if value.isprintable():
        return value
    return "".join(
        "\ufffd" if char < " " or "\ud800" <= char <= "\udfff" else char
        for char in value
    )

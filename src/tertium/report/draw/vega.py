# SPDX-License-Identifier: Apache-2.0
"""Vega-Altair charts: their colours, and how they get into a page or a file.

Charts on a page use CSS variables as colours, so they follow the reader's light or
dark screen, and print, without being drawn again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from altair import TopLevelMixin

__all__ = [
    "FILES",
    "LIGHT",
    "PAGE",
    "PANEL",
    "Colours",
    "Drawn",
    "altair",
    "bundle",
    "export",
    "file_kind",
    "panels",
    "spec",
]

#: File name extensions of charts.
FILES = ("svg", "png", "json")
#: Width of a small panel.
PANEL = 250


@dataclass(frozen=True)
class Colours:
    """The colours of a chart: hues of Okabe and Ito; shapes differ as well.

    `cool` and `warm` fill cells; `ink` is legible on them.
    """

    ink: str
    muted: str
    rule: str
    paper: str
    blue: str
    orange: str
    green: str
    cool: str
    warm: str


#: On pages: variables of the style sheet.
PAGE = Colours(
    "var(--ink)",
    "var(--muted)",
    "var(--rule)",
    "transparent",
    "var(--chart-blue)",
    "var(--chart-orange)",
    "var(--chart-green)",
    "var(--chart-cool)",
    "var(--chart-warm)",
)
#: In files.
LIGHT = Colours(
    "#1b1f24",
    "#5b6470",
    "#dfe3e8",
    "#ffffff",
    "#0072B2",
    "#c77700",
    "#00795a",
    "#4aa3d8",
    "#eeb04e",
)


@dataclass(frozen=True)
class Drawn:
    """A chart, and its data, which it calls ``rows``."""

    chart: TopLevelMixin
    rows: Sequence[Mapping[str, Any]]


#: The address space that V8 reserves (measured: 64 GB are too few, 128 GB suffice).
_ADDRESSES = 128 << 30

_FONT = 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif'


def altair() -> ModuleType:
    """Return the Altair package.

    Raises
    ------
    MissingExtraError
        If Altair or vl-convert is not installed.
    InputError
        If this process cannot reserve the address space that charts need.
    """
    try:
        import altair as alt
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("a report with charts", extra="plots") from error
    _check_addresses()
    module: ModuleType = alt
    return module


def _check_addresses() -> None:
    """Raise if V8, which draws charts, could not start and would end the process."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < _ADDRESSES:
        message = (
            f"charts need {_ADDRESSES >> 30} GB of address space (not memory), but the "
            f"limit of this process is {limit >> 30} GB; run `ulimit -v unlimited` "
            "first, or omit charts"
        )
        raise InputError(message)


@lru_cache(maxsize=1)
def bundle() -> str:
    """Return Vega, Vega-Lite and vega-embed as one script without imports.

    Building it takes seconds.
    """
    alt = altair()
    import vl_convert

    wanted = ".".join(str(alt.SCHEMA_VERSION).lstrip("v").split(".")[:2])
    known = vl_convert.get_vegalite_versions()
    version = wanted if wanted in known else None
    script: str = vl_convert.javascript_bundle(
        "window.vegaEmbed = vegaEmbed;", vl_version=version
    )
    return script.replace("</script", "<\\/script")


def spec(drawn: Drawn, colours: Colours) -> dict[str, Any]:
    """Return a chart as Vega-Lite in the colours of a page or a file."""
    out: dict[str, Any] = drawn.chart.to_dict()
    out["datasets"] = {"rows": drawn.rows}
    out["config"] = _config(colours)
    # The address of the schema is not needed, and pages load nothing.
    out.pop("$schema", None)
    return out


def _config(colours: Colours) -> dict[str, Any]:
    text = {"labelColor": colours.ink, "titleColor": colours.muted}
    return {
        "background": colours.paper,
        "font": _FONT,
        "view": {"stroke": colours.rule},
        "axis": {
            **text,
            "domainColor": colours.muted,
            "gridColor": colours.rule,
            "tickColor": colours.rule,
            "labelFontSize": 12,
            "labelLimit": 190,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        "axisQuantitative": {"labelOverlap": True, "labelFlush": False},
        "header": {**text, "labelFontSize": 13, "labelFontWeight": 600},
        "legend": {**text, "labelFontSize": 12, "orient": "top", "labelLimit": 300},
        "text": {"color": colours.ink},
        # No value is missing; filters would only separate the layers of a chart.
        # Screen readers have the description and the tables.
        "mark": {"color": colours.blue, "invalid": "show", "aria": False},
    }


def file_kind(path: str) -> str:
    """Return the format of a chart file by its extension.

    Raises
    ------
    InputError
        If it is not in ``FILES``.

    Examples
    --------
    >>> file_kind("values.svg")
    'svg'
    """
    ending = os.path.splitext(path)[1].lstrip(".").lower()
    if ending not in FILES:
        named = ", ".join(f".{each}" for each in FILES)
        raise InputError(f"{path} is not a chart file; use a name that ends in {named}")
    return ending


def export(drawn: Drawn, path: str) -> bytes:
    """Return a chart as a file in the format of a path's extension.

    Raises
    ------
    InputError
        If the extension is not in ``FILES``.
    """
    ending = file_kind(path)
    light = spec(drawn, LIGHT)
    if ending == "json":
        return (json.dumps(light, ensure_ascii=False, indent=2) + "\n").encode()
    altair()
    import vl_convert

    if ending == "svg":
        svg: str = vl_convert.vegalite_to_svg(light)
        return svg.encode()
    image: bytes = vl_convert.vegalite_to_png(light, scale=2)
    return image


def panels(alt: Any, order: list[str], *, field: str = "p") -> Any:  # alt.Facet
    """Return small panels side by side, one per value of the field."""
    return alt.Facet(f"{field}:N", sort=order, title=None)

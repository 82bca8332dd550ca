# SPDX-License-Identifier: Apache-2.0
"""The page bench/LOAD.md, a section of which each program of this folder writes."""

from __future__ import annotations

import re

from bench.measure import ROOT

PAGE = ROOT / "bench" / "LOAD.md"
_START = """\
# Load

Memory, time and scale for large inputs. Every section names the command that printed
it; see `python -m bench --list`.
"""


def table_rows(title: str) -> dict[str, str]:
    """Return the rows of a section's tables by their first cells.

    Parameters
    ----------
    title : str
        The section's heading, without number signs.
    """
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    match = _section(title).search(page)
    lines = match.group().splitlines() if match else []
    return {line.split(" | ")[0][2:]: line for line in lines if line.startswith("| ")}


def _section(title: str) -> re.Pattern[str]:
    return re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.M | re.S)


def write_section(title: str, text: str) -> None:
    """Replace a section of the page, or add it at the end.

    Parameters
    ----------
    title : str
        Its heading, without number signs.
    text : str
    """
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else _START
    section = f"## {title}\n\n{text.strip()}\n"
    pattern = _section(title)
    if pattern.search(page):
        page = pattern.sub(lambda _: f"{section}\n", page)
    else:
        page = f"{page.rstrip()}\n\n{section}"
    PAGE.write_text(f"{page.rstrip()}\n", encoding="utf-8")

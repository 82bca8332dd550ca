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
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.M | re.S)
    if pattern.search(page):
        page = pattern.sub(lambda _: f"{section}\n", page)
    else:
        page = f"{page.rstrip()}\n\n{section}"
    PAGE.write_text(f"{page.rstrip()}\n", encoding="utf-8")

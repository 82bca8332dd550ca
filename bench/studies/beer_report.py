# SPDX-License-Identifier: Apache-2.0
"""The report of the studies of BEER: one file, a section for each study.

Every study prints Markdown; with ``--write`` it also replaces its own section of
``bench/BEER.md`` and leaves the others alone.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.measure import ROOT

__all__ = [
    "PATH",
    "SECTIONS",
    "decimals",
    "run_section",
    "section_rows",
    "table",
    "write_section",
]

PATH = ROOT / "bench" / "BEER.md"
SECTIONS = (
    "BEER 4",
    "blocks",
    "language pairs",
    "every pair",
    "tricks",
    "models",
    "balance",
    "headline",
    "ablation",
    "objectives",
    "scaling",
    "length",
    "learning curve",
    "transfer",
    "speed",
)
_HEAD = """\
# Studies of BEER

Written by `python -m bench beer_NAME --write`, a section each. Models learn from the
rankings of WMT12, WMT15 and WMT16; WMT14 (rankings) and WMT17 (direct assessment) are
for these reports alone.
"""


def write_section(title: str, text: str, *, path: Path = PATH) -> None:
    """Replace the section of a study in the report, or put it in its place.

    Parameters
    ----------
    title : str
        One of `SECTIONS`; it becomes the heading.
    text : str
        Markdown without that heading.
    path : Path
    """
    if title not in SECTIONS:
        message = f"no section {title!r}; choose one of {', '.join(SECTIONS)}"
        raise ValueError(message)
    sections = _sections(path)
    sections[title] = f"## {title[0].upper()}{title[1:]}\n\n{text.strip()}\n"
    parts = [
        f"<!-- begin {name} -->\n{sections[name]}<!-- end {name} -->\n"
        for name in SECTIONS
        if name in sections
    ]
    path.write_text("\n".join([_HEAD, *parts]), encoding="utf-8", newline="\n")


def section_rows(title: str, *, path: Path = PATH) -> list[list[str]]:
    """Return the rows of the table in a section, without its head."""
    lines = [
        line for line in _sections(path).get(title, "").split("\n") if line[:1] == "|"
    ]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines[2:]]


def _sections(path: Path) -> dict[str, str]:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    pattern = re.compile(r"<!-- begin (.+?) -->\n(.*?)<!-- end \1 -->\n", re.DOTALL)
    return dict(pattern.findall(text))


def run_section(title: str, about: str | None, report: Callable[[], str]) -> None:
    """Print a study of one section, and write it down if asked to."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--write", action="store_true", help="into bench/BEER.md")
    options = parser.parse_args()
    text = report()
    print(text)
    if options.write:
        write_section(title, text)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, names to the left and figures to the right."""
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows)) + "\n"


def decimals(value: float | None, digits: int = 3) -> str:
    """Return .345, -.012 or 1.000, as the literature prints correlations."""
    if value is None:
        return ""
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text

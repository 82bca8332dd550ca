# SPDX-License-Identifier: Apache-2.0
"""Markdown tables."""

from __future__ import annotations


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), "|---" * len(head) + "|", *map(line, rows)]) + "\n"

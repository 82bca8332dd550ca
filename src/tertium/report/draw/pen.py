# SPDX-License-Identifier: Apache-2.0
"""Text for a terminal: coloured or plain, wrapped to its width."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tertium.report.draw.lettering import wrap

__all__ = ["Pen", "wrapped"]

_CODES = {
    "bold": "1", "muted": "2", "blue": "34", "orange": "33", "red": "31", "green": "32",
    "purple": "35",
}  # fmt: skip


@dataclass(frozen=True)
class Pen:
    """Writes in colour, or not."""

    colour: bool
    width: int

    def __call__(self, text: str, hue: str = "") -> str:
        """Return a text, in a colour if colours are on."""
        if not self.colour or not hue or not text:
            return text
        return f"\x1b[{_CODES[hue]}m{text}\x1b[0m"


def wrapped(indent: str, text: str, pen: Pen) -> Iterator[str]:
    """Yield the lines of a text, each after the indent."""
    for row in wrap(text.split(), pen.width - len(indent)):
        yield indent + " ".join(row)

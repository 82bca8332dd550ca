# SPDX-License-Identifier: Apache-2.0
"""The diagram of the guide on line breaks: an output before and after it is cut.

A document of the demo set, with its lines broken after every 25 words.
"""

from __future__ import annotations

import tertium
from tertium.data.segmentation import resegment
from tertium.data.segmentation.results import SURE
from tertium.report.draw.palette import STATUS
from tertium.report.draw.svg import Box, Canvas

__all__ = ["resegment_figure"]

_WIDTH = 620  # of all words
_HEIGHT, _APART = 26, 14
_LINE = 25  # words

_CAPTION = (
    "One document of the demo set, whose output has its lines broken after every "
    f"{_LINE} words. Widths are numbers of words. Dashed segments are uncertain: they "
    "begin or end inside a sentence of the output."
)


def resegment_figure() -> str:
    """Return the diagram with its caption, as HTML."""
    return (
        f'<figure class="diagram"><div class="scroll">{_drawn().to_svg()}</div>'
        f"<figcaption>{_CAPTION}</figcaption></figure>\n"
    )


def _drawn() -> Canvas:
    testset = tertium.read("demo")
    members = next(iter(testset.documents().values()))
    refs = [testset.references[k][0] for k in members]
    words = " ".join(testset.systems["order"][k] for k in members).split()
    lines = [" ".join(words[k : k + _LINE]) for k in range(0, len(words), _LINE)]
    result = resegment(refs, lines, always=True)
    canvas = Canvas("Lines of an output, and the segments it is cut into")
    rows = {
        "output": [(line, True) for line in lines],
        "cut": [(one.text, one.certainty >= SURE) for one in result.segments],
        "reference": [(ref, True) for ref in refs],
    }
    for row, (name, parts) in enumerate(rows.items()):
        top = row * (_HEIGHT + _APART)
        canvas.text(-10, top + _HEIGHT / 2, name, size=13, anchor="end")
        scale = _WIDTH / sum(len(text.split()) for text, _ in parts)
        left = 0.0
        for number, (text, sure) in enumerate(parts, start=1):
            right = left + len(text.split()) * scale
            paint = STATUS["matched" if sure else "renamed"]
            title = f"{name} {number}: {text}"
            box = Box(left + 1, top, right - 1, top + _HEIGHT)
            canvas.rect(box, paint, radius=4, title=title)
            left = right
    return canvas

# SPDX-License-Identifier: Apache-2.0
"""The diagram of the guide on caches: what a second run finds and what it computes.

Blocks are those of the real cache, on generated texts of which some were changed.
"""

from __future__ import annotations

import tempfile

import numpy as np

from tertium.cache import Cache, digest, segment_digests
from tertium.cache.blocks import BlockRows, blocks
from tertium.report.draw.palette import STATUS
from tertium.report.draw.svg import Box, Canvas

__all__ = ["cache_figure"]

_SEGMENTS = 3000
_WIDTH = 620  # of all segments
_HEIGHT, _APART = 26, 10

_CAPTION = (
    f"A second run on {_SEGMENTS:,} segments. Meanwhile segment 700 of A was changed, "
    "a segment was inserted at 2,100 (in all texts), and system C is new. Solid boxes "
    "are blocks that are found, dashed ones are computed."
)


def cache_figure() -> str:
    """Return the diagram with its caption, as HTML."""
    return (
        f'<figure class="diagram"><div class="scroll">{_drawn().to_svg()}</div>'
        f"<figcaption>{_CAPTION}</figcaption></figure>\n"
    )


def _drawn() -> Canvas:
    refs = [f"reference {i}" for i in range(_SEGMENTS)]
    systems = {name: [f"{name} {i}" for i in range(_SEGMENTS)] for name in "AB"}
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        for lookup in _looked_up(cache, systems, refs).values():
            lookup.complete(np.zeros((len(lookup.missing), 1)))
        systems["A"][700] = "changed"
        systems["C"] = [f"C {i}" for i in range(_SEGMENTS)]
        for texts in (refs, *systems.values()):
            texts.insert(2100, "inserted")
        second = _looked_up(cache, systems, refs)
    canvas = Canvas("Blocks of segments that a second run finds and computes")
    scale = _WIDTH / len(refs)
    ranges = blocks(segment_digests([], [[ref] for ref in refs])[0])
    for row, (name, lookup) in enumerate(second.items()):
        top = row * (_HEIGHT + _APART)
        canvas.text(-10, top + _HEIGHT / 2, name, size=13, anchor="end")
        missing = set(lookup.missing)
        for block in ranges:
            computed = block.start in missing
            paint = STATUS["renamed" if computed else "matched"]
            box = Box(
                block.start * scale + 1, top, block.stop * scale - 1, top + _HEIGHT
            )
            state = "computed" if computed else "found"
            title = f"{name}: segments {block.start} to {block.stop - 1} {state}"
            canvas.rect(box, paint, radius=4, title=title)
    return canvas


def _looked_up(
    cache: Cache, systems: dict[str, list[str]], refs: list[str]
) -> dict[str, BlockRows]:
    shared, by_system = segment_digests(list(systems.values()), [[r] for r in refs])
    return {
        name: BlockRows(cache, "rows", digest("guide"), digests, blocks(shared), 1)
        for name, digests in zip(systems, by_system, strict=True)
    }

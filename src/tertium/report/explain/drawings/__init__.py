# SPDX-License-Identifier: Apache-2.0
"""Drawings: one function each, from an explanation to SVG."""

from collections.abc import Callable

from tertium.errors import InputError
from tertium.report.draw.svg import Canvas
from tertium.report.explain.drawings.alignment import draw_alignment
from tertium.report.explain.drawings.blocks import draw_forest, draw_tree
from tertium.report.explain.drawings.dependencies import draw_dependencies
from tertium.report.explain.drawings.legend import draw_label
from tertium.report.explain.drawings.paths import draw_paths
from tertium.report.explain.explained import Explanation

__all__ = [
    "DRAWINGS",
    "draw",
    "draw_alignment",
    "draw_dependencies",
    "draw_forest",
    "draw_paths",
    "draw_tree",
]

#: The drawings by name.
DRAWINGS: dict[str, Callable[[Explanation], Canvas]] = {
    "alignment": draw_alignment,
    "tree": draw_tree,
    "forest": draw_forest,
    "dependencies": draw_dependencies,
    "derp": draw_paths,
}


def draw(explanation: Explanation, name: str, spec: str = "") -> Canvas:
    """Return a drawing by name, with a label if a spec is given.

    Parameters
    ----------
    explanation : Explanation
        Perhaps one of :meth:`Explanation.each`, which names its metric.
    name : str
        Of :data:`DRAWINGS`.
    spec : str
        The metric whose view it shows.

    Raises
    ------
    InputError
        If there are too many words to draw.
    """
    if explanation.too_long:
        raise InputError(f"{explanation.name}: {explanation.too_long}")
    canvas = DRAWINGS[name](explanation)
    if spec:
        draw_label(canvas, spec)
    return canvas

# SPDX-License-Identifier: Apache-2.0
"""Drawings: one function each, from an explanation to SVG."""

from collections.abc import Callable

from tertium.errors import InputError
from tertium.report.drawings.alignment import draw_alignment
from tertium.report.drawings.blocks import draw_forest, draw_tree
from tertium.report.drawings.dependencies import draw_dependencies
from tertium.report.drawings.legend import draw_label
from tertium.report.drawings.paths import draw_paths
from tertium.report.explained import Explanation
from tertium.report.svg import Canvas

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

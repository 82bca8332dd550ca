# SPDX-License-Identifier: Apache-2.0
"""Diagrams: one function each, from an explanation to SVG."""

from collections.abc import Callable

from tertium.errors import InputError
from tertium.report.draw.legend import draw_label
from tertium.report.draw.svg import Canvas
from tertium.report.explain.diagrams.alignment import draw_alignment
from tertium.report.explain.diagrams.blocks import draw_forest, draw_tree
from tertium.report.explain.diagrams.dependencies import draw_dependencies
from tertium.report.explain.diagrams.paths import draw_paths
from tertium.report.explain.explained import Explanation

__all__ = [
    "DIAGRAMS",
    "draw",
    "draw_alignment",
    "draw_dependencies",
    "draw_forest",
    "draw_paths",
    "draw_tree",
]

#: The diagrams by name.
DIAGRAMS: dict[str, Callable[[Explanation], Canvas]] = {
    "alignment": draw_alignment,
    "tree": draw_tree,
    "forest": draw_forest,
    "dependencies": draw_dependencies,
    "derp": draw_paths,
}


def draw(explanation: Explanation, name: str, spec: str = "") -> Canvas:
    """Return a diagram by name, with a label if there is a spec.

    Parameters
    ----------
    explanation : Explanation
        Perhaps one of :meth:`Explanation.each`, which names its metric.
    name : str
        Of :data:`DIAGRAMS`.
    spec : str
        The metric whose view it shows.

    Raises
    ------
    InputError
        If there are too many words to draw.
    """
    if explanation.too_long:
        raise InputError(f"{explanation.name}: {explanation.too_long}")
    canvas = DIAGRAMS[name](explanation)
    if spec:
        draw_label(canvas, spec)
    return canvas

# SPDX-License-Identifier: Apache-2.0
"""The diagrams of explanations as files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.explain import DIAGRAMS
from tertium.report.explain.diagrams import draw

if TYPE_CHECKING:
    from tertium.report.draw.svg import Canvas
    from tertium.report.explain.explained import Explanation

__all__ = ["diagram_files"]


def diagram_files(
    explanations: Sequence[Explanation], names: Sequence[str] | None = None
) -> dict[str, Canvas]:
    """Return diagrams by the names of their files.

    Parameters
    ----------
    explanations : sequence of Explanation
    names : sequence of str, optional
        Of diagrams; all of them by default.
    """
    return {
        f"{_prefix(explanation)}{name}{_suffix(spec)}.svg": draw(view, name, spec)
        for explanation in explanations
        for name in names or DIAGRAMS
        for spec, view in explanation.each(name)
    }


def _prefix(explanation: Explanation) -> str:
    parts = [] if explanation.segment is None else [f"{explanation.segment:04d}"]
    if explanation.system is not None:
        parts.append(_fit(explanation.system))
    return "".join(f"{part}-" for part in parts)


def _suffix(spec: str) -> str:
    return f"-{_fit(spec)}" if spec else ""


def _fit(name: str) -> str:
    """Return a name for a file: names may hold what paths may not."""
    return re.sub(r"[^\w.+=-]+", "_", name)

# SPDX-License-Identifier: Apache-2.0
"""Results that notebooks show as tables."""

from __future__ import annotations

__all__ = ["Shown"]


class Shown:
    """A result that IPython, Jupyter, marimo and VS Code show as HTML."""

    def _repr_html_(self) -> str:
        """Return the result as a fragment of HTML without scripts."""
        import tertium

        return tertium.tabulate(self, "fragment")  # type: ignore[arg-type]

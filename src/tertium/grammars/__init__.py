# SPDX-License-Identifier: Apache-2.0
"""Paraphrase grammars: huge sets of references, and the closest one of them.

Names are imported on first use, so that ``import tertium.grammars`` costs nothing.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.grammars.automaton import Automaton
    from tertium.grammars.edits import EditCosts
    from tertium.grammars.matching import Correction, Match, Matcher, closest

__all__ = ["Automaton", "Correction", "EditCosts", "Match", "Matcher", "closest"]

_HOMES = {
    "automaton": ("Automaton",),
    "edits": ("EditCosts",),
    "matching": ("Correction", "Match", "Matcher", "closest"),
}


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(importlib.import_module(f"{__name__}.{home}"), name)
            globals()[name] = value
            return value
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted({*globals(), *__all__})

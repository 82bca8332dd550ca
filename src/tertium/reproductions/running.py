# SPDX-License-Identifier: Apache-2.0
"""Repeat a published table or figure, and keep what came out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome

__all__ = ["Recipe", "read_outcomes", "reproduce", "write_outcomes"]

Recipe = Callable[[Exhibit, Data], Outcome]
_DIGITS = 6  # of stored figures: differences of platforms are smaller


def reproduce(exhibit: Exhibit, data: Data | None = None) -> Outcome:
    """Repeat a table or figure.

    Parameters
    ----------
    exhibit : Exhibit
    data : Data, optional
        By default the folder that ``TERTIUM_DATA`` names.

    Raises
    ------
    InputError
        When it cannot be repeated, or data are missing.
    """
    if not exhibit.recipe:
        raise InputError(f"{exhibit.name} cannot be repeated: {exhibit.why}")
    module, _, name = exhibit.recipe.partition(":")
    recipe: Recipe = getattr(
        import_module(f"tertium.reproductions.recipes.{module}"), name
    )
    start = time.perf_counter()
    outcome = recipe(exhibit, data or Data())
    return replace(outcome, seconds=time.perf_counter() - start)


def write_outcomes(outcomes: Mapping[str, Outcome]) -> str:
    """Return outcomes by the names of their exhibits as JSON, a line per figure."""
    parts = []
    for name, outcome in outcomes.items():
        fields = []
        for key, value in asdict(outcome).items():
            if isinstance(value, tuple):
                lines = ",\n".join(f"   {_line(item)}" for item in value)
                fields.append(
                    f'  "{key}": [\n{lines}\n  ]' if value else f'  "{key}": []'
                )
            else:
                fields.append(f'  "{key}": {_line(value)}')
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(fields) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_outcomes(path: Path) -> dict[str, Outcome]:
    """Return outcomes by the names of their exhibits from JSON."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return {name: _outcome(value) for name, value in content.items()}


def _outcome(content: Mapping[str, Any]) -> Outcome:
    return Outcome(
        tuple(Cell(**cell) for cell in content["cells"]),
        tuple(Claim(**claim) for claim in content["claims"]),
        tuple(
            Curve(curve["name"], tuple((x, y) for x, y in curve["points"]))
            for curve in content["curves"]
        ),
        content["axis"],
        content["seconds"],
    )


def _line(value: object) -> str:
    return json.dumps(_rounded(value), ensure_ascii=False)


def _rounded(value: object) -> object:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {
            key: _rounded(item)
            for key, item in value.items()
            if item not in ("", None) or key in ("row", "column", "name", "text")
        }
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return value

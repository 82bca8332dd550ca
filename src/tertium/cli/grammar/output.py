# SPDX-License-Identifier: Apache-2.0
"""How the actions of ``tertium grammar`` write numbers and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable

from tertium.cli.shared.render import emit
from tertium.cli.shared.values import Output

__all__ = ["decimals", "write_json"]


def write_json(result: object, output: str | None) -> None:
    """Write a result as JSON."""
    emit(json.dumps(result, ensure_ascii=False, indent=2), output)


def decimals(options: Output, usual: int) -> Callable[[float | None], str]:
    """Return a function that writes numbers, with all digits for programs."""
    digits = options.style.places

    def show(value: float | None) -> str:
        if value is None:
            return "n/a"
        if digits == -1:
            return repr(value)
        return f"{value:.{usual if digits is None else digits}f}"

    return show

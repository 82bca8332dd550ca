# SPDX-License-Identifier: Apache-2.0
"""How the actions of ``tertium grammar`` write JSON."""

from __future__ import annotations

import json

from tertium.cli.shared.render import emit

__all__ = ["write_json"]


def write_json(result: object, output: str | None) -> None:
    """Write a result as JSON."""
    emit(json.dumps(result, ensure_ascii=False, indent=2), output)

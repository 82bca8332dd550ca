# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.notes import Template

__all__ = ["CACHE"]

#: English templates by code.
CACHE: dict[str, Template] = {
    "cache-damaged": (
        "%(count)s entry of the cache %(folder)s was damaged and computed again",
        "%(count)s entries of the cache %(folder)s were damaged and computed again",
    ),
    "cache-unwritable": "results were not stored in the cache %(folder)s: %(why)s",
}

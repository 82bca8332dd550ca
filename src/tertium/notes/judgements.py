# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on human judgements, judges and rankings."""

from __future__ import annotations

__all__ = ["JUDGEMENTS"]

#: English templates by code.
JUDGEMENTS = {
    "ties-only": "calls everything a tie",
}

# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on human judgements, judges and rankings."""

from __future__ import annotations

__all__ = ["JUDGEMENTS"]

#: English templates by code.
JUDGEMENTS = {
    "ties-only": "calls everything a tie",
    # Reading, agreement
    "rows-left-out": "%(path)s: %(rows)s left out, the first at %(where)s "
    "(%(reason)s); `tertium judgements import` lists them",
    "several-campaigns": "judgements from %(campaigns)s are analysed together, and "
    "judges and systems with the same name are treated as one; select one campaign",
}

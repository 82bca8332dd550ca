# SPDX-License-Identifier: Apache-2.0
"""The formats of exports by name, for help texts too: this file needs no Django."""

from __future__ import annotations

__all__ = ["RAW", "formats"]

#: The format of raw answers.
RAW = "answers"


def formats() -> dict[str, str]:
    """Return the formats of exports and what each is, the raw answers first."""
    from tertium.judgements import FORMATS

    found = {RAW: "every answer with all that is known of it, a line of JSON each"}
    found["parquet"] = "a store of Parquet tables, for agree, rank and correlate"
    found["sqlite"] = "the same tables as one SQLite file"
    writable = {name: one.about for name, one in FORMATS.items() if one.write}
    return found | writable

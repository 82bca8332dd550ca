# SPDX-License-Identifier: Apache-2.0
"""The formats of exports by name, for help texts too: this file needs no Django."""

from __future__ import annotations

__all__ = ["RAW", "SIDES", "STORES", "formats", "imports", "losses"]

#: The format of raw answers.
RAW = "answers"
#: The formats that are the tables of Tertium as they are.
STORES = ("parquet", "sqlite")
#: What can be written beside judgements.
SIDES = {
    "participants": "those of a survey who agreed to archiving, anonymous, a table",
    "items": "what a survey showed, as a test set for score and correlate",
    "codebook": "what every column of the exports of a survey means, as Markdown",
}
# All but raw answers are about systems.
_CHECKS = ("attention checks", "training")


def formats() -> dict[str, str]:
    """Return the formats of exports and what each is, the raw answers first."""
    from tertium.judgements import FORMATS

    found = {RAW: "every answer with all that is known of it, a line of JSON each"}
    found["parquet"] = "a store of Parquet tables, for agree, rank and correlate"
    found["sqlite"] = "the same tables as one SQLite file"
    writable = {name: one.about for name, one in FORMATS.items() if one.write}
    return found | writable


def imports() -> dict[str, str]:
    """Return the formats that a campaign takes: those of exports, and others."""
    from tertium.judgements import FORMATS

    return formats() | {name: one.about for name, one in FORMATS.items()}


def losses(name: str) -> tuple[str, ...]:
    """Return what a format of exports has no place for, in words.

    Examples
    --------
    >>> losses("answers"), losses("parquet")
    ((), ('attention checks', 'training'))
    """
    from tertium.judgements import FORMATS
    from tertium.judgements.formats.losses import LOSSES

    if name == RAW or name in SIDES:
        return ()
    own = () if name in STORES else FORMATS[name].loses
    return (*(LOSSES[one] for one in own), *_CHECKS)

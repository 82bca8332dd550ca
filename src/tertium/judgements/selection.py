# SPDX-License-Identifier: Apache-2.0
"""Judgements selected by the values of their columns, or by language pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.errors import InputError, UnknownNameError
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = [
    "UNKNOWN",
    "campaign_notes",
    "check_read",
    "judges_per_campaign",
    "langpairs",
    "select",
    "select_langpairs",
]

#: Stands for judgements without a language pair, where others have one.
UNKNOWN = "unknown"

_FEW = 30  # names that a message can list


def check_read(judgements: object) -> None:
    """Raise an error for a path in place of judgements.

    Raises
    ------
    InputError
    """
    from tertium.judgements.tables import Judgements

    if not isinstance(judgements, Judgements):
        message = (
            f"judgements must be Judgements, not {judgements!r}; read files with "
            "tertium.Judgements.read"
        )
        raise InputError(message)


def select(judgements: Judgements, only: Sequence[str]) -> Judgements:
    """Return the judgements whose columns have the given values.

    Parameters
    ----------
    judgements : Judgements
    only : sequence of str
        Each is ``COLUMN=VALUE``. A column named twice may have either value;
        ``COLUMN=`` selects judgements without a value, ``COLUMN=*`` those with one.

    Raises
    ------
    InputError
        When a selection is not ``COLUMN=VALUE``, or no judgement has such a value.

    Examples
    --------
    >>> from tertium import Judgements
    >>> select(Judgements.read("demo"), ["judge=judge1"])
    <Judgements: 42 rankings, 84 ratings, 0 spans>
    """
    wanted: dict[str, list[str | None]] = {}
    for selection in only:
        column, equals, value = selection.partition("=")
        if not equals:
            message = f"{selection!r} is not COLUMN=VALUE, such as langpair=de-en"
            raise InputError(message, options=("only",))
        values = wanted.setdefault(column, [])
        values += _values(judgements, column, value)
    selected = judgements.filter(**wanted)
    for column, values in wanted.items():
        known = judgements.names(column)
        for name in values:
            if name is not None and name not in known:
                if len(known) <= _FEW:
                    raise UnknownNameError(column, name, known)
                message = f"no judgement has {column} {name!r}; check its spelling"
                raise InputError(message, options=("only",))
    return selected


def _values(judgements: Judgements, column: str, value: str) -> list[str | None]:
    """Return the values that a selection stands for; None stands for no value."""
    if value not in ("", "*"):
        return [value]
    lacking = judgements.nameless(column)  # raises an error without such a column
    values: list[str | None] = [*judgements.names(column)] if value else [None]
    if not (values if value else lacking):
        which = "has" if value else "lacks"
        message = f"{column}={value}: no judgement {which} a {column}"
        raise InputError(message, options=("only",))
    return values


def langpairs(judgements: Judgements, wanted: Sequence[str] | None = None) -> list[str]:
    """Return the language pairs asked for, or all; ``[""]`` if none is known.

    ``unknown`` stands for judgements without a language pair, where others have one.

    Raises
    ------
    InputError
        When a language pair asked for has no judgements.
    """
    known = judgements.names("langpair")
    if known and judgements.nameless("langpair"):
        known.append(UNKNOWN)
    for pair in wanted or ():
        if pair not in known:
            message = (
                f"no judgements of the language pair {pair}; there are "
                f"{', '.join(known) or 'none with a language pair'}"
            )
            raise InputError(message)
    return list(wanted or known or [""])


def select_langpairs(judgements: Judgements, pairs: Sequence[str]) -> Judgements:
    """Return the judgements of some language pairs, as :func:`langpairs` names them."""
    if list(pairs) == [""]:
        return judgements
    known = set(judgements.names("langpair"))
    values = [None if p == UNKNOWN and p not in known else p for p in pairs]
    return judgements.filter(langpair=values)


def judges_per_campaign(judgements: Judgements) -> Judgements:
    """Return judgements whose judges are named ``CAMPAIGN/JUDGE``.

    Campaigns may give different people the same name. Judges without a campaign keep
    theirs.

    Raises
    ------
    InputError
        When no campaign is known.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Rating
    >>> ratings = [
    ...     Rating("A", 50, "DA", "1", "ann", campaign="first"),
    ...     Rating("A", 60, "DA", "1", "ann", campaign="second"),
    ... ]
    >>> judges_per_campaign(Judgements.from_iterable(ratings)).names("judge")
    ['first/ann', 'second/ann']
    """
    import polars as pl

    if not judgements.names("campaign"):
        message = (
            "judges cannot be told apart by campaign: no judgement has one; name it "
            "when files are imported"
        )
        raise InputError(message, options=("campaign",))
    tables = {}
    for name, table in judgements.tables().items():
        judge, campaign = (pl.col(x).cast(pl.String) for x in ("judge", "campaign"))
        named = pl.concat_str([campaign, judge], separator="/")
        # A name without a campaign, or a campaign without a name, makes null.
        kind = table.collect_schema()["judge"]
        tables[name] = table.with_columns(
            pl.coalesce(named, judge).cast(kind).alias("judge")
        )
    return judgements.with_tables(tables)


def campaign_notes(judgements: Judgements) -> list[Note]:
    """Return a note if judgements of several campaigns are analysed together."""
    campaigns = judgements.names("campaign")
    if len(campaigns) < 2:
        return []
    values = {"campaigns": ", ".join(campaigns), "first": campaigns[0]}
    starts = tuple(f"{name}/" for name in campaigns)
    apart = all(name.startswith(starts) for name in judgements.names("judge"))
    return [Note("several-campaigns-apart" if apart else "several-campaigns", values)]

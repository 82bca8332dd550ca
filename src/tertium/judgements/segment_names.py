# SPDX-License-Identifier: Apache-2.0
"""What segments are called: one name for each, however files number them.

Some files number segments within documents, and every campaign starts from 1 again, so
a segment is identified by campaign, document and its own name (and its part, where
parts were judged). The shortest form that tells all segments of a table apart is used
for all of them: ``SEGMENT[/PART]``, as test sets name them; ``DOCUMENT/SEGMENT``;
``CAMPAIGN/DOCUMENT/SEGMENT``. Forms are not mixed: were only names that occur twice
written in full, the fortieth segment of one document could pass for line 40 of the
test set. Language pairs are judged apart, so names do not have them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SEGMENT", "are_short", "segment_names", "with_names"]

#: Columns that tell a segment from all others of its language pair.
SEGMENT = ("campaign", "document", "segment")


def segment_names(*tables: pl.LazyFrame) -> pl.DataFrame:
    """Return the different segments of some tables, with a column ``name``.

    Notes
    -----
    Names are made once for every different segment, not for every row.
    """
    import polars as pl

    frames = [table.select(_columns(table)).unique().collect() for table in tables]
    places = pl.concat(frames).unique()
    campaign, document, *rest = (
        pl.col(name).cast(pl.String) for name in places.columns
    )
    for form in (rest, [document, *rest], [campaign, document, *rest]):
        name = pl.concat_str(form, separator="/", ignore_nulls=True)
        named = places.with_columns(name.alias("name"))
        if named["name"].n_unique() == len(named):
            return named
    # Names with slashes of their own can still be the same.
    short = pl.concat_str(rest, separator="/", ignore_nulls=True)
    every = [campaign.fill_null(""), document.fill_null(""), short]
    name = pl.concat_str(every, separator="\t")
    return places.with_columns(name.alias("name"))


def are_short(names: pl.DataFrame) -> bool:
    """Return whether the names are those of the segments alone, without parts."""
    import polars as pl

    return names["name"].equals(names["segment"].cast(pl.String))


def with_names(table: pl.LazyFrame, names: pl.DataFrame) -> pl.LazyFrame:
    """Return a table with the column ``name`` of its segments, rows in order."""
    return table.join(
        names.lazy(),
        on=_columns(table),
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )


def _columns(table: pl.LazyFrame) -> list[str]:
    known = table.collect_schema()
    return [name for name in (*SEGMENT, "part") if name in known]

# SPDX-License-Identifier: Apache-2.0
"""Items that check whether a judge notices a degraded output.

Campaigns put outputs with a wrong stretch of text among the others (``BAD``). The same
judge rates both; whoever reads them gives the degraded one the lower score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.judgements.scales import CONTROL
from tertium.judgements.segment_names import SEGMENT

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Checks", "attention_checks"]

_DEGRADED = r'"item": ?"BAD'


@dataclass(frozen=True)
class Checks:
    """How a judge rated degraded outputs whose originals the judge rated, too.

    Parameters
    ----------
    passed : int
        Degraded outputs with a lower score than the original.
    total : int
    """

    passed: int
    total: int


def attention_checks(checks: pl.LazyFrame, ratings: pl.LazyFrame) -> dict[str, Checks]:
    """Return how every judge who saw degraded outputs rated them.

    Parameters
    ----------
    checks : table of ratings
        With those on scales that end in ``-control``; others are ignored.
    ratings : table of ratings
        Of the outputs themselves.
    """
    import polars as pl

    keys = ["judge", "system", *SEGMENT, "scale"]
    names = [pl.col(name).cast(pl.String) for name in keys]
    degraded = checks.filter(
        pl.col("scale").cast(pl.String).str.ends_with(CONTROL)
        & pl.col("meta").str.contains(_DEGRADED)
        & pl.col("judge").is_not_null()
    ).select(*names, pl.col("score").alias("degraded"))
    degraded = degraded.with_columns(pl.col("scale").str.strip_suffix(CONTROL))
    plain = ratings.select(*names, "score").group_by(keys).agg(pl.col("score").mean())
    both = degraded.join(plain, on=keys, nulls_equal=True)
    rows = (
        both.group_by("judge")
        .agg(passed=(pl.col("degraded") < pl.col("score")).sum(), total=pl.len())
        .sort("judge")
        .collect()
    )
    return {
        judge: Checks(int(passed), int(total))
        for judge, passed, total in rows.iter_rows()
    }

# SPDX-License-Identifier: Apache-2.0
"""How long judgements took, and how many words each of them showed.

Nobody judges what they did not read. People read about four words per second (238 a
minute, Brysbaert 2019), and one who skims hardly more than twice as many; so a
judgement that showed more than `FASTEST` words per second was not read, whatever other
judges do. Words are separated by spaces: Chinese and Japanese texts have few, and the
limit does not apply to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.agreement.ratings import RatingData
    from tertium.judgements.estimates import Floats

__all__ = ["FASTEST", "Timed", "meta_words", "times_by_judge"]

#: Words shown per second beyond which nobody reads: 600 a minute.
FASTEST = 10.0


@dataclass(frozen=True, eq=False)
class Timed:
    """Seconds and words of somebody's judgements; NaN is unknown."""

    seconds: Floats
    words: Floats


def meta_words(meta: pl.Series) -> pl.Series:
    """Return how many words judgements showed, where their metadata says so."""
    import polars as pl

    texts = meta.str.json_path_match("$.words")
    words: pl.Series = texts.cast(pl.Float64, strict=False)
    return words


def times_by_judge(
    rankings: pl.LazyFrame,
    ratings: Sequence[RatingData],
    spans: pl.LazyFrame | None = None,
) -> dict[str, Timed]:
    """Return the times of every judge's judgements, and the words these showed.

    A ranking that does not say how many words it showed counts those of its candidates.
    """
    import polars as pl

    times: dict[str, list[Timed]] = {}
    frames = [_ranked(rankings)]
    if spans is not None:
        frames.append(_marked(spans))
    for frame in frames:
        for key, judge_rows in frame.group_by("judge", maintain_order=True):
            columns = [
                judge_rows[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
                for name in ("duration", "words")
            ]
            times.setdefault(str(key[0]), []).append(Timed(*columns))
    for data in ratings:
        order = np.argsort(data.judge, kind="stable")
        cuts = np.searchsorted(data.judge[order], np.arange(len(data.judges) + 1))
        for j, name in enumerate(data.judges):
            rows = order[cuts[j] : cuts[j + 1]]
            own_times = Timed(data.seconds[rows], data.words[rows])
            times.setdefault(name, []).append(own_times)
    return {name: _joined(parts) for name, parts in times.items()}


def _joined(parts: Sequence[Timed]) -> Timed:
    none = np.zeros(0)
    return Timed(
        np.concatenate([none, *(part.seconds for part in parts)]),
        np.concatenate([none, *(part.words for part in parts)]),
    )


def _ranked(rankings: pl.LazyFrame) -> pl.DataFrame:
    """Return judge, duration and words of every ranking by a known judge."""
    import polars as pl

    from tertium.judgements.tables import in_order

    known = in_order(rankings.filter(pl.col("judge").is_not_null()))
    new = pl.col("ranking").ne_missing(pl.col("ranking").shift(1))
    frame = known.filter(new).select("ranking", "judge", "duration", "meta").collect()
    if frame["duration"].null_count() == len(frame):  # no time is known, as often
        unknown = pl.lit(None, pl.Float64).alias("words")
        return frame.select("judge", "duration").unique("judge").with_columns(unknown)
    frame = frame.with_columns(meta_words(frame["meta"]).alias("words"))
    if frame["words"].null_count():
        shown = (
            known.unique(["ranking", "candidate"])
            .group_by("ranking")
            .agg(
                pl.when(pl.col("text").null_count() == 0)
                .then(pl.col("text").str.count_matches(r"\S+").sum())
                .cast(pl.Float64)
                .alias("texts")
            )
            .collect()
        )
        frame = frame.join(shown, on="ranking", how="left", maintain_order="left")
        frame = frame.with_columns(pl.col("words").fill_null(pl.col("texts")))
    return frame.select("judge", "duration", "words")


def _marked(spans: pl.LazyFrame) -> pl.DataFrame:
    """Return judge, duration and words of every output that was marked, once."""
    import polars as pl

    known = spans.filter(
        pl.col("judge").is_not_null(), pl.col("duration").is_not_null()
    )
    once = known.unique(["judge", "segment", "time"], maintain_order=True).collect()
    words = meta_words(once["meta"]).alias("words")
    return once.with_columns(words).select("judge", "duration", "words")

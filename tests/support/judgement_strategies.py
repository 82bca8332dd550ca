# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for judgements of all kinds."""

from __future__ import annotations

from datetime import datetime

from hypothesis import strategies as st

from tertium.judgements import Place, Ranking, Rating, Span

names = st.text(min_size=1, max_size=5)
maybe = st.none() | names
moments = st.none() | st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1))
spent = st.none() | st.floats(0, 1e9)
rest = (maybe, maybe, maybe, maybe, moments, spent, maybe)
places = st.builds(
    Place,
    st.lists(names, max_size=3).map(tuple),
    st.integers(-(2**15), 2**15 - 1),
    st.booleans(),
    maybe,
)
number = st.none() | st.integers(0, 2**32 - 1)
rankings = st.builds(
    Ranking, st.lists(places, min_size=1, max_size=4).map(tuple), names, maybe, *rest
)
ratings = st.builds(
    Rating, names, st.floats(allow_nan=False, allow_infinity=False), names, names, *rest
)
spans = st.builds(Span, names, names, names, names, number, number, names, maybe, *rest)


def _names_differ(record: Ranking) -> bool:
    names = [name for place in record.places for name in place.systems]
    return len(names) == len(set(names))


rankings = rankings.filter(_names_differ)
record_lists = st.lists(rankings | ratings | spans, max_size=5)

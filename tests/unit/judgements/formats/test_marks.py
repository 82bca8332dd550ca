# SPDX-License-Identifier: Apache-2.0
"""Positions of spans that were clicked in a browser."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tertium.errors import UnknownNameError
from tertium.judgements.formats.marks import (
    NUMBERINGS,
    marks,
    numbering_votes,
    places_of,
)

_TEXTS = st.text("ab😀\n", min_size=1, max_size=12)


@given(_TEXTS, st.sampled_from(NUMBERINGS), st.data())
def test_what_is_clicked_is_marked_and_tells_its_numbering(text, numbering, data):
    """Line ends cannot be clicked; the field behind the text can."""
    places = places_of(text, numbering)
    clickable = [n for n, place in enumerate(places) if text[place] != "\n"]
    assume(clickable)
    first = data.draw(st.sampled_from(clickable))
    last = data.draw(st.sampled_from([n for n in clickable if n >= first]))
    missing = {"start_i": len(places), "end_i": len(places)}
    spans = [{"start_i": first, "end_i": last}, missing]
    marked, gone = marks(spans, text=text, numbering=numbering)
    assert marked.text == text[places[first] : places[last] + 1]
    assert (gone.category, gone.start) == ("missing", None)
    votes = [numbering_votes([span], text) for span in spans]
    if numbering == "units":
        assert min(votes) >= 0
        assert votes[1] == ("\n" in text)
    else:
        assert max(votes) <= 0


def test_other_numberings_are_named():
    with pytest.raises(UnknownNameError, match="numbering"):
        places_of("a", "bytes")

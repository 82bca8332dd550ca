# SPDX-License-Identifier: Apache-2.0
"""write_judgements: formats, one scale, and notes on what is lost."""

from __future__ import annotations

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Judgements, Place, Ranking, Rating, write_judgements

RATING = Rating("A", 3.0, "likert", "1", judge="anna")
RANKING = Ranking((Place(("A",), 1), Place(("B",), 2)), "1", judge="anna")


def judgements(*records) -> Judgements:
    return Judgements.from_iterable(records)


def test_what_was_written_reads_back(tmp_path):
    path = tmp_path / "all.jsonl"
    assert write_judgements(judgements(RANKING, RATING), path) == ()
    assert list(Judgements.read(path).iterate()) == [RANKING, RATING]


def test_losses_are_noted(tmp_path):
    path = tmp_path / "pairs.tsv"
    notes = write_judgements(judgements(RANKING, RATING), path, format="pairs")
    assert [str(note) for note in notes] == [
        "1 rating left out: pairs holds rankings only",
    ]
    timed = RANKING._replace(duration=3.0)
    notes = write_judgements(judgements(timed), path, format="pairs")
    assert [str(note) for note in notes] == ["1 ranking loses durations"]


def test_scores_are_put_on_one_scale(tmp_path):
    path = tmp_path / "scores.jsonl"
    write_judgements(judgements(RATING), path, normalise="likert=5")
    (rating,) = Judgements.read(path).iterate()
    assert rating.score == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "pairs"}, "nothing to write: pairs holds rankings"),
        ({"format": "wmt-da"}, "wmt-da can only be read"),
        ({"normalise": "rank"}, "rank does not apply to 1 rating"),
        ({"normalise": "likert=x"}, "'x' is not an integer"),
    ],
)
def test_what_cannot_be_written_is_rejected(options, message, tmp_path):
    path = tmp_path / "file"
    with pytest.raises(InputError, match=message):
        write_judgements(judgements(RATING), path, **options)
    assert not path.exists()


def test_unknown_formats_are_rejected(tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean"):
        write_judgements(judgements(RATING), tmp_path / "x", format="likert")

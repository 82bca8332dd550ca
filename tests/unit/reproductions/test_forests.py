# SPDX-License-Identifier: Apache-2.0
"""The recipes of permutation forests against slow ways to the same figures."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import FormatError, InputError
from tertium.reproductions import Data
from tertium.reproductions.data import agreement_counts
from tertium.reproductions.recipes.forests import tables as forests
from tertium.reproductions.recipes.intervals import tau

REFERENCES = [
    "the old bridge was closed in winter",
    "we sold three boats at the harbour",
    "rain is expected in the north tonight",
]
SYSTEMS = {
    "one": [
        "in winter the old bridge was closed",
        "three boats we sold",
        "rain tonight",
    ],
    "two": ["the old bridge closed was in winter", "we sold boats at the harbour", ""],
}


@pytest.fixture
def data(tmp_path) -> Data:
    """Return a year with one language pair of three segments."""
    folder = tmp_path / "wmt12"
    folder.mkdir()
    head = ["seg", "source", "reference", *SYSTEMS]
    rows = zip(range(3), "xyz", REFERENCES, *SYSTEMS.values(), strict=True)
    _write(folder / "de-en.tsv.gz", [head, *rows])
    pairs = [(0, "one", "two"), (1, "two", "one"), (1, "one", "two"), (2, "one", "two")]
    _write(folder / "de-en.pairs.tsv.gz", [("seg", "better", "worse"), *pairs])
    return Data(tmp_path)


def _write(path, rows) -> None:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


def test_judgements_of_missing_outputs_are_left_out(data):
    judged = data.read("12", "de-en")
    assert data.pairs("12") == ["de-en"]
    assert judged.references == REFERENCES[:2]
    assert judged.preferred == [(0, "one", "two"), (1, "two", "one"), (1, "one", "two")]
    assert judged.cut(1).preferred == [(0, "one", "two")]


@pytest.mark.parametrize("reading", forests.READINGS)
@pytest.mark.parametrize("name", forests.METRICS)
def test_parts_add_up_to_the_metric(data, name, reading):
    judged = data.read("12", "de-en")
    spec = forests.METRICS[name]
    full = f"alpha=0.5,lexical=bleu1,brevity={forests.READINGS[reading]}"
    words = "tokenize=13a,match=exact+stem,language=en"
    metric = tertium.metric(f"{spec}{',' if ':' in spec else ':'}{full},{words}")
    scores = {
        system: metric.segment_scores(texts, judged.references)
        for system, texts in judged.systems.items()
    }
    counts = agreement_counts(judged, scores)
    assert forests._tau(data, judged, spec, reading).value == tau(counts).value


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=8)
)
def test_tau_and_its_draws(counts):
    columns = np.array(counts).T
    plus, minus = columns.sum(axis=1)
    result = tau(columns)
    expected = (plus - minus) / (plus + minus) if plus + minus else 0.0
    assert result.value == pytest.approx(expected)
    low, high = result.interval
    assert -1 <= low <= high <= 1
    if len(counts) == 1:
        assert low == high == pytest.approx(expected)


def test_agreement_counts_like_a_loop(data):
    judged = data.read("12", "de-en")
    scores = {"one": [0.5, 0.25], "two": [0.25, 0.25]}
    counts = np.zeros((2, 2), dtype=int)
    for segment, better, worse in judged.preferred:
        difference = scores[better][segment] - scores[worse][segment]
        counts[0, segment] += difference > 0
        counts[1, segment] += difference < 0
    assert agreement_counts(judged, scores).tolist() == counts.tolist()


@pytest.mark.parametrize(
    ("name", "rows", "message"),
    [
        ("de-en.pairs", [("seg", "better", "worse")], "has no rows"),
        ("de-en.pairs", [("seg", "first", "second"), (0, "one", "two")], "no column"),
        ("de-en.pairs", [("seg", "better", "worse"), ("x", "a", "b")], "seg is 'x'"),
        ("de-en.pairs", [("seg", "better", "worse"), (0, "a", "b")], "prefers no"),
        ("de-en", [("seg", "reference", "one")], "has no rows"),
    ],
)
def test_damaged_files_are_named(data, name, rows, message):
    _write(data.folder / "wmt12" / f"{name}.tsv.gz", rows)
    with pytest.raises(InputError, match=message) as caught:
        data.read("12", "de-en")
    assert f"{name}.tsv.gz" in str(caught.value)


def test_files_that_are_not_there_or_not_compressed_are_named(data):
    path = data.folder / "wmt12" / "de-en.pairs.tsv.gz"
    path.write_text("seg", encoding="utf-8")
    with pytest.raises(FormatError, match=r"de-en\.pairs\.tsv\.gz.*cannot be read"):
        data.read("12", "de-en")
    path.unlink()
    with pytest.raises(InputError, match=r"de-en\.pairs\.tsv\.gz nor de-en\.rankings"):
        data.read("12", "de-en")

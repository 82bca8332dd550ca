# SPDX-License-Identifier: Apache-2.0
"""Rankings of Macháček (2014): expansion to systems, export, WMT's own files."""

from __future__ import annotations

import gzip
from collections import Counter

import polars as pl
import pytest

from tertium.judgements import (
    Judgements,
    Place,
    Ranking,
    attach_systems,
    import_judgements,
)

OTHERS = [f"other{i}" for i in range(8)]


def test_section_3_1_ranks_are_copied_to_all_systems_of_a_candidate():
    # Garbage is the rank N + 1 = 5; the two middle candidates share rank 2.
    places = (
        Place(("CU-TectoMT",), 1, text="velkému objemu"),
        Place(("commercial1",), 5, garbage=True, text="obrovské hlasitosti"),
        Place(tuple(OTHERS[:3]), 2, text="obrovský objem"),
        Place(tuple(OTHERS[3:]), 2, text="obrovské množství"),
    )
    result = Judgements.from_iterable([Ranking(places, "1", "the huge volume")])
    comparisons = result.comparisons()
    assert len(comparisons) == 45
    table = comparisons.wins()
    of = {name: i for i, name in enumerate(table.systems)}

    def counts(name):
        i = of[name]
        return table.wins[i].sum(), table.wins[:, i].sum(), table.ties[i].sum()

    assert counts("CU-TectoMT") == (9, 0, 0)
    assert counts("commercial1") == (0, 9, 0)
    assert all(counts(name) == (1, 1, 7) for name in OTHERS)


EXPORT = """\
{
 "2386,Writing books saved me .": [
  {
   "Knihy psaní uložily mě .": 5,
   "Napsané knihy ušetřily mě .": 4,
   "Psaní knih mě zachránil .": 1,
   "Psaní knihy mě zachránil .": 2,
   "Psaní knihy mě zachránily .": 2,
   "Písemné knihy mě zachránily .": 5
  }
 ]
}
"""
CANDIDATES = [line.split('"')[1] for line in EXPORT.splitlines()[3:9]]
EXPECTED = [(0, 4, 1), (2, 3, 0), (5, 0, 0), (3, 1, 1), (3, 1, 1), (0, 4, 1)]


def test_appendix_b_export_is_read_and_written(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(EXPORT, encoding="utf-8")
    judgements = Judgements.read(path)
    (ranking,) = judgements.iterate()
    assert (ranking.segment, ranking.part) == ("2386", "Writing books saved me .")
    assert not any(place.garbage for place in ranking.places)  # N + 1 is 7
    # A system for every candidate shows wins, losses and ties of the candidates.
    table = pl.DataFrame(
        {
            "segment": ["2386"] * 6,
            "part": ["Writing books saved me ."] * 6,
            "system": list("abcdef"),
            "text": CANDIDATES,
        }
    )
    wins = attach_systems(judgements, table).comparisons().wins()
    counts = [
        (wins.wins[i].sum(), wins.wins[:, i].sum(), wins.ties[i].sum())
        for i in range(6)
    ]
    assert counts == EXPECTED
    from tertium.judgements import FORMATS

    again = tmp_path / "again.json"
    FORMATS["legacy-json"].write(judgements, str(again))
    assert again.read_text(encoding="utf-8") == EXPORT


def test_the_trailing_comma_of_the_thesis_is_not_json(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(EXPORT.replace('zachránily .": 5', 'zachránily .": 5,'))
    with pytest.raises(ValueError, match=r"export.json:10: not JSON .* comma"):
        Judgements.read(path, input_format="legacy-json")


@pytest.mark.wmt
def test_the_official_csv_of_2012_gives_the_published_pairs(wmt_data):
    """The pairs were derived from the CSV by others."""
    folder = wmt_data / "wmt12"
    read = import_judgements([folder / "wmt12.RNK_results.csv.gz"])
    assert read.formats == {str(folder / "wmt12.RNK_results.csv.gz"): "wmt-csv"}
    # 27 of 12,339 rows rank no system, or one.
    assert read.judgements.counts()["rankings"] == 12_339 - 27
    assert [bad.skipped for _, bad in read.bad] == [True] * 27
    assert len(read.judgements.names("langpair")) == 8
    for pair in ("de-en",):
        result = read.judgements.filter(langpair=pair).comparisons()
        listed = Judgements.read(folder / f"{pair}.pairs.tsv.gz").comparisons()
        assert pairs(result) == pairs(listed)


def pairs(comparisons):
    """Return how often each (segment, better, worse) occurs."""
    names, segments = comparisons.systems, comparisons.segments
    counts = Counter()
    for first, second, outcome, segment in zip(
        comparisons.first,
        comparisons.second,
        comparisons.outcome,
        comparisons.segment,
        strict=True,
    ):
        if outcome:
            better, worse = (first, second) if outcome > 0 else (second, first)
            counts[segments[segment], names[better], names[worse]] += 1
    return counts


@pytest.mark.wmt
@pytest.mark.parametrize("year", ["wmt15", "wmt16"])
def test_rankings_of_2015_and_2016_are_read_whole(wmt_data, year):
    files = sorted((wmt_data / year).glob("*.rankings.tsv.gz"))
    assert len(files) >= 10
    for path in files[::4]:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = sum(1 for _ in file) - 1
        judgements = Judgements.read(path)
        assert judgements.counts()["rankings"] == rows
        assert judgements.names("langpair") == [path.name[:5]]
    shared = Judgements.read(wmt_data / year / "de-en.rankings.tsv.gz")
    assert any(len(p.systems) > 1 for r in shared.iterate() for p in r.places)

# SPDX-License-Identifier: Apache-2.0
"""The studies of BEER on a sample: their tables are there and say what they should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "bench" / "BEER.md"


def run(name: str) -> tuple[str, list[list[list[str]]]]:
    """Return what a study prints, and the cells of its tables, heads left out."""
    before = REPORT.read_bytes() if REPORT.exists() else None
    done = subprocess.run(
        [sys.executable, "-m", "bench", f"beer_{name}", "--quick"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
    )
    assert (REPORT.read_bytes() if REPORT.exists() else None) == before
    assert "nan" not in done.stdout.lower()
    tables: list[list[list[str]]] = []
    inside = False
    for line in done.stdout.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        if not inside:
            tables.append([])
        inside = True
        tables[-1].append([cell.strip() for cell in line[1:-1].split("|")])
    for table in tables:
        assert {len(row) for row in table} == {len(table[0])}
    return done.stdout, [[table[0], *table[2:]] for table in tables]


def column(table: list[list[str]], name: str) -> dict[str, float]:
    """Return the figures of a column by row."""
    head, *rows = table
    place = head.index(name)
    return {row[0]: float(row[place]) for row in rows if row[place]}


@pytest.mark.wmt
@pytest.mark.study
def test_characters_are_missed_most(wmt_data):
    text, tables = run("ablation")
    assert len(tables) == 4  # the third is published
    for table in tables:
        change = column(table, "change")
        assert change["all features"] == 0
        assert min(change, key=change.__getitem__) == "no characters"
        assert change["no characters"] < -0.03
    assert text.count("What hurts most is") == 3
    assert column(tables[1], "BEER 1.0 published")["no characters"] < 0.2


@pytest.mark.wmt
@pytest.mark.study
def test_corpora_alone_order_segments_worse(wmt_data):
    text, tables = run("objectives")
    taus, systems, segments, assessed, tests, placed = tables
    for table in (taus, systems, segments, assessed):
        assert list(column(table, "mean")) == [
            "sentence",
            "sentence, logistic",
            "corpus",
            "joint",
        ]
    for table in (taus, segments):
        mean = column(table, "mean")
        assert mean["corpus"] < min(mean["sentence"], mean["joint"])
    assert len(tests) == 7
    where = column(placed, "mean")
    assert where["sentence: σ, b = 0"] < where["sentence: σ, b placed"] - 0.05
    assert text.count("Published for WMT16 (another year") == 2


@pytest.mark.wmt
@pytest.mark.study
def test_rising_scalers_keep_every_order(wmt_data):
    _, [table] = run("scaling")
    taus, copies = column(table, "WMT14 τ"), column(table, "copy")
    assert len(taus) == 10
    rising = [name for name in taus if not name.startswith("isotonic")]
    assert len({taus[name] for name in rising}) == 1
    assert all(copies[name] == 1 for name in copies if name.endswith("anchored"))
    errors = column(table, "points from people")
    assert max(errors[name] for name in ("linear", "platt", "isotonic")) < min(
        errors[name] for name in ("none", "quasi")
    )


@pytest.mark.wmt
@pytest.mark.study
def test_recipes_are_compared_and_one_is_shown(wmt_data):
    _, (recipes, look) = run("pairs")
    taus = column(recipes, "into English")
    assert {name.partition(", ")[0] for name in taus} == {"beer", "beer:language=en"}
    assert len(taus) == 11  # five recipes of each, and a joint one
    assert all(0.1 < tau < 0.6 for tau in taus.values())
    assert taus["beer, as shipped"] != taus["beer, all units"]
    assert list(column(look, "fr-en")) == ["beer", "beer:language=en"]


def test_sections_are_replaced_in_their_order(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from bench.studies.beer_report import decimals, write_section

    path = tmp_path / "BEER.md"
    write_section("scaling", "old", path=path)
    write_section("ablation", "first", path=path)
    write_section("scaling", "new\n", path=path)
    text = path.read_text(encoding="utf-8")
    assert "old" not in text
    assert text.index("## Ablation\n\nfirst") < text.index("## Scaling\n\nnew")
    with pytest.raises(ValueError, match="no section"):
        write_section("other", "", path=path)
    assert [decimals(x) for x in (0.3456, -0.01, 1, None)] == [
        ".346",
        "-.010",
        "1.000",
        "",
    ]


def test_rows_of_models_that_are_not_trained_again_stay(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from bench.studies.beer_models import write_models
    from bench.studies.beer_report import section_rows

    path = tmp_path / "BEER.md"
    first = [
        ["beer-3.0", "57", "9", "0.1", ""],
        ["treepel-parsed", "2", "9", "0.2", ""],
    ]
    write_models(first, replaced=True, path=path)
    new = [
        ["beer-4.cs", "40", "9", "0.3", "pooled 0.2, shipped"],
        ["beer-3.0", "57", "9", "0.4", ""],
    ]
    write_models(new, replaced=False, path=path)
    assert section_rows("models", path=path) == [new[0], new[1], first[1]]
    write_models(first, replaced=True, path=path)
    assert section_rows("models", path=path) == first

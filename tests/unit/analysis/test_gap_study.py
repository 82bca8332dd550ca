# SPDX-License-Identifier: Apache-2.0
"""The study that makes the table of gaps."""

from __future__ import annotations

import re

import numpy as np
import pytest

from bench.measure import ROOT
from bench.studies.gaps import Pairs, Task, bins_of, calibration, compared, expected
from tertium.analysis import KINDS
from tertium.analysis.gap_meaning import GapMeaning, gap_meaning


def simulated(seed=1, years=("12", "14"), size=3000, *, scale=2.0):
    """Return pairs whose judges agree with probability logistic(delta / scale)."""
    rng = np.random.default_rng(seed)
    delta = rng.exponential(3.0, size)
    agrees = rng.random(size) < 1 / (1 + np.exp(-delta / scale))
    return Pairs(rng.choice(years, size), delta, agrees)


def test_a_known_relation_is_recovered():
    bins = bins_of(simulated())
    for each in bins:
        known = 1 / (1 + np.exp(-each["mean"] / 2))
        assert each["share"] == pytest.approx(known, abs=0.1)
    assert sum(each["pairs"] for each in bins) == 3000


def test_every_pair_falls_into_the_range_it_was_counted_in():
    pairs = simulated()
    bins = bins_of(pairs)
    share = expected(bins, pairs.delta)
    counts = {each["share"]: 0 for each in bins}
    for each in bins:
        counts[each["share"]] += each["pairs"]
    for value, count in counts.items():
        assert (share == value).sum() == count


def test_chance_is_one_half_and_no_less():
    pairs = simulated()
    wrong = Pairs(pairs.year, pairs.delta, np.zeros(len(pairs.delta), bool))
    assert {each["share"] for each in bins_of(wrong)} == {0.5}


def test_years_are_estimated_from_the_others():
    rows = calibration(simulated())
    assert [row[0] for row in rows] == ["WMT12", "WMT14"] or rows[0][0] == "WMT14"
    for row in rows:
        want, have = map(float, row[2].split(" / "))
        assert abs(want - have) <= 5
        assert float(row[-2]) < float(row[-1])  # better than ignoring the gap
    shifted = simulated(years=("12",))
    other = simulated(2, years=("14",))
    both = Pairs(*(
        np.concatenate(columns)
        for columns in zip(
            (shifted.year, shifted.delta, shifted.agrees),
            (other.year, other.delta, ~other.agrees),
            strict=True,
        )
    ))  # fmt: skip
    want, have = map(float, calibration(both)[1][2].split(" / "))
    assert want - have > 30  # a year that disagrees shows


def test_pairs_that_anybody_ties_are_left_out():
    human = {"A": 2.0, "B": 1.0, "C": 1.0, "D": 0.0}
    task = Task("12", "de-en", [], {}, human)
    scored = {"A": 30.0, "B": 31.0, "C": 30.0, "D": 10.0}
    assert list(compared(task, scored)) == [
        (1.0, False),
        (20.0, True),
        (21.0, True),
        (20.0, True),
    ]


def test_figures_in_the_guide_are_those_of_the_studies():
    guide = (ROOT / "docs" / "guides" / "report-method.md").read_text(encoding="utf-8")
    study = (ROOT / "bench" / "GAPS.md").read_text(encoding="utf-8")
    kinds = (ROOT / "bench" / "ERROR_KINDS.md").read_text(encoding="utf-8")
    text = " ".join(guide.split())
    bleu = study.split("## bleu")[1].split("## ")[0]
    for year, shares in [
        ("WMT12", "84 / 76"),
        ("WMT16", "78 / 87"),
        ("WMT23", "87 / 89"),
    ]:
        (row,) = [line for line in bleu.splitlines() if line.startswith(f"| {year} ")]
        assert f"| {shares} |" in row
        assert f"{shares.replace(' / ', ' and ')} % in {year}" in text
    assert f"{bleu.strip().splitlines()[0].split()[0]} pairs of systems" in text
    share, kappa = re.search(r"(\d+) % have.*kappa is ([\d.]+)\.", kinds, re.S).groups()
    assert f"agreement on all words ({share} %, Cohen's κ = {kappa})" in text


def test_the_guide_tells_how_far_the_check_is_off():
    """Sizes of test sets and the largest misses are read from the study's tables."""
    study = (ROOT / "bench" / "GAPS.md").read_text(encoding="utf-8")
    guide = (ROOT / "docs" / "guides" / "report-method.md").read_text(encoding="utf-8")
    text = " ".join(guide.split())
    misses, sizes = [], []
    for line in study.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| WMT"):
            continue
        if " / " not in line:
            mean = int(cells[-1].replace(",", "")) / len(cells[2].split(","))
            sizes.append(mean)
            rounded = f"{round(mean, -2 if mean > 600 else -1):,.0f}"
            assert re.search(rf"\b{rounded} (segments )?in {cells[0]}\b", text)
            continue
        for both in cells[2:6]:
            expected, observed = map(int, both.split(" / "))
            misses.append(abs(expected - observed))
    assert f"up to {max(misses)} points off" in text
    assert f"{max(misses)} points off" in " ".join(GapMeaning.__doc__.split())
    low, high = (f"{round(end, -1):,.0f}" for end in (min(sizes), max(sizes)))
    assert f"{low} to {high} segments" in " ".join(gap_meaning.__doc__.split())


def test_the_guide_has_the_check_of_every_kind_of_error():
    kinds = (ROOT / "bench" / "ERROR_KINDS.md").read_text(encoding="utf-8")
    guide = (ROOT / "docs" / "guides" / "report-method.md").read_text(encoding="utf-8")
    for kind in KINDS:
        (row,) = [line for line in kinds.splitlines() if line.startswith(f"| {kind} ")]
        _, name, hand, _, _, precision, recall, _ = row.split("|")
        assert f"|{name}|{hand}|{precision}|{recall}|" in guide

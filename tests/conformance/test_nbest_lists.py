# SPDX-License-Identifier: Apache-2.0
"""N-best lists of Moses and Z-MERT, and what Moses' own tests expect of them."""

from __future__ import annotations

import numpy as np
import pytest

import tertium
from tertium.data.lines import open_lines
from tertium.tuning.description import describe
from tertium.tuning.merging import deduplicate
from tertium.tuning.oracle import oracle
from tertium.tuning.reading import read_nbest
from tertium.tuning.writing import write_nbest

pytestmark = pytest.mark.wmt

# The statistics of Moses count words between spaces.
BLEU = "bleu:tokenize=none"


@pytest.fixture(scope="module")
def folder(wmt_data):
    return wmt_data / "nbest"


@pytest.fixture(scope="module")
def europarl(folder):
    return read_nbest(
        folder / "moses-europarl.100x100.nbest.gz",
        references=folder / "moses-europarl.ref.gz",
    )


@pytest.fixture(scope="module")
def iterations(folder):
    return [folder / "moses-mert" / f"moses-mert.nbest.{i}.gz" for i in range(1, 6)]


def golden_blocks(path):
    """Return the tables that a golden file or a FEATSTAT file has, in their order."""
    blocks = []
    for line in open_lines(path):
        text = line.partition("=")[2] if line.startswith("STDOUT_") else line
        if "_TXT_BEGIN_0" in text:
            blocks.append((text.split(), []))
        elif blocks and "_TXT_END_0" not in text and "WALLTIME" not in text:
            blocks[-1][1].append(list(map(float, text.split())))
    return blocks


def test_the_list_of_europarl_has_100_times_100_hypotheses(europarl):
    assert [len(each) for each in europarl] == [100] * 100
    assert [each.id for each in europarl] == list(map(str, range(100)))
    assert len(europarl[0].names) == 15
    assert all(len(each.references) == 1 for each in europarl)
    assert all((np.diff(each.scores) <= 0).all() for each in europarl)


def test_every_iteration_of_mert_has_10_times_100_hypotheses(iterations):
    for path in iterations:
        lists = read_nbest(path)
        assert [len(each) for each in lists] == [100] * 10
        assert len(lists[0].names) == 14


def test_features_are_those_that_moses_extracts(folder, iterations):
    golden = folder / "moses-mert" / "golden" / "mert.basic_data_FEATSTAT.txt.gz"
    blocks = golden_blocks(golden)
    lists = read_nbest(iterations[0])
    assert len(blocks) == len(lists)
    for (head, rows), each in zip(blocks, lists, strict=True):
        assert head[1:4] == [each.id, "100", "14"]
        # Moses numbers single values, too.
        names = [f"{name}_0" if name in ("lm", "w") else name for name in each.names]
        assert head[4:] == names
        assert np.array_equal(np.array(rows), each.features)


def test_statistics_are_those_that_moses_extracts(folder, iterations):
    from tertium.tuning.lists import statistics

    golden = folder / "moses-mert" / "golden" / "mert.basic_data_SCORESTAT.txt.gz"
    reference = folder / "moses-mert" / "moses-mert.reference"
    lists = read_nbest(iterations[0], references=reference)
    tables = statistics(lists, tertium.metric(BLEU))
    for (_, rows), table in zip(golden_blocks(golden), tables, strict=True):
        # Moses: match and total of every order, then the length of the reference.
        matches, totals = table[:, 2:6], table[:, 6:10]
        pairs = np.stack([matches, totals], axis=2).reshape(len(table), 8)
        assert np.array_equal(np.array(rows), np.column_stack([pairs, table[:, 1]]))


def test_duplicates_are_those_of_the_extractor_of_moses(folder):
    """mert.extractor-dups: first without duplicates, then with them."""
    golden = folder / "moses-mert" / "golden"
    lists = read_nbest(
        golden / "mert.extractor-dups_data_nbest.gz",
        references=golden / "mert.extractor-dups_data_reference.gz",
    )
    blocks = golden_blocks(golden / "mert.extractor-dups_truth_results.txt.gz")
    features = [np.array(rows) for head, rows in blocks if "FEATURES" in head[0]]
    [distinct] = deduplicate(lists, by="statistics", metric=tertium.metric(BLEU))
    assert np.array_equal(distinct.features, features[0])
    assert np.array_equal(lists[0].features, features[1])
    # Texts differ between the two that Moses takes for one.
    assert len(deduplicate(lists)[0]) == 3


def test_z_mert_names_features_in_its_parameter_file(folder):
    example = folder / "zmert-example"
    lists = read_nbest(
        example / "cand_database.txt",
        params=example / "params.txt",
        references=[example / f"ref.{i}" for i in range(4)],
        source=example / "src.txt",
    )
    assert [len(each) for each in lists] == [50] * 10
    assert lists[0].names == ("LM", "first model", "second model")
    assert all(len(each.references) == 4 and each.source for each in lists)
    assert lists[0].scores is None


def test_merged_iterations_have_fewer_hypotheses(iterations):
    merged = read_nbest(iterations)
    assert [len(each) for each in merged] == [500] * 10
    distinct = deduplicate(merged)
    assert sum(map(len, distinct)) == 4912
    assert all(
        each.texts[:100] == kept.texts[:100]
        for each, kept in zip(merged, distinct, strict=True)
        if len(deduplicate([each.select(range(100))])[0]) == 100
    )


def test_real_lists_survive_conversion(europarl, tmp_path):
    write_nbest(europarl, tmp_path / "a.jsonl.gz")
    back = read_nbest(tmp_path / "a.jsonl.gz")
    write_nbest(back, tmp_path / "b.nbest.gz", lossy=True)
    again = read_nbest(tmp_path / "b.nbest.gz")
    for first, second, third in zip(europarl, back, again, strict=True):
        assert first.texts == second.texts == third.texts
        assert first.references == second.references
        for each in (second, third):
            assert each.names == first.names
            assert np.array_equal(each.features, first.features)
            assert np.array_equal(each.scores, first.scores)


def test_the_oracle_of_bleu_is_close_to_its_bound(europarl):
    result = oracle(europarl, "bleu")
    assert result.search == "greedy"
    assert result.first.score == pytest.approx(7.2223, abs=1e-4)
    assert result.best.score == pytest.approx(11.7603, abs=1e-4)
    assert result.best.bound < 1.01 * result.best.score


def test_the_first_hypotheses_are_shorter_than_the_references(europarl):
    result = describe(europarl)
    assert (result.hypotheses, result.distinct) == (10_000, 3740)
    assert result.first_length_ratio == pytest.approx(0.610, abs=1e-3)
    assert result.pairs == 1000

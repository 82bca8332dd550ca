# SPDX-License-Identifier: Apache-2.0
"""Tuning against Moses and Z-MERT, on their own example files.

Moses: mert.basic and mert.pro of its regression tests, with features, BLEU statistics
and the expected output. Z-MERT: its example, whose tuned BLEU is 0.5115.
"""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import tertium
from tertium.tuning.mert import Mert
from tertium.tuning.mira import Mira
from tertium.tuning.pool import Objective, Pool
from tertium.tuning.pro import Pairs, Pro, sample_pairs, segment_values
from tertium.tuning.reading import read_nbest
from tertium.tuning.tune import tune, tune_pool

pytestmark = pytest.mark.wmt

# Moses does not smooth BLEU.
BLEU = "bleu:smooth_method=none"


@pytest.fixture(scope="module")
def nbest(wmt_data):
    return wmt_data / "nbest"


@pytest.fixture(scope="module")
def golden(nbest):
    def lines(name):
        path = nbest / "moses-mert" / "golden" / f"{name}.gz"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return file.read().splitlines()

    return lines


def blocks(lines):
    """Return the last head and the numbers of every list of a file of Moses."""
    tables = []
    for line in lines:
        if "_BEGIN_" in line:
            head = line.split()
            tables.append([])
        elif "_END_" not in line:
            tables[-1].append([float(word) for word in line.split()])
    return head, [np.array(table) for table in tables]


def moses_objective(golden, name):
    head, features = blocks(golden(f"{name}_data_FEATSTAT.txt"))
    _, counts = blocks(golden(f"{name}_data_SCORESTAT.txt"))
    # Moses: matches and totals of every order in turn, then the reference length.
    rows = np.concatenate(counts)
    columns = (1, 8, 0, 2, 4, 6, 1, 3, 5, 7)
    pool = Pool(
        names=tuple(head[4:]),
        first=np.cumsum([0, *map(len, features)]),
        features=np.concatenate(features),
        statistics=np.ascontiguousarray(rows[:, columns]),
    )
    return Objective(pool, tertium.metric(BLEU))


def test_mert_reaches_the_bleu_of_moses(golden):
    objective = moses_objective(golden, "mert.basic")
    [truth, *_] = golden("mert.basic_truth_results.txt")
    point, score = truth.removeprefix("STDOUT_1=Best point: ").split("=>")
    weights = np.array([float(word) for word in point.split()])
    assert objective.score(weights) / 100 == pytest.approx(float(score), abs=5e-7)
    init = [float(word) for word in golden("mert.basic_data_INIT")[0].split()]
    start = dict(zip(objective.pool.names, init, strict=True))
    for seed in (4, 10):
        result = tune_pool(objective, Mert(), start=start, seed=seed)
        assert result.final.score / 100 >= 0.304339
    result = tune_pool(objective, Mira(), start=start, seed=1)
    assert result.final.score > result.start.score + 5


def golden_pairs(lines, width):
    """Return labels and differences of features."""
    labels, rows = [], []
    for line in lines:
        if not line.startswith("STDOUT_"):
            continue
        label, *words = line.partition("=")[2].split()
        row = np.zeros(width)
        for name, value in zip(words[::2], words[1::2], strict=True):
            row[int(name.removeprefix("F"))] = float(value)
        labels.append(int(label))
        rows.append(row)
    return labels, np.array(rows)


def matches_of(row, pool, number):
    """Return the pairs of a list with this difference, up to the printed digits."""
    features = pool.features[pool.first[number] : pool.first[number + 1]]
    gaps = np.abs(features[:, None] - features[None] - row).max(axis=2)
    return [tuple(pair) for pair in np.argwhere(gaps < 2e-3) + pool.first[number]]


def test_pairs_of_pro_have_the_counts_labels_and_form_of_moses(golden):
    """The sample is random. Compared are: pairs per list, which differences are allowed
    (all of Moses' pairs differ by 5 points or more by our sentence BLEU, in the
    direction of their label), mirror images, and the form of lines.
    """
    objective = moses_objective(golden, "mert.pro")
    pool, values = objective.pool, segment_values(objective)
    truth = golden("mert.pro_truth_results.txt")
    labels, rows = golden_pairs(truth, len(pool.names))
    assert labels == [1, 0] * 350
    assert np.array_equal(rows[::2], -rows[1::2])
    per_list, number = np.zeros(pool.lists, dtype=int), 0
    for row in rows[::2]:
        while not (pairs := matches_of(row, pool, number)):
            number += 1
        per_list[number] += 1
        assert max(values[better] - values[worse] for better, worse in pairs) >= 0.05
    random = np.random.default_rng(1)
    ours = sample_pairs(objective, Pro(), random, lambda *_: None)
    counts = np.bincount(pool.list_numbers[ours.better], minlength=pool.lists)
    assert counts.tolist() == per_list.tolist()
    text = ours.to_text(pool.features).splitlines()
    again, _ = golden_pairs([f"STDOUT_0={line}" for line in text], len(pool.names))
    assert again == labels
    # Moses' own pairs, written by us, are its lines.
    [first] = [pairs for pairs in [matches_of(rows[0], pool, 1)] if pairs]
    pair = Pairs(*(np.array([row]) for row in first[0]))
    lines = [line.partition("=")[2] for line in truth[:2]]
    assert pair.to_text(pool.features).splitlines() == lines


def test_the_example_of_z_mert_reaches_its_bleu(nbest):
    folder = nbest / "zmert-example"
    lists = read_nbest(
        folder / "cand_database.txt",
        references=[folder / f"ref.{i}" for i in range(4)],
        params=folder / "params.txt",
    )
    start = dict(zip(lists[0].names, (0.1, 0.2, -0.1), strict=True))
    result = tune(lists, metric="bleu:tokenize=none", start=start, restarts=5)
    assert round(result.final.score / 100, 4) >= 0.5115


@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_weights_tuned_on_europarl_beat_those_that_made_the_list(nbest, method):
    lists = read_nbest(
        nbest / "moses-europarl.100x100.nbest.gz",
        references=nbest / "moses-europarl.ref.gz",
    )
    settings = {"restarts": 2} if method == "mert" else {}
    result = tune(lists, metric="bleu", method=method, seed=1, **settings)
    assert result.notes[0].code == "start-from-scores"
    assert result.start.weights["lm_0"] == pytest.approx(0.1, abs=1e-3)
    assert result.final.score > result.start.score + 1

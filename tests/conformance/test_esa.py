# SPDX-License-Identifier: Apache-2.0
"""WMT23 en-de judged three times in Appraise: ESA, ESA with pre-filled spans, MQM.

The files are those of Kocmi et al. (2024) and Zouhar et al. (2024): 33 judges per
protocol, 100 items each, the same batches. Batches hold 2,705 items of systems (14 of
them shown again to fill a batch), 198 items of tutorials and 397 spoilt outputs.
"""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np
import pytest

from tertium.judgements import import_judgements
from tertium.judgements.agreement.overview import agree
from tertium.judgements.ranking import default_method, rank_systems
from tertium.judgements.ranking.ratings import mqm_scores, rating_scores
from tertium.judgements.summary import count_checks
from tertium.judgements.writing import write_judgements
from tertium.meta.files.mtme import human_of, read_mtme
from tertium.stats.correlation import pearson, spearman

pytestmark = pytest.mark.wmt

PROTOCOLS = ("esa", "esa-ai", "mqm-in-appraise")


@pytest.fixture(scope="module")
def imported(wmt_data):
    folder = wmt_data / "esa"
    batches = str(folder / "appraise-batches.en-de.esa.json.gz")
    return {
        name: import_judgements(
            [folder / f"wmt23.en-de.{name}.1.csv.gz"], batches=batches
        )
        for name in PROTOCOLS
    }


@pytest.fixture(scope="module")
def judged(imported):
    return {name: result.judgements for name, result in imported.items()}


@pytest.fixture(scope="module")
def mqm(wmt_data):
    return human_of(read_mtme(wmt_data / "wmt23-mtme", "en-de"), "mqm")


def by_output(table):
    return {
        (system, segment): score
        for system, row in zip(table.systems, table.scores, strict=True)
        for segment, score in zip(table.segments, row, strict=True)
        if not np.isnan(score)
    }


def r(first, second):
    shared = sorted(first.keys() & second.keys())
    return pearson([first[k] for k in shared], [second[k] for k in shared]), len(shared)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_row_is_read_and_checks_are_apart(imported, judged, name):
    assert all(bad.skipped for _, bad in imported[name].bad)
    again = {"esa": 14, "esa-ai": 4, "mqm-in-appraise": 8}
    assert len(imported[name].bad) == again[name]
    judgements = judged[name]
    assert count_checks(judgements) == 198 + 397
    rated = judgements.counts()["ratings"] - count_checks(judgements)
    assert rated == (0 if name == "mqm-in-appraise" else 2705)
    table = (mqm_scores if rated == 0 else rating_scores)(judgements)
    assert (len(table.systems), len(table.segments)) == (13, 207)
    assert len(by_output(table)) == 13 * 207


@pytest.mark.parametrize("name", PROTOCOLS)
def test_positions_without_batches_name_the_same_segments(wmt_data, judged, name):
    """A name never stands for two lines; cut documents get names of their own."""
    path = wmt_data / "esa" / f"wmt23.en-de.{name}.1.csv.gz"
    plain = import_judgements([path]).judgements
    lines: dict[str, set[str]] = {}
    for one, other in zip(plain.iterate(), judged[name].iterate(), strict=True):
        if "tutorial" not in one.document:
            lines.setdefault(one.segment, set()).add(other.segment)
    assert len(lines) > 207
    assert {len(result) for result in lines.values()} == {1}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_judges_take_plausible_times_and_see_spoilt_outputs(judged, name):
    report = agree(judged[name])
    assert len(report.judges) == 33
    medians = [judge.speed.median.value for judge in report.judges]
    assert 15 < np.median(medians) < 60
    rushed = [j for j in report.judges if "rushed" in [flag.kind for flag in j.flags]]
    assert len(rushed) <= 5
    passed = sum(judge.checks.passed for judge in report.judges)
    total = sum(judge.checks.total for judge in report.judges)
    assert total == 397
    assert passed > 0.7 * total


def test_protocols_agree_with_each_other_and_with_the_mqm_of_wmt23(judged, mqm, capsys):
    official = mqm.scores
    scores = {}
    with capsys.disabled():
        for name, judgements in judged.items():
            method = default_method(judgements).method
            assert method == ("mqm" if name == "mqm-in-appraise" else "z")
            result = rank_systems(judgements, method=method, resamples=0).scores()
            table = mqm_scores if method == "mqm" else rating_scores
            scores[name] = by_output(table(judgements))
            order = spearman([result[s] for s in official], list(official.values()))
            value = pearson([result[s] for s in official], list(official.values()))
            intra = next(iter(agree(judgements).whole.ratings.values())).intra.value
            sys.stderr.write(
                f"\n{name}: alpha intra {intra:.3f}; with MQM r {value:.3f}, rho "
                f"{order:.3f}; {', '.join(result)}"
            )
            assert value > 0.8
            assert order > 0.8
            assert 0 < intra < 1
        people, outputs = r(scores["esa"], scores["esa-ai"])
        errors, _ = r(scores["esa"], scores["mqm-in-appraise"])
        sys.stderr.write(
            f"\nr of two judges: ESA {people:.3f}, ESA with MQM {errors:.3f}\n"
        )
    assert outputs == 13 * 207
    assert 0.3 < people < 0.9
    assert 0.2 < errors < 0.9


def test_judges_of_two_campaigns_on_one_scale_agree(wmt_data, judged):
    from tertium.judgements import merge

    both = merge([judged["esa"], judged["esa-ai"]])
    result = agree(both).whole.ratings["ESA"]
    assert result.units == 13 * 207
    assert 0.3 < result.alpha["interval"].value < 0.7


def test_merged_ratings_are_the_official_scores(wmt_data, mqm):
    path = wmt_data / "esa" / "wmt23.en-de.mqm.merged.seg.rating.gz"
    judgements = import_judgements([path]).judgements
    rated = by_output(rating_scores(judgements))
    assert rated == pytest.approx(by_output(mqm_scores(judgements)))
    known = {
        (system, segment): score
        for system, row in zip(mqm.systems, mqm.ratings, strict=True)
        for segment, score in zip(mqm.segments, row, strict=True)
        if not np.isnan(score)
    }
    assert len(known) == 12 * 460  # The reference is among the judged, not the scored.
    assert {key: rated[key] for key in known} == pytest.approx(known)


def test_merged_ratings_are_written_byte_for_byte(wmt_data, tmp_path):
    path = wmt_data / "esa" / "wmt23.en-de.mqm.merged.seg.rating.gz"
    result = import_judgements([path])
    assert not result.bad
    write_judgements(
        result.judgements, tmp_path / "a.seg.rating", format="mtme-ratings"
    )
    with gzip.open(path) as file:
        assert (tmp_path / "a.seg.rating").read_bytes() == file.read()


@pytest.mark.parametrize("name", PROTOCOLS)
def test_spans_lie_in_outputs_of_known_length(judged, name):
    marked = 0
    for span in judged[name].iterate("spans"):
        length = json.loads(span.meta)["length"]
        if span.start is not None:
            marked += 1
            assert 0 <= span.start < span.end <= length
            assert len(span.text) == span.end - span.start
    assert marked

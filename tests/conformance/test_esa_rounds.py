# SPDX-License-Identifier: Apache-2.0
"""ESA against MQM on WMT23 en-de, recomputed from the rows of Appraise's exports.

Every round in the folder is read; nothing depends on the names of judges or on the
number of items. The second computation does not use Tertium: it takes the last
answer to every output, the original of outputs that were shown again, and means.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections import defaultdict
from statistics import correlation, fmean

import pytest

from tertium.judgements import import_judgements
from tertium.judgements.agreement.spans.report import agree_on_spans
from tertium.judgements.ranking import rank_systems
from tertium.judgements.tables import merge
from tertium.judgements.writing import write_judgements

pytestmark = [pytest.mark.wmt, pytest.mark.study]

BATCHES = "appraise-batches.en-de.esa.json.gz"
ESA = ("esa", "esa-ai")
MQM = "mqm-in-appraise"
FIGURES = ("character_f1", "character_alpha", "alpha", "error_free_kappa")


def rounds(folder, kind: str) -> list:
    """Return the files of all rounds of a protocol."""
    files = sorted(folder.glob(f"wmt23.en-de.{kind}.*.csv.gz"))
    assert files, kind
    return files


@pytest.fixture(scope="module")
def judged(wmt_data):
    folder = wmt_data / "esa"
    return {
        kind: import_judgements(
            rounds(folder, kind), batches=str(folder / BATCHES)
        ).judgements
        for kind in (*ESA, MQM)
    }


def cost(spans: str) -> float:
    """Return minus the MQM weights of errors: major 5, minor 1, punctuation 0.1."""
    total = 0.0
    for error in json.loads(spans or "[]"):
        kind = "/".join(error.get("error_type") or []).lower()
        if kind.startswith("non-translation"):
            total += 25
        elif kind.startswith(("source", "accuracy/creative")):
            continue
        elif error["severity"] == "minor" and "punctuation" in kind:
            total += 0.1
        else:
            total += 5 if error["severity"] in ("major", "critical") else 1
    return -total


def plain_means(files, kind: str) -> dict[str, float]:
    """Return the mean of every system over outputs, from raw rows."""
    answers: dict[tuple[str, ...], tuple[float, float]] = {}
    for path in files:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                judge, system, item, what, _, _, score, document, *rest = row
                marks = document.split("#")[2:]
                if what != "TGT" or marks or "-tutorial" in document:
                    continue
                value = cost(rest[1]) if kind == MQM else float(score)
                key = (path.name, judge, system, item, document)
                end = float(rest[-1])
                if key not in answers or answers[key][0] <= end:
                    answers[key] = end, value
    systems = defaultdict(list)
    for (_, _, system, *_), (_, value) in answers.items():
        systems[system.partition(".")[2]].append(value)
    return {system: fmean(values) for system, values in systems.items()}


@pytest.mark.parametrize("kind", ESA)
def test_esa_correlates_with_mqm_as_a_second_computation_says(
    wmt_data, judged, kind, capsys
):
    methods = {kind: "mean", MQM: "mqm"}
    ours = {
        name: rank_systems(judged[name], method=method, resamples=0).scores()
        for name, method in methods.items()
    }
    folder = wmt_data / "esa"
    plain = {name: plain_means(rounds(folder, name), name) for name in methods}
    systems = sorted(ours[kind].keys() & ours[MQM].keys())
    assert set(systems) <= plain[kind].keys() & plain[MQM].keys()
    values = [
        correlation(*([scores[name][s] for s in systems] for name in methods))
        for scores in (ours, plain)
    ]
    with capsys.disabled():
        sys.stderr.write(
            f"\n{kind} with {MQM}: Pearson {values[0]:.4f} of {len(systems)} systems "
            f"(second computation {values[1]:.4f})\n"
        )
    # Outputs shown again count once there, and with their mean here.
    assert values[0] == pytest.approx(values[1], abs=0.005)
    assert values[0] > 0.8
    for name in methods:
        for system in systems:
            assert ours[name][system] == pytest.approx(plain[name][system], abs=0.5)


def test_agreement_on_spans_has_intervals(judged, capsys):
    both = merge([judged["esa"], judged[MQM]])
    with capsys.disabled():
        for name, one in {**judged, "esa + mqm": both}.items():
            report = agree_on_spans(one, resamples=200)
            for who in ("inter", "intra"):
                agreed = getattr(report, who)
                sys.stderr.write(f"\n{name} {who} ({agreed.outputs} outputs):")
                for figure in FIGURES:
                    estimate = agreed.figures[figure]
                    if estimate.value is None:
                        assert estimate.reason
                        continue
                    assert -1.5 < estimate.value <= 1
                    text = f" {figure} {estimate.value:.3f}"
                    if estimate.interval is not None:
                        low, high = estimate.interval
                        assert -1.5 < low <= high <= 1
                        text += f" [{low:.3f}, {high:.3f}]"
                    sys.stderr.write(text)
        sys.stderr.write("\n")
    report = agree_on_spans(both, resamples=200)
    assert report.inter.outputs > 0
    low, _ = report.inter.figures["character_f1"].interval
    assert low > 0


def test_appraise_names_are_matched_with_lines_or_not_at_all(wmt_data):
    from tertium.data.segment_ids import judged_numbers
    from tertium.meta.files.mtme import read_mtme

    testset = read_mtme(wmt_data / "wmt23-mtme", "en-de").testset
    folder = wmt_data / "esa"
    for kind in (*ESA, MQM):
        files = rounds(folder, kind)
        named = import_judgements(files).judgements
        lined = import_judgements(files, batches=str(folder / BATCHES)).judgements
        pairs = list(zip(named.iterate("spans"), lined.iterate("spans"), strict=True))
        names = {(one.system, one.segment) for one, _ in pairs}
        numbers = judged_numbers(testset, names)
        right = 0
        for one, other in pairs:
            number = numbers.get((one.system, one.segment))
            if number is not None:
                assert str(number + 1) == other.segment
                right += 1
        assert right > len(pairs) / 2


@pytest.mark.parametrize(
    ("kind", "renamed"), [(ESA[0], True), (ESA[1], False), (MQM, False)]
)
def test_a_second_round_is_not_added_to_the_first(kind, renamed, wmt_data, tmp_path):
    """Two thirds of the documents again, later, by judges of the same or new names."""
    path, *_ = rounds(wmt_data / "esa", kind)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = file.read().splitlines()
    again = []
    for row in rows:
        judge, _, rest = row.partition(",")
        front, start, end = rest.rsplit(",", 2)
        if sum(map(ord, rest.split(",")[6].partition("#")[0])) % 3 == 0:
            continue
        times = f"{float(start) + 1e6},{float(end) + 1e6}"
        again.append(f"{f'again-{judge}' if renamed else judge},{front},{times}")
    second = tmp_path / "esa.2.csv"
    second.write_text("".join(f"{row}\n" for row in again), encoding="utf-8")
    assert 0 < len(again) < len(rows)
    batches = str(wmt_data / "esa" / BATCHES)
    one, both = (
        import_judgements(paths, batches=batches).judgements
        for paths in ([path], [path, second])
    )
    method = "mqm" if kind == MQM else "mean"
    scores = [
        rank_systems(each, method=method, resamples=0).scores() for each in (one, both)
    ]
    # Not exactly equal: outputs that were shown twice count more often.
    assert scores[1] == pytest.approx(scores[0], abs=0.01 if kind == MQM else 0.1)
    report = agree_on_spans(both, resamples=0)
    figures = report.inter if renamed else report.intra
    assert figures.outputs > 1000
    assert figures.figures["character_f1"].value > 0.95
    write_judgements(both, tmp_path / "out.csv", format="esa")
    with gzip.open(path) as file:
        assert (tmp_path / "out.csv").read_bytes() == file.read() + second.read_bytes()


@pytest.mark.parametrize("together", [True, False])
def test_skipped_items_do_not_move_positions(together, wmt_data, tmp_path):
    """The same annotations again, some items short and without batches."""
    path, *_ = rounds(wmt_data / "esa", ESA[0])
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = file.read().splitlines()
    second = tmp_path / "esa.2.csv"
    again = [f"again-{row}" for i, row in enumerate(rows) if i * 7919 % 100 >= 15]
    second.write_text("".join(f"{row}\n" for row in again), encoding="utf-8")
    parts = [[path, second]] if together else [[path], [second]]
    both = merge([import_judgements(part).judgements for part in parts])
    inter = agree_on_spans(both, resamples=0).inter
    assert inter.outputs > 1800
    assert inter.figures["character_f1"].value == pytest.approx(1, abs=1e-3)

# SPDX-License-Identifier: Apache-2.0
"""Mistakes in a call of ``tertium correlate`` are found before metrics are run."""

from __future__ import annotations

import pytest

from tertium.cli import main


@pytest.fixture(autouse=True)
def world(tmp_path, monkeypatch, write_lines):
    """Write texts and rankings of two pairs; a metric that is run fails the test."""
    monkeypatch.chdir(tmp_path)

    def run(*_, **__):
        pytest.fail("metrics were run before the mistake was found")

    monkeypatch.setattr("tertium.meta.inputs.evaluations.run_metrics", run)
    for pair in ("de-en", "fr-en"):
        rows = [f"{i}\tthe cat {i}\tthe cat {i}\ta cat {i}" for i in range(1, 10)]
        write_lines(f"{pair}.tsv", ["seg\treference\tA\tB", *rows])
        judged = [f"{i}\tA\tB" for i in range(1, 10)]
        write_lines(f"{pair}.pairs.tsv", ["seg\tbetter\tworse", *judged])
    write_lines("short.seg.score", ["m\tde-en\tnews\tA\t1\t0.5"])
    write_lines(
        "same.sys.score", ["wer\tde-en\tnews\tA\t0.5", "wer\tde-en\tnews\tB\t1"]
    )
    write_lines("ties.tsv", ["system\tscore", "A\t1", "B\t1"])
    write_lines("strange.de-en.tsv", ["seg\tbetter\tworse", "77\tA\tB"])
    write_lines("others.de-en.tsv", ["seg\tbetter\tworse", "1\tC\tD"])


BOTH = "de-en.tsv fr-en.tsv -J de-en.pairs.tsv fr-en.pairs.tsv -m wer"
ONE = "de-en.tsv -J de-en.pairs.tsv -m wer"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (f"{BOTH} --coef tau-wmt41", "unknown coefficient 'tau-wmt41'"),
        (f"{BOTH} --coef tau-b:item", "none of tau-b:item is possible with rankings"),
        (f"{BOTH} --coef tau-darr", "none of tau-darr is possible with rankings"),
        (f"{BOTH} --coef soft-accuracy", "none of soft-accuracy is possible"),
        (f"{BOTH} --over systems", "2 systems are too few to be resampled"),
        (f"{BOTH} --over segments --resamples 0", "nothing to resample segments for"),
        (f"{BOTH} --gap chrf", "unknown metric 'chrf'"),
        (f"{ONE} --human-scores ties.tsv --gap wer", "no pair of systems has scores"),
        (f"{BOTH} --average-without en-de", "unknown language pair to leave out"),
        (f"{BOTH} --confidence 95", "confidence is 95; choose a number from 0 to 1"),
        (f"{BOTH} --plot tests=x.svg", "the chart tests; use --test"),
        (f"{BOTH} --plot gaps=x.svg", "the chart gaps; use --gap"),
        (f"{BOTH} --slice domain", "unknown slice 'domain'"),
        (f"{BOTH} --slice segment=none.tsv", "none.tsv"),
        (f"{BOTH} --exclude X", "unknown system to exclude 'X'"),
        (f"{BOTH} --exclude A", "only one system has judgements and scores"),
        (f"{BOTH} --scores none.seg.score", "none.seg.score"),
        (f"{ONE} --scores short.seg.score", "m has no score for system B, which"),
        (f"{ONE} --scores same.sys.score", "two metrics are called wer"),
        (
            "de-en.pairs.tsv -J de-en.pairs.tsv -m wer",
            "pass it as judgements",
        ),
        (f"{BOTH} weer", "unknown metric 'weer'"),
        (f"{BOTH} -l de-en cs-en", "no language pair cs-en"),
        (f"{BOTH} --gold ratings", "no ratings of de-en; there are rankings"),
        (
            "de-en.tsv -J de-en.pairs.tsv fr-en.pairs.tsv -m wer -l de-en fr-en",
            "no texts of fr-en to run metrics on",
        ),
        (
            "de-en.tsv -J strange.de-en.tsv -m wer -l de-en",
            "wer has no score for segment 77 of A and 1 more",
        ),
        (
            "de-en.tsv -J others.de-en.tsv -m wer -l de-en",
            "judged: C, D, scored by metrics: A, B",
        ),
    ],
)
def test_mistakes_are_found_before_metrics_are_run(arguments, message, capsys):
    assert main(["correlate", *arguments.split()]) == 2
    assert message in capsys.readouterr().err

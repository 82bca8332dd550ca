# SPDX-License-Identifier: Apache-2.0
"""Figures of a report equal compare-mt 0.2.10's on real outputs, and the guide's.

``python -m bench buckets --write`` ran compare-mt and wrote ``compare_mt.json``; see
there for its command line. Only BLEU of groups with outputs of fewer than four words
differs, and `floored_bleu` says how.
"""

from __future__ import annotations

import json
import re

import pytest

from bench.measure import ROOT
from bench.peers import buckets
from oracles.word_matches import ngram_matches

THEIRS = json.loads(buckets.FIGURES.read_text(encoding="utf-8"))
GUIDE = ROOT / "docs" / "guides" / "from-compare-mt.md"


@pytest.fixture(scope="module")
def sets():
    return buckets.read_texts()


STUDY = (pytest.mark.wmt, pytest.mark.study)


@pytest.fixture(
    scope="module",
    params=[
        "demo",
        pytest.param("WMT23 en-de", marks=STUDY),
        pytest.param("WMT17 de-en", marks=STUDY),
    ],
)
def case(request, sets):
    """Texts, and the figures of compare-mt and of Tertium."""
    name = request.param
    if name not in sets:
        pytest.skip(f"no {name} in {buckets.DATA}; set TERTIUM_DATA")
    return sets[name], THEIRS[name], buckets.own_figures(sets[name])


@pytest.mark.parametrize(
    "kind", ["frequency in the references", "frequency in training"]
)
def test_word_f_is_equal(case, kind):
    _, theirs, mine = case
    groups = {label: pair for label, pair in theirs[kind].items() if any(pair)}
    assert len(groups) >= 6
    # Classes without words are left out here, and 0 there.
    assert list(mine[kind]) == list(groups)
    for label, pair in groups.items():
        assert mine[kind][label] == pytest.approx(pair, abs=1e-8), label


def test_bleu_by_length_is_equal_where_outputs_have_four_words(case):
    texts, theirs, mine = case
    kind = "reference length"
    groups = {label: pair for label, pair in theirs[kind].items() if any(pair)}
    assert list(mine[kind]) == list(groups)
    for label, pair in groups.items():
        low = 0 if label.startswith("under") else int(label.split()[0])
        inside = [
            k
            for k, ref in enumerate(texts.reference)
            if (length := len(ref.split())) >= low
            and (low == 60 or length < (low // 10 + 1) * 10)
        ]
        refs = [texts.reference[k] for k in inside]
        for value, score, hyps in zip(
            pair, mine[kind][label], texts.systems.values(), strict=True
        ):
            outputs = [hyps[k] for k in inside]
            if min(len(hyp.split(" ")) for hyp in outputs) >= 4:
                assert score == pytest.approx(value, abs=1e-7), label
            else:
                assert score > value
                floored = buckets.floored_bleu(refs, outputs)
                assert floored == pytest.approx(value, abs=1e-7), label


def test_length_ratios_and_bleu(case):
    texts, theirs, mine = case
    ratios = theirs["scores"]["length ratio"]
    assert mine["scores"]["length ratio"] == pytest.approx(ratios, abs=1e-8)
    floored = [
        buckets.floored_bleu(texts.reference, hyps) for hyps in texts.systems.values()
    ]
    assert floored == pytest.approx(theirs["scores"]["BLEU"], abs=1e-7)


def test_matches_of_all_ngrams_are_equal(case):
    texts, theirs, _ = case
    refs = [ref.split(" ") for ref in texts.reference]
    grams = {}
    for n in range(1, buckets.LONGEST + 1):
        a, b = (
            ngram_matches(refs, [hyp.split(" ") for hyp in hyps], n)
            for hyps in texts.systems.values()
        )
        grams |= {" ".join(gram): (a[gram], b[gram]) for gram in a | b}
    assert buckets.digest(grams) == theirs["ngrams"]


def test_ngrams_of_the_report_are_among_them(case):
    from tertium.analysis import report
    from tertium.data import Testset

    texts, _, _ = case
    grams = buckets.ngrams(texts)
    testset = Testset([(ref,) for ref in texts.reference], dict(texts.systems))
    result = report(
        testset, metrics=buckets.BLEU, focus=tuple(texts.systems), resamples=20
    )
    listed = [gain for side in result.ngrams for gain in side]
    assert len(listed) >= 20
    for gain in listed:
        a, b = grams[" ".join(gain.words)]
        assert gain.matches == (a, b)
        assert gain.share == pytest.approx((a + 1) / (a + b + 2))


def test_the_guide_shows_what_compare_mt_prints(sets):
    (block,) = re.findall(
        r"```text\n(\$ compare-mt .*?)```",
        GUIDE.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    shown = buckets.figures(block)
    theirs = THEIRS["demo"]
    for kind in ("scores", "frequency in the references", "reference length"):
        assert set(shown[kind]) <= set(theirs[kind])
        assert shown[kind]
        for label, pair in shown[kind].items():
            assert pair == pytest.approx(theirs[kind][label], abs=6e-5)
    grams = buckets.ngrams(sets["demo"])
    lines = [
        match for line in block.splitlines() if (match := buckets.GRAM.match(line))
    ]
    assert len(lines) >= 4
    for match in lines:
        assert grams[match[1]] == (int(match[2]), int(match[3]))


def test_the_page_shows_the_figures():
    page = buckets.PAGE.read_text(encoding="utf-8")
    for name, theirs in THEIRS.items():
        part = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert (
            f"Matches of all {theirs['ngrams']['number']:,} n-grams are equal" in part
        )
        for kind in ("frequency in the references", "reference length"):
            for label, (a, b) in theirs[kind].items():
                if a or b:
                    (row,) = (
                        line.split("|")
                        for line in part.splitlines()
                        if line.startswith(f"| {kind}: {label} |")
                    )
                    assert (float(row[2]), float(row[4])) == pytest.approx(
                        (a, b), abs=6e-5
                    )


def test_the_guide_shows_figures_of_the_page():
    guide = GUIDE.read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (WMT\S+ \S+), .* \| (\S+) \| (\S+) \| (\S+) \|$", guide, re.M
    )
    assert len(rows) == 16
    page = buckets.PAGE.read_text(encoding="utf-8")
    for name, system, theirs, mine in rows:
        part = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert f"{system}, compare-mt" in part
        assert f"| {theirs} | {mine} |" in part
    for theirs in (THEIRS["WMT23 en-de"], THEIRS["WMT17 de-en"]):
        assert f"{theirs['ngrams']['number']:,} of WMT" in guide

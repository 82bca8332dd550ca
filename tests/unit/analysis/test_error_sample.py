# SPDX-License-Identifier: Apache-2.0
"""Kinds of word errors compared with a sample labelled by hand."""

from __future__ import annotations

from bench.studies.error_kinds import PAGE, decisions, kappa, page, read_sample
from tertium.analysis.words import split

SAMPLE = read_sample()


def test_the_sample_is_cut_into_words_as_the_analysis_cuts_it():
    assert len(SAMPLE) >= 40
    for pair in SAMPLE:
        for words in pair.words:
            assert split(" ".join(words)) == words


def test_the_analysis_agrees_with_the_hand():
    pairs = [(hand, ours) for _, hand, ours, _ in decisions(SAMPLE)]
    assert kappa(pairs) > 0.85
    wrong = [(hand, ours) for hand, ours in pairs if hand or ours]
    assert sum(hand == ours for hand, ours in wrong) / len(wrong) > 0.75


def test_a_program_that_finds_nothing_does_not_agree():
    pairs = [(hand, "") for _, hand, _, _ in decisions(SAMPLE)]
    assert kappa(pairs) == 0


def test_the_printed_study_is_that_of_this_sample():
    assert PAGE.read_text(encoding="utf-8") == page(SAMPLE)

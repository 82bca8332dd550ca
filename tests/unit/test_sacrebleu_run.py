# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's command line, called from Python."""

from __future__ import annotations

import json

import pytest

from tertium.errors import InputError
from tertium.sacrebleu.options import SacreBleuOptions
from tertium.sacrebleu.run import run

LINES = ["the cat sat on the mat", "a dog barked at night"]


@pytest.fixture
def files(write_lines):
    """Write a reference and two systems."""
    return {
        "refs": [str(write_lines("ref.txt", LINES))],
        "input": [str(write_lines("a.txt", LINES))],
    }


def test_one_system_gives_one_json_object_with_a_long_signature(files):
    options = SacreBleuOptions(**files, short=True)
    report = json.loads(run(options, seed=None, remark=print))
    assert (report["name"], report["score"]) == ("BLEU", 100.0)
    assert report["nrefs"] == "1"


def test_remarks_are_passed_on(files):
    remarks = []
    options = SacreBleuOptions(**files, confidence=True, confidence_n=5, format="text")
    report = run(options, seed=1, remark=remarks.append)
    assert "bs:5|seed:1" in report
    assert ["5 resamples are too few" in remark for remark in remarks] == [True]


def test_every_sentence_has_a_line(files):
    options = SacreBleuOptions(**files, sentence_level=True, score_only=True)
    assert run(options, seed=None, remark=print) == "100.0\n100.0"


def test_trials_are_those_of_the_chosen_test():
    assert SacreBleuOptions(refs=[], paired_bs=True, paired_bs_n=0).trials == 1000
    assert SacreBleuOptions(refs=[], paired_ar=True, paired_ar_n=7).trials == 7
    assert SacreBleuOptions(refs=[], paired_ar=True).test == "ar"
    assert SacreBleuOptions(refs=[]).test is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": -1}, "not a number of decimal places"),
        ({"sentence_level": True, "metrics": ["bleu", "ter"]}, "takes one metric"),
        ({"sentence_level": True, "confidence": True}, "has no statistical tests"),
    ],
)
def test_options_that_exclude_each_other_are_rejected(options, message):
    with pytest.raises(InputError, match=message):
        SacreBleuOptions(refs=["ref.txt"], **options)

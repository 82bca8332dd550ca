# SPDX-License-Identifier: Apache-2.0
"""METEOR: vectors of the specs, and the scores of Meteor 1.5 itself.

The golden scores were printed by ``java -jar meteor-1.5.jar SYSTEM REF -l en -norm``
(exact, stem, synonym, paraphrase). Here synonyms come from Debian's WordNet and
paraphrases from the table inside the package pycocoevalcap.
"""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path

import numpy as np
import pytest

import tertium
from conftest import missing
from tertium.align import Link
from tertium.data.annotated import Annotated
from tertium.text.wordnet import find_wordnet

SYSTEMS = ("online-B.0", "uedin-jhu-phrase.4102", "Neural-MT.4097")


@pytest.mark.parametrize("aligner", ["meteor", "beam"])
def test_vector_14_three_chunks_of_six_words(aligner):
    metric = tertium.metric(f"meteor:match=exact,aligner={aligner}")
    score = metric.corpus_score(["the cat sat on the mat"], ["on the mat sat the cat"])
    assert score == pytest.approx(0.47767, abs=5e-6)


def test_vector_14_function_words(write_lines):
    path = write_lines("words", ["the"])
    metric = tertium.metric(f"meteor:match=exact,function_words={path}")
    score = metric.corpus_score(["the black dog"], ["the dog"])
    assert score == pytest.approx(0.35955, abs=5e-6)


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("meteor:version=2005,beta=1,normalize=no", 0.574),
        ("meteor:version=2005,normalize=no", 0.731),
        ("meteor-chunking:version=2005,beta=1,normalize=no", 0.7),
    ],
)
def test_t5_seven_and_six_words_five_matched_in_three_chunks(spec, wanted):
    # McCaffery 2017, 3.5.4; its F of .843 exceeds its recall and is a slip.
    links = tuple(Link(h, r) for h, r in [(0, 3), (1, 4), (3, 1), (4, 2), (6, 5)])
    hyp = Annotated("a b c d e f g", {"links": (links,)})
    score = tertium.metric(spec).corpus_score([hyp], ["u v w x y z"])
    assert score == pytest.approx(wanted, abs=5e-4)


def test_a_pair_matched_throughout_in_one_chunk_has_no_penalty():
    # Printed by Meteor 1.5 (-l en -norm -m 'exact stem'): .65714 and, as one of a
    # corpus, no chunk at all.
    metric = tertium.metric("meteor:match=exact+stem,weights=1+0.6,delta=0.5")
    assert metric.corpus_score(["the cats jumped"], ["the cat jumps"]) == pytest.approx(
        2.2 / 3
    )
    rows = metric.statistics(["the cats jumped"], ["the cat jumps"])
    assert rows[0, -3:].tolist() == [0, 3, 3]


def paraphrase_table() -> Path:
    found = importlib.util.find_spec("pycocoevalcap")
    if found is None or not found.submodule_search_locations:
        missing("no paraphrase table; make .venv/.meteor")
    folder = Path(found.submodule_search_locations[0])
    return folder / "meteor" / "data" / "paraphrase-en.gz"


@pytest.fixture(scope="module")
def full_meteor(wmt_data):
    try:
        find_wordnet()
    except tertium.InputError as error:
        missing(str(error))
    function_words = wmt_data / "meteor-function-words" / "english.words"
    return tertium.metric(
        "meteor:match=exact+stem+synonym+paraphrase,synonyms=auto,"
        f"paraphrases={paraphrase_table()},function_words={function_words}"
    )


@pytest.fixture(scope="module")
def golden(wmt_data):
    folder = wmt_data / "golden" / "meteor15"
    segments = {}
    for system in SYSTEMS:
        with gzip.open(folder / f"wmt15.de-en.{system}.seg.gz", "rt") as file:
            segments[system] = np.array([float(line) for line in file])
    lines = (folder / "wmt15.sys.txt").read_text().splitlines()
    return segments, {line.split()[1]: float(line.split()[2]) for line in lines}


@pytest.mark.wmt
@pytest.mark.slow
def test_scores_are_near_those_of_meteor(full_meteor, golden, wmt15):
    segments, systems = golden
    for system in SYSTEMS:
        hyps = wmt15.systems[system]
        rows = full_meteor.statistics(hyps, wmt15.references)
        off = np.abs(full_meteor.from_statistics(rows) - segments[system])
        assert off.mean() < 0.0013
        assert off.max() < 0.11
        assert np.mean(off < 0.001) > 0.88
        score = full_meteor.from_statistics(rows.sum(axis=0))
        assert score == pytest.approx(systems[system], abs=0.0003)

# SPDX-License-Identifier: Apache-2.0
"""METEOR: vectors of the specs, and the scores of Meteor 1.5 itself.

The golden scores were printed by ``java -jar meteor-1.5.jar SYSTEM REF -l en -norm``
(exact, stem, synonym, paraphrase). Here synonyms come from Debian's WordNet and
paraphrases from the table inside the package pycocoevalcap.
"""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import tertium
from support.meteor_resources import paraphrase_table, wordnet
from tertium.align import Link
from tertium.data.annotated import Annotated

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


def test_a_pair_matched_throughout_in_one_chunk_has_no_penalty(write_lines):
    # Printed by Meteor 1.5 (-l en -norm -m 'exact stem'). In the statistics of a
    # corpus such a pair has no chunk.
    path = write_lines("words", ["the"])
    metric = tertium.metric(f"meteor:function_words={path}")
    hyps, refs = ["the cats jumped"], ["the cat jumps"]
    assert metric.corpus_score(hyps, refs) == pytest.approx(0.6571428571428571)
    rows = metric.statistics(hyps, refs)
    assert rows[0, -3:].tolist() == [0, 3, 3]


# Printed by Meteor 1.5: -l LANGUAGE -norm -m 'exact stem' (Czech: exact) -t TASK
# -s WORDS, with sentences and function words of our own.
TEXTS = {
    "en": (
        "The old dogs were running quickly over the bridge.",
        "Old dogs ran quickly across the long bridge.",
        "the over .",
    ),
    "de": (
        "Der alte Hund lief gestern schnell über die Brücke.",
        "Gestern lief der alte Hund rasch über die lange Brücke.",
        "der die .",
    ),
    "fr": (
        "Le vieux chien n'a pas traversé le pont hier.",
        "Hier, le vieux chien n'a pas franchi les ponts.",
        "le les .",
    ),
    "es": (
        "El perro viejo cruzó ayer el puente largo.",
        "Ayer el viejo perro cruzaba el puente.",
        "el .",
    ),
    "cs": (
        "Starý pes včera rychle přeběhl most.",
        "Včera starý pes přeběhl ten dlouhý most.",
        "ten .",
    ),
    "ru": (
        "Старая собака вчера быстро перебежала мост.",
        "Вчера собака перебежала через длинный мост.",
        "через .",
    ),
}
PRINTED = [
    ("en", "rank", 0.273710877180),
    ("en", "adq", 0.462595678461),
    ("en", "hter", 0.505927581948),
    ("en", "li", 0.391265686360),
    ("en", "tune", 0.421052631579),
    ("de", "rank", 0.564292995486),
    ("de", "li", 0.579843654753),
    ("de", "tune", 0.619047619048),
    ("fr", "rank", 0.585442156647),
    ("fr", "li", 0.617299999596),
    ("fr", "tune", 0.626086956522),
    ("es", "rank", 0.527413402573),
    ("es", "li", 0.381233491095),
    ("es", "tune", 0.496323529412),
    ("cs", "rank", 0.361519858009),
    ("cs", "li", 0.466994528882),
    ("cs", "tune", 0.533333333333),
    ("ru", "rank", 0.348441672744),
    ("ru", "li", 0.348441672744),
    ("ru", "tune", 0.428571428571),
]


@pytest.mark.parametrize(("language", "task", "wanted"), PRINTED)
def test_parameters_of_every_language_and_task(write_lines, language, task, wanted):
    hyp, ref, words = TEXTS[language]
    path = write_lines("words", words.split())
    match = "exact" if language == "cs" else "exact+stem"
    metric = tertium.metric(
        f"meteor:language={language},task={task},match={match},function_words={path}"
    )
    assert metric.corpus_score([hyp], [ref]) == pytest.approx(wanted, abs=1e-11)


@pytest.fixture(scope="module")
def full_meteor(wmt_data):
    function_words = wmt_data / "meteor-function-words" / "english.words"
    return tertium.metric(
        f"meteor:match=exact+stem+synonym+paraphrase,synonyms={wordnet()},"
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

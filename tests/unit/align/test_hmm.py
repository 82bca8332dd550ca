# SPDX-License-Identifier: Apache-2.0
"""The built-in bilingual aligner."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import bilingual as oracle
from tertium import _core
from tertium.align import (
    BilingualAligner,
    HmmAligner,
    HmmModel,
    align_bilingual,
    alignment_quality,
    read_pharaoh,
)
from tertium.align.vocabulary import Vocabulary, number_words
from tertium.errors import FormatError, InputError

#: In the order of the core: as good as no prior, nothing held out, no NULL.
PLAIN = [1e-12, 0.0, 1e-9, 0.0, 0.0, 1.0, 0.0]


def pairs(links):
    return [(link.hyp, link.ref) for link in links]


def training(sources, targets, values, *, stem_length=5, threads=1):
    left, right = number_words(sources), number_words(targets)
    words = [Vocabulary.of(n, s, stem_length).stems() for s, n in (left, right)]
    core = _core.BilingualTraining(left[0], right[0], *words, 4, values, threads)
    return core, list(left[1]), list(right[1])


def counts(core, sources, targets, direction=0):
    """Return the expected counts by pair of words."""
    rows, table = core.table()
    values = core.counts(direction)
    return {
        (source, targets[table[place]]): values[place]
        for number, source in enumerate(sources)
        for place in range(rows[number], rows[number + 1])
    }


def small_language(size=60, seed=1):
    """Return texts in which word number k of one language is k of the other."""
    draw = random.Random(seed)
    lists = [[str(draw.randrange(12)) for _ in range(5)] for _ in range(size)]
    sources = [" ".join(f"s{n}" for n in words) for words in lists]
    targets = [" ".join(f"t{n}" for n in reversed(words)) for words in lists]
    return sources, targets


@st.composite
def sentences(draw):
    words, states = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    size = words * states + words + 2 * draw(st.integers(0, 5)) + 1
    values = draw(st.lists(st.floats(0.01, 1), min_size=size, max_size=size))
    emission = np.array(values[: words * states]).reshape(words, states)
    null = np.array(values[words * states : words * states + words])
    jumps = np.array(values[words * states + words :])
    return emission, null, jumps, draw(st.floats(0, 0.9))


@settings(max_examples=25, deadline=None)
@given(sentences())
def test_posteriors_are_those_of_all_alignments(sentence):
    likelihood, posterior, null, jumps = _core.chain_posteriors(*sentence)
    expected = oracle.chain_posteriors(*sentence)
    assert likelihood == pytest.approx(expected[0], rel=1e-9)
    assert posterior == pytest.approx(expected[1].ravel(), abs=1e-9)
    assert null == pytest.approx(expected[2], abs=1e-9)
    assert jumps == pytest.approx(expected[3], rel=1e-5, abs=1e-7)


def test_model_1_by_hand():
    """The example of Knight (1999): b c = x y, and b = y."""
    core, *words = training(["b c", "b"], ["x y", "y"], PLAIN)
    core.iterate(False, False, 1)
    first = {("b", "x"): 1 / 2, ("b", "y"): 3 / 2, ("c", "x"): 1 / 2, ("c", "y"): 1 / 2}
    assert counts(core, *words) == pytest.approx(first, abs=1e-6)
    core.iterate(False, False, 1)
    # t(x|b) = 1/4, t(y|b) = 3/4, t(x|c) = t(y|c) = 1/2.
    second = {("b", "x"): 1 / 3, ("b", "y"): 1.6, ("c", "x"): 2 / 3, ("c", "y"): 0.4}
    assert counts(core, *words) == pytest.approx(second, abs=1e-6)


def test_agreement_multiplies_posteriors():
    core, *words = training(["b c"], ["x y z"], PLAIN)
    core.iterate(False, True, 1)
    for direction in (0, 1):
        values = counts(core, *words, direction)
        assert [*values.values()] == pytest.approx([1 / 2 * 1 / 3] * 6, abs=1e-6)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(
            *[st.lists(st.sampled_from(w), min_size=1, max_size=3) for w in (
                ["haus", "Haus", "hausen", "tor"], ["house", "hause", "gate", "Gates"]
            )]
        ),
        min_size=1,
        max_size=4,
    ),
    st.integers(2, 5),
)  # fmt: skip
def test_counts_are_those_of_the_twin(texts, stem_length):
    values = [0.01, 2.0, 3.0, 0.7, 0.2, 0.1, 1.0]
    core, *words = training(
        [" ".join(source) for source, _ in texts],
        [" ".join(target) for _, target in texts],
        values,
        stem_length=stem_length,
    )
    for _ in range(3):
        core.iterate(False, False, 1)
    expected = oracle.iterate_model1(
        texts, values, iterations=3, stem_length=stem_length
    )
    for pair, count in counts(core, *words).items():
        assert count == pytest.approx(expected[pair], abs=1e-4)


@pytest.mark.parametrize("ordered", [False, True])
def test_the_likelihood_never_falls(ordered):
    values = [*PLAIN[:4], 0.2, 1e-9, 0.0]
    core, *_ = training(*small_language(20), values)
    rows = np.array([core.iterate(ordered, False, 1) for _ in range(12)])
    assert (np.diff(rows, axis=0) > -1e-4).all()
    assert (rows[-1] > rows[0] + 10).all()


def test_threads_do_not_change_the_model(tmp_path):
    texts = small_language()
    files = []
    for threads in (1, 2, 3):
        files.append(tmp_path / f"{threads}.model")
        HmmAligner(threads=threads).fit(*texts).save(files[-1])
    contents = {file.read_bytes() for file in files}
    assert len(contents) == 1


def test_a_small_language_is_learnt():
    sources, targets = small_language()
    aligner = HmmAligner(threads=1)
    assert isinstance(aligner, BilingualAligner)
    links = align_bilingual(sources, targets, aligner=aligner)
    for source, target, segment in zip(sources, targets, links, strict=True):
        left, right = source.split(), target.split()
        assert all(left[i][1:] == right[j][1:] for i, j in pairs(segment))
        assert {i for i, _ in pairs(segment)} == set(range(len(left)))


def test_other_texts_are_aligned_by_what_was_learnt():
    sources, targets = small_language()
    model = HmmAligner().fit(sources, targets)
    forward, backward = model.align(["s1 s2", "s3 new", ""], ["t2 t1", "t3 new", "t4"])
    assert pairs(forward[0]) == pairs(backward[0]) == [(0, 1), (1, 0)]
    assert pairs(forward[1]) == [(0, 0), (1, 1)]  # Unknown, but spelt alike.
    assert forward[2] == backward[2] == ()
    assert isinstance(model, BilingualAligner)


def test_rare_forms_share_what_their_stem_has_learnt():
    sources = ["lesen buch", "lesen brief", "schreiben brief", "schreiben buch"] * 3
    targets = ["read book", "read letter", "write letter", "write book"] * 3
    model = HmmAligner().fit(sources, targets)
    forward, _ = model.align(["schreibst brief"], ["letter write"])
    assert (0, 1) in pairs(forward[0])


def test_empty_lines_and_long_sentences_are_aligned():
    long = " ".join(f"w{n}" for n in range(200))
    sources, targets = ["", "a", long, ""], ["", "", long, "b"]
    links = align_bilingual(sources, targets)
    assert [len(segment) for segment in links] == [0, 0, 200, 0]
    assert align_bilingual([], []) == []
    assert align_bilingual(["", ""], ["", "a"]) == [(), ()]


def test_a_model_of_nothing_aligns_without_failing():
    for links in HmmAligner().fit([], []).align(["a b"], ["c d"]):
        assert len(links[0]) <= 2


def test_soft_links_have_probabilities():
    sources, targets = small_language()
    soft = HmmAligner().soft_links(sources, targets, threshold=0.01)
    weights = [link.weight for segment in soft for link in segment]
    assert 0.01 <= min(weights) < max(weights) <= 1
    some = HmmAligner().soft_links(sources, targets, threshold=0.6)
    assert some == [
        tuple(link for link in segment if link.weight >= 0.6) for segment in soft
    ]


def test_texts_that_are_too_large_are_learnt_from_in_part():
    sources, targets = small_language()
    steps = []
    aligner = HmmAligner(most_cells=600, progress=lambda *step: steps.append(step))
    model = aligner.fit(sources, targets)
    assert model.words[0].counts.sum() == 5 * 20  # Every third of 60.
    assert steps[-1] == (8, 8)
    assert len(model.likelihoods) == 8
    assert len(aligner.align(sources, targets)[0]) == 60


def test_a_model_survives_a_file(tmp_path):
    sources, targets = small_language()
    model = HmmAligner(null_probability=0.3).fit(sources, targets)
    model.save(tmp_path / "model")
    copy = HmmModel.load(tmp_path / "model")
    assert copy.align(sources, targets) == model.align(sources, targets)
    assert copy.likelihoods == model.likelihoods
    copy.save(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "model").read_bytes()


def change(path, **members):
    """Rewrite members of an archive: None removes one."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    contents |= {name.replace("_json", ".json"): text for name, text in members.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in contents.items():
            if text is not None:
                archive.writestr(name, text)


def array(values):
    buffer = io.BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()


def header(**values):
    return json.dumps({"kind": "aligner", "format": 1} | values)


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({"header_json": header(kind="btg")}, "of kind 'btg'"),
        ({"header_json": header(format=2)}, "format 2, this version reads 1"),
        ({"header_json": header()}, "stem_length"),
        ({"header_json": "x"}, "Expecting value"),
        ({"rows.npy": None}, "rows"),
        ({"rows.npy": array(np.array([0, 99]))}, "rows do not fit"),
        ({"counts0.npy": array(np.array([1.0]))}, "counts0 has another type"),
        ({"source_words.npy": array(np.array([97], np.uint8))}, "words with"),
    ],
)
def test_files_that_are_not_models_are_rejected(tmp_path, members, complaint):
    path = tmp_path / "model"
    HmmAligner().fit(["a b", "a"], ["x y", "x"]).save(path)
    change(path, **members)
    with pytest.raises(FormatError, match=complaint):
        HmmModel.load(path)


def test_missing_models_are_reported_with_the_cure(tmp_path):
    with pytest.raises(FormatError, match="does not exist; give a file that `tertium"):
        HmmModel.load(tmp_path / "none")
    with pytest.raises(FormatError, match="is a folder"):
        HmmModel.load(tmp_path)
    (tmp_path / "text").write_text("no archive")
    with pytest.raises(FormatError, match="not a model of the built-in aligner"):
        HmmModel.load(tmp_path / "text")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"hmm_iterations": -1}, "hmm_iterations must be 0 or more, not -1"),
        ({"model1_iterations": 0, "hmm_iterations": 0}, "must be an iteration"),
        ({"stem_length": 0}, "at least one character, not 0"),
        ({"null_probability": 1.0}, "below 1, not 1.0"),
        ({"most_cells": 0}, "most_cells must be 1 or more"),
    ],
)
def test_wrong_settings_are_rejected(options, complaint):
    with pytest.raises(InputError, match=complaint):
        HmmAligner(**options)


def test_wrong_texts_and_thresholds_are_rejected():
    with pytest.raises(InputError, match="the source has 2 segments, the target has 1"):
        HmmAligner().align(["a", "b"], ["a"])
    with pytest.raises(InputError, match="threshold must be above 0"):
        HmmAligner().soft_links(["a"], ["a"], threshold=0)


@pytest.mark.wmt
@pytest.mark.parametrize(("pair", "limit"), [("enfr", 0.12), ("roen", 0.32)])
def test_gold_sets_are_aligned_well(pair, limit, wmt_data):
    """Learnt from 447 and 248 sentence pairs only; eflomal has 0.18 and 0.38."""
    path = wmt_data / "align" / f"{pair}.src-tgt.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        texts = [line.split(" ||| ") for line in lines]
    gold = read_pharaoh(wmt_data / "align" / f"{pair}.gold.gz", base=1)
    links = align_bilingual(*zip(*texts, strict=True))
    assert alignment_quality(links, gold).aer < limit

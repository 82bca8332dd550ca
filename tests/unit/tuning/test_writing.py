# SPDX-License-Identifier: Apache-2.0
"""Writing, merging and deduplicating n-best lists."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, UnknownNameError
from tertium.tuning.lists import NBestList
from tertium.tuning.merging import deduplicate, merge_lists
from tertium.tuning.reading import read_nbest
from tertium.tuning.writing import write_nbest

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
WORDS = st.text(string.ascii_letters + "_=:0", min_size=1, max_size=4)


@st.composite
def nbest_lists(draw, *, texts=TEXTS, names=TEXTS, numbered=False):
    """Return lists with the same features and different ids."""
    columns = draw(st.lists(names, unique=True, max_size=4))
    ids = draw(st.lists(st.text(min_size=1, max_size=3), unique=True, min_size=1))
    if numbered:
        ids = list(map(str, range(len(ids))))
    scored = draw(st.booleans())
    made = []
    for name in ids:
        hyps = draw(st.lists(texts, min_size=1, max_size=3))
        row = st.lists(NUMBERS, min_size=len(columns), max_size=len(columns))
        rows = draw(st.lists(row, min_size=len(hyps), max_size=len(hyps)))
        scores = draw(st.lists(NUMBERS, min_size=len(hyps), max_size=len(hyps)))
        features = np.array(rows, dtype=float).reshape(len(hyps), len(columns))
        totals = np.array(scores) if scored else None
        made.append(NBestList(name, hyps, tuple(columns), features, totals))
    return made


def same(first, second):
    """Return whether lists are equal to the last bit."""
    return len(first) == len(second) and all(
        (a.id, a.names, a.source, a.references)
        == (b.id, b.names, b.source, b.references)
        and list(a.texts) == list(b.texts)
        and np.array_equal(a.features, b.features)
        and (a.scores is None) == (b.scores is None)
        and (a.scores is None or np.array_equal(a.scores, b.scores))
        for a, b in zip(first, second, strict=True)
    )


@settings(max_examples=20)
@given(lists=nbest_lists(), source=TEXTS, refs=st.lists(TEXTS, min_size=1, max_size=2))
def test_jsonl_keeps_everything(tmp_path_factory, lists, source, refs):
    path = tmp_path_factory.mktemp("lists") / "a.jsonl"
    first = lists[0]
    lists[0] = NBestList(
        first.id,
        first.texts,
        first.names,
        first.features,
        first.scores,
        source=source,
        references=tuple(refs),
    )
    assert write_nbest(lists, path) == []
    assert same(read_nbest(path), lists)


@settings(max_examples=20)
@given(
    lists=nbest_lists(
        texts=TEXTS.map(lambda text: " ".join(text.replace("|", "").split())),
        names=WORDS,
        numbered=True,
    )
)
def test_moses_keeps_texts_features_and_scores(tmp_path_factory, lists):
    path = tmp_path_factory.mktemp("lists") / "a.nbest.gz"
    assert write_nbest(lists, path) == []
    assert same(read_nbest(path), lists)


def made(name="0", texts=("a", "b"), **more):
    rows = np.arange(2.0 * len(texts)).reshape(len(texts), 2)
    return NBestList(name, list(texts), ("lm", "t m"), rows, **more)


def test_z_mert_keeps_names_in_its_parameter_file(tmp_path):
    path, params = tmp_path / "cand.txt", tmp_path / "params.txt"
    lists = [made(), made("1")]
    assert write_nbest(lists, path, format="zmert", params=params) == []
    assert path.read_text().splitlines()[1] == "0 ||| b ||| 2 3"
    assert same(read_nbest(path, params=params), lists)


@pytest.mark.parametrize(
    ("each", "kind", "code"),
    [
        (made("x"), "zmert", "nbest-names-lost"),
        (made(scores=np.zeros(2)), "zmert", "nbest-scores-lost"),
        (made(source="s"), "zmert", "nbest-sources-lost"),
        (made(references=("r",)), "zmert", "nbest-references-lost"),
        (made("x"), "zmert", "nbest-ids-lost"),
        (made(texts=("a\nb", "c")), "zmert", "nbest-space-lost"),
        (made(texts=("a ", "c")), "zmert", "nbest-space-lost"),
    ],
)
def test_nothing_is_lost_without_permission(tmp_path, each, kind, code):
    path = tmp_path / "a.nbest"
    with pytest.raises(InputError, match=r"cannot write .* set lossy=True"):
        write_nbest([each], path, format=kind)
    assert not path.exists()
    notes = write_nbest([each], path, format=kind, lossy=True)
    assert code in {note.code for note in notes}
    assert all(str(note) for note in notes)
    assert read_nbest(path)[0].id == "0"


@pytest.mark.parametrize(
    ("each", "what"),
    [
        (made(), "the feature 't m' cannot be a label of Moses"),
        (NBestList("0", ["a|||b"], (), np.zeros((1, 0))), r"has \|\|\| in the text"),
    ],
)
def test_moses_rejects_what_would_break_its_lines(tmp_path, each, what):
    with pytest.raises(InputError, match=what):
        write_nbest([each], tmp_path / "a", lossy=True)


@pytest.mark.parametrize("name", ["a.jsonl", "a.nbest"])
def test_half_characters_cannot_be_written(tmp_path, name):
    each = NBestList("0", ["a\ud800"], (), np.zeros((1, 0)))
    with pytest.raises(InputError, match="half a surrogate pair"):
        write_nbest([each], tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_formats_are_checked(tmp_path):
    with pytest.raises(UnknownNameError, match="jsonl"):
        write_nbest([made()], tmp_path / "a", format="json")
    with pytest.raises(InputError, match="go with zmert"):
        write_nbest([made()], tmp_path / "a", params=tmp_path / "b")


def listed(texts, features, **more):
    return NBestList("0", texts, ("lm",), np.array(features, ndmin=2).T, **more)


def test_the_first_of_duplicates_is_kept():
    each = listed(["a", "b", "a", "a"], [1.0, 1.0, 1.0, 2.0], scores=np.arange(4.0))
    [both] = deduplicate([each])
    assert (both.texts, both.scores.tolist()) == (["a", "b", "a"], [0, 1, 3])
    assert deduplicate([each], by="text")[0].texts == ["a", "b"]
    assert deduplicate([each], by="features")[0].scores.tolist() == [0, 3]


def test_the_sign_of_zero_makes_no_difference():
    assert len(deduplicate([listed(["a", "a"], [0.0, -0.0])])[0]) == 1


def test_duplicates_by_statistics_are_the_same_to_the_metric():
    each = listed(["x z", "x y", "x"], [1.0, 1.0, 1.0], references=("x w",))
    metric = tertium.metric("bleu")
    [made] = deduplicate([each], by="statistics", metric=metric)
    assert made.texts == ["x z", "x"]
    with pytest.raises(InputError, match="need a metric"):
        deduplicate([each], by="statistics")
    with pytest.raises(UnknownNameError, match="unknown kind"):
        deduplicate([each], by="hash")


def test_merged_lists_must_not_contradict_each_other():
    first, second = listed(["a"], [1.0], source="s"), listed(["b"], [1.0], source="t")
    with pytest.raises(InputError, match="different sources"):
        merge_lists([first, second])
    assert merge_lists([first, listed(["b"], [1.0])]).source == "s"
    with pytest.raises(InputError, match="only some of the lists 0 have scores"):
        merge_lists([first, listed(["b"], [1.0], scores=np.zeros(1))])


def test_readers_report_what_they_ignore(tmp_path):
    notes = []
    path = tmp_path / "a"
    path.write_text("0 ||| a ||| ||| 1 ||| 0-0\n0 ||| a ||| ||| 1\n")
    read_nbest(path, on_note=notes.append)
    path.write_text('{"id": 1, "model": "x", "hyps": [{"text": "a", "n": 3}]}\n')
    read_nbest(path, on_note=notes.append)
    assert list(map(str, notes)) == [
        f"{path}: what follows the score on 1 line is ignored",
        f"{path}: these keys are ignored: model, n",
    ]

# SPDX-License-Identifier: Apache-2.0
"""Reading n-best lists: formats told apart by content, errors with file and line."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import FormatError, InputError
from tertium.tuning.reading import attach_references, read_nbest, stream_nbest

MOSES = (
    "0||| a red cat  ||| d= 0 -1.5 lm= -2 ||| -3.5\n"
    "0 ||| a cat ||| d= 0 -1 lm= -3 ||| -4\n"
    "1 ||| two dogs ||| d= 0 0 lm= 1e-3 ||| -5 ||| 0-0 1-1\n"
)

# What random text would seldom hit upon.
PIECES = [
    "\n",
    " ||| ",
    "0 ||| a ||| x= 1",
    '{"id": 1, "hyps": ["a"]}\n',
    "nan",
    "1e999",
]


@pytest.fixture
def write(tmp_path):
    def write(text, name="a.nbest"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def objects(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


SPARSE = (
    "0 ||| a red cat ||| lm= -2 wt_a~un=1 wt_=~=0.5 ||| -3\n"
    "0 ||| a cat ||| lm= -3 ||| -4\n"
    "1 ||| two dogs ||| lm= 1 dog=2 dog=1 ||| -5\n"
)


def test_sparse_features_are_0_where_they_are_missing(write):
    notes = []
    first, second = read_nbest(write(SPARSE), on_note=notes.append)
    assert first.names == second.names == ("lm", "dog", "wt_=~", "wt_a~un")
    assert first.features.tolist() == [[-2, 0, 0.5, 1], [-3, 0, 0, 0]]
    assert second.features.tolist() == [[1, 3, 0, 0]]
    assert [str(note) for note in notes] == [
        f"{write(SPARSE)}: 3 sparse features, which are 0 where they are missing"
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (SPARSE.replace("dog=2", "dog=x"), 3, "dog is 'x', not a finite number"),
        (SPARSE.replace("dog=2 dog=1", "lm=2"), 3, "'lm' has a label elsewhere"),
        (MOSES.replace("lm= 1e-3", "lm= 1e-3 x=1"), 3, "add it to line 1 with the"),
        (SPARSE.replace("dog=2", "e=1 f=1"), 3, "'f' is sparse feature 4, and at most"),
    ],
)
def test_wrong_sparse_features_are_reported(write, monkeypatch, text, line, message):
    monkeypatch.setattr("tertium.tuning.formats.sparse.MOST_SPARSE", 3)
    with pytest.raises(FormatError, match=message) as error:
        read_nbest(write(text))
    assert f"line {line}" in str(error.value) or error.value.line == line


def test_moses_lists_have_one_name_per_value(write):
    first, second = read_nbest(write(MOSES))
    assert (first.id, second.id) == ("0", "1")
    assert first.texts == ["a red cat", "a cat"]
    assert first.names == second.names == ("d_0", "d_1", "lm")
    assert first.features.tolist() == [[0, -1.5, -2], [0, -1, -3]]
    assert first.scores.tolist() == [-3.5, -4]
    assert second.features.tolist() == [[0, 0, 0.001]]
    assert second.source is None
    assert second.references == ()


def test_labels_may_end_with_colons(write):
    assert read_nbest(write(MOSES.replace("=", ":")))[0].names == ("d_0", "d_1", "lm")


def test_features_and_scores_may_be_missing(write):
    [made] = read_nbest(write("0 ||| a\n0 ||| b\n"))
    assert (made.names, made.features.shape, made.scores) == ((), (2, 0), None)
    [made] = read_nbest(write("0 ||| a ||| ||| -1\n0 ||| b ||| ||| -2\n"))
    assert (made.names, made.scores.tolist()) == ((), [-1, -2])


def test_features_without_labels_are_numbered_or_named_by_z_mert(write):
    path = write("0 ||| a ||| -1 2\n")
    assert read_nbest(path)[0].names == ("F0", "F1")
    lines = "LM\t|||\t0.1 Opt -Inf +Inf -1 +1\nsecond model ||| 2 Fix 0 3 0 1\n"
    params = write(f"{lines}normalization = none\n", "params.txt")
    assert read_nbest(path, params=params)[0].names == ("LM", "second model")


def test_jsonl_has_everything_in_one_object(write):
    hyps = [
        {"text": "a", "features": {"lm": -1, "tm": 0.5}, "score": -2},
        {"text": "b\nc", "features": {"tm": 1.5, "lm": -2}, "score": -3},
    ]
    row = {"id": 7, "src": "x", "refs": ["r", "s"], "hyps": hyps}
    [made] = read_nbest(write(objects(row)))
    assert (made.id, made.source, made.references) == ("7", "x", ("r", "s"))
    assert made.texts == ["a", "b\nc"]
    assert made.names == ("lm", "tm")
    assert made.features.tolist() == [[-1, 0.5], [-2, 1.5]]
    assert made.scores.tolist() == [-2, -3]


def test_hypotheses_may_be_texts(write):
    [made] = read_nbest(write(objects({"id": "x", "refs": "r", "hyps": ["a", "b"]})))
    assert (made.texts, made.names, made.scores) == (["a", "b"], (), None)
    assert made.references == ("r",)


def test_the_extension_does_not_matter(write, tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes(gzip.compress(MOSES.encode()))
    assert [len(each) for each in read_nbest(path)] == [2, 1]
    row = {"id": "0", "hyps": ["a"]}
    assert read_nbest(write(objects(row), "b.nbest"))[0].texts == ["a"]


def test_several_files_are_merged_by_segment(write):
    other = write(
        "0 ||| new ||| d= 1 1 lm= 1 ||| 9\n2 ||| x ||| d= 0 0 lm= 0 ||| 0\n", "b"
    )
    merged = read_nbest([write(MOSES), other])
    assert [each.id for each in merged] == ["0", "1", "2"]
    assert merged[0].texts == ["a red cat", "a cat", "new"]
    assert merged[0].features[2].tolist() == [1, 1, 1]
    assert merged[0].scores.tolist() == [-3.5, -4, 9]


def test_ids_that_are_not_numbers_are_merged_in_the_order_of_the_first_file(write):
    first = write(objects({"id": "b", "hyps": ["1"]}, {"id": "a", "hyps": ["2"]}), "x")
    second = write(objects({"id": "a", "hyps": ["3"]}, {"id": "c", "hyps": ["4"]}), "y")
    merged = read_nbest([first, second])
    assert {each.id: each.texts for each in merged} == {
        "b": ["1"],
        "a": ["2", "3"],
        "c": ["4"],
    }


def test_lists_are_streamed_before_the_end_is_read(write):
    lists = stream_nbest(write(f"{MOSES}broken\n"))
    assert next(lists).id == "0"
    with pytest.raises(FormatError, match=r":4: 'broken' is not a line"):
        list(lists)


def test_references_belong_to_lists_by_number(write):
    path = write(MOSES)
    refs = [write("a red cat\ntwo dogs\n", "r0"), write("the cat\ndogs\n", "r1")]
    first, second = read_nbest(path, references=refs, source=write("x\ny\n", "s"))
    assert first.references == ("a red cat", "the cat")
    assert (second.references, second.source) == (("two dogs", "dogs"), "y")
    assert attach_references(read_nbest(path), ["r", ["s", "t"]])[1].references == (
        "s",
        "t",
    )


@pytest.mark.parametrize(
    ("text", "size", "what"),
    [
        ("0 ||| a\n2 ||| b\n", 3, "there is no list 1: 2 follows 0, and line 2 of the"),
        ("0 ||| a\n2 ||| b\n", 2, "there is no list 1"),
        ("0 ||| a\n1 ||| b\n", 3, "there are 2 lists and 3 references"),
        ("0 ||| a\n1 ||| b\n", 1, "there are 2 lists and 1 reference; give one"),
    ],
)
def test_references_and_lists_must_match(write, text, size, what):
    lists = read_nbest(write(text))
    with pytest.raises(InputError, match=what):
        attach_references(lists, ["r"] * size)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", None, "the file is empty; give"),
        ("no bars\n", 1, "write NUMBER"),
        (
            "0 ||| a ||| x= 1\n0 ||| b ||| x= 1 2\n",
            2,
            "2 feature values, but line 1 has 1",
        ),
        (
            "0 ||| a ||| x= 1\n1 ||| b ||| y= 1\n",
            2,
            "line 1: x= is missing; give every",
        ),
        ("0 ||| a ||| x= 1\n1 ||| b ||| x= 1 y= 2\n", 2, "line 1: y= is new; give"),
        (
            "0 ||| a ||| x= 1 y= 2\n1 ||| b ||| y= 1 x= 2\n",
            2,
            "their order is different",
        ),
        ("0 ||| a ||| x= 1 2 y= 3\n1 ||| b ||| x= 1 y= 2 3\n", 2, "in another way"),
        ("0 ||| a ||| 1 2\n0 ||| b ||| 1 2 3\n0 ||| b ||| 1\n", 2, "3 feature values"),
        ("0 ||| a ||| x= 1\n0 ||| b\n", 2, r"2 fields .* but line 1 has 3; give"),
        ("0 ||| a ||| x= 1 x= 2\n", 1, "'x' is there twice; rename"),
        ("0 ||| a ||| x= y= 2\n", 1, "'x=' has no value"),
        ("0 ||| a ||| 3 x= 2\n", 1, "the value '3' has no label"),
        (
            "0 ||| a ||| x= 1\n0 ||| b ||| x= nan\n",
            2,
            "x is 'nan', not a finite number",
        ),
        ("0 ||| a ||| x= 1\n0 ||| b ||| x= z\n", 2, "x is 'z', not a finite number"),
        ("0 ||| a ||| x= 1 ||| -inf\n", 1, "score is '-inf', not a finite"),
        ("1 ||| a\n0 ||| b\n", 2, "sentence 0 comes after 1; sort"),
    ],
)
def test_moses_errors_name_the_line_and_a_cure(write, text, line, what):
    path = write(text)
    with pytest.raises(FormatError, match=what) as caught:
        read_nbest(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    ("rows", "line", "what"),
    [
        ([{"hyps": ["a"]}], 1, 'there is no "id"; give'),
        ([{"id": 1, "hyps": ["a"]}, {"id": "1", "hyps": ["b"]}], 2, "also on line 1"),
        ([{"id": 1, "hyps": []}], 1, "list 1 has no hypotheses"),
        ([{"id": 1}], 1, "list 1 has no hypotheses"),
        ([{"id": 1, "hyps": [{"score": 1}]}], 1, "hypothesis 1 has no text"),
        ([{"id": 1, "hyps": [{"text": "a", "features": [1]}]}], 1, "is a list; write"),
        (
            [{"id": 1, "hyps": [{"text": "a", "features": {"x": 1}}, "b"]}],
            1,
            "hypothesis 2 differ from the first: 'x' is missing",
        ),
        (
            [
                {"id": 1, "hyps": [{"text": "a", "features": {"x": 1}}]},
                {"id": 2, "hyps": [{"text": "a", "features": {"y": 1}}]},
            ],
            2,
            "hypothesis 1 differ from the first: 'x' is missing",
        ),
        (
            [{"id": 1, "hyps": [{"text": "a", "score": 1}, {"text": "b"}]}],
            1,
            "hypothesis 2 has no score, others have one",
        ),
        (
            [{"id": 1, "hyps": [{"text": "a", "features": {"x": float("nan")}}]}],
            1,
            "'x' of hypothesis 1 is nan, not a finite number",
        ),
        (
            [{"id": 1, "hyps": [{"text": "a", "score": "high"}]}],
            1,
            "'score' of hypothesis 1 is a text, not",
        ),
        ([{"id": 1, "hyps": ["a"], "src": 3}], 1, '"src" is a number; make it a text'),
        ([{"id": 1, "hyps": ["a"], "refs": [3]}], 1, '"refs" is not a list of texts'),
    ],
)
def test_jsonl_errors_name_the_line_and_a_cure(write, rows, line, what):
    path = write(objects(*rows))
    with pytest.raises(FormatError, match=what) as caught:
        read_nbest(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_merged_files_need_the_same_features_and_sorted_numbers(write):
    path = write(MOSES)
    with pytest.raises(
        FormatError, match=r"b: the features are x, but in .*a\.nbest d_0"
    ):
        read_nbest([path, write("0 ||| a ||| x= 1\n", "b")])
    rows = [{"id": 1, "hyps": ["a"]}, {"id": 0, "hyps": ["a"]}]
    with pytest.raises(FormatError, match="list '0' comes after 1; to merge files"):
        read_nbest([write(objects(*rows), "c"), write("0 ||| a\n", "d")])


@settings(max_examples=60)
@given(
    st.lists(
        st.text(st.sampled_from('0123 |ab=:.-{}[]",\t\\')) | st.sampled_from(PIECES),
        max_size=12,
    )
)
def test_whatever_a_file_holds_is_a_list_or_an_error(tmp_path_factory, pieces):
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_text("".join(pieces), encoding="utf-8")
    with suppress(FormatError):
        assert all(np.isfinite(each.features).all() for each in read_nbest(path))


def test_wrong_parameter_files_name_the_line(write):
    path = write("0 ||| a ||| -1 2\n")
    with pytest.raises(FormatError, match=r"params:1: 'LM 0.1' is not a parameter"):
        read_nbest(path, params=write("LM 0.1\n", "params"))
    with pytest.raises(FormatError, match="2 feature values, but 1 names"):
        read_nbest(path, params=write("LM ||| 0.1 Opt 0 1\n", "params"))
    twice = write("LM ||| 0 Opt 0 1\n" * 2, "params")
    with pytest.raises(FormatError, match=r"params:2: the name 'LM' is there twice"):
        read_nbest(path, params=twice)
    listed = write(objects({"id": 0, "hyps": ["a"]}), "b")
    with pytest.raises(FormatError, match="have names in JSONL; omit params"):
        read_nbest(listed, params=write("LM ||| 0.1 Opt 0 1\n", "params"))
    with pytest.raises(FormatError, match="have labels such as 'd='; omit"):
        read_nbest(write(MOSES, "m"), params=write("LM ||| 0.1 Opt 0 1\n", "params"))

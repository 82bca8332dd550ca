# SPDX-License-Identifier: Apache-2.0
"""Outputs with predicted error spans: vectors of our own, and what always holds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import Testset
from tertium.data import kept, stream
from tertium.data import read as read_testset
from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements, Span
from tertium.judgements.writing import write_judgements
from tertium.learn.spans import (
    find_span_model,
    load_span_model,
    mark_spans,
    mark_testset,
    predictions,
    stream_marked,
    train_span_model,
)
from tertium.learn.spans.features import (
    CATEGORIES,
    OUTPUT_FEATURES,
    WORD_FEATURES,
    describe,
)

REF = "The old bridge over the river was closed on Monday."
TEXTS = st.text(st.sampled_from("ab .,é😀👨‍👩‍👧東Ñ'\u0301\u202e\n"), max_size=30)
EAGER = find_span_model().with_threshold(0.0)


def words_of(hyp, ref=REF, **options):
    """Return the category of every candidate, by word."""
    (output,) = mark_spans([hyp], [ref], model=EAGER, **options)
    return {
        output.text[span.start : span.end]: span.category
        for span in output.spans
        if span.start is not None
    }


def column(hyp, ref, name, **options):
    described = describe([hyp], [[ref]], **options)
    return described.words[:, WORD_FEATURES.index(name)].tolist()


# ------------------------------------------------------------------- categories


@pytest.mark.parametrize(
    ("hyp", "span", "category"),
    [
        ("The old tunnel over the river was closed on Monday.", "tunnel",
         "lexical choice"),
        ("The very old bridge over the river was closed on Monday.", "very", "extra"),
        ("The old bridges over the river was closed on Monday.", "bridges",
         "inflection"),
        ("The old bridge over the River was closed on Monday.", "River",
         "capitalisation"),
        ("The old bridge over the river was closed on Monday!", "!", "punctuation"),
    ],
)  # fmt: skip
def test_kinds_of_differences(hyp, span, category):
    assert words_of(hyp, langpair="de-en") == {span: category}


def test_words_in_another_place():
    ref = "On Monday the bridge was closed."
    marks = words_of("the bridge was closed On Monday.", ref)
    assert marks == {"On Monday": "order"}


def test_words_copied_from_the_source_are_untranslated():
    hyp = "The old Brücke over the river was closed on Monday."
    src = "Die alte Brücke über den Fluss wurde am Montag gesperrt."
    assert words_of(hyp, srcs=[src]) == {"Brücke": "untranslated"}
    assert words_of(hyp) == {"Brücke": "lexical choice"}


def test_a_single_word_between_differences_joins_them():
    ref = "we saw a red car today"
    assert list(words_of("we saw one red bus today", ref)) == ["one red bus"]


def test_a_copy_has_no_errors():
    (output,) = mark_spans([REF], [REF], model=EAGER)
    assert [span for span in output.spans if span.start is not None] == []
    assert output.score == 100.0


def test_the_closest_reference_counts():
    hyp = "A fox ran past."
    (output,) = mark_spans([hyp], [["Something else happened here.", hyp]])
    assert output.score == 100.0


def test_half_of_the_text_missing_is_missing_content():
    hyp = "The bridge was closed."
    ref = (
        "The bridge was closed. Nobody knew when it would open again, because the "
        "repairs had not even begun and the money was spent on something else."
    )
    (output,) = mark_spans([hyp], [ref], langpair="de-en")
    assert [span.category for span in output.spans] == ["missing"]
    assert output.spans[0].start is None


# --------------------------------------------------------------------- features


def test_features_have_the_names_of_their_columns():
    described = describe(["a b"], [["a c"]])
    assert described.words.shape == (2, len(WORD_FEATURES))
    assert described.outputs.shape == (1, len(OUTPUT_FEATURES))


def test_a_repeated_word_is_noticed_within_a_text_only():
    described = describe(["so so it is", "is it"], [["so it is"], ["is it"]])
    values = described.words[:, WORD_FEATURES.index("repeated")]
    assert values.tolist() == [0, 1, 0, 0, 0, 0]


def test_unknown_languages_have_no_frequencies():
    assert all(value != value for value in column("a b", "a", "frequency"))
    assert column("the", "the", "frequency", language="en")[0] > 7


# ------------------------------------------------------------- what always holds


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_spans_lie_within_the_text_and_never_overlap(rows):
    hyps, refs, srcs = map(list, zip(*rows, strict=True))
    for model in (EAGER, "spans-1"):
        for output in mark_spans(hyps, refs, srcs, langpair="en-de", model=model):
            end = 0
            places = [span for span in output.spans if span.start is not None]
            for span in places:
                assert end <= span.start < span.end <= len(output.text)
                assert not output.text[span.start].isspace()
                assert span.severity in ("minor", "major")
                assert span.category in CATEGORIES
                assert 0 <= span.probability <= 1
                end = span.end
            assert len(output.spans) - len(places) in (0, 1)
            assert 0 < output.score <= 100


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=4))
def test_outputs_do_not_depend_on_each_other(rows):
    hyps, refs = map(list, zip(*rows, strict=True))
    together = mark_spans(hyps, refs, langpair="en-de", model=EAGER)
    alone = [
        mark_spans([hyp], [ref], langpair="en-de", model=EAGER, threads=1)[0]
        for hyp, ref in rows
    ]
    for one, other in zip(together, alone, strict=True):
        assert [span[:4] for span in one.spans] == [span[:4] for span in other.spans]
        assert one.score == pytest.approx(other.score)


def test_a_lower_threshold_marks_more():
    hyp = "A big bridge on a lake had been shut in May."
    sizes = []
    for threshold in (0.0, 0.2, 0.4, 1.0):
        model = find_span_model().with_threshold(threshold)
        (output,) = mark_spans([hyp], [REF], langpair="de-en", model=model)
        places = [span for span in output.spans if span.start is not None]
        sizes.append(sum(span.end - span.start for span in places))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1] == 0


def test_positions_are_code_points():
    hyp = "😀 The old 👍 tunnel over the river was closed on Monday."
    assert "tunnel" in next(key for key in words_of(hyp) if "tunnel" in key)


# ------------------------------------------------------------------- test sets


@pytest.fixture
def testset():
    return Testset(
        [("The cat sat on the mat.",), ("It rained all day.",)],
        {
            "A": ["The cat sat on the mat.", "It snowed the whole week 😀."],
            "B": ["A dog lay in its bed.", "It rained all day."],
        },
        ids=["doc:1", "doc:2"],
        langpair="de-en",
    )


def test_outputs_are_marked_in_the_order_asked_for(testset):
    marked = mark_testset(testset, outputs=[(2, "A"), (1, "B"), (1, "A")])
    assert [(each.name, each.system) for each in marked] == [
        ("doc:2", "A"), ("doc:1", "B"), ("doc:1", "A"),
    ]  # fmt: skip
    assert marked[0].output.text == "It snowed the whole week 😀."
    assert [(e.segment, e.system) for e in mark_testset(testset)] == [
        (1, "A"), (1, "B"), (2, "A"), (2, "B"),
    ]  # fmt: skip


@pytest.mark.parametrize("reference", [None, 0])
def test_texts_on_disk_have_the_same_marks(monkeypatch, reference):
    monkeypatch.setattr(kept, "BLOCK", 3)
    on_disk = kept.keep_on_disk(stream("demo", size=7))
    marked = list(stream_marked(on_disk, reference=reference))
    assert marked == mark_testset(read_testset("demo"), reference=reference)


def test_predictions_survive_their_file(testset, tmp_path):
    marked = mark_testset(testset, model=EAGER)
    path = tmp_path / "baseline.de-en.jsonl"
    write_judgements(
        predictions(marked, langpair="de-en"), path, format="wmt26-predictions"
    )
    read = Judgements.read(path)
    places = {
        (span.system, span.segment, span.start, span.end, span.severity)
        for span in read.iterate("spans")
        if span.start is not None
    }
    assert places == {
        (each.system, each.name, span.start, span.end, span.severity)
        for each in marked
        for span in each.output.spans
        if span.start is not None
    }
    scores = {(r.system, r.segment): r.score for r in read.iterate("ratings")}
    for each in marked:
        assert scores[each.system, each.name] == round(each.output.score, 4)
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert first["task1_pred"]["A"]["errors"] == []


# ----------------------------------------------------------------------- errors


def test_references_are_needed():
    with pytest.raises(InputError, match="there are none; give references"):
        mark_testset(Testset([()], {"A": ["a"]}))
    with pytest.raises(InputError, match="segment 0 has no reference"):
        mark_spans(["a"], [[]])


def test_columns_have_one_length():
    with pytest.raises(InputError, match="2 outputs and 1 refs"):
        mark_spans(["a", "b"], ["a"])
    with pytest.raises(InputError, match="1 output and 2 srcs"):
        mark_spans(["a"], ["a"], ["x", "y"])


def test_surrogates_are_rejected():
    with pytest.raises(InputError, match="surrogate"):
        mark_spans(["a \ud800"], ["a"])


def test_nothing_to_mark():
    assert mark_spans([], []) == []


def test_other_references_are_rejected(testset):
    with pytest.raises(InputError, match="segment 1 has 1 reference"):
        mark_testset(testset, reference=1)


def test_models_survive_their_file(tmp_path):
    model = find_span_model()
    model.save(tmp_path / "model.json")
    assert load_span_model(tmp_path / "model.json") == model
    assert (tmp_path / "model.json").read_text(encoding="utf-8") == model.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "not a span model of version 1"),
        ({"penalty": "much"}, "penalty is 'much'; it must be a number"),
        ({"missing_severity": "odd"}, "missing_severity must be minor or major"),
        ({"error": {}}, "error lacks"),
        ({"more": 1}, "nobody asked for"),
    ],
)
def test_wrong_models_are_rejected(tmp_path, change, message):
    data = json.loads(find_span_model().to_json()) | change
    path = tmp_path / "model.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        load_span_model(path)


def test_unknown_models_are_rejected(tmp_path):
    with pytest.raises(InputError, match="there is no span model none"):
        find_span_model("none")
    with pytest.raises(InputError, match="not between 0 and 1"):
        find_span_model().with_threshold(1.5)
    (tmp_path / "model.json").write_text("{", encoding="utf-8")
    with pytest.raises(FormatError, match="not JSON"):
        load_span_model(tmp_path / "model.json")


# --------------------------------------------------------------------- training


def training_data(number=12):
    """Return outputs in which another word is an error, and another form is not."""
    refs, hyps, spans = [], [], []
    for i in range(number):
        ref = f"the {('tall', 'short', 'wide')[i % 3]} trees stood near the house {i}"
        hyp = ref.replace("trees", "tree").replace("house", f"lake{'x' * (i % 4)}")
        refs.append((ref,))
        hyps.append(hyp)
        start = hyp.index("lake")
        end = hyp.index(" ", start)
        severity = "major" if i % 2 else "minor"
        spans.append(Span("A", "x", severity, str(i + 1), start=start, end=end))
    return Testset(refs, {"A": hyps}, langpair="de-en"), Judgements.from_iterable(spans)


def test_training_finds_what_people_mark():
    texts, human = training_data()
    model = train_span_model(texts, human, name="mine", regularisation=0.1)
    for each in mark_testset(texts, model=model):
        spans = [each.output.text[s.start : s.end] for s in each.output.spans]
        assert [text.rstrip("x") for text in spans] == ["lake"]
    assert model.validation["character_f"] == 1.0
    assert model.training["outputs"] == 12


def test_training_is_deterministic():
    texts, human = training_data()
    one, two = (
        train_span_model(texts, human, name="mine", threads=n).to_json() for n in (1, 2)
    )
    assert one == two


def test_training_needs_documents_and_errors():
    texts, human = training_data(4)
    with pytest.raises(InputError, match="come from 4 documents"):
        train_span_model(texts, human, name="mine")
    texts, human = training_data()
    with pytest.raises(InputError, match="none of the judged outputs"):
        train_span_model(Testset([("a",)], {"B": ["a"]}), human, name="mine")
    free = Judgements.from_iterable(
        Span("A", "no-error", "no-error", str(i + 1)) for i in range(12)
    )
    with pytest.raises(InputError, match="nothing to learn"):
        train_span_model(texts, free, name="mine")

# SPDX-License-Identifier: Apache-2.0
"""Documents of span tasks: context, order of candidates, pre-filled spans."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.span_campaign import SYSTEMS, load_spans, people, text, work_through
from support.span_campaign import write_spans as write
from tertium.campaigns.config import read_config
from tertium.campaigns.loading import check as check_config
from tertium.campaigns.tasks import AnswerError, get_task
from tertium.campaigns.tasks.spans.prefilled import shifted
from tertium.campaigns.tasks.twins import Damaged
from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements, Span, write_store


def drafts(folder, task="esa", kind="work", **settings):
    config = read_config(write(folder, task, **settings))
    return [one for one in get_task(task).items(config) if one.kind == kind]


def clean(key, paragraph):
    return [], 90


# ------------------------------------------------------------------------- context


def test_the_text_around_a_stretch_is_part_of_it(tmp_path):
    first, second = (
        one.content
        for one in drafts(tmp_path, documents=1, paragraphs=2)
        if one.origins == {"a": ("alphasys",)}
    )
    assert (first["before"], first["before_outputs"]) == ("", {})
    assert first["after"] == "source 2"
    assert second["before"] == "source 1"
    assert second["before_outputs"] == {"a": text("alphasys", 1)}
    assert second["after"] == ""


def test_whole_documents_have_nothing_around_them(tmp_path):
    for one in drafts(tmp_path, paragraphs=0):
        assert (one.content["before"], one.content["after"]) == ("", "")
        assert len(one.content["paragraphs"]) == 4


def test_every_candidate_has_its_own_text_before(tmp_path):
    *_, last = drafts(tmp_path, "cesa", paragraphs=2)
    before = {last.origins[key][0]: one for key, one in
              last.content["before_outputs"].items()}  # fmt: skip
    assert before == {name: text(name, 5) for name in SYSTEMS}


# --------------------------------------------------------------------------- order


def shown(task, assignment):
    page = task.page(
        assignment.item.content,
        assignment.item.campaign.options,
        Random(assignment.seed),
    )
    origins = assignment.item.systems()
    return [(name, *origins[key]) for key, name in page["names"]]


@pytest.mark.django_db
def test_candidates_keep_their_order_through_a_document(tmp_path):
    campaign = load_spans(tmp_path, "cesa", documents=6, paragraphs=1, bad=False)
    orders = {}
    for member in people(campaign, 2):
        for one in work_through(campaign, member, clean, most=12):
            order = tuple(shown(get_task("cesa"), one))
            orders.setdefault((member.pk, one.item.document), set()).add(order)
    assert {len(order) for order in orders.values()} == {1}
    assert len(set.union(*orders.values())) > 1  # not the same for all


def test_a_group_of_systems_stays_together_in_a_document(tmp_path):
    items = drafts(tmp_path, "cesa", systems=2, paragraphs=1)
    for document in ("doc0", "doc1"):
        groups = {
            tuple(sorted(one.origins.items()))
            for one in items
            if one.document == document
        }
        assert len(groups) == 2


def test_equal_translations_are_shown_once_under_the_same_letter(tmp_path):
    lines = [
        {
            "id": f"s{n}",
            "doc": "d",
            "src": f"source {n}",
            "ref": ["r"],
            "tgt": {"alphasys": f"one {n}", "betasys": f"one {n}" if n else "two",
                    "gammasys": f"three {n}"},
        }
        for n in range(2)
    ]  # fmt: skip
    first, second = drafts(tmp_path, "cesa", lines=lines, paragraphs=1, bad=False)
    assert (len(first.origins), len(second.origins)) == (3, 2)
    letters = []
    for one in (first, second):
        page = get_task("cesa").page(one.content, OPTIONS["cesa"], Random(3))
        letters.append({s: name for key, name in page["names"]
                        for s in one.origins[key]})  # fmt: skip
    assert letters[0]["gammasys"] == letters[1]["gammasys"]
    assert letters[1]["alphasys"] == letters[1]["betasys"]
    assert letters[1]["alphasys"] in (letters[0]["alphasys"], letters[0]["betasys"])


OPTIONS = {
    task: {name: one.default for name, one in get_task(task).declared_options.items()}
    for task in ("esa", "mqm", "cesa")
}


# ------------------------------------------------------------------- pre-filled spans


def fill(folder, *spans):
    folder.mkdir(exist_ok=True)
    write_store(Judgements.from_iterable(spans), str(folder / "spans.sqlite"))
    return "spans.sqlite"


def first_marks(folder, *spans, task="esa", **settings):
    name = fill(folder, *spans)
    for one in drafts(folder, task, prefilled=name, **settings):
        paragraph = one.content["paragraphs"][0]
        if paragraph["segment"] == "s0" and one.origins == {"a": ("alphasys",)}:
            return paragraph["prefilled"]
    raise AssertionError


def test_prefilled_spans_fit_the_settings(tmp_path):
    marks = first_marks(
        tmp_path,
        Span("alphasys", "x", "Major", "s0", 0, 5),  # with the space behind it
        Span("alphasys", "x", "minor", "s0", 3, 3),
        Span("betasys", "x", "minor", "s1", 0, 2),
    )
    assert marks == {
        "a": [
            {"start": 0, "end": 4, "severity": "major"},
            {"start": None, "end": None, "severity": "minor"},
        ]
    }


@pytest.mark.parametrize("task", ["esa", "mqm"])
def test_prefilled_marks_that_are_special_keep_their_name(task, tmp_path):
    span = Span("alphasys", "fault", "major", "s0")
    (mark,) = first_marks(tmp_path, span, task=task, special="fault")["a"]
    assert mark == {
        "start": None,
        "end": None,
        "severity": "major",
        "category": "fault",
    }


def test_a_severity_that_the_campaign_lacks_is_named_with_the_place(tmp_path):
    span = Span("alphasys", "x", "critical", "s0", 0, 4)
    with pytest.raises(FormatError, match="add it to severities") as caught:
        first_marks(tmp_path, span)
    message = str(caught.value)
    assert "segment 's0' of system 'alphasys': the severity 'critical'" in message
    assert "spans.sqlite" in message
    levels = "minor, major, critical"
    (mark,) = first_marks(tmp_path / "more", span, severities=levels)["a"]
    assert mark["severity"] == "critical"


@pytest.mark.parametrize("name", ["llm:model=demo", "llm:model=../../x", "no.jsonl"])
def test_a_metric_in_place_of_a_file_is_told_apart(name, tmp_path):
    with pytest.raises(InputError, match="is not a file") as caught:
        drafts(tmp_path, prefilled=name)
    assert "tertium judge" in str(caught.value)
    assert "explain --spans" in str(caught.value)


@pytest.mark.parametrize("systems", [SYSTEMS[:1], SYSTEMS])
def test_a_note_counts_the_outputs_that_a_file_covers(systems, tmp_path):
    name = fill(tmp_path, *(Span(s, "x", "minor", "s0", 0, 4) for s in systems))
    config = write(tmp_path, documents=1, length=1, prefilled=name)
    notes = [str(one) for one in check_config(read_config(config)).notes]
    covers = f"{name} covers 1 of 3 outputs; the others start without marks"
    assert notes == ([covers] if systems != SYSTEMS else [])


def test_unknown_categories_are_left_open(tmp_path):
    spans = [
        Span("alphasys", name, "minor", "s0", 0, 4)
        for name in ("Accuracy/Omission", "odd")
    ]
    marks = first_marks(tmp_path, *spans, task="mqm")["a"]
    assert [one["category"] for one in marks] == ["Accuracy/Omission", ""]


def test_no_error_is_known_to_be_none(tmp_path):
    span = Span("alphasys", "no-error", "no-error", "s0")
    assert first_marks(tmp_path, span) == {"a": []}


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ((0, 99), "lies outside the output"),
        ((60, 70), "lies outside the output"),
        ((5, 2), "ends before it starts"),
        ((4, 5), "only white space"),
    ],
)
def test_spans_out_of_range_are_named(place, what, tmp_path):
    with pytest.raises(FormatError, match=what) as caught:
        first_marks(tmp_path, Span("alphasys", "x", "minor", "s0", *place))
    message = str(caught.value)
    assert "spans.sqlite" in message
    assert "segment 's0' of system 'alphasys'" in message
    assert "; " in message  # and the cure


@pytest.mark.parametrize("words", ["boat", " boat ", "Boat", ""])
def test_marks_may_quote_their_words_as_models_do(words, tmp_path):
    span = Span("alphasys", "x", "minor", "s0", 0, 5, text=words)
    (mark,) = first_marks(tmp_path, span)["a"]
    assert (mark["start"], mark["end"]) == (0, 4)


@pytest.mark.parametrize("words", ["ship", "boa", "boat night"])
def test_marks_of_another_text_are_an_error(words, tmp_path):
    span = Span("alphasys", "x", "minor", "s0", 0, 4, text=words)
    with pytest.raises(FormatError, match="where the output has 'boat'") as caught:
        first_marks(tmp_path, span)
    assert f"'s0' of system 'alphasys': the span 0 to 4 marks {words!r}" in str(
        caught.value
    )
    assert "mark these again" in str(caught.value)
    assert caught.value.options == ()


def test_missing_content_is_left_out_where_it_is_not_marked(tmp_path):
    spans = [
        Span("alphasys", "Accuracy/Omission", "minor", "s0"),
        Span("alphasys", "fault", "minor", "s0"),
        Span("alphasys", "x", "major", "s0", 0, 4),
    ]
    settings = {"missing": False, "special": "fault"}
    marks = first_marks(tmp_path, *spans, **settings)["a"]
    assert [one["start"] for one in marks] == [None, 0]
    config = read_config(tmp_path / "campaign.toml")
    task, (item, *_) = get_task("esa"), drafts(tmp_path, prefilled="spans.sqlite",
                                               paragraphs=1, **settings)  # fmt: skip
    entry = {"marks": marks, "score": 50}
    task.check(item.content, {"outputs": {"a": [entry]}}, task.options(config))
    note = "1 mark of missing content is left out, as missing = false in [task]"
    assert note in [str(one) for one in check_config(config).notes]


def test_what_has_no_place_is_missing_content_or_left_out(tmp_path):
    spans = [
        Span("alphasys", name, "minor", "s0", *place, side=side, text=words)
        for name, place, side, words in (
            ("Accuracy/Omission", (None, None), "target", "absent"),
            ("Accuracy/Omission", (None, None), "source", "misspelt"),
            ("", (0, 6), "source", "source"),
            ("Accuracy/Mistranslation", (0, 6), "source", "source"),
            ("Style/Awkward", (None, None), "target", "absent"),
        )
    ]
    spans.append(spans[3]._replace(segment="s1"))
    marks = first_marks(tmp_path, *spans, paragraphs=1)["a"]
    assert marks == [{"start": None, "end": None, "severity": "minor"}] * 3
    config = read_config(tmp_path / "campaign.toml")
    notes = {one.code: one.values for one in check_config(config).notes}
    assert notes["prefilled-unlocated"] == {"count": 3}
    assert notes["prefilled-some"]["count"] == 2


def test_a_file_about_other_outputs_is_an_error(tmp_path):
    name = fill(tmp_path, Span("elsewhere", "x", "minor", "s0", 0, 4))
    with pytest.raises(InputError, match="names of the test set"):
        drafts(tmp_path, prefilled=name)


def repeated_ids(*documents):
    return [
        {"id": "1", "doc": name, "src": "a", "tgt": {"wren": f"{name} text"}}
        for name in documents
    ]


def test_marks_of_repeated_ids_are_told_apart_by_document(tmp_path):
    spans = [
        Span("wren", "x", "minor", "1", *place, document=name)
        for name, place in (("river", (0, 5)), ("lake", (5, 9)))
    ]
    name = fill(tmp_path, *spans)
    lines = repeated_ids("river", "lake")
    marks = {
        one.document: one.content["paragraphs"][0]["prefilled"]["a"][0]["start"]
        for one in drafts(tmp_path, prefilled=name, lines=lines)
    }
    assert marks == {"river": 0, "lake": 5}


def test_marks_without_a_document_need_ids_that_differ(tmp_path):
    name = fill(tmp_path, Span("wren", "x", "minor", "1", 0, 4))
    with pytest.raises(FormatError, match=r"'1' of system 'wren' is in several"):
        drafts(tmp_path, prefilled=name, lines=repeated_ids("river", "lake"))
    (one,) = drafts(tmp_path, prefilled=name, lines=repeated_ids("river"))
    assert one.content["paragraphs"][0]["prefilled"]["a"]


def test_marks_of_another_document_are_not_shown(tmp_path):
    name = fill(tmp_path, Span("wren", "x", "minor", "1", 0, 4, document="sea"))
    with pytest.raises(InputError, match="the first is of document 'sea', segment '1'"):
        drafts(tmp_path, prefilled=name, lines=repeated_ids("river"))
    (line,) = repeated_ids("river")
    del line["doc"]
    (one,) = drafts(tmp_path, prefilled=name, lines=[line])
    assert one.content["paragraphs"][0]["prefilled"]["a"]


def test_damaged_twins_keep_marks_beside_the_damage(tmp_path):
    name = fill(tmp_path, *(Span(s, "x", "minor", "s0", 0, 4) for s in SYSTEMS))
    for twin in drafts(tmp_path, "cesa", kind="check", prefilled=name):
        key, place, start, end = twin.meta["damage"]
        for number, one in enumerate(twin.content["paragraphs"]):
            for candidate, marks in one["prefilled"].items():
                if (candidate, number) != (key, place):
                    assert len(marks) == 1
                for mark in marks:
                    assert one["outputs"][candidate][mark["start"] : mark["end"]]
                    hit = mark["start"] < end and start < mark["end"]
                    assert (candidate, number) != (key, place) or not hit


@given(st.data())
def test_shifted_marks_have_the_words_they_had(data):
    words = [f"w{n}" for n in range(8)]
    first = data.draw(st.integers(0, 6))
    last = data.draw(st.integers(first + 1, 8))
    new = data.draw(st.lists(st.just("other"), min_size=1, max_size=4))
    old, made = " ".join(words), " ".join(words[:first] + new + words[last:])
    start = len(" ".join(words[:first])) + (first > 0)
    damaged = Damaged(made, start, start + len(" ".join(new)))
    marks = []
    for n in range(8):
        at = old.index(f"w{n}")
        marks.append({"start": at, "end": at + 2, "word": f"w{n}"})
    moved = shifted(marks, len(old), damaged)
    kept = words[:first] + words[last:]
    assert [made[one["start"] : one["end"]] for one in moved] == kept


@pytest.mark.parametrize("origin", [1, 200, -1, True, "0", 0.0])
def test_a_mark_names_a_prefilled_span_of_its_item(origin):
    mark = {"start": 0, "end": 2, "severity": "minor"}
    one = {"segment": "s", "source": "s", "reference": "", "outputs": {"a": "ab cd"},
           "prefilled": {"a": [mark]}}  # fmt: skip
    content = {"before": "", "paragraphs": [one]}

    def check(*origins):
        marks = [
            {"start": n * 3, "end": n * 3 + 2, "severity": "minor", "prefilled": one}
            for n, one in enumerate(origins)
        ]
        answer = {"outputs": {"a": [{"marks": marks, "score": 5}]}}
        return get_task("esa").check(content, answer, OPTIONS["esa"])

    assert check(0)["outputs"]["a"][0]["marks"][0]["prefilled"] == 0
    for wrong in ([origin], [0, 0]):
        with pytest.raises(AnswerError):
            check(*wrong)

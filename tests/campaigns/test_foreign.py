# SPDX-License-Identifier: Apache-2.0
"""Campaigns of Appraise and Pearmut, made into campaigns of ours."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.images import gif, png
from tertium.campaigns.config import read_config
from tertium.campaigns.creating import create_campaign
from tertium.campaigns.foreign import read_foreign
from tertium.campaigns.foreign.appraise import differences
from tertium.campaigns.loading import check
from tertium.campaigns.tasks.screens import Screen, ScreenParagraph, read_screens
from tertium.cli import main
from tertium.errors import FormatError, InputError

SOURCES = ["The ferry leaves at nine.", "It has four cabins."]
OUTPUTS = {
    "heron": ["Die Fähre fährt um neun.", "Sie hat vier Kabinen."],
    "wren": ["Die Fähre geht 9 Uhr.", "Es hat vierzig Kabinen."],
}


def appraise_item(document, system, place, text, *, kind="TGT", mqm=(), line=True):
    item = {
        "documentID": document,
        "sourceID": "test",
        "targetID": f"wmt23.{system}",
        "sourceText": SOURCES[place],
        "targetText": text,
        "itemType": kind,
        "itemID": place + 1,
        "isCompleteDocument": False,
        "mqm": list(mqm) if not isinstance(mqm, dict) else mqm,
    }
    if line:
        item["_item"] = f"{system} | {place + 6} | ferry"
    return item


def appraise_batch(number, system, *more):
    items = [
        appraise_item(f"ferry#{system}", system, place, text)
        for place, text in enumerate(OUTPUTS[system])
    ]
    languages = {"sourceLanguage": "eng", "targetLanguage": "deu"}
    task = {"batchNo": number, "requiredAnnotations": 2, **languages}
    return {"items": [*more, *items], "task": task}


def tutorial(mqm_target=None, score=None):
    rules = {"instruction": 'The word <u>"went"</u> is wrong.'}
    if mqm_target is not None:
        rules["mqm_target"] = mqm_target
    if score is not None:
        rules["score_target"] = score
    mqm = {"tutorial": rules, "payload": []}
    one = appraise_item("ende-tutorial1", "x", 0, "The cat went out.", mqm=mqm)
    del one["_item"]
    return one


def bad(system="heron"):
    texts = ["Die Fähre kocht neun.", "Sie hat vier Kabinen."]
    return [
        appraise_item(f"ferry#{system}#bad1", system, place, text, kind="BAD")
        for place, text in enumerate(texts)
    ]


def write(folder, content, name="theirs.json"):
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def made(folder, content, **more):
    """Return the new campaign, and what its files hold."""
    created = create_campaign(folder / "ours", like=str(write(folder, content)), **more)
    config = read_config(created.config)
    return created, config, check(config)


def codes(created):
    return {note.code: note.values for note in created.notes}


def test_batches_become_screens_with_checks_and_training(tmp_path):
    lesson = tutorial([{"start_i": 8, "end_i": 12, "severity": "minor"}])
    first = appraise_batch(1, "heron", lesson, *bad())
    second = appraise_batch(2, "wren", lesson)
    second["items"][-1]["mqm"] = [{"start_i": 7, "end_i": 14, "severity": "major"}]
    repeat = appraise_item("ferry#wren#duplicate1", "wren", 0, OUTPUTS["wren"][0])
    second["items"].append(repeat)
    created, config, checked = made(tmp_path, [first, second])
    assert (config.task, config.source, config.target) == ("esa", "en", "de")
    assert (config.plan.judgements, config.plan.checks) == (2, 0.5)
    assert (checked.work, checked.checks, checked.training) == (2, 1, 1)
    by_kind = {draft.kind: draft for draft in checked.drafts}
    work = {str(draft.origins["a"]): draft for draft in checked.drafts if draft.origins}
    content = work["('wren',)"].content["paragraphs"]
    assert [one["segment"] for one in content] == ["7", "8"]
    (mark,) = content[1]["prefilled"]["a"]
    assert content[1]["outputs"]["a"][mark["start"] : mark["end"]] == "vierzig"
    damaged = by_kind["check"]
    assert damaged.base == work["('heron',)"].key
    key, place, start, end = damaged.meta["damage"]
    text = damaged.content["paragraphs"][place]["outputs"][key]
    assert text[start:end] == "kocht"
    assert len(damaged.meta["damages"]) == 1  # the other paragraph is undamaged
    expected = by_kind["training"].meta["expected"]["outputs"]["a"][0]
    assert expected["score"] is None
    assert [one["start"] for one in expected["marks"]] == [8]
    assert by_kind["training"].meta["note"] == 'The word "went" is wrong.'
    assert codes(created)["foreign-repeats"] == {"count": 1}
    assert codes(created)["foreign-batches"] == {"count": 2}


def test_a_damaged_paragraph_among_the_others_is_a_check(tmp_path):
    batch = appraise_batch(1, "heron")
    junk = appraise_item("ferry#heron", "heron", 1, "Sie hat Zebras.", kind="BAD")
    batch["items"].insert(1, junk)
    _, _, checked = made(tmp_path, [batch])
    assert (checked.work, checked.checks) == (1, 1)
    work, damaged = checked.drafts
    assert len(work.content["paragraphs"]) == 2
    assert "Zebras" not in json.dumps(work.content)
    assert damaged.base == work.key
    outputs = [one["outputs"]["a"] for one in damaged.content["paragraphs"]]
    assert outputs == [OUTPUTS["heron"][0], "Sie hat Zebras."]
    assert [place for _, place, _, _ in damaged.meta["damages"]] == [1]


def test_a_damaged_copy_of_nothing_is_left_out_and_counted(tmp_path):
    batch = appraise_batch(1, "heron")
    junk = appraise_item("ferry#heron", "heron", 1, "Sie hat Zebras.", kind="BAD")
    junk["sourceText"] = "Nothing else has this source."
    batch["items"].append(junk)
    created, _, checked = made(tmp_path, [batch])
    assert (checked.work, checked.checks) == (1, 0)
    assert codes(created)["foreign-checks"] == {"count": 1}


def test_batches_without_error_spans_are_direct_assessment(tmp_path):
    batch = appraise_batch(1, "wren")
    for item in batch["items"]:
        del item["mqm"], item["_item"]
    _, config, checked = made(tmp_path, [batch])
    assert config.task == "direct"
    segments = {d.segment for d in checked.drafts if d.kind == "work"}
    assert segments == {"ferry:1", "ferry:2"}


def test_several_targets_are_judged_side_by_side(tmp_path):
    items = [
        {
            "documentID": "ferry",
            "segmentText": source,
            "isCompleteDocument": whole,
            "itemID": place,
            "targets": [
                {"targetID": name, "targetText": texts[place % 2]}
                for name, texts in OUTPUTS.items()
            ],
        }
        for place, (source, whole) in enumerate(
            [(SOURCES[0], False), (SOURCES[1], False), (" ".join(SOURCES), True)]
        )
    ]
    _, config, checked = made(tmp_path, [{"items": items}], name="Ferries")
    assert config.task == "cesa"
    assert config.options["document_score"] is True
    (item,) = (d for d in checked.drafts if d.kind == "work")
    assert len(item.content["paragraphs"]) == 2
    assert sorted(item.origins.values()) == [("heron",), ("wren",)]


def pearmut_item(place, models=("heron",), **more):
    texts = {name: OUTPUTS[name][place] for name in models}
    return {"item_id": f"ferry-{place}", "src": SOURCES[place], "tgt": texts, **more}


def pearmut(data, *, assignment="single-stream", protocol="ESA", **more):
    info = {"assignment": assignment, "protocol": protocol, **more.pop("info", {})}
    return {"campaign_id": "ferries en-de", "info": info, "data": data, **more}


RULES = {"heron": {"warning": "Mark it.", "score": [10, 30], "error_spans": [
    {"start_i": [9, 11], "end_i": [13, 15], "severity": "minor"}]}}  # fmt: skip


def test_a_pearmut_campaign_keeps_documents_spans_and_checks(tmp_path):
    spans = {"heron": [{"start_i": 0, "end_i": 2, "severity": "major"}]}
    work = [pearmut_item(0, error_spans=spans), pearmut_item(1)]
    lesson = [pearmut_item(0, validation=RULES, instructions="<b>Try</b> it.")]
    silent = [pearmut_item(0, validation={"heron": {"score": [0, 40]}})]
    form = [{"text": "Your age?", "form": "number"}]
    content = pearmut(
        [work, silent],
        data_welcome=[form, lesson],
        info={"users": 5, "sliders": [{"name": "Fluency"}], "word_level": True},
    )
    created, config, checked = made(tmp_path, content)
    assert (config.task, config.source, config.target) == ("esa", "en", "de")
    assert config.options["spans"] == "words"
    assert (checked.work, checked.checks, checked.training) == (1, 1, 1)
    by_kind = {draft.kind: draft for draft in checked.drafts}
    (mark,) = by_kind["work"].content["paragraphs"][0]["prefilled"]["a"]
    assert (mark["start"], mark["end"], mark["severity"]) == (0, 3, "major")
    assert by_kind["check"].base is None
    assert by_kind["check"].meta["scores"] == [["a", 0, 0.0, 40.0]]
    expected = by_kind["training"].meta["expected"]["outputs"]["a"][0]
    assert expected["score"] == 20
    assert [(one["start"], one["end"]) for one in expected["marks"]] == [(10, 15)]
    assert by_kind["training"].meta["note"] == "Try it.\nMark it."
    assert set(codes(created)["foreign-settings"]["names"]) == {"users", "sliders"}
    assert codes(created)["foreign-forms"] == {"count": 1}


def with_images(folder):
    """Write images in the folder and beside it."""
    (folder / "pictures").mkdir()
    (folder / "pictures" / "a b.png").write_bytes(png())
    (folder / "pictures" / "other.gif").write_bytes(gif())
    (folder / "drawing.svg").write_bytes(b"<svg/>")
    outside = folder.parent / f"{folder.name}.png"
    outside.write_bytes(png(text=b"outside"))
    return outside


def sources(*tags):
    return [pearmut_item(n % 2, src=tag, item_id=f"i{n}") for n, tag in enumerate(tags)]


def test_images_beside_the_file_come_along(tmp_path):
    with_images(tmp_path)
    data = base64.b64encode(png(9, 9)).decode()
    lesson = [pearmut_item(0, src="<img src='pictures/other.gif'>", validation=RULES)]
    content = pearmut(
        [
            sources(
                '<img src="pictures/a%20b.png" alt="A&amp;B  heron"/>It sails.',
                "<IMG SRC=/assets/shown/other.gif><br>Nine.",
                f'<img src="data:image/png;base64,{data}">',
            )
        ],
        data_welcome=[lesson],
        info={"assets": {"source": "pictures", "destination": "assets/shown"}},
    )
    created, config, checked = made(tmp_path, content)
    work = next(one for one in checked.drafts if one.kind == "work")
    first, second, third = work.content["paragraphs"]
    assert (first["source"], first["image"]["alt"]) == ("It sails.", "A&B heron")
    assert (second["source"], third["source"]) == ("<br>Nine.", "")
    assert (third["image"]["width"], third["image"]["height"]) == (9, 9)
    assert set(checked.images) == {
        one["image"]["name"] for one in (first, second, third)
    }
    training = next(one for one in checked.drafts if one.kind == "training")
    image = training.content["paragraphs"][0]["image"]
    assert image["name"] == second["image"]["name"]
    # Once each, under a name that says nothing.
    copies = sorted((config.path.parent / "images").iterdir())
    assert [one.stem for one in copies] == sorted(name[:16] for name in checked.images)
    assert created.files[-1] == config.path.parent / "images"
    assert created.notes == ()
    assert not created.outside


@pytest.mark.parametrize(
    "tag",
    [
        '<img src="https://example.org/a.png">',
        f'<img src="https://example.org/{"x" * 3000}.png">',
        '<img src="//example.org/a.png">',
        '<img src="pictures/none.png">',
        '<img src="pictures">',
        '<img src="">',
        "<img>",
        '<img src="drawing.svg">',
        '<img src="../OUTSIDE">',
        '<img src="/assets/shown/../../../OUTSIDE">',
        '<img src="%2e%2e/OUTSIDE">',
        '<img src="data:image/png;base64,???">',
        '<img src="data:image/svg+xml;base64,PHN2Zy8+">',
        '<video src="pictures/other.gif"></video>',
    ],
)
def test_other_media_are_counted_and_stay_text(tmp_path, tag):
    outside = with_images(tmp_path)
    tag = tag.replace("OUTSIDE", outside.name)
    info = {"assets": {"source": "pictures", "destination": "/assets/shown/"}}
    created, config, checked = made(tmp_path, pearmut([sources(tag)], info=info))
    (work,) = (one for one in checked.drafts if one.kind == "work")
    assert work.content["paragraphs"][0]["source"] == tag
    assert not checked.images
    assert not (config.path.parent / "images").exists()
    assert codes(created)["foreign-media"] == {"count": 1}


def test_a_null_character_leads_to_no_image(tmp_path):
    path = write(tmp_path, pearmut([sources('<img src="a\0b.png">')]))
    assert not read_foreign(path).images


def test_one_image_per_paragraph_is_kept(tmp_path):
    with_images(tmp_path)
    tags = '<img src="pictures/a b.png"><img src="pictures/other.gif">'
    created, _, checked = made(tmp_path, pearmut([sources(tags)]))
    (image,) = checked.images.values()
    assert image.suffix == ".png"
    assert codes(created)["foreign-media"] == {"count": 1}


@pytest.mark.parametrize("task", ["direct", "cesa"])
def test_images_of_batches_come_along(tmp_path, task):
    with_images(tmp_path)
    batch = appraise_batch(1, "heron", *bad(), tutorial([], 90))
    for item in batch["items"]:
        if item["sourceText"] == SOURCES[0]:
            item["sourceText"] += ' <img src="pictures/other.gif">'
    created, _, checked = made(tmp_path, [batch], task=task)
    for draft in checked.drafts:
        texts = draft.content.get("paragraphs", [draft.content])
        for text in texts:
            assert text["source"] in SOURCES
            assert ("image" in text) == (text["source"] == SOURCES[0])
    assert len(checked.images) == 1
    assert "foreign-media" not in codes(created)


@pytest.mark.parametrize(
    ("protocol", "models", "task"),
    [
        ("DA", ("heron",), "direct"),
        ("XSTSRP", ("heron",), "direct"),
        ("ESA", ("heron",), "esa"),
        ("ESA", ("heron", "wren"), "cesa"),
        ("cESA", ("heron", "wren"), "cesa"),
        ("MQM", ("heron",), "mqm"),
    ],
)
def test_a_protocol_has_its_task(tmp_path, protocol, models, task):
    data = [[pearmut_item(0, models), pearmut_item(1, models)]]
    _, config, _ = made(tmp_path, pearmut(data, protocol=protocol))
    assert config.task == task


@pytest.mark.parametrize(
    "names",
    [
        ("dynamic_models", "dynamic_coldstart"),
        ("dynamic_models", "dynamic_warmup"),
        ("dynamic_contrastive_models", "dynamic_first"),
    ],
)
def test_dynamic_assignment_is_active(tmp_path, names):
    info = dict(zip(names, (2, 7), strict=True))
    data = [[pearmut_item(0, ("heron", "wren"))]]
    content = pearmut(data, assignment="dynamic", info=info)
    _, config, checked = made(tmp_path, content)
    assert (config.task, config.options["systems"]) == ("cesa", 2)
    assert (config.plan.order, config.plan.floor) == ("active", 7)
    assert checked.work == 1


def test_own_categories_and_severities_are_kept(tmp_path):
    info = {
        "mqm_categories": {"": [], "Form": ["", "Rhyme", "Metre"], "Other": []},
        "mqm_severities": ["Neutral", "Minor", "Major"],
    }
    content = pearmut([[pearmut_item(0)]], protocol="MQM", info=info)
    _, config, checked = made(tmp_path, content)
    assert list(checked.options["tree"]) == ["Form/Rhyme", "Form/Metre", "Other"]
    assert config.options["severities"] == "neutral, minor, major"


def test_documents_of_several_users_are_judged_by_as_many(tmp_path):
    task = [[pearmut_item(0)], [pearmut_item(1)]]
    content = pearmut([task, task, task], assignment="task-based")
    created, config, checked = made(tmp_path, content)
    assert (checked.work, config.plan.judgements) == (2, 3)
    assert codes(created) == {"foreign-batches": {"count": 3}}


def test_tutorials_need_rules(tmp_path):
    # examples/tutorials/cesa_deen.json of Pearmut (0bab9a3) has some without.
    script = "<script>document.title = '<b>Hi</b>'</script><style>p {}</style>Mark it."
    data = [
        [pearmut_item(0, skippable=True)],
        [pearmut_item(0, skippable=True, instructions=script, validation=RULES)],
        [pearmut_item(1)],
    ]
    content = pearmut(data, data_welcome=[[pearmut_item(1)]])
    created, _, checked = made(tmp_path, content)
    assert (checked.work, checked.checks, checked.training) == (1, 0, 1)
    assert codes(created)["foreign-unruled"] == {"count": 2}
    (lesson,) = read_foreign(tmp_path / "theirs.json").lessons
    assert lesson.note.splitlines()[0] == "Mark it."


def test_a_downloaded_campaign_names_its_users(tmp_path):
    # Pearmut 1.1.6 (13e7a1f) offers a list of campaigns, with documents by user.
    task = [[pearmut_item(0)], [pearmut_item(1)]]
    content = pearmut([], assignment="task-based", data_goodbye=[[pearmut_item(0)]])
    content["data"] = {"calm-tern-012": task, "shy-owl-345": task}
    created, config, checked = made(tmp_path, [content])
    assert (checked.work, config.plan.judgements) == (2, 2)
    assert codes(created)["foreign-batches"] == {"count": 2}
    assert codes(created)["foreign-goodbye"] == {"count": 1}
    path = write(tmp_path, [content, content], "two.json")
    with pytest.raises(FormatError, match="2 campaigns"):
        read_foreign(path)


@pytest.mark.parametrize("by_user", [False, True])
def test_info_and_assignment_may_be_missing(tmp_path, by_user):
    data = [[pearmut_item(0)], [pearmut_item(1)]]
    content = {
        "campaign_id": "eng_Latn---deu_Latn",
        "data": [data] if by_user else data,
    }
    assert read_foreign(write(tmp_path, content)).task == "esa"
    _, _, checked = made(tmp_path, content)
    assert checked.work == 2


def test_spans_to_start_from_count_line_ends(tmp_path):
    # Pearmut numbers the characters of a string (contentToCharSpans in 13e7a1f).
    item = pearmut_item(0, error_spans={"heron": [error_at(3, 4)]})
    item["tgt"]["heron"] = "a\nbcd"
    (screen,) = read_foreign(write(tmp_path, pearmut([[item]]))).work
    ((mark,),) = screen.paragraphs[0].prefilled.values()
    assert (mark["start"], mark["end"]) == (3, 5)


def error_at(first, last):
    return {"start_i": first, "end_i": last, "severity": "minor"}


def test_spans_of_batches_end_after_their_last_character(tmp_path):
    # As in Examples/MQM+ESA/batches_esa.json of Appraise (44cc7b0).
    lesson = tutorial([{"start_i": 8, "end_i": 12, "severity": "minor"}])
    batch = appraise_batch(1, "heron", lesson)
    spans = [
        {"start_i": 17, "end_i": 40, "severity": "minor"},
        {"start_i": 4, "end_i": 8, "severity": "minor", "error_type": None},
    ]
    batch["items"][1]["mqm"] = spans
    campaign = read_foreign(write(tmp_path, [batch]))
    ((wanted,),) = campaign.lessons[0].marks.values()
    assert (wanted["start"], wanted["end"]) == (8, 12)
    (marks,) = campaign.work[0].paragraphs[0].prefilled.values()
    text = OUTPUTS["heron"][0]
    assert [text[m["start"] : m["end"]] for m in marks] == ["m neun.", "Fähre"]


def test_items_that_are_all_called_documents_are_segments(tmp_path):
    batch = appraise_batch(1, "heron", tutorial([]))
    for item in batch["items"][1:]:
        item["isCompleteDocument"] = True
    _, config, checked = made(tmp_path, [batch])
    assert (checked.work, config.options["document_score"]) == (1, False)
    (draft,) = (draft for draft in checked.drafts if draft.kind == "work")
    assert len(draft.content["paragraphs"]) == 2


def test_systems_that_wrote_the_same_share_an_item(tmp_path):
    batches = [appraise_batch(1, "heron"), appraise_batch(2, "wren")]
    for place, item in enumerate(batches[1]["items"]):
        item["targetText"] = OUTPUTS["heron"][place]
    _, _, checked = made(tmp_path, batches)
    (item,) = (draft for draft in checked.drafts if draft.kind == "work")
    assert item.origins == {"a": ("heron", "wren")}


def test_the_task_can_be_chosen_if_it_reads_test_sets(tmp_path):
    batches = [appraise_batch(1, "heron"), appraise_batch(2, "wren")]
    _, config, checked = made(tmp_path, batches, task="pairs", name="Two")
    assert (config.task, checked.work) == ("pairs", 2)
    with pytest.raises(InputError, match="segranks has items of its own"):
        made(tmp_path, batches, task="segranks")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"a": 1}, "neither batches of Appraise"),
        ([{"items": [{"documentID": "d"}]}], "item 1 of batch 1 has no targetID"),
        (pearmut([[{"src": "a", "tgt": "b"}]]), "no tgt with translations by model"),
        (pearmut([["text"]]), "no tgt with translations by model"),
        (pearmut([{}]), "document 0 is not a list of items"),
        (pearmut([], data_welcome=[[pearmut_item(0)]]), "no document to judge"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, content, problem):
    with pytest.raises(FormatError, match=problem):
        read_foreign(write(tmp_path, content))


def test_a_configuration_is_not_a_foreign_campaign(tmp_path):
    created = create_campaign(tmp_path / "one.toml", task="pairs")
    assert read_foreign(created.config) is None
    text = created.config.read_text().replace("[campaign]", "[ campaign ]", 1)
    created.config.write_text(text)
    assert read_foreign(created.config) is None


def test_the_command_lists_what_is_not_kept(tmp_path, capsys):
    content = pearmut([[pearmut_item(0)]], info={"textfield": "visible"})
    path = write(tmp_path, content)
    assert main(["campaign", "new", str(tmp_path / "x"), "--from", str(path)]) == 0
    captured = capsys.readouterr()
    assert f"tertium campaign load {tmp_path / 'x' / 'campaign.toml'}" in captured.out
    assert "ignored: textfield" in captured.err


def test_a_clone_keeps_the_training(tmp_path):
    batch = appraise_batch(1, "heron", tutorial(score=90))
    created, _, _ = made(tmp_path, [batch])
    again = create_campaign(tmp_path / "again", like=str(created.config)).config
    assert check(read_config(again, allow_outside=True)).training == 1


@given(st.lists(st.sampled_from("abc"), max_size=6), st.data())
def test_differences_hold_all_that_was_replaced(words, data):
    start = data.draw(st.integers(0, len(words)))
    end = data.draw(st.integers(start, len(words)))
    text = " ".join([*words[:start], "x", "y", *words[end:]])
    original = " ".join(words)
    stretches = differences(original, text)
    assert any("x y" in text[first:last] for first, last in stretches)
    left = text
    for first, last in reversed(stretches):
        left = left[:first] + left[last:]
    remaining = iter(original.split())  # what is left is a part of the original
    assert all(word in remaining for word in left.split())
    assert differences(original, original) == []


def test_several_stretches_of_a_paragraph_are_kept_apart():
    original = "one two three four five six seven eight nine"
    damaged = "one bad bad four five six seven worse nine"
    places = differences(original, damaged)
    assert [damaged[first:last] for first, last in places] == ["bad bad", "worse"]


NAMES = st.text("ab#", min_size=1, max_size=3)
PARAGRAPHS = st.builds(
    ScreenParagraph,
    segment=NAMES,
    source=st.text(max_size=5),
    outputs=st.just({"one": "é👩\u200d👧", "two": ""}),
    reference=st.text(max_size=3),
    prefilled=st.sampled_from(
        [
            {},
            {"one": [{"start": 0, "end": 1, "severity": "minor", "category": ""}]},
        ]
    ),
)


@given(
    st.lists(
        st.builds(
            Screen,
            name=NAMES,
            document=st.text(max_size=3),
            paragraphs=st.lists(PARAGRAPHS, min_size=1, max_size=3),
            before=st.text(max_size=3),
        ),
        unique_by=lambda one: one.name,
    )
)
def test_screens_are_read_as_they_were_written(tmp_path_factory, screens):
    path = tmp_path_factory.mktemp("screens") / "items.jsonl"
    text = "".join(one.as_line() for one in screens)
    path.write_text(text, encoding="utf-8", newline="")
    assert "".join(one.as_line() for one in read_screens(path)) == text


SCREEN = '{"screen": "a", "paragraphs": [{"id": "1", "tgt": {"s": "t"}}], '


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"screen": "a"}', "no paragraphs"),
        ('{"screen": "a", "paragraphs": [{"id": "1", "tgt": {}}]}', "same ones"),
        ('{"screen": "a", "paragraphs": [{"id": "1"}]}', "tgt is not"),
        ('{"screen": "a", "paragraphs": [1]}', "a paragraph is not"),
        ('{"screen": 1, "paragraphs": [{"id": "1", "tgt": {"s": "t"}}]}', "screen is"),
        (
            SCREEN + '"check": {"of": "b"}}',
            "no screen before it",
        ),
        (
            SCREEN + '"check": {"damage": [["s", 0, 0, 2]]}}',
            "is not a stretch",
        ),
        (
            SCREEN + '"check": {"scores": [["x", 0, 0, 2]]}}',
            "does not fit",
        ),
        ("{", "not JSON"),
    ],
)
def test_wrong_screens_are_rejected_with_their_line(tmp_path, line, problem):
    path = tmp_path / "items.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=problem) as caught:
        list(read_screens(path))
    assert caught.value.line == 2


def test_other_marks_and_languages_of_pearmut_are_kept(tmp_path):
    item = {"item_id": "f1", "src": SOURCES[0], "tgt": {"heron": OUTPUTS["heron"][0]}}
    tokens = ["[missing]", "[instructions fault]"]
    theirs = {
        "campaign_id": "eng_Latn---deu_Latn v3",
        "info": {"protocol": "ESA", "assignment": "single-stream",
                 "special_tokens": tokens},
        "data": [[item]],
    }  # fmt: skip
    created, config, checked = made(tmp_path, theirs)
    assert (config.source, config.target) == ("en", "de")
    assert checked.options["special"] == "instructions fault"
    assert checked.options["missing"] is True
    assert "foreign-tokens" not in codes(created)
    (tmp_path / "direct").mkdir()
    direct, _, _ = made(tmp_path / "direct", theirs, task="direct")
    assert codes(direct)["foreign-tokens"] == {"names": ["[instructions fault]"]}


@pytest.mark.parametrize("protocol", ["ESA", "MQM"])
@pytest.mark.parametrize(
    "tokens",
    [
        ["[missing]", "[instructions fault]", "[not, German]"],
        ["[not, German]", "[instructions fault]", "[missing]"],
        ["[instructions fault]"],
        None,
    ],
)
def test_prefilled_marks_on_special_tokens_keep_the_token(tmp_path, tokens, protocol):
    text = OUTPUTS["heron"][0]
    names = {"[missing]": "", "[instructions fault]": "instructions fault"}
    places = range(len(tokens or ["[missing]"]))
    spans = [
        {"start_i": len(text) + k, "end_i": len(text) + k, "severity": "major"}
        for k in places
    ]
    item = {"item_id": "f1", "src": SOURCES[0], "tgt": {"heron": text}}
    more = {"error_spans": {"heron": spans}}
    rules = {"warning": "Look", "error_spans": spans, "allow_skip": True}
    lesson = item | {"item_id": "w1", "validation": {"heron": rules}}
    theirs = {
        "campaign_id": "en-de",
        "info": {"protocol": protocol, "assignment": "single-stream"}
        | ({"special_tokens": tokens} if tokens else {}),
        "data": [[item | more]],
        "data_welcome": [[lesson]],
    }
    created, _, checked = made(tmp_path, theirs)
    wanted = [names.get(one, "not  German") for one in tokens or ["[missing]"]]
    drafts = {draft.kind: draft for draft in checked.drafts}
    marks = drafts["work"].content["paragraphs"][0]["prefilled"]["a"]
    assert [mark["category"] for mark in marks] == wanted
    assert {(mark["start"], mark["severity"]) for mark in marks} == {(None, "major")}
    assert "foreign-token-categories" not in codes(created)
    if protocol == "ESA":  # missing content without a category does not train MQM
        marks = drafts["training"].meta["expected"]["outputs"]["a"][0]["marks"]
        assert sorted(mark.get("category", "") for mark in marks) == sorted(wanted)


def test_categories_of_marks_on_special_tokens_are_noted(tmp_path):
    text = OUTPUTS["heron"][0]
    place = {"start_i": len(text) + 1, "end_i": len(text) + 1, "severity": "minor"}
    spans = [place | {"category": "Style/Awkward"}]
    item = {"item_id": "f1", "src": SOURCES[0], "tgt": {"heron": text}}
    theirs = {
        "campaign_id": "en-de",
        "info": {"protocol": "MQM", "assignment": "single-stream",
                 "special_tokens": ["[missing]", "[off topic]"]},
        "data": [[item | {"error_spans": {"heron": spans}}]],
    }  # fmt: skip
    created, _, checked = made(tmp_path, theirs)
    (mark,) = checked.drafts[0].content["paragraphs"][0]["prefilled"]["a"]
    assert mark["category"] == "off topic"
    assert codes(created)["foreign-token-categories"] == {"count": 1}

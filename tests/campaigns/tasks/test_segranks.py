# SPDX-License-Identifier: Apache-2.0
"""Ranking of segments: files in, judgements out."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from random import Random

import pytest
from django.urls import reverse

from tertium.campaigns.config import read_config
from tertium.campaigns.exchange.exporting import records, write_export
from tertium.campaigns.loading import load
from tertium.campaigns.models import Assignment, Judgement, Role
from tertium.campaigns.people.accounts import invite, join
from tertium.campaigns.tasks import ItemJudgement, get_task
from tertium.cli import main
from tertium.errors import TertiumError
from tertium.judgements import (
    FORMATS,
    Judgements,
    attach_systems,
    read_system_table,
)
from tertium.judgements.judgement import Ranking

CONFIG = """
[campaign]
name = "news"
title = "News"
task = "segranks"
source = "en"
target = "cs"
items = "{items}"
systems = "{systems}"
"""

SENTENCE = {
    "sentence": "7",
    "source": "a red kite , a red kite",
    "reference": None,
    "segments": [
        {"indices": [0, 1, 2], "text": "a red kite", "candidates": ["x .", "y"]},
        {"indices": [3], "text": ",", "candidates": [","]},
        {"indices": [4, 5, 6], "text": "a red kite", "candidates": ["x .", "z"]},
        {"indices": [0, 5], "text": "a red", "candidates": []},
    ],
}
ORIGINS = (
    "segment\tpart\tsystem\ttext\tpart_indices\tindices\tgaps\n"
    "7\ta red kite\tone\tx .\t0 1 2\t0 1\tno\n"
    "7\ta red kite\ttwo\tx .\t0 1 2\t0 1\tno\n"
    "7\ta red kite\tthree\ty\t0 1 2\t0\tno\n"
    "7\ta red kite\tone\tz\t4 5 6\t0\tno\n"
    "7\ta red kite\tthree\tx .\t4 5 6\t3 5\tyes\n"
)


@pytest.fixture
def folder(tmp_path):
    def write(items, origins=ORIGINS, name="items.jsonl"):
        if not isinstance(items, str):
            items = "".join(json.dumps(one) + "\n" for one in items)
        (tmp_path / name).write_text(items, encoding="utf-8")
        (tmp_path / "systems.tsv").write_text(origins, encoding="utf-8")
        systems = "systems.tsv" if origins else ""
        place = tmp_path / "campaign.toml"
        place.write_text(CONFIG.format(items=name, systems=systems))
        return read_config(place)

    return write


@pytest.fixture
def task():
    return get_task("segranks")


def judged(draft, ranks, seconds=61.0):
    return ItemJudgement(
        item=draft.key,
        segment=draft.segment,
        document=draft.document,
        content=json.loads(json.dumps(draft.content)),
        origins={key: tuple(names) for key, names in draft.origins.items()},
        answer={"ranks": ranks},
        judge="p1",
        campaign="news",
        langpair="en-cs",
        time=datetime(2026, 1, 2, tzinfo=timezone.utc),
        seconds=seconds,
        why="first",
        kind="work",
        meta=draft.meta,
    )


def test_a_sentence_is_an_item_without_what_needs_no_judge(task, folder):
    config = folder([SENTENCE])
    (draft,) = task.items(config)
    first, second = draft.content["panels"]
    assert first["indices"] == [0, 1, 2]
    assert first["candidates"] == {"0-0": "x .", "0-1": "y"}
    assert second["candidates"] == {"1-0": "x .", "1-1": "z"}
    # Equal words at other places are another segment.
    assert draft.origins == {
        "0-0": ("one", "two"),
        "0-1": ("three",),
        "1-0": ("three",),
        "1-1": ("one",),
    }
    message = "2 of 4 segments to rank; 2 have one candidate at most\n"
    assert task.describe(config) == message
    assert not {"one", "two", "three"} & set(json.dumps(draft.content).split('"'))


def test_a_sentence_without_anything_to_rank_is_left_out(task, folder):
    empty = SENTENCE | {"sentence": "8", "segments": SENTENCE["segments"][1:2]}
    config = folder([SENTENCE, empty])
    assert [draft.key for draft in task.items(config)] == ["7"]
    assert "1 of 2 sentences left out" in task.describe(config).splitlines()[1]


def test_the_six_columns_of_segranks_are_read(task, folder):
    rows = [
        ("s,1", "the old dog", "-", "the old", "starý", "0 1"),
        ("s,1", "the old dog", "-", "dog", "pes", "2"),
        ("s,1", "the old dog", "-", "the old", "ten starý", "0 1"),
        ("s,1", "the old dog", "-", "dog", "psa", "2"),
    ]
    text = "".join("\t".join(row) + "\n" for row in rows)
    (draft,) = task.items(folder(text, origins="", name="items.tsv"))
    assert [panel["part"] for panel in draft.content["panels"]] == ["the old", "dog"]
    assert draft.content["reference"] == ""
    assert draft.origins == {}


def test_origins_without_a_header_go_by_words(task, folder):
    origins = "7\ta red kite\tone\tx .\n7\ta red kite\ttwo\ty\n7\ta red kite\ttwo\tz\n"
    (draft,) = task.items(folder([SENTENCE], origins))
    assert draft.origins["1-0"] == ("one",)


@pytest.mark.parametrize(
    ("items", "origins", "message"),
    [
        ("nothing here\n", ORIGINS, "neither JSON Lines nor"),
        ("{]\n", ORIGINS, "no JSON"),
        ("", ORIGINS, "neither"),
        ([SENTENCE | {"source": 3}], ORIGINS, '"sentence" and "source"'),
        ([SENTENCE | {"segments": [{"indices": [True], "candidates": []}]}], ORIGINS,
         '"indices"'),
        ([SENTENCE | {"segments": [{"indices": [9], "candidates": []}]}], ORIGINS,
         "outside its 7 words"),
        ([SENTENCE | {"sentence": "n" * 300}], ORIGINS, "long name"),
        ([SENTENCE], ORIGINS.replace("\tz\t", "\tzz\t"), "no system for 'z'"),
        ([SENTENCE], ORIGINS + "7\tx\n", "2 cells"),
    ],
)  # fmt: skip
def test_what_cannot_be_loaded_is_rejected(task, folder, items, origins, message):
    with pytest.raises(TertiumError, match=message):
        list(task.items(folder(items, origins)))


def test_the_page_marks_words_in_readable_text(task, folder):
    (draft,) = task.items(folder([SENTENCE]))
    options = task.options(folder([SENTENCE]))
    page = task.page(draft.content, options, Random(1))
    assert page["source"] == "a red kite, a red kite"
    assert page["panels"][1]["pieces"] == [
        ("a red kite, ", False),
        ("a red kite", True),
    ]
    assert sorted(page["panels"][0]["candidates"]) == [("0-0", "x."), ("0-1", "y")]
    again = task.page(draft.content, options, Random(1))
    assert again["panels"][0]["candidates"] == page["panels"][0]["candidates"]
    plain = task.page(draft.content, options | {"detokenise": False}, Random(1))
    assert plain["source"] == "a red kite , a red kite"
    assert plain["panels"][1]["pieces"][0] == ("a red kite , ", False)


def test_a_judgement_is_a_ranking_a_segment(task, folder):
    (draft,) = task.items(folder([SENTENCE]))
    ranks = {"0-0": 2, "0-1": "garbage", "1-0": 1, "1-1": 1}
    first, second = task.records(judged(draft, ranks, seconds=61.9))
    assert first.part == "a red kite"
    assert second.part == "a red kite [4 5 6]"  # not the same segment once more
    assert [(p.systems, p.rank, p.garbage, p.text) for p in first.places] == [
        (("one", "two"), 2, False, "x ."),
        (("three",), 3, True, "y"),
    ]
    assert first.duration == second.duration == 30.95  # tenths, and more, are kept
    meta = json.loads(first.meta)
    assert (meta["seconds"], meta["segments"], meta["sentence_seconds"]) == (
        30.95,
        2,
        61.9,
    )
    assert meta["indices"] == [0, 1, 2]


def test_the_starter_is_ranked_agreed_on_and_exported(task, tmp_path):
    for name, text in task.starter_files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    config = read_config(tmp_path / "campaign.toml")
    drafts = list(task.items(config))
    assert len(drafts) == 8
    message = "19 of 20 segments to rank; 1 have one candidate at most\n"
    assert task.describe(config) == message
    results = []
    for draft in drafts:
        # By name of the first system: amber is always best.
        ranks = {}
        for panel in draft.content["panels"]:
            order = sorted(panel["candidates"], key=lambda key: draft.origins[key])
            ranks |= {key: place for place, key in enumerate(order, start=1)}
        task.check(draft.content, {"ranks": ranks}, task.options(config))
        for judge in ("p1", "p2"):
            one = judged(draft, ranks)
            object.__setattr__(one, "judge", judge)
            results += task.records(one)
    tables = Judgements.from_iterable(results)
    legacy = tmp_path / "legacy.json"
    FORMATS["legacy-json"].write(tables, str(legacy))
    stored = json.loads(legacy.read_text(encoding="utf-8"))
    assert len(stored) == 19
    assert stored["4,The company will pay"][0] == {
        "Firma zaplatí": 2, "Společnost bude platit": 3, "Společnost zaplatí": 1,
    }  # fmt: skip
    # The table of systems fits what was written without them.
    bare = Judgements.from_iterable(
        one._replace(places=tuple(p._replace(systems=()) for p in one.places))
        for one in results
    )
    attached = attach_systems(bare, read_system_table(tmp_path / "systems.tsv"))
    systems = set(attached.rankings.collect()["system"].to_list())
    assert systems == {"amber", "birch", "cedar", "dune"}


@pytest.mark.django_db
def test_only_complete_answers_are_stored_and_pages_are_blind(client, tmp_path, task):
    for name, text in task.starter_files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    campaign = load(read_config(tmp_path / "campaign.toml")).campaign
    client.force_login(join(invite(campaign, Role.ANNOTATOR)).member.person)
    address = client.post(reverse("start", args=[campaign.name])).url
    page = client.get(address).content.decode()
    assert not [name for name in ("amber", "birch", "cedar", "dune") if name in page]
    assignment = Assignment.objects.get()
    keys = [
        key for each in assignment.item.content["panels"] for key in each["candidates"]
    ]
    submit = reverse("submit", args=[assignment.pk])

    def send(ranks):
        body = {"answer": {"ranks": ranks}}
        return client.post(submit, body, content_type="application/json").status_code

    assert send(dict.fromkeys(keys[1:], 1)) == 422
    assert send(dict.fromkeys(keys, 1) | {keys[0]: 99}) == 422
    assert send(dict.fromkeys([*keys, "7-7"], 1)) == 422
    assert not Judgement.objects.exists()
    assert send(dict.fromkeys(keys, 1) | {keys[0]: "garbage"}) == 200
    rankings = [one for one in records(campaign) if isinstance(one, Ranking)]
    assert len(rankings) == len(assignment.item.content["panels"])
    (thrown,) = (p for one in rankings for p in one.places if p.garbage)
    assert thrown.rank == len(rankings[0].places) + 1
    assert all(place.systems for one in rankings for place in one.places)


@pytest.mark.django_db
def test_an_export_is_ranked_and_correlated(client, tmp_path, task, capsys):
    """The path of the guide: judge, export, rank, compare metrics with judges."""
    for name, text in task.starter_files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    campaign = load(read_config(tmp_path / "campaign.toml")).campaign
    client.force_login(join(invite(campaign, Role.ANNOTATOR)).member.person)
    for _ in range(8):
        client.post(reverse("start", args=[campaign.name]))
        assignment = Assignment.objects.filter(judgement=None).get()
        result = assignment.item.origins.order_by("-system")
        origins = {origin.candidate: origin.system for origin in result}
        ranks = {}
        for panel in assignment.item.content["panels"]:
            order = sorted(panel["candidates"], key=lambda key: origins[key])
            ranks |= {key: place for place, key in enumerate(order, start=1)}
        body = {"answer": {"ranks": ranks}}
        submit = reverse("submit", args=[assignment.pk])
        answer = client.post(submit, body, content_type="application/json")
        assert answer.status_code == 200
    store = str(tmp_path / "store")
    write_export(campaign, store, "parquet")
    texts = tmp_path / "en-cs.tsv"
    row = "source\tone two three\tone two three\tone two four\tone five four\tsix\n"
    head = "source\treference\tamber\tbirch\tcedar\tdune\n"
    texts.write_text(head + 8 * row)
    assert main(["rank", store, "--bootstrap", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[3].split()[1] == "amber"
    argv = ["correlate", str(texts), "-J", store, "-m", "chrf", "--resamples", "0"]
    assert main([*argv, "--coef", "pearson"]) == 0
    out, err = capsys.readouterr()
    assert "pearson (systems)" in out
    assert "no scores of chrf for parts of segments: systems alone count" in err
    assert main(argv) == 0  # by default what can be compared, systems
    assert "tau" not in capsys.readouterr().out
    assert main([*argv, "--coef", "tau-wmt14"]) == 2
    assert "compare systems alone" in capsys.readouterr().err

# SPDX-License-Identifier: Apache-2.0
"""Out of one campaign and into another: nothing lost that the format holds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.campaign_data import taken_is_right
from support.campaign_world import World, write_starter
from tertium.campaigns.config import read_config
from tertium.campaigns.exchange.downloads import make_download
from tertium.campaigns.exchange.exporting import (
    formats,
    raw_lines,
    tables,
    write_export,
)
from tertium.campaigns.exchange.formats import SHEETS
from tertium.campaigns.exchange.importing import import_file
from tertium.campaigns.loading import load
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Event,
    Item,
    Judgement,
    Membership,
    Person,
    Role,
    State,
)
from tertium.campaigns.people.accounts import invite, join
from tertium.campaigns.tasks import ItemJudgement, get_task
from tertium.campaigns.tasks.ranked import keyed
from tertium.errors import InputError
from tertium.judgements.formats import FORMATS

pytestmark = pytest.mark.django_db
START = datetime(2026, 3, 2, 8, 0, tzinfo=timezone.utc)
TASKS = ("segranks", "ranking", "direct", "pairs", "edits", "survey")

#: What every task can be written as and read from again.
SUPPORTED = {
    "segranks": ("legacy-json",),
    "ranking": ("wmt-csv", "wmt-pairs-csv", "judged-tsv"),
    "pairs": ("wmt-csv", "wmt-pairs-csv", "judged-tsv"),
    "direct": ("likert-tsv",),
    "edits": ("mqm-tsv",),
    "survey": ("likert-tsv",),
}
ALWAYS = ("answers", "parquet", "sqlite", "tertium-jsonl")
CASES = [(task, name) for task, own in SUPPORTED.items() for name in (*ALWAYS, *own)]


def an_answer(task: str, content: dict, rng: Random) -> dict[str, object]:
    """Return any answer that a page could send."""
    if task == "segranks":
        ranks = {}
        for panel in content["panels"]:
            most = len(panel["candidates"])
            for key in panel["candidates"]:
                ranks[key] = rng.choice([*range(1, most + 1), "garbage"])
        return {"ranks": ranks}
    if task == "ranking":
        most = len(content["candidates"])
        return {"ranks": {key: rng.randint(1, most) for key in content["candidates"]}}
    if task == "pairs":
        return {"better": rng.choice(["a", "b", "equal"])}
    if task == "direct":
        return {"score": rng.randint(0, 100)}
    if task == "edits":
        number = len(content["output"].split())
        tokens = [place for place in range(number) if rng.random() < 0.3]
        gaps = [place for place in range(number + 1) if rng.random() < 0.2]
        return {"tokens": tokens, "gaps": gaps, "none": not tokens and not gaps}
    return {
        "adequacy": rng.randint(1, 5),
        "order": rng.choice([None, 1, 2, 3, 4, 5]),
        "look": rng.randint(0, 300) / 10,
    }


def fill(campaign: Campaign, *, seed: int = 1, repeats: bool = True) -> None:
    """Let three people judge items, some of them twice."""
    rng = Random(seed)
    people = []
    for letter in "abc":
        person = Person.objects.create(name=f"{campaign.name}-{letter}")
        people.append(
            Membership.objects.create(
                campaign=campaign,
                person=person,
                role=Role.ANNOTATOR,
                code=f"{letter}{letter}{letter}{letter}22",
            )
        )
    now = START
    items = list(campaign.items.filter(kind="work").order_by("position")[:8])
    for item in items:
        for place, member in enumerate(rng.sample(people, rng.randint(1, 3))):
            whys = ["first" if place == 0 else "inter"]
            if repeats and rng.random() < 0.4:
                whys.append("intra")
            for why in whys:
                now += timedelta(seconds=rng.randint(5, 90))
                answer = an_answer(campaign.task, item.content, rng)
                task = get_task(campaign.task)
                held = Assignment.objects.create(
                    item=item, member=member, why=why, state=State.DONE, seed=0,
                    created=now, opened=now, expires=now, closed=now,
                )  # fmt: skip
                Judgement.objects.create(
                    assignment=held,
                    answer=task.check(item.content, answer, campaign.options),
                    created=now,
                    seconds=float(rng.randint(1, 500)),
                )
                if why == "first":
                    item.taken += 1
                    item.save()


@dataclass
class Twins:
    """A campaign with judgements, and a fresh copy of it."""

    full: Campaign
    fresh: Campaign


def twins(folder: Path, task: str, seed: int = 1) -> Twins:
    config = write_starter(folder / task, task)
    results = []
    for name in ("full", "fresh"):
        text = config.read_text()
        old = next(line for line in text.splitlines() if line.startswith("name"))
        config.write_text(text.replace(old, f'name = "{name}"'))
        results.append(load(read_config(config)).campaign)
    # A survey shows an item to nobody twice.
    fill(results[0], seed=seed, repeats=task != "survey")
    return Twins(*results)


def export(campaign: Campaign, folder: Path, name: str) -> str:
    ending = {"sqlite": ".sqlite", "xlsx": ".xlsx"}.get(name, "")
    place = str(folder / f"{campaign.name}-{name}-{campaign.pk}{ending}")
    write_export(campaign, place, name)
    return place


def exported(campaign: Campaign, name: str) -> list[object]:
    """Return what an export in a format would say, without the campaign's name."""
    if name == "answers":
        lines = [json.loads(line) for line in raw_lines(campaign)]
        return [{**line, "campaign": "", "id": ""} for line in lines]
    results = []
    for record in tables(campaign).iterate():
        meta = json.loads(record.meta)
        # Who had which questionnaire is not in any file of judgements.
        meta.pop("questionnaire", None), meta.pop("position", None)
        changes: dict[str, object] = {"campaign": "", "meta": meta}
        lost = FORMATS[name].loses if name in FORMATS else ()
        for field in ("judge", "document", "time", "duration", "meta", "langpair"):
            if field in lost:
                changes[field] = None
        if name == "mqm-tsv":  # times go on
            changes["duration"] = changes["meta"] = None
        results.append(record._replace(**changes))
    return results


@pytest.mark.parametrize(("task", "name"), CASES)
def test_what_is_exported_can_be_imported(tmp_path, task, name):
    both = twins(tmp_path, task)
    place = export(both.full, tmp_path, name)
    number = Judgement.objects.count()
    done = import_file(both.fresh, place)
    assert done.bad == []
    assert (done.added, done.known, done.stored) == (number, 0, True)
    assert done.items == 0
    assert exported(both.fresh, name) == exported(both.full, name)
    assert taken_is_right(both.fresh)
    if name != "legacy-json":
        new = both.fresh.members.filter(group="imported")
        assert {one.code for one in new} == {"aaaa22", "bbbb22", "cccc22"}
        assert not any(one.person.has_usable_password() for one in new)

    # Again, and back home: nothing is added.
    for campaign in (both.fresh, both.full):
        again = import_file(campaign, place)
        assert (again.added, again.known, again.wrong) == (0, number, 0)
    assert Judgement.objects.count() == 2 * number


@pytest.mark.parametrize("task", TASKS)
def test_every_other_format_is_rejected_with_a_reason(tmp_path, task):
    """What cannot carry a task cannot be written; what is of another kind is told."""
    both, rejected = twins(tmp_path, task), {}
    for name in formats():
        if name in (*ALWAYS, *SUPPORTED[task]):
            continue
        with pytest.raises(InputError, match="; ") as told:
            import_file(both.fresh, export(both.full, tmp_path, name))
        rejected[name] = str(told.value)
    assert all("a table for people" in rejected[name] for name in SHEETS)
    assert not Judgement.objects.filter(assignment__item__campaign=both.fresh).exists()


WORDS = st.lists(st.sampled_from(["a", "bé", "c,d", "א", "e"]), min_size=1, max_size=6)
TEXTS = st.lists(WORDS.map(" ".join), min_size=2, max_size=5, unique=True)


@st.composite
def judged_items(draw) -> tuple[str, ItemJudgement]:
    """Draw a task, an item of it, and an answer to it."""
    task, seed = draw(st.sampled_from(TASKS)), draw(st.integers(0, 2**32))
    origins: dict[str, tuple[str, ...]] = {}
    content: dict[str, object] = {"source": "s", "reference": "r", "hypothesis": "h"}
    if task == "segranks":
        content["panels"] = []
        for number in range(draw(st.integers(1, 3))):
            texts = keyed(draw(TEXTS), number)
            part = draw(st.sampled_from(["one", "two"]))
            panel = {"part": part, "indices": [number], "candidates": texts}
            content["panels"].append(panel)
            origins |= draw(systems(texts))
    elif task in ("ranking", "pairs"):
        texts = draw(TEXTS)
        some = dict(zip("ab", texts, strict=False)) if task == "pairs" else keyed(texts)
        content["candidates"] = some
        origins = draw(systems(some))
    else:
        content["output"] = " ".join(draw(WORDS))
        origins = draw(systems({"output": ""}))
    options = {"garbage": True}
    answer = an_answer(task, content, Random(seed))
    return task, ItemJudgement(
        item="i", segment="s", document="", content=content, origins=origins,
        answer=get_task(task).check(content, answer, options), judge="aaaa22",
        campaign="none", langpair="en-de", time=START, seconds=100.0, why="first",
        kind="work",
    )  # fmt: skip


@st.composite
def systems(draw, candidates: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Draw one to three systems for every candidate."""
    number = st.integers(1, 3)
    return {key: tuple(f"{key}-{n}" for n in range(draw(number))) for key in candidates}


@given(judged_items())
@settings(max_examples=150)
def test_records_give_the_answer_back(judged):
    name, one = judged
    task = get_task(name)
    parts = []
    for record in task.records(one):
        part = task.part_of(one.content, one.origins, record)
        assert part is not None
        parts.append((part, record))
    again = task.answer_of(one.content, one.origins, parts, {"garbage": True})
    assert again == one.answer
    assert task.seconds_of([record for _, record in parts]) == one.seconds


# --------------------------------------------------------------- files of others


@pytest.fixture
def both(tmp_path):
    return twins(tmp_path, "ranking")


def rows(*lines: str, head: str = "") -> str:
    start = "srclang,trglang,srcIndex,documentId,segmentId,judgeId"
    for n in range(1, 6):
        start += f",system{n}Number,system{n}Id"
    start += "".join(f",system{n}rank" for n in range(1, 6))
    return "\n".join([head or start, *lines]) + "\n"


def wmt(item: Item, judge: str, ranks: dict[str, int]) -> str:
    """Return a row of WMT as the tasks of 2014 wrote it."""
    cells = ["en", "de", item.segment, "-1", item.segment, judge]
    for n, system in enumerate(ranks, 1):
        cells += [str(n), f"newstest2014.{system}.en-de"]
    missing = 5 - len(ranks)
    cells += ["-1", ""] * missing
    cells += [str(rank) for rank in ranks.values()] + ["-1"] * missing
    return ",".join(cells)


def systems_of(item: Item) -> list[str]:
    return sorted(item.origins.values_list("system", flat=True))


def test_rankings_of_wmt_find_their_items(both, tmp_path):
    item = both.fresh.items.order_by("position").first()
    by = dict(item.origins.values_list("system", "candidate"))
    order = sorted(by, key=lambda name: by[name])
    # As many rows as WMT had, whatever is merged here.
    ranks = {name: 2 * int(by[name].split("-")[1]) + 1 for name in order}
    place = tmp_path / "wmt.csv"
    place.write_text(rows(wmt(item, "Jane Doe", ranks), wmt(item, "Joe", ranks)))
    done = import_file(both.fresh, str(place))
    assert (done.added, done.judges, done.bad) == (2, 2, [])
    result = Judgement.objects.filter(assignment__item=item)
    assert [one.answer["ranks"] for one in result] == [
        {key: n for n, key in enumerate(sorted(set(by.values())), 1)}
    ] * 2
    # Names of people become pseudonyms, the same ones at every import.
    codes = {one.assignment.member.code for one in result}
    assert all(code.startswith("x-") and len(code) == 10 for code in codes)
    assert {one.assignment.why for one in result} == {"first", "inter"}
    assert {one.seconds for one in result} == {None}
    assert import_file(both.fresh, str(place)).known == 2
    log = Event.objects.filter(action="import").order_by("pk").first()
    assert log.detail == {"format": "wmt-csv", "added": 2, "bad": 0}


def test_lines_that_fit_nowhere_are_told_and_nothing_is_stored(both, tmp_path):
    item = both.fresh.items.order_by("position").first()
    names = systems_of(item)
    good = dict.fromkeys(names, 1)
    alien = Item(segment="no-such")
    lines = [
        wmt(item, "j", good),
        wmt(alien, "j", good),
        wmt(item, "j", {**dict.fromkeys(names[:-1], 1), "stranger": 2}),
        wmt(item, "j", dict.fromkeys(names[:2], 1)),
        wmt(item, "j", good).replace("en,de", "cs,fi", 1).replace("en-de", "cs-fi"),
        wmt(item, "j", dict.fromkeys(names, "x")),
        "en,de",
    ]
    place = tmp_path / "wmt.csv"
    place.write_text(rows(*lines))
    before = Judgement.objects.count(), Membership.objects.count()
    done = import_file(both.fresh, str(place))
    assert not done.stored
    assert [one.line for one in done.bad] == [3, 4, 5, 6, 7, 8]
    for one, word in zip(
        done.bad,
        [
            "no item of",
            "stranger",
            "no item of",
            "langpair",
            "not an integer",
            "fields",
        ],
        strict=True,
    ):
        assert word in one.reason, one
        assert "; " in one.reason
    assert (Judgement.objects.count(), Membership.objects.count()) == before
    done = import_file(both.fresh, str(place), skip_bad=True)
    assert (done.stored, done.added, done.wrong) == (True, 1, 6)


def test_systems_that_wrote_the_same_have_one_rank(both, tmp_path):
    for item in both.fresh.items.all():
        by: dict[str, list[str]] = {}
        for key, system in item.origins.values_list("candidate", "system"):
            by.setdefault(key, []).append(system)
        same = next((names for names in by.values() if len(names) > 1), None)
        if same is not None:
            break
    else:
        pytest.fail("the demo has equal outputs")
    ranks = {name: 1 for names in by.values() for name in names} | {same[0]: 2}
    place = tmp_path / "wmt.csv"
    place.write_text(rows(wmt(item, "j", ranks)))
    (bad,) = import_file(both.fresh, str(place)).bad
    assert "wrote the same here and have different ranks" in bad.reason


def test_a_survey_has_no_ranking_of_wmt(tmp_path):
    fresh = twins(tmp_path, "survey").fresh
    place = tmp_path / "wmt.csv"
    place.write_text(rows("en,de,1,-1,1,j,1,A,2,B,-1,,-1,,-1,,1,2,-1,-1,-1"))
    with pytest.raises(InputError) as told:
        import_file(fresh, str(place))
    assert "wmt-csv holds rankings; campaign 'fresh' (survey) takes ratings" in str(
        told.value
    )
    assert "likert-tsv" in str(told.value)


def test_a_sentence_of_legacy_json_needs_all_its_segments(tmp_path):
    both = twins(tmp_path, "segranks")
    place = export(both.full, tmp_path, "legacy-json")
    whole = json.loads(Path(place).read_text())
    item = next(
        one
        for one in both.full.items.filter(assignments__isnull=False).distinct()
        if len(one.content["panels"]) > 1
    )
    lost = next(key for key in whole if key.startswith(f"{item.segment},"))
    del whole[lost]
    text = json.dumps(whole, ensure_ascii=False, indent=1)
    Path(place).write_text(text)
    done = import_file(both.fresh, place)
    assert not done.stored
    first = text[: text.index(f'"{item.segment},')].count("\n") + 1
    assert {one.line for one in done.bad} == {first}
    assert "is missing" in done.bad[0].reason
    # Nobody is named there: every annotation of a sentence is by somebody else.
    done = import_file(both.fresh, place, skip_bad=True)
    codes = set(both.fresh.members.values_list("code", flat=True))
    assert codes <= {f"unknown-{n}" for n in range(1, 9)}
    assert "unknown-1" in codes


def test_tables_come_packed_as_the_dashboard_sends_them(tmp_path):
    both = twins(tmp_path, "direct")
    place = tmp_path / "down"
    with make_download(both.full, "parquet").file as file:
        place.write_bytes(file.read())
    done = import_file(both.fresh, str(place))
    assert done.stored
    assert done.added > 8
    place.write_bytes(place.read_bytes()[:200])
    with pytest.raises(InputError, match="; "):
        import_file(both.fresh, str(place))


def test_other_files_are_rejected(both, tmp_path):
    place = tmp_path / "x.zip"
    for data, word in ((b"", "empty"), (b"\x00\xff\n", "UTF-8"), (b"a b\n", "format")):
        place.write_bytes(data)
        with pytest.raises(InputError, match=word):
            import_file(both.fresh, str(place))
    with pytest.raises(InputError, match="there is no"):
        import_file(both.fresh, str(tmp_path / "none"))
    with pytest.raises(InputError, match="did you mean wmt-csv"):
        import_file(both.fresh, str(place), format_name="wmtcsv")


# ------------------------------------------------------------------ older backups


@pytest.mark.parametrize("state", ["leased", "expired"])
@pytest.mark.parametrize("why", ["first", "intra", "late"])
def test_an_answer_finishes_what_an_older_backup_left_open(tmp_path, state, why):
    both = twins(tmp_path, "pairs")
    place = export(both.full, tmp_path, "answers")
    held = Assignment.objects.filter(why="first").order_by("pk").first()
    # The backup is from before the submission.
    held.judgement.delete()
    held.state, held.draft = state, {"better": "a"}
    held.save()
    if state == "expired":
        Item.objects.filter(pk=held.item_id).update(taken=0)
    lines = [json.loads(line) for line in Path(place).read_text().splitlines()]
    for line in lines:
        if line["id"] == str(held.pk):
            line["why"] = why
            wanted = line
    Path(place).write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = import_file(both.full, place)
    assert (done.added, done.known, done.bad) == (1, len(lines) - 1, [])
    held.refresh_from_db()
    assert (held.state, held.draft, held.why) == ("done", None, why)
    assert held.judgement.answer == wanted["answer"]
    assert taken_is_right(both.full)


def test_work_of_somebody_else_or_skipped_stays(tmp_path):
    both = twins(tmp_path, "pairs")
    place = export(both.full, tmp_path, "answers")
    first, second, *_ = Assignment.objects.order_by("created")
    for held, state in ((first, "leased"), (second, "skipped")):
        held.judgement.delete()
        held.state = state
    first.member = both.full.members.exclude(pk=first.member_id).first()
    first.save()
    second.save()
    done = import_file(both.full, place)
    assert [one.line for one in done.bad] == [1, 2]
    assert "never changed" in done.bad[0].reason
    assert "skipped" in done.bad[1].reason


def test_a_reason_must_fit_the_item(tmp_path):
    both = twins(tmp_path, "direct")
    line = json.loads(next(raw_lines(both.full)))
    check = both.full.items.filter(kind="check").first()
    place = tmp_path / "a.jsonl"
    wrong = [
        {**line, "id": None, "why": "check"},
        {**line, "id": None, "item": check.key, "content": check.content},
    ]
    place.write_text("".join(json.dumps(one) + "\n" for one in wrong))
    done = import_file(both.full, str(place))
    assert [one.line for one in done.bad] == [1, 2]
    assert all("why is" in one.reason for one in done.bad)


@pytest.mark.parametrize(("task", "name"), [("segranks", "legacy-json"),
                                            ("ranking", "wmt-csv"),
                                            ("survey", "likert-tsv")])  # fmt: skip
def test_the_dashboard_shows_judgements_without_times(tmp_path, task, name):
    both = twins(tmp_path, task)
    place = export(both.full, tmp_path, name)
    if task == "survey":
        # As from elsewhere: only what a table of ratings must have.
        table = [line.split("\t")[:5] for line in Path(place).read_text().splitlines()]
        Path(place).write_text("".join("\t".join(row) + "\n" for row in table))
    assert import_file(both.fresh, place).bad == []
    world = World(both.fresh)
    world.joined["manager"] = join(invite(both.fresh, Role.MANAGER), name="m")
    client = world.client("manager")
    code = both.fresh.members.filter(group="imported").first().code
    for page in ("/", "/people/", f"/people/{code}/", "/items/", "/exports", "/log"):
        reply = client.get(f"/m/fresh{page}")
        assert reply.status_code == 200, page
    assert "imported" in client.get("/m/fresh/people/").content.decode()
    for kind in ("participants", "answers") if task == "survey" else ("answers",):
        with make_download(both.fresh, kind).file as file:
            assert file.read()
    results = {line["seconds"] for line in map(json.loads, raw_lines(both.fresh))}
    assert results == {None}

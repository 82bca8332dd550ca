# SPDX-License-Identifier: Apache-2.0
"""Direct assessment: items, checks, validation, export."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.campaigns.config import read_config
from tertium.campaigns.tasks import AnswerError, ItemJudgement, get_task
from tertium.campaigns.tasks.direct.checks import checks, judge_checks
from tertium.campaigns.tasks.twins import damage

DIRECT = get_task("direct")
TEXT = "der Hund lief schnell durch einen dunklen Wald und fand dort nichts"
WORDS = TEXT.split()


def write(folder, segments, *, plan="", task="", seed=12345, items="set.jsonl"):
    """Write a campaign and return its configuration."""
    lines = [
        {"id": f"s{n}", "doc": "d", "src": f"source {n}", "ref": [reference],
         "tgt": {f"sys{i}": text for i, text in enumerate(outputs)}}
        for n, (reference, *outputs) in enumerate(segments)
    ]  # fmt: skip
    (folder / "set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    place = folder / "campaign.toml"
    place.write_text(
        f'[campaign]\nname = "da"\ntitle = "T"\ntask = "direct"\nitems = "{items}"\n'
        f'source = "en"\ntarget = "de"\nseed = {seed}\n[plan]\n{plan}\n[task]\n{task}\n'
    )
    return read_config(place)


def segments(number=6):
    """Return references with two outputs each; two systems agree on the third."""
    results = []
    for n in range(number):
        turned = WORDS[n:] + WORDS[:n]
        one, other = " ".join(turned), " ".join(reversed(turned))
        results.append((f"{n} {' '.join(turned[:8])}", one, one if n == 3 else other))
    return results


def drafts(config):
    return list(DIRECT.items(config))


def test_equal_outputs_are_one_item(tmp_path):
    work = [d for d in drafts(write(tmp_path, segments())) if d.kind == "work"]
    assert len(work) == 11
    merged = [d for d in work if d.segment == "s3"]
    assert [dict(d.origins) for d in merged] == [{"output": ("sys0", "sys1")}]
    assert work[2].content["before"] == "source 0"
    assert "sys" not in json.dumps([[d.key, d.content, d.meta] for d in work])


def test_checks_are_the_same_every_time(tmp_path):
    config = write(tmp_path, segments())
    assert drafts(config) == drafts(config)
    other = drafts(write(tmp_path, segments(), seed=1))
    assert [d.content for d in other] != [d.content for d in drafts(config)]


def test_every_item_has_one_check_at_most_and_a_segment_one_copy(tmp_path):
    result = drafts(write(tmp_path, segments()))
    made = [d for d in result if d.kind == "check"]
    assert len({d.base for d in made}) == len(made)
    assert len({d.key for d in result}) == len(result)
    copies = [d for d in made if d.meta["check"] == "copy"]
    assert len({d.segment for d in copies}) == len(copies) >= 5
    assert all(d.content["output"] == d.content["reference"] for d in copies)
    texts = {d.key: d.content["output"] for d in result}
    for one in made:
        assert one.meta["base"] == one.base
        assert not one.origins
        if one.meta["check"] == "bad":
            words, each = one.content["output"].split(), texts[one.base].split()
            changed = sum(a != b for a, b in zip(words, each, strict=True))
            assert 1 <= changed <= 4  # of twelve words
            assert (words[0], words[-1]) == (each[0], each[-1])


def test_kinds_of_checks_can_be_left_out(tmp_path):
    def kinds(task):
        result = drafts(write(tmp_path, segments(), task=task))
        return {d.meta["check"] for d in result if d.kind == "check"}

    assert kinds("") == {"bad", "copy"}
    assert kinds("copies = false") == {"bad"}
    assert kinds("bad = false") == {"copy"}
    assert kinds("bad = false\ncopies = false") == set()


def test_a_copy_that_a_system_wrote_is_no_check(tmp_path):
    same = [("eins zwei", "eins  zwei", "drei vier"), ("eins zwei", "eins zwei", "x")]
    result = drafts(write(tmp_path, same, task="bad = false"))
    assert [d.kind for d in result] == ["work"] * 4


def test_a_set_that_grows_keeps_its_checks(tmp_path):
    before = drafts(write(tmp_path, segments(5)))
    after = {d.key: d for d in drafts(write(tmp_path, segments(9)))}
    assert all(after[d.key] == d for d in before)


def test_one_segment_has_nothing_to_be_damaged_with(tmp_path):
    result = drafts(write(tmp_path, segments(1), task="copies = false"))
    assert [d.kind for d in result] == ["work", "work"]


texts = st.lists(st.sampled_from([*WORDS, "一二三四五六", "ผู้ชาย"]), max_size=30).map(
    " ".join
)


@given(texts, st.lists(texts, max_size=3), st.integers())
def test_damage_puts_foreign_words_in(text, others, seed):
    result = damage(text, others, Random(seed))
    assert result == damage(text, others, Random(seed))
    if result is not None:
        assert result.text != text
        foreign = result.text[result.start : result.end]
        assert foreign.strip()
        assert any(foreign in other for other in others)
        behind = len(result.text) - result.end
        assert text.startswith(result.text[: result.start])
        assert text.endswith(result.text[len(result.text) - behind :])


def test_scripts_without_spaces_are_damaged_too():
    text, other = "这只狗跑过森林。", "昨天下了很大的雨"
    result = damage(text, [other], Random(3)).text
    assert result != text
    assert (result[0], result[-1], len(result)) == (text[0], text[-1], len(text))


def test_damage_needs_something_else():
    assert damage("", ["ein Wort"], Random(1)) is None
    assert damage("ein Wort", [], Random(1)) is None
    assert damage("ein Wort", ["", "ein Wort"], Random(1)) is None


@given(st.integers(0, 100))
def test_scores_are_kept(score):
    answer = {"score": score, "more": 1}
    assert DIRECT.check({}, answer, {}) == {"score": score}


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.text(),
    st.integers(max_value=-1),
    st.integers(min_value=101),
    st.lists(st.integers()),
)


@given(st.one_of(anything, st.builds(lambda value: {"score": value}, anything)))
def test_nothing_else_is_a_score(answer):
    with pytest.raises(AnswerError, match="0 to 100"):
        DIRECT.check({}, answer, {})


def judged(item, score, *, judge="a1", kind="work", **more):
    meta = {"check": more["check"], "base": more["base"]} if kind == "check" else {}
    return ItemJudgement(
        item=item,
        segment="s1",
        document="d",
        content={"output": "x"},
        origins={"output": ("one", "two")} if kind == "work" else {},
        answer={"score": score},
        judge=judge,
        campaign="c",
        langpair="en-de",
        time=datetime(2026, 1, 1, tzinfo=timezone.utc),
        seconds=3.0,
        why=more.get("why", "first"),
        kind=kind,
        meta=meta,
    )


def test_every_system_of_an_output_gets_the_rating():
    results = list(DIRECT.records(judged("i", 71)))
    assert [(one.system, one.score, one.scale) for one in results] == [
        ("one", 71.0, "DA"),
        ("two", 71.0, "DA"),
    ]
    assert {one.judge for one in results} == {"a1"}


def test_checks_tell_readers_from_clickers():
    seen = []
    for n in range(6):
        seen.append(judged(f"i{n}", 70 + n, judge="reads"))
        seen.append(judged(f"i{n}", 50, judge="clicks"))
    for n in range(6):
        twin = {"kind": "check", "check": "bad", "base": f"i{n}"}
        seen.append(judged(f"b{n}", 20 + 2 * n, judge="reads", **twin))
        seen.append(judged(f"b{n}", 50, judge="clicks", **twin))
    copy = {"kind": "check", "check": "copy", "base": "i0"}
    seen.append(judged("c", 98, judge="reads", **copy))
    seen.append(judged("i0", 60, judge="reads", why="intra"))
    clicks, reads = judge_checks(seen)
    assert (clicks.judge, reads.judge) == ("clicks", "reads")
    assert (reads.share, clicks.share) == (1.0, 0.0)
    assert reads.p_value == 1 / 2**6
    assert (reads.reads, clicks.reads) == (True, False)
    assert clicks.p_value == 1.0
    assert (reads.copies_mean, clicks.copies_mean) == (98, None)
    assert reads.repeats == ((70.0, 60.0),)
    assert (reads.repeat_gap, clicks.repeat_gap) == (10.0, None)
    assert reads.bad[0].original == 65  # the mean of both times
    assert (reads.scored, reads.bad_mean) == (6, 25.0)


def test_without_checks_there_is_nothing_to_say():
    (result,) = judge_checks([judged("i", 5)])
    assert (result.p_value, result.share, result.reads, result.bad_mean) == (None,) * 4
    assert result.mean == 5
    assert judge_checks([]) == []


@pytest.mark.django_db
def test_checks_come_with_the_work(tmp_path):
    from tertium.campaigns import loading
    from tertium.campaigns.exchange import exporting
    from tertium.campaigns.models import Item, Role
    from tertium.campaigns.people.accounts import invite, join
    from tertium.campaigns.work import leases as work

    config = write(tmp_path, segments(12), plan="checks = 0.2\nintra = 0.1\ninter = 0")
    loaded = loading.load(config)
    assert loading.load(config).added == 0
    campaign = loaded.campaign
    member = join(invite(campaign, Role.ANNOTATOR)).member
    number = 0
    while (result := work.next_assignment(member)) is not None:
        output = result.item.content["output"]
        bad = result.item.meta.get("check") == "bad"
        score = 10 if bad else 60 + len(output) % 30
        work.submit(result, {"score": score})
        number += 1
    done = Item.objects.filter(kind="check", assignments__state="done").count()
    assert done == 4  # a fifth of the 23 items
    (mine,) = checks(campaign)
    assert len(mine.bad) + len(mine.copies) == 4
    assert (mine.scored, len(mine.repeats)) == (23, 2)
    assert mine.repeat_gap == 0
    assert mine.share in (1.0, None)
    ratings = list(exporting.records(campaign))
    assert len(ratings) == number - 4 + sum(r.segment == "s3" for r in ratings) // 2
    assert {r.scale for r in ratings} == {"DA"}


@pytest.mark.django_db
def test_the_starter_loads(tmp_path):
    from tertium.campaigns import loading

    for name, text in DIRECT.starter_files().items():
        (tmp_path / name).write_text(text)
    config = read_config(tmp_path / "campaign.toml")
    result = loading.check(config)
    assert config.plan.checks == 0.1
    assert set(result.options) == set(DIRECT.declared_options)
    kinds = [d.meta.get("check") for d in result.drafts]
    assert kinds.count("copy") >= 40
    assert kinds.count("bad") > 100

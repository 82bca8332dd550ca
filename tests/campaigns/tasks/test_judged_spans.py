# SPDX-License-Identifier: Apache-2.0
"""Spans to start from that a language model marks when a campaign is made."""

from __future__ import annotations

import json

import pytest

from support.campaign_server import Server
from support.chat_server import chat_server, says, shown, status
from support.span_campaign import text as output
from support.span_campaign import write_spans
from tertium.campaigns.config import read_config
from tertium.campaigns.creating import create_campaign
from tertium.campaigns.loading import check
from tertium.campaigns.tasks import get_task
from tertium.cli import main
from tertium.errors import InputError
from tertium.judgements import Judgements

pytest.importorskip("polars")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def usual(handler, body):
    """Mark the first word, words that are not there, and what is missing."""
    source, hyp = shown(body)
    if hyp == output("betasys", 0):
        says("I would rather not.")(handler, body)
        return
    errors = [
        {"text": hyp.split()[0], "severity": "major"},
        {"text": "absent", "severity": "minor"},
        {"text": source.split()[0], "severity": "minor", "side": "source"},
    ]
    if hyp == output("gammasys", 1):
        errors = []
    says(json.dumps({"errors": errors, "score": 50}))(handler, body)


@pytest.fixture
def server():
    with chat_server(usual=usual) as one:
        yield one


def write(tmp_path, server, **settings):
    """Write a test set of two segments, and the settings of a judge."""
    write_spans(tmp_path, documents=1, length=2)
    values = {"url": server.url, "model": "toy", "retries": 0, **settings}
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in values.items()]
    (tmp_path / "judge.toml").write_text("".join(lines))
    return str(tmp_path / "set.jsonl"), f"llm:config={tmp_path / 'judge.toml'}"


def made(tmp_path, server, folder="new", **settings):
    items, prefilled = write(tmp_path, server, **settings)
    return create_campaign(
        tmp_path / folder,
        task="esa",
        items=items,
        prefilled=prefilled,
        source="en",
        target="de",
    )


def marks_of(config):
    """Return marks by segment and output, of the items to judge."""
    checked = check(read_config(config, allow_outside=True))
    marks_by_output = {}
    for draft in checked.drafts:
        for one in draft.content["paragraphs"] if draft.kind == "work" else ():
            marks = one["prefilled"].get("a")
            marks_by_output[one["segment"], draft.origins["a"][0]] = marks
    return marks_by_output, [note.code for note in checked.notes]


def test_a_new_campaign_starts_from_the_marks_of_a_model(tmp_path, server):
    created = made(tmp_path, server)
    notes = {note.code: note.values for note in created.notes}
    assert notes["prefilled-judged"]["count"] == 5
    assert notes["prefilled-judged"]["asked"] == 6
    assert notes["prefilled-unparsable"] == {"count": 1, "reasons": "no-json 1"}
    assert notes["prefilled-unlocated"] == {"count": 4}
    assert not created.asks
    stored = tmp_path / "new" / "campaign.prefilled.jsonl"
    assert stored in created.files
    assert Judgements.read(stored).names("judge") == ["toy"]
    marks, codes = marks_of(created.config)
    assert codes == ["prefilled-some"]
    assert marks["s0", "betasys"] is None
    assert marks["s1", "gammasys"] == []
    end = len(output("alphasys", 0).split()[0])
    assert marks["s0", "alphasys"] == [
        {"start": 0, "end": end, "severity": "major"},
        {"start": None, "end": None, "severity": "minor"},
    ]
    text = server.seen[0]["messages"][-1]["content"]
    assert "from English into German" in text


def test_a_second_run_asks_nothing_and_gives_the_same(tmp_path, server):
    first = marks_of(made(tmp_path, server).config)
    asked = len(server.seen)
    second = made(tmp_path, server, folder="again")
    notes = {note.code: note.values for note in second.notes}
    assert (notes["prefilled-judged"]["asked"], len(server.seen)) == (0, asked)
    assert marks_of(second.config) == first


def test_a_campaign_is_made_again_without_the_model(tmp_path):
    with chat_server(usual=usual) as server:
        first = made(tmp_path, server)
    for name in ("judge.toml", "judge.answers.jsonl"):
        (tmp_path / name).unlink()
    like = create_campaign(tmp_path / "like", like=str(first.config))
    assert not like.asks
    assert marks_of(like.config) == marks_of(first.config)


def test_marks_of_a_text_that_has_changed_are_an_error(tmp_path, server):
    created = made(tmp_path, server)
    items = tmp_path / "set.jsonl"
    items.write_text(items.read_text().replace(output("alphasys", 0), "Ships sail."))
    config = read_config(created.config, allow_outside=True)
    with pytest.raises(InputError, match=r"has 'Ship'; the text has changed") as caught:
        check(config)
    assert caught.value.options == ("ask_model",)
    get_task("esa").ask_model(config)
    assert marks_of(created.config)[0]["s0", "alphasys"][0]["end"] == len("Ships")


def test_marks_that_nothing_uses_are_not_copied(tmp_path, server):
    first = made(tmp_path, server)
    used = json.dumps(f"llm:config={tmp_path / 'judge.toml'}")
    text = first.config.read_text()
    assert used in text
    first.config.write_text(text.replace(used, '""'))
    like = create_campaign(tmp_path / "like", like=str(first.config))
    assert [path.name for path in like.files] == ["campaign.toml"]


def test_loading_asks_no_model_unless_it_is_told_to(tmp_path, server):
    write(tmp_path, server)
    path = write_spans(tmp_path, prefilled="llm:config=judge.toml")
    with pytest.raises(InputError, match=r"--ask-model"):
        check(read_config(path))
    assert not server.seen
    (tmp_path / "site").mkdir()
    site = Server(tmp_path / "site")
    try:
        for flags, code in (((), 2), (("--check", "--ask-model"), 2)):
            assert site.run("campaign", "load", str(path), *flags).returncode == code
        assert not server.seen
        done = site.run("campaign", "load", str(path), "--ask-model")
        assert done.returncode == 0, done.stderr
        assert "toy judged 23 outputs" in done.stderr
        assert "the answer on 1 output cannot be read (no-json 1)" in done.stderr
        assert "covers 23 of 24 outputs" in done.stderr
        asked = len(server.seen)
        assert site.run("campaign", "load", str(path), "--check").returncode == 0
        done = site.run("campaign", "load", str(path), "--ask-model")
        assert (done.returncode, len(server.seen)) == (0, asked)
        assert "already there" in done.stdout
    finally:
        site.kill()


def test_costs_have_a_limit_and_a_later_run_goes_on(tmp_path, server):
    prices = {"price_in": 1000.0, "price_out": 1000.0, "concurrency": 1}
    with pytest.raises(InputError, match=r"left at the limit of costs") as caught:
        made(tmp_path, server, limit_cost=2.0, **prices)
    again = "--allow-outside --ask-model` goes on from there, and may spend limit_cost"
    assert again in str(caught.value)
    asked = len(server.seen)
    assert 0 < asked < 6
    place = tmp_path / "new" / "campaign.toml"
    assert not (tmp_path / "new" / "campaign.prefilled.jsonl").exists()
    write(tmp_path, server, limit_cost=900.0, **prices)
    config = read_config(place, allow_outside=True)
    (note, *_) = get_task("esa").ask_model(config)
    assert (note.values["asked"], note.values["kept"]) == (6 - asked, asked)
    assert note.values["cost"].startswith("; cost: ")
    assert len(server.seen) == 6


def test_outputs_without_answer_are_an_error(tmp_path):
    failing = {output("alphasys", 1)}
    with chat_server(
        lambda body, number: status(500) if shown(body)[1] in failing else None, usual
    ) as server:
        with pytest.raises(InputError, match=r"1 output without answer.*--ask-model"):
            made(tmp_path, server)
        failing.clear()
        config = read_config(tmp_path / "new" / "campaign.toml", allow_outside=True)
        get_task("esa").ask_model(config)
        assert marks_of(config.path)[0]["s1", "alphasys"]


@pytest.mark.parametrize(
    ("prompt", "what"),
    [("da", "asks for scores alone"), ("mqm", "the severity 'critical'")],
)
def test_prompts_that_do_not_fit_are_rejected_before_anything_is_asked(
    prompt, what, tmp_path, server
):
    with pytest.raises(InputError, match=what):
        made(tmp_path, server, prompt=prompt)
    assert not server.seen
    assert not (tmp_path / "new").exists()
    made(tmp_path, server)


def test_answers_that_cannot_be_read_at_all_are_an_error(tmp_path):
    with (
        chat_server(usual=says("no")) as server,
        pytest.raises(InputError, match=r"no answer of toy can be read \(no-json 6\)"),
    ):
        made(tmp_path, server)


@pytest.mark.parametrize("task", ["direct", "pairs"])
def test_other_tasks_start_from_no_spans(task, tmp_path, server):
    items, prefilled = write(tmp_path, server)
    with pytest.raises(InputError, match=f"{task} does not start from spans"):
        create_campaign(tmp_path / "x", task=task, items=items, prefilled=prefilled)


def test_the_command_makes_a_campaign_with_a_model_or_by_a_rule(
    tmp_path, server, capsys, monkeypatch
):
    write(tmp_path, server)
    monkeypatch.chdir(tmp_path)
    words = ["campaign", "new", "one", "--task", "cesa"]
    judge = ["--prefilled", "llm:config=judge.toml"]
    assert main([*words, "--items", "set.jsonl", *judge]) == 0
    options = read_config(tmp_path / "one" / "campaign.toml").options
    assert options["prefilled"] == "llm:config=../judge.toml"
    done = capsys.readouterr()
    assert "toy judged 5 outputs" in done.err
    assert "one/campaign.prefilled.jsonl" in done.out
    assert done.out.endswith("campaign.toml --allow-outside\n")
    words[2] = "rule"
    assert main([*words, "--prefilled", "llm:config=demo"]) == 0
    marks = (tmp_path / "rule" / "campaign.prefilled.jsonl").read_text()
    assert '"judge":"demo"' in marks.replace(": ", ":")


def test_the_command_to_go_on_after_an_interruption_works(
    tmp_path, server, capsys, monkeypatch
):
    from tertium.llm.asking import InterruptedAsking

    def interrupted(*_args, **_settings):
        raise InterruptedAsking(1, 5)

    write(tmp_path, server)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tertium.llm.judge_outputs", interrupted)
    words = ["campaign", "new", "a folder", "--task", "esa", "--items", "set.jsonl"]
    assert main([*words, "--prefilled", "llm:config=judge.toml"]) == 130
    flags = "--allow-outside --ask-model"
    command = f"tertium campaign load 'a folder/campaign.toml' {flags}"
    assert f"1 new answer kept, 5 left; `{command}` goes on" in capsys.readouterr().err
    config = read_config("a folder/campaign.toml", allow_outside=True)
    with pytest.raises(InputError) as caught:
        check(config)
    assert f"`{command}` asks it" in str(caught.value)


def test_wrong_settings_are_found_before_anything_is_written(tmp_path, server):
    with pytest.raises(InputError, match=r"judge\.toml: .*'modle'"):
        made(tmp_path, server, modle="toy")
    assert not (tmp_path / "new").exists()
    screens = tmp_path / "screens.jsonl"
    paragraph = {"id": "1", "src": "a", "tgt": {"wren": "b"}}
    screens.write_text(json.dumps({"screen": "s", "paragraphs": [paragraph]}) + "\n")
    with pytest.raises(InputError, match="does not go with screens"):
        create_campaign(
            tmp_path / "new",
            task="esa",
            items=str(screens),
            prefilled="llm:config=demo",
            source="en",
            target="de",
        )
    assert not (tmp_path / "new").exists()


def test_settings_of_a_model_may_have_any_name(tmp_path, server):
    items, _ = write(tmp_path, server)
    (tmp_path / "judge.toml").rename(tmp_path / "j[1].toml")
    prefilled = f"llm:config={tmp_path / 'j[1].toml'}"
    created = create_campaign(
        tmp_path / "new", task="esa", items=items, prefilled=prefilled
    )
    assert marks_of(created.config)[0]["s0", "alphasys"]


@pytest.mark.parametrize("name", ["demo", "no/demo", "llm:config=no/demo"])
def test_only_the_judge_by_a_rule_needs_no_file(name, tmp_path, server):
    items, _ = write(tmp_path, server)
    with pytest.raises(InputError, match="is not a file"):
        create_campaign(tmp_path / "x", task="esa", items=items, prefilled=name)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", ["comet", "llm:model=x", "llm:config=no.toml"])
def test_what_is_neither_a_file_nor_a_judge_is_explained(name, tmp_path, server):
    items, _ = write(tmp_path, server)
    with pytest.raises(InputError, match=r"is not a file.*llm:config=judge\.toml"):
        create_campaign(tmp_path / "x", task="esa", items=items, prefilled=name)
    assert not (tmp_path / "x").exists()

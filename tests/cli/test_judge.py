# SPDX-License-Identifier: Apache-2.0
"""``tertium judge``: a language model as judge, on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from support.chat_server import chat_server, says, shown, slow, status
from tertium.cli import main
from tertium.judgements import Judgements

pytest.importorskip("polars")

KEPT = ["--answers", "judged.answers.jsonl"]
TERTIUM = [sys.executable, "-m", "tertium"]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def judge(server, *words, store="judged"):
    place = ["-o", store] if store else []
    named = ["--url", server.url, "--model", "toy"]
    return main(["judge", "demo", *place, *named, "-l", "en-de", *words])


def test_a_model_is_one_more_annotator(capsys):
    with chat_server() as server:
        assert judge(server, "--prompt", "da", "--like", "demo") == 0
    shown_table, remarks = capsys.readouterr()
    assert "toy, prompt da" in shown_table
    assert "wrote 240 ratings to judged" in remarks
    judgements = Judgements.read("judged")
    assert judgements.names("judge") == ["toy"]
    assert judgements.names("campaign") == ["demo"]
    assert main(["agree", "demo", "judged", "--scale", "DA", "-f", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert "toy" in json.dumps(report["judges"])
    assert main(["rank", "judged"]) == 0
    command = ["correlate", "demo", "-J", "judged", "-m", "chrf", "--resamples", "0"]
    assert main(command) == 0
    assert "DA ratings" in capsys.readouterr().out


def test_a_dry_run_sends_and_writes_nothing(capsys, tmp_path):
    prices = ["--price-in", "2", "--price-out", "8"]
    with chat_server() as server:
        assert judge(server, "--dry-run", *prices, store=None) == 0
        table = capsys.readouterr().out
        assert judge(server, "--dry-run", *prices, "-f", "json") == 0
        content = json.loads(capsys.readouterr().out)
        assert judge(server, "--dry-run", "-f", "tsv") == 0
        rows = capsys.readouterr().out.splitlines()
    assert server.seen == []
    assert os.listdir(tmp_path) == []
    assert "input tokens" in table
    assert "from English into German" in table
    assert (content["outputs"], content["requests"], content["kept"]) == (240, 177, 0)
    expected = (2 * content["tokens_in"] + 8 * content["tokens_out"]) / 1e6
    assert content["cost"] == pytest.approx(expected)
    assert content["cost"] < content["largest_cost"]
    assert rows[1].split("\t")[-2:] == ["", ""]


def test_a_limit_keeps_answers_and_writes_no_store(capsys, tmp_path):
    costs = ["--price-in", "2", "--price-out", "8", "--limit-cost", "0.03"]
    with chat_server() as server:
        assert judge(server, *costs) == 1
        remarks = capsys.readouterr().err
        asked = len(server.seen)
        assert 0 < asked < 177
        assert "outputs left at the limit of costs" in remarks
        assert "--partial" in remarks
        assert os.listdir(tmp_path) == ["judged.answers.jsonl"]
        assert judge(server, "--partial", "--limit-cost", "0", *costs[:4]) == 1
        assert len(server.seen) == asked
        assert "wrote" in capsys.readouterr().err
        assert judge(server, *KEPT, store="all") == 0
        assert len(server.seen) == 177
    some, every = (
        Judgements.read(name).counts()["ratings"] for name in ("judged", "all")
    )
    assert 0 < some < every == 240


def test_unparsable_answers_are_shown(capsys):
    def script(body, number):
        if len(shown(body)[1]) % 9 == 0:
            return says("Sorry, I cannot judge this.")
        return None

    with chat_server(script) as server:
        assert judge(server, "--only-systems", "good") == 0
        table = capsys.readouterr().out
        words = ["--only-systems", "good", "-f", "json", *KEPT]
        assert judge(server, *words, store="b") == 0
    content = json.loads(capsys.readouterr().out)
    bad = len(content["unparsable"])
    assert 0 < bad == content["outputs"] - content["judged"]
    assert f"{bad} of 60 answers could not be read" in table
    assert "Sorry, I cannot judge this." in table
    assert content["requests"]["kept"] == 60


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_whatever_ends_a_run_keeps_all_answers(tmp_path, name):
    with chat_server(usual=slow(0.05)) as server:
        words = ["judge", "demo", "-o", "judged", "--url", server.url, "--model", "toy"]
        run = subprocess.Popen(
            [*TERTIUM, *words, "--concurrency", "4"],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        while len(server.seen) < 20:
            time.sleep(0.01)
        run.send_signal(getattr(signal, name))
        remarks = run.communicate(timeout=30)[1].decode()
        asked = len(server.seen)
        assert asked < 177
        kept = (tmp_path / "judged.answers.jsonl").read_text().count('"key"')
        if name == "SIGINT":
            assert run.returncode == 130
            assert kept == asked  # those under way arrived, too
            assert f"{kept} new answers kept in judged.answers.jsonl" in remarks
        else:
            assert asked - 4 <= kept <= asked
        assert not (tmp_path / "judged").exists()
        assert main(words) == 0
        assert len(server.seen) == asked + 177 - kept
    assert Judgements.read("judged").counts()["ratings"] == 240


def test_a_record_is_repeated_without_a_connection_from_kept_answers(capsys):
    few = ["--sample", "3", "--only-systems", "good", "order"]
    with chat_server() as server:
        assert judge(server, *few, "--record", "first.json", store="a") == 0
        kept = [*few, "--answers", "a.answers.jsonl"]
        assert judge(server, *kept, "--record", "second.json", store="b") == 0
        capsys.readouterr()
        asked = len(server.seen)
        assert main(["repeat", "first.json"]) == 2
        assert "opens a connection" in capsys.readouterr().out
        assert main(["repeat", "second.json"]) == 0
        assert "equal" in capsys.readouterr().out
        assert len(server.seen) == asked
        assert main(["repeat", "first.json", "--trust"]) in (0, 1)
        assert len(server.seen) == 2 * asked


def test_keys_are_in_no_record_log_or_message(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret")

    def script(body, number):
        if len(shown(body)[1]) % 5 == 0:
            return status(400, text="what is sk-very-secret?")
        return says("Is it sk-very-secret?")

    with chat_server(script) as server:
        words = ["--key-variable", "JUDGE_KEY", "--record", "run.json", "--partial"]
        assert judge(server, *words, "--concurrency", "1") == 1
    assert server.headers[0]["Authorization"] == "Bearer sk-very-secret"
    text = "".join(capsys.readouterr())
    assert "[key]" in text
    assert (tmp_path / "run.json").exists()
    for path in tmp_path.rglob("*"):
        text += path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
    assert "very-secret" not in text


def test_flags_overrule_a_configuration(capsys, tmp_path):
    with chat_server() as server:
        (tmp_path / "judge.toml").write_text(
            f'url = "{server.url}"\nmodel = "small"\nprompt = "mqm"\ntimeout = 9\n'
            "parameters = {top_p = 0.5, seed = 1}\n"
        )
        words = ["judge", "demo", "-o", "a", "--settings", "judge.toml", "-q"]
        more = ["--sample", "2", "--model", "large", "--parameter", "seed=2", "stop=x"]
        assert main([*words, *more]) == 0
    body = server.seen[0]
    assert (body["model"], body["seed"], body["stop"]) == ("large", 2, "x")
    assert body["top_p"] == 0.5
    assert (tmp_path / "judge.answers.jsonl").exists()
    assert "large, prompt mqm" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give -o STORE, or --dry-run"),
        (["-o", "a"], "give --url and --model, or --settings FILE"),
        (["-o", "a", "--url", "x", "--model", "m"], "not the address of a server"),
        (["-o", "a", "--settings", "no.toml"], "no.toml: cannot be read"),
        (
            ["-o", "a", "--url", "http://h", "--model", "m", "--prompt", "ese"],
            "unknown prompt 'ese'; did you mean esa",
        ),
        (
            ["-o", "a", "--url", "http://h", "--model", "m", "--parameter", "seed"],
            "'seed' is not KEY=VALUE",
        ),
        (
            ["-o", "a", "--url", "http://h", "--model", "m", "--limit-cost", "1"],
            "(--price-in, --price-out)",
        ),
        (
            ["-o", "a", "--url", "http://h", "--model", "m", "--limit-cost", "x"],
            "'x' is not a number from 0 on",
        ),
        (
            ["-o", "a", "--url", "http://u:p@h", "--model", "m"],
            "holds a secret, which records would keep",
        ),
        (
            [
                "-o",
                "a",
                "--url",
                "http://h",
                "--model",
                "m",
                "--key-variable",
                "NO_KEY",
            ],
            "the environment variable NO_KEY is not set",
        ),
        (
            ["-o", ".", "--url", "http://h", "--model", "m"],
            "is not empty",
        ),
    ],
)
def test_wrong_options_are_explained(capsys, tmp_path, words, message):
    (tmp_path / "something").write_text("")
    assert main(["judge", "demo", *words]) == 2
    assert message in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["something"]


def test_a_server_that_is_not_there_is_named(capsys):
    with chat_server() as server:
        pass
    assert judge(server, "--retries", "0") == 2
    assert "no connection to 127.0.0.1" in capsys.readouterr().err

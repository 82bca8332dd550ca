# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign demo --simulate`` and ``tertium campaign plan`` as typed."""

from __future__ import annotations

import json

import pytest

from support.campaign_server import Server
from tertium.cli import main


def test_a_simulated_survey_writes_a_page_and_exports(tmp_path):
    server = Server(tmp_path)
    words = ["campaign", "demo", "--task", "survey", "--folder", str(tmp_path / "d")]
    words += ["--seed", "3", "-m", "chrf"]
    rows = [f"{n}\tword{n}\t_\t_\t_\t_\t{n - 1}\tdep\t_\t_\n" for n in range(1, 8)]
    untagged = tmp_path / "untagged.conllu"
    untagged.write_text(("".join(rows) + "\n") * 20)
    wrong = ["--simulate", "4", "--references", str(untagged), "--kinds", "swap"]
    failed = server.run(*words, *wrong)
    assert failed.returncode == 2
    # Nothing of a failed command is in the way of the next one.
    done = server.run(*words, "--simulate", "4")
    assert done.returncode == 0, done.stderr
    assert "known effects" in done.stdout
    folder = tmp_path / "d" / "simulated"
    for name in ("survey.html", "judgements.tsv", "items.jsonl", "participants.tsv"):
        assert f"wrote {folder / name}" in done.stdout
        assert (folder / name).stat().st_size > 0
    people = (folder / "participants.tsv").read_text().splitlines()
    assert len(people) == 1 + 4
    again = server.run(*words, "--simulate", "4")
    assert again.returncode == 2
    assert "choose another folder, or delete this one (--folder)" in again.stderr


def test_only_the_survey_has_simulated_judges(capsys):
    assert main(["campaign", "demo", "--simulate", "5"]) == 2
    assert "give --task survey" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["-m", "chrf", "foo"], ["unknown metric 'foo'"]),
        (["-m", "dted"], ["has no dependency tree"]),
        (
            ["--references", "refs.txt", "--kinds", "swap"],
            ["swap needs trees, and refs.txt has none", "(--parser)"],
        ),
        (
            ["--references", "refs.txt", "--kinds", "swap", "phrase"],
            ["swap and phrase need trees", "(--parser)"],
        ),
    ],
)
def test_wrong_simulations_write_nothing(
    words, messages, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.txt").write_text("one two three four five six seven\n" * 20)
    command = ["campaign", "demo", "--task", "survey", "--simulate", "4"]
    assert main([*command, "--folder", "d", *words]) == 2
    error = capsys.readouterr().err
    for message in messages:
        assert message in error
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (["--references", "refs.txt"], "--references"),
        (["--kinds", "order"], "--kinds"),
        (["-m", "chrf"], "--metrics"),
        (["-p", "udpipe"], "--parser"),
        (["--model", "en"], "--model"),
        (["--seed", "0"], "--seed"),
    ],
)
def test_options_of_simulations_need_simulate(words, flag, tmp_path, capsys):
    folder = tmp_path / "d"
    assert main(["campaign", "demo", "--folder", str(folder), *words]) == 2
    assert f"{flag} has an effect only with --simulate" in capsys.readouterr().err
    assert not folder.exists()


def test_plans_as_json_and_as_a_table(capsys):
    words = ["campaign", "plan", "--rho", "0.5", "--width", "0.2", "--item-sd", "1"]
    words += ["--judge-sd", "0.5", "--rest-sd", "1", "--per-item", "1", "3"]
    assert main([*words, "--format", "json", "--simulate", "20"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["noise"] == {"item": 1.0, "judge": 0.5, "taste": 1.0, "repeat": 0.0}
    assert [one["per_item"] for one in shown["plans"]] == [1, 3]
    assert all(one["simulated"] for one in shown["plans"])
    assert main(words) == 0
    table = capsys.readouterr().out
    assert f"{shown['plans'][0]['items']}" in table
    assert "simulated" not in table


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rho", "0.5"], "--width, --other"),
        (["--rho", "0.5", "--width", "0.2", "--scale", "x"], "that of --pilot"),
        (
            ["--rho", "0.5", "--width", "0.2", "--pilot", "p.tsv", "--item-sd", "1"],
            "omit the standard deviations",
        ),
        (["--rho", "1.5", "--width", "0.2"], "rho is 1.5"),
        (["--rho", "0.5", "--width", "0.2", "--item-sd", "0"], "(--item-sd)"),
        (["--rho", "0.5", "--width", "0.2", "--judge-sd", "-1"], "(--judge-sd)"),
        (["--rho", "0.5", "--width", "0.2", "--rest-sd", "-1"], "(--rest-sd)"),
        (["--rho", "0.5", "--width", "0.2", "--repeat-sd", "-1"], "(--repeat-sd)"),
    ],
)
def test_wrong_plans_are_rejected(words, message, capsys):
    assert main(["campaign", "plan", *words]) == 2
    assert message in capsys.readouterr().err


def test_plans_that_are_too_large_say_so(capsys):
    words = ["campaign", "plan", "--rho", "0.5", "--width", "0.001", "--per-item", "1"]
    assert main(words) == 0
    assert "more than 1,000,000" in capsys.readouterr().out
    assert main([*words, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["plans"][0]["items"] is None


def test_noise_comes_from_a_pilot(tmp_path, capsys):
    path = tmp_path / "pilot.jsonl"
    lines = [{"tertium": "judgements", "version": 1}]
    for item in range(12):
        for judge in range(4):
            score = (item % 5) / 4 + 0.1 * judge + 0.05 * ((item * 7 + judge * 3) % 4)
            lines.append(
                {"kind": "rating", "system": "A", "segment": f"s{item}", "score": score}
                | {"scale": "x", "judge": f"j{judge}"}
            )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ["campaign", "plan", "--rho", "0.5", "--width", "0.2", "--format", "json"]
    assert main([*words, "--pilot", str(path)]) == 0
    noise = json.loads(capsys.readouterr().out)["noise"]
    assert noise["item"] > noise["judge"] > 0

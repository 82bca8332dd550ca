# SPDX-License-Identifier: Apache-2.0
"""Completion in shells: the scripts, run by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import missing
from tertium.cli import VERBS, main
from tertium.metrics import metric_names

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    for shell in SHELLS:
        assert main(["completion", shell, "-o", str(folder / shell)]) == 0
    return folder


def complete(scripts: Path, folder: Path, *typed: str) -> list[str]:
    """Return what bash offers for the last of the words typed."""
    words = " ".join(f"'{word}'" for word in ("tertium", *typed))
    program = f"""
        source '{scripts / "bash"}'
        COMP_WORDS=({words})
        COMP_CWORD={len(typed)}
        _tertium 2> /dev/null
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", program],
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_verbs_are_completed(scripts: Path, tmp_path: Path) -> None:
    assert set(complete(scripts, tmp_path, "")) == {*VERBS, "--help", "--version"}
    assert complete(scripts, tmp_path, "comp") == ["compare", "completion"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["score", "--interv"], ["--interval"]),
        (["score", "demo", "-m", "bleu", "--systems-c"], ["--systems-columns"]),
        (["score", "demo", "-f", "j"], ["json"]),
        (["score", "demo", "--format", "t"], ["table", "tsv"]),
        (["score", "demo", "-m", "chr"], ["chrf", "chrf++"]),
        (["score", "demo", "-m", "bleu", "te"], ["ter"]),
        (["score", "de"], ["demo"]),
        (["score", "-q", "de"], ["demo"]),
        (["correlate", "demo", "-m", "nis"], ["nist"]),
        (["tune", "serve", "-m", "bleu-"], ["bleu-nrc"]),
        (["metrics", "ribe"], ["ribes"]),
        (["completion", "z"], ["zsh"]),
        (["grammar", "sho"], ["show"]),
        (["grammar", "annotate", "it"], ["items"]),
        (["grammar", "annotate", "items", "--analy"], ["--analyser"]),
        (["campaign", "load", "--che"], ["--check"]),
        (["judgements", "import", "--quar"], ["--quarantine"]),
        (["parse", "tr"], ["train"]),
        (["nosuch", "x"], []),
        (["score", "demo", "-f", "json", "x"], []),
    ],
)
def test_words_are_completed(
    scripts: Path, tmp_path: Path, typed: list[str], offered: list[str]
) -> None:
    assert complete(scripts, tmp_path, *typed) == offered


@pytest.mark.parametrize(
    "typed", [["score"], ["score", "-r"], ["score", "-r", "a.txt"], ["convert", "-o"]]
)
def test_files_are_completed(scripts: Path, tmp_path: Path, typed: list[str]) -> None:
    (tmp_path / "my reference.txt").touch()
    assert complete(scripts, tmp_path, *typed, "my") == ["my reference.txt"]


def test_all_metrics_are_offered(scripts: Path, tmp_path: Path) -> None:
    assert complete(scripts, tmp_path, "score", "-m", "") == metric_names()


def test_every_option_in_the_help_is_offered(
    scripts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import re

    for verb in VERBS:
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        usage = capsys.readouterr().out.partition("\n\n")[0]
        listed = re.findall(r"(?<=[\[ ])--[a-z][a-z-]+", usage)
        assert set(listed) <= set(complete(scripts, tmp_path, verb, "--")), verb


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_accept_their_scripts(scripts: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        missing(f"{shell} is not installed; apt install {shell}")
    check = [shell, "-n", str(scripts / shell)]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_fish_completes(scripts: Path) -> None:
    if shutil.which("fish") is None:
        missing("fish is not installed; apt install fish")
    for line, offered in (
        ("tertium comp", ["compare", "completion"]),
        ("tertium score demo --interv", ["--interval"]),
        ("tertium score demo -m bleu chr", ["chrf", "chrf++"]),
        ("tertium grammar sho", ["show"]),
    ):
        program = f"source {scripts / 'fish'}; complete -C '{line}'"
        done = subprocess.run(
            ["fish", "-N", "-c", program], capture_output=True, text=True, check=True
        )
        result = [row.split("\t")[0] for row in done.stdout.splitlines()]
        assert result == offered, line


def test_zsh_completes(scripts: Path, tmp_path: Path) -> None:
    if shutil.which("zsh") is None:
        missing("zsh is not installed; apt install zsh")
    # compadd and its relatives only work while a key is handled: replace them.
    for words, offered in (
        (["score", "demo", "-f", ""], "table json tsv csv md latex html xlsx"),
        (["score", "demo", "-m", "bleu", ""], " ".join(metric_names())),
        (["completion", ""], "bash zsh fish"),
    ):
        program = f"""
            compdef() {{ : }}
            compadd() {{ shift; print -r -- "$@" }}
            _files() {{ print files }}
            source {scripts / "zsh"}
            words=(tertium {" ".join(words[:-1])} '')
            CURRENT=$#words
            _tertium
        """
        done = subprocess.run(
            ["zsh", "-f", "-c", program], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_verb_and_metric_is_in_every_script(scripts: Path, shell: str) -> None:
    text = (scripts / shell).read_text()
    for name in (*VERBS, *metric_names(), "sensitivity", "quarantine"):
        assert name in text


def test_the_help_says_how_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["completion", "--help"])
    text = capsys.readouterr().out
    for shell in SHELLS:
        assert f"tertium completion {shell} > ~/" in text


def test_an_unknown_shell_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "csh"]) == 2
    assert "'csh'" in capsys.readouterr().err

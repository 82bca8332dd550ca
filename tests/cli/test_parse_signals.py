# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while parsing and training: everything ends, nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from support.treebank import treebank
from tertium.trees.cache import TreeCache

SAID = "tertium: interrupted; nothing was written"


def interrupt(
    *arguments: str, ready: Callable[[str], bool], pauses: Sequence[float]
) -> tuple[int, list[str]]:
    """Run the program in a group of its own and press Ctrl-C when it is at work.

    Returns its exit code and what it said, once all processes it started have ended.
    The limits only keep a program that hangs from hanging the tests.
    """
    command = [sys.executable, "-m", "tertium", *arguments]
    with open("said.txt", "w") as stderr:
        process = subprocess.Popen(command, start_new_session=True, stderr=stderr)
    try:
        for _ in range(1200):
            if ready(Path("said.txt").read_text()) or process.poll() is not None:
                break
            time.sleep(0.1)
        assert ready(Path("said.txt").read_text())
        assert process.poll() is None
        for pause in pauses:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(pause)
        process.wait(timeout=120)
        until = time.monotonic() + 120
        while alive(process.pid) and time.monotonic() < until:
            time.sleep(0.01)
        assert not alive(process.pid)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, Path("said.txt").read_text().splitlines()


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="signals to groups are of POSIX")
@pytest.mark.parametrize("pauses", [[0], [0, 0], [0.1, 0.1, 0]])
def test_ctrl_c_ends_parsing_however_often_it_is_pressed(
    pauses, tiny_model, write_lines
):
    write_lines("long.txt", [f"The dog sees a cat {i}. " * 8 for i in range(30_000)])
    parse = ("parse", "-p", "udpipe", "--model", tiny_model, "long.txt", "-j", "2")
    code, stderr = interrupt(
        *parse, "-o", "l.conllu", "--cache", "c", "-q", pauses=pauses,
        ready=lambda _: Path("c").exists() and len(TreeCache.within("c")) > 0,
    )  # fmt: skip
    assert (code, stderr) == (130, [SAID])
    assert len(TreeCache.within("c")) > 0  # what was parsed is kept
    left = {path.name for path in Path().iterdir()}
    assert left == {"c", "long.txt", "said.txt"}


@pytest.mark.skipif(os.name != "posix", reason="signals to groups are of POSIX")
def test_ctrl_c_ends_training(udpipe):
    Path("t.conllu").write_text(treebank() * 40)
    train = ("parse", "train", "t.conllu", "-p", "udpipe", "-o", "m.udpipe")
    code, stderr = interrupt(*train, ready=lambda s: "Training" in s, pauses=[0])
    assert (code, stderr[-1].rpartition("tertium")[2]) == (130, SAID[7:])
    assert "Traceback" not in "".join(stderr)
    assert {path.name for path in Path().iterdir()} == {"said.txt", "t.conllu"}


def test_training_looks_at_its_output_first(
    udpipe, tmp_path, write_lines, capsys, monkeypatch
):
    from tertium.cli import main

    def start(count):
        pytest.fail("started to train before it looked")

    monkeypatch.setattr("tertium.trees.training.workers", start)
    word = "1\tcats\tcat\tNOUN\t_\t_\t0\troot\t_\t_"
    treebank = write_lines("t.conllu", [word, ""] * 4)
    model = tmp_path / "nowhere" / "m.udpipe"
    arguments = ["parse", "train", str(treebank), "-p", "udpipe", "-q"]
    assert main([*arguments, "-o", str(model)]) == 2
    assert "there is no folder" in capsys.readouterr().err

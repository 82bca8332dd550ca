# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while parsing and training: everything ends, nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tertium", *arguments]
    return subprocess.Popen(
        command, start_new_session=True, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_two_interrupts_end_a_parse_in_processes(tiny_model, write_lines, tmp_path):
    texts = write_lines("many.txt", [f"cat {i} sees a dog ." for i in range(90_000)])
    out = tmp_path / "out.conllu"
    options = ("-p", "udpipe", "--model", tiny_model, "--no-cache", "-j", "2")
    process = start("parse", *options, str(texts), "-o", str(out))
    time.sleep(3)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.2)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.txt"]


def test_training_looks_at_its_output_first(tmp_path, write_lines, capsys):
    from tertium.cli import main

    word = "1\tcats\tcat\tNOUN\t_\t_\t0\troot\t_\t_"
    treebank = write_lines("t.conllu", [word, ""] * 4)
    model = tmp_path / "nowhere" / "m.udpipe"
    arguments = ["parse", "train", str(treebank), "-p", "udpipe", "-q"]
    began = time.monotonic()
    assert main([*arguments, "-o", str(model)]) == 2
    assert time.monotonic() - began < 5
    assert "there is no folder" in capsys.readouterr().err

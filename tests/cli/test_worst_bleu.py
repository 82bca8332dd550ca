# SPDX-License-Identifier: Apache-2.0
"""Short outputs that are right are not the worst ones."""

from __future__ import annotations

from tertium.cli import main


def test_short_copies_are_not_the_worst_under_bleu(write_lines, capsys):
    ref = write_lines("ref.txt", ["Move!", "a cat sat on the mat"])
    out = write_lines("out.txt", ["Move!", "a dog sat on a mat"])
    line = ["score", "-r", str(ref), "-i", f"A={out}", "-m", "bleu:tokenize=intl"]
    assert main([*line, "--worst", "1", "-f", "tsv"]) == 0
    shown = capsys.readouterr()
    row = shown.out.splitlines()[1].split("\t")
    assert row[:3] == ["sentbleu:tokenize=intl", "A", "2"]
    assert "listed by sentbleu" in shown.err

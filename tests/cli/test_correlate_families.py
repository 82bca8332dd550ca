# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate --families`` and its chart."""

from __future__ import annotations

import json

from tertium.cli import main

ARGUMENTS = (
    "correlate demo -m chrf:beta=1 chrf:beta=2 bleu --coef tau-wmt14 --resamples 50 -q"
)


def test_families_are_compared(capsys):
    assert main([*ARGUMENTS.split(), "--families"]) == 0
    out = capsys.readouterr().out
    assert "Families of metrics" in out
    assert main([*ARGUMENTS.split(), "--families", "-f", "json"]) == 0
    [test] = json.loads(capsys.readouterr().out)["families"]
    assert (test["a"], test["b"], test["better"]) == ("chrf", "bleu", "chrf")
    assert (test["u"], test["langpair"]) == (2, "en-de")
    assert main([*ARGUMENTS.split(), "-f", "json"]) == 0
    assert "families" not in json.loads(capsys.readouterr().out)


def test_the_chart_has_a_mark_for_every_configuration(tmp_path, capsys):
    path = tmp_path / "a.json"
    assert main([*ARGUMENTS.split(), "--plot", f"families={path}"]) == 0
    capsys.readouterr()
    [rows] = json.loads(path.read_text())["datasets"].values()
    assert [(row["f"], row["m"], row["b"]) for row in rows] == [
        ("chrf", "chrf:beta=1", True),
        ("chrf", "chrf:beta=2", False),
        ("bleu", "bleu", True),
    ]
    assert {row["s"] for row in rows} == {"★"}
    assert rows[0]["w"] == (rows[0]["v"] + rows[1]["v"]) / 2

# SPDX-License-Identifier: Apache-2.0
"""``tertium reproduce``: lists, figures without data, charts, mistakes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from tertium.cli import main


def test_list_names_every_exhibit(capsys):
    assert main(["reproduce", "list", "-f", "tsv"]) == 0
    names = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert "forests/table-1" in names


def test_a_figure_without_data(capsys):
    assert main(["reproduce", "forests/figure-3"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("forests/figure-3: equal. ")
    assert "4 3 2 1  5 (5, +0)" in text


def test_json_has_cells_and_claims(tmp_path):
    path = tmp_path / "out.json"
    names = ["forests/figure-1", "forests/figure-3"]
    assert main(["reproduce", *names, "-f", "json", "-o", str(path)]) == 0
    content = json.loads(path.read_text(encoding="utf-8"))
    assert list(content) == names
    assert content["forests/figure-3"]["cells"][0]["ours"] == 5
    assert content["forests/figure-1"]["claims"][0]["holds"] is True


def test_chart_is_an_svg(tmp_path):
    path = tmp_path / "chart.svg"
    assert main(["reproduce", "forests/figure-3", "--chart", str(path)]) == 0
    assert ET.parse(path).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["forests/table-9"], "did you mean"),
        (["forests/table-1", "--data", "nowhere"], "there is no wmt12 in nowhere"),
        (["forests/figure-1", "--chart", "x.svg"], "no figures to draw"),
        (["forests/figure-1", "forests/figure-3", "--chart", "x.svg"], "name one"),
    ],
)
def test_mistakes_are_named(words, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", *words]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())

# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate`` with trees and word links beside the texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tertium
from tertium.cli import main
from tertium.errors import InputError
from tests.support.order_study import write_study

METRICS = ["dted:variant=c", "dted:variant=fc", "derp", "link-tau"]
LAYERS = ["--trees", "A=A.conllu", "B=B.conllu", "--ref-trees", "ref.conllu"]
LAYERS += ["--alignments", "A=A.links", "B=B.links"]
JUDGED = ["de-en.tsv", "-J", "ratings.tsv", "--gold", "order", "--no-probes"]
SEGMENTS = ["--coef", "spearman:none", "pearson:none", "tau-b:item", "acc-eq:item"]


@pytest.fixture(autouse=True)
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)


@pytest.mark.parametrize(
    ("kind", "coefficients"),
    [("json", ["--coef", "all"]), ("tsv", SEGMENTS), ("csv", SEGMENTS)],
)
def test_layers_give_what_the_scores_of_another_run_give(
    run_json, capsys, kind, coefficients
):
    words = ["score", "de-en.tsv", "-m", *METRICS, *LAYERS, "--segments", "-q"]
    assert main([*words, "-f", kind, "-o", f"scores.{kind}"]) == 0
    capsys.readouterr()
    direct = run_json("correlate", *JUDGED, "-m", *METRICS, *LAYERS, *coefficients)
    read = run_json("correlate", *JUDGED, "--scores", f"scores.{kind}", *coefficients)
    assert direct["correlations"] == read["correlations"]
    assert direct == read


def test_outputs_without_a_value_are_counted_and_noted(capsys):
    arguments = [*JUDGED, "-m", *METRICS, *LAYERS, "--coef", "spearman:none"]
    assert main(["correlate", *arguments, "-f", "json"]) == 0
    out, err = capsys.readouterr()
    rows = {row["metric"]: row for row in json.loads(out)["correlations"]}
    assert {name: row["undefined"] for name, row in rows.items()} == {
        "dted:variant=c": 0,
        "dted:variant=fc": 0,
        "derp": 0,
        "link-tau": 1,
    }
    assert (rows["link-tau"]["n"], rows["link-tau"]["of"]) == (11, 12)
    assert "link-tau is undefined for 1 of 12 judged outputs" in err


def test_a_missing_score_is_still_an_error(capsys, write_lines):
    write_lines("scores.tsv", ["system\tsegment\tx", "A\t1\t1", "A\t2\t", "B\t1\t0"])
    arguments = [*JUDGED, "--scores", "scores.tsv", "--coef", "pearson:none"]
    assert main(["correlate", *arguments]) == 2
    assert "x has no score for segment 2 of A and 9 more" in capsys.readouterr().err


def test_layers_change_the_figures(run_json):
    arguments = [*JUDGED, "-m", "dted:variant=fc", "--coef", "pearson:none"]
    [plain] = run_json("correlate", *arguments)["correlations"]
    # Every word is linked with the first of the reference: none stays in order.
    for name in "AB":
        with open(f"{name}.links", "w") as file:
            file.write("0-0\n" * 6)
    links = ["--alignments", "A=A.links", "B=B.links"]
    words = [*JUDGED, "-m", "dted:variant=fc,tokenize=none", "--coef", "pearson:none"]
    [linked] = run_json("correlate", *words, *links)["correlations"]
    assert plain["value"] != linked["value"]


def test_links_of_several_test_sets_are_rejected():
    with pytest.raises(InputError, match="trees are of one test set, and there are 2"):
        tertium.correlate(
            ["de-en.tsv", tertium.read("de-en.tsv", langpair="fr-en")],
            "ratings.tsv",
            metrics=["dted"],
            trees={"A": "A.conllu"},
        )


def test_layers_that_no_metric_reads_are_rejected(capsys):
    arguments = [*JUDGED, "-m", "bleu", *LAYERS]
    assert main(["correlate", *arguments]) == 2
    assert "none of bleu reads trees; omit trees" in capsys.readouterr().err


def test_links_over_tokens_give_what_the_metric_aligns_itself(run_json, write_lines):
    head, *rows = Path("de-en.tsv").read_text(encoding="utf-8").splitlines()
    # A comma and a full stop that 13a cuts off.
    cut = [line.replace(" ", ", ", 1).replace("\t", ".\t") + "." for line in rows]
    cut = [line.replace(".\t", "\t", 1) for line in cut]  # segments have names
    write_lines("de-en.tsv", [head, *cut])
    for column, name in enumerate(head.split("\t")):
        write_lines(f"{name}.txt", [line.split("\t")[column] for line in cut])
    for name in "AB":
        words = ["-i", f"{name}.txt", "-r", "reference.txt", "--tokenize", "13a"]
        assert main(["align", *words, "-o", f"{name}.13a"]) == 0
    links = ["--alignments", "A=A.13a", "B=B.13a"]
    arguments = [*JUDGED, "-m", "kendall:tokenize=13a", "--coef", "pearson:none"]
    [linked] = run_json("correlate", *arguments, *links)["correlations"]
    [plain] = run_json("correlate", *arguments)["correlations"]
    assert linked["value"] == plain["value"]

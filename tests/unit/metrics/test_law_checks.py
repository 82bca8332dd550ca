# SPDX-License-Identifier: Apache-2.0
"""``tertium metrics --check``: every law finds the metric that breaks it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.cli import main
from tertium.metrics import Metric, register, registry
from tertium.metrics.laws import check_metric, make_examples
from tertium.metrics.vectors import read_vectors


class Plain(Metric):
    """Exact match; the row is (equal segments, segments)."""

    name = "plain-match"
    summary = formula = paper = equal_to = cost = empty = "for tests"
    bounds = (0.0, 1.0)
    copy_exception = "an empty corpus gets 0"
    symmetric = True
    width = 2

    def statistics(self, hyps, refs, *, threads=None):
        rows = np.ones((len(hyps), 2))
        for row, hyp, texts in zip(rows, hyps, refs, strict=True):
            row[0] = hyp in ([texts] if isinstance(texts, str) else list(texts))
        return rows

    def from_statistics(self, rows):
        rows = np.asarray(rows, dtype=float)
        score = rows[..., 0] / np.maximum(rows[..., 1], 1)
        return float(score) if score.ndim == 0 else score


class OutOfBounds(Plain):
    """Stays above what it promises."""

    bounds = (0.0, 0.5)


class DependsOnOrder(Plain):
    """Counts the first segment twice."""

    def statistics(self, hyps, refs, *, threads=None):
        rows = super().statistics(hyps, refs)
        rows[:1] *= 2
        return rows


class Ragged(Plain):
    """Returns a column too many."""

    def statistics(self, hyps, refs, *, threads=None):
        return np.ones((len(hyps), 3))


class Forgetful(Plain):
    """Its own sums are not the sums of its rows."""

    def corpus_score(self, hyps, refs, *, threads=None):
        return min(1.0, super().corpus_score(hyps, refs) + 0.1)


class Meddling(Plain):
    """Looks at other systems."""

    def rows(self, batch, *, threads=None):
        rows = super().rows(batch)
        return [each * len(rows) for each in rows]


class BadCopies(Plain):
    """Gives copies half of the best value, and does not say why."""

    copy_exception = ""

    def from_statistics(self, rows):
        return super().from_statistics(rows) * 0.5


class Asymmetric(Plain):
    """Looks whether the output starts as the reference does."""

    def statistics(self, hyps, refs, *, threads=None):
        rows = np.ones((len(hyps), 2))
        for row, hyp, texts in zip(rows, hyps, refs, strict=True):
            texts = [texts] if isinstance(texts, str) else texts
            row[0] = any(hyp.startswith(text) for text in texts)
        return rows


class Undefined(Plain):
    """Divides by zero."""

    def from_statistics(self, rows):
        rows = np.asarray(rows, dtype=float)
        with np.errstate(invalid="ignore"):
            score = rows[..., 0] / rows[..., 1]
        return float(score) if score.ndim == 0 else score


class Scalar(Plain):
    """Takes one row at a time."""

    def from_statistics(self, rows):
        rows = np.asarray(rows, dtype=float).reshape(-1, 2)
        return float(rows[0, 0] / max(rows[0, 1], 1))


class Silent(Plain):
    """States nothing."""

    paper = ""


class FirstReference(Plain):
    """Looks at the first reference only."""

    def statistics(self, hyps, refs, *, threads=None):
        first = [r if isinstance(r, str) else r[0] for r in refs]
        return super().statistics(hyps, first)


class Random(Plain):
    """Is not the same twice."""

    def statistics(self, hyps, refs, *, threads=None):
        rows = super().statistics(hyps, refs)
        rows[:, 0] *= random.random()
        return rows


class Raising(Plain):
    """Raises an exception."""

    def statistics(self, hyps, refs, *, threads=None):
        raise KeyError("no such word")


BROKEN = {
    OutOfBounds: "bounds",
    DependsOnOrder: "order of segments",
    Ragged: "sum of rows",
    Forgetful: "any partition",
    Meddling: "several systems",
    BadCopies: "copies",
    Asymmetric: "symmetry",
    Undefined: "empty text",
    Scalar: "vectorised",
    Silent: "facts",
    FirstReference: "every reference",
    Random: "threads",
    Raising: "bounds",
}


@pytest.fixture
def registered(monkeypatch):
    """Register metrics for one test."""
    monkeypatch.setattr(registry, "_registered", {})

    def add(cls):
        cls.name = f"t-{cls.__name__.lower()}"
        return register(cls).name

    return add


def test_a_good_metric_obeys_all_laws(registered):
    findings = check_metric(registered(Plain), examples=30)
    assert [finding.problem for finding in findings if not finding.holds] == []
    assert "symmetry" in {finding.name for finding in findings}


@pytest.mark.parametrize("cls", BROKEN, ids=lambda cls: cls.__name__)
def test_every_law_finds_who_breaks_it(cls, registered):
    findings = check_metric(registered(cls), examples=40)
    failed = {finding.name for finding in findings if not finding.holds}
    assert BROKEN[cls] in failed


def test_a_metric_that_cannot_be_made_fails(registered, monkeypatch):
    def fail(self):
        raise OSError("no model")

    name = registered(Plain)
    monkeypatch.setattr(Plain, "__init__", fail)
    findings = check_metric(name)
    assert [each.problem for each in findings] == ["OSError: no model"]


def test_a_spec_that_makes_another_metric_is_found(registered, monkeypatch):
    name = registered(Plain)
    monkeypatch.setattr(Plain, "spec", property(lambda _: "wer"))
    failed = [f.name for f in check_metric(name, examples=1) if not f.holds]
    assert "spec string" in failed


def test_a_long_copy_must_be_best(registered):
    name = registered(BadCopies)
    problems = {f.name: f.problem for f in check_metric(name, examples=5)}
    assert problems["long copy"].endswith("gets 0.5")


def test_examples_are_the_same_for_the_same_seed():
    assert list(make_examples(20, seed=3)) == list(make_examples(20, seed=3))
    assert list(make_examples(20, seed=3)) != list(make_examples(20, seed=4))


PLUG_IN = '''
from tertium.metrics import metric_class

class Narrow(metric_class("chrf")):
    """chrF with other bounds."""

    name = "chrf-narrow"
    bounds = (0.0, 0.1)
'''


def test_the_command_line_checks_a_name_a_spec_and_a_file(
    tmp_path, monkeypatch, registered, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["metrics", "--check", "bleu:lowercase=yes", "--examples", "5"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("bleu:lowercase=yes: all hold\n")
    assert "sacrebleu 2.6.0" in out
    Path("plug.py").write_text(PLUG_IN)
    assert main(["metrics", "--check", "plug.py", "--examples", "5", "-f", "json"]) == 1
    data = json.loads(capsys.readouterr().out)["metrics"]["chrf-narrow"]
    assert {"bounds"} <= {each["name"] for each in data if each["problem"]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--check blue", "did you mean bleu"),
        ("--check none.py", "there is no file none.py"),
        ("--check empty.py", "empty.py defines no metric"),
        ("--check wrong.py", "wrong.py cannot be run (ZeroDivisionError"),
        ("bleu --check chrf", "name one of them"),
        ("--check bleu --vectors bad.jsonl", "bad.jsonl:1: not a conformance vector"),
        ("--check bleu --vectors bad.jsonl", "(missing keys: id, settings, level, "),
        ("--check bleu --vectors other.jsonl", "other.jsonl:1: not a conformance vec"),
        ("--check external", "external needs a configuration; write external:config"),
        ("--check llm", "llm needs"),
        ("--check semantic-esa", "semantic-esa needs a background corpus"),
        ("--check segranksbleu", "reads rankings of segments; name them"),
        ("--check dted", "give every text a tree, name a parser"),
        ("--check bleu --vectors none.jsonl", "none.jsonl"),
    ],
)
def test_wrong_use_says_what_to_do(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("empty.py").write_text("")
    Path("wrong.py").write_text("1 / 0")
    Path("bad.jsonl").write_text('{"metric": "bleu"}\n')
    Path("other.jsonl").write_text("[1]\n")
    assert main(["metrics", *words.split()]) == 2
    assert message in capsys.readouterr().err


def test_a_repetition_runs_no_file_unless_it_is_trusted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    Path("plug.py").write_text(PLUG_IN.replace("0.1", "100.0"))
    words = ["metrics", "--check", "plug.py", "--examples", "2", "--record", "run.json"]
    main(words)
    capsys.readouterr()
    assert main(["repeat", "run.json"]) == 2
    assert "the run started programs" in capsys.readouterr().out
    content = json.loads(Path("run.json").read_text())
    Path("run.json").write_text(json.dumps({**content, "programs": []}))
    assert main(["repeat", "run.json"]) == 2
    assert "only if the record is trusted" in capsys.readouterr().out
    assert main(["repeat", "run.json", "--trust"]) == 0


def test_a_plug_in_may_bring_vectors_of_its_own(tmp_path, capsys):
    vector = next(each for each in read_vectors() if each.metric == "wer").to_dict()
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(vector) + "\n")
    words = ["metrics", "--check", "wer", "--examples", "1", "--vectors", str(path)]
    assert main(words) == 0
    path.write_text(json.dumps({**vector, "value": 9.0}) + "\n")
    capsys.readouterr()
    assert main(words) == 1
    assert "has 9.0" in capsys.readouterr().out
    assert tertium.metric("wer").name == "wer"

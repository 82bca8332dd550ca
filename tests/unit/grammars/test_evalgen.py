# SPDX-License-Identifier: Apache-2.0
"""EvalGen as a metric: what it makes of analysers, sets and settings."""

from __future__ import annotations

import shlex
import sys
from functools import partial

import pytest

from tertium import metric
from tertium.automata.automaton import Automaton
from tertium.cli import main
from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.grammars.search.matching import Budget, Matcher

PROGRAM = """\
import sys
with open(sys.argv[1], "a") as log:
    log.write("started\\n")
for line in sys.stdin:
    form = line.strip()
    print(form, form.lower(), "NOUN", "Case=Nom", sep="\\t")
"""


def test_a_program_is_started_once_for_all_segments(tmp_path):
    program, log = tmp_path / "toy.py", tmp_path / "log"
    program.write_text(PROGRAM)
    words = [sys.executable, str(program), str(log)]
    evalgen = metric(f"evalgen:analyser=command:{shlex.join(words)}")
    hyps = [["a b", "c d", "e"], ["a c", "D d", "f"]]
    evalgen.rows(Batch(hyps, ["b a", "d, c", "e g"]))
    # Once to hear its name, once for the words.
    assert log.read_text().split() == ["started"] * 2


def test_texts_are_references_beside_the_set_that_they_carry():
    evalgen = metric("evalgen")
    result = Automaton.from_sentences(["a b"])
    carried = Annotated("c d", {"automaton": result})
    assert evalgen.segment_scores(["a b", "c d"], [carried] * 2).tolist() == [0, 0]
    both = [(carried, "e f"), (Annotated("", {"automaton": result}), "e f")]
    assert evalgen.segment_scores(["e f", "e f"], both).tolist() == [0, 0]
    alone = [Annotated("c", {"automaton": result, "stand-in": True})]
    assert evalgen.corpus_score(["c"], alone) > 0
    # No text is not an empty reference, for which any word would be extra.
    assert evalgen.corpus_score([""], [Annotated("", {"automaton": result})]) > 0


def test_unproven_scores_are_remarked(write_lines, monkeypatch, capsys):
    small = partial(Matcher, budget=Budget(states=4))
    monkeypatch.setattr("tertium.grammars.metric.Matcher", small)
    refs = write_lines("ref.txt", ["a b c d e", "a"])
    hyps = write_lines("sys.txt", ["e d x b a", "a"])
    worse = write_lines("worse.txt", ["e d x b a", "b c x y"])
    results = ["-r", str(refs), "-m", "evalgen"]
    assert main(["score", "-i", str(hyps), *results]) == 0
    message = capsys.readouterr().err
    assert message.count("tertium: evalgen: some segments were too hard to search") == 1
    assert "(sys 1 of 2)" in message
    assert main(["score", "-i", str(hyps), *results, "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["compare", "-i", str(hyps), str(worse), *results]) == 0
    assert "(sys 1 of 2, worse 2 of 2)" in capsys.readouterr().err
    monkeypatch.undo()
    assert main(["score", "-i", str(hyps), *results]) == 0
    assert capsys.readouterr().err == ""


def test_costs_are_settings():
    text, reference = ["d a b c"], ["a b c d"]
    assert metric("evalgen").corpus_score(text, reference) == pytest.approx(0.6 / 4)
    dear = metric("evalgen:move=0.75")
    assert dear.corpus_score(text, reference) == pytest.approx(0.75 / 4)
    assert metric("evalgen:moves=0").corpus_score(text, reference) > 0.15
    fig8 = metric("evalgen:costs=fig8")
    assert "costs:fig8|move:0.6|moves:3|window:3" in fig8.signature
    assert "window:5" in metric("evalgen:costs=fig8,window=5").signature
    assert metric("evalgen:costs=thesis-table,window=5,moves=2").spec == (
        "evalgen:costs=thesis-table,moves=2,window=5"
    )
    far = ["e a b c d"], ["a b c d e"]
    assert fig8.corpus_score(*far) > metric("evalgen").corpus_score(*far)


@pytest.mark.parametrize(
    "spec", ["window=2.5", "window=25", "moves=9", "move=11", "move=0.00001", "costs=x"]
)
def test_wrong_costs_are_rejected(spec):
    with pytest.raises(InputError, match="evalgen"):
        metric(f"evalgen:{spec}")

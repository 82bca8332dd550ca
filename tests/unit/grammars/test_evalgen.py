# SPDX-License-Identifier: Apache-2.0
"""EvalGen as a metric: what it makes of analysers, sets and settings."""

from __future__ import annotations

import shlex
import sys

import pytest

from tertium import metric
from tertium.data.annotated import Annotated
from tertium.errors import InputError
from tertium.grammars.automaton import Automaton

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
    evalgen.statistics_many(hyps, ["b a", "d, c", "e g"])
    # Once to hear its name, once for the words.
    assert log.read_text().split() == ["started"] * 2


def test_texts_are_references_beside_the_set_that_they_carry():
    evalgen = metric("evalgen")
    own = Automaton.from_sentences(["a b"])
    carried = Annotated("c d", {"automaton": own})
    assert evalgen.segment_scores(["a b", "c d"], [carried] * 2).tolist() == [0, 0]
    both = [(carried, "e f"), (Annotated("", {"automaton": own}), "e f")]
    assert evalgen.segment_scores(["e f", "e f"], both).tolist() == [0, 0]
    alone = [Annotated("c", {"automaton": own, "stand-in": True})]
    assert evalgen.corpus_score(["c"], alone) > 0
    # No text is no empty reference, which any word would be too many for.
    assert evalgen.corpus_score([""], [Annotated("", {"automaton": own})]) > 0

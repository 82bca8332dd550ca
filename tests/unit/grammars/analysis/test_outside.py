# SPDX-License-Identifier: Apache-2.0
"""Words that are not in the lexicon: their share, and what readers are told."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tertium.grammars import Automaton
from tertium.grammars.analysis import evaluate_outputs
from tertium.grammars.analysis.outlines import system_outline
from tertium.grammars.morphology.tsv import Entry, TsvLexicon
from tertium.report.grammar.summary import cautions

REFERENCE = "yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen"
LEXICON = TsvLexicon([Entry("yksi", "yksi", "NUM")], name="tsv:words.tsv@1234")


def evaluated(hyp: str, analyser: TsvLexicon | None = LEXICON):
    item = SimpleNamespace(id="1", template="t", set="", source="", constructions=())
    references = {("t", ""): Automaton.from_sentences([REFERENCE])}
    return evaluate_outputs([item], {"A": [hyp]}, references, analyser=analyser)


@pytest.mark.parametrize(
    ("outside", "share", "told"), [(0, 0.0, False), (1, 0.1, False), (2, 0.2, True)]
)
def test_words_outside_the_lexicon_are_reported(outside, share, told):
    words = REFERENCE.split()
    result = evaluated(" ".join(["xq", "zt"][:outside] + words[outside:]))
    system = result.system("A")
    assert system.hyp_tokens == 10
    assert system.outside == share
    assert system.taxonomy["not in the lexicon"] == outside
    assert system.taxonomy["unknown words"] == 0
    assert system_outline(system)["outside"] == share
    texts = [text for text in cautions(result) if "are not in the lexicon" in text]
    assert bool(texts) is told
    if told:
        assert texts[0].startswith("20 % of the words in A are not in the lexicon")


def test_without_a_lexicon_nothing_is_outside_it():
    system = evaluated("xq zt qx", None).system("A")
    assert system.outside == 0
    assert system.taxonomy["not in the lexicon"] == 0

# SPDX-License-Identifier: Apache-2.0
"""Signs of bad translations that need no reference."""

from __future__ import annotations

from tertium import Testset
from tertium.judgements.reuse.symptoms import Symptoms

SOURCE = "A nightingale sings. It is late!"
GOOD = "Eine Nachtigall singt. Es ist spät!"


def symptoms(text: str, system: str = "NEW", references=((GOOD,),), **outputs: str):
    systems = {name: [output] for name, output in outputs.items()}
    testset = Testset(references, systems or {"A": [GOOD]}, sources=[SOURCE])
    return Symptoms(testset).of(0, system, text)


def test_a_good_output_has_no_symptom():
    assert symptoms(GOOD) == (0, 0, 0)


def test_repeated_pairs_of_words_are_counted():
    repetition, _, _ = symptoms("singt singt singt singt. Spät!")
    assert repetition == 2 / 4


def test_an_empty_output_lost_all_sentences():
    assert symptoms("") == (0, 0, 2)


def test_sentences_too_many_count_as_sentences_lost():
    assert symptoms(GOOD + " Gut.")[2] == 1


def test_a_word_of_the_source_counts_if_no_other_output_has_it():
    text = "Eine nightingale singt. Es ist spät!"
    assert symptoms(text)[1] == 1 / 6
    assert symptoms(text, A=text)[1] == 0
    assert symptoms(text, references=((GOOD, text + " "),))[1] == 0


def test_the_systems_own_output_is_not_another_one():
    text = "Eine nightingale singt. Es ist spät!"
    assert symptoms(text, "A", A=text, B=GOOD)[1] == 1 / 6


def test_a_reference_is_not_another_output_of_itself():
    text = "Eine nightingale singt. Es ist spät!"
    assert symptoms(text, references=((text,),), A=GOOD)[1] == 1 / 6


def test_short_words_are_often_the_same_in_both_languages():
    assert symptoms("Is it late in Rom.", A="Wann?", references=((GOOD,),))[1] == 1 / 5


def test_without_a_source_the_usual_number_of_sentences_is_that_of_other_outputs():
    systems = {"A": ["Eins. Zwei."], "B": ["Eins. Zwei."], "C": ["Eins, zwei."]}
    without = Symptoms(Testset([()], systems))
    assert without.of(0, "C", "Eins, zwei.") == (0, 0, 1)
    assert without.of(0, "A", "Eins. Zwei.") == (0, 0, 0)

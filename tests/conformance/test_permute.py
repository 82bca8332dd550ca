# SPDX-License-Identifier: Apache-2.0
"""Permuted sentences of McCaffery 2017, table 6.1, and the simulation of the spec.

The table prints results, not the edits; those were reconstructed. Rows 6 and 7 differ
from their captions: eight words were moved instead of seven, five replaced instead of
three.
"""

from __future__ import annotations

from collections import Counter
from statistics import mean

import pytest

from tertium.order import Permutation
from tertium.order.damage import Source, Truecaser, generate, permute
from tertium.order.damage.edits import Arrangement
from tertium.order.damage.generate import _correct_case

REFERENCE = (
    "At the same time she's a usurper and wants to cook him to death, adds Bajgar."
)
TAGS = [
    "IN", "DT", "JJ", "NN", "PRP", "DT", "NN", "CC",
    "VBZ", "TO", "NN", "PRP", "TO", "NN", "VBZ", "NNP",
]  # fmt: skip
PRINTED = {
    ("order", 1): (
        "At the same she's time a usurper and wants to Cook him to death, adds Bajgar."
    ),
    ("order", 5): (
        "At same time and she's a the usurper wants to Cook adds him death Bajgar to."
    ),
    ("order", 15): (
        "Usurper Bajgar time to adds death to same and the at a him she's wants Cook."
    ),
    ("swap", 2): (
        "At the same time she's a usurper and wants to death him to Cook, adds Bajgar."
    ),
    ("phrase", 3): (
        "At she's a usurper and wants to Cook the same time him to death, adds Bajgar."
    ),
    ("phrase", 8): (
        "To Cook him to death at she's a usurper the same time and wants, adds Bajgar."
    ),
    ("choice", 5): (
        "Of the same husband take an usurper and wants to Cook he to death, adds "
        "Bajgar."
    ),
}
# The phrases of rows 5 and 6 have to be subtrees: "the same time" and "to cook him to
# death".
HEADS = [9, 4, 4, 1, 9, 7, 5, 9, 15, 11, 9, 11, 14, 11, 0, 15]


@pytest.fixture
def source() -> Source:
    return Source.parse(REFERENCE, tags=TAGS, heads=HEADS)


@pytest.fixture(scope="module")
def truecaser() -> Truecaser:
    small = "at the same time she's a usurper and wants to him death adds of husband"
    return Truecaser.train([f"x {small} take an he Cook Cook cook Bajgar"])


def finish(made: Arrangement, source: Source, truecaser: Truecaser) -> str:
    _correct_case(made, source, truecaser)
    return made.text


def place(made: Arrangement, word: str, *, last: bool = False) -> int:
    results = [at for at, core in enumerate(made.cores) if core == word]
    return results[-1 if last else 0]


@pytest.mark.parametrize(
    "moves",
    [["time +1"], ["the +5", "and -4", "to +3", "adds -2", "usurper +1"]],
)
def test_order(moves, source, truecaser):
    made = Arrangement(source)
    for move in moves:
        word, distance = move.split()
        at = place(made, word, last=True)  # the second "to"
        made.move(at, at + int(distance))
    assert finish(made, source, truecaser) == PRINTED["order", len(moves)]


def test_order_of_degree_15_has_the_words_of_the_table(source, truecaser):
    made = permute(source, "order", 15, truecaser=truecaser)
    assert made is not None

    def words(text: str) -> Counter[str]:
        return Counter(text.lower().replace(".", "").split())

    assert words(made.text) == words(PRINTED["order", 15])
    assert made.text.endswith(".")


def test_swap(source, truecaser):
    made = Arrangement(source)
    made.swap(place(made, "cook"), place(made, "death"))
    assert finish(made, source, truecaser) == PRINTED["swap", 2]


def test_phrase(source, truecaser):
    made = Arrangement(source)
    made.move_phrase(1, 8, 3)  # after the eleventh word
    assert finish(made, source, truecaser) == PRINTED["phrase", 3]


def test_two_phrases_of_eight_words(source, truecaser):
    made = Arrangement(source)
    made.move_phrase(9, 0, 5)
    at = place(made, "the")
    made.move_phrase(at, place(made, "and") - 3, 3)
    assert sum(len(edit.words) for edit in made.edits) == 8
    assert finish(made, source, truecaser) == PRINTED["phrase", 8]


def test_choice_with_five_replacements(source, truecaser):
    made = Arrangement(source)
    new = {"At": "of", "time": "husband", "she's": "take", "a": "an", "him": "he"}
    for old, word in new.items():
        made.replace(place(made, old), word)
    assert finish(made, source, truecaser) == PRINTED["choice", 5]


@pytest.mark.parametrize(
    ("kind", "degree"), [("order", 1), ("swap", 2), ("phrase", 3), ("phrase", 8)]
)
def test_the_generator_can_draw_what_the_table_prints(kind, degree, source, truecaser):
    result = (
        permute(source, kind, degree, seed=seed, truecaser=truecaser)
        for seed in range(5000)
    )
    assert any(
        made is not None and made.text == PRINTED[kind, degree] for made in result
    )


@pytest.mark.parametrize(
    ("degree", "tau"), [(1, 0.99), (4, 0.90), (9, 0.60), (18, -0.24)]
)
def test_tau_falls_with_the_degree_as_simulated(degree, tau):
    """Spec, section 5: twenty words, all aligned; a few hundredths to and fro."""
    source = Source.parse(" ".join(f"w{number}" for number in range(20)))
    made = [permute(source, "order", degree, seed=seed) for seed in range(240)]
    values = [2 * one.permutation.kendall() - 1 for one in made]
    assert mean(values) == pytest.approx(tau, abs=0.05)


def test_degrees_a_sentence_does_not_admit_yield_nothing(source):
    done = {
        kind: [made.degree for _, made in generate([source], kinds=[kind])]
        for kind in ("order", "swap", "phrase")
    }
    assert done["order"] == list(range(1, 16))  # 16 words
    assert done["swap"] == [2, 4, 6, 8, 10]  # DT, NN twice, PRP, VBZ; not "to to"
    assert 16 not in done["phrase"]
    assert set(range(1, 9)) <= set(done["phrase"])


def test_permutations_number_the_words_of_the_source():
    source = Source.parse("a b c d, e.")
    made = Arrangement(source)
    made.move(3, 0)
    assert made.text == "d a b c, e."
    assert Permutation.zero_based(made.order) == (4, 1, 2, 3, 5)

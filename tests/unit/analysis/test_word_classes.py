# SPDX-License-Identifier: Apache-2.0
"""How well systems translate words of a kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.word_matches import word_counts as slow_counts
from tertium.analysis.groups import Training
from tertium.analysis.intervals import LEAST, Resampler
from tertium.analysis.parts_of_speech import tag_counts
from tertium.analysis.word_classes import f_measure, word_classes, word_counts
from tertium.analysis.words import Vocabulary, split
from tertium.data import Testset
from tertium.data.annotated import Annotated
from tertium.trees import DependencyTree

words = st.lists(st.sampled_from(["a", "b", "Cat", "7", ".", "dog"]), max_size=8).map(
    " ".join
)
RESAMPLER = Resampler((0, 1), 100, 1, 0.05)


def classes_of(refs, systems, **options):
    known, vocabulary = Vocabulary(), Vocabulary()
    known.column(refs)
    reference = vocabulary.column(refs)
    columns = {name: vocabulary.column(texts) for name, texts in systems.items()}
    classes = word_classes(
        reference, columns, vocabulary, RESAMPLER, known=known, **options
    )
    return {(each.kind, each.label): each for each in classes}


@given(st.lists(st.tuples(words, words), min_size=1, max_size=6))
def test_counts_equal_the_oracle(segments):
    refs, hyps = ([one[i] for one in segments] for i in (0, 1))
    vocabulary = Vocabulary()
    reference, output = vocabulary.column(refs), vocabulary.column(hyps)
    of_word = np.arange(len(vocabulary)) % 3
    (counts,) = word_counts(reference, [output], of_word, 3)
    assert counts.shape == (len(segments), 3, 3)
    for number in range(3):
        expected = slow_counts(
            map(split, refs),
            map(split, hyps),
            lambda word, number=number: of_word[vocabulary.numbers[word]] == number,
        )
        assert tuple(counts[:, number].sum(axis=0)) == expected


def test_precision_recall_and_f_of_numbers():
    refs = ["3 dogs", "4 cats"] * 10
    systems = {"A": refs, "B": ["3 3 dogs", "cats"] * 10}
    classes = classes_of(refs, systems)
    numbers = classes["kind of word", "numbers"]
    assert numbers.references == 20
    assert numbers.f["A"].value == 100
    assert (numbers.precision["B"], numbers.recall["B"]) == (50, 50)
    assert numbers.f["B"].value == pytest.approx(50)
    low, high = numbers.f["B"].interval
    assert low <= 50 <= high
    assert numbers.difference.delta == pytest.approx(50)
    assert numbers.to_dict()["references"] == 20


def test_classes_in_few_segments_are_not_tested():
    """A hundred words in one segment are one unit of the bootstrap."""
    refs = ["a b"] * (LEAST - 1) + ["7 " * 100] + ["a b"]
    classes = classes_of(refs, {"A": refs, "B": ["a c"] * len(refs)})
    numbers = classes["kind of word", "numbers"]
    assert numbers.references == 100
    assert numbers.difference is None
    assert numbers.f["A"].value == 100
    assert numbers.f["A"].interval is None
    assert classes["kind of word", "other words"].difference.p_adjusted < 0.05


def test_words_have_the_frequency_that_the_references_give_them():
    classes = classes_of(["a a a b", "a c"], {"A": ["a", "c"], "B": ["x", "b"]})
    assert classes["frequency in the references", "4"].recall == {"A": 25, "B": 0}
    assert classes["frequency in the references", "1"].references == 2
    assert ("frequency in the references", "never") not in classes


def test_training_has_unseen_words():
    classes = classes_of(
        ["old new"], {"A": ["new"], "B": ["old"]}, training=Training({"old": 20})
    )
    assert classes["frequency in training", "never"].recall == {"A": 100, "B": 0}
    assert classes["frequency in training", "10 to 99"].recall == {"A": 0, "B": 100}


def test_f_of_nothing_is_zero():
    assert f_measure(np.zeros(3)) == 0
    assert f_measure(np.array([[1.0, 1, 1], [0, 0, 0]])).tolist() == [100, 0]


def tree(text):
    pairs = [pair.split("/") for pair in text.split()]
    forms = tuple(form for form, _ in pairs)
    plain = DependencyTree.flat(forms)
    tagged = DependencyTree(
        forms, plain.heads, plain.deprels, upos=tuple(tag for _, tag in pairs)
    )
    return Annotated(" ".join(forms), {"tree": tagged})


def test_parts_of_speech_are_those_of_the_reference_where_words_match():
    refs = [(tree("the/DET walk/NOUN ended/VERB"),)]
    testset = Testset(
        refs,
        {"A": [tree("we/PRON walk/VERB")], "B": [tree("the/DET walk/NOUN ended/VERB")]},
    )
    counts = tag_counts(testset)
    assert counts.tags == ["DET", "NOUN", "PRON", "VERB"]
    right, wanted, made = counts.counts[0][0].T
    assert right.tolist() == [0, 1, 0, 0]
    assert wanted.tolist() == [1, 1, 0, 1]
    assert made.tolist() == [0, 1, 1, 0]
    plain = {name: list(map(str, texts)) for name, texts in testset.systems.items()}
    classes = classes_of([str(refs[0][0])], plain, tagged=counts)
    assert classes["part of speech", "NOUN"].f["A"].value == 100
    assert classes["part of speech", "VERB"].recall == {"A": 0, "B": 100}
    assert ("part of speech", "PRON") not in classes  # in no reference


def test_without_trees_of_all_texts_there_are_no_parts_of_speech():
    with_tree = tree("so/ADV")
    assert tag_counts(Testset([("so",)], {"A": ["so"]})) is None
    assert tag_counts(Testset([(with_tree,)], {"A": ["so"]})) is None
    assert tag_counts(Testset([(with_tree,)], {"A": [with_tree]})) is not None

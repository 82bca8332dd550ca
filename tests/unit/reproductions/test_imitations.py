# SPDX-License-Identifier: Apache-2.0
"""Imitated systems: what is put into references, and what is seen of it."""

from __future__ import annotations

from collections import Counter

import pytest

from tertium.grammars.search.edits import Kind
from tertium.judgements.agreement.positions import EditPlaces
from tertium.reproductions.recipes.evalgen import imitations
from tertium.reproductions.recipes.evalgen.imitations import (
    Damage,
    Material,
    correct,
    imitate,
)

pytest.importorskip("lark")
MATERIAL = Material(14, "size")


def test_places_are_those_of_the_damaged_sentence():
    damage = Damage(["a", "bc", "d"])
    damage.slots[1] = (("b", "c"), True)
    damage.slots.pop(0)
    damage.kinds[Kind.INSERT] += 1
    assert damage.text == "b c d"
    assert damage.places == EditPlaces(frozenset({0, 1}), 1)


def test_as_many_errors_are_put_in_as_asked_for():
    errors = {Kind.CASESHIFT: 5, Kind.MOVE: 3, Kind.COMP_LEMMA_JOIN: 4, Kind.DELETE: 2}
    one = imitate(MATERIAL, errors)
    assert one.kinds == Counter(errors)
    assert (
        len(one.outputs) == len(imitations.testset(MATERIAL).segments) == MATERIAL.size
    )
    assert one == imitate(MATERIAL, errors)
    assert one.outputs != imitate(MATERIAL, errors, seed=1).outputs


def test_no_sentence_gets_more_errors_than_allowed():
    one = imitate(MATERIAL, {Kind.CASESHIFT: 40}, most=1)
    assert max(damage.kinds.total() for damage in one.damages) == 1


def test_references_without_errors_need_no_edit():
    one = imitate(MATERIAL, {})
    assert correct(MATERIAL, {"A": one.outputs}, resamples=0).system("A").score == 0


@pytest.mark.parametrize("kind", [Kind.CASESHIFT, Kind.COMP_LEMMA_JOIN])
def test_errors_are_seen_as_what_they_are(kind):
    one = imitate(MATERIAL, {kind: 8}, most=2)
    counts = correct(MATERIAL, {"A": one.outputs}, resamples=0).system("A").counts
    assert one.kinds[kind] == 8
    assert counts[kind] >= 6

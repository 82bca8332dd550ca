# SPDX-License-Identifier: Apache-2.0
"""DTED and DERP reject the same trees and links, in the same words."""

from __future__ import annotations

import numpy as np
import pytest

import tertium
from tertium.align import Link
from tertium.trees import DependencyTree, derp, dted

TREE = DependencyTree(("a", "b"), (0, 1), ("r", "d"))


@pytest.mark.parametrize("score", [dted, derp])
@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([(0, 0), (0.5, 1)], r"link 1 is \(0.5, 1\); give \(word of hyp"),
        ([(0,)], r"link 0 is \(0,\); give"),
        ([("0", "1")], "link 0 is"),
        ([None], "link 0 is None"),
        ([3], "link 0 is 3"),
        ([{}], "link 0 is {}"),
        ("0-0", "links are '0-0'; give pairs"),
        (None, "links are None; give pairs"),
        ([(0, 2)], "link 0 is 0-2, but the trees have 2 and 2 words; count"),
        ([(-1, 0)], "link 0 is -1-0"),
    ],
)
def test_wrong_links_are_reported(score, links, message):
    with pytest.raises(tertium.InputError, match=message):
        score(TREE, TREE, links)


@pytest.mark.parametrize("score", [dted, derp])
def test_what_is_no_tree_is_reported(score):
    with pytest.raises(tertium.InputError, match="hyp is str, not a DependencyTree"):
        score("a b", TREE, [])
    with pytest.raises(tertium.InputError, match=r"ref is None.*DependencyTree.flat"):
        score(hyp=TREE, ref=None, links=[])


@pytest.mark.parametrize("score", [dted, derp])
def test_links_may_have_more_fields(score):
    plain = score(TREE, TREE, [(0, 0), (1, 1)])
    assert score(TREE, TREE, (Link(0, 0), Link(1, 1, 0.5, False))) == plain
    assert score(TREE, TREE, np.array([[0, 0], [1, 1]])) == plain


@pytest.mark.parametrize("score", [dted, derp])
def test_scores_without_foundation_may_be_0(score):
    settings = {"variant": "co"} if score is dted else {}
    for degenerate, value in (("keep", 1), ("zero", 0), ("drop", 0)):
        result = score(TREE, TREE, [], degenerate=degenerate, **settings)
        assert (result.score, result.degenerate) == (value, True)

# SPDX-License-Identifier: Apache-2.0
"""Links by themselves: checks, the other side, matches, texts that bring them."""

from __future__ import annotations

import pickle

import pytest

import tertium
from tertium.align import (
    Link,
    as_links,
    check_links,
    from_matches,
    reverse,
    to_matches,
    with_links,
)
from tertium.data.annotated import Annotated, layer


def test_public_names_exist_and_unknown_ones_do_not():
    for name in tertium.align.__all__:
        assert getattr(tertium.align, name) is not None
    assert set(tertium.align.__all__) <= set(dir(tertium.align))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tertium.align.nothing


def test_pairs_become_links_sorted_and_without_doubles():
    links = as_links([(2, 0), (0, 1, 0.5, False), (0, 1, 0.25)])
    assert links == (Link(0, 1, 0.5, True), Link(2, 0))


@pytest.mark.parametrize(
    "pair",
    [
        *((1,), (1, 2, 3, 4, 5), (-1, 0), (0, -1), (0, 0, float("nan")), (0, 0, -1)),
        *("0-0", 3, None, (0.5, 1), ("0", "1"), (0, 0, "x")),
    ],
)
def test_what_is_no_pair_is_rejected(pair):
    with pytest.raises(
        tertium.InputError, match=r"is not a link|is below 0|has weight"
    ):
        as_links([pair])


def test_the_other_side_twice_is_the_same():
    links = as_links([(0, 3, 0.5), (1, 1), (1, 2, 1.0, False)])
    assert reverse(reverse(links)) == links
    assert reverse(links)[0] == Link(1, 1)


@pytest.mark.parametrize(
    ("link", "side", "size"),
    [((3, 0), "first", "3 words"), ((0, 1), "second", "1 word;")],
)
def test_links_outside_their_texts_are_reported(link, side, size):
    with pytest.raises(tertium.InputError) as caught:
        check_links(as_links([(0, 0), link]), 3, 1)
    message = str(caught.value)
    assert f"link {link[0]}-{link[1]}" in message
    assert f"the {side} text" in message
    assert size.rstrip(";") in message
    assert "count from 1" in message


def test_links_go_to_matches_and_back():
    links = as_links([(0, 1, 0.5), (2, 0)])
    assert from_matches(to_matches(links)) == links


def test_a_phrase_match_links_each_word_with_each():
    links = from_matches([(1, 2, 0, 2, 3, 0.6)])
    assert [(h, r) for h, r, *_ in links] == [(1, 0), (1, 1), (2, 0), (2, 1)]
    assert {link.weight for link in links} == {0.6}


def test_texts_bring_links_and_keep_other_layers():
    hyp = Annotated("b a", {"permutation": (2, 1)})
    out = with_links([hyp, "c"], [[(0, 1), (1, 0)], ()], [(), [(0, 0)]])
    assert out == ["b a", "c"]
    assert layer(out[0], "permutation") == (2, 1)
    assert layer(out[0], "links") == ((Link(0, 1), Link(1, 0)), ())
    assert layer(out[1], "links") == ((), (Link(0, 0),))
    assert layer(pickle.loads(pickle.dumps(out[1])), "links") == ((), (Link(0, 0),))


def test_scores_follow_given_links():
    metric = tertium.metric("aligned-percentage")
    refs = ["a b"]
    assert metric.corpus_score(["a b"], refs) == 1
    assert metric.corpus_score(with_links(["a b"], [()]), refs) == 0
    assert metric.corpus_score(with_links(["x b"], [[(0, 1)]]), refs) == 0.5
    both = with_links(["a b"], [()], [[(0, 0)]])
    assert metric.corpus_score(both, [("a b", "c d")]) == 0.5


def test_a_given_link_outside_the_text_is_an_input_error():
    metric = tertium.metric("aligned-percentage")
    with pytest.raises(tertium.InputError, match="does not have"):
        metric.corpus_score(with_links(["a b"], [[(0, 7)]]), ["a b"])


def test_columns_must_fit_the_outputs():
    with pytest.raises(tertium.InputError, match="2 outputs, but links of 1 with"):
        with_links(["a", "b"], [()])
    with pytest.raises(tertium.InputError, match="one column per reference"):
        with_links(["a", "b"])


def test_compare_takes_given_links():
    refs = ["a b c", "d e"]
    annotated = with_links(refs, [(), ()])
    result = tertium.compare(
        {"plain": refs, "given": annotated}, refs, metrics=["aligned-percentage"]
    )
    assert result.scores["plain"]["aligned-percentage"].score == 1
    assert result.scores["given"]["aligned-percentage"].score == 0


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (5, "the links of output 1 are 5; give one list of links per reference"),
        ("0-0", "the links of output 1 are '0-0'"),
        ([5], "output 1 has 5 as links of a reference"),
        (["0-0"], "output 1 has '0-0' as links of a reference"),
        ([(0, 0)], r"output 1 has the bare link \(0, 0\); give one list"),
        ([Link(0, 0), Link(1, 1)], r"the bare link \(0, 0\).* such as \[\[\(0, 0\)"),
        ([[], []], "output 1 has links with 2 references, but has 1"),
        ([[(0,)]], r"output 1: \(0,\) is not a link; give"),
        ([[(0, 0), None]], "output 1: None is not a link"),
        ([[(0, 2)]], "links of output 1 name words"),
        ([[(-1, 0)]], "links of output 1 name words"),
    ],
)
@pytest.mark.parametrize("spec", ["kendall", "dted:flat=yes"])
def test_wrong_links_of_an_output_are_reported(spec, links, message):
    hyps = ["a b", Annotated("a b", {"links": links})]
    with pytest.raises(tertium.InputError, match=message):
        tertium.metric(spec).segment_scores(hyps, ["a b", "a b"])


def test_outputs_may_bring_plain_pairs():
    hyps = [Annotated("a b", {"links": [[(0, 1), (1, 0)]]})]
    assert tertium.metric("kendall").segment_scores(hyps, ["x y"]).tolist() == [0.0]

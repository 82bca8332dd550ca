# SPDX-License-Identifier: Apache-2.0
"""Every view shows the very metric that was named: its words, links and number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.data.annotated import Annotated
from tertium.report.explain import render_text
from tertium.trees import DependencyTree

HYP = "at noon we will meet her , not"
REF = "we will not meet her at noon ."

_TREES = (
    Annotated("he saw it .", {"tree": DependencyTree(
        ("he", "saw", "it", "."), (2, 0, 2, 2), ("nsubj", "root", "obj", "punct"))}),
    Annotated("it was seen , he saw .", {"tree": DependencyTree(
        ("it", "was", "seen", ",", "he", "saw", "."), (3, 3, 0, 3, 6, 3, 3),
        ("nsubj:pass", "aux", "root", "punct", "nsubj", "dep", "punct"))}),
)  # fmt: skip

ORDER = (
    "recpef", "recpef:tokenize=13a,beta=0.3,gamma=0.2", "recpef:unaligned=left",
    "recpef:forest=max,child_weight=span", "recpef:rescale=yes,unaligned=right",
    "recpet:branching=right,op_score=kendall", "kendall:tokenize=char",
    "ulam:lowercase=no", "fuzzy:aligner=context", "inverted-ratio:tokenize=13a",
    "spearman:match=exact+stem",
)  # fmt: skip
DTED = (
    "dted:variant=cl,weighting=inverse", "dted:variant=co,mismatch=2,tokenize=13a",
    "dted:variant=c,ignore_punct=yes,lowercase=no",
    "dted:variant=cl,log_base=0.5,cap=0.4", "dted:variant=co,degenerate=zero",
    "dted:variant=b,roots=virtual,binarise=yes,tokenize=char",
)  # fmt: skip
DERP = (
    "derp", "derp:normalise=spanning,tokenize=13a", "derp:labels=none,lowercase=no",
    "derp:normalise=dependency,ignore_punct=yes", "derp:tokenize=char,degenerate=drop",
    "derp:labels=universal,ordinality=exact", "derp:aligner=context,degenerate=zero",
)  # fmt: skip


def flattened(spec):
    """Return the spec with flat=yes."""
    return f"{spec}{',' if ':' in spec else ':'}flat=yes"


def check(explanation):
    """Compare the number of every view with the score of its metric."""
    scores = {score.spec: score.value for score in explanation.scores}
    seen = 0
    if explanation.order.metric and explanation.order.permutation:
        measure = tertium.metric(explanation.order.metric).measure
        shown = explanation.order.scores[measure]
        assert shown == pytest.approx(scores[explanation.order.metric])
        seen += 1
    for view in (explanation.dependencies, explanation.paths):
        if view.metric:
            assert view.score == pytest.approx(scores[view.metric])
            seen += 1
    return seen


TEXTS = st.lists(
    st.sampled_from(["a", "A", "b,", "b", "cats", "cat", ".", "d."]), max_size=7
).map(" ".join)


@given(TEXTS, TEXTS, st.data())
def test_numbers_of_views_are_scores_of_metrics(hyp, ref, data):
    specs = [
        data.draw(st.sampled_from(ORDER)),
        data.draw(st.sampled_from(DTED).map(flattened)),
        data.draw(st.sampled_from(DERP).map(flattened)),
    ]
    result = tertium.explain(
        hyp, ref, metrics=data.draw(st.permutations([*specs, "chrf"]))
    )
    assert check(result) == 2 + bool(result.order.permutation)


@st.composite
def trees(draw):
    """Return a text with a tree, whose words are not those at spaces."""
    words = draw(st.lists(st.sampled_from(["a", "A", "n't", "b", "."]), max_size=6))
    heads = [draw(st.integers(0, place)) for place in range(len(words))]
    labels = ["root" if h == 0 else draw(st.sampled_from("xyz")) for h in heads]
    tree = DependencyTree(tuple(words), tuple(heads), tuple(labels))
    return Annotated("".join(words), {"tree": tree})


@given(trees(), trees(), st.data())
def test_numbers_of_views_over_trees_are_scores_too(hyp, ref, data):
    one = data.draw(st.sampled_from([*DTED, *map(flattened, DTED)]))
    other = data.draw(st.sampled_from([*DERP, *map(flattened, DERP)]))
    specs = data.draw(st.permutations([one, other, data.draw(st.sampled_from(ORDER))]))
    result = tertium.explain(hyp, ref, metrics=specs)
    assert check(result) == 2 + bool(result.order.permutation)
    assert result.dependencies.flat == ("flat" in one)
    assert result.paths.flat == ("flat" in other)


@pytest.mark.parametrize("flat", ["flat=yes", "flat=no"])
@pytest.mark.parametrize("spec", [*DTED, *DERP])
def test_texts_and_diagrams_show_the_score(spec, flat):
    spec = f"{spec}{',' if ':' in spec else ':'}{flat}"
    result = tertium.explain(*_TREES, metrics=[spec])
    assert check(result) == 1
    value = result.scores[0].value
    name = "derp" if spec.startswith("derp") else "dependencies"
    assert f"{value:.4f}" in render_text(result, sections=[name])
    assert f"{value:.4f}" in result.to_svg(name)
    if name == "derp":
        # The equation that is shown gives the score that is shown.
        equation, _, shown = result.paths.equation.partition(" = ")
        assert f"{eval(equation):.4f}" == shown


@pytest.mark.parametrize("degenerate", ["keep", "zero", "drop"])
@pytest.mark.parametrize("name", ["derp", "dted"])
def test_degenerate_segments_agree_too(name, degenerate):
    more = ",variant=co" if name == "dted" else ""
    spec = f"{name}:flat=yes,degenerate={degenerate}{more}"
    assert check(tertium.explain("a b", "c d", metrics=[spec])) == 1


def test_views_have_the_words_of_their_metric():
    """A view with words of its own says whose they are; others share them."""
    hyp, ref = "Sleep, cats.", "cats, sleep!"
    specs = ["recpef:tokenize=13a", "derp:flat=yes,tokenize=none"]
    result = tertium.explain(hyp, ref, metrics=specs)
    assert result.hyp == ("Sleep", ",", "cats", ".")
    assert result.order.pairing is None
    assert result.dependencies.pairing is None
    assert result.paths.pairing.hyp == ("Sleep,", "cats.")
    assert result.to_dict()["paths"]["pairing"]["ref"] == ["cats,", "sleep!"]
    note = f"Words and links are those of {specs[1]}."
    assert note in result.to_html()
    assert "cats," in result.to_svg("derp")
    turned = tertium.explain("b a, c a,", "a, b c", metrics=specs[::-1])
    assert turned.hyp == ("b", "a,", "c", "a,")
    assert "Words and links are those of recpef:tokenize=13a." in turned.to_text()
    same = tertium.explain("cats sleep", "sleep cats", metrics=specs)
    assert same.paths.pairing is None


def test_all_metrics_see_the_words_of_the_trees():
    tree = DependencyTree(("do", "n't"), (0, 1), ("root", "advmod"))
    hyp, ref = Annotated("don't", {"tree": tree}), Annotated("don't", {"tree": tree})
    result = tertium.explain(hyp, ref, metrics=["derp:flat=yes", "dted", "kendall"])
    assert result.hyp == ("do", "n't")
    assert result.dependencies.hyp.words == ("do", "n't")
    assert result.order.pairing is None
    assert result.dependencies.pairing is None
    assert result.settings["tokenize"] == "trees"


def test_relations_are_found_in_words_of_trees():
    one = DependencyTree(("do", "n't"), (0, 1), ("root", "advmod"))
    other = DependencyTree(("do", "n't"), (2, 0), ("aux", "root"))
    hyp, ref = Annotated("don't", {"tree": one}), Annotated("don't", {"tree": other})
    result = tertium.explain(hyp, ref, metrics=["derp:flat=yes", "dted"])
    relations = [finding for finding in result.findings if finding.kind == "relation"]
    assert len(relations) == 2
    assert (relations[0].hyp, relations[0].ref) == ((1,), (1,))


def test_relations_in_other_words_name_no_word_of_the_text(tiny_model):
    """A parser cuts words that the first metric, which has none, does not."""
    parsed = f"dted:parser=udpipe,model={tiny_model}"
    specs = ["recpef:tokenize=none", parsed]
    result = tertium.explain(
        "The dog sees a cat.", "A dog sees the cat.", metrics=specs
    )
    assert result.dependencies.pairing is not None
    assert all(
        finding.hyp == () for finding in result.findings if finding.kind == "relation"
    )


def test_an_alignment_is_that_of_all_metrics():
    specs = ["recpef", "derp:flat=yes"]
    result = tertium.explain(
        "The cats sat", "the cat sat", metrics=specs, alignment={"match": "exact+stem"}
    )
    assert [m.matcher for m in result.matches] == ["exact", "stem", "exact"]
    assert result.scores[0].spec == "recpef:match=exact+stem"
    assert result.paths.pairing is None
    assert check(result) == 2


def test_a_variant_is_that_of_the_metric():
    with pytest.raises(tertium.InputError, match="name the variant in the metric"):
        tertium.explain(HYP, REF, metrics=["dted:flat=yes"], variant="b")
    result = tertium.explain(HYP, REF, metrics=["dted:flat=yes"], variant="c")
    assert result.dependencies.variant == "c"


def test_views_of_one_reference_say_so():
    """Scores are those of the best reference, which may not be the one shown."""
    refs = ["b a c", "a b c"]
    result = tertium.explain("a b c", refs, metrics=["derp:flat=yes"], reference=0)
    assert result.paths.score < result.scores[0].value
    assert "Against reference 1 alone." in result.to_text()
    assert "Against reference 1 alone." in result.to_html()
    one = tertium.explain("a b c", refs[0], metrics=["derp:flat=yes"])
    assert "alone" not in one.to_text()


def test_meteor_shows_its_words():
    result = tertium.explain("He can't, no", "he can't no", metrics=["meteor"])
    assert "," in result.hyp
    assert "Words and links are those of texts tokenized by none." in result.to_text()
    assert result.settings["match"] != "exact"


@pytest.mark.parametrize("unaligned", ["left", "right"])
def test_words_that_move_with_neighbours_are_drawn(unaligned):
    spec = f"recpef:unaligned={unaligned}"
    result = tertium.explain("x b y a", "a b", metrics=[spec])
    assert len(result.order.permutation) == 4
    assert check(result) == 1
    assert [ref for _, ref in result.order.items] == [None, 1, None, 0]
    # Findings are about aligned words; such a word is extra, not moved.
    texts = [finding.text for finding in result.findings]
    assert "The word *b* moved before *a*." in texts
    assert not any("*x* moved" in text for text in texts)
    for diagram in ("alignment", "forest", "tree"):
        assert result.to_svg(diagram).startswith("<svg")
    assert "x" in result.to_text()
    assert result.to_dict()["order"]["items"][0] == [[0], None]

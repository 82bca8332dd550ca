# SPDX-License-Identifier: Apache-2.0
"""Explanations: what they hold, their JSON, and where settings come from."""

from __future__ import annotations

import json
import random

import pytest

import tertium
from tertium.align import as_links, register_matcher
from tertium.align.aligner import AlignerSettings
from tertium.data.annotated import Annotated
from tertium.report.explain import DIAGRAMS, explain, explain_permutation, render_text
from tertium.report.explain.plain import LONGEST_PATH
from tertium.report.explain.surface import ngram_hits, word_edits
from tertium.trees import DependencyTree

HYP, REF = "at noon we meet", "we will meet her at noon"


def test_json_has_everything_and_is_plain():
    out = json.loads(explain(HYP, REF).to_json())
    assert list(out) == [
        "tertium", "hyp", "ref", "hyp_text", "ref_text", "findings", "scores",
        "losses", "parts", "matches", "order", "dependencies", "paths", "ngrams",
        "edits", "metric", "others", "source", "system", "segment", "reference",
        "references", "settings",
    ]  # fmt: skip
    assert out["hyp"] == HYP.split()
    assert out["findings"][0] == {
        "kind": "moved",
        "pieces": ["The block ", "at noon", " moved before ", "we meet", "."],
        "hyp": [0, 1],
        "ref": [4, 5],
        "text": "The block *at noon* moved before *we meet*.",
    }
    assert out["matches"][0] == {"hyp": [0, 1], "ref": [4, 5], "matcher": "exact"}
    assert out["order"]["permutation"] == [3, 4, 1, 2]
    assert out["order"]["items"][0] == [[0], 4]
    assert out["order"]["trees"] == 1
    assert out["order"]["scores"]["recpef"] == pytest.approx(0.4)
    root = out["order"]["forest"][0]
    assert root["kind"] == "inverted"
    assert root["operator"] == [2, 1]
    assert [out["order"]["forest"][i]["kind"] for i in root["children"]] == [
        "straight"
    ] * 2
    assert out["dependencies"]["flat"] is True
    assert {edit["operation"] for edit in out["dependencies"]["edits"]} <= {
        "match", "rename", "delete", "insert",
    }  # fmt: skip
    edge = out["paths"]["edges"][0]
    assert set(edge) == {"hyp", "ref", "hyp_path", "ref_path", "cost", "limit"}
    assert out["ngrams"][0] == {"order": 1, "found": [True] * 4}
    assert out["settings"]["tokenize"] == "words"


def test_json_of_long_segments_grows_with_the_words_and_not_with_their_square():
    def written(words):
        ref = [f"w{i}" for i in range(words)]
        hyp = random.Random(1).sample(ref, words)
        return tertium.explain(" ".join(hyp), " ".join(ref)).to_json()

    short, long = written(400), written(800)
    assert len(long) < 2.5 * len(short)
    edges = json.loads(long)["paths"]["edges"]
    assert len(edges) == 799
    paths = [(edge["ref"], edge["ref_path"]) for edge in edges]
    for (first, second), path in paths:
        if second - first > LONGEST_PATH:
            assert path is None
        else:
            assert path == [[], "forward", ["DEP"] * (second - first)]
    assert {path is None for _, path in paths} == {True, False}


def test_explanation_renders_itself():
    result = tertium.explain(HYP, REF)
    assert result.to_text() == render_text(result)
    assert result.to_svg("derp") == DIAGRAMS["derp"](result).to_svg()
    assert result.to_html().startswith("<!DOCTYPE html>")
    assert repr(result).splitlines()[:2] == [
        "<Explanation of this text>",
        "The block *at noon* moved before *we meet*.",
    ]
    with pytest.raises(tertium.InputError, match="unknown diagram 'forst'"):
        result.to_svg("forst")


def test_scores_are_those_of_the_metrics():
    specs = ["pef", "recpef", "kendall", "sentbleu", "ter"]
    result = explain(HYP, REF, metrics=specs)
    for score in result.scores:
        metric = tertium.metric(score.spec)
        assert score.value == metric.segment_scores([HYP], [REF])[0]
        assert score.higher_is_better == metric.higher_is_better
    values = {score.spec: score.value for score in result.scores}
    assert result.order.scores["recpef"] == pytest.approx(values["recpef"])
    assert result.order.scores["kendall"] == pytest.approx(values["kendall"])
    # The specification's 3.6: the full score with BLEU-1.
    assert values["pef"] == pytest.approx(0.424571461799)


def test_trees_and_paths_agree_with_the_metrics():
    specs = ["dted:variant=cl,flat=yes", "derp:flat=yes"]
    result = explain(HYP, REF, metrics=specs)
    values = [score.value for score in result.scores]
    assert result.dependencies.score == pytest.approx(values[0])
    assert result.paths.score == pytest.approx(values[1])
    cost = sum(edge.cost for edge in result.paths.edges)
    limit = sum(edge.limit for edge in result.paths.edges)
    assert result.paths.score == pytest.approx(1 - cost / limit)


def test_variant_of_dted_comes_from_the_metric_or_the_argument():
    assert (
        explain(HYP, REF, metrics=["dted:variant=co,flat=yes"]).dependencies.variant
        == "co"
    )
    assert explain(HYP, REF, metrics=["wer"], variant="b").dependencies.variant == "b"
    assert explain(HYP, REF, metrics=["wer"]).dependencies.variant == "cl"


def test_words_are_tokenized_as_by_the_first_aligning_metric():
    assert explain("a, b", "a, b", metrics=["wer"]).hyp == ("a", "b")
    plain = "recpef:tokenize=none"
    assert explain("a, b", "a, b", metrics=["wer", plain]).hyp == ("a,", "b")
    spec = "recpef:tokenize=char"
    assert explain("ab", "ba", metrics=[spec]).order.permutation == (2, 1)


def test_root_of_beta_and_gamma_is_the_metric():
    result = explain("b a", "a b", metrics=["recpef:gamma=0.5"])
    assert result.order.forest.score == pytest.approx(0.5)
    assert result.order.scores["recpef"] == pytest.approx(0.5)


def test_best_reference_is_explained():
    refs = ["nothing alike", "we meet at noon", "at noon we met"]
    assert explain("we meet at noon", refs, metrics=["wer"]).reference == 1
    assert explain("we meet at noon", refs, metrics=["chrf"]).reference == 1
    result = explain("we meet at noon", refs, metrics=["wer"], reference=2)
    assert result.reference == 2
    assert result.references == 3
    assert result.ref == ("at", "noon", "we", "met")


@pytest.mark.parametrize("reference", [-1, 3])
def test_reference_out_of_range_is_rejected(reference):
    with pytest.raises(tertium.InputError, match="there are 3"):
        explain("a", ["a", "b", "c"], reference=reference, metrics=["wer"])


def test_missing_reference_is_rejected():
    with pytest.raises(tertium.InputError, match="no reference"):
        explain("a", [], metrics=["wer"])


def test_links_of_the_output_are_kept():
    links = (as_links([(0, 1), (1, 0)]),)
    result = explain(Annotated("x y", {"links": links}), "a b", metrics=["wer"])
    assert result.order.permutation == (2, 1)
    assert {match.matcher for match in result.matches} == {"link"}


def test_words_with_several_links_keep_the_leftmost():
    # The specification's 3.6: links of four words.
    pairs = [(0, 1), (0, 4), (1, 0), (2, 2), (2, 3), (3, 2)]
    hyp = Annotated("a b c d", {"links": (as_links(pairs),)})
    result = explain(hyp, "v w x y z", metrics=["wer"])
    assert result.order.permutation == (2, 1, 3, 4)
    assert len(result.matches) == 6


@pytest.mark.parametrize("links", [[(0, 9)], [(9, 0)]])
def test_links_outside_the_texts_are_rejected(links):
    hyp = Annotated("x y", {"links": (as_links(links),)})
    with pytest.raises(tertium.InputError, match="name words that it"):
        explain(hyp, "a b", metrics=["wer"])


def test_links_for_other_references_are_rejected():
    hyp = Annotated("x y", {"links": (as_links([(0, 0)]),)})
    with pytest.raises(tertium.InputError, match="1 references, but has 2"):
        explain(hyp, ["a", "b"], metrics=["wer"], reference=0)


def test_a_single_tree_is_rejected():
    hyp = Annotated("a b", {"tree": DependencyTree.flat(["a", "b"])})
    with pytest.raises(tertium.InputError, match="reference has none"):
        explain(hyp, "a b", metrics=["wer"])


class Parser:
    """Hangs everything on the first word."""

    signature = "toy"

    def parse(self, texts):
        """Return trees."""
        words = [text.split() for text in texts]
        return [
            DependencyTree(
                tuple(word),
                tuple(int(i > 0) for i in range(len(word))),
                tuple("root" if i == 0 else "dep" for i in range(len(word))),
            )
            for word in words
        ]


def test_parser_gives_trees_and_words():
    result = explain("a, b", "a, b c", metrics=["wer"], parser=Parser())
    assert result.hyp == ("a,", "b")
    assert not result.dependencies.flat
    assert result.dependencies.ref.heads == (0, 1, 1)
    assert result.settings["parser"] == "toy"


def test_permutation_alone_has_trees_and_scores():
    result = explain_permutation([2, 4, 5, 6, 1, 3])
    assert result.ref == ("1", "2", "3", "4", "5", "6")
    assert result.order.trees == 2
    assert result.order.forest.kind == "prime"
    assert result.order.forest.operator == (2, 4, 1, 3)
    assert result.order.scores["recpef"] == pytest.approx(0.4)
    named = explain_permutation([2, 1], words=["b", "a"])
    assert named.ref == ("a", "b")
    with pytest.raises(tertium.InputError, match="3 words for 2 values"):
        explain_permutation([2, 1], words=["a", "b", "c"])
    with pytest.raises(tertium.InputError):
        explain_permutation([1, 3])


def test_deep_and_long_permutations_are_explained():
    # Alternating nodes: the tree is as deep as the permutation is long.
    size = 1200
    middle, perm = size // 2, []
    for i in range(middle):
        perm += [middle - i, middle + i + 1]
    result = explain_permutation(perm[::-1])
    assert json.loads(result.to_json(indent=None))["order"]["permutation"] == perm[::-1]


def test_empty_texts_have_an_explanation():
    for hyp, ref in (("", ""), ("a", ""), ("", "a")):
        result = explain(hyp, ref)
        assert result.order.forest is None
        assert result.to_json()


def test_lone_surrogates_are_rejected():
    with pytest.raises(tertium.InputError):
        explain("a \ud800", "a", metrics=["wer"])


@pytest.mark.parametrize(
    ("hyp", "refs", "message"),
    [
        (["at", "noon"], "at noon", "the output is .*; give a string"),
        (None, "at noon", "the output is None; give a string"),
        ("at noon", None, "the references are None; give strings"),
        ("at noon", ["noon", ["at"]], r"reference 1 is \['at'\]; give strings"),
    ],
)
def test_only_texts_are_explained(hyp, refs, message):
    with pytest.raises(tertium.InputError, match=message):
        explain(hyp, refs)


def test_trees_without_foundation_score_as_the_metric_says():
    spec = "dted:variant=co,flat=yes,degenerate="
    for degenerate, score in (("keep", 1.0), ("zero", 0.0)):
        result = explain("a", "b", metrics=[spec + degenerate])
        assert result.dependencies.score == result.scores[0].value == score


def test_ngrams_are_clipped():
    hits = ngram_hits(["the", "the", "the"], ["the", "cat", "the"])
    assert [h.found for h in hits[:2]] == [(True, True, False), (False, False)]
    assert [h.hits for h in hits] == [2, 0, 0, 0]


def test_edits_turn_the_output_into_the_reference():
    hyp, ref = ["a", "b", "x", "d"], ["b", "c", "d", "e"]
    out = []
    for edit in word_edits(hyp, ref):
        if edit.operation == "keep":
            assert hyp[edit.hyp] == ref[edit.ref]
        if edit.ref is not None:
            out.append(ref[edit.ref])
    assert out == ref
    cost = sum(edit.operation != "keep" for edit in word_edits(hyp, ref))
    assert cost == 3


class Lots:
    """Pairs a phrase of three words with one word."""

    name = "lots"

    def matches(self, hyp, ref):
        """Return candidate matches."""
        phrase = ["a", "lot", "of"]
        places = [i for i in range(len(ref) - 2) if ref[i : i + 3] == phrase]
        return [(h, 1, r, 3) for h, w in enumerate(hyp) if w == "many" for r in places]


@pytest.fixture(scope="module")
def lots():
    """Return settings with a matcher of phrases."""
    register_matcher("report-lots", lambda _: Lots())
    return AlignerSettings(match="exact+report-lots")


def test_phrases_expand_to_words_of_the_reference(lots):
    """Decision A12 of the specification."""
    result = explain("cats many slept", "a lot of cats slept", alignment=lots)
    assert result.order.permutation == (4, 1, 2, 3, 5)
    assert result.order.items[1:4] == (((1,), 0), ((1,), 1), ((1,), 2))
    assert [finding.text for finding in result.findings] == [
        "The output has *many* for *a lot of* (matched by lots).",
        "The word *cats* moved before *many*.",
    ]
    shared = [edge for edge in result.paths.edges if edge.limit == 0]
    assert len(shared) == 2
    assert shared[0].hyp_path == ((), "same word", ())


@pytest.mark.parametrize("diagram", DIAGRAMS)
def test_phrases_can_be_drawn(lots, diagram):
    result = explain("cats many slept", "a lot of cats slept", alignment=lots)
    assert DIAGRAMS[diagram](result).to_svg().startswith("<svg")


def test_parser_of_a_metric_is_used(tiny_model):
    spec = f"dted:parser=udpipe,model={tiny_model}"
    result = explain("cats sleep", "dogs sleep", metrics=[spec], variant="c")
    assert not result.dependencies.flat
    assert "udpipe" in result.settings["parser"]
    assert result.scores[0].value is not None

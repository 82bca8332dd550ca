# SPDX-License-Identifier: Apache-2.0
"""Findings: each sentence is true, and the one a person would write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.align import as_links
from tertium.align.aligner import AlignerSettings
from tertium.data.annotated import Annotated
from tertium.report.explain import (
    explain,
    explain_permutation,
    render_page,
    render_text,
)
from tertium.report.explain.findings import shorten
from tertium.trees import DependencyTree

STEMS = AlignerSettings(tokenize="none", match="exact+stem")


def sentences(hyp, ref, **settings):
    """Return the findings of two texts."""
    result = explain(hyp, ref, metrics=["wer"], **settings)
    return [finding.text for finding in result.findings]


ORDER = {
    ("at noon we meet", "we meet at noon"): [
        "The block *at noon* moved before *we meet*.",
    ],
    ("at noon we meet", "we will meet her at noon"): [
        "The block *at noon* moved before *we meet*.",
        "The word *will* is missing; the reference has it between *we* and *meet*.",
        "The word *her* is missing; the reference has it between *meet* and *at*.",
    ],
    ("he came home late yesterday", "yesterday he came home late"): [
        "The word *yesterday* moved after *he came home late*.",
    ],
    (
        "it rained hard because he stayed home",
        "he stayed home because it rained hard",
    ): [
        (
            "The blocks *it rained hard* and *he stayed home* changed places around "
            "*because*."
        ),
    ],
    ("bread wine cheese fish", "fish cheese wine bread"): [
        "The words *bread*, *wine*, *cheese* and *fish* are in reverse order.",
    ],
    ("red green blue", "blue green red"): [
        "The words *red* and *blue* changed places around *green*.",
    ],
    ("paul mary john anna", "john paul anna mary"): [
        (
            "The words *paul*, *mary*, *john* and *anna* are shuffled; the reference "
            "has *john*, *paul*, *anna*, *mary*."
        ),
    ],
    (
        "on monday the board will its plan publish",
        "the board will publish its plan on monday",
    ): [
        "The block *on monday* moved before *the board will its plan publish*.",
        "The word *publish* moved after *its plan*.",
    ],
    ("a b c d e f g", "a b c d e f g"): ["The output equals the reference."],
    # The unaligned word is left out of the quoted block.
    ("at about noon we meet", "we meet at noon"): [
        "The block *at … noon* moved before *we meet*.",
        "The word *about* is extra; the output has it between *at* and *noon*.",
    ],
    # A word that is there twice gets its number.
    ("the dog saw the cat old", "the dog saw the old cat"): [
        "The word *cat* moved before *old*.",
    ],
    ("dog the the cat", "the dog the cat"): [
        "The word *dog* moved before *the* (word 2).",
    ],
}

IN_ORDER = "The aligned words are in the order of the reference."

WORDS = {
    # What is wrong comes before what is right.
    ("we meet noon", "we meet at noon"): [
        "The word *at* is missing; the reference has it between *meet* and *noon*.",
        IN_ORDER,
    ],
    ("meet at noon", "we meet at noon"): [
        "The word *we* is missing; the reference has it at the start, before *meet*.",
        IN_ORDER,
    ],
    ("we meet", "we meet at noon"): [
        (
            "The words *at noon* are missing; the reference has them at the end, after "
            "*meet*."
        ),
        IN_ORDER,
    ],
    ("so we meet at noon", "we meet at noon"): [
        "The word *so* is extra; the output has it at the start, before *we*.",
        IN_ORDER,
    ],
    ("we meet at midnight", "we meet at noon"): [
        "The output has *midnight* where the reference has *noon*.",
        IN_ORDER,
    ],
    # Neighbours on one side are enough where a block moved. A wrong word weighs more
    # than one that moved.
    ("at midnight we meet", "we meet at noon"): [
        "The output has *midnight* where the reference has *noon*.",
        "The word *at* moved before *we meet*.",
    ],
    ("delta epsilon", "alpha beta gamma"): [
        "No word of the output is aligned with a word of the reference.",
        "The output has *delta epsilon* where the reference has *alpha beta gamma*.",
    ],
    ("", "we meet"): ["The output is empty; the reference has 2 words."],
    ("meet", ""): ["The reference is empty; the output has 1 word."],
    ("", ""): ["Both texts are empty."],
    ("noon", "at"): [
        "No word of the output is aligned with a word of the reference.",
        "The output has *noon* where the reference has *at*.",
    ],
    ("noon", "noon at"): [
        "The word *at* is missing; the reference has it at the end, after *noon*.",
    ],
    ("The Cat sat", "the cat sat"): [
        "Only the case differs: the output has *The* for *the*, *Cat* for *cat*.",
        IN_ORDER,
    ],
    # Many gaps are summed up; the longest is named first, then in the order of the
    # text.
    ("a x c d e h", "a b c d e f g h"): [
        "1 of the output's 6 words and 3 of the reference's 8 have no counterpart.",
        "The words *f g* are missing; the reference has them between *e* and *h*.",
        "The output has *x* where the reference has *b*.",
        IN_ORDER,
    ],
    # Few aligned words do not show order.
    ("in the vicinity are", "think of the neighbours"): [
        "Only 1 of the output's 4 words has a counterpart among the reference's 4.",
        "The output has *in* where the reference has *think of*.",
        "The output has *vicinity are* where the reference has *neighbours*.",
    ],
    ("p q r a s t b u", "a v w x b y z k"): [
        "Only 2 of the output's 8 words have a counterpart among the reference's 8.",
        "The output has *s t* where the reference has *v w x*.",
        "The output has *u* where the reference has *y z k*.",
        "The words *p q r* are extra; the output has them at the start, before *a*.",
    ],
    # Punctuation is not a word, and is reported at once.
    ("we meet at noon", "“We meet”, at noon."): [
        "Punctuation differs: the output lacks *“ ” , .*.",
        "Only the case differs: the output has *we* for *We*.",
        IN_ORDER,
    ],
    ("we meet!", "we meet?"): [
        "The words equal those of the reference.",
        "Punctuation differs: the output lacks *?* and adds *!*.",
    ],
    ("we , meet", "we meet,"): [
        (
            "The words equal those of the reference; only spaces or the place of "
            "punctuation differ."
        ),
    ],
}


@pytest.mark.parametrize(("texts", "expected"), (ORDER | WORDS).items())
def test_findings_are_what_a_person_would_say(texts, expected):
    assert sentences(*texts) == expected


def test_other_forms_name_the_matcher():
    assert sentences("the cats sat", "the cat sat", alignment=STEMS) == [
        "The output has *cats* for *cat* (same stem).",
        IN_ORDER,
    ]


def test_links_from_a_file_are_called_aligned():
    hyp = Annotated("le chat", {"links": (as_links([(0, 0), (1, 1)]),)})
    assert sentences(hyp, "the cat") == [
        "The output has *le* for *the* (matched by link).",
        "The output has *chat* for *cat* (matched by link).",
        IN_ORDER,
    ]


def test_long_stretches_are_quoted_by_their_ends():
    words = [f"w{i}" for i in range(20)]
    hyp = " ".join([*words[15:], *words[:15]])
    assert sentences(hyp, " ".join(words)) == [
        "The block *w15 w16 w17 w18 w19* moved before *w0 w1 w2 w3 … w12 w13 w14*."
    ]


def test_many_blocks_are_named_by_first_and_last():
    perm = [*range(9, 0, -1)]
    (only,) = explain_permutation(perm).findings
    assert only.text == "The 9 words from *9* to *1* are in reverse order."
    shuffled = [3, 6, 9, 1, 4, 7, 2, 5, 8]
    (only,) = explain_permutation(shuffled).findings
    assert only.kind == "shuffled"
    assert only.text == "The 9 words from *3* to *8* are shuffled."


def tree(text, heads, relations):
    """Return a text with its tree."""
    words = tuple(text.split())
    made = DependencyTree(
        words, tuple(map(int, heads.split())), tuple(relations.split())
    )
    return Annotated(text, {"tree": made})


RELATIONS = [
    (
        ("the mat sat on the cat", "2 3 0 6 6 3", "det nsubj root case det obl"),
        ("a cat sat on some mat", "2 3 0 6 6 3", "det nsubj root case det obl"),
        # The largest subtree comes first.
        [
            "*mat* depends on *sat* as obl in the reference, as nsubj in the output.",
            "*cat* depends on *sat* as nsubj in the reference, as obl in the output.",
            (
                "*on* depends on *mat* as case in the reference, on *cat* as case in "
                "the output."
            ),
        ],
    ),
    (
        ("cat sat mat", "3 3 0", "obj amod root"),
        ("cat sat mat", "2 0 2", "nsubj root obj"),
        # Equal words, other trees: the findings say so.
        [
            (
                "*sat* is the root in the reference, but depends on *mat* as amod in "
                "the output."
            ),
            (
                "*cat* depends on *sat* as nsubj in the reference, on *mat* as obj in "
                "the output."
            ),
            (
                "*mat* depends on *sat* as obj in the reference, but is the root in "
                "the output."
            ),
        ],
    ),
    # A head that was replaced is still the same head.
    (
        ("cats slumber", "2 0", "nsubj root"),
        ("cats sleep", "2 0", "nsubj root"),
        [],
    ),
    # Punctuation comes last.
    (
        (". cats we saw", "2 4 4 0", "punct obj nsubj root"),
        ("we saw cats .", "2 0 2 2", "nsubj root nsubj punct"),
        [
            "*cats* depends on *saw* as nsubj in the reference, as obj in the output.",
            (
                "*.* depends on *saw* as punct in the reference, on *cats* as punct in "
                "the output."
            ),
        ],
    ),
]


@pytest.mark.parametrize(("hyp", "ref", "expected"), RELATIONS)
def test_relations_name_head_and_label_on_both_sides(hyp, ref, expected):
    result = explain(tree(*hyp), tree(*ref), metrics=["wer"]).findings
    assert [f.text for f in result if f.kind == "relation"] == expected


def badly_parsed(size):
    """Return a text whose words all have other heads than in its reference."""
    words = " ".join(f"w{number}" for number in range(size))
    heads = [" ".join(map(str, one)) for one in (range(size), range(2, size + 2))]
    last = heads[1].split()[:-1]
    labels = "root" + " dep" * (size - 1)
    return explain(
        tree(words, heads[0], labels),
        tree(words, " ".join([*last, "0"]), "dep " * (size - 1) + "root"),
        metrics=["wer"],
    )


@pytest.mark.parametrize("size", [7, 8, 40])
def test_only_the_most_important_relations_are_reported(size):
    result = badly_parsed(size)
    relations = [
        finding.text for finding in result.findings if finding.kind == "relation"
    ]
    assert len(relations) == size
    # The whole reference depends on its last word.
    assert relations[0].startswith(f"*w{size - 1}* is the root in the reference")
    short = shorten(result.findings)
    text = " ".join(result.to_text().split())
    assert [finding.text for finding in short[1:7]] == relations[:6]
    if size == 7:
        assert short == list(result.findings)
        assert "more words" not in text
        return
    left = (
        f"{size - 6} more words differ in head or relation; the JSON output has all "
        "of them."
    )
    assert [finding.text for finding in short[7:]] == [left]
    assert left in text
    assert left in result.to_html()
    assert left in repr(result)
    assert len(result.to_dict()["findings"]) == size + 1
    everything = " ".join(render_text(result, relations=None).split())
    assert relations[-1] in everything
    assert left not in everything
    assert left not in render_page([result], relations=None)


def test_findings_are_cut_to_the_heaviest_and_the_rest_is_counted():
    hyp = " ".join(f"a{i} x{i}" for i in range(40))
    result = explain(hyp, " ".join(f"a{i} y{i}" for i in range(40)), metrics=["wer"])
    short = shorten(result.findings)
    assert short[0].text.startswith("40 of the output's 80 words and 40 of the")
    assert len(short) == 13
    assert short[-1].text == (
        "30 less important findings; the JSON output has all of them."
    )
    assert len(result.to_dict()["findings"]) == 42
    assert shorten(result.findings, None) == list(result.findings)


def test_flattened_trees_have_no_findings_on_relations():
    result = explain("b a", "a b", metrics=["wer"]).findings
    assert {finding.kind for finding in result} == {"moved"}


@given(st.permutations(range(1, 9)))
def test_moved_blocks_are_where_the_sentence_says(perm):
    """Read the sentence and look whether it is true."""
    result = explain_permutation(perm)
    for finding in result.findings:
        if finding.kind != "moved":
            continue
        noun, moved, where, other, _ = finding.pieces
        first = [list(perm).index(int(value)) for value in moved.split()]
        second = [list(perm).index(int(value)) for value in other.split()]
        assert noun == ("The word " if len(first) == 1 else "The block ")
        # Neighbours in the output, and the other way round in the reference.
        values, rest = list(map(int, moved.split())), list(map(int, other.split()))
        if where == " moved before ":
            assert max(first) + 1 == min(second)
            assert max(rest) < min(values)
        else:
            assert where == " moved after "
            assert max(second) + 1 == min(first)
            assert max(values) < min(rest)
        assert len(first) <= len(second)


@given(st.permutations(range(1, 9)))
def test_every_disorder_is_found_and_nothing_else(perm):
    result = explain_permutation(perm)
    if list(perm) == sorted(perm):
        assert [finding.kind for finding in result.findings] == ["same"]
        return
    assert {f.kind for f in result.findings} <= {"moved", "reversed", "shuffled"}
    turned = [b for b in result.order.forest.walk() if b.kind in ("inverted", "prime")]
    assert len(result.findings) == len(turned) > 0
    # What moves most words comes first: all but the largest part of a block moved.
    most = max(len(b) - max(map(len, b.children)) for b in turned)
    first = result.findings[0]
    if first.kind == "moved":
        assert len(first.hyp) == most
    else:
        assert len(first.hyp) > most


@given(
    st.lists(st.sampled_from("abcdefg"), max_size=8),
    st.lists(st.sampled_from("abcdefg"), max_size=8),
)
def test_every_unaligned_word_is_in_one_finding(hyp, ref):
    result = explain(" ".join(hyp), " ".join(ref), metrics=["wer"])
    loose = set(range(len(hyp))) - {h for m in result.matches for h, _ in m.pairs}
    lost = set(range(len(ref))) - {r for m in result.matches for _, r in m.pairs}
    kinds = ("missing", "extra", "replaced")
    named = [f for f in result.findings if f.kind in kinds]
    assert sorted(h for f in named for h in f.hyp) == sorted(loose)
    assert sorted(r for f in named for r in f.ref) == sorted(lost)

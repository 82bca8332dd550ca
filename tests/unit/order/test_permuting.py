# SPDX-License-Identifier: Apache-2.0
"""Permuted sentences: what holds for all of them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, UnknownNameError
from tertium.order.damage import (
    KINDS,
    Edit,
    Source,
    Truecaser,
    generate,
    permute,
    replay,
    split_tokens,
)

words = st.sampled_from(["a", "b", "Ann", "to", "To", "cat", "she's", "über", "U.S"])
leads = st.sampled_from(["", "", "", "(", '"', "('"])
trails = st.sampled_from(["", "", "", ",", ".", "?)", '."', " ,", " . ''"])
tags = st.sampled_from(["N", "V", "D"])
TRUECASER = Truecaser.train(["x a b Ann to to To cat über", "y she's Über"])


@st.composite
def sources(draw, *, max_size: int = 14):
    n = draw(st.integers(0, max_size))
    text = " ".join(draw(leads) + draw(words) + draw(trails) for _ in range(n))
    # Any tree: a word hangs on the root or on a word drawn before it.
    ranks = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for index, word in enumerate(ranks):
        heads[word - 1] = draw(st.sampled_from([0, *ranks[:index]]))
    word_tags = [draw(tags) for _ in range(n)]
    return Source.parse(text, tags=word_tags, heads=heads)


def marks(source):
    return Counter("".join(word.lead + word.trail for word in source.words))


@given(sources(), sources(), st.sampled_from(sorted(KINDS)), st.integers(1, 18))
def test_what_holds_for_every_permutation(source, hyp, kind, degree):
    made = permute(source, kind, degree, hyp=hyp, truecaser=TRUECASER)
    if made is None:
        return
    assert made == permute(source, kind, degree, hyp=hyp, truecaser=TRUECASER)
    n = len(source.words)
    assert sorted(made.permutation) == list(range(1, n + 1))

    # Every word once, but for those replaced.
    out = Source.parse(made.text).cores
    new = {edit.words[0]: edit.new for edit in made.edits if edit.op == "replace"}
    expected = [new.get(i, source.cores[i - 1]) for i in made.permutation]
    assert [w.casefold() for w in out] == [w.casefold() for w in expected]
    assert [w.casefold() for w in out] != [w.casefold() for w in source.cores]

    # Punctuation comes from the source; what ends the sentence still does.
    assert marks(Source.parse(made.text)) <= marks(source)
    assert made.text.endswith(source.words[-1].trail)

    # The log says as much as is needed to do it again.
    edits = [Edit.from_record(json.loads(json.dumps(e.record()))) for e in made.edits]
    again = replay(source, edits)
    assert (again.text, tuple(i + 1 for i in again.order)) == (
        made.text,
        made.permutation,
    )


@given(sources(), sources(), st.sampled_from(sorted(KINDS)), st.integers(1, 18))
def test_the_degree_is_the_number_of_words_changed(source, hyp, kind, degree):
    made = permute(source, kind, degree, hyp=hyp)
    if made is None:
        return
    ops = {
        op: [number for e in made.edits if e.op == op for number in e.words]
        for op in ("move", "swap", "phrase", "replace", "case")
    }
    used = {"order": ["move"], "choice": ["replace"], "both": ["move", "replace"]}
    for op in used.get(kind, [kind]):
        assert len(ops[op]) == len(set(ops[op])) == degree
        del ops[op]
    assert not any(ops.values())
    if kind == "swap":
        assert sum(i != v for i, v in enumerate(made.permutation, 1)) == degree
    if kind in ("order", "both"):
        moves = [edit for edit in made.edits if edit.op == "move"]
        assert [abs(e.to - e.at) for e in moves] == list(range(degree, 0, -1))
    if kind == "phrase":
        moved = {number for edit in made.edits for number in edit.words}
        kept = [number for number in made.permutation if number not in moved]
        assert kept == sorted(kept)
        assert all(len(edit.words) <= 9 for edit in made.edits)
    if kind == "choice":
        assert list(made.permutation) == sorted(made.permutation)


@given(sources(), st.integers(1, 9))
def test_swap_keeps_punctuation_in_its_slot_and_tags_in_order(source, pairs):
    made = permute(source, "swap", 2 * pairs)
    if made is None:
        return
    after = Source.parse(made.text).words
    assert [w[1:3] for w in after] == [w[1:3] for w in source.words]
    assert tuple(source.tags[i - 1] for i in made.permutation) == source.tags


@given(sources(max_size=7), st.integers(1, 3))
def test_swap_is_rejected_only_where_there_are_no_such_pairs(source, pairs):
    forms = [core.casefold() for core in source.cores]
    legal = [
        pair
        for pair in combinations(range(len(forms)), 2)
        if source.tags[pair[0]] == source.tags[pair[1]]
        and forms[pair[0]] != forms[pair[1]]
    ]
    possible = any(
        len({place for pair in some for place in pair}) == 2 * pairs
        for some in combinations(legal, pairs)
    )
    for seed in range(3):
        assert (permute(source, "swap", 2 * pairs, seed=seed) is not None) == possible
    assert permute(source, "swap", 2 * pairs - 1) is None


def below(heads, number):
    """Return a word and all that hangs on it, counted from 1."""
    below_word = {number}
    for _ in heads:
        below_word |= {i for i, head in enumerate(heads, 1) if head in below_word}
    return tuple(sorted(below_word))


@given(sources(), st.integers(1, 12))
def test_phrases_are_subtrees_that_move_to_the_edges_of_others(source, degree):
    made = permute(source, "phrase", degree)
    if made is None:
        return
    subtrees = {below(source.heads, i) for i in range(1, len(source.words) + 1)}
    moved = {number for edit in made.edits for number in edit.words}
    edges = {subtree[0] for subtree in subtrees} - moved
    for count, edit in enumerate(made.edits, 1):
        assert edit.words in subtrees
        assert edit.words[-1] - edit.words[0] + 1 == len(edit.words)
        after = replay(source, made.edits[:count]).order
        end = edit.to - 1 + len(edit.words)
        assert after[edit.to - 1 : end] == [number - 1 for number in edit.words]
        assert end == len(after) or after[end] + 1 in edges
    sizes = [len(edit.words) for edit in made.edits]
    assert sizes == sorted(sizes, reverse=True)


@given(sources(), sources(), st.integers(1, 6))
def test_new_words_have_the_same_tag_and_are_new(source, hyp, degree):
    made = permute(source, "choice", degree, hyp=hyp)
    if made is None:
        return
    offered = set(zip(hyp.cores, hyp.tags, strict=True))
    seen = {core.casefold() for core in source.cores}
    for edit in made.edits:
        assert (edit.new, source.tags[edit.at - 1]) in offered
        assert edit.new.casefold() not in seen
        seen.add(edit.new.casefold())


@given(st.text(max_size=30), st.integers(1, 4), st.sampled_from(["thesis", "wide"]))
def test_any_text_can_be_permuted_and_replayed(text, degree, punctuation):
    source = Source.parse(text, punctuation=punctuation)
    caser = Truecaser.train([text, f"x {text}"], punctuation=punctuation)
    made = permute(source, "order", degree, truecaser=caser)
    if made is not None:
        again = Source.parse(made.source, punctuation=punctuation)
        assert replay(again, made.edits).text == made.text
    elif degree < len(source.words):
        assert len({core.casefold() for core in source.cores}) < len(source.words)


@given(sources(), st.lists(sources(), max_size=3), st.integers(0, 3))
def test_other_sentences_change_nothing(source, others, at):
    alone = [made for _, made in generate([source], kinds=["order", "phrase"])]
    others = [other for other in others if other.text != source.text]
    at = min(at, len(others))
    mixed = generate([*others[:at], source, *others[at:]], kinds=["order", "phrase"])
    assert [made for number, made in mixed if number == at + 1] == alone


@given(sources(), st.sampled_from(["order", "swap", "phrase"]))
def test_other_degrees_and_kinds_change_nothing(source, kind):
    everything = generate([source], kinds=["order", "swap", "phrase"])
    some = [made for _, made in everything if (made.kind, made.degree) == (kind, 2)]
    alone = permute(source, kind, 2)
    assert some == ([alone] if alone else [])


def test_equal_sentences_get_results_of_their_own():
    source = Source.parse(" ".join("abcdefghijkl"))
    made = [one.text for _, one in generate([source] * 5, degrees=[4])]
    assert len(set(made)) == 5
    assert made[:2] == [one.text for _, one in generate([source] * 2, degrees=[4])]


def test_results_are_the_same_everywhere():
    """A change of this is a change of all surveys made with a seed."""
    source = Source.parse("The quick brown fox jumps over the lazy dog.")
    made = permute(source, "order", 4, seed=0)
    assert made.text == "jumps quick The brown lazy over the fox dog."


# ----------------------------------------------------------------- words and marks


def test_punctuation_is_cut_off_as_the_thesis_says():
    words = split_tokens(["(`He", "said:", "'dogs',", "she's", '"no."'])
    assert [word[:3] for word in words] == [
        ("He", "(`", ""),
        ("said", "", ":"),
        ("dogs", "'", "',"),
        ("she's", "", ""),
        ("no", '"', '."'),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so , yes .", [("so", "", " ,"), ("yes", "", " .")]),
        ("( a ) b", [("a", "( ", " )"), ("b", "", "")]),
        ("he said `` no ''", [("he", "", ""), ("said", "", ""), ("no", "`` ", " ''")]),
        ('" a (', [("a", '" ', " (")]),
        ("... !", []),
        ("a - b", [("a", "", ""), ("-", "", ""), ("b", "", "")]),
    ],
)
def test_free_punctuation_belongs_to_a_word(text, expected):
    assert [word[:3] for word in split_tokens(text.split())] == expected


def test_other_scripts_have_other_punctuation():
    text = "„Ja“, „nein…“"
    assert [w.core for w in split_tokens(text.split())] == ["„Ja“", "„nein…“"]
    wide = Source.parse(text, punctuation="wide")
    assert wide.cores == ("Ja", "nein")
    assert wide.text == text
    with pytest.raises(UnknownNameError, match="did you mean wide"):
        split_tokens([], punctuation="wid")


@given(st.lists(st.text("ab(.,\"'` )", max_size=4).map(str.strip), max_size=8))
def test_no_character_is_lost(tokens):
    text = " ".join(" ".join(tokens).split())
    source = Source.parse(text)
    assert source.text == (text if source.words else "")


def test_no_break_spaces_hold_words_together():
    source = Source.parse("Il dit\xa0: 25\u202f000 francs\xa0!")
    assert [word[:3] for word in source.words] == [
        ("Il", "", ""),
        ("dit", "", "\xa0:"),
        ("25\u202f000", "", ""),
        ("francs", "", "\xa0!"),
    ]
    parsed = Source.from_parse([("25 000", [1]), ("francs.", [2, 3])], heads=[2, 0, 2])
    assert parsed.text == "25\xa0000 francs."
    assert Source.parse(parsed.text).cores == parsed.cores


# --------------------------------------------------------------------------- parses


@st.composite
def parses(draw):
    n = draw(st.integers(0, 9))
    ranks = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for index, word in enumerate(ranks):
        heads[word - 1] = draw(st.sampled_from([0, *ranks[:index]]))
    forms = [draw(st.sampled_from(["a", "b", ".", "(", "-"])) for _ in range(n)]
    tokens: list[tuple[str, tuple[int, ...]]] = []
    for number, form in enumerate(forms, 1):
        old = tokens.pop() if tokens and draw(st.booleans()) else ("", ())
        tokens.append((old[0] + form, (*old[1], number)))
    puncts = {i for i, form in enumerate(forms, 1) if not form.isalpha()}
    return tokens, heads, puncts


@given(parses())
def test_parts_of_tokens_become_a_tree_of_words(parse):
    tokens, heads, puncts = parse
    tags = [f"t{number}" for number in range(1, len(heads) + 1)]
    source = Source.from_parse(tokens, heads=heads, tags=tags, puncts=puncts)
    for number, word in enumerate(source.words, 1):
        numbers = tokens[word.token][1]
        top = int(source.tags[number - 1][1:])
        assert top in numbers
        assert top not in puncts or puncts.issuperset(numbers)
        head = source.heads[number - 1]
        assert head != number
    assert sum(head == 0 for head in source.heads) >= (1 if source.words else 0)


def test_a_phrase_with_its_comma_is_a_phrase():
    # "In the end, we left." with a comma that hangs on the verb.
    source = Source.from_parse(
        [("In", [1]), ("the", [2]), ("end,", [3, 4]), ("we", [5]), ("left.", [6, 7])],
        heads=[3, 3, 6, 6, 6, 0, 6],
        puncts={4, 7},
    )
    assert source.heads == (3, 3, 5, 5, 0)
    results = {permute(source, "phrase", 3, seed=seed).text for seed in range(60)}
    assert "we left In the end." in results


# ------------------------------------------------------------------------ truecaser


def test_a_capital_needs_twice_the_count():
    caser = Truecaser.train(["x Cook Cook cook", "Mary may May may", "x US us"])
    assert [caser.true(w) for w in ("cook", "May", "mary", "US", "us")] == [
        "Cook",
        "may",
        "mary",  # never but as a first word
        "US",
        "us",
    ]


@given(st.text(max_size=5))
def test_truecasing_changes_one_letter_at_most(word):
    for capital in (True, False):
        caser = Truecaser({word[:1].lower() + word[1:]: capital})
        assert caser.true(word)[1:] == word[1:]


def test_the_first_word_gets_a_capital_if_the_source_has_one():
    caser = Truecaser.train(["x the cat sat"])
    for text, expected in (("The cat", "Cat the"), ("the cat", "cat the")):
        assert permute(Source.parse(text), "order", 1, truecaser=caser).text == expected


# --------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: permute(s, "oder", 1), "unknown kind of permutation 'oder'; did"),
        (lambda s: permute(s, "order", 0), "degree 0 moves no word"),
        (lambda s: permute(s, "swap", 2), "swap needs parts of speech"),
        (lambda s: permute(s, "phrase", 2), "phrase needs trees"),
        (lambda s: list(generate([s, s], kinds=["phrase"])), "sentence 1: phrase need"),
        (lambda s: list(generate([s, s], hyps=[s])), "no hypothesis for sentence 2"),
        (lambda s: list(generate([s], hyps=[s, s])), "more hypotheses than the 1"),
        (lambda s: Source(s.words, tags=("N",)), "3 words have 1 tags"),
        (lambda s: Source(s.words, heads=(2, 1, 0)), "heads are not a tree: word 1"),
        (lambda s: Source(s.words, heads=(4, 0, 2)), "heads are not a tree: word 1"),
        (lambda s: Edit.from_record({"op": "move"}), "is not an edit"),
        (lambda s: replay(s, [Edit("move", 1, 4, (1,), ("a",))]), "does not fit a se"),
        (lambda s: replay(s, [Edit("move", 1, 1, (1,), ("a",))]), "does not fit a se"),
        (lambda s: replay(s, [Edit("move", 1, 2, (1,), ("b",))]), "expects 'b', found"),
        (lambda s: replay(s, [Edit("swap", 2, 1, (1, 2), ("a", "b"))]), "expects"),
    ],
)
def test_wrong_use_says_what_and_how(call, message):
    with pytest.raises(InputError, match=message):
        call(Source.parse("a b, c"))


def test_choice_needs_a_hypothesis_with_tags():
    source = Source.parse("a b", tags=["N", "V"])
    with pytest.raises(InputError, match="choice takes words from a hypothesis"):
        permute(source, "choice", 1)
    with pytest.raises(InputError, match="give a hypothesis with tags"):
        permute(source, "both", 1, hyp=Source.parse("c d"))
    hyp = Source.parse("B c, A d d", tags=["V", "V", "N", "N", "N"])
    made = permute(source, "choice", 2, hyp=hyp)
    assert made.text == "d c"
    assert permute(source, "choice", 3, hyp=hyp) is None


def test_no_words_no_permutation():
    for kind in KINDS:
        assert permute(Source.parse("..."), kind, 1, hyp=Source.parse("")) is None

# SPDX-License-Identifier: Apache-2.0
"""Semantic roles: their files and their overlap, against its twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from oracles import structure as oracle
from tertium import FormatError, InputError
from tertium.cli import main
from tertium.learn.features.blocks import Resources, block
from tertium.learn.features.role_files import read_roles, role_key
from tertium.learn.features.roles import SemanticRoles

words = st.sampled_from(["she", "He", "book", "give"])
#: Texts as words with a predicate or none, and roles as (predicate's place, name).
sentences = st.lists(
    st.tuples(
        words,
        st.sampled_from(["", "give.01", "read.01"]),
        st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["A0", "A1"]))),
    ),
    min_size=1,
    max_size=4,
)


def misc(predicate, roles):
    parts = [f"Pred={predicate}"] if predicate else []
    if roles:
        parts.append("Role=" + ",".join(f"{at}:{name}" for at, name in roles))
    return "|".join(parts) or "_"


def conllu(sentence, text):
    rows = [f"# text = {text}"]
    for number, (form, predicate, roles) in enumerate(sentence, start=1):
        row = [str(number), form, form.lower(), *"___", str(number - 1), "dep", "_"]
        rows.append("\t".join([*row, misc(predicate, roles)]))
    return "\n".join(rows) + "\n\n"


def possible(sentence):
    """Return the sentence with roles of predicates alone."""
    known = {n for n, (_, pred, _) in enumerate(sentence, start=1) if pred}
    return [(w, p, [r for r in roles if r[0] in known]) for w, p, roles in sentence]


def triples(sentence):
    return [
        (sentence[at - 1][1], name, form.lower())
        for form, _, roles in sentence
        for at, name in roles
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("roles")


@settings(max_examples=80, deadline=None)
@given(hyp=sentences, ref=sentences)
def test_overlap(folder, hyp, ref):
    hyp, ref = possible(hyp), possible(ref)
    path = folder / "both.conllu"
    more = [("sleeps", "sleep.01", []), ("she", "", [(1, "A0")])]
    path.write_text(conllu(hyp, "H") + conllu(ref, "R") + conllu(more, "M"), "utf-8")
    one = SemanticRoles(("p", "r"), symmetric=False, path=str(path))
    p, r = oracle.role_overlap(triples(hyp), triples(ref))
    assert one.features(["H"], ["R"])[0] == pytest.approx([p, r], abs=1e-12)
    both = SemanticRoles(("min", "max", "f1"), path=str(path))
    f = 2 * p * r / (p + r) if p + r else 0.0
    expected = pytest.approx([min(p, r), max(p, r), f], abs=1e-12)
    assert both.features(["H"], ["R"])[0] == expected
    assert both.features(["R"], ["H"])[0] == expected
    assert both.features(["R"], ["R"])[0].tolist() == [1.0, 1.0, 1.0]


GIVEN = [("She", "", [(2, "A0")]), ("gave", "give.01", []), ("books", "", [(2, "A1")])]
READ = [("She", "", [(2, "A0")]), ("gave", "give.01", []), ("book", "", [(2, "A1")])]


@pytest.fixture
def roles(tmp_path):
    path = tmp_path / "roles.conllu"
    texts = {"She gave books": GIVEN, "she gave book": READ, "Yes .": [("Yes", "", [])]}
    path.write_text("".join(conllu(one, text) for text, one in texts.items()), "utf-8")
    return str(path)


def test_fillers_are_words_or_lemmas(roles):
    form = SemanticRoles(("f1",), path=roles)
    assert form.features(["She  gave books"], ["she gave book"])[0, 0] == 0.5
    assert form.features(["Yes ."], ["she gave book"])[0, 0] == 0
    assert form.features([""], ["Yes ."])[0, 0] == 1
    assert role_key(" A  b") == "a b"
    # The lemmas of these files are their words in lower case.
    cased = SemanticRoles(("f1",), lowercase=False, path=roles)
    assert cased.features(["She gave books"], ["she gave book"])[0, 0] == 0.5
    lemma = SemanticRoles(("f1",), filler="lemma", lowercase=False, path=roles)
    assert lemma._triples("She gave books")["give.01", "A0", "she"] == 1


def test_without_roles_the_message_says_what_is_needed(roles):
    roles_block = block({"kind": "roles"}, where="here")
    assert roles_block.uses == ("roles",)
    with pytest.raises(InputError, match=r"CoNLL-U file.*roles=PATH"):
        roles_block.features(["a"], ["a"])
    result = roles_block.equipped(Resources(roles=roles))
    with pytest.raises(InputError, match=r"'unseen' is not in .*roles.conllu"):
        result.features(["unseen"], ["she gave book"])


def test_round_trip_without_the_path(roles):
    result = SemanticRoles().equipped(Resources(roles=roles))
    again = block(result.to_json(), where="here")
    assert again.to_json() == result.to_json()
    assert again.names == result.names == ("role.min", "role.max", "role.f1")
    assert block({"kind": "roles", "symmetric": False}, where="").names[0] == "role.p"


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("Role=9:A0", "word 1 has Role=9:A0; there is no Pred= at word 9"),
        ("Role=1:A0", "there is no Pred= at word 1"),
        ("Role=A0", "write Role=2:ARG0"),
        ("Pred=give.01", "holds no semantic roles"),
    ],
)
def test_wrong_files(tmp_path, column, message):
    path = tmp_path / "bad.conllu"
    path.write_text(f"1\ta\ta\t_\t_\t_\t0\troot\t_\t{column}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_roles(str(path))


def test_a_text_has_one_set_of_roles(tmp_path):
    path = tmp_path / "twice.conllu"
    path.write_text(conllu(GIVEN, "x") * 2, "utf-8")
    assert len(read_roles(str(path))["x"]) == 2
    path.write_text(conllu(GIVEN, "x") + conllu(READ, "X"), "utf-8")
    with pytest.raises(FormatError, match="twice with other roles"):
        read_roles(str(path))
    with pytest.raises((FormatError, InputError), match="none"):
        read_roles(str(tmp_path / "none.conllu"))


def test_a_metric_with_roles_is_trained_and_scores(tmp_path, capsys):
    """From files alone: train, then score with the same file of roles."""
    books = ["She gave books", "He gave books", "books gave She"]
    text = "".join(
        conllu([(a, "", [(2, "A0")]), (b, "give.01", []), (c, "", [(2, "A1")])], line)
        for line in books
        for a, b, c in [line.split()]
    )
    (tmp_path / "roles.conllu").write_text(text, "utf-8")
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\n[[features]]\nkind = "roles"\n', "utf-8"
    )
    rows = ["id\tref\tA\tB"]
    rows += [f"{n}\t{books[0]}\t{books[0]}\t{books[2]}" for n in range(1, 7)]
    (tmp_path / "set.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    pairs = ["segment\tbetter\tworse", *(f"{n}\tA\tB" for n in range(1, 7))]
    (tmp_path / "pairs.tsv").write_text("\n".join(pairs) + "\n", "utf-8")
    value = f"roles={tmp_path / 'roles.conllu'}"
    model = tmp_path / "mine.json"
    command = ["train", "-t", tmp_path / "set.tsv", "-J", tmp_path / "pairs.tsv"]
    command += ["--profile", tmp_path / "mine.toml", "--resource", value, "--valid"]
    command += ["none", "--regularisation", "1", "--weights", "rising", "-o", model]
    assert main([str(part) for part in command]) == 0, capsys.readouterr().err
    metric = tertium.metric(f"beer:model={model},{value}")
    scores = metric.segment_scores(books, [books[0]] * 3)
    assert scores[0] == 1.0 > scores[1] > scores[2]
    assert "roles:roles.conllu" in metric.signature

# SPDX-License-Identifier: Apache-2.0
"""Profiles: named ones, TOML files, and what is wrong with them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tertium
from tertium.data.annotated import Annotated, layer
from tertium.errors import UntrustedError
from tertium.learn.features import Resources, block
from tertium.learn.profile import Profile, profile, profile_names

OWN = """
name = "mine"
summary = "characters"
lowercase = true
[[features]]
kind = "units"
units = ["char1", "word1"]
values = ["p", "f0.5"]
symmetric = false
[[features]]
kind = "length"
of = ["char"]
"""


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(OWN, encoding="utf-8")
    return profile(str(path))


@pytest.mark.parametrize(
    ("name", "count", "groups"),
    [
        ("beer-2.0", 57, {"char": 25, "word": 20, "skip": 10, "length": 2}),
        ("beer-3.0", 57, {"char": 25, "word": 20, "skip": 10, "length": 2}),
        ("beer-2.0-released", 62, {"char": 24, "word": 16, "skip": 20, "length": 2}),
    ],
)
def test_named_profiles_have_the_features_of_their_papers(name, count, groups):
    result = profile(name)
    assert name in profile_names()
    assert result.name == name
    assert len(set(result.names)) == len(result.names) == count
    assert {g: result.groups.count(g) for g in result.groups} == groups
    assert len(result.signs) == len(result.groups) == count
    assert result.summary
    assert result.symmetric
    assert not result.lowercase


@pytest.mark.parametrize("name", ["beer-2.0", "beer-2.0-released"])
def test_a_profile_survives_json(name):
    result = profile(name)
    again = Profile.from_json(json.loads(json.dumps(result.to_json())))
    assert again == result
    assert hash(again) == hash(result)
    assert again.names == result.names
    assert again != result.without("skip")


def test_a_profile_is_read_from_toml(written):
    assert written.names == (
        "char1.p",
        "char1.f0.5",
        "word1.p",
        "word1.f0.5",
        "length.char",
    )
    assert not written.symmetric
    row = written.features(["A b"], ["a b"])[0]
    assert row.tolist() == [1, 1, 1, 1, 0]


def test_lower_casing_keeps_layers(written):
    text = written.prepared([Annotated("A B", {"permutation": (2, 1)})])[0]
    assert text == "a b"
    assert layer(text, "permutation") == (2, 1)


@pytest.mark.parametrize("group", ["char", "word", "skip", "length"])
def test_a_group_can_be_left_out(group):
    whole = profile("beer-3.0")
    less = whole.without(group)
    kept = [i for i, one in enumerate(whole.groups) if one != group]
    assert less.names == tuple(whole.names[i] for i in kept)
    hyps, refs = ["a b c", "the cat"], ["a c", "a cat sat"]
    rows = less.features(hyps, refs)
    assert np.array_equal(rows, whole.features(hyps, refs)[:, kept])
    again = Profile.from_json(less.to_json())
    assert again.names == less.names


def test_groups_are_left_out_one_after_the_other():
    less = profile("beer-3.0").without("char").without("skip")
    assert set(less.groups) == {"word", "length"}
    with pytest.raises(tertium.InputError, match="no feature"):
        less.without("word").without("length")
    with pytest.raises(tertium.UnknownNameError, match=r"group of beer-3\.0"):
        profile("beer-3.0").without("chars")


def test_units_need_no_resource():
    model_profile = profile("beer-3.0")
    assert (
        model_profile.equipped(Resources(parser="udpipe")).names == model_profile.names
    )
    assert (
        model_profile.without("char").equipped(Resources()).names
        == model_profile.without("char").names
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "length"', 'kind = "lenght"', "unknown kind .*did you mean length"),
        ('kind = "length"', "", "kind is missing"),
        ("lowercase = true", "lowercased = true", "unknown key .*lowercase"),
        ("lowercase = true", "lowercase = 1", "lowercase is true or false, not 1"),
        ('name = "mine"', "", "name is missing"),
        ('of = ["char"]', 'of = ["chars"]', "value of of .*choose|did you mean char"),
        ('of = ["char"]', 'off = ["char"]', "unknown key in .*table 2"),
        ('of = ["char"]', "empty = 0", "empty must be at least 1"),
        ('of = ["char"]', "empty = true", "empty is a number"),
        ('"word1"', '"word65"', "word65 is too long"),
        ('"word1"', '"words"', "'words' is not a unit"),
        ('"word1"', '"char1"', "char1' twice"),
        ('"word1"', "3", "list of texts"),
        ('values = ["p", "f0.5"]', "values = []", "must not be empty"),
        ('"p"', '"min"', "'min' is not a value of units with symmetric = false"),
        ("symmetric = false", "symmetric = true", "'p' is not a value"),
        ("symmetric = false", 'empty = "none"', "unknown value of empty"),
        ("[[features]]", "[[features", "write TOML"),
        ('of = ["char"]', 'without = ["char"]', "unknown group"),
        ('of = ["char"]', 'without = "length"', "without is a list"),
    ],
)
def test_errors_say_where_and_what_to_do(tmp_path, old, new, message):
    path = tmp_path / "wrong.toml"
    path.write_text(OWN.replace(old, new), encoding="utf-8")
    with pytest.raises(tertium.InputError, match=message) as caught:
        profile(str(path))
    assert str(path) in str(caught.value)


def test_a_feature_is_there_once():
    table = {"kind": "length", "of": ["word"]}
    with pytest.raises(tertium.InputError, match=r"length\.word twice"):
        Profile.from_json({"name": "x", "features": [table, table]})


def test_no_table_is_an_error():
    with pytest.raises(tertium.InputError, match="not a table"):
        Profile.from_json(["x"])
    with pytest.raises(tertium.InputError, match="no feature"):
        Profile.from_json({"name": "x"})
    with pytest.raises(tertium.InputError, match="list of"):
        Profile.from_json({"name": "x", "features": "units"})
    with pytest.raises(tertium.InputError, match="not a table"):
        block(3, where="here")


def test_an_unknown_profile_lists_near_ones():
    with pytest.raises(tertium.UnknownNameError, match=r"did you mean beer-3\.0"):
        profile("beer-3")


def test_lengths_must_agree():
    with pytest.raises(tertium.InputError, match="2 texts but 1 references"):
        profile("beer-3.0").features(["a", "b"], ["a"])


def test_files_of_a_profile_lie_in_its_folder(tmp_path, monkeypatch):
    """Words of a profile become part of models, which people publish."""
    folder = tmp_path / "profile"
    folder.mkdir()
    path = folder / "p.toml"
    table = 'name = "p"\n[[features]]\nkind = "matches"\nfunction_words_file = "{}"\n'
    (folder / "words").write_text("the\n", encoding="utf-8")
    (tmp_path / "secret").write_text("hunter2\n", encoding="utf-8")
    (folder / "link").symlink_to(tmp_path / "secret")
    path.write_text(table.format("words"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert profile(str(path)).blocks[0].function_words == ("the",)
    for name in ("../secret", tmp_path / "secret", "link"):
        path.write_text(table.format(name), encoding="utf-8")
        with pytest.raises(UntrustedError, match="lies outside the profile's folder"):
            profile(str(path))

# SPDX-License-Identifier: Apache-2.0
"""Word lists: what they hold, and files that are not what they say."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _core
from tertium.errors import FormatError, InputError
from tertium.text.wordlists import (
    count_lexemes,
    find_word_list,
    make_word_list,
    read_word_list,
    shipped_word_lists,
)

counts = st.dictionaries(
    st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=8),
    st.integers(1, 10**6),
    min_size=1,
    max_size=60,
)


def hash_of(word: str) -> int:
    """FNV-1a with a final mix, by the definition."""
    value = 0xCBF29CE484222325
    for byte in word.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    value = ((value ^ (value >> 33)) * 0xFF51AFD7ED558CCD) % 2**64
    return value ^ (value >> 33)


@given(st.text(st.characters(blacklist_categories=("Cs",)), max_size=20))
def test_hashes_are_the_same_on_every_machine(word):
    assert _core.word_hash(word) == hash_of(word)


@given(counts)
def test_every_word_has_the_frequency_it_was_counted_with(words):
    from math import log10

    made = make_word_list(words, language="xx", source="test", licence="none", least=0)
    total = sum(words.values())
    marks = {(hash_of(word) >> 48, hash_of(word) % 2**20) for word in words}
    if len(marks) == len(words):  # no two words look the same
        for word, number in words.items():
            zipf = log10(number / total) + 9
            assert abs(made.zipf(word) - zipf) <= 0.0501


def test_a_list_survives_its_file(tmp_path):
    made = make_word_list(
        count_lexemes(["The cat sat.", "The dog’s 1,000 fleas"]),
        language="en",
        source="two lines",
        licence="CC0",
    )
    made.save(tmp_path / "x.words")
    again = read_word_list(tmp_path / "x.words")
    assert again == made
    assert again.zipf("the") > again.zipf("fleas") > 0
    assert again.zipf("unheard") == 0
    assert find_word_list(str(tmp_path / "x.words")) == made


@pytest.mark.parametrize("language", shipped_word_lists())
def test_shipped_lists_are_small_and_say_where_they_come_from(language):
    words = find_word_list(language)
    assert words.language == language
    assert len(words.to_bytes()) < 1_000_000
    assert words.licence == "CC BY-SA 4.0"
    assert "wordfreq" in words.source


def test_english_is_told_from_noise_and_german():
    english = find_word_list("EN")
    assert english.zipf("the") > 7 > english.zipf("translation") > 4
    draw = random.Random(1)
    noise = ["".join(draw.choices(string.ascii_lowercase, k=9)) for _ in range(20_000)]
    assert sum(english.zipf(word) > 0 for word in noise) < 10
    for word in ("verhandlungen", "übersetzung", "geschwindigkeit"):
        assert english.zipf(word) == 0


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-1], "does not fit its first line"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "does not fit"),
        (lambda data: b"{}\n" + data, "is not a word list"),
        (lambda data: data.replace(b'"version": 1', b'"version": 9'), "version 9"),
        (lambda data: data.replace(b'"words": 3', b'"words": 4'), "is damaged"),
        (lambda _: b"", "is not a word list"),
        (lambda _: b"\xff\xfe", "is not a word list"),
    ],
)
def test_damaged_files_are_named(tmp_path, damage, message):
    words = {"the": 9, "cat": 2, "sat": 1}
    made = make_word_list(words, language="en", source="x", licence="CC0")
    path = tmp_path / "bad.words"
    path.write_bytes(damage(made.to_bytes()))
    with pytest.raises(FormatError, match=message) as error:
        read_word_list(path)
    assert str(path) in str(error.value)


def test_missing_lists_and_rare_words_are_reported(tmp_path):
    with pytest.raises(InputError, match="no word list for 'xx', only for cs, de, en"):
        find_word_list("xx")
    with pytest.raises(FormatError, match="cannot be read"):
        read_word_list(tmp_path / "none.words")
    with pytest.raises(InputError, match="no word is as frequent"):
        make_word_list({}, language="en", source="", licence="")

# SPDX-License-Identifier: Apache-2.0
"""JSON Lines test sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.data import Testset, read, stream, write
from tertium.errors import FormatError, InputError


def read_text(folder: Path, text: str) -> Testset:
    file = folder / "a.jsonl"
    file.write_bytes(text.encode())
    return read(file)


def test_all_keys_are_read(tmp_path: Path) -> None:
    text = '{"id": 7, "src": "eins", "ref": ["one", "uno"], "tgt": {"A": "1"}, '
    text += '"doc": "x", "langpair": "de-en", "mood": "calm"}\n'
    assert read_text(tmp_path, text) == Testset(
        [("one", "uno")],
        {"A": ["1"]},
        sources=["eins"],
        docs=["x"],
        ids=["7"],
        langpair="de-en",
        layers={"mood": ["calm"]},
    )


def test_references_may_be_single_and_ragged(tmp_path: Path) -> None:
    testset = read_text(tmp_path, '{"ref": "a"}\n{"ref": ["b", "c"]}\n')
    assert testset.references == [("a",), ("b", "c")]


def test_no_references_and_an_empty_list_are_the_same(tmp_path: Path) -> None:
    testset = read_text(tmp_path, '{"src": "a"}\n{"src": "b", "ref": [], "tgt": {}}\n')
    assert testset == Testset([(), ()], sources=["a", "b"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"ref": "a"}\n{"ref": a}\n', r":2: not JSON at column 9 "),
        ('{"ref": "a"}\n\n', r":2: not JSON at column 1 "),
        ("[1]\n", ":1: a list; write one object"),
        ("7\n", ":1: a number; write one object"),
        ('{"src": null}\n', ":1: 'src' is null"),
        ('{"id": true}\n', ":1: 'id' is true or false"),
        ('{"mood": 3}\n', ":1: 'mood' is a number"),
        ('{"ref": [1]}\n', ":1: 'ref' is not text"),
        ('{"ref": {"a": "b"}}\n', ":1: 'ref' is not text"),
        ('{"tgt": "a"}\n', ":1: 'tgt' is a text"),
        ('{"tgt": {"A": null}}\n', ":1: system 'A' has null"),
        ('{"tgt": {"": "a"}}\n', ":1: system '' has a text"),
        ('{"": "a"}\n', ":1: a key has no name"),
        ('{"tgt": {"A": "a", "A": "b"}}\n', ":1: not usable JSON .'A' is there twice"),
        ('{"src": "a", "src": "b"}\n', ":1: not usable JSON .'src' is there twice"),
        ('{"src": "\\ud800"}\n', ":1: half a surrogate pair"),
        ('{"tgt": {"\\uD800": "a"}}\n', ":1: half a surrogate pair"),
        ('{"src": "a"}\n{}\n', ":2: key 'src' is missing"),
        ('{"src": "a"}\n{"src": "a", "mood": "b"}\n', ":2: key 'mood' is new"),
        ('{"ref": "a"}\n{"ref": []}\n', ":2: key 'ref' is missing"),
        ('{"tgt": {"A": "a"}}\n{"tgt": {"B": "b"}}\n', ":2: system 'A' is missing"),
        ('{"tgt": {"A": "a"}}\n{}\n', ":2: system 'A' is missing"),
        ('{}\n{"tgt": {"A": "a"}}\n', ":2: system 'A' is new"),
        ('{"langpair": "de-en"}\n{"langpair": "fr-en"}\n', ":2: language pair 'fr-en'"),
        ("[" * 100_000 + "\n", ":1: not usable JSON"),
        ('{"id": ' + "1" * 5000 + "}\n", ":1: "),
    ],
)
def test_mistakes_are_named_with_their_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(FormatError, match=r"a\.jsonl" + message) as caught:
        read_text(tmp_path, text)
    assert ";" in str(caught.value)


def test_lines_are_compared_across_chunks(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"src": "a"}\n{"src": "b"}\n{"ref": "c"}\n')
    with pytest.raises(FormatError, match=":3: key 'src' is missing"):
        list(stream(file, size=2))


def test_what_is_written_is_one_object_a_line(tmp_path: Path) -> None:
    testset = Testset.build(["ä\n"], {"A": ["\u2028"]}, ids=["1"])
    write(testset, tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (
        '{"id": "1", "ref": ["ä\\n"], "tgt": {"A": "\u2028"}}\n'.encode()
    )


@pytest.mark.parametrize("name", ["id", "src", "ref", "tgt", "doc", "langpair"])
def test_layers_with_the_name_of_a_key_are_rejected(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"a layer cannot be called '{name}'"):
        write(Testset.build(["a"], layers={name: ["a"]}), tmp_path / "a.jsonl")

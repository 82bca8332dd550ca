# SPDX-License-Identifier: Apache-2.0
"""Documents of WMT 2025 and 2026 as test sets and as outputs of systems."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.data import read, stream
from tertium.data.files import TestsetFiles
from tertium.data.formats.wmtjson import is_documents, paragraphs
from tertium.errors import FormatError, InputError


@pytest.fixture
def made(tmp_path):
    """Return a function that writes a file of documents."""

    def make(name, *rows):
        path = tmp_path / name
        text = "".join(json.dumps(row) + "\n" for row in rows)
        path.write_bytes(gzip.compress(text.encode()))
        return path

    return make


def output(doc, text):
    return {"doc_id": doc, "hypothesis": text, "metadata": {"tokens": 3}}


def entry(doc, source, refs, target="isl_Latn"):
    return {
        "doc_id": doc,
        "domain": "news",
        "src_lang": "eng_Latn",
        "tgt_lang": target,
        "src_text": source,
        "refs": refs,
        "video": None,
    }


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a\n\nb", ["a", "b"]),
        ("a\n \t\n\n\nb\n\n", ["a", "b"]),
        ("a\r\n\r\nb\rc", ["a", "b c"]),
        ("<p>a <br/> b<BR>c</p>\n<p>d</p>", ["a b c", "d"]),
        ("<p class='x'>a\n\nb</p>c\n\nd", ["a b", "c", "d"]),
        ("<p></p><p>b</p>", ["", "b"]),
        ("<p>a\n<p>b", ["a", "b"]),
        ("<pre>a</pre>\u2028b", ["<pre>a</pre> b"]),
        ("", [""]),
    ],
)
def test_paragraphs_are_in_tags_or_between_blank_lines(text, parts):
    assert paragraphs(text) == parts


words = st.lists(st.from_regex(r"[a-z]{1,4}( [a-z]{1,4})?", fullmatch=True), min_size=1)


@given(parts=words, br=st.sampled_from(["<br>", "<br />", "\n"]))
def test_both_ways_to_write_paragraphs_read_the_same(parts, br):
    broken = [part.replace(" ", br) for part in parts]
    tagged = "\n".join(f"<p>{part}</p>" for part in broken)
    assert paragraphs("\n\n".join(broken)) == parts == paragraphs(tagged)


def test_outputs_follow_the_documents_of_the_reference(made):
    ref = made("ref.jsonl.gz", output("x", "One.\n\nTwo."), output("y", "Three."))
    first = made(
        "A.jsonl.gz", output("y", "3."), output("z", "?"), output("x", "<p>1.</p>2.")
    )
    second = made("B.jsonl.gz", output("x", "1\n\n2"), output("y", "3"))
    notes = []
    files = TestsetFiles(references=ref, systems={"A": first, "B": second})
    testset = files.read(on_note=notes.append)
    assert testset.references == [("One.",), ("Two.",), ("Three.",)]
    assert testset.systems == {"A": ["1.", "2.", "3."], "B": ["1", "2", "3"]}
    assert testset.docs == ["x", "x", "y"]
    assert testset.ids == ["x:1", "x:2", "y:1"]
    assert [str(note) for note in notes] == [
        f"{first} has 1 document that {ref} lacks; it is left out"
    ]
    chunks = list(stream(references=ref, systems={"A": first}, size=2))
    assert [len(chunk) for chunk in chunks] == [2, 1]


def test_other_paragraphs_name_the_document_and_resegment(made):
    ref = made("ref.jsonl", output("x", "One.\n\nTwo."), output("y", "Three."))
    hyp = made("A.jsonl", output("x", "1.\n\n2."), output("y", "3.\n\n4."))
    ref.write_bytes(gzip.decompress(ref.read_bytes()))
    hyp.write_bytes(gzip.decompress(hyp.read_bytes()))
    wanted = r"document 'y' has 1 paragraph in .*ref.jsonl and 2 in .*A.jsonl; .*`tert"
    with pytest.raises(InputError, match=wanted):
        read(references=ref, systems=[hyp])
    with pytest.raises(InputError, match=r"A.jsonl lacks document 'z'"):
        read(references=made("r.jsonl.gz", output("z", "?")), systems=[hyp, ("B", ref)])


def test_plain_references_match_by_documents_or_in_order(made, tmp_path):
    hyp = made("A.jsonl.gz", output("x", "1.\n\n2."), output("y", "3."))
    ref, docs = tmp_path / "ref.txt", tmp_path / "docs.txt"
    ref.write_text("Three.\nOne.\nTwo.\n")
    docs.write_text("y\nx\nx\n")
    testset = read(references=ref, systems={"A": hyp}, docs=docs)
    assert testset.systems == {"A": ["3.", "1.", "2."]}
    assert testset.docs == ["y", "x", "x"]
    assert read(references=ref, systems={"A": hyp}).docs == ["x", "x", "y"]
    ref.write_text("Three.\n")
    with pytest.raises(InputError, match=r"ref.txt has 1 segment.*`tertium resegment`"):
        read(references=ref, systems={"A": hyp})


@pytest.mark.parametrize(
    "refs", [{"refA": {"ref": "Eitt.\n\nTvö."}}, {"refA": "Eitt.\n\nTvö."}, None]
)
def test_a_test_set_is_found_by_content(made, refs):
    refs = ["Eitt.\n\nTvö."] if refs is None else refs
    path = made("t.jsonl.gz", entry("x", "One.\n\nTwo.", refs), entry("y", "No.", {}))
    testset = read(path)
    assert testset.references == [("Eitt.",), ("Tvö.",)]
    assert testset.sources == ["One.", "Two."]
    assert testset.docs == ["x", "x"]
    assert testset.ids == ["x:1", "x:2"]
    assert testset.layers == {"domain": ["news"] * 2}
    assert testset.langpair == "eng-isl"
    left_out = [f"{path} has no reference of 1 document; it is left out"]
    assert [str(note) for note in testset.notes] == left_out
    hyp = made("A.jsonl.gz", output("y", "Nei."), output("x", "1\n\n2"))
    scored = read(references=path, systems={"A": hyp}, sources=path, docs=None)
    assert [str(note) for note in scored.notes] == left_out
    assert scored.systems == {"A": ["1", "2"]}
    assert scored.sources == ["One.", "Two."]


def test_a_test_set_without_any_reference_is_kept(made):
    path = made("t.jsonl.gz", entry("x", "One.", {}), entry("y", "Two.", []))
    testset = read(path)
    assert testset.references == [(), ()]
    assert testset.sources == ["One.", "Two."]
    assert not testset.notes
    hyp = made("A.jsonl.gz", output("x", "Eitt."), output("y", "Tvö."))
    with pytest.raises(InputError, match=r"no document of .* has a reference"):
        read(references=path, systems={"A": hyp})


def test_a_second_reference_counts_if_it_is_complete(made):
    both = {"refA": {"ref": "a"}, "refB": {"ref": "b"}}
    full = made("t.jsonl.gz", entry("x", "1", both), entry("y", "2", both))
    hyp = made("A.jsonl.gz", output("x", "c"), output("y", "d"))
    assert read(references=full, systems=[hyp]).references == [("a", "b")] * 2
    part = made("u.jsonl.gz", entry("x", "1", both), entry("y", "2", ["e"]))
    assert read(references=part, systems=[hyp]).references == [("a",), ("e",)]


def test_one_language_pair_is_chosen(made):
    refs = {"refA": {"ref": "Eitt."}}
    path = made(
        "t.jsonl.gz", entry("x", "One.", refs), entry("y", "1", refs, "bel_Cyrl")
    )
    with pytest.raises(InputError, match=r"eng_Latn-bel_Cyrl, eng_Latn-isl_Latn"):
        read(path)
    assert read(path, langpair="eng-bel").docs == ["y"]
    assert read(path, langpair="eng_Latn-isl_Latn").docs == ["x"]
    with pytest.raises(InputError, match="none is 'de-en'"):
        read(path, langpair="de-en")


def test_an_output_alone_is_a_test_set_of_one_system(made):
    path = made("A.jsonl.gz", output("x", "1.\n\n2."))
    testset = read(path)
    assert testset.systems == {"A": ["1.", "2."]}
    assert testset.references == [(), ()]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([entry("x", "a\n\nb", ["c"])], "'x' has 2 paragraphs in src_text and 1 in"),
        ([entry("x", "a", {"refA": 3})], "'refA' of document 'x' is not a text"),
        ([entry("x", "a", 7)], "'refs' of document 'x' is not a text"),
        ([entry("x", "a", {}), entry("x", "b", {})], "'x' is on line 1 already"),
        ([entry("x", "a", {}), {"src_text": "b"}], "no document id"),
        ([entry("x", "a", {}), {"doc_id": "y"}], "'y' has no text"),
        (
            [{**entry("x", "a", {}), "tgt_text": {"A": "b"}}, entry("y", "a", {})],
            "'y' has no output of 'A'",
        ),
    ],
)
def test_wrong_documents_are_named_with_their_line(made, rows, message):
    with pytest.raises(FormatError, match=message) as caught:
        read(made("t.jsonl.gz", *rows))
    assert f"t.jsonl.gz:{len(rows)}" in str(caught.value)


def test_other_json_lines_are_no_documents(made, tmp_path):
    assert not is_documents(str(made("a.jsonl.gz", {"id": "1", "src": "x"})))
    assert not is_documents(str(made("a.jsonl.gz", {"doc_id": "1", "scores": []})))
    assert not is_documents(str(tmp_path))
    broken = tmp_path / "b.jsonl"
    broken.write_text("{")
    assert not is_documents(str(broken))
    with pytest.raises(InputError, match="holds a whole test set"):
        read(systems=[made("a.jsonl.gz", {"id": "1", "src": "x"})])


@pytest.mark.wmt
def test_published_outputs_are_documents_in_paragraphs(wmt_data):
    paths = sorted((wmt_data / "formats").glob("*.system.*.jsonl*"))
    if not paths:
        pytest.skip("the outputs of WMT systems are missing")
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        testset = read(systems={"A": path})
        assert list(dict.fromkeys(testset.docs)) == [row["doc_id"] for row in rows]
        words = " ".join(testset.systems["A"]).split()
        texts = " ".join(row["hypothesis"] for row in rows)
        for tag in ("<p>", "</p>", "<P>", "</P>", "<br>", "<br/>", "<br />"):
            texts = texts.replace(tag, " ")
        assert words == texts.split()
        assert any(size > 1 for size in map(testset.docs.count, set(testset.docs)))

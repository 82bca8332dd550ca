# SPDX-License-Identifier: Apache-2.0
"""Outputs cut into the lines of references: texts, documents, certainty."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _core
from tertium.data import Testset
from tertium.data.segmentation import (
    joined_documents,
    read_documents,
    read_resegmented,
    resegment,
)
from tertium.data.segmentation.units import join_lines, units_of
from tertium.errors import FormatError, InputError
from tertium.notes import Note

REFS = [
    "The ferry leaves at nine.",
    "Bring a warm coat!",
    "On the island there is no shop.",
    "We come back before dark.",
]


def bare(text: str) -> str:
    return "".join(text.split())


texts = st.text("ab C.,<p>\n\u3000今天。กำแไ\u0301é", max_size=25)


@given(
    st.lists(texts, max_size=4),
    st.lists(st.text("ab c.今", max_size=8), min_size=1, max_size=5),
    st.sampled_from(["words", "similarity"]),
    st.booleans(),
)
def test_nothing_but_white_space_is_lost(output, refs, by, exact) -> None:
    lines = [line for text in output for line in text.split("\n")]
    result = resegment(refs, lines, by=by, exact=exact, always=True)
    assert len(result.texts) == len(refs)
    assert bare("".join(result.texts)) == bare("".join(lines))
    assert not any("\n" in text or text != text.strip() for text in result.texts)
    assert all(0 <= one.certainty <= 1 for one in result.segments)
    # Inside a segment, spaces are those of the output or stand for line ends.
    words = [word for text in result.texts for word in text.split()]
    assert "".join(words) == bare("".join(lines))


@pytest.mark.parametrize("by", ["words", "similarity"])
@pytest.mark.parametrize(
    "lines",
    [
        [" ".join(REFS)],
        [" ".join(REFS[:2]), *REFS[2:]],
        [*REFS[:2], "On the island", "there is no shop.", REFS[3]],
        [REFS[0], "", " ".join(REFS[1:])],
    ],
)
def test_a_copy_is_cut_as_it_was(lines, by) -> None:
    result = resegment(REFS, lines, by=by, always=True)
    assert result.texts == REFS
    assert result.edits == 0
    assert result.matched_share == 1
    assert result.uncertain() == []
    assert {one.margins for one in result.segments} == {(2, 2)}


def test_case_tags_and_punctuation_do_not_count_unless_asked() -> None:
    output = ["<p>the FERRY leaves at nine</p> bring a warm coat"]
    assert resegment(REFS[:2], output).edits == 0
    exact = resegment(REFS[:2], output, exact=True)
    assert exact.edits == 5
    assert exact.texts == ["<p>the FERRY leaves at nine</p>", "bring a warm coat"]


def test_equal_places_are_counted_and_ends_of_sentences_preferred() -> None:
    refs = ["a b c.", "d e f."]
    result = resegment(refs, ["a b x. y e f."])
    assert result.texts == ["a b x.", "y e f."]
    assert [one.places for one in result.segments] == [(1, 1), (1, 1)]
    # The word x may belong to either side.
    loose = resegment(refs, ["a b x. y f."])
    assert loose.texts == ["a b x.", "y f."]
    assert loose.segments[0].places == (1, 2)
    assert loose.segments[0].margins == (2, 0)
    # Without punctuation the end of a line decides, then the earliest place.
    lines = resegment(refs, ["a b x", "y f"])
    assert lines.texts == ["a b x", "y f"]
    assert resegment(refs, ["a b x y f"]).texts == ["a b", "x y f"]


def test_a_cut_inside_a_sentence_is_uncertain() -> None:
    refs = ["The long rain ends now.", "Birds begin to sing again."]
    output = ["The long rain ends now birds. Begin to sing again."]
    result = resegment(refs, output)
    assert result.texts[0] == "The long rain ends now"
    assert [one.inside_sentence for one in result.segments] == [
        (False, True),
        (True, False),
    ]
    assert result.uncertain() == [0, 1]
    resegmented, uncertain = result.notes("A")
    assert (resegmented.code, uncertain.code) == ("resegmented", "uncertain-segments")
    assert str(uncertain) == "A: 2 segments are uncertain, lines 1, 2"


def test_languages_without_spaces_are_cut_between_characters() -> None:
    refs = ["今天下雨。", "我们留在家里。", "OK 明天见。"]
    result = resegment(refs, ["今天下大雨。我们都留在", "家里。OK 明天见。"])
    assert result.texts == ["今天下大雨。", "我们都留在家里。", "OK 明天见。"]
    thai = ["วันนี้ฝนตก", "เราอยู่บ้าน"]
    assert resegment(thai, ["".join(thai)]).texts == thai
    # A consonant keeps its vowels and tone.
    assert units_of(["เด็กที่"]).keys == ["เด็", "ก", "ที่"]
    assert join_lines("今天\n下雨") == "今天下雨"


def test_any_of_several_references_may_match() -> None:
    refs = [("The boat leaves.", "The ferry departs."), ("Take a coat.", "Dress up.")]
    result = resegment(refs, ["The ferry departs. Dress up."])
    assert result.texts == ["The ferry departs.", "Dress up."]
    assert result.edits == 0


def test_an_output_with_as_many_lines_is_left_alone() -> None:
    output = ["Something else", "and more", " spaces  kept", "in it"]
    result = resegment(REFS, output)
    assert result.unchanged
    assert result.texts == output
    values = {"system": "A", "share": 0.0}
    assert result.notes("A") == [
        Note("not-resegmented", values),
        Note("poor-match", values),
    ]
    assert [note.code for note in resegment(REFS, REFS).notes("A")] == [
        "not-resegmented"
    ]
    assert resegment(REFS, REFS).documents == 1
    assert resegment(REFS, REFS, docs=list("xxyy")).documents == 2
    assert not resegment(REFS, output, always=True).unchanged


@pytest.mark.parametrize(
    ("output", "output_docs", "how"),
    [
        (["A b. C d.", "A b. C d."], None, "lines"),
        (["A", "b. C d.", "", "A b.", "C", "d."], None, "blank lines"),
        (["A b. C", "d.", "A b. C d."], ["x", "x", "y"], "ids"),
    ],
)
def test_documents_are_cut_one_by_one(output, output_docs, how) -> None:
    refs = ["A b.", "C d."] * 2
    docs = ["x", "x", "y", "y"]
    result = resegment(refs, output, docs=docs, output_docs=output_docs)
    assert result.texts == refs
    assert (result.documents, result.documents_by) == (2, how)
    assert [one.document for one in result.segments] == docs


def test_blank_lines_on_both_sides_are_documents_without_ids() -> None:
    refs = ["A b.", "C d.", "", "A b.", "C d."]
    result = resegment(refs, ["A b. C d.", "", "", "A b. C d."])
    assert result.texts == refs
    assert (result.documents, result.documents_by) == (2, "blank lines")
    assert resegment(refs, ["A b. C d. A b. C d."]).documents_by == "nothing"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"docs": ["x"]}, "docs has 1 item for 4 lines"),
        ({"output_docs": ["x", "y"]}, "output_docs has 2 items for 1 line"),
        (
            {"docs": ["x", "x", "y", "y"], "output_docs": ["x"]},
            r"the output lacks 1 document of 2 \(first: 'y'\)",
        ),
        (
            {"docs": ["x"] * 4, "output_docs": ["z"]},
            r"the output lacks 1 document of 1 \(first: 'x'\)",
        ),
        ({"by": "magic"}, "way to segment"),
    ],
)
def test_what_does_not_go_together_is_rejected(arguments, reason) -> None:
    with pytest.raises(InputError, match=reason):
        resegment(REFS, ["one line"], **arguments)


def test_a_document_that_only_the_output_has_is_rejected() -> None:
    with pytest.raises(InputError, match="the reference lacks 1 document of 2"):
        resegment(["a"], ["a", "b"], docs=["x"], output_docs=["x", "z"])
    with pytest.raises(InputError, match="no segments"):
        resegment([], ["words"])


@pytest.mark.parametrize("output", [["x"], ["x", "y"]])
@pytest.mark.parametrize("by", ["words", "similarity"])
def test_a_segment_without_a_reference_is_rejected(output, by) -> None:
    with pytest.raises(InputError, match="segment 2 has no reference"):
        resegment([["a"], []], output, by=by)


@pytest.mark.parametrize("by", ["words", "similarity"])
@pytest.mark.parametrize(
    "output",
    [
        # Two lines, but not one per document; two blocks, elsewhere.
        [" ".join(REFS[:3]), REFS[3]],
        [REFS[0], "", " ".join(REFS[1:3]), REFS[3]],
    ],
)
def test_documents_whose_number_is_equal_by_chance_are_not_used(output, by) -> None:
    result = resegment(REFS, output, docs=[*"xxyy"], by=by, always=True)
    assert result.texts == REFS
    assert (result.documents, result.documents_by) == (1, "nothing")
    assert [note.code for note in result.notes("A")] == [
        "resegmented",
        "unused-documents",
    ]


def test_parts_of_long_texts_show_documents_that_do_not_fit(monkeypatch) -> None:
    monkeypatch.setattr("tertium.data.segmentation.cutting._AT_ONCE", 1)
    refs = [f"{a}{b}1 {a}{b}2 {a}{b}3 {b}." for a in "abcdef" for b in "xyz"]
    docs = [str(k // 3) for k in range(18)]
    lines = [" ".join(refs[k : k + 3]) for k in range(0, 18, 3)]
    assert resegment(refs, lines, docs=docs).documents_by == "lines"
    # The first line is missing, the last one is in two parts.
    lines = [*lines[1:5], refs[15], " ".join(refs[16:])]
    result = resegment(refs, lines, docs=docs)
    assert result.documents_by == "nothing"
    assert result.texts[3:] == refs[3:]


def test_unused_documents_are_remarked() -> None:
    lines = [" ".join(REFS[:2]), REFS[2], REFS[3]]
    assert resegment(REFS, lines, docs=[*"xxyy"]).docs_unused
    assert not resegment(REFS, lines, docs=["x"] * 4).docs_unused
    assert not resegment(REFS, lines).docs_unused
    assert not resegment(REFS, lines, docs=[*"xxyy"], output_docs=[*"xyy"]).docs_unused


def test_too_many_lines_to_link_name_the_cure(monkeypatch) -> None:
    # All pairs of lines at once, as where half of the text is missing.
    monkeypatch.setattr("tertium.data.segmentation.cutting._WIDTH", 1 << 20)
    with pytest.raises(InputError, match="4,200 segments and 4,100 lines, too many"):
        resegment(["a"] * 4200, ["a"] * 4100, by="similarity")
    monkeypatch.undo()
    result = resegment(["a"] * 4200, ["a"] * 4100, by="words", threads=1)
    assert result.edits == 100


def test_a_text_that_is_too_long_names_the_cure(monkeypatch) -> None:
    monkeypatch.setattr("tertium.data.segmentation.cutting._MOST", 10)
    with pytest.raises(InputError, match="more than 9 in one document; give the doc"):
        resegment(REFS, [" ".join(REFS)])


def test_linked_lines_can_be_merged() -> None:
    stray = "Nothing like it is in the other text, far and wide."
    lines = [" ".join(REFS[:2]), "On the island", "there is no shop.", stray, REFS[3]]
    result = resegment(REFS, lines, by="similarity")
    assert [link.kind for link in result.links] == ["2-1", "1-2", "0-1", "1-1"]
    assert [link.lines for link in result.links] == [(0,), (1, 2), (3,), (4,)]
    refs, output = result.merged([(ref,) for ref in REFS])
    assert refs == [(" ".join(REFS[:2]),), (REFS[2],), (REFS[3],)]
    assert output == [lines[0], f"{REFS[2]} {stray}", REFS[3]]
    with pytest.raises(InputError, match="only lines linked"):
        resegment(REFS, lines).merged([(ref,) for ref in REFS])
    with pytest.raises(InputError, match="to link them, set always=True"):
        resegment(REFS, REFS, by="similarity").merged([(ref,) for ref in REFS])


def test_threads_and_progress(tmp_path) -> None:
    refs, docs = REFS * 50, [str(k // 4) for k in range(200)]
    output = [" ".join(REFS).replace("no", "not")] * 50
    calls: list[tuple[int, int]] = []
    one = resegment(refs, output, docs=docs, threads=1)
    two = resegment(
        refs, output, docs=docs, threads=2, progress=lambda *now: calls.append(now)
    )
    assert one == two
    assert calls[-1] == (200, 200)


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029", "\r\n"])
def test_line_ends_of_any_kind_do_not_reach_the_output(tmp_path, end) -> None:
    broken = f"The ferry leaves{end}at nine."
    path = tmp_path / "A.jsonl"
    path.write_text(json.dumps({"doc_id": "x", "hypothesis": broken}))
    assert read_documents(path).lines == ["The ferry leaves", "at nine."]
    assert resegment(REFS[:2], [f"{broken} Bring a warm coat!"]).texts == REFS[:2]
    assert join_lines(f"今{end}天") == "今天"


def test_documents_are_read_from_json_lines(tmp_path) -> None:
    rows = [
        {"doc_id": "x", "hypothesis": "One.\r\nTwo.\n\nThree."},
        {"doc_id": "y", "hypothesis": ""},
        {"doc_id": 7, "hypothesis": "<p>Four.<br/>Five.</p>\n<P>Six.</P>"},
    ]
    path = tmp_path / "A.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    text = read_documents(path)
    assert text.lines == ["One.", "Two.", "Three.", "", "Four.", "Five.", "Six."]
    assert text.docs == ["x", "x", "x", "y", "7", "7", "7"]


@pytest.mark.parametrize(
    ("lines", "error", "reason"),
    [
        (['{"hypothesis": "a"}'], FormatError, "A.jsonl:1: no document id"),
        (['{"doc_id": "x", "mt": "a"}'], InputError, r"there are mt\); rename its key"),
        (
            ['{"doc_id": "x", "text": "a"}'] * 2,
            FormatError,
            "A.jsonl:2: document 'x' is on line 1 already",
        ),
        (["{"], FormatError, "A.jsonl:1: not JSON"),
    ],
)
def test_broken_json_lines_are_rejected(tmp_path, lines, error, reason) -> None:
    path = tmp_path / "A.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(error, match=reason):
        read_documents(path)


def test_sgml_brings_documents_and_tables_are_rejected(tmp_path) -> None:
    path = tmp_path / "A.sgm"
    path.write_text(
        '<tstset setid="t" srclang="en" trglang="de" sysid="A"><doc docid="x">'
        '<seg id="1">One.</seg><seg id="2">Two.</seg></doc></tstset>'
    )
    text = read_documents(path)
    assert (text.lines, text.docs) == (["One.", "Two."], ["x", "x"])
    with pytest.raises(InputError, match="a tsv file holds a whole test set"):
        read_documents("a.tsv")


def test_test_sets_are_read_with_outputs_cut(tmp_path) -> None:
    (tmp_path / "ref.txt").write_text("\n".join(REFS))
    (tmp_path / "docs.txt").write_text("x\nx\ny\ny\n")
    (tmp_path / "src.txt").write_text("1\n2\n3\n4\n")
    (tmp_path / "A.txt").write_text(" ".join(REFS))
    (tmp_path / "B.txt").write_text("\n".join(REFS))
    rows = [("y", " ".join(REFS[2:])), ("x", " ".join(REFS[:2]))]
    (tmp_path / "C.jsonl").write_text(
        "\n".join(json.dumps({"doc_id": doc, "mt": text}) for doc, text in rows)
    )
    testset, results = read_resegmented(
        tmp_path / "ref.txt",
        [tmp_path / name for name in ("A.txt", "B.txt", "C.jsonl")],
        sources=tmp_path / "src.txt",
        docs=tmp_path / "docs.txt",
        text_key="mt",
    )
    assert testset == Testset(
        [(ref,) for ref in REFS],
        {"A": REFS, "B": REFS, "C": REFS},
        sources=["1", "2", "3", "4"],
        docs=["x", "x", "y", "y"],
    )
    assert [result.unchanged for result in results.values()] == [False, True, False]
    (tmp_path / "docs.txt").write_text("x\n")
    with pytest.raises(InputError, match="give the document of every line"):
        read_resegmented(tmp_path / "ref.txt", [], docs=tmp_path / "docs.txt")
    with pytest.raises(InputError, match="all references must have the same lines"):
        read_resegmented([tmp_path / "ref.txt", tmp_path / "A.txt"], [])


def test_documents_of_outputs_count_where_references_have_none(tmp_path) -> None:
    def write(name: str, docs: str) -> None:
        rows = zip(docs, REFS, strict=True)
        text = "".join(
            f'<doc docid="{doc}" sysid="s"><seg id="{number}">{ref}</seg></doc>\n'
            for number, (doc, ref) in enumerate(rows)
        )
        (tmp_path / name).write_text(f'<tstset setid="x">\n{text}</tstset>\n')

    (tmp_path / "ref.txt").write_text("\n".join(REFS))
    (tmp_path / "plain.txt").write_text("\n".join(REFS))
    write("first.sgm", "xxyy")
    write("second.sgm", "xxyy")
    write("other.sgm", "xxxy")

    def read(*names: str, **files) -> Testset:
        outputs = {f"A#{k}": tmp_path / name for k, name in enumerate(names, start=1)}
        return read_resegmented(tmp_path / "ref.txt", outputs, **files)[0]

    for names in (
        ("plain.txt", "first.sgm"),
        ("first.sgm", "plain.txt", "second.sgm"),
    ):
        testset = read(*names)
        assert (testset.docs, testset.notes) == (["x", "x", "y", "y"], ())
    assert read("plain.txt").docs is None
    testset = read("plain.txt", "first.sgm", "second.sgm", "other.sgm")
    assert testset.docs is None
    (note,) = testset.notes
    assert str(note).startswith("A#2 and A#4 name different documents from line 3 on")
    (tmp_path / "docs.txt").write_text("x\nx\nx\ny\n")
    testset = read("first.sgm", "other.sgm", docs=tmp_path / "docs.txt")
    assert (testset.docs, testset.notes) == ([*"xxxy"], ())
    write("ref.sgm", "xyyy")
    texts = [tmp_path / "ref.txt", tmp_path / "ref.sgm"]
    assert read_resegmented(texts, [tmp_path / "plain.txt"])[0].docs == [*"xyyy"]


def test_joined_documents_keep_the_order_of_documents() -> None:
    testset = Testset.build(
        [["a", "b"], ["c"], ["今"], ["天", "d"]],
        {"A": ["e", "f", "今", "天"]},
        docs=["x", "y", "z", "z"],
        sources=["1", "2", "3", "4"],
    )
    whole = joined_documents(testset)
    assert whole.docs == ["x", "y", "z"]
    assert whole.references == [("a", "b"), ("c",), ("今天",)]
    assert whole.systems == {"A": ["e", "f", "今天"]}
    assert whole.sources == ["1", "2", "3 4"]
    with pytest.raises(InputError, match="no document ids"):
        joined_documents(Testset.build(["a"]))


def test_progress_is_reported_within_a_document() -> None:
    """One document in which nothing matches, so that the band is wide."""
    words = [str(number) for number in range(12_000)]
    refs = [" ".join(f"r{w}" for w in words[k : k + 10]) for k in range(0, 12_000, 10)]
    calls: list[tuple[int, int]] = []
    resegment(
        refs, [" ".join(words)], threads=1, progress=lambda *now: calls.append(now)
    )
    done = [now for now, _ in calls]
    assert done == sorted(done)
    assert calls[-1] == (1200, 1200)
    assert len({now for now in done if 0 < now < 1200}) >= 2


@pytest.mark.parametrize("memory", [0, 1])
def test_an_error_of_progress_ends_the_cutting(memory) -> None:
    words = list(range(12_000))
    refs = [[[20_000 + w for w in words[k : k + 10]]] for k in range(0, 12_000, 10)]

    def fail(done: int) -> None:
        assert 0 <= done <= len(refs)
        raise KeyError(done)

    document = (words, [0] * (len(words) + 1), refs)
    with pytest.raises(KeyError):
        _core.cut_documents([document], 1, memory, fail)

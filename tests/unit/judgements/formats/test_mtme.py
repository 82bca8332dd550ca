# SPDX-License-Identifier: Apache-2.0
"""Human scores in folders of mt-metrics-eval."""

from __future__ import annotations

import pytest

from tertium.errors import FormatError, InputError
from tertium.judgements import Bad, ImportOptions, Judgements, Rating, import_judgements
from tertium.judgements.formats import FORMATS


def read(path, options=None):
    return list(FORMATS["mtme"].read(str(path), options or ImportOptions()))


def folder(root):
    scores = root / "human-scores"
    scores.mkdir(parents=True)
    (scores / "en-de.mqm.seg.score").write_text("A\t-1.5\nA\tNone\nB\t0\nB\t-25\n")
    (scores / "en-de.mqm.sys.score").write_text("A\t-1.5\nB\t-12.5\n")
    (scores / "de-en.da.sqm.seg.score").write_text("A 70\nA 80\n")
    (root / "documents").mkdir()
    (root / "documents" / "en-de.docs").write_text("news\td1\nspeech\td2\n")
    return root


def test_folder(tmp_path):
    root = folder(tmp_path / "wmt")
    assert import_judgements([root]).formats == {str(root): "mtme"}
    assert read(root, ImportOptions(campaign="c")) == [
        Rating("A", 70.0, "da.sqm", "1", langpair="de-en", campaign="c"),
        Rating("A", 80.0, "da.sqm", "2", langpair="de-en", campaign="c"),
        *(
            Rating(
                system, score, "mqm", segment, None, f"d{segment}", "en-de", "c",
                meta=f'{{"domain": "{domain}"}}',
            )
            for system, score, segment, domain in [
                ("A", -1.5, "1", "news"), ("B", 0.0, "1", "news"),
                ("B", -25.0, "2", "speech"),
            ]
        ),
    ]  # fmt: skip
    assert len(read(root, ImportOptions(langpair="de-en"))) == 2
    file = root / "human-scores" / "en-de.mqm.seg.score"
    assert read(file) == read(root, ImportOptions(langpair="en-de"))
    assert import_judgements([file]).formats == {str(file): "mtme"}


def test_bad_rows(tmp_path):
    root = folder(tmp_path / "wmt")
    file = root / "human-scores" / "en-de.mqm.seg.score"
    file.write_text("A\t1\nA\tx\nA\t3\nB\t1\nC\t1\t2\n")
    result = read(file)
    assert [r.segment for r in result if isinstance(r, Rating)] == ["1", "1"]
    reasons = [(r.line, r.reason) for r in result if isinstance(r, Bad)]
    name = file.name
    assert reasons == [
        (2, f"{name}: score 'x' is not a number"),
        (3, f"{name}: A has more than the 2 segments"),
        (5, f"{name}: 3 fields; system and score are due"),
        (5, f"{name}: B has 1 scores for 2 segments; which are missing is not known"),
    ]


def test_round_trip(tmp_path):
    root = folder(tmp_path / "wmt")
    out = tmp_path / "out"
    table = import_judgements([root]).judgements
    FORMATS["mtme"].write(table, str(out))

    def plain(place):
        return [r._replace(document=None, meta=None) for r in read(place)]

    assert sorted(plain(out)) == sorted(plain(root))


def test_several_judges_are_averaged_and_checks_left_out(tmp_path):
    table = Judgements.from_iterable(
        [
            Rating("A", 1.0, "DA", "3", "j", langpair="a-b"),
            Rating("A", 2.0, "DA", "3", "k", langpair="a-b"),
            Rating("A", 9.0, "DA-control", "3", "k", langpair="a-b"),
            Rating("A", 9.0, "DA-document", "d", "k", langpair="a-b"),
        ]
    )
    FORMATS["mtme"].write(table, str(tmp_path))
    (file,) = (tmp_path / "human-scores").iterdir()
    assert file.name == "a-b.DA.seg.score"
    assert file.read_text() == "A\tNone\nA\tNone\nA\t1.5\n"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (Rating("A", 1.0, "DA", "1"), "language pair"),
        (Rating("A", 1.0, "DA/1", "1", langpair="a-b"), "slash"),
        (Rating("A", 1.0, "DA", "s1", langpair="a-b"), "not an integer from 1"),
        (Rating("A", 1.0, "DA-control", "1", langpair="a-b"), "no ratings"),
    ],
)
def test_what_cannot_be_written(tmp_path, record, why):
    with pytest.raises(InputError, match=why):
        FORMATS["mtme"].write(Judgements.from_iterable([record]), str(tmp_path / "x"))


def test_numbers_within_documents_are_rejected(tmp_path):
    table = Judgements.from_iterable(
        Rating("A", 1.0, "DA", "1", "j", document, "a-b") for document in "de"
    )
    with pytest.raises(InputError, match="'1' of A is in the documents d and e"):
        FORMATS["mtme"].write(table, str(tmp_path / "x"))


@pytest.mark.wmt
def test_wmt23(wmt_data):
    result = import_judgements([wmt_data / "wmt23-mtme"], strict=True).judgements
    assert result.names("scale") == ["da-sqm", "mqm"]
    assert result.names("langpair") == ["en-de"]
    assert len(result.names("system")) == 13


@pytest.mark.parametrize(
    "name",
    [
        "documents/en-de.docs",
        "human-scores/en-de.mqm.sys.score",
        "metric-scores/en-de/BLEU-refA.seg.score",
        "system-outputs/en-de/A.txt",
    ],
)
def test_parts_of_a_folder_are_named_as_such(name, tmp_path):
    (tmp_path / "human-scores").mkdir()
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("A\t1.5\nA\tNone\n" if "score" in name else "a text\nanother\n")
    if "sys" in name:
        path.write_text("A\t1.5\nB\t2\n")
    with pytest.raises(FormatError, match="part of a folder") as info:
        import_judgements([path])
    assert f"give the folder, {tmp_path}" in str(info.value)


def test_segment_scores_are_recognised_by_content(tmp_path):
    path = tmp_path / "renamed.en-de.txt"
    scores = ["None", "-1.5", *["None"] * 4]
    rows = [f"{system}\t{each}\n" for system in "AB" for each in scores]
    path.write_text("".join(rows))
    done = import_judgements([path])
    assert done.formats == {str(path): "mtme"}
    ratings = list(done.judgements.iterate("ratings"))
    assert [(r.system, r.segment, r.score) for r in ratings] == [
        ("A", "2", -1.5), ("B", "2", -1.5)
    ]  # fmt: skip
    assert {(r.scale, r.langpair) for r in ratings} == {("human", "en-de")}

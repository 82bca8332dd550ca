# SPDX-License-Identifier: Apache-2.0
"""Reading and streaming: separate files, whole files, folders, and mistakes."""

from __future__ import annotations

import gzip
import io
import sys
import tracemalloc
from pathlib import Path

import pytest

from tertium.data import Testset, format_names, read, stream, system_name
from tertium.errors import FormatError, InputError, UnknownNameError


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "ref": "one\ntwo\n\n",
        "ref2": "uno\ndos\ntres\n",
        "A": "one\n2\n3\n",
        "B": "1\n2\n\n",
        "src": "eins\r\nzwei\r\ndrei\r\n",
        "docs": "x\nx\ny\n",
    }
    paths = {name: tmp_path / f"{name}.txt" for name in texts}
    for name, text in texts.items():
        paths[name].write_bytes(text.encode())
    return paths


def lines(path: Path, count: int) -> Path:
    path.write_text("".join(f"line {n}\n" for n in range(1, count + 1)))
    return path


def test_separate_files_make_a_test_set(files: dict[str, Path]) -> None:
    testset = read(
        references=[files["ref"], files["ref2"]],
        systems=[files["A"], str(files["B"])],
        sources=files["src"],
        docs=files["docs"],
        langpair="de-en",
    )
    assert testset == Testset(
        [("one", "uno"), ("two", "dos"), ("", "tres")],
        {"A": ["one", "2", "3"], "B": ["1", "2", ""]},
        sources=["eins", "zwei", "drei"],
        docs=["x", "x", "y"],
        langpair="de-en",
    )


def test_systems_may_be_named(files: dict[str, Path]) -> None:
    for systems in ({"mine": files["A"]}, [("mine", files["A"])]):
        testset = read(references=files["ref"], systems=systems)
        assert list(testset.systems) == ["mine"]


def test_references_alone_and_systems_alone_are_fine(files: dict[str, Path]) -> None:
    assert read(references=files["ref"]).systems == {}
    assert read(systems=files["A"]).references == [(), (), ()]


def test_any_extension_is_plain_text(tmp_path: Path) -> None:
    file = tmp_path / "news2020.de"
    file.write_text("eins\n")
    assert read(systems=[file]).systems == {"news2020.de": ["eins"]}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("x/A.txt", "A"),
        ("A.txt.gz", "A"),
        ("online-A.0.sgm", "online-A.0"),
        ("A.de.zst", "A.de"),
        ("-", "<stdin>"),
    ],
)
def test_systems_are_named_after_files(path: str, name: str) -> None:
    assert system_name(path) == name


def test_two_systems_of_one_name_are_rejected(files: dict[str, Path]) -> None:
    other = files["A"].with_suffix(".txt.gz")
    other.write_bytes(gzip.compress(b"x\n"))
    with pytest.raises(InputError, match=r"called 'A': .*A\.txt and .*A\.txt\.gz;"):
        read(references=files["ref"], systems=[files["A"], other])


def test_a_system_equal_to_the_reference_is_read_and_reported(
    files: dict[str, Path],
) -> None:
    testset = read(references=files["ref"], systems=[files["ref"]])
    assert testset.twins().references == {("ref", 0)}


def test_empty_files_have_no_segments(tmp_path: Path) -> None:
    for name in ("ref.txt", "A.txt", "whole.tsv", "whole.jsonl"):
        (tmp_path / name).touch()
    pair = read(references=tmp_path / "ref.txt", systems=[tmp_path / "A.txt"])
    assert pair == Testset([], {"A": []})
    assert len(read(tmp_path / "whole.tsv")) == len(read(tmp_path / "whole.jsonl")) == 0


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_chunk_size_changes_nothing(files: dict[str, Path], size: int) -> None:
    whole = read(references=files["ref"], systems=[files["A"]])
    chunks = list(stream(references=files["ref"], systems=[files["A"]], size=size))
    assert [hyp for chunk in chunks for hyp in chunk.systems["A"]] == whole.systems["A"]
    assert [refs for chunk in chunks for refs in chunk.references] == whole.references
    assert all(0 < len(chunk) <= size for chunk in chunks)


@pytest.mark.parametrize("size", [1, 3, 5, 7, 1000])
@pytest.mark.parametrize(("short", "long"), [("ref", "sys"), ("sys", "ref")])
def test_length_mismatch_names_both_totals_and_the_first_extra_line(
    tmp_path: Path, size: int, short: str, long: str
) -> None:
    lines(tmp_path / f"{short}.txt", 5)
    lines(tmp_path / f"{long}.txt", 28)
    ref, hyp = tmp_path / "ref.txt", tmp_path / "sys.txt"
    counts = {short: 5, long: 28}
    message = (
        f"{ref} has {counts['ref']} segments, {hyp} has {counts['sys']} "
        "(first extra line 6: 'line 6'); give one line per segment, or cut the output "
        "into the lines of the reference: `tertium resegment`"
    )
    with pytest.raises(InputError) as caught:
        list(stream(references=ref, systems=[hyp], size=size))
    assert str(caught.value) == message
    with pytest.raises(InputError) as caught:
        read(references=ref, systems=[hyp])
    assert str(caught.value) == message


def test_mismatch_among_three_files_names_the_shortest(tmp_path: Path) -> None:
    paths = [lines(tmp_path / f"{n}.txt", n) for n in (5, 7, 3)]
    with pytest.raises(
        InputError, match=r"5\.txt has 5 segments, .*3\.txt has 3 \(fir"
    ):
        list(stream(references=paths[0], systems=paths[1:], size=2))


def test_an_empty_file_against_a_full_one_is_a_mismatch(tmp_path: Path) -> None:
    empty, full = lines(tmp_path / "e.txt", 0), lines(tmp_path / "f.txt", 1)
    with pytest.raises(InputError, match=r"e\.txt has 0 segments, .*f\.txt has 1 \("):
        read(references=empty, systems=[full])


def test_standard_input_serves_one_column(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1\n2\n3\n")))
    testset = read(references=files["ref"], systems={"A": "-"})
    assert testset.systems == {"A": ["1", "2", "3"]}
    with pytest.raises(InputError, match="more than once"):
        read(references="-", systems={"A": "-"})


def test_standard_input_may_hold_a_whole_test_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ref\tA\nx\ty\n")))
    with pytest.raises(InputError, match="does not say its format"):
        read("-")
    assert read("-", format="tsv") == Testset([("x",)], {"A": ["y"]})


def test_wrong_arguments_are_rejected(files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to read"):
        read()
    with pytest.raises(InputError, match="separate files too"):
        read(files["ref"], systems=[files["A"]])
    with pytest.raises(InputError, match="holds one column"):
        read(files["ref"])
    with pytest.raises(InputError, match=r"none\.txt: no such file or folder"):
        read(tmp_path / "none.txt")
    with pytest.raises(InputError, match="use 1 or more"):
        list(stream(references=files["ref"], size=0))
    with pytest.raises(UnknownNameError, match="did you mean jsonl"):
        read(files["ref"], format="json")
    with pytest.raises(InputError, match=r"a \.tsv file holds a whole test set"):
        read(references=tmp_path / "a.tsv")
    with pytest.raises(InputError, match="'tsv' holds a whole test set"):
        read(references=files["ref"], format="tsv")


def test_a_plain_file_may_have_the_extension_of_another_format(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text("just\ttext\n")
    assert read(references=file, format="plain").references == [("just\ttext",)]


@pytest.mark.parametrize("form", [f for f in format_names() if f != "parquet"])
def test_missing_files_are_named(tmp_path: Path, form: str) -> None:
    file = tmp_path / f"none.{form}"
    place = {"references": file} if form in ("plain", "sgml") else {"path": file}
    with pytest.raises(InputError, match=rf"none\.{form}: no such file"):
        read(**place, format=form)  # type: ignore[arg-type]


def test_the_langpair_argument_wins(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text("langpair\tref\nde-en\tx\n")
    assert read(file).langpair == "de-en"
    assert read(file, langpair="fr-en").langpair == "fr-en"


def test_a_folder_reads_as_it_is_laid_out(tmp_path: Path) -> None:
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems" / "A.txt.gz").write_bytes(gzip.compress(b"x\n"))
    (tmp_path / "systems" / ".hidden").write_text("no")
    for number in (10, 2, 1):
        (tmp_path / f"reference.{number}.txt").write_text(f"{number}\n")
    (tmp_path / "README.md").write_text("notes\n\n")
    assert read(tmp_path) == Testset([("1", "2", "10")], {"A": ["x"]})


def test_a_folder_with_doubts_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no source\.txt, reference\.txt"):
        read(tmp_path)
    (tmp_path / "reference.1.txt").write_text("a\n")
    (tmp_path / "reference.txt").write_text("a\n")
    with pytest.raises(FormatError, match="keep one or the other"):
        read(tmp_path)
    (tmp_path / "reference.txt.gz").write_bytes(gzip.compress(b"a\n"))
    with pytest.raises(FormatError, match="are the same column 'reference'"):
        read(tmp_path)


@pytest.mark.parametrize("form", ["plain", "tsv", "jsonl"])
def test_streaming_holds_one_chunk(tmp_path: Path, form: str) -> None:
    count, text = 40_000, "some words of an ordinary length"
    if form == "plain":
        ref, hyp = tmp_path / "ref.txt", tmp_path / "A.txt"
        for file in (ref, hyp):
            file.write_text(f"{text}\n" * count)
        chunks = stream(references=ref, systems=[hyp], size=1000)
    else:
        file = tmp_path / f"a.{form}"
        line = f"{text}\t{text}\n"
        if form == "jsonl":
            line = f'{{"ref": "{text}", "tgt": {{"A": "{text}"}}}}\n'
        file.write_text(("ref\tA\n" if form == "tsv" else "") + line * count)
        chunks = stream(file, size=1000)
    tracemalloc.start()
    try:
        total = sum(len(chunk) for chunk in chunks)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == count
    assert peak < 4_000_000  # all of it would take 9 MB


@pytest.mark.wmt
def test_the_wmt15_tables_read(wmt_data: Path) -> None:
    testset = read(wmt_data / "wmt15" / "de-en.tsv.gz", langpair="de-en")
    assert len(testset) == 2169
    assert len(testset.systems) == 13
    assert testset.sources is not None
    assert testset.ids is not None
    assert {len(refs) for refs in testset.references} == {1}

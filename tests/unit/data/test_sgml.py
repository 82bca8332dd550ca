# SPDX-License-Identifier: Apache-2.0
"""WMT SGML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.data import Testset, read, write
from tertium.errors import FormatError, InputError

SOURCE = """<srcset setid="toy" srclang="any">
<doc docid="birds" origlang="de">
<hl><seg id="1">Die Amsel &amp; der Star</seg></hl>
<p>
<seg id="2"> Sie singen. </seg>
</p>
</doc>
<doc docid="boats" origlang="en"><seg id="1">Ein Boot</seg></doc>
</srcset>
"""
REFERENCE = """<refset setid=toy srclang=de trglang=en>
<DOC sysid="ref" docid='birds' origlang=de>
<SEG id=1>The blackbird & the starling</SEG>
<seg id=2>They
   sing &lt;loudly&gt; &copy;</seg>
</DOC>
<doc sysid="ref" docid="boats" origlang=en><seg id=1>A boat</seg></doc>
</refset>
"""
SYSTEM = """<tstset setid="toy" srclang="de" trglang="en">
<doc sysid="X" docid="boats"><seg id="1">boat</seg></doc>
<doc sysid="X" docid="birds"><seg id="1">bird</seg><seg id="2"></seg></doc>
</tstset>
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"src": SOURCE, "ref": REFERENCE, "A": SYSTEM}
    paths = {name: tmp_path / f"{name}.sgm" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    return paths


def test_files_are_joined_on_document_and_segment(files: dict[str, Path]) -> None:
    testset = read(references=files["ref"], systems=[files["A"]], sources=files["src"])
    assert testset == Testset(
        [
            ("The blackbird & the starling",),
            ("They sing <loudly> &copy;",),
            ("A boat",),
        ],
        {"A": ["bird", "", "boat"]},
        sources=["Die Amsel & der Star", "Sie singen.", "Ein Boot"],
        docs=["birds", "birds", "boats"],
        ids=["1", "2", "1"],
        langpair="de-en",
        layers={"origlang": ["de", "de", "en"]},
    )


def test_plain_and_sgml_files_mix(files: dict[str, Path], tmp_path: Path) -> None:
    plain = tmp_path / "B.txt"
    plain.write_text("1\n2\n3\n")
    testset = read(references=files["ref"], systems=[plain])
    assert testset.systems == {"B": ["1", "2", "3"]}
    plain.write_text("1\n2\n")
    with pytest.raises(InputError, match=r"ref\.sgm has 3 segments, .*B\.txt has 2"):
        read(references=files["ref"], systems=[plain])


def test_one_file_may_hold_several_references_or_systems(
    files: dict[str, Path], tmp_path: Path
) -> None:
    both = SYSTEM.replace("</tstset>", "") + SYSTEM.replace('"X"', '"Y"')
    file = tmp_path / "both.sgm"
    file.write_text(both)
    assert list(read(systems=[file]).systems) == ["X", "Y"]
    assert read(references=file).references[0] == ("boat", "boat")
    with pytest.raises(InputError, match="two systems are called 'X'"):
        read(systems={"X": files["A"], "Z": file})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<seg id="2"></seg>', "", "segment '2' of document 'birds' is missing"),
        ('id="2"', 'id="3"', "segment '2' of document 'birds' is missing"),
        ("</tstset>", '<doc docid="z" sysid="X"><seg id="9">', ":4: <seg> without"),
        ('id="2"', 'id="1"', ":3: segment '1' of document 'birds' is there twice"),
        ("boat</seg>", "boat", ":2: <seg> without </seg>"),
        (' docid="boats"', "", ":2: <doc> without docid"),
        ('<doc sysid="X" docid="boats">', "", ":2: segment tag out of place"),
        ('<tstset setid="toy" srclang="de" trglang="en">', "", "no <srcset>, <refset>"),
        (
            '<seg id="2"></seg>',
            '<seg id="2"></seg><seg id="3"></seg>',
            r"segment '3' of document 'birds' is not in .*ref\.sgm",
        ),
    ],
)
def test_mistakes_are_named(
    files: dict[str, Path], old: str, new: str, message: str
) -> None:
    assert old in SYSTEM
    files["A"].write_text(SYSTEM.replace(old, new))
    with pytest.raises(FormatError, match=rf"A\.sgm.*{message}.*;"):
        read(references=files["ref"], systems=[files["A"]])


def test_an_empty_file_is_not_sgml(tmp_path: Path) -> None:
    (tmp_path / "a.sgm").touch()
    with pytest.raises(FormatError, match="check that this is WMT SGML"):
        read(references=tmp_path / "a.sgm")


def test_segments_without_id_are_numbered(tmp_path: Path) -> None:
    file = tmp_path / "a.sgm"
    file.write_text("<refset><doc docid=x><seg>a</seg><seg>b</seg></doc></refset>")
    assert read(references=file).ids == ["1", "2"]


@pytest.mark.parametrize("bad", [" a", "a ", "a\nb", "a\r", "\t"])
def test_texts_that_would_change_are_rejected(tmp_path: Path, bad: str) -> None:
    with pytest.raises(InputError, match="segment 2 has white space around it"):
        write(Testset.build(["a", bad]), tmp_path / "out", format="sgml")


def test_the_folder_has_a_file_a_column(tmp_path: Path) -> None:
    testset = Testset.build(["a & b"], {"A": ["c"]}, sources=["d"], langpair="de-en")
    write(testset, tmp_path / "out", format="sgml")
    assert (tmp_path / "out" / "reference.sgm").read_text() == (
        '<refset setid="testset" srclang="de" trglang="en">\n'
        '<doc docid="1" sysid="reference">\n'
        '<seg id="1">a &amp; b</seg>\n'
        "</doc>\n</refset>\n"
    )
    assert (tmp_path / "out" / "systems" / "A.sgm").exists()
    assert (tmp_path / "out" / "source.sgm").exists()

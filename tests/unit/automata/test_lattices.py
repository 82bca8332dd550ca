# SPDX-License-Identifier: Apache-2.0
"""Lattices, confusion networks, and files told by name and content."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.automata.confusion import read_mesh, read_sausages
from tertium.automata.lattices import read_plf, read_slf
from tertium.automata.openfst import write_fsts
from tertium.errors import FormatError, InputError
from tertium.grammars.sets.reference_files import FORMATS, read_reference_sets

PLF = [
    "((('ein',1.0,1),),(('Haustor',.5,2),('Haus',0.5,1),),(('tor',1e0,1),),)",
    """ ( ( ('it\\'s', 0.1, 2, 1), ("a'b",1), ('',1), ) , ) """,
    "()",
]
SLF = [
    "VERSION=1.0", "UTTERANCE=u7", "# words on links", "base=1.10", "N=3 L=3",
    "I=0 t=0.00", "I=1 t=0.1", "I=2 t=0.2", "J=0 S=0 E=1 W=a v=1 a=-3.4",
    "J=1 S=1 E=2 W=\\'b l=-1", 'J=2 START=0 END=2 WORD="c\\"d"',
]  # fmt: skip
NODES = [
    "N=5 L=5", "I=0 W=!NULL", "I=1 W=a", "I=2 W=b", "I=3 W=c", "I=4 W=!NULL",
    "J=0 S=0 E=1", "J=1 S=0 E=2", "J=2 S=1 E=3", "J=3 S=2 E=3", "J=4 S=3 E=4",
]  # fmt: skip
MESH = [
    "name first", "numaligns 2", "posterior 1", "align 0 a 0.6 b 0.4",
    "reference 0 a", "align 1 c 0.5 *DELETE* 0.5", "info 1 c 0 0 0 0 : :",
    "name second", "numaligns 1", "posterior 1", "align 0 a 1",
]  # fmt: skip
SAUSAGE = ["# by hand", "the | a", "ball", "red|navy blue|<eps>", "", "", "so"]


def shown(segments) -> dict[str, list[str]]:
    return {one.id: [" ".join(tokens) for tokens in one.automaton] for one in segments}


def test_lattices_of_moses(write_lines):
    assert shown(read_plf(write_lines("a.plf", PLF))) == {
        "1": ["ein Haus tor", "ein Haustor"],
        "2": ["", "a'b", "it's"],
        "3": [""],
    }


def test_lattices_of_htk(write_lines):
    assert shown(read_slf(write_lines("a.slf", SLF))) == {"u7": ["a 'b", 'c"d']}
    assert shown(read_slf(write_lines("b.slf", NODES))) == {"b": ["a c", "b c"]}
    bare = [line for line in SLF if not line.startswith("I=")]
    assert shown(read_slf(write_lines("c.slf", bare)))["u7"] == ["a 'b", 'c"d']
    chosen = ["start=1 end=3", *NODES]
    assert shown(read_slf(write_lines("d.slf", chosen))) == {"d": ["a c"]}


def test_confusion_networks_of_srilm(write_lines):
    assert shown(read_mesh(write_lines("a.mesh", MESH))) == {
        "first": ["a", "a c", "b", "b c"],
        "second": ["a"],
    }
    nameless = [line for line in MESH if not line.startswith("name")]
    assert list(shown(read_mesh(write_lines("b.mesh", nameless)))) == ["1", "2"]


def test_confusion_networks_by_hand(write_lines):
    assert shown(read_sausages(write_lines("a.cn", SAUSAGE))) == {
        "1": ["a ball", "a ball navy blue", "a ball red", "the ball",
              "the ball navy blue", "the ball red"],
        "2": ["so"],
    }  # fmt: skip
    # What glues in grammars is a word like any other here.
    assert shown(read_sausages(write_lines("b.cn", ["a", "&+|NULL", "b"]))) == {
        "1": ["a &+ b", "a NULL b"]
    }


@pytest.mark.parametrize(
    ("reader", "lines", "line", "message"),
    [
        (
            read_plf,
            ["()", "((('a',1,1),)"],
            2,
            "column 14 is not PLF, '\\)' is expected",
        ),
        (read_plf, ["(('a',1,1),)"], 1, "column 3 is not PLF, '\\(' is expected"),
        (read_plf, ["((('a'),),)"], 1, "an integer as the distance"),
        (read_plf, ["((('a',0.5),),)"], 1, "an integer as the distance"),
        (read_plf, ["((('a',1,2),),)"], 1, "skips 2 nodes; it must lead 1 to 1"),
        (read_plf, ["((('a',1,0),),)"], 1, "skips 0 nodes"),
        (read_plf, ["((('a b',1,1),),)"], 1, "white space"),
        (read_plf, ["() x"], 1, "column 3 is not PLF, a bracket"),
        (read_plf, ["()()"], 1, "nothing more is expected"),
        (read_plf, [""], 1, "column 1 is not PLF"),
        (read_slf, ["N=1 L=0", "what"], 2, "column 1 is not a field"),
        (read_slf, [*SLF[:-1]], None, "L=3, but there are 2"),
        (read_slf, ["SUBLAT=x"], 1, "sub-lattices"),
        (read_slf, ["I=0", "J=0 S=0"], 2, "a link needs two nodes"),
        (read_slf, ["I=0", "J=0 S=0 E=1 W=a"], 2, "no node '1'"),
        (read_slf, ["start=9", "I=0"], None, "no node '9'"),
        (read_slf, ["I=0 W='a b'"], 1, "white space"),
        (
            read_slf,
            ["start=0 end=1", "I=0", "I=1 W=a", "J=0 S=0 E=1", "J=1 S=1 E=0"],
            5,
            "form a cycle",
        ),
        (read_mesh, ["numaligns x"], 1, "numaligns needs a number"),
        (read_mesh, ["numaligns 1", "align 0 a"], 2, "not a place"),
        (read_mesh, ["numaligns 1", f"align {'9' * 5000} a 1"], 2, "not a place"),
        (read_mesh, ["numaligns 1", "align 0 a 1", "align 0 b 1"], 3, "occurs twice"),
        (read_mesh, ["numaligns 2", "align 0 a 1"], 2, "place 1 is missing"),
        (read_mesh, ["numaligns 1", "align 0 a 1", "align 7 b 1"], 3, "7 is there;"),
        (read_mesh, ["hello"], 1, "'hello' does not start a line"),
    ],
)
def test_errors_name_the_line(write_lines, reader, lines, line, message):
    with pytest.raises(FormatError, match=message) as caught:
        reader(write_lines("a.x", lines))
    assert caught.value.line == line


FRAGMENTS = [
    "(", ")", ",", "'a'", '"', "1", "0.5", " ", "\n", "\t", "I=0", "J=0", "S=0", "E=1",
    "W=a", "N=2", "align 0", "numaligns 1", "name x", "a", "|", "<eps>", "\\", "=",
    '{"id":', '"references":', "[", "]", "}", '"pattern":', "0\t1\ta",
]  # fmt: skip


@given(
    st.sampled_from(sorted(FORMATS)),
    st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join),
)
def test_broken_files_are_rejected_politely(tmp_path_factory, kind, text):
    path = tmp_path_factory.mktemp("broken") / "a.x"
    path.write_text(text, encoding="utf-8")
    for chosen in (kind, "auto"):
        try:
            segments = read_reference_sets(path, input_format=chosen)
        except FormatError as error:
            named = str(error).startswith(f"{path}:")
            assert named and "; " in str(error)  # noqa: PT017, PT018, either is right
        else:
            assert segments


# ----------------------------------------------------------------- files of any kind


@pytest.mark.parametrize(
    ("name", "lines", "ids"),
    [
        ("a.plf", PLF, ["1", "2", "3"]),
        ("a", PLF, ["1", "2", "3"]),
        ("a.slf", SLF, ["u7"]),
        ("a", SLF, ["u7"]),
        ("a.mesh", MESH, ["first", "second"]),
        ("a", MESH, ["first", "second"]),
        ("a.cn", SAUSAGE, ["1", "2"]),
        ("a.txt", ["{a|b}", "c"], ["1", "2"]),
        ("a.refs", ["x\t{a|b}", "y\tc"], ["x", "y"]),
        ("a", ["{a|b}"], ["1"]),
        ("b.fst.txt", ["0\t1\ta\ta", "1"], ["b"]),
        ("b", ["0\t1\ta\ta", "1"], ["b"]),
        ("a.jsonl", ['{"id": "x", "references": ["a"]}'], ["x"]),
        ("a", ['{"id": "x", "references": ["a"]}'], ["x"]),
    ],
)
def test_formats_are_told_by_name_or_content(write_lines, name, lines, ids):
    assert [one.id for one in read_reference_sets(write_lines(name, lines))] == ids


def test_references_in_json(write_lines):
    rows = [
        {"id": "x", "references": ["a  b", "{c}"], "pattern": "{d|e}"},
        {"id": 2, "pattern": ["f", "g|f"]},
        {"ref": "h"},
        {"ref": ["h", ""]},
    ]
    path = write_lines("a.jsonl", ["", *map(json.dumps, rows)])
    assert shown(read_reference_sets(path)) == {
        "x": ["a b", "d", "e", "{c}"],
        "2": ["f", "g"],
        "4": ["h"],
        "5": ["", "h"],
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not an object"),
        ('{"id": [1], "ref": "a"}', "'id' is not a string"),
        ('{"id": true, "ref": "a"}', "'id' is not a string"),
        ('{"id": 1}', "no references"),
        ('{"references": [1]}', "'references' is not text"),
        ('{"pattern": "{a"}', r"in the pattern: <pattern>:1:1: '\{' is never"),
    ],
)
def test_errors_in_json(write_lines, line, message):
    path = write_lines("a.jsonl", ['{"id": "x", "ref": "a"}', line])
    with pytest.raises(FormatError, match=message) as caught:
        read_reference_sets(path)
    assert caught.value.line == 2
    with pytest.raises(FormatError, match="occurs twice"):
        read_reference_sets(write_lines("b.jsonl", ['{"id": "x", "ref": "a"}'] * 2))


def test_several_files_are_united(write_lines):
    one = write_lines("1.txt", ["a {b}", "c"])
    two = write_lines("2.txt", ["d", ""])
    assert shown(read_reference_sets(one, two, input_format="plain")) == {
        "1": ["a {b}", "d"],
        "2": ["c"],
    }
    with pytest.raises(FormatError, match="segment '2' has no reference"):
        read_reference_sets(two, input_format="plain")
    with pytest.raises(InputError, match=r"1.txt has 2 segments, .*2.txt has 1; give"):
        read_reference_sets(one, two)


def test_files_with_ids_may_lack_segments(write_lines):
    one = write_lines("1.refs", ["x\ta", "y\tb"])
    two = write_lines("2.refs", ["y\tc", "z\td"])
    three = write_lines("3.jsonl", ['{"id": "z", "ref": "e"}'])
    assert shown(read_reference_sets(one, two, three)) == {
        "x": ["a"],
        "y": ["b", "c"],
        "z": ["d", "e"],
    }


def test_folders_give_all_their_files(tmp_path, write_lines):
    segments = read_reference_sets(write_lines("a.refs", ["x\t{a|b}", "y\tc"]))
    write_fsts(segments, tmp_path / "fst")
    assert read_reference_sets(tmp_path / "fst") == segments
    (tmp_path / "fst" / "more.refs").write_text("z\n", encoding="utf-8")
    references = read_reference_sets(tmp_path / "fst")
    assert [one.id for one in references] == ["more.refs:1", "x", "y"]
    (tmp_path / "fst" / "x.slf").write_text("I=0 W=q\n", encoding="utf-8")
    with pytest.raises(FormatError, match="segment 'x' is in two files"):
        read_reference_sets(tmp_path / "fst")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="no file in this folder"):
        read_reference_sets(tmp_path / "empty")


def test_a_name_is_given_once(write_lines):
    path = write_lines("a.mesh", [*MESH, *MESH[:7]])
    with pytest.raises(FormatError, match="segment 'first' occurs twice"):
        read_reference_sets(path)


def test_what_cannot_be_asked(write_lines):
    with pytest.raises(InputError, match="no reference file"):
        read_reference_sets()
    with pytest.raises(InputError, match="did you mean plain"):
        read_reference_sets(write_lines("a", ["a"]), input_format="plane")


@pytest.mark.parametrize(
    "row",
    [
        '{"arcs": [[0, 1]], "finals": [1]}',
        '{"arcs": [[0, 1, "two words"]], "finals": [1]}',
        '{"arcs": [[0, 1, "a"]]}',
        '{"arcs": 1, "finals": []}',
    ],
)
def test_automata_in_json_are_checked(row, tmp_path):
    path = tmp_path / "sets.jsonl"
    path.write_text(row, encoding="utf-8")
    with pytest.raises(FormatError, match=r"sets\.jsonl:1: 'arcs' and 'finals' are"):
        read_reference_sets(path)

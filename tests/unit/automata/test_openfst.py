# SPDX-License-Identifier: Apache-2.0
"""Text of OpenFst: out, in, and through Debian's own tools."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.automata.automaton import Automaton
from tertium.automata.openfst import fst_lines, read_fst, symbol_lines, write_fsts
from tertium.automata.segment import Segment
from tertium.errors import FormatError, InputError
from tertium.grammars.light.notation import parse_light
from tertium.grammars.sets.reference_files import read_reference_sets
from tests.conftest import missing

TOKENS = st.sampled_from(["a", "b", "c", "7"])
SETS = st.frozensets(st.lists(TOKENS, max_size=4).map(tuple), max_size=12)
PATTERNS = [
    "{the|a} ball is {red|green} [in colour]",
    "{now & in Rome & [it is] said} {colo[u]r|hue}[s]",
    "{0|1|2|3|4|5|6|7|8|9} {0|1|2|3|4|5|6|7|8|9} [x] {0|1|2|3|4|5|6|7|8|9}",
    "a [b] [c] [a] [b] | {a & b & c & d}",
    "{}",
    # The set {1a,2b,3a} of the specification, 9.1: 28 strings, 19 states, 34 arcs.
    (
        "{{Annalla {on {nyt|nykyään}|{nyt|nykyään} on}|{nyt|nykyään} Annalla on} "
        "{iso|suuri} omenapuu|Annalla on {iso|suuri} omenapuu {nyt|nykyään}"
        "|{Anna omistaa {nyt|nykyään}|{nyt|nykyään} Anna omistaa} "
        "{ison|suuren} omenapuun"
        "|Anna on {nyt|nykyään} {ison|suuren} omenapuun omistaja}"
    ),
]


@given(SETS)
def test_what_is_written_is_read_again(tmp_path_factory, wanted):
    automaton = Automaton.from_sentences(wanted)
    folder = tmp_path_factory.mktemp("fst")
    paths = write_fsts([Segment("1", automaton)], folder)
    assert [Path(path).name for path in paths] == ["1.fst.txt", "symbols.txt"]
    fst = read_fst(paths[0])
    assert fst.automaton == automaton
    assert fst.notes == ()


def test_a_folder_shares_its_symbols(tmp_path):
    one, two = (Automaton.from_sentences([text]) for text in ("c a", "b"))
    write_fsts([Segment("x.1", one), Segment("x.2", two)], tmp_path / "new")
    symbols = (tmp_path / "new" / "symbols.txt").read_text(encoding="utf-8")
    assert symbols == "<eps>\t0\na\t1\nb\t2\nc\t3\n"
    assert read_fst(tmp_path / "new" / "x.1.fst.txt").automaton == one


READ = {
    "acceptor": (["0 1 a", "1 2 b", "1", "2"], ["a", "a b"]),
    "acceptor with weights": (["0 1 a 0.5", "1 2 b", "2 0.1"], ["a b"]),
    "transducer without weights": (["0 1 a a", "1 2 b c", "2"], ["a b"]),
    "start first": (["5 0 a a 0", "0 3 b b 0", "3 0"], ["a b"]),
    "empty arcs": (["0 1 <eps>", "0 2 a", "1 2 b", "2 3 <eps>", "3"], ["a", "b"]),
    "one label twice": (["0 1 a", "0 2 a", "1 3 b", "2 3 c", "3"], ["a b", "a c"]),
    "only an end": (["0"], [""]),
    "no arc": (["0 1 a Infinity", "0 2 b", "1", "2"], ["b"]),
    "no end": (["0 1 a", "1 2 b", "1 Infinity", "2"], ["a b"]),
    "a circle that nothing leaves": (["0 1 a", "0 2 b", "2 2 c", "1"], ["a"]),
    "nothing": ([], []),
}


@pytest.mark.parametrize("name", READ)
def test_many_kinds_are_read(write_lines, name):
    lines, sentences = READ[name]
    path = write_lines("a.fst.txt", [line.replace(" ", "\t") for line in lines])
    fst = read_fst(path)
    assert [" ".join(tokens) for tokens in fst.automaton] == sentences
    spaced = write_lines("b.fst.txt", lines)
    assert read_fst(spaced).automaton == fst.automaton


def test_numbers_are_looked_up(write_lines):
    path = write_lines("a.fst.txt", ["0 1 2 2", "1 2 0 0", "2"])
    with pytest.raises(FormatError, match="all labels are numbers"):
        read_fst(path)
    symbols = write_lines("mine.txt", ["<epsilon> 0", "so 2"])
    assert list(read_fst(path, symbols).automaton) == [("so",)]
    # Numbers may be tokens themselves.
    write_lines("symbols.txt", ["<eps> 0", "0 1", "2 2"])
    assert list(read_fst(path).automaton) == [("2", "0")]


def test_notes_come_with_references(write_lines):
    path = write_lines("a.fst.txt", ["0 1 a a 0.5", "1"])
    (segment,) = read_reference_sets(path)
    assert [note.split(": ", 1)[1] for note in segment.notes] == [
        "weights were dropped; a reference set has none"
    ]
    (segment,) = read_reference_sets(path.parent)
    assert len(segment.notes) == 1


def test_notes_say_what_is_lost(write_lines):
    path = write_lines("a.fst.txt", ["0 1 a b 0.5", "1"])
    fst = read_fst(path)
    assert list(fst.automaton) == [("a",)]
    assert [note.split(": ", 1)[1] for note in fst.notes] == [
        "this is a transducer; its input side was taken",
        "weights were dropped; a reference set has none",
    ]
    assert list(read_fst(path, side="output").automaton) == [("b",)]
    with pytest.raises(InputError, match="choose input or output"):
        read_fst(path, side="left")


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["0 1 a", "x 1 b"], 2, "not a line of OpenFst text"),
        (["0 1 a a 0 0"], 1, "not a line of OpenFst text"),
        (["0 1 a a x"], 1, "the weight 'x' is not a number"),
        (["0 nan"], 1, "the weight 'nan' is not a number"),
        (["0 1 a", "1 0 b", "1"], None, "states 0 -> 1 -> 0 form a cycle"),
        (["0 0 a", "0"], None, "finite"),
        (["0 1 a\xa0b", "1"], 1, "white space"),
    ],
)
def test_what_cannot_be_read(write_lines, lines, line, message):
    with pytest.raises(FormatError, match=message) as caught:
        read_fst(write_lines("a.fst.txt", lines))
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("symbols", "message"),
    [
        (["<eps> 0", "b 1"], "'a' is neither a symbol nor a number"),
        (["<eps> 0", "a"], "txt:2: not a symbol and its number"),
        (["<eps> 0", "a 0"], "txt:2: the number 0 occurs twice"),
    ],
)
def test_wrong_symbols(write_lines, symbols, message):
    path = write_lines("a.fst.txt", ["0 1 a", "1"])
    with pytest.raises(FormatError, match=message):
        read_fst(path, write_lines("s.txt", symbols))


def test_what_cannot_be_written(tmp_path):
    empty = Automaton.from_sentences([""])
    for names in (["a/b"], ["a", "a"], [""]):
        with pytest.raises(InputError, match="cannot be a unique file name"):
            write_fsts([Segment(name, empty) for name in names], tmp_path)
    with pytest.raises(InputError, match="'<eps>'"):
        fst_lines(Automaton.from_sentences(["a <eps>"]))
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot create the folder"):
        write_fsts([], tmp_path / "file")


@given(st.text("0123 \tab.<>eps\n-", max_size=40))
def test_broken_files_are_rejected_politely(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("fst") / "a.fst.txt"
    path.write_text(text, encoding="utf-8")
    with contextlib.suppress(FormatError):
        read_fst(path)


# ------------------------------------------------------------------ Debian's tools


def through_openfst(folder: Path, lines: list[str], table: list[str], *steps: str):
    """Return what fstprint prints of an acceptor, and its states and arcs."""
    if shutil.which("fstcompile") is None:
        missing("no fstcompile; apt install libfst-tools")
    (folder / "s.txt").write_text("\n".join(table) + "\n", encoding="utf-8")
    symbols = f"--isymbols={folder / 's.txt'} --osymbols={folder / 's.txt'}"
    pipe = " | ".join([f"fstcompile {symbols}", *steps, f"fstprint {symbols}"])
    text = "".join(f"{line}\n" for line in lines)
    data = subprocess.run(
        ["bash", "-o", "pipefail", "-c", pipe],
        input=text.encode(),
        capture_output=True,
        check=True,
    ).stdout
    out = data.decode().splitlines()
    (folder / "out.fst.txt").write_bytes(data)
    arcs = [line for line in out if line.count("\t") > 1]
    states = {line.split("\t")[0] for line in out} | {a.split("\t")[1] for a in arcs}
    automaton = read_fst(folder / "out.fst.txt", folder / "s.txt").automaton
    return automaton, len(states), len(arcs)


def tree_lines(sentences) -> list[str]:
    """Return a tree of prefixes, which has not been made small at all."""
    prefixes = {tokens[:i] for tokens in sentences for i in range(len(tokens) + 1)}
    code = {prefix: i for i, prefix in enumerate(sorted(prefixes, key=len))}
    arcs = [
        f"{code[prefix[:-1]]}\t{code[prefix]}\t{prefix[-1]}\t{prefix[-1]}"
        for prefix in sorted(prefixes, key=len)
        if prefix
    ]
    return arcs + [str(code[tokens]) for tokens in sentences]


def check_openfst(folder: Path, automaton: Automaton) -> None:
    table = symbol_lines([automaton])
    sizes = (automaton, len(automaton), automaton.arc_count)
    assert through_openfst(folder, fst_lines(automaton), table) == sizes
    lines = tree_lines(list(automaton))
    assert through_openfst(folder, lines, table, "fstminimize") == sizes
    # From the end as well: with one label on several arcs.
    loose = through_openfst(
        folder, lines, table, "fstreverse", "fstreverse", "fstrmepsilon",
        "fstdeterminize", "fstminimize",
    )  # fmt: skip
    assert loose == sizes


@settings(max_examples=5)
@given(SETS.filter(bool))
def test_openfst_finds_nothing_smaller(tmp_path_factory, wanted):
    check_openfst(tmp_path_factory.mktemp("fst"), Automaton.from_sentences(wanted))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_openfst_agrees_on_patterns(tmp_path, pattern):
    automaton = Automaton.from_expression(parse_light(pattern))
    check_openfst(tmp_path, automaton)
    if "omenapuu" in pattern:
        assert (automaton.count, len(automaton), automaton.arc_count) == (28, 19, 34)

# SPDX-License-Identifier: Apache-2.0
"""Notes on given layers and on segments with nothing to measure."""

from __future__ import annotations

import pytest

import tertium
from tertium.align import as_links, with_links

HYPS, REFS = ["c a b", "y"], ["a b c", "x"]


@pytest.mark.parametrize(
    "spec",
    ["recpef", "kendall", "link-tau", "dted:flat=yes,variant=co", "derp:flat=yes"],
)
def test_degenerate_segments_are_counted(spec):
    table = tertium.score(HYPS, REFS, metrics=[spec])
    assert table.systems["system"][spec].degenerate == 1
    assert table.to_dict()["systems"]["system"][spec]["degenerate"] == 1
    (note,) = table.notes
    assert (note.code, note.values["systems"]) == ("degenerate", "system 1 of 2")
    sound = tertium.score(HYPS[:1], REFS[:1], metrics=[spec])
    assert "degenerate" not in sound.to_dict()["systems"]["system"][spec]


def test_signatures_name_the_layers_of_texts():
    links = [as_links([(0, 1), (1, 2)]), as_links([])]
    table = tertium.score(with_links(HYPS, links), REFS, metrics=["recpef", "bleu"])
    assert "|given:links|" in table.metrics["recpef"].signature
    assert "match" not in table.metrics["recpef"].signature
    assert "given" not in table.metrics["bleu"].signature
    plain = tertium.score(HYPS, REFS, metrics=["recpef"])
    assert "given" not in plain.metrics["recpef"].signature


def test_links_of_some_systems_only_are_marked(write_lines, capsys):
    from tertium.cli import main

    links = [as_links([(0, 1), (1, 2)]), as_links([])]
    systems = {"A": with_links(HYPS, links), "B": HYPS}
    table = tertium.score(systems, REFS, metrics=["recpef"])
    assert "given:some-links|case:lc|tok:none|match:exact" in (
        table.metrics["recpef"].signature
    )
    hyp, ref = write_lines("h.txt", HYPS), write_lines("r.txt", REFS)
    file = write_lines("a.links", ["0-1 1-2", ""])
    texts = ["-r", str(ref), "-i", f"A={hyp}", f"B={hyp}", "-m", "recpef"]
    assert main(["score", *texts, "--alignments", f"A={file}"]) == 0
    assert [note.code for note in table.notes] == ["mixed-links", "degenerate"]
    message = capsys.readouterr().err
    assert "may not be comparable; give alignments for every system (--al" in message


def test_segments_without_a_score_have_none():
    table = tertium.score(HYPS, REFS, metrics=["link-tau"], segments=True)
    assert table.systems["system"]["link-tau"].segments == [
        pytest.approx(-1 / 3),
        None,
    ]
    assert table.to_dict()["systems"]["system"]["link-tau"]["segments"][1] is None


def test_signatures_of_permutations_ignore_words():
    table = tertium.score_permutations([[2, 1]], metrics=["kendall"])
    signature = table.metrics["kendall"].signature
    assert signature.startswith("nrefs:1|given:permutation|weight:segment|")


def test_the_command_line_remarks_on_degenerate_segments(write_lines, capsys):
    from tertium.cli import main

    hyp, ref = write_lines("h.txt", HYPS), write_lines("r.txt", REFS)
    arguments = ["score", "-r", str(ref), "-i", str(hyp), "-m", "recpef"]
    assert main(arguments) == 0
    assert "(h 1 of 2); `tertium metrics recpef` describes" in capsys.readouterr().err
    assert main([*arguments, "-q"]) == 0
    assert capsys.readouterr().err == ""

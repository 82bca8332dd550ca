# SPDX-License-Identifier: Apache-2.0
"""Reference trees alone, and several trees per segment, as users give them."""

from __future__ import annotations

import pytest

from tertium.cli import main

ROWS = [("she", 2), ("sold", 0), ("the", 5), ("old", 5), ("car", 2), (".", 2)]
OTHER = [("she", 2), ("sold", 0), ("the", 2), ("old", 2), ("car", 2), (".", 2)]


def block(rows, *comments):
    return [
        "# text = She sold the old car.",
        *comments,
        *(
            f"{i}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_"
            for i, (form, head) in enumerate(rows, 1)
        ),
        "",
    ]


@pytest.fixture(autouse=True)
def files(write_lines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", ["She sold the old car."])
    write_lines("A.txt", ["The old car she sold."])
    write_lines("ref.conllu", block(ROWS))
    several = [*block(ROWS), *block(OTHER, "# parse = 2")]
    write_lines("nbest.conllu", several)


def scores(run_json, *arguments):
    systems = run_json("score", *arguments)["systems"]
    return {
        spec: score["score"] for spec, score in next(iter(systems.values())).items()
    }


def test_trees_of_references_suffice_for_projected_structure(run_json, capsys):
    texts = ["-r", "ref.txt", "-i", "A.txt", "--ref-trees", "ref.conllu"]
    specs = ["dted:structure=projected", "derp:structure=projective"]
    result = scores(run_json, *texts, "-m", *specs)
    # Two children of "sold" are swapped; DERP joins words by paths that avoid that.
    assert result == pytest.approx({specs[0]: 10 / 12, specs[1]: 1.0})
    copy = [*texts[:3], "ref.txt", *texts[4:]]
    assert set(scores(run_json, *copy, "-m", *specs).values()) == {1.0}
    assert main(["score", *texts, "-m", "dted"]) == 2
    assert "has no dependency tree, and other texts have one" in capsys.readouterr().err


def test_links_count_tokens_of_outputs_beside_reference_trees(run_json, write_lines):
    write_lines("a.links", ["0-2 1-3 2-4 3-0 4-1 5-5"])
    texts = ["-r", "ref.txt", "-i", "A.txt", "--ref-trees", "ref.conllu"]
    spec = "dted:structure=projected,tokenize=13a"
    alone = scores(run_json, *texts, "-m", spec)
    assert scores(run_json, *texts, "-m", spec, "--alignments", "a.links") == alone


def test_several_trees_per_segment_are_read_from_conllu(run_json):
    texts = ["--trees", "A=nbest.conllu", "--ref-trees", "ref.conllu"]
    specs = ["dted:parses=best", "dted:parses=mean", "dted"]
    best, mean, first = scores(run_json, *texts, "-m", *specs).values()
    assert best == first == 1.0
    assert 0.5 < mean < 1.0
    swapped = ["--trees", "A=ref.conllu", "--ref-trees", "nbest.conllu"]
    assert scores(run_json, *swapped, "-m", specs[1])[specs[1]] == pytest.approx(mean)


@pytest.mark.slow
def test_parse_writes_the_n_best_trees(spacy_model, run_json, write_lines, capsys):
    write_lines("garden.txt", ["The old man the boats quickly.", "Yes."])
    command = ["parse", "-p", "spacy", "--model", spacy_model, "garden.txt", "-q"]
    assert main([*command, "--nbest", "4", "-o", "g.conllu"]) == 0
    with open("g.conllu", encoding="utf-8") as file:
        text = file.read()
    assert text.count("# parser = ") == 1
    assert "# parse = 2\n# probability = 0." in text
    trees = ["--trees", "A=g.conllu", "--ref-trees", "g.conllu"]
    specs = ["dted:parses=best", "dted:parses=mean"]
    best, mean = scores(run_json, *trees, "-m", *specs).values()
    assert best == 1.0 > mean


def test_a_parser_with_one_tree_per_text_says_so(tiny_model, capsys):
    command = ["parse", "-p", "udpipe", "--model", tiny_model, "ref.txt"]
    assert main([*command, "--nbest", "2"]) == 2
    assert "udpipe gives one tree per text; use parser=spacy" in capsys.readouterr().err

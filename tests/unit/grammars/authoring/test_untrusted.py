# SPDX-License-Identifier: Apache-2.0
"""Templates and patterns from someone else: what they may not do unasked."""

from __future__ import annotations

import sys

import pytest

from tertium.errors import FormatError, UntrustedError
from tertium.grammars import (
    load_grammar,
    load_template,
    read_light,
    read_reference_sets,
)
from tertium.grammars.authoring.starter import template_starter
from tertium.grammars.morphology.analysers import analyser_spec, template_analyser

FIN = "tsv:words.tsv"


@pytest.fixture
def nap(tmp_path):
    """Write a template with an analyser, and return its folder."""

    def written(analyser: str = FIN, **changes: str):
        folder = tmp_path / "nap"
        folder.mkdir(exist_ok=True)
        for name, text in template_starter("nap").items():
            (folder / name).write_text(text, encoding="utf-8")
        toml = folder / "template.toml"
        text = toml.read_text("utf-8") + f"\n[analysers]\nFin = {analyser!r}\n"
        for old, new in changes.items():
            assert old in text
            text = text.replace(old, new)
        toml.write_text(text, encoding="utf-8")
        (folder / "words.tsv").write_text("kissa\tkissa\tNOUN\n", encoding="utf-8")
        return folder

    return written


def program(folder):
    """Return an analyser that is a program, and the file that it leaves behind."""
    witness, script = folder / "started", folder / "analyser.py"
    script.write_text(f"open({str(witness)!r}, 'w')", encoding="utf-8")
    return f"command:{sys.executable} {script}", witness


def test_a_template_starts_no_program_unasked(nap, tmp_path):
    command, witness = program(tmp_path)
    folder = nap(command)
    template = load_template(folder)
    with pytest.raises(UntrustedError) as caught:
        template_analyser([template])
    assert not witness.exists()
    assert str(caught.value).startswith(f"{folder / 'template.toml'}: the analyser of")
    assert f"would start a program ({command!r})" in str(caught.value)
    assert "allow_commands=True" in str(caught.value)


def test_a_template_that_is_trusted_starts_its_program(nap, tmp_path):
    command, witness = program(tmp_path)
    template_analyser([load_template(nap(command), allow_commands=True)])
    assert witness.exists()


@pytest.mark.parametrize("spec", ["spacy:model", "stanza:model"])
def test_models_that_can_run_code_need_the_same_permission(nap, spec):
    folder = nap(spec)
    with pytest.raises(UntrustedError, match="would run the code of a model"):
        analyser_spec(load_template(folder), "Fin")
    assert analyser_spec(load_template(folder, allow_commands=True), "Fin") == spec


@pytest.mark.parametrize("kind", ["tsv", "unimorph", "udpipe"])
@pytest.mark.parametrize("place", ["absolute", "above", "link"])
def test_lexicons_outside_the_folder_need_permission(nap, tmp_path, kind, place):
    outside = tmp_path / "words.tsv"
    outside.write_text("kissa\tkissa\tNOUN\n", encoding="utf-8")
    names = {"absolute": str(outside), "above": "../words.tsv", "link": "link.tsv"}
    folder = nap(f"{kind}:{names[place]}")
    (folder / "link.tsv").symlink_to(outside)
    with pytest.raises(UntrustedError, match="lies outside the folder"):
        analyser_spec(load_template(folder), "Fin")
    spec = analyser_spec(load_template(folder, allow_outside=True), "Fin")
    assert spec == f"{kind}:{folder / names[place]}"
    assert analyser_spec(load_template(folder, root=tmp_path), "Fin") == spec


def test_samples_outside_the_folder_are_not_read(nap, tmp_path):
    (tmp_path / "secret.txt").write_text("hunter2\n", encoding="utf-8")
    for name in ("../secret.txt", str(tmp_path / "secret.txt")):
        folder = nap(**{"positive.eng.txt": name})
        with pytest.raises(UntrustedError, match="lies outside the folder") as caught:
            load_template(folder)
        assert "hunter2" not in str(caught.value)
        samples = load_template(folder, allow_outside=True).samples["Eng"].positive
        assert [one.sentence for one in samples] == ["hunter2"]


def test_template_files_that_are_links_to_elsewhere_are_not_read(nap, tmp_path):
    folder = nap()
    outside = (folder / "template.toml").rename(tmp_path / "template.toml")
    (folder / "template.toml").symlink_to(outside)
    with pytest.raises(UntrustedError, match="lies outside the folder"):
        load_template(folder)
    assert load_template(folder, allow_outside=True).id == "nap"


def test_modules_outside_the_folder_are_not_read(nap, tmp_path):
    folder = nap()
    grammar = folder / "NapEng.gf"
    text = grammar.read_text("utf-8").replace("Nap = {", "Nap = open More in {")
    grammar.write_text(f"--# -path=.:../more\n{text}", encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "More.gf").write_text("resource More = { }", encoding="utf-8")
    for load in (load_template, load_grammar):
        with pytest.raises(FormatError, match="lies outside the folder"):
            load(folder)
        load(folder, allow_outside=True)
        load(folder, root=tmp_path)


def test_grammar_files_that_are_links_to_elsewhere_are_not_read(nap, tmp_path):
    folder = nap()
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2", encoding="utf-8")
    (folder / "More.gf").symlink_to(secret)
    with pytest.raises(FormatError, match="lies outside the folder") as caught:
        load_template(folder)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("place", ["absolute", "above", "link"])
def test_patterns_include_nothing_from_outside_their_folder(tmp_path, place):
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2\n", encoding="utf-8")
    folder = tmp_path / "patterns"
    folder.mkdir()
    (folder / "link.refs").symlink_to(secret)
    names = {"absolute": secret, "above": "../secret.txt", "link": "link.refs"}
    file = folder / "a.refs"
    file.write_text(f"@include {names[place]}\na ball\n", encoding="utf-8")
    for read in (read_light, read_reference_sets):
        with pytest.raises(FormatError, match="lies outside the folder") as caught:
            read(file)
        assert "hunter2" not in str(caught.value)
    secret.write_text("<ball> = ball\n", encoding="utf-8")
    for read in (read_light, read_reference_sets):
        assert [one.id for one in read(file, allow_outside=True)] == ["1"]


def test_patterns_include_files_of_their_folder(tmp_path, monkeypatch):
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "slots.refs").write_text("<b> = ball\n", encoding="utf-8")
    (tmp_path / "a.refs").write_text("@include below/slots.refs\na <b>\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("a.refs", tmp_path / "a.refs"):
        assert read_light(name)[0].automaton.count == 1

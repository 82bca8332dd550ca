# SPDX-License-Identifier: Apache-2.0
"""Templates by name."""

from __future__ import annotations

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.grammars import (
    bundled_templates,
    find_templates,
    load_template,
    load_templates,
    write_starter,
)
from tertium.grammars.authoring.catalogue import check_language, is_template


@pytest.fixture
def nap(tmp_path):
    write_starter(tmp_path / "nap")
    return tmp_path / "nap"


def test_folders_files_and_folders_of_folders_name_templates(nap):
    for name in (nap, nap.parent, nap / "template.toml", nap / "NapEng.gf"):
        assert is_template(name)
        assert find_templates(name) == [nap]
    assert find_templates(nap, nap / "Nap.gf", nap.parent) == [nap]


def test_bundled_templates_have_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_templates("shop") == [bundled_templates()["shop"]]
    assert find_templates("bundled") == list(bundled_templates().values())
    assert is_template("bundled")
    (tmp_path / "shop").mkdir()
    assert not is_template("shop"), "a local folder comes first"


def test_names_of_nothing_are_rejected(tmp_path):
    with pytest.raises(UnknownNameError, match="unknown template 'shopp'"):
        find_templates("shopp")
    with pytest.raises(InputError, match=r"has no template\.toml"):
        find_templates(tmp_path)
    file = tmp_path / "a.refs"
    file.write_text("a\n", encoding="utf-8")
    assert not is_template(file)
    with pytest.raises(InputError, match="is a file; name a template folder"):
        find_templates(file)


def test_templates_are_loaded_once_and_objects_pass_through(nap):
    (one,) = load_templates([nap, nap / "template.toml"])
    assert load_templates(one) == [one]
    assert [each.id for each in load_templates([one, str(nap)])] == ["nap", "nap"]


def test_unknown_languages_are_rejected(nap):
    template = load_template(nap)
    check_language([template], "Fin")
    check_language([template], None)
    with pytest.raises(UnknownNameError, match="language"):
        check_language([template], "Swe")


def test_a_starter_overwrites_nothing(nap):
    before = (nap / "Nap.gf").read_text("utf-8")
    with pytest.raises(InputError, match="exists already"):
        write_starter(nap, target=["Ger"])
    assert (nap / "Nap.gf").read_text("utf-8") == before
    assert not (nap / "NapGer.gf").exists()
    with pytest.raises(InputError, match="name is empty"):
        write_starter(" ")

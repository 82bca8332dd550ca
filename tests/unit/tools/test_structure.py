# SPDX-License-Identifier: Apache-2.0
"""``tools/structure``: what it counts."""

from __future__ import annotations

import pytest

from support.tools import load_tool

structure = load_tool("structure")


@pytest.fixture
def package(tmp_path):
    """Return a package with two modules and a folder."""
    (tmp_path / "verb.py").write_text(
        "import argparse\n"
        "def command(args: argparse.Namespace) -> int: ...\n"
        "def show(args: 'argparse.Namespace', n: int) -> None: ...\n"
        "def plain(n: int = 12345) -> None: ...\n"
    )
    (tmp_path / "__init__.py").write_text("get = lazy(__name__, {})\n")
    folder = tmp_path / "migrations"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.py").write_text("x = 12345\n" * 500)
    return tmp_path


def test_functions_that_take_a_namespace_are_listed_but_not_command(package):
    assert structure.namespace_functions(package) == ["verb.py:3 show"]


def test_migrations_do_not_count(package):
    assert structure.lines(structure.python_files(package)) == 5
    assert structure.largest_folder(package, (".py",)) == (".", 2)


def test_lazy_packages_and_repeated_seeds_are_found(package):
    assert structure.lazy_packages(package) == ["."]
    assert structure.seed_lines(package) == ["verb.py:4"]


def test_long_modules_are_listed_with_their_size(tmp_path, monkeypatch):
    monkeypatch.setattr(structure, "ROOT", tmp_path)
    long, short = tmp_path / "long.py", tmp_path / "short.py"
    long.write_text("x = 1\n" * 401)
    short.write_text("x = 1\n" * 400)
    assert structure.long_modules([long, short]) == ["long.py (401)"]


def test_the_figures_of_this_repository_can_be_counted():
    figures = {what: count for what, count, _ in structure.figures()}
    assert figures["lines in src"] > figures["lines in cli"] > 0
    assert figures["classes between Metric and a metric, at most"] < 10

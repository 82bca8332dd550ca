# SPDX-License-Identifier: Apache-2.0
"""The package as a whole: its public names, its rooms, its start-up."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import tertium

SOURCE = Path(tertium.__file__).parent

# Who may import whom (the house plan); a room may always import itself, the
# core and the errors.
ROOMS = {
    "analysis": {
        "align",
        "cache",
        "data",
        "engine",
        "metrics",
        "report",
        "stats",
        "text",
        "trees",
    },
    "cli": {
        "align",
        "analysis",
        "cache",
        "campaigns",
        "cluster",
        "data",
        "engine",
        "grammars",
        "judgements",
        "learn",
        "llm",
        "meta",
        "metrics",
        "order",
        "preorder",
        "records",
        "report",
        "reproductions",
        "sacrebleu",
        "scores",
        "stats",
        "text",
        "trees",
        "tuning",
    },
    "campaigns": {
        "data",
        "judgements",
        "llm",
        "order",
        "report",
        "stats",
        "text",
        "trees",
    },
    "report": {
        "align",
        "analysis",
        "automata",
        "data",
        "engine",
        "grammars",
        "judgements",
        "learn",
        "llm",
        "meta",
        "metrics",
        "order",
        "preorder",
        "records",
        "reproductions",
        "stats",
        "text",
        "trees",
        "tuning",
    },
    "reproductions": {
        "align",
        "automata",
        "data",
        "engine",
        "grammars",
        "judgements",
        "learn",
        "meta",
        "metrics",
        "order",
        "preorder",
        "stats",
        "text",
        "trees",
        "tuning",
    },
    "records": {"data", "metrics", "trees"},
    "learn": {
        "align",
        "cache",
        "data",
        "encoders",
        "engine",
        "judgements",
        "meta",
        "metrics",
        "stats",
        "text",
        "trees",
    },
    "llm": {"data", "judgements", "metrics", "text"},
    "grammars": {"automata", "data", "judgements", "metrics", "stats", "trees"},
    "meta": {"data", "engine", "judgements", "metrics", "stats"},
    "preorder": {"align", "automata", "data", "order", "stats", "trees"},
    "tuning": {"data", "judgements", "metrics", "text"},
    "judgements": {"align", "data", "metrics", "stats", "trees"},
    "engine": {"align", "cache", "data", "metrics", "order", "stats"},
    "sacrebleu": {"data", "metrics"},
    "scores": {"cache", "data", "meta", "metrics"},
    "metrics": {"align", "cache", "data", "encoders", "order", "text", "trees"},
    "encoders": {"cache"},
    "order": {"align", "data", "trees"},
    "trees": {"cache", "data", "text"},
    "align": {"cache", "data", "text"},
    "automata": {"data"},
    "cache": {"data"},
    "cluster": set(),
    "stats": set(),
    "data": set(),
    "text": set(),
    "notes": set(),
}
EVERYWHERE = {
    "_archive",
    "_core",
    "_executor",
    "_files",
    "_lazy",
    "_locks",
    "_messages",
    "_notebook",
    "_processes",
    "_programs",
    "_seed",
    "_toml",
    "_version",
    "_watching",
    "errors",
    "notes",
    "tertium",
}
# What a registry loads by name.
REGISTERED = {
    "metrics": {"grammars", "learn", "llm", "scores", "tuning"},
    "data": {"align", "grammars", "trees"},  # the readers of layers
}

_NAME = re.compile(r"tertium\.(\w+)(\.\w+)*:\w+")


class Facts(NamedTuple):
    """The rooms that a file imports and names in strings, and all other names."""

    imports: set[str]
    registered: set[str]
    names: set[str]


@cache
def facts(path: Path) -> Facts:
    """Return the facts about a file, which several tests look at."""
    result = Facts(set(), set(), set())
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            result.imports.update(imports(node))
        elif isinstance(node, ast.Name):
            result.names.add(node.id)
        elif isinstance(node, ast.Attribute):
            result.names.add(f".{node.attr}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # As registries write it: tertium.ROOM.X:NAME.
            named = _NAME.fullmatch(node.value)
            result.registered.update([named[1]] if named else [])
    return result


def imports(node: ast.Import | ast.ImportFrom):
    """Yield every module of ours that a statement imports, by room."""
    modules = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        from_top = node.module == "tertium"
        modules = [f"tertium.{each}" for each in modules if from_top]
        modules = modules or [node.module or ""]
    for module in modules:
        parts = module.split(".")
        if parts[0] == "tertium":
            yield parts[1] if len(parts) > 1 else "tertium"


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_what_the_plan_allows_and_the_plan_nothing_else(room):
    used, named = set(), set()
    for path in (SOURCE / room).rglob("*.py"):
        rooms = facts(path).imports
        assert rooms <= ROOMS[room] | EVERYWHERE | {room}, path
        used |= rooms
        named |= facts(path).registered
    assert ROOMS[room] <= used, "arrows that nobody uses"
    assert named - {room} == REGISTERED.get(room, set())


def test_every_room_has_a_rule():
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(ROOMS)


def test_nothing_below_the_command_line_prints():
    for path in SOURCE.rglob("*.py"):
        if "cli" in path.parts:
            continue
        names = facts(path).names
        assert "print" not in names, path
        # They write to the place they are told to, read what a program writes, and are
        # a program.
        if path.name not in ("_files.py", "program.py", "demo_program.py"):
            assert not names & {"stdout", ".stdout"}, path


def test_public_names_are_listed_and_exist():
    assert len(tertium.__all__) == len(set(tertium.__all__))
    for name in tertium.__all__:
        assert getattr(tertium, name) is not None
    assert set(tertium.__all__) <= set(dir(tertium))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tertium.nothing


def modules_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_peers_can_be_compiled_again():
    """Python warns about a file when compiling it; later runs find the result."""
    import trueskill

    source = Path(trueskill.__file__)
    compile(source.read_bytes(), source, "exec")


def test_help_imports_nothing_heavy():
    loaded = modules_after("from tertium.cli import main; main(['--help'])")
    assert not loaded & {"numpy", "rich", "argparse", "polars", "dataclasses"}


def test_plain_scoring_loads_few_modules(tmp_path):
    """Start-up is most of the time of ``tertium score``, so its imports are bounded."""
    file = tmp_path / "a.txt"
    file.write_text("a b c d\n")
    loaded = modules_after(
        f"from tertium.cli import main; main(['score', '-r', {str(file)!r}, '-i', "
        f"{str(file)!r}, '-m', 'bleu', 'chrf', 'ter', 'wer'])"
    )
    assert not loaded & {"numpy", "rich", "polars", "json", "shlex", "shutil", "bz2"}
    ours = {name for name in loaded if name.startswith("tertium.")}
    folders = {name.rpartition(".")[0] for name in ours}
    assert folders == {
        "tertium",
        "tertium.cli",
        "tertium.cli.score",
        "tertium.cli.shared",
        "tertium.data",
        "tertium.data.formats",
        "tertium.engine",
        "tertium.metrics",
        "tertium.report",
        "tertium.report.tables",
        "tertium.text",
    }
    assert len(ours) <= 64, sorted(ours)


def test_errors_are_also_the_exceptions_people_expect():
    assert issubclass(tertium.InputError, ValueError)
    assert issubclass(tertium.FormatError, tertium.InputError)
    assert issubclass(tertium.MissingExtraError, ImportError)
    assert issubclass(tertium.NotDefinedError, ValueError)
    assert all(
        issubclass(getattr(tertium, name), tertium.TertiumError)
        for name in tertium.__all__
        if name.endswith("Error")
    )

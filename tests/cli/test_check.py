# SPDX-License-Identifier: Apache-2.0
"""``tertium check``: output and exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium
from tertium.cli import main

Writer = Callable[[str, list[str]], Path]

_REFERENCES = ["Das Boot liegt im Hafen.", "Wir warten auf den Regen.", "Gute Nacht!"]
_GOOD = ["Das Boot ist im Hafen.", "Wir warten auf Regen.", "Schöne Nacht!"]


@pytest.fixture
def files(write_lines: Writer) -> list[str]:
    """Return the options for a clean set of two files."""
    return _options(write_lines, _GOOD)


@pytest.fixture
def gap(write_lines: Writer) -> list[str]:
    """Return the options for a set with an empty output: a warning."""
    return _options(write_lines, [_GOOD[0], "", _GOOD[2]])


@pytest.fixture
def leak(write_lines: Writer) -> list[str]:
    """Return the options for a set whose system is the reference: an error."""
    return _options(write_lines, _REFERENCES)


def _options(write_lines: Writer, hyps: list[str]) -> list[str]:
    ref, out = write_lines("ref.txt", _REFERENCES), write_lines("out.txt", hyps)
    return ["-r", str(ref), "-i", f"A={out}"]


def test_a_clean_set_is_one_line_and_exit_code_zero(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *files]) == 0
    assert capsys.readouterr().out == "nothing found in 3 segments\n"


def test_the_table_has_findings_and_ends_with_a_summary(
    gap: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *gap]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["kind", "severity", "where", "count", "message"]
    assert lines[2].split()[:5] == ["empty", "warning", "system", "'A'", "1"]
    assert "segment 2;" in lines[2]
    assert lines[-1] == "1 finding in 3 segments: 1 warning"


def test_an_error_exits_with_one(leak: list[str]) -> None:
    assert main(["check", *leak]) == 1
    assert main(["check", *leak, "--skip", "identical-to-reference"]) == 0


def test_strict_fails_on_warnings_too(gap: list[str]) -> None:
    assert main(["check", *gap, "--strict"]) == 1
    assert main(["check", *gap, "--strict", "--only", "shifted"]) == 0


def test_strict_does_not_fail_on_notes(write_lines: Writer) -> None:
    source = ["The boat is in harbour.", "The boat is in harbour.", "Good night!"]
    options = _options(write_lines, _GOOD)
    options += ["-s", str(write_lines("src.txt", source))]
    assert main(["check", *options, "--strict", "--only", "duplicates"]) == 0


def test_json_has_the_documented_shape(
    gap: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *gap, "-f", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    (item,) = result.pop("findings")
    assert result == {"tertium": tertium.__version__, "segments": 3}
    message = item.pop("message")
    assert message.startswith("empty or only white space: segment 2; ")
    assert item == {
        "kind": "empty",
        "severity": "warning",
        "where": "system 'A'",
        "count": 1,
        "examples": [2],
    }


def test_json_of_a_clean_set_has_an_empty_list(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *files, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


@pytest.mark.parametrize("name", ["tsv", "csv", "md", "latex", "html"])
def test_other_formats_name_the_kind(
    gap: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *gap, "-f", name]) == 0
    assert "empty" in capsys.readouterr().out


def test_quiet_leaves_out_the_summary(
    gap: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", *gap, "-q"])
    assert "finding in" not in capsys.readouterr().out


def test_quiet_and_clean_is_silent(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *files, "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_file_gets_the_table_and_stderr_the_summary(
    gap: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.txt"
    assert main(["check", *gap, "-o", str(path)]) == 0
    assert "empty" in path.read_text(encoding="utf-8")
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("tertium: 1 finding in 3 segments: 1 warning; see ")


def test_an_unknown_kind_lists_near_ones(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *files, "--only", "shift"]) == 2
    assert "unknown kind 'shift'; did you mean shifted" in capsys.readouterr().err


def test_a_file_behind_only_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.txt"
    path.touch()
    assert main(["check", "--only", "empty", str(path)]) == 2
    assert "give the test set before --only" in capsys.readouterr().err


def test_wrong_usage_exits_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 2
    assert main(["check", "demo", "--no-such-option"]) == 2
    assert main(["check", "no-such-file.tsv"]) == 2
    assert capsys.readouterr().err.count("tertium: ") == 3


def test_the_demo_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "demo"]) == 0
    assert "systems 'words', 'copy'" in capsys.readouterr().out


def test_long_lists_of_texts_are_shortened_in_the_table_alone(
    write_lines: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["-i"]
    for name in ("first", "second", "third"):
        lines = [f"{name} one", "", f"{name} three"]
        options.append(str(write_lines(f"{name}.txt", lines)))
    main(["check", *options])
    assert "system 'first', system 'second', syst..." in capsys.readouterr().out
    main(["check", *options, "-f", "tsv"])
    assert "system 'third'" in capsys.readouterr().out


@pytest.mark.parametrize("columns", [120, 90, 60])
def test_messages_fold_on_a_terminal(
    gap: list[str],
    columns: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    main(["check", *gap])
    text = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(len, text.splitlines())) <= columns
    assert "…" not in text
    assert text.rstrip().endswith("1 finding in 3 segments: 1 warning")


def test_help_lists_the_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--help"])
    assert exit_.value.code == 0
    text = capsys.readouterr().out
    assert "identical-to-reference" in text
    assert '"findings"' in text

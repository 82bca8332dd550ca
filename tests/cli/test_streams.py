# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are full, closed or hung up on: one line, an exit code."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from tertium.cli import VERBS, main
from tertium.errors import OutputError

pytestmark = pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="this system has no /dev/full"
)

TREE = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
#: A command for every verb that writes to standard output, and what it needs.
COMMANDS = {
    "score": ("score demo", ""),
    "compare": ("compare demo", ""),
    "explain": ("explain --hyp 'a b' --ref 'b a'", ""),
    "segments": ("segments extract a.conllu", ""),
    "campaign": ("campaign new new/campaign.toml --task direct", "django"),
    "judgements": ("judgements stats demo", "polars"),
    "agree": ("agree demo", "polars"),
    "rank": ("rank demo", "polars"),
    "correlate": ("correlate demo -m bleu", "polars"),
    "train": ("train --explain beer-3.0", "polars"),
    "grammar": ("grammar new nap", ""),
    "tuner": ("tuner -m sentbleu", ""),
    "align": ("align -i a.txt -r a.txt", ""),
    "parse": ("parse a.txt -p udpipe --model {model}", "ufal.udpipe"),
    "permute": ("permute a.txt -d 1", ""),
    "metrics": ("metrics", ""),
    "check": ("check demo", ""),
    "convert": ("convert demo -o - --to tsv", ""),
    "completion": ("completion bash", ""),
    "functionwords": ("functionwords a.txt -n 1", ""),
    "sacrebleu": ("sacrebleu a.txt -i a.txt", ""),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Run in a folder with a text and a tree."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("a b c d e f\n")
    (tmp_path / "a.conllu").write_text(TREE)


def shell(command, *, stdin="EVAL ||| a ||| a\n"):
    """Run ``tertium COMMAND`` in a shell, with its redirections."""
    return subprocess.run(
        f"{shlex.quote(sys.executable)} -m tertium {command}",
        shell=True,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        # As users run it: output is buffered until the end.
        env={k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"},
    )


def command_of(verb, request):
    """Return a command for a verb, or skip where a package is missing."""
    command, needed = COMMANDS[verb]
    if needed:
        pytest.importorskip(needed)
    if "{model}" in command:
        command = command.format(model=request.getfixturevalue("tiny_model"))
    return command


@pytest.mark.parametrize("verb", VERBS)
def test_a_full_output_is_one_line_and_exit_code_one(verb, request):
    done = shell(f"{command_of(verb, request)} > /dev/full")
    last = done.stderr.splitlines()[-1]
    assert last == "tertium: cannot write the output: No space left on device"
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("command", [*(f"{verb} --help" for verb in VERBS), "--help"])
def test_help_that_cannot_be_written_is_an_error(command):
    done = shell(f"{command} > /dev/full")
    assert done.stderr == "tertium: cannot write the output: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.parametrize("command", ["score demo", "metrics", "check demo", "--help"])
def test_a_closed_output_is_one_line_and_exit_code_one(command):
    done = shell(f"{command} >&-")
    assert (
        done.stderr == "tertium: cannot write the output: standard output is closed\n"
    )
    assert done.returncode == 1


def test_a_closed_output_is_no_error_for_who_writes_a_file(tmp_path):
    done = shell("score demo -o scores.txt >&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "scores.txt").read_text() == shell("score demo").stdout


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_messages_that_nobody_can_read_keep_the_exit_code(where):
    done = shell(f"convert demo -o a.tsv {where}")  # which says what it wrote
    assert (done.returncode, done.stdout) == (0, "")
    assert shell(f"score nowhere.tsv {where}").returncode == 2


@pytest.mark.parametrize(
    "command",
    [
        "score -r a.txt -i -",
        "tuner -m sentbleu",
        "functionwords -",
        "explain demo --from -",
        "sacrebleu a.txt",
    ],
)
def test_a_closed_input_is_wrong_input(command):
    done = shell(f"{command} <&-")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("tertium: ")


@pytest.mark.parametrize("command", ["metrics", "convert demo -o - --to tsv"])
def test_a_reader_who_has_seen_enough_is_no_failure(command):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "tertium", *command.split()],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_keeps_the_old_file(tmp_path):
    """The limit on the size of files stands for a disk that is full."""
    target = tmp_path / "demo.tsv"
    target.write_text("old")
    code = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from tertium.cli import main\n"
        "raise SystemExit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "convert", "demo", "-o", str(target)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr == (
        f"tertium: cannot write {target}: File too large; free some space\n"
    )
    assert done.returncode == 1
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.conllu",
        "a.txt",
        "demo.tsv",
    ]


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (MemoryError("std::bad_alloc"), 1, "out of memory"),
        (RecursionError(), 2, "nested too deeply"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), 2, "0xff at 0"),
        (OSError(5, "Input/output error"), 1, "Input/output error; check the disk"),
        (PermissionError(13, "Permission denied", "f"), 2, "cannot use f: Permission"),
        (OutputError("cannot write f"), 1, "cannot write f"),
    ],
)
def test_what_no_verb_catches_is_one_line(error, code, line, monkeypatch, capsys):
    def fail(_):
        raise error

    monkeypatch.setattr("tertium.cli.metrics.command", fail)
    assert main(["metrics"]) == code
    message = capsys.readouterr().err
    assert message.startswith("tertium: ")
    assert line in message
    assert message.count("\n") == 1


def test_bugs_show_a_traceback_and_ask_for_a_report():
    code = (
        "import tertium.cli.metrics as verb\n"
        "verb.command = lambda rest: 1 // 0\n"
        "from tertium.cli import main\n"
        "raise SystemExit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "metrics"], capture_output=True, text=True
    )
    assert "ZeroDivisionError" in done.stderr
    assert "please report it" in done.stderr.splitlines()[-1]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("command", "name", "data"),
    [
        ("explain demo --list", "list.json", b'{"worst": ' + b"[" * 100_000),
        ("explain demo --list", "list.tsv", b"system\rsegment\ra\r"),
        ("explain demo --list", "list.tsv", b"system\tsegment\n\xff\t1\n"),
        ("correlate demo --scores", "scores.json", b"[" * 100_000),
        ("score", "set.jsonl", b"[" * 100_000),
        ("judgements stats", "judged.jsonl", b"[" * 100_000),
        ("train --explain", "model.json", b"[" * 100_000),
        ("functionwords", "text.txt", b"a\xffb\n"),
    ],
)
def test_unreadable_files_are_named(command, name, data, tmp_path, capsys):
    """The file is named by its reader: the last line of defence could not."""
    if command.split()[0] in ("correlate", "judgements", "train"):
        pytest.importorskip("polars")
    (tmp_path / name).write_bytes(data)
    assert main([*command.split(), name]) == 2
    message = capsys.readouterr().err
    assert name in message
    assert message.count("\n") == 1


def test_names_that_are_too_long_are_one_line(capsys):
    assert main(["agree", "x" * 5000]) == 2
    message = capsys.readouterr().err
    assert "File name too long" in message
    assert message.count("\n") == 1

# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are full, closed or hung up on: one line, an exit code."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

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
    "report": ("report demo -m chrf --resamples 50", ""),
    "explain": ("explain --hyp 'a b' --ref 'b a'", ""),
    "parts": ("parts extract a.conllu", ""),
    "campaign": ("campaign new new/campaign.toml --task direct", "django"),
    "judgements": ("judgements stats demo", "polars"),
    "judge": ("judge demo --url demo --model demo --dry-run", ""),
    "agree": ("agree demo --resamples 20", "polars"),
    "rank": ("rank demo", "polars"),
    "correlate": ("correlate demo -m bleu --resamples 0", "polars"),
    "train": ("train --explain beer-3.0", "polars"),
    "grammar": ("grammar new nap", ""),
    "reuse": ("reuse demo demo --leave-one-out --scale DA", "polars"),
    "nbest": ("nbest stats -n a.nbest", ""),
    "mbr": ("mbr -n a.nbest -m chrf", ""),
    "rerank": ("rerank -n a.nbest --feature lm", ""),
    "tune": ("tune serve -m sentbleu", ""),
    "preorder": ("preorder gold -s a.txt --links a.links", ""),
    "align": ("align -i a.txt -r a.txt", ""),
    "parse": ("parse a.txt -p udpipe --model {model}", "ufal.udpipe"),
    "permute": ("permute a.txt -d 1", ""),
    "reproduce": ("reproduce forests/figure-3", ""),
    "repeat": ("repeat run.json", ""),
    "cite": ("cite run.json", ""),
    "metrics": ("metrics", ""),
    "check": ("check demo", ""),
    "resegment": ("resegment -r a.txt -i a.txt", ""),
    "convert": ("convert demo -o - --to tsv", ""),
    "cache": ("cache", ""),
    "completion": ("completion bash", ""),
    "functionwords": ("functionwords a.txt -n 1", ""),
    "wordlist": ("wordlist --show en", ""),
    "sacrebleu": ("sacrebleu a.txt -i a.txt", ""),
}
HELP = [*(f"{verb} --help" for verb in VERBS), "--help"]
STDIN = "EVAL ||| a ||| a\n"

# Runs commands into /dev/full and prints the exit code and the messages of each. Every
# command is a process that ends as a program does; imports are paid for once.
RUNNER = """
import json, os, shlex, sys
from importlib import import_module
from tertium.cli import VERBS, main

for room in ("learn.data", "grammars.analysis.annotation"):
    import_module(f"tertium.{room}")
import_module("tertium.judgements.agreement.overview")
for verb in VERBS:
    import_module(f"tertium.cli.{verb}")

def run(command):
    child = os.fork()
    if child == 0:
        for number, path, mode in (
            (0, "stdin", os.O_RDONLY),
            (1, "/dev/full", os.O_WRONLY),
            (2, "messages", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):
            os.dup2(os.open(path, mode), number)
        sys.argv = ["tertium", *shlex.split(command)]
        sys.exit(main())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open("messages") as file:
        return code, file.read()

print(json.dumps([run(command) for command in json.load(sys.stdin)]))
"""


def write_files(folder):
    """Write a text, its links, a tree and an n-best list."""
    (folder / "a.txt").write_text("a b c d e f\n")
    (folder / "a.links").write_text("0-1 1-0\n")
    (folder / "a.nbest").write_text("0 ||| a b ||| lm= -1 ||| -1\n")
    (folder / "a.conllu").write_text(TREE)
    record = Path(__file__).parents[1] / "support" / "score_demo.record.json"
    shutil.copy(record, folder / "run.json")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Run in a folder with these files."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)


def environment():
    """Return the environment as users have it: output is buffered until the end."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}


def shell(command):
    """Run ``tertium COMMAND`` in a shell, with its redirections."""
    return subprocess.run(
        f"{shlex.quote(sys.executable)} -m tertium {command}",
        shell=True,
        input=STDIN,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(),
    )


def found(package):
    """Return whether a package is installed, or none is needed."""
    if not package:
        return True
    parent = package.partition(".")[0]
    return bool(importlib.util.find_spec(parent) and importlib.util.find_spec(package))


@pytest.fixture(scope="module")
def into_full(request, tmp_path_factory):
    """Return exit code and messages of every command whose output cannot be written.

    By verb, and by command for help.
    """
    commands = {
        verb: command for verb, (command, needed) in COMMANDS.items() if found(needed)
    }
    if "parse" in commands:
        model = request.getfixturevalue("tiny_model")
        commands["parse"] = commands["parse"].format(model=model)
    commands.update({command: command for command in HELP})
    folder = tmp_path_factory.mktemp("full")
    write_files(folder)
    (folder / "stdin").write_text(STDIN)
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(list(commands.values())),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        cwd=folder,
        env=environment(),
        timeout=300,
    )
    return dict(zip(commands, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("verb", VERBS)
def test_a_full_output_is_one_line_and_exit_code_one(verb, into_full):
    if verb not in into_full:
        pytest.skip(f"{COMMANDS[verb][1]} is not installed")
    code, messages = into_full[verb]
    last = messages.splitlines()[-1]
    assert last == "tertium: cannot write the output: No space left on device"
    assert "Traceback" not in messages
    assert "Exception ignored" not in messages
    assert code == 1


@pytest.mark.parametrize("command", HELP)
def test_help_that_cannot_be_written_is_an_error(command, into_full):
    code, messages = into_full[command]
    assert messages == "tertium: cannot write the output: No space left on device\n"
    assert code == 1


@pytest.mark.parametrize("command", ["score demo", "metrics", "score --help"])
def test_a_program_of_its_own_fails_alike(command):
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


def test_a_closed_output_is_not_an_error_if_a_file_is_written(tmp_path):
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
        "tune serve -m sentbleu",
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
def test_a_reader_that_has_seen_enough_is_not_a_failure(command):
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
        "import resource, signal, sys\n"
        "sys.dont_write_bytecode = True\n"  # cut short, it would break others
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
        "a.links",
        "a.nbest",
        "a.txt",
        "demo.tsv",
        "run.json",
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

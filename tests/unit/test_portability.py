# SPDX-License-Identifier: Apache-2.0
"""Nothing assumes POSIX: the same code runs on Windows, as far as Linux can tell."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

import tertium
from tertium import _locks, _programs
from tertium.cli.shared import streams

SOURCE = Path(tertium.__file__).parent

# Modules of the standard library that Windows does not have.
POSIX_MODULES = {
    "crypt",
    "curses",
    "fcntl",
    "grp",
    "nis",
    "ossaudiodev",
    "posix",
    "pty",
    "pwd",
    "readline",
    "resource",
    "spwd",
    "syslog",
    "termios",
    "tty",
}
# Names of `os`, `signal`, `socket` and `time` that Windows does not have, or that do
# something else there.
POSIX_NAMES = {
    "os": """chown chroot fchmod fchown fork forkpty getegid geteuid getgid getgroups
        getloadavg getpgid getpgrp getuid kill killpg lchown mkfifo mknod nice openpty
        pread pwrite rename sched_getaffinity sendfile setgid setpgid setsid setuid
        statvfs symlink sync uname wait wait3 wait4 waitpid""",
    "signal": """SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 SIGWINCH
        alarm pause pthread_kill pthread_sigmask setitimer sigwait""",
    "socket": "AF_UNIX SO_REUSEADDR SO_REUSEPORT socketpair",
    "time": "tzset clock_gettime pthread_getcpuclockid",
}
# Where they stand behind a question about the system.
GUARDED = {
    ("_locks.py", "fcntl"),
    ("_processes.py", "signal.pthread_sigmask"),
    ("_programs.py", "os.killpg"),
    ("_programs.py", "signal.SIGKILL"),
    ("campaigns/site/serving.py", "socket.SO_REUSEADDR"),
    ("report/draw/vega.py", "resource"),
    # A folder onto a name that was freed before.
    ("_files.py", "os.rename"),
}


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax trees of the package by path."""
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def posix_names(module: str | None) -> set[str]:
    return set(POSIX_NAMES.get(module or "", "").split())


def posix_uses(tree: ast.AST) -> Iterator[str]:
    """Yield the modules and names that only POSIX has, as a file uses them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from POSIX_MODULES & {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            yield from POSIX_MODULES & {node.module or ""}
            chosen = posix_names(node.module) & {alias.name for alias in node.names}
            yield from (f"{node.module}.{name}" for name in chosen)
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr in posix_names(node.value.id)
        ):
            yield f"{node.value.id}.{node.attr}"


def test_posix_only_names_stand_where_the_system_is_asked_first():
    uses = {(path, use) for path, tree in modules().items() for use in posix_uses(tree)}
    assert uses == GUARDED


def test_the_search_for_posix_names_finds_them():
    code = "import os, fcntl\nfrom signal import SIGKILL\nos.fork()\nos.getpid()"
    assert set(posix_uses(ast.parse(code))) == {"fcntl", "signal.SIGKILL", "os.fork"}


def text_calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls that open text files, and the mode."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.id if isinstance(function, ast.Name) else ""
        attribute = function.attr if isinstance(function, ast.Attribute) else ""
        if attribute in ("read_text", "write_text"):
            yield node, attribute[0]
        elif name == "open" or attribute in ("open", "fdopen"):
            owner = function.value if isinstance(function, ast.Attribute) else None
            if isinstance(owner, ast.Name) and owner.id == "os" and attribute == "open":
                continue  # descriptors
            modes = [each.value for each in node.args if isinstance(each, ast.Constant)]
            modes += [
                word.value.value
                for word in node.keywords
                if word.arg == "mode" and isinstance(word.value, ast.Constant)
            ]
            modes = [mode for mode in modes if _is_mode(mode)]
            # gzip and zipfile open bytes unless told otherwise.
            if modes and "b" not in modes[0] and name + attribute != "":
                yield node, modes[0]


def _is_mode(value: object) -> bool:
    return isinstance(value, str) and value != "" and set(value) <= set("rwxabt+")


def test_text_files_are_written_with_the_same_newlines_everywhere():
    for path, tree in modules().items():
        for call, mode in text_calls(tree):
            if "devnull" in ast.unparse(call) or not set(mode) & set("wxa"):
                continue
            words = {word.arg for word in call.keywords}
            if "encoding" not in words:  # A zip archive's member, which is bytes.
                continue
            if path.endswith("site/database.py"):
                continue  # A key, whose reader strips the line's end.
            assert "newline" in words, f"{path}:{call.lineno}"


def test_no_path_of_one_system_is_written_out():
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not node.value.startswith(("/tmp/", "C:\\")), path
                assert node.value != "/dev/null", path


RUNNER = """
import importlib, pkgutil, sys, warnings

HIDDEN = set(sys.argv[1].split())

class Hide:
    def find_spec(self, name, path=None, target=None):
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in HIDDEN & set(sys.modules) - {"posix"}:
    del sys.modules[name]
sys.meta_path.insert(0, Hide())
warnings.filterwarnings("error", category=EncodingWarning, module=r"tertium\\b")
sys.path.insert(0, sys.argv[2])
"""

IMPORTS = """
import tertium
from tertium.campaigns.site.setup import start
start()
for info in pkgutil.walk_packages(tertium.__path__, "tertium."):
    if info.name.endswith(".__main__"):
        continue
    try:
        importlib.import_module(info.name)
    except ModuleNotFoundError as error:  # an extra may not be installed here
        if error.name.split(".")[0] in HIDDEN | {"tertium"}:
            raise
print(sum(name.startswith("tertium.") for name in sys.modules))
"""

VERBS = """
from tertium.cli import main
for line in sys.stdin:
    print("$", line.strip(), flush=True)
    try:
        code = main(line.split())
    except SystemExit as end:
        code = end.code
    assert code in (0, None), (line, code)
"""


def run_without_posix(code: str, *, stdin: str = "", cwd: Path) -> str:
    done = subprocess.run(
        [
            *(sys.executable, "-X", "warn_default_encoding", "-c", RUNNER + code),
            *(" ".join(sorted(POSIX_MODULES - {"posix"})), str(SOURCE.parent)),
        ],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def test_every_module_is_imported_without_posix_modules(tmp_path):
    count = int(run_without_posix(IMPORTS, cwd=tmp_path).split()[-1])
    assert count > 700  # tertium has more than a thousand


def test_verbs_run_without_posix_modules_and_name_their_encodings(tmp_path):
    verbs = """\
        --version
        metrics
        score demo -m bleu chrf++ ter beer
        score demo -f html -o scores.html
        compare demo -m bleu
        convert demo -o demo.tsv
        check demo.tsv
        explain --hyp fünf --ref zwei
        correlate demo -m bleu
        judgements stats demo
        agree demo
        rank demo
        completion bash
        wordlist --show en
        preorder demo
        campaign new --task ranking tasks
        """
    output = run_without_posix(VERBS, stdin=_lines(verbs), cwd=tmp_path)
    assert output.count("$ ") >= len(_lines(verbs).splitlines())
    for name in ("scores.html", "demo.tsv"):
        assert b"\r\n" not in (tmp_path / name).read_bytes()


def _lines(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.strip().splitlines())


def test_commands_keep_their_backslashes_on_windows(monkeypatch):
    monkeypatch.setattr(_programs, "_NAME", "nt")
    command = '"C:\\Program Files\\eflomal.exe" -s it\'s --out=C:\\x'
    words = ["C:\\Program Files\\eflomal.exe", "-s", "it's", "--out=C:\\x"]
    assert _programs.split_command(command) == words
    with pytest.raises(ValueError, match="quotation"):
        _programs.split_command('"open')
    assert _programs.quote_argument("two words") == '"two words"'


def test_commands_are_cut_as_in_the_shell_elsewhere():
    assert _programs.split_command("a 'b c' d\\ e") == ["a", "b c", "d e"]
    assert _programs.quote_argument("two words") == "'two words'"


@pytest.mark.skipif(os.name == "nt", reason="the other branch is the one at hand")
def test_windows_ends_a_program_with_what_it_started(monkeypatch, tmp_path):
    taskkill = tmp_path / "taskkill"
    taskkill.write_text('#!/bin/sh\nprintf "%s " "$@" >"$0.log"\n', encoding="ascii")
    taskkill.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(_programs, "sys", SimpleNamespace(platform="win32"))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1) as process:
        _programs.end_program(process)
    assert process.returncode != 0
    arguments = taskkill.with_suffix(".log").read_text(encoding="ascii").split()
    assert arguments == ["/F", "/T", "/PID", str(process.pid)]


def test_a_lock_keeps_others_out_until_it_is_released(tmp_path):
    place = tmp_path / "lock"
    with (
        _locks.lock_file(place),
        pytest.raises(_locks.LockedError),
        _locks.lock_file(place),
    ):
        pass
    with _locks.lock_file(place):
        pass


def test_windows_locks_the_first_byte_of_a_file(monkeypatch, tmp_path):
    calls = []

    def locking(number: int, mode: str, size: int) -> None:
        calls.append((mode, size))
        if len(calls) > 1:
            raise PermissionError

    fake = SimpleNamespace(locking=locking, LK_NBLCK="now")
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    monkeypatch.setattr(_locks, "sys", SimpleNamespace(platform="win32"))
    place = tmp_path / "lock"
    with (
        _locks.lock_file(place),
        pytest.raises(_locks.LockedError),
        _locks.lock_file(place),
    ):
        pass
    assert calls == [("now", 1), ("now", 1)]


@pytest.mark.skipif(not hasattr(os, "eventfd"), reason="made with Linux's eventfd")
def test_a_reader_that_left_is_a_broken_pipe_on_windows(monkeypatch):
    # Windows says EINVAL, and so does a counter of events about one byte.
    number = os.eventfd(0)
    with streams._Output(number, "w") as output:
        with pytest.raises(tertium.OutputError, match="Invalid argument"):
            output.write(b"x")
        monkeypatch.setattr(streams, "os", SimpleNamespace(name="nt"))
        with pytest.raises(BrokenPipeError):
            output.write(b"x")

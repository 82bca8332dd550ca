# SPDX-License-Identifier: Apache-2.0
"""Run the examples in the documentation and compare their output with the pages.

A page is run from top to bottom in an empty folder. Four kinds of fenced blocks
count; everything else is ignored:

``console``
    Commands after ``$``, each followed by what it prints. ``tertium ...`` runs
    in this process (``tertium campaign ...`` in its own: Django has one database per
    process), ``cat FILE | tertium ...`` feeds it a file, ``echo $?`` shows
    its exit code; ``cat``, ``head``, ``ls`` and ``sed`` run in a shell. A command
    that goes on in the next line ends in a backslash. A line ``...`` stands for
    any lines.
``pycon``
    A Python session with ``>>>`` (in ``python`` too); a page is one session.
``python``
    Python to be executed in that session, which must print nothing.
any language with ``title="NAME"``
    A file that the reader makes; written to the folder, not executed.

Other commands, such as ``git`` and ``make``, go into ``sh`` blocks, which are not
run; verbs and options of ``tertium`` in them are checked (:func:`check_shell`), also
after ``time`` or ``NAME=value``, in a pipe, a loop or ``$(...)``.
"""

from __future__ import annotations

import builtins
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from difflib import SequenceMatcher
from doctest import DocTestParser
from functools import partial
from importlib import import_module
from itertools import dropwhile, groupby
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent

_BLOCK = re.compile(
    r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?[^\n]*\n(?P<body>.*?)^```$',
    re.DOTALL | re.MULTILINE,
)
_ELLIPSIS = "..."
_OPERATORS = "();<>|&"
#: What may stand before a command: words of the shell and of other programs.
_BEFORE = ("time", "do", "then", "else", "if", "while", "!", "nohup", "exec", "env")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_INNER = re.compile(r"\$\(([^()]*)\)")
_SHELL = ("cat", "head", "ls", "sed", "tail")


def pages() -> list[Path]:
    """Return every page that may hold examples."""
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    return files + sorted((ROOT / "docs").rglob("*.md"))


def files(text: str) -> dict[str, str]:
    """Return the files that the reader of a page makes, by name."""
    blocks = _BLOCK.finditer(text)
    return {block["title"]: block["body"] for block in blocks if block["title"]}


def check_shell(text: str) -> int:
    """Parse the ``tertium`` commands in ``sh`` blocks; return how many there are.

    Raises
    ------
    TertiumError
        If a verb, an action or an option does not exist, or a value is not possible.
    """
    commands = 0
    for block in _BLOCK.finditer(text):
        if block["kind"] == "sh" and not block["title"]:
            for line in block["body"].replace("\\\n", " ").splitlines():
                commands += sum(map(_parse, _shell_commands(line)))
    return commands


def _shell_commands(line: str) -> Iterator[list[str]]:
    """Yield the words of every simple command in a line, without redirections.

    Examples
    --------
    >>> list(_shell_commands("T=$(tertium a -q); time tertium b < in 2> log | sort"))
    [['tertium', 'a', '-q'], ['tertium', 'b'], ['sort']]
    """
    for inner in _INNER.findall(line):
        yield from _shell_commands(inner)
    lexer = shlex.shlex(
        _INNER.sub("OUTPUT", line), posix=True, punctuation_chars=_OPERATORS
    )
    lexer.whitespace_split = True
    words: list[str] = []
    redirected = False
    for word in lexer:
        is_operator = word != "" and set(word) <= set(_OPERATORS)
        if is_operator and set(word) & set("<>"):
            redirected = True
            if words and words[-1] in ("1", "2"):
                words.pop()
        elif redirected:
            redirected = False
        elif is_operator:
            yield from _command(words)
            words = []
        else:
            words.append(word)
    yield from _command(words)


def _command(words: list[str]) -> Iterator[list[str]]:
    """Yield a command without what stands before it, unless nothing is left."""
    rest = [*dropwhile(lambda w: w in _BEFORE or _ASSIGNMENT.match(w), words)]
    if rest:
        yield rest


def _parse(words: list[str]) -> bool:
    from tertium.cli import VERBS
    from tertium.cli.shared.parsers import parser_of

    if words[:1] != ["tertium"] or words[1] not in VERBS:
        return False
    run = import_module(f"tertium.cli.{words[1]}").command
    parser = parser_of(run, words[2:])
    parser.parse_args(words[len(parser.prog.split()) :])
    return True


def rerun(text: str, folder: Path) -> str:
    """Return a page with the output that its examples print now.

    Output that fits what the page shows, ellipses included, is left as it is. Changed
    output keeps its ellipses.
    """
    with _session(folder) as names:
        return _BLOCK.sub(lambda block: _rerun_block(block, names), text)


@contextmanager
def _session(folder: Path) -> Iterator[dict[str, object]]:
    """Work in a folder; leave directory, path, modules, registries as they were."""
    from tertium.align import matchers
    from tertium.metrics import registry

    known, home = set(sys.modules), Path.cwd()
    os.chdir(folder)
    with (
        mock.patch.object(sys, "path", [str(folder), *sys.path]),
        mock.patch.object(registry, "_registered", {}),
        mock.patch.dict(matchers._registered),
        mock.patch.dict("os.environ", {"COLUMNS": "80"}),
    ):
        try:
            yield {"__name__": "__main__"}
        finally:
            os.chdir(home)
    for name in set(sys.modules) - known:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).is_relative_to(folder):
            del sys.modules[name]


def _rerun_block(block: re.Match[str], names: dict[str, object]) -> str:
    kind, title, body = block["kind"], block["title"], block["body"]
    if title:
        Path(title).write_text(body, encoding="utf-8")
        return block[0]
    if kind == "console":
        new = _console(body, names)
    elif kind == "pycon" or (kind == "python" and body.startswith(">>> ")):
        new = _pycon(body, names)
    elif kind == "python":
        _python(body, names)
        return block[0]
    else:
        return block[0]
    start, end = (at - block.start() for at in block.span("body"))
    return block[0][:start] + new + block[0][end:]


# ---------------------------------------------------------------------- commands


def _console(body: str, names: dict[str, object]) -> str:
    out = []
    for command, shown in _commands(body):
        line = command.replace("\\\n", " ").removeprefix("$ ")
        printed = _run(line, names)
        out.append(f"{command}\n{_corrected(printed, shown)}")
    return "".join(out)


def _commands(body: str) -> Iterator[tuple[str, str]]:
    """Yield every command, as it is written, with the output shown for it."""
    parts = re.split(r"^(\$ (?:[^\n]*\\\n)*[^\n]*)\n", body, flags=re.MULTILINE)
    if parts[0]:
        message = f"a console block starts with output: {parts[0]!r}"
        raise ValueError(message)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def _run(line: str, names: dict[str, object]) -> str:
    from tertium.cli import main

    words = shlex.split(line)
    fed = ""
    if words == ["echo", "$?"]:
        return f"{names['?']}\n"
    if words[0] == "cat" and words[2:4] == ["|", "tertium"]:
        fed = Path(words[1]).read_text(encoding="utf-8")
        words = words[3:]
    elif words[0] in _SHELL:
        done = subprocess.run(
            ["sh", "-c", line],
            capture_output=True,
            encoding="utf-8",
            check=True,
            env={**os.environ, "LC_ALL": "C"},
        )
        return done.stdout
    if words[0] != "tertium":
        message = f"cannot run {line!r}: put it into a block of `sh`"
        raise ValueError(message)
    if words[1:2] == ["campaign"]:
        return _campaign(words[1:], names)
    # Files of links are written as bytes, also to standard output.
    printed = io.TextIOWrapper(
        io.BytesIO(), encoding="utf-8", newline="", write_through=True
    )
    stdin = io.TextIOWrapper(io.BytesIO(fed.encode()), encoding="utf-8")
    with (
        redirect_stdout(printed),
        redirect_stderr(printed),
        mock.patch.object(sys, "stdin", stdin),
    ):
        try:
            names["?"] = main(words[1:])
        except SystemExit as done:  # --help
            names["?"] = done.code
    return printed.buffer.getvalue().decode()


def _campaign(words: list[str], names: dict[str, object]) -> str:
    known = {k: v for k, v in os.environ.items() if not k.startswith("TERTIUM_")}
    known.pop("DJANGO_SETTINGS_MODULE", None)
    done = subprocess.run(
        [sys.executable, "-m", "tertium", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        env=known | {"COLUMNS": "80"},
    )
    names["?"] = done.returncode
    return done.stdout


def fits(printed: str, shown: str) -> bool:
    """Return whether output is what a page shows; `...` is any number of lines."""
    pieces = [re.escape(line) for line in shown.splitlines(keepends=True)]
    any_lines = re.escape(f"{_ELLIPSIS}\n")
    pattern = "".join("(?:.*\n)*" if piece == any_lines else piece for piece in pieces)
    return re.fullmatch(pattern, printed) is not None


def _corrected(printed: str, shown: str) -> str:
    """Return what a page should show: the same lines as before are left out."""
    if fits(printed, shown):
        return shown
    short = _elided(printed.splitlines(True), shown.splitlines(True))
    return short if fits(printed, short) else printed


def _elided(printed: list[str], shown: list[str]) -> str:
    """Return output cut at the ellipses of an older output."""
    ellipsis = f"{_ELLIPSIS}\n"
    pieces = [
        list(lines) for is_cut, lines in groupby(shown, ellipsis.__eq__) if not is_cut
    ]
    if sum(map(len, pieces)) > len(printed):
        return "".join(printed)
    kept, start = [], 0
    for number, piece in enumerate(pieces):
        first = number == 0 and shown[0] != ellipsis
        last = number == len(pieces) - 1 and shown[-1] != ellipsis
        places = range(start, len(printed) - len(piece) + 1)
        if first:
            at = 0
        elif last:
            at = len(printed) - len(piece)
        else:
            at = max(places, key=partial(_likeness, printed, piece), default=start)
        kept.append("".join(printed[at : at + len(piece)]))
        start = at + len(piece)
    text = ellipsis.join(kept)
    begin = ellipsis if shown[:1] == [ellipsis] else ""
    return begin + text + (ellipsis if shown[-1:] == [ellipsis] else "")


def _likeness(printed: list[str], piece: list[str], at: int) -> float:
    """Return how much lines of output resemble those that a page shows."""
    now, before = "".join(printed[at : at + len(piece)]), "".join(piece)
    return SequenceMatcher(None, now, before, autojunk=False).ratio()


# ------------------------------------------------------------------------ Python


def _python(body: str, names: dict[str, object]) -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(body, "<page>", "exec", dont_inherit=True), names)
    if printed.getvalue():
        message = f"prints {printed.getvalue()!r}; make it a block of `pycon`"
        raise ValueError(message)


def _pycon(body: str, names: dict[str, object]) -> str:
    out = []
    for piece in DocTestParser().parse(body):
        if isinstance(piece, str):
            out.append(piece)
            continue
        prompts = [">>> ", *["... "] * piece.source.count("\n")]
        lines = piece.source.splitlines()
        source = "".join(
            f"{prompt}{line}".rstrip() + "\n"
            for prompt, line in zip(prompts, lines, strict=False)
        )
        printed = _execute(piece.source, names)
        if "\n\n" in printed or printed.startswith("\n"):
            message = f"{piece.source!r} prints an empty line, which ends an output"
            raise ValueError(message)
        out.append(source + _corrected(printed, piece.want))
    return "".join(out)


def _execute(source: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    try:
        with redirect_stdout(printed), mock.patch.object(sys, "displayhook", _display):
            exec(compile(source, "<page>", "single", dont_inherit=True), names)
    except Exception as error:
        kind = type(error)
        home = "" if kind.__module__ == builtins.__name__ else f"{kind.__module__}."
        printed.write("Traceback (most recent call last):\n  ...\n")
        printed.write(f"{home}{kind.__qualname__}: {error}\n")
    return printed.getvalue()


def _display(value: object) -> None:
    if value is not None:
        print(repr(value))

# SPDX-License-Identifier: Apache-2.0
"""``tertium sacrebleu`` prints what sacreBLEU 2.6.0 prints, but for the version.

The real sacreBLEU runs all command lines in one process that forks for each, so
that its imports are paid for once: ``sacrebleu ARGUMENTS`` in a folder of files.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.cli import main
from tertium.engine.sacrebleu.resampling import bleu_scores
from tertium.engine.sacrebleu.scores import bleu_parts
from tertium.engine.sacrebleu.tables import booktabs, grid
from tertium.metrics.bleu import Bleu

DEMO = Path(tertium.__file__).parent / "demo" / "demo.jsonl"
VARIABLES = ("SACREBLEU_FORMAT", "SACREBLEU_SEED", "NO_COLOR")

# Reads the cases from stdin and writes (exit code, output) of each.
RUNNER = """
import json, os, sys, tempfile
import numpy
import sacrebleu.sacrebleu, sacrebleu.significance

def run(case):
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        stdin.write(case["stdin"].encode())
        stdin.seek(0)
        child = os.fork()
        if child == 0:
            os.dup2(stdin.fileno(), 0)
            os.dup2(stdout.fileno(), 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.environ.update(case["env"])
            sys.argv = ["sacrebleu", *case["argv"]]
            code = 1
            try:
                sacrebleu.sacrebleu.main()
                code = 0
            except SystemExit as end:
                code = end.code or 0
            finally:
                sys.stdout.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        stdout.seek(0)
        return code, stdout.read().decode()

print(json.dumps([run(case) for case in json.load(sys.stdin)]))
"""

SINGLE = """
ref.txt -i good.txt
ref.txt -i good.txt -m bleu chrf ter
ref.txt -i good.txt -m ter chrf bleu bleu -f text
ref.txt -i good.txt -f text
ref.txt -i good.txt -f latex
ref.txt -i good.txt -b
ref.txt -i good.txt -b -w 4 -m chrf ter
ref.txt -i good.txt -b -f text -m bleu chrf ter
ref.txt -i good.txt -w 0
ref.txt -i good.txt -w 3 -f text -sh -m bleu chrf ter
ref.txt -i good.txt -sh
ref.txt ref2.txt -i good.txt -m bleu chrf ter
both.tsv -nr 2 -i words.txt -m bleu chrf ter -f text
ref.txt ref2.txt good.txt -i words.txt -m ter -b -w 6
ref.txt -i odd.txt -m bleu chrf ter -w 3
odd.txt -i ref.txt -m bleu chrf ter -w 3 --chrf-whitespace
ref.txt.gz -i good.txt.gz
latin.txt -i latin.txt -e latin-1 -m chrf
wide.txt -i wide.txt -e utf-16 -m bleu ter
ref.txt -i nothing.txt -m bleu chrf ter
ref.txt -i nonsense.txt -m bleu chrf ter
nothing.txt -i nothing.txt -m bleu chrf ter -f text
nothing.txt -i good.txt -m bleu chrf ter -f text
one.txt -i one.txt -m bleu chrf ter
"""
SETTINGS = """
ref.txt -i good.txt -lc -tok intl
ref.txt -i good.txt -tok none --force
ref.txt -i good.txt -tok char -l en-zh
chinese.txt -i chinese2.txt -l en-zh -m bleu
chinese.txt -i chinese2.txt -m ter --ter-normalized --ter-asian-support
ref.txt -i good.txt -s floor
ref.txt -i odd.txt -s floor -sv 0.25 -f text
ref.txt -i nonsense.txt -s floor -f text
ref.txt -i nonsense.txt -s add-k -f text
ref.txt -i nonsense.txt -s add-k -sv 0.5 -f text
ref.txt -i nonsense.txt -s none -f text
ref.txt -i one-word.txt -s exp -f text
ref.txt -i one-word.txt -s add-k -sv 2 -f text
ref.txt -i good.txt -m chrf -cc 4 -cw 2 --chrf-beta 3 --chrf-lowercase
ref.txt -i good.txt -m chrf --chrf-word-order 2 --chrf-eps-smoothing --chrf-whitespace
ref.txt -i good.txt -m ter --ter-case-sensitive --ter-no-punct
ref.txt -i good.txt --smooth-m floor --metr chrf bleu --chrf-b 1
"""
SENTENCES = """
ref.txt -i good.txt -sl
ref.txt -i good.txt -sl -sh -w 3
ref.txt ref2.txt -i odd.txt -sl -b -w 4
ref.txt -i one-word.txt -sl -f json
ref.txt -i nonsense.txt -sl -s floor
ref.txt -i good.txt -sl -m chrf -f text
ref.txt -i odd.txt -sl -m ter -b
"""
CONFIDENCE = """
ref.txt -i good.txt -ci
ref.txt -i good.txt -ci -cin 200 -m bleu chrf ter -f text
ref.txt -i good.txt -ci -m bleu chrf ter -w 4
ref.txt -i good.txt -ci -b -f text -m bleu chrf ter
ref.txt -i good.txt -ci -b
ref.txt -i good.txt -ci -cin 1
ref.txt -i good.txt -ci -sh -f text -nc
ref.txt ref2.txt good.txt -i words.txt -ci -m bleu chrf ter -w 5 -cin 300
ref.txt -i nonsense.txt -ci -cin 100
ref.txt -i odd.txt -ci -s floor -cin 100 -w 6
ref.txt -i odd.txt -ci -s add-k -sv 0.5 -cin 100 -w 6
ref.txt -i odd.txt -ci -s none -cin 100 -w 6
ref.txt -i odd.txt -ci -m chrf --chrf-eps-smoothing -cw 2 -cin 100 -w 6
"""
SEVERAL = """
ref.txt -i good.txt order.txt words.txt
ref.txt -i good.txt order.txt -m ter bleu chrf -w 2
ref.txt -i good.txt order.txt words.txt -m ter bleu chrf -f text
ref.txt -i good.txt order.txt words.txt -m bleu chrf -f text -w 4 -sh
ref.txt -i good.txt under_score.txt -m bleu chrf ter -f latex
ref.txt -i good.txt order.txt -f text -w 0 -nc
ref.txt -i größe.txt order.txt -f json
"""
PAIRED = """
ref.txt -i good.txt order.txt words.txt -pbs
ref.txt -i good.txt order.txt words.txt -pbs -m bleu chrf ter -f text
ref.txt -i words.txt copy.txt good.txt -pbs -m ter chrf bleu -f text -nc -w 3
ref.txt -i good.txt order.txt -pbs -m bleu chrf ter -f latex -sh
ref.txt -i good.txt order.txt -pbs -pbsn 137
ref.txt -i words.txt good.txt words.txt -pbs -pbsn 100 -j 2
ref.txt ref2.txt good.txt -i order.txt words.txt -pbs -m ter chrf -f text -w 5
ref.txt -i odd.txt nonsense.txt -pbs -pbsn 200 -s floor -m bleu chrf ter -f text -w 6
ref.txt -i odd.txt words.txt -pbs -pbsn 200 -s add-k -sv 0.5
ref.txt -i odd.txt good.txt -pbs -pbsn 200 -m chrf --chrf-eps-smoothing -cw 2 -f text
ref.txt -i good.txt order.txt words.txt -par -parn 500
ref.txt -i good.txt order.txt words.txt -par -parn 500 -m bleu chrf ter
ref.txt -i good.txt order.txt copy.txt -par -parn 500 -m bleu chrf ter -f text
ref.txt -i words.txt copy.txt -par -parn 500 -m ter chrf -f latex -w 2
ref.txt ref2.txt good.txt -i order.txt words.txt -par -parn 777 -m bleu chrf ter
ref.txt -i odd.txt words.txt -par -parn 500 -s add-k -sv 0.5
ref.txt -i odd.txt words.txt -par -parn 500 -s floor -sh -f text
ref.txt -i good.txt words.txt -par -parn 0 -f json
"""
ENVIRONMENT: list[tuple[str, dict[str, str]]] = [
    ("ref.txt -i good.txt", {"SACREBLEU_FORMAT": "TEXT"}),
    ("ref.txt -i good.txt -f text", {"SACREBLEU_FORMAT": "xml"}),
    ("ref.txt -i good.txt words.txt", {"SACREBLEU_FORMAT": "latex"}),
    ("ref.txt -i good.txt -ci -w 5", {"SACREBLEU_SEED": "7"}),
    ("ref.txt -i good.txt -ci -w 5", {"SACREBLEU_SEED": "0"}),
    ("ref.txt -i good.txt words.txt -pbs", {"SACREBLEU_SEED": "99"}),
    ("ref.txt -i good.txt words.txt -par -parn 300", {"SACREBLEU_SEED": "99"}),
    ("ref.txt -i good.txt words.txt -f text", {"NO_COLOR": "1"}),
]
STDIN: list[tuple[str, str]] = [
    ("ref3.txt", "the first line\nanother one\nthe last\n"),
    ("ref3.txt -m chrf --chrf-whitespace", "the first line \r\nanother\r\nthe last  "),
    ("ref3.txt -f text", "the first line\tone\nanother one\ttwo\nthe last\tthree \n"),
    ("ref3.txt -pbs -pbsn 50 -f text", "the first line\ta\nanother one\tb\nlast\tc\n"),
    ("ref3.txt -pbs -pbsn 50", "the first line\ta\nanother one\tb\nlast\tc\n"),
    ("ref3.txt -par -parn 50", "the first line\ta\nanother one\tb\nlast\tc\n"),
    ("ref3.txt -sl -m ter", "the first line\nother one\nthe last\n"),
]


def lines_of(table: str) -> list[tuple[str, dict[str, str], str]]:
    return [(line, {}, "") for line in table.strip().splitlines()]


CASES: list[tuple[str, dict[str, str], str]] = [
    *lines_of(SINGLE),
    *lines_of(SETTINGS),
    *lines_of(SENTENCES),
    *lines_of(CONFIDENCE),
    *lines_of(SEVERAL),
    *lines_of(PAIRED),
    *((line, env, "") for line, env in ENVIRONMENT),
    *((line, {}, stdin) for line, stdin in STDIN),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the demo set and with awkward files."""
    found = tmp_path_factory.mktemp("sacrebleu")
    segments = [json.loads(line) for line in DEMO.read_text("utf-8").splitlines()]
    texts = {name: [one["tgt"][name] for one in segments] for name in segments[0]["tgt"]}
    refs = [one["ref"] for one in segments]
    texts["ref"], texts["ref2"] = [r[0] for r in refs], [r[1] for r in refs]
    texts["both"] = ["\t".join(ref) for ref in refs]
    texts["under_score"] = texts["größe"] = texts["order"]
    odd = ["", "  leading and trailing  ", "a\rb c", "\u2028x\u0085", "…", "“Würfel”  "]
    texts["odd"] = [odd[i % 9] if i % 9 < 6 else x for i, x in enumerate(texts["words"])]
    texts["nothing"] = [""] * len(refs)
    texts["nonsense"] = [f"Kartoffel{i} und die der" for i in range(len(refs))]
    texts["one-word"] = [text.split()[0] for text in texts["ref"]]
    texts["one"] = ["Only one sentence."]
    texts["ref3"] = ["the first line", "another line", "the last"]
    texts["chinese"] = ["我们明天去北京。", "他喜欢喝茶,不喜欢咖啡。", "价格是3.5元"]
    texts["chinese2"] = ["我们后天去北京。", "他爱喝茶,不爱咖啡!", "价格为3.5元 OK"]
    for name, lines in texts.items():
        suffix = "tsv" if name == "both" else "txt"
        data = "".join(f"{line}\n" for line in lines).encode()
        (found / f"{name}.{suffix}").write_bytes(data)
        (found / f"{name}.{suffix}.gz").write_bytes(gzip.compress(data))
    (found / "latin.txt").write_bytes("schön\nfür".encode("latin-1"))
    (found / "wide.txt").write_bytes("schön und gut\nfür alle hier\n".encode("utf-16"))
    (found / "bom.txt").write_bytes(b"\xef\xbb\xbf" + (found / "ref.txt").read_bytes())
    return found


def run_sacrebleu(
    cases: list[tuple[str, dict[str, str], str]], folder: Path
) -> list[tuple[int, str]]:
    todo = [
        {"argv": shlex.split(line), "env": env, "stdin": stdin}
        for line, env, stdin in cases
    ]
    env = {key: value for key, value in os.environ.items() if key not in VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(todo),
        capture_output=True,
        cwd=folder,
        env=env,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return [(code, text) for code, text in json.loads(done.stdout)]


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[int, tuple[int, str]]:
    """Return what sacreBLEU does, by case."""
    return dict(enumerate(run_sacrebleu(CASES, folder)))


@pytest.fixture
def run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs our verb: exit code, stdout, stderr."""

    def call(
        line: str, env: Mapping[str, str] | None = None, stdin: str = ""
    ) -> tuple[int, str, str]:
        monkeypatch.chdir(folder)
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        piped = io.TextIOWrapper(io.BytesIO(stdin.encode()))
        monkeypatch.setattr("sys.stdin", piped)
        code = main(["sacrebleu", *shlex.split(line)])
        return code, *capsys.readouterr()

    return call


def with_our_version(text: str) -> str:
    return text.replace("2.6.0", f"tertium-{tertium.__version__}")


@pytest.mark.parametrize(
    "number",
    range(len(CASES)),
    ids=[" ".join([*env.values(), line]) for line, env, _ in CASES],
)
def test_output_equals_sacrebleus(
    number: int,
    expected: dict[int, tuple[int, str]],
    run: Callable[..., tuple[int, str, str]],
) -> None:
    code, text = expected[number]
    assert (code, bool(text)) == (0, True)
    found_code, found, _ = run(*CASES[number])
    assert found == with_our_version(text)
    assert found_code == 0

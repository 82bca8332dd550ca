# SPDX-License-Identifier: Apache-2.0
"""``tertium sacrebleu`` prints what sacreBLEU 2.6.0 prints, except for the version.

The real sacreBLEU runs all command lines in one process that forks for each, so
that it imports its modules once: ``sacrebleu ARGUMENTS`` in a folder of files.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from tabulate import tabulate

import tertium
from tertium.cli import main
from tertium.metrics.bleu import Bleu
from tertium.sacrebleu.resampling import bleu_scores, coins, resampled_sums
from tertium.sacrebleu.scores import bleu_parts
from tertium.sacrebleu.tables import booktabs, grid

DEMO = Path(tertium.__file__).parent / "demo" / "demo.jsonl"
Run = Callable[..., tuple[int, str, str]]
VARIABLES = ("SACREBLEU_FORMAT", "SACREBLEU_SEED", "NO_COLOR")

# Numbers of trials are small, but for one line of each kind that has the default.
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
ref.txt -i bom.txt -m bleu chrf ter -w 3
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
ref.txt -i good.txt -ci -cin 100 -m bleu chrf ter -f text
ref.txt -i good.txt -ci -cin 100 -m bleu chrf ter -w 4
ref.txt -i good.txt -ci -cin 100 -b -f text -m bleu chrf ter
ref.txt -i good.txt -ci -cin 100 -b
ref.txt -i good.txt -ci -cin 1
ref.txt -i good.txt -ci -cin 100 -sh -f text -nc
ref.txt ref2.txt good.txt -i words.txt -ci -m bleu chrf ter -w 5 -cin 100
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
ref.txt -i good.txt order.txt words.txt -pbs -pbsn 100 -m bleu chrf ter -f text
ref.txt -i words.txt copy.txt good.txt -pbs -pbsn 100 -m ter chrf bleu -f text -nc -w 3
ref.txt -i good.txt order.txt -pbs -pbsn 100 -m bleu chrf ter -f latex -sh
ref.txt -i good.txt order.txt -pbs -pbsn 137
ref.txt -i words.txt good.txt words.txt -pbs -pbsn 100 -j 2
ref.txt ref2.txt good.txt -i order.txt words.txt -pbs -pbsn 100 -m ter chrf -f text -w 5
ref.txt -i odd.txt nonsense.txt -pbs -pbsn 100 -s floor -m bleu chrf ter -f text -w 6
ref.txt -i odd.txt words.txt -pbs -pbsn 100 -s add-k -sv 0.5
ref.txt -i odd.txt good.txt -pbs -pbsn 100 -m chrf --chrf-eps-smoothing -cw 2 -f text
ref.txt -i nothing.txt good.txt -pbs -pbsn 100 -m bleu chrf ter -f text
sparse.txt -i ref3.txt sparse2.txt -pbs -pbsn 100 -m bleu chrf ter -f text -w 6
sparse.txt -i sparse2.txt ref3.txt -pbs -pbsn 100 -m chrf --chrf-eps -f text -w 9
sparse.txt -i ref3.txt sparse2.txt -par -parn 100 -m bleu chrf ter
one.txt -i one.txt one-other.txt -pbs -pbsn 100 -f text -m chrf ter
ref.txt -i good.txt order.txt words.txt -par -parn 100
ref.txt -i good.txt order.txt words.txt -par -parn 100 -m bleu chrf ter
ref.txt -i good.txt order.txt copy.txt -par -parn 100 -m bleu chrf ter -f text
ref.txt -i words.txt copy.txt -par -parn 100 -m ter chrf -f latex -w 2
ref.txt ref2.txt good.txt -i order.txt words.txt -par -parn 177 -m bleu chrf ter
ref.txt -i odd.txt words.txt -par -parn 100 -s add-k -sv 0.5
ref.txt -i odd.txt words.txt -par -parn 100 -s floor -sh -f text
ref.txt -i good.txt words.txt -par -parn 0 -f json
"""
ENVIRONMENT: list[tuple[str, dict[str, str]]] = [
    ("ref.txt -i good.txt", {"SACREBLEU_FORMAT": "TEXT"}),
    ("ref.txt -i good.txt -f text", {"SACREBLEU_FORMAT": "xml"}),
    ("ref.txt -i good.txt words.txt", {"SACREBLEU_FORMAT": "latex"}),
    ("ref.txt -i good.txt -ci -cin 100 -w 5", {"SACREBLEU_SEED": "7"}),
    ("ref.txt -i good.txt -ci -cin 100 -w 5", {"SACREBLEU_SEED": "0"}),
    ("ref.txt -i good.txt words.txt -pbs -pbsn 100", {"SACREBLEU_SEED": "99"}),
    ("ref.txt -i good.txt words.txt -par -parn 100", {"SACREBLEU_SEED": "99"}),
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
    result = tmp_path_factory.mktemp("sacrebleu")
    segments = [json.loads(line) for line in DEMO.read_text("utf-8").splitlines()]
    texts = {
        name: [one["tgt"][name] for one in segments] for name in segments[0]["tgt"]
    }
    refs = [one["ref"] for one in segments]
    texts["ref"], texts["ref2"] = [r[0] for r in refs], [r[1] for r in refs]
    texts["both"] = ["\t".join(ref) for ref in refs]
    texts["under_score"] = texts["größe"] = texts["order"]
    odd = ["", "  leading and trailing  ", "a\rb c", "\u2028x\u0085", "…", "“Würfel”  "]
    texts["odd"] = [
        odd[i % 9] if i % 9 < 6 else x for i, x in enumerate(texts["words"])
    ]
    texts["nothing"] = [""] * len(refs)
    texts["nonsense"] = [f"Kartoffel{i} und die der" for i in range(len(refs))]
    texts["one-word"] = [text.split()[0] for text in texts["ref"]]
    texts["one"] = ["Only one sentence."]
    texts["ref3"] = ["the first line", "another line", "the last"]
    texts["one-other"] = ["Only one more sentence."]
    texts["sparse"], texts["sparse2"] = ["", "", "the last"], ["", "x", "the last one"]
    texts["chinese"] = ["我们明天去北京。", "他喜欢喝茶,不喜欢咖啡。", "价格是3.5元"]
    texts["chinese2"] = ["我们后天去北京。", "他爱喝茶,不爱咖啡!", "价格为3.5元 OK"]
    for name, lines in texts.items():
        suffix = "tsv" if name == "both" else "txt"
        data = "".join(f"{line}\n" for line in lines).encode()
        (result / f"{name}.{suffix}").write_bytes(data)
        (result / f"{name}.{suffix}.gz").write_bytes(gzip.compress(data))
    (result / "latin.txt").write_bytes("schön\nfür".encode("latin-1"))
    (result / "wide.txt").write_bytes("schön und gut\nfür alle hier\n".encode("utf-16"))
    (result / "bom.txt").write_bytes(
        b"\xef\xbb\xbf" + (result / "ref.txt").read_bytes()
    )
    return result


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
) -> Run:
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
    run: Run,
) -> None:
    code, text = expected[number]
    assert (code, bool(text)) == (0, True)
    found_code, result, _ = run(*CASES[number])
    assert result == with_our_version(text)
    assert found_code == 0


# ------------------------------------------------- where the output is ours alone


def test_paired_json_of_chrf_and_ter_has_plain_numbers(run: Run) -> None:
    """sacreBLEU stops here: float32 is not JSON serializable."""
    line = "ref.txt -i good.txt words.txt -pbs -m chrf ter"
    baseline, system = json.loads(run(line)[1])
    text = run(f"{line} -f text -w 4")[1]  # which equals sacreBLEU's, see PAIRED
    assert baseline["system"] == "Baseline: good.txt"
    assert baseline["TER"]["p_value"] is None
    for name in ("chrF2", "TER"):
        one = system[name]
        assert f"{one['score']:.4f} ({one['mean']:.4f} ± {one['ci']:.4f})" in text
        assert f"(p = {one['p_value']:.4f})" in text


@pytest.mark.parametrize("test", ["-pbs -pbsn 100", "-par -parn 100"])
def test_seed_zero_is_a_seed(test: str, run: Run) -> None:
    line, env = f"ref.txt -i good.txt words.txt {test}", {"SACREBLEU_SEED": "0"}
    assert run(line, env) == run(line, env)
    assert "|seed:0|" in run(f"{line} -f text", env)[1]


def test_seed_none_draws_anew(run: Run) -> None:
    line, env = "ref.txt -i good.txt -ci -w 9", {"SACREBLEU_SEED": "None"}
    first, second = (json.loads(run(line, env)[1]) for _ in range(2))
    assert first["seed"] == "none"
    assert first["confidence_mean"] != second["confidence_mean"]


def test_copy_of_the_baseline_keeps_its_p_value_with_a_remark(run: Run) -> None:
    line = "ref.txt -i words.txt copy.txt good.txt -pbs -f text"
    _, out, err = run(line)
    assert "(p = 0.0010)*" in out
    assert err == (
        "tertium: system copy.txt is a copy of the baseline: sacreBLEU's rule gives "
        "p = 0.0010, `tertium compare` gives 1\n"
    )
    assert run(f"{line} -q") == (0, out, "")


@pytest.mark.parametrize(
    ("options", "remark"),
    [
        ("-pbs -pbsn 10", "smallest possible p is 0.091; give --paired-bs-n 1000"),
        ("-par -parn 10", "smallest possible p is 0.091; give --paired-ar-n 1000"),
        ("-ci -cin 20", "20 resamples are too few for a 95 % interval; give "),
    ],
)
def test_too_few_trials_keep_the_numbers_with_a_remark(
    options: str, remark: str, run: Run
) -> None:
    systems = "good.txt" if "-ci" in options else "good.txt words.txt"
    _, out, err = run(f"ref.txt -i {systems} {options}")
    assert remark in err
    assert out == run(f"ref.txt -i {systems} {options} -q")[1]


def test_scores_without_interval_are_not_lost(run: Run) -> None:
    """sacreBLEU prints the zero twice here, and TER not at all."""
    _, out, _ = run("ref.txt -i nothing.txt -ci -cin 9 -b -f text -m chrf ter")
    assert out == "0.0\n100.0 (μ = 100.0 ± 0.0)\n"


def test_fewer_than_one_trial_means_the_default(run: Run) -> None:
    _, out, _ = run("ref.txt -i good.txt words.txt -pbs -pbsn 0 -f text")
    assert "test with 1000 resampling trials" in out


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("ref.txt -i bom.txt", "bom.txt starts with a byte order mark"),
        ("ref.txt -i good.txt -l en-ja -tok 13a", "sacreBLEU recommends -tok ja-mecab"),
        ("dots.txt -i dots.txt", "120 lines of dots.txt end in ' .'"),
        ("dots.txt -i dots.txt --force", ""),
        (
            "ref.txt -i good.txt words.txt -par -parn 20 -s add-k -sv 0.5",
            "truncates -sv 0.5",
        ),
        ("ref.txt -i a.txt b.txt a.txt -pbs -pbsn 20", "a.txt is the baseline"),
    ],
)
def test_remarks_go_to_stderr_unless_quiet(
    line: str, remark: str, folder: Path, run: Run
) -> None:
    (folder / "dots.txt").write_text("A line .\n" * 120)
    for name in ("a.txt", "b.txt"):
        (folder / name).write_bytes(
            (folder / f"{'good' if 'a' in name else 'words'}.txt").read_bytes()
        )
    code, out, err = run(line)
    assert code == 0
    assert remark in err
    assert err.count("\n") == bool(remark)
    assert run(f"{line} -q") == (0, out, "")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-t wmt14 -l en-de", "sacrebleu -t wmt14 -l en-de --echo ref > ref.txt"),
        ("--test wmt14 -i good.txt", "reads files only"),
        ("--list", "--list is for test sets"),
        ("--cite -t wmt14", "reads files only"),
        ("--download wmt14", "--download is for test sets"),
        ("-t wmt14 -l en-de --echo src ref", "reads files only"),
        ("ref.txt -i good.txt --origlang de", "--origlang is for test sets"),
        ("ref.txt -i good.txt --subset news", "--subset is for test sets"),
        ("ref.txt -i good.txt -d", "-d/--detail is for test sets"),
        ("", "there is no reference; name the reference files first"),
        ("-i good.txt ref.txt", "there is no reference"),
        ("ref.txt -i", "input names no file"),
        ("ref.txt -i none.txt", "none.txt: no such file"),
        ("ref.txt -i ref3.txt", "ref.txt has 60 segments, ref3.txt has 3 (first extra"),
        ("ref.txt ref3.txt -i good.txt", "ref3.txt has 3 segments, good.txt has 60"),
        ("ref.txt -i empty.txt", "empty.txt is empty; give one line per segment"),
        ("ref.txt -i latin.txt", "latin.txt:1: byte 0xf6 is not utf-8; save the file"),
        ("ref.txt -i good.txt -e klingon", "unknown encoding 'klingon'"),
        ("ref.txt", "<stdin>: there is no input; pipe a system in"),
        ("ref.txt -i good.txt good.txt", "system good.txt is given twice"),
        ("ref.txt -i good.txt -pbs", "a paired test needs two systems"),
        ("ref.txt -i good.txt words.txt -pbs -par", "not allowed with argument"),
        ("ref.txt -i good.txt words.txt -ci", "--confidence takes one system, not 2"),
        (
            "ref.txt -i good.txt words.txt -sl",
            "--sentence-level takes one system, not 2",
        ),
        ("ref.txt -i good.txt -sl -m bleu ter", "--sentence-level takes one metric"),
        ("ref.txt -i good.txt -sl -ci", "--sentence-level has no statistical tests"),
        ("ref.txt ref2.txt -nr 2 -i good.txt", "--num-refs 2 with 2 reference files"),
        ("ref.txt -nr 2 -i good.txt", "ref.txt:1: 1 columns, not 2"),
        ("ref.txt -i good.txt -w -1", "--width -1 is not a number of decimal places"),
        ("ref.txt -i good.txt -l german", "'german' is not a language pair"),
        ("ref.txt -i good.txt -m bleurt", "invalid choice: 'bleurt'"),
        ("ref.txt -i good.txt -m chrf -cc 0", "char_order and word_order are both 0"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_how_to_fix_it(
    line: str, message: str, folder: Path, run: Run
) -> None:
    (folder / "empty.txt").touch()
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("tertium: ")
    assert "Traceback" not in err


def test_uneven_columns_on_stdin_name_the_line(run: Run) -> None:
    code, _, err = run("ref3.txt", stdin="a\tb\nc\n")
    assert code == 2
    assert "<stdin>:2: 1 columns, but 2 in line 1" in err


def test_wrong_seed_is_rejected(run: Run) -> None:
    code, _, err = run("ref.txt -i good.txt -ci", {"SACREBLEU_SEED": "-1"})
    assert code == 2
    assert "give an integer from 0, or none" in err


@pytest.mark.parametrize("option", ["-h", "--help", "-V", "--version"])
def test_help_and_version_say_who_speaks(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["sacrebleu", option])
    assert end.value.code == 0
    out = capsys.readouterr().out
    assert "tertium sacrebleu" in out
    assert ("examples:" in out) == (option in ("-h", "--help"))


@pytest.mark.parametrize(
    "line", ["-i good.txt -m bleu chrf ter", "-i good.txt -sl", "-i good.txt copy.txt"]
)
def test_plain_scoring_does_without_numpy(line: str, folder: Path) -> None:
    code = (
        "import sys; from tertium.cli import main; code = main(sys.argv[1:]); "
        "sys.exit(code or 'numpy' in sys.modules or 'sacrebleu' in sys.modules)"
    )
    arguments = ["sacrebleu", "ref.txt", *shlex.split(line)]
    subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def test_output_is_utf8_in_every_locale(folder: Path) -> None:
    line = "ref.txt -i good.txt words.txt -f text"
    env = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "tertium", "sacrebleu", *shlex.split(line)],
        capture_output=True,
        check=True,
        cwd=folder,
        env=env,
    )
    assert "╒═" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "ref.txt -i good.txt -ci -cin 50 -m bleu ter -f text",
        "ref.txt -i good.txt words.txt -pbs -pbsn 50 -f text",
        "ref.txt -i good.txt words.txt -par -parn 50 -f latex",
    ],
)
def test_colours_on_a_terminal_equal_sacrebleus(line: str, folder: Path) -> None:
    ours = on_terminal(["tertium", "sacrebleu", *shlex.split(line)], folder)
    theirs = on_terminal(["sacrebleu", *shlex.split(line), "-q"], folder)
    assert "\x1b[36m" in ours
    # At its end colorama resets the colours once more.
    assert ours == with_our_version(theirs).removesuffix("\x1b[0m")


def on_terminal(command: list[str], folder: Path) -> str:
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key not in VARIABLES}
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=env,
    )
    os.close(follower)
    data = b""
    # At the end macOS gives nothing and Linux an error.
    try:
        while piece := os.read(leader, 1 << 16):
            data += piece
    except OSError:
        pass
    os.close(leader)
    assert process.wait() == 0
    return data.decode().replace("\r\n", "\n")


# ------------------------------------------------------------------------ the parts

SMOOTHINGS = [
    ("exp", None),
    ("floor", 0.1),
    ("add-k", 1.0),
    ("add-k", 0.5),
    ("none", None),
]


@st.composite
def bleu_rows(draw: st.DrawFn) -> list[int]:
    """Return lengths, matches and totals, with zeros in all places."""
    small = st.integers(0, 4) | st.integers(0, 4000)
    totals = sorted((draw(small) for _ in range(4)), reverse=True)
    matches = [draw(st.integers(0, total)) for total in totals]
    return [totals[0], draw(small), *matches, *totals]


@given(bleu_rows(), st.sampled_from(SMOOTHINGS), st.booleans())
def test_bleu_parts_equal_sacrebleus(
    row: list[int], smoothing: tuple[str, float | None], effective: bool
) -> None:
    method, value = smoothing
    settings = {
        "smooth_method": method,
        "smooth_value": value,
        "effective_order": effective,
    }
    expected = BLEU(**settings)._compute_score_from_stats(list(row))
    result = bleu_parts([float(x) for x in row], Bleu(**settings))
    assert result == (expected.score, expected.precisions, expected.bp)
    assert (
        f"{result[0]:.9f}"
        == f"{Bleu(**settings).from_statistics([*map(float, row)]):.9f}"
    )


@given(
    st.lists(bleu_rows(), min_size=1, max_size=5),
    st.sampled_from(SMOOTHINGS),
    st.sampled_from([np.float32, np.float64]),
)
def test_bleu_of_many_rows_equals_sacrebleus(
    rows: list[list[int]], smoothing: tuple[str, float | None], kind: type
) -> None:
    method, value = smoothing
    sums = np.array(rows, kind)
    theirs = BLEU(smooth_method=method, smooth_value=value)
    with np.errstate(all="ignore"):
        expected = [theirs._compute_score_from_stats(row.copy()).score for row in sums]
    result = bleu_scores(sums, Bleu(smooth_method=method, smooth_value=value))
    assert result.tolist() == expected


@pytest.mark.parametrize("scale", [1.0, 1 / 3, 1e6])
def test_sums_are_added_as_32_bit_floats(scale: float) -> None:
    table = np.random.default_rng(1).integers(1, 99, size=(50, 3)) * scale
    drawn = np.random.default_rng(5).choice(50, size=(40, 50))
    expected = [part.sum(0) for part in table.astype("float32")[drawn]]
    generator = np.random.default_rng(5)
    (result,) = resampled_sums([table], resamples=40, generator=generator)
    assert result.tolist() == np.array(expected).tolist()


def test_draws_do_not_depend_on_the_size_of_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def draw() -> tuple[list[np.ndarray], list[bool]]:
        table = np.random.default_rng(1).integers(9, size=(37, 2)).astype(float)
        generator = np.random.default_rng(2)
        sums = resampled_sums([table], resamples=101, generator=generator)
        tossed = coins(101, 37, generator=np.random.default_rng(3), at_once=False)
        return [one.tolist() for one in sums], np.concatenate(list(tossed)).tolist()

    whole = draw()
    monkeypatch.setattr("tertium.sacrebleu.resampling._CELLS", 500)
    assert draw() == whole


WORDS = st.text("ab c&%$#_^{}~\\<>é±", min_size=1, max_size=12)
CELLS = st.lists(WORDS, min_size=1, max_size=2).map(
    lambda lines: "x" + "\ny".join(lines)
)


@given(st.data())
def test_tables_equal_those_of_tabulate(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 4))
    head = [f"{i}{data.draw(WORDS)}" for i in range(width)]
    for layout, draw, cells in (
        ("fancy_grid", grid, CELLS),
        ("latex_booktabs", booktabs, WORDS.map(lambda word: f"x{word}")),
    ):
        row = st.lists(cells, min_size=width, max_size=width)
        rows = data.draw(st.lists(row, min_size=1, max_size=3))
        columns = dict(zip(head, zip(*rows, strict=True), strict=True))
        expected = tabulate(
            {name: list(column) for name, column in columns.items()},
            headers="keys",
            tablefmt=layout,
            colalign=("right",),
            stralign="center",
            numalign="center",
        )
        assert draw(head, rows) == expected

# SPDX-License-Identifier: Apache-2.0
"""Aligners of others: eflomal, and any command."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tertium
from conftest import missing
from tertium.align import (
    BilingualAligner,
    CommandAligner,
    Eflomal,
    Link,
    align_bilingual,
    alignment_quality,
    as_links,
    bilingual,
)

DIAGONAL = (
    "import sys\n"
    "for line in sys.stdin:\n"
    "    s, t = (x.split() for x in line.split('|||'))\n"
    "    print(*(f'{i}-{i}' for i in range(min(len(s), len(t)))))\n"
)


def python(code: str) -> str:
    return f"{sys.executable} -c {shlex.quote(code)}"


@pytest.fixture
def eflomal():
    if bilingual._program("eflomal-align") is None:
        missing("eflomal is not installed; make .venv/.aligners")


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Keep temporary folders where a test can see whether they are gone."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield folder
    assert not list(folder.iterdir())


def test_a_command_reads_lines_and_prints_links():
    aligner = CommandAligner(python(DIAGONAL))
    assert isinstance(aligner, BilingualAligner)
    forward, backward = aligner.align(
        ["a b", "", "c"], ["A B C", "D", "\u3000E\u2028F"]
    )
    assert forward == backward == [as_links([(0, 0), (1, 1)]), (), (Link(0, 0),)]
    assert align_bilingual(["a"], ["A"], aligner=aligner) == [(Link(0, 0),)]


def test_a_command_may_read_a_file_and_gets_both_directions():
    code = "import sys; [print('0-1') for _ in open(sys.argv[1])]"
    aligner = CommandAligner(f"{python(code)} {{input}}")
    forward, backward = aligner.align(["a b"], ["A B"])
    assert (forward, backward) == ([(Link(0, 1),)], [(Link(1, 0),)])


def test_texts_without_words_start_no_program():
    aligner = CommandAligner("false")
    assert aligner.align([" ", "a"], ["A", ""]) == ([(), ()], [(), ()])


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("false", "false ended with code 1: no message"),
        (python("import sys; sys.exit('no model')"), "code 1: no model; check"),
        ("true", "links of 0 segments for 1"),
        ("echo hello", "wrote no Pharaoh links .*'hello' is not a link"),
        ("echo 0-5", "segment 1: link 0-5 .* second text"),
    ],
)
def test_a_failing_command_is_an_input_error(command, complaint):
    with pytest.raises(tertium.InputError, match=complaint):
        align_bilingual(["a"], ["A"], aligner=CommandAligner(command))


@pytest.mark.parametrize("command", ["", "no-such-program -x", "'unclosed"])
def test_invalid_commands_are_rejected_at_once(command):
    with pytest.raises(tertium.InputError, match=r"no program|not a command"):
        CommandAligner(command)


def test_a_program_that_cannot_start_is_an_input_error(tmp_path):
    script = tmp_path / "broken"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(tertium.InputError, match="cannot run"):
        CommandAligner(str(script)).align(["a"], ["A"])


def test_texts_must_have_one_translation_each():
    with pytest.raises(tertium.InputError, match="the source has 1 segment, the tar"):
        align_bilingual(["a"], ["A", "B"])


def test_a_wrong_method_shows_before_the_work():
    with pytest.raises(tertium.UnknownNameError, match="symmetrise"):
        align_bilingual(["a"], ["A"], aligner=CommandAligner("false"), symmetrise="x")


def test_an_aligner_that_forgets_segments_is_caught():
    class Short:
        def align(self, sources, targets):
            return [], []

    with pytest.raises(tertium.InputError, match="links of 0 segments for 1"):
        align_bilingual(["a"], ["A"], aligner=Short())


def is_alive(pid: int) -> bool:
    """Return whether a process runs; one that nobody waits for may stay listed."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # Not Linux, or gone in between.
        return not Path("/proc").exists()
    return state.split()[0] != "Z"


def test_ctrl_c_ends_the_program_and_leaves_nothing(tmp_path, temporary):
    (tmp_path / "a").write_text("a\n")
    started = tmp_path / "started"
    code = f"import os, time; open({str(started)!r}, 'w').write(str(os.getpid())); "
    command = python(code + "time.sleep(60)")
    arguments = ["align", "--bilingual", "-s", "a", "-t", "a", "-o", "out"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tertium", *arguments, "--command", command],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while not (started.exists() and started.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in stderr
    while is_alive(int(started.read_text())):
        assert time.monotonic() < deadline + 60
        time.sleep(0.02)
    assert not (tmp_path / "out").exists()


def test_eflomal_missing_is_said_with_the_cure(monkeypatch):
    monkeypatch.setattr(bilingual, "_program", lambda name: None)
    with pytest.raises(tertium.MissingExtraError, match=r"pip install 'tertium\[align"):
        align_bilingual(["a"], ["A"], aligner=Eflomal())


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"model": 4}, "models 1, 2 and 3"),
        ({"samplers": 0}, "at least one sampler"),
        ({"length": 0.0}, "above 0"),
        ({"length": float("nan")}, "above 0"),
        ({"priors": "no-such-file"}, "no file no-such-file"),
    ],
)
def test_wrong_settings_of_eflomal_are_rejected(settings, complaint):
    with pytest.raises(tertium.InputError, match=complaint):
        Eflomal(**settings)


@pytest.mark.usefixtures("eflomal")
def test_eflomal_learns_a_small_language():
    chance = random.Random(0)
    words = [chance.sample("abcdefgh", 4) for _ in range(100)]
    sources = [" ".join(line) for line in words] + ["", "a"]
    targets = [" ".join(w.upper() * 2 for w in reversed(line)) for line in words]
    gold = [as_links((i, 3 - i) for i in range(4)) for _ in words] + [(), ()]
    links = align_bilingual(sources, [*targets, "AA", ""], aligner=Eflomal(samplers=1))
    assert links[100:] == [(), ()]
    assert alignment_quality(links, gold).aer < 0.1


@pytest.mark.usefixtures("eflomal")
def test_eflomal_takes_priors_and_empty_texts(write_lines):
    priors = write_lines("priors", ["LEX\ta\tB\t100", "LEX\tb\tA\t100"])
    aligner = Eflomal(model=1, samplers=1, priors=priors)
    assert align_bilingual(["a b"] * 5, ["A B"] * 5, aligner=aligner) == (
        [as_links([(0, 1), (1, 0)])] * 5
    )
    assert align_bilingual(["", ""], ["", "a"]) == [(), ()]
    assert align_bilingual([], []) == []

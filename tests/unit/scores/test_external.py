# SPDX-License-Identifier: Apache-2.0
"""A program as a metric, with a real second process."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import tertium
from tertium.cache import Cache
from tertium.cli import main
from tertium.data.testset import Testset
from tertium.engine import Processes, compare_stream
from tertium.errors import FormatError, InputError, ProgramError
from tertium.scores.answers import cache_key, config_key
from tertium.scores.config import read_config
from tertium.scores.program import stop_programs

SCRIPT = Path(__file__).parent / "scorer.py"
SIZE = 100


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    yield
    stop_programs()


@pytest.fixture
def testset():
    sources = [f"quelle {'x' * i}" for i in range(SIZE)]
    return Testset.build(
        None,
        {
            "A": [f"output {i}" for i in range(SIZE)],
            "B": [f"the longer output {i}" for i in range(SIZE)],
        },
        sources=sources,
        docs=[f"d{i // 10}" for i in range(SIZE)],
    )


class World:
    """A folder with a script, its log, and configurations."""

    def __init__(self, folder):
        self.folder = folder
        self.log = folder / "asked.log"
        shutil.copy(SCRIPT, folder / "scorer.py")

    def spec(self, *, how="", needs=("source",), name="c.toml", **more):
        command = [sys.executable, "scorer.py", "asked.log", *([how] if how else [])]
        values = {"name": "LEN", "command": command, "needs": list(needs)}
        lines = [f"{k} = {json.dumps(v)}\n" for k, v in {**values, **more}.items()]
        (self.folder / name).write_text("".join(lines))
        return f"external:config={self.folder / name}"

    def asked(self):
        """Return the lines that the program was asked, and how often it started."""
        if not self.log.exists():
            return [], 0
        lines = self.log.read_text().splitlines()
        starts = lines.count("start")
        return [json.loads(line) for line in lines if line != "start"], starts


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def expected(testset, system):
    return [
        len(hyp) / 100 + len(source) / 10
        for hyp, source in zip(testset.systems[system], testset.sources, strict=True)
    ]


def segments(testset, spec, **options):
    table = tertium.score(testset, metrics=spec, segments=True, **options)
    return {name: scores[spec].segments for name, scores in table.systems.items()}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"batch_size": 7},
        {"how": "plain"},
        {"keep_running": False, "batch_size": 1000},
        {"needs": ("source", "doc")},
    ],
)
def test_scores_are_those_of_the_program(world, testset, more):
    spec = world.spec(**more)
    scores = segments(testset, spec)
    for name in "AB":
        assert scores[name] == pytest.approx(expected(testset, name))
    asked, starts = world.asked()
    assert len(asked) == 2 * SIZE
    if more.get("keep_running", True):
        assert starts == 1
    assert set(asked[0]) == {"hypothesis", *more.get("needs", ("source",))}


def test_answers_are_kept_by_content_and_configuration(world, testset):
    spec = world.spec()
    first = segments(testset, spec)
    assert segments(testset, spec) == first
    assert len(world.asked()[0]) == 2 * SIZE
    assert Cache(os.environ["TERTIUM_CACHE"]).usage()["external"].entries
    # In chunks and in another order: what is known is not asked again.
    part = testset.select(range(SIZE - 1, 0, -1))
    compare_stream(lambda: part.chunks(30), metrics=spec, resamples=10)
    again = len(world.asked()[0])
    assert again == 2 * SIZE
    # What the program is called, and its direction, does not matter; its version does.
    world.spec(name="c.toml", higher_is_better=False, timeout=60)
    stop_programs()
    segments(testset, spec)
    assert len(world.asked()[0]) == again
    world.spec(version="2")
    segments(testset, spec)
    assert len(world.asked()[0]) == again + 2 * SIZE
    # And so does the content of the script.
    with (world.folder / "scorer.py").open("a") as script:
        script.write("# changed\n")
    segments(testset, spec)
    assert len(world.asked()[0]) == again + 4 * SIZE


PROGRAM = """#!{python}
import sys
for line in sys.stdin:
    print({value}, flush=True) if line.strip() else None
"""


def write_program(folder, value):
    """Write a program of its own, and return the metric that starts it."""
    folder.mkdir(exist_ok=True)
    program = folder / "prog"
    program.write_text(PROGRAM.format(python=sys.executable, value=value))
    program.chmod(0o755)
    config = folder / "c.toml"
    config.write_text('command = ["./prog"]\nneeds = ["source"]\n')
    return f"external:config={config}"


@pytest.mark.skipif(os.name == "nt", reason="starts a script by its first line")
def test_answers_of_another_program_are_not_used(tmp_path, testset):
    first, second = (write_program(tmp_path / name, 1) for name in "ab")
    assert segments(testset, first)["A"][0] == 1
    # Another version of the same length: size alone does not tell them apart.
    write_program(tmp_path / "a", 2)
    stop_programs()
    assert segments(testset, first)["A"][0] == 2
    # The same program in another folder may read other files there.
    configs = [read_config(spec.partition("=")[2]) for spec in (first, second)]
    write_program(tmp_path / "b", 2)
    assert cache_key(configs[0]) != cache_key(configs[1])
    # But a signature says what was computed, not where.
    assert config_key(configs[0]) == config_key(configs[1])


def test_files_that_the_command_names_are_part_of_the_key(tmp_path, monkeypatch):
    (tmp_path / "model.bin").write_text("1")
    (tmp_path / "table.tsv").write_text("1")
    (tmp_path / "asked.log").write_text("1")
    command = '["prog", "model.bin", "--table=table.tsv", "asked.log"]'
    (tmp_path / "c.toml").write_text(f"command = {command}\n")
    config = read_config(str(tmp_path / "c.toml"))
    keys = [cache_key(config)]
    for name in ("model.bin", "table.tsv", "asked.log"):
        (tmp_path / name).write_text("22")
        keys.append(cache_key(config))
    assert len(set(keys)) == 3
    assert keys[2] == keys[3]
    # A name stands for what the path finds first.
    (tmp_path / "prog").write_text("#!/bin/sh\n")
    (tmp_path / "prog").chmod(0o755)
    if os.name == "posix":
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        assert cache_key(config) != keys[3]


def test_nothing_is_kept_if_caching_is_off(world, testset, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    spec = world.spec()
    assert segments(testset, spec) == segments(testset, spec)
    assert len(world.asked()[0]) == 4 * SIZE


def test_equal_segments_are_asked_once(world):
    testset = Testset.build(None, {"A": ["x", "x"], "B": ["x", "y"]}, sources=["s"] * 2)
    segments(testset, world.spec())
    assert len(world.asked()[0]) == 2


def test_the_best_of_several_references_counts(world):
    refs = [["aaaa", "a", "aaa"]]
    testset = Testset.build(refs, {"A": [""]})
    rises = world.spec(needs=("reference",))
    assert segments(testset, rises)["A"] == [-1]
    falls = world.spec(needs=("reference",), name="f.toml", higher_is_better=False)
    assert segments(testset, falls)["A"] == [-4]
    several = world.spec(needs=("references",), name="s.toml")
    assert segments(testset, several)["A"] == [0]
    assert world.asked()[0][-1]["references"] == refs[0]


def test_comparisons_and_other_processes(world, testset):
    spec = world.spec(bounds=[0, 100])
    metric = tertium.metric(spec)
    assert pickle.loads(pickle.dumps(metric)).program == metric.program
    assert metric.bounds == (0, 100)
    options = {"metrics": [spec], "resamples": 50}
    whole = tertium.compare(testset, **options)
    parts = compare_stream(lambda: testset.chunks(40), executor=Processes(2), **options)
    assert parts.to_json() == whole.to_json()
    assert whole.pair("A", "B").better == "B"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"how": "fail"},
            "after 0 of 64 answers of a batch; its last lines:\n  loading\n  no such",
        ),
        ({"how": "few"}, "LEN ended after 1 of 64 answers"),
        ({"how": "sleep", "timeout": 0.5}, "LEN did not answer within 0.5 s (0 of 64"),
        (
            {"how": "nan"},
            'NaN, "why": "length"}\' for segment 2 of system \'A\'; it must',
        ),
        (
            {"how": "close", "timeout": 1},
            "LEN closed its output after 0 of 64 answers of a batch, but did not end",
        ),
        (
            {"how": "linger", "timeout": 1, "keep_running": False},
            "LEN closed its output after 64 of 64 answers of a batch, but did not end",
        ),
        ({"how": "digits"}, "LEN answered '99999"),
        ({"how": "words"}, "LEN answered 'sorry' for segment 2 of system 'A'"),
        ({"how": "many", "batch_size": 4}, "wrote more than one line per segment"),
        (
            {"how": "many", "keep_running": False, "batch_size": 500},
            "wrote more than one line per segment",
        ),
        ({"bounds": [0, 1]}, "for segment 4 of system 'A', which is not between the"),
        ({"command": ["no-such-program"]}, "cannot start LEN: 'no-such-program'"),
    ],
)
def test_failures_say_what_happened(world, testset, more, message):
    spec = world.spec(**{"batch_size": 64, **more})
    for call in (tertium.score, tertium.compare):
        with pytest.raises(ProgramError) as caught:
            call(testset, metrics=spec)
        assert message in str(caught.value)
    # Nothing of a batch that failed is used later.
    good = world.spec(
        command=[sys.executable, "scorer.py", "asked.log"], bounds=[0, 99]
    )
    assert segments(testset, good)["A"] == pytest.approx(expected(testset, "A"))


def test_what_is_missing_is_named(world, testset):
    with pytest.raises(InputError, match="reads the source text, and there is none"):
        tertium.score(["a"], ["b"], metrics=world.spec())
    with pytest.raises(InputError, match="no references to score against; give them"):
        tertium.score(testset, metrics=world.spec(needs=("reference",)))
    with pytest.raises(InputError, match="external needs a configuration"):
        tertium.score(["a"], ["b"], metrics="external")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no command; write command ="),
        ("comand = 'x'", "unknown key 'comand'; known are name, command"),
        ("command = 3", "command is a text or a list of texts, not 3"),
        ("command = ['x', 3]", "command is a list of texts"),
        ("command = 'x \"'", "cannot be split"),
        ("command = 'x'\nneeds = ['src']", "needs has 'src'; choose from source"),
        ("command = 'x'\nbatch_size = 0", "batch_size must be at least 1"),
        ("command = 'x'\nbatch_size = true", "batch_size is an integer, not True"),
        ("command = 'x'\nbounds = [1, 0]", "bounds are the lowest and the highest"),
        ("command = 'x", "not TOML"),
    ],
)
def test_a_wrong_configuration_is_named(tmp_path, text, message):
    file = tmp_path / "c.toml"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_config(str(file))


def test_a_command_may_be_a_text(tmp_path):
    (tmp_path / "my metric.toml").write_text("command = \"score --model 'a b'\"")
    config = read_config(str(tmp_path / "my metric.toml"))
    assert config.command == ("score", "--model", "a b")
    assert config.name == "my metric"


def test_the_command_line_without_references(world, testset, capsys):
    (world.folder / "src.txt").write_text("".join(f"{s}\n" for s in testset.sources))
    (world.folder / "a.txt").write_text("".join(f"{s}\n" for s in testset.systems["A"]))
    source, output = f"{world.folder}/src.txt", f"A={world.folder}/a.txt"
    assert main(["score", "-s", source, "-i", output, "-m", world.spec()]) == 0
    assert "LEN" in capsys.readouterr().out
    assert (
        main(["score", "-s", source, "-i", output, "-m", world.spec(how="fail")]) == 2
    )
    assert "no such model: xyz" in capsys.readouterr().err


def test_progress_is_reported(world, testset):
    from tertium._executor import reporting

    steps = []
    with reporting(lambda *step: steps.append(step)):
        segments(testset, world.spec())
    assert steps[-1] == ("answers of LEN", 2 * SIZE, 2 * SIZE)
    assert len(steps) >= 2


def run_killed(world, source, output, spec):
    """Start the command line, and kill it when some batches have been answered."""
    words = ["score", "-s", source, "-i", output, "-m", spec, "-f", "json"]
    command = [sys.executable, "-m", "tertium", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while len(world.asked()[0]) < 25 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return command


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_a_killed_run_goes_on_where_it_stopped(world, testset):
    (world.folder / "src.txt").write_text("".join(f"{s}\n" for s in testset.sources))
    (world.folder / "a.txt").write_text("".join(f"{s}\n" for s in testset.systems["A"]))
    spec = world.spec(how="slow", batch_size=5)
    source, output = f"{world.folder}/src.txt", f"A={world.folder}/a.txt"
    command = run_killed(world, source, output, spec)
    before = len(world.asked()[0])
    assert 25 <= before < SIZE
    done = subprocess.run(command, check=True, capture_output=True)
    asked = [segment["hypothesis"] for segment in world.asked()[0]]
    # At most the batch that was being answered is asked twice.
    assert SIZE <= len(asked) <= SIZE + 2 * 5
    assert set(asked) == set(testset.systems["A"])
    score = json.loads(done.stdout)["systems"]["A"][spec]["score"]
    assert score == pytest.approx(sum(expected(testset, "A")) / SIZE)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_program_behind(world, sent):
    (world.folder / "src.txt").write_text("a\n")
    (world.folder / "a.txt").write_text("b\n")
    script = [sys.executable, f"{world.folder}/scorer.py", "asked.log", "sleep"]
    words = ["-s", "src.txt", "-i", "A=a.txt", "-m", world.spec(command=script)]
    command = [sys.executable, "-m", "tertium", "score", *words]
    process = subprocess.Popen(command, cwd=world.folder, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while world.asked()[1] < 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(sent)
    assert process.wait(timeout=20) == 128 + sent
    process.stderr.close()
    assert f"{world.folder}" not in command_lines()


def command_lines() -> str:
    """Return the command lines of all processes; small systems have no `ps`."""
    if sys.platform != "linux":
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True)
        return listed.stdout
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # It has ended.
            lines.append(
                path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            )
    return "\n".join(lines)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_signals_are_as_before_when_no_program_runs(world, testset):
    before = signal.getsignal(signal.SIGTERM)
    segments(testset, world.spec())
    assert signal.getsignal(signal.SIGTERM) is not before
    stop_programs()
    assert signal.getsignal(signal.SIGTERM) is before

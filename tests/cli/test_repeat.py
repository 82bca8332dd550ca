# SPDX-License-Identifier: Apache-2.0
"""``--record`` and ``tertium repeat``: every verb, equal, different, missing."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tertium
from cli.test_streams import COMMANDS, STDIN, found, write_files
from tertium.cli import VERBS, main
from tertium.records import read_run
from tertium.records.machine import VALUES


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Run in a folder with some files."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    (tmp_path / "ref.txt").write_text("the cat sat\nhello world\n")
    (tmp_path / "out.txt").write_text("the cat sat down\nhello word\n")
    return tmp_path


SCORE = ["score", "-r", "ref.txt", "-i", "A=out.txt", "-m", "bleu", "wer"]


def record(*words: str, place: str = "run.json") -> dict:
    assert main([*words, "--record", place]) == 0
    return json.loads(Path(place).read_text())


def repeat(*words: str) -> int:
    return main(["repeat", *words])


@pytest.fixture
def standard_input(tmp_path, monkeypatch):
    """Put a request in the place of standard input."""
    path = tmp_path / "stdin"
    path.write_text(STDIN)
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        yield


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "cache"])
def test_every_verb_has_a_record(verb, standard_input, request, capsys):
    line, needed = OTHERS.get(verb) or COMMANDS[verb]
    if not found(needed):
        pytest.skip(f"{needed} is not installed")
    if "{model}" in line:
        line = line.format(model=request.getfixturevalue("tiny_model"))
    if verb in OTHERS:
        record(*SCORE)
        capsys.readouterr()
    words = shlex.split(line)
    record(*words, place=f"{verb}.json")
    run = read_run(f"{verb}.json")
    assert run.command == [*words, "--record", f"{verb}.json"]
    assert run.versions["tertium"] == tertium.__version__
    out = capsys.readouterr().out.replace(f"-{tertium.__version__}", "-VERSION")
    assert run.results.output.text == out
    assert str(Path.home()) not in Path(f"{verb}.json").read_text()


#: Verbs about records.
OTHERS = {"repeat": ("repeat run.json", ""), "cite": ("cite run.json", "")}


def test_the_command_lines_of_the_documentation_work(capsys):
    assert main([*SCORE, "--record", "run.json"]) == 0
    plain = capsys.readouterr().out
    assert main(SCORE) == 0
    assert capsys.readouterr().out == plain
    assert repeat("run.json") == 0
    assert capsys.readouterr().out == (
        "equal: tertium score -r ref.txt -i A=out.txt -m bleu wer --record run.json\n"
        "compared: 2 figures, 233 bytes of output\n"
    )


def test_a_record_has_everything(capsys):
    content = record(
        *SCORE, "--interval", "--seed", "7", "-j", "1", "-o", "a.tsv", "-f", "tsv"
    )
    assert content["seed"] == 7
    assert content["threads"] == 1
    assert content["options"]["metrics"] == ["bleu", "wer"]
    assert [file["path"] for file in content["inputs"]] == ["out.txt", "ref.txt"]
    assert content["inputs"][1]["bytes"] == 24
    assert [file["path"] for file in content["results"]["files"]] == ["a.tsv"]
    assert content["facts"] == {"segments": 2}
    score = content["results"]["data"]["systems"]["A"]["wer"]["score"]
    assert score == 2 / 5
    assert content["versions"]["numpy"]
    assert set(content["machine"]) == {"system", "architecture", "processor", "cores"}
    names = {os.uname().nodename, os.environ.get("USER") or "nobody at all"}
    assert not any(name in json.dumps(content["machine"]) for name in names)


def test_resources_are_told_from_inputs():
    # In a process of its own, which has not read the model for another test.
    command = [sys.executable, "-m", "tertium", "score", "demo", "-m", "beer"]
    subprocess.run([*command, "--record", "run.json"], capture_output=True, check=True)
    content = json.loads(Path("run.json").read_text())
    assert content["inputs"] == []
    assert [file["path"] for file in content["resources"]] == [
        "tertium:demo/demo.jsonl",
        "tertium:learn/models/beer-4.json",
    ]


def test_a_changed_figure_is_different_and_named(capsys):
    content = record(*SCORE)
    content["results"]["data"]["systems"]["A"]["wer"]["score"] = 0.25
    Path("run.json").write_text(json.dumps(content))
    capsys.readouterr()
    assert repeat("run.json") == 1
    out = capsys.readouterr().out
    assert out.startswith("different: ")
    assert "systems / A / wer / score  0.25  0.4\n" in out
    assert repeat("run.json", "-f", "json") == 1
    assert json.loads(capsys.readouterr().out)["differences"] == [
        {"where": "systems / A / wer / score", "then": "0.25", "now": "0.4"}
    ]


def test_inputs_that_are_gone_are_missing_until_found(folder, capsys):
    record(*SCORE)
    (folder / "elsewhere").mkdir()
    os.rename("ref.txt", "elsewhere/renamed.txt")
    capsys.readouterr()
    assert repeat("run.json") == 2
    out = capsys.readouterr().out
    assert "ref.txt\n    there is no such file (sha256 b27729db4c6f" in out
    assert repeat("run.json", "--find", "elsewhere") == 0


def test_a_changed_input_is_the_first_difference_until_the_old_one_is_found(
    folder, capsys
):
    record(*SCORE)
    Path("out.txt").write_text("the cat sat\nhello word\n")
    capsys.readouterr()
    assert repeat("run.json", "-f", "json") == 1
    first, second, *_ = json.loads(capsys.readouterr().out)["differences"]
    assert first["where"] == "input out.txt"
    assert first["then"].startswith("sha256 7815033b7a6b")
    assert first["now"] != first["then"]
    assert second["where"] == "systems / A / bleu / score"
    (folder / "elsewhere").mkdir()
    Path("elsewhere/out").write_text("the cat sat down\nhello word\n")
    assert repeat("run.json", "--find", "elsewhere") == 0


def test_a_changed_input_that_cannot_be_scored_is_a_difference(capsys):
    record(*SCORE)
    Path("out.txt").write_text("one line\n")
    capsys.readouterr()
    assert repeat("run.json", "-f", "json") == 1
    last = json.loads(capsys.readouterr().out)["differences"][-1]
    assert (last["where"], last["then"]) == ("the run", "exit code 0")
    assert "out.txt" in last["now"]


def test_a_folder_may_be_moved(folder, capsys):
    (folder / "study").mkdir()
    for name in ("ref.txt", "out.txt"):
        os.rename(name, f"study/{name}")
    os.chdir("study")
    record(*SCORE, place="../run.json")
    assert json.loads(Path("../run.json").read_text())["folder"] == "study"
    os.chdir("..")
    assert repeat("run.json") == 0
    os.rename("study", "moved")
    assert repeat("run.json") == 2
    assert repeat("run.json", "--in", "moved") == 0


def test_paths_may_climb_and_be_absolute(folder, capsys):
    (folder / "a" / "b").mkdir(parents=True)
    os.chdir("a/b")
    words = ["score", "-r", "../../ref.txt", "-i", f"A={folder}/out.txt"]
    output = folder / "scores.json"
    record(*words, "-f", "json", "-o", str(output))
    content = json.loads(Path("run.json").read_text())
    assert {file["path"] for file in content["inputs"]} == {
        "../../ref.txt",
        f"{folder}/out.txt",
    }
    before = output.stat().st_mtime_ns
    assert repeat("run.json") == 0
    os.rename(folder / "out.txt", folder / "moved.txt")
    assert repeat("run.json", "--find", str(folder)) == 0
    assert output.stat().st_mtime_ns == before


def test_results_are_not_overwritten_but_compared(capsys):
    record(*SCORE, "-f", "tsv", "-o", "scores.tsv")
    text = Path("scores.tsv").read_text()
    content = json.loads(Path("run.json").read_text())
    Path("scores.tsv").write_text(text.replace("0.4", "0.3"))
    capsys.readouterr()
    assert repeat("run.json") == 0  # The record knows what was written.
    content["results"]["files"][0]["sha256"] = tertium_hash("scores.tsv")
    Path("run.json").write_text(json.dumps(content))
    capsys.readouterr()
    assert repeat("run.json") == 1
    out = capsys.readouterr().out
    assert "scores.tsv, line 2" in out
    assert Path("scores.tsv").read_text() == text.replace("0.4", "0.3")


def tertium_hash(path):
    from tertium.records.files import hash_file

    return hash_file(path)


def test_folders_are_written_and_read_as_a_whole(capsys):
    pytest.importorskip("polars")
    judged = Path(tertium.__file__).parent / "demo" / "rankings.tsv"
    shutil.copy(judged, "rankings.tsv")
    words = ["judgements", "import", "rankings.tsv", "-o", "store"]
    content = record(*words)
    files = [file["path"] for file in content["results"]["files"]]
    assert files
    assert all(path.startswith("store/") for path in files)
    assert repeat("run.json") == 0
    content = record("rank", "store", place="rank.json")
    assert {file["path"] for file in content["inputs"]} >= {
        path for path in files if path.endswith(".parquet")
    } - {"store/spans.parquet"}
    assert repeat("rank.json") == 0


def test_kept_chunks_are_neither_read_nor_results(capsys):
    words = [*SCORE, "--data-hash", "--checkpoint", "kept"]
    for _ in range(2):
        content = record(*words)
        assert [file["path"] for file in content["inputs"]] == ["out.txt", "ref.txt"]
        assert content["results"]["files"] == []
        assert "|data:b27729db|" in content["results"]["stdout"]["text"]
    for path in Path("kept").iterdir():
        path.write_bytes(b"not for others")
    assert repeat("run.json") == 0


@pytest.mark.parametrize("cache", [["--cache", "kept"], ["--cache=kept"]])
def test_cached_rows_are_neither_read_nor_results(cache, capsys):
    for _ in range(2):
        content = record(*SCORE, *cache)
        assert [file["path"] for file in content["inputs"]] == ["out.txt", "ref.txt"]
        assert content["results"]["files"] == []
    assert any(Path("kept").iterdir())
    assert repeat("run.json") == 0
    shutil.rmtree("kept")
    assert repeat("run.json") == 0
    assert not Path("kept").exists()


def test_standard_input_is_part_of_a_run(folder, capsys):
    words = ["score", "-r", "ref.txt", "-i", "-", "--record", "run.json"]
    with open("out.txt") as file:
        subprocess.run(
            [sys.executable, "-m", "tertium", *words], stdin=file, check=True
        )
    assert read_run("run.json").input_text.size == 28
    assert repeat("run.json", "--stdin", "ref.txt") == 1
    assert "standard input " in capsys.readouterr().out
    assert repeat("run.json", "--stdin", "out.txt") == 0
    command = [sys.executable, "-m", "tertium", "repeat", "run.json"]
    none = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    assert none.returncode == 2
    assert b"standard input of 28 bytes" in none.stdout
    with open("out.txt") as file:
        assert subprocess.run(command, stdin=file, capture_output=True).returncode == 0


def test_worker_processes_are_watched(folder, request):
    model = request.getfixturevalue("tiny_model")
    text = folder / "many.txt"
    text.write_text("a b c\n" * 600)
    shutil.copy(model, "tiny.udpipe")
    words = ["parse", "many.txt", "-p", "udpipe", "--model", "tiny.udpipe", "-j", "2"]
    content = record(*words, "-o", "trees.conllu")
    assert {file["path"] for file in content["inputs"]} == {"many.txt", "tiny.udpipe"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["campaign", "serve"], "a server has no result"),
        (["campaign", "invite", "x"], "secret"),
        (["grammar", "watch", "x"], "it never ends"),
        (["cache"], "tertium cache has no --record: it shows or clears"),
        (["cache", "clear"], "tertium cache has no --record: it shows or clears"),
    ],
)
def test_what_cannot_be_recorded_says_why(words, message, capsys):
    assert main([*words, "--record", "new.json"]) == 2
    assert message in capsys.readouterr().err
    assert not Path("new.json").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cache", "clear"], "run.json: tertium cache cannot be repeated: it shows"),
        (["campaign", "load"], "tertium campaign load cannot be repeated: it prints"),
    ],
)
def test_what_cannot_be_recorded_is_not_repeated(words, message, capsys):
    content = record(*SCORE)
    content["command"] = [*words, "--record", "run.json"]
    Path("run.json").write_text(json.dumps(content))
    capsys.readouterr()
    assert repeat("run.json") == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*SCORE, "--record", "no/run.json"], "there is no folder"),
        ([*SCORE, "--record", "-"], "--record needs a file"),
        ([*SCORE, "--record"], "expected one argument"),
        (["sacrebleu", "ref.txt", "-i", "out.txt", "--rec", "r"], "--record in full"),
        (["score", "-r", "none.txt", "-i", "a.txt", "--record", "r"], "none.txt"),
    ],
)
def test_errors_leave_no_record(words, message, folder, capsys):
    before = sorted(folder.iterdir())
    assert main(words) == 2
    assert message in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("place", "message"),
    [("ref.txt", "is one of the inputs"), ("scores.txt", "is one of the results")],
)
def test_a_record_that_would_overwrite_a_file_of_the_run_stops_it_first(
    place, message, folder, capsys
):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main([*SCORE, "-o", "scores.txt", "--record", place]) == 2
    assert message in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("place", ["bleu", "score", "A"])
def test_a_record_may_be_named_as_a_word_of_the_command(place, folder):
    for _ in range(2):
        assert main([*SCORE, "--record", place]) == 0
        assert json.loads(Path(place).read_bytes())["tertium-record"]


def test_a_failed_check_has_a_record_with_its_exit_code(capsys):
    assert main(["metrics", "--record=run.json"]) == 0
    assert repeat("run.json") == 0


# Records of strangers.


def forged(folder, command, **changes):
    content = record(*SCORE)
    content |= {"command": [*command, "--record", "run.json"], **changes}
    Path("run.json").write_text(json.dumps(content))


@pytest.mark.parametrize("place", ["{folder}/victim", "../victim", "../../victim"])
def test_a_record_cannot_write_elsewhere(place, folder, capsys):
    (folder / "inner").mkdir()
    victim = folder / "victim"
    victim.write_text("mine")
    os.chdir("inner")
    for name in ("ref.txt", "out.txt"):
        shutil.copy(f"../{name}", name)
    forged(folder, [*SCORE, "-o", place.format(folder=folder)])
    capsys.readouterr()
    assert repeat("run.json", "--trust") in (1, 2)
    assert victim.read_text() == "mine"


def test_a_link_does_not_lead_out(folder, capsys):
    forged(folder, [*SCORE, "-o", "out.txt"])
    assert repeat("run.json") == 2
    assert Path("out.txt").read_text() == "the cat sat down\nhello word\n"


def test_a_record_starts_no_programs_unless_it_is_trusted(folder, capsys):
    decoder = f"touch {folder}/started; false {{weights}} {{nbest}}"
    words = ["tune", "run", "--decoder", decoder, "-r", "ref.txt", "--start", "w.json"]
    Path("w.json").write_text('{"lm": 1.0}')
    forged(folder, [*words, "--folder", "tuning"], inputs=[])
    content = json.loads(Path("run.json").read_text())
    content["inputs"] = [
        {"path": path, "sha256": tertium_hash(path), "bytes": os.path.getsize(path)}
        for path in ("ref.txt", "w.json")
    ]
    Path("run.json").write_text(json.dumps(content))
    capsys.readouterr()
    assert repeat("run.json") == 2
    assert "only if the record is trusted" in capsys.readouterr().out
    assert not (folder / "started").exists()
    assert repeat("run.json", "--trust") == 2
    assert (folder / "started").exists()


def test_a_recorded_metric_starts_no_program_unless_it_is_trusted(folder, capsys):
    script = "import sys; open('started', 'w'); [print(1) for _ in sys.stdin]"
    command = json.dumps([sys.executable, "-c", script])
    Path("m.toml").write_text(f"command = {command}\nkeep_running = false\n")
    words = ["score", "-r", "ref.txt", "-s", "ref.txt", "-i", "A=out.txt"]
    record(*words, "-m", "external:config=m.toml", "--no-cache")
    Path("started").unlink()
    capsys.readouterr()
    assert repeat("run.json") == 2
    assert "allow it if you trust it" in capsys.readouterr().out
    assert not Path("started").exists()
    assert repeat("run.json", "--trust") == 0


def test_the_script_of_a_program_is_an_input(folder, capsys):
    Path("metric.py").write_text("import sys\n[print(1) for _ in sys.stdin]\n")
    command = json.dumps([sys.executable, "metric.py"])
    Path("m.toml").write_text(f"command = {command}\nkeep_running = false\n")
    words = ["score", "-r", "ref.txt", "-s", "ref.txt", "-i", "A=out.txt"]
    content = record(*words, "-m", "external:config=m.toml", "--no-cache")
    inputs = {each["path"] for each in content["inputs"]}
    assert inputs == {"m.toml", "metric.py", "out.txt", "ref.txt"}
    assert repeat("run.json", "--trust") == 0
    Path("metric.py").write_text("import sys\n[print(2) for _ in sys.stdin]\n")
    capsys.readouterr()
    assert repeat("run.json", "--trust") == 1
    assert "input metric.py " in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--cluster", "local:2"], ["--cluster=local"]])
def test_work_of_local_workers_is_repeated_without_them(words, folder, capsys):
    # Dask asks for the processor when it starts workers.
    forged(folder, [*SCORE, *words], programs=["uname -p"])
    assert repeat("run.json") == 0
    assert "equal" in capsys.readouterr().out


@pytest.mark.parametrize("cluster", ["tcp://127.0.0.1:9", "cluster.toml", "a.json"])
def test_other_clusters_are_used_only_if_the_record_is_trusted(cluster, folder, capsys):
    for words in (["--cluster", cluster], [f"--cluster={cluster}"]):
        forged(folder, [*SCORE, *words])
        capsys.readouterr()
        assert repeat("run.json") == 2
        assert f"the run used the cluster {cluster}; read" in capsys.readouterr().out


def test_a_recorded_run_on_local_workers_is_repeated(folder, capsys):
    pytest.importorskip("distributed")
    words = [sys.executable, "-m", "tertium", *SCORE, "--cluster", "local:1"]
    subprocess.run([*words, "--record", "run.json"], check=True)
    assert repeat("run.json") == 0


def test_files_of_a_record_are_never_imported(folder, capsys):
    """Python looks for modules in the current folder first."""
    Path("json.py").write_text(f"open({str(folder / 'imported')!r}, 'w')")
    shutil.copy("json.py", "tertium.py")
    content = record(*SCORE)
    content["inputs"] += [
        {"path": name, "sha256": tertium_hash(name), "bytes": os.path.getsize(name)}
        for name in ("json.py", "tertium.py")
    ]
    Path("run.json").write_text(json.dumps(content))
    assert repeat("run.json") == 0
    assert not (folder / "imported").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"command": ["rm", "-rf", "/"]}, "unknown verb in run.json 'rm'"),
        ({"command": ["score", "demo"]}, "does not write a record"),
        ({"versions": {"no-such-thing": "1.0"}}, "pip install 'no-such-thing==1.0'"),
        ({"resources": [{"path": "tertium:x", "sha256": "0" * 64, "bytes": 1}]},
         "there is no such resource"),
        ({"resources": [{"path": "tertium:../x", "sha256": "0" * 64, "bytes": 1}]},
         "there is no such resource"),
        ({"resources": [{"path": "tertium:py.typed", "sha256": "0" * 64, "bytes": 1}]},
         "another version of it is installed"),
        ({"inputs": [{"path": "/dev/fd/63", "sha256": None, "bytes": None}]},
         "it was a pipe"),
        ({"inputs": [{"path": "../" * 200 + "x", "sha256": "0" * 64, "bytes": 1}]},
         "there is no such file"),
        ({"programs": ["rm -rf /"]}, "the run started programs: rm -rf /"),
        ({"command": ["score", "-r", "none", "-i", "none", "--record", "r"]}, "none"),
        ({"command": ["campaign", "serve", "--record", "r"]}, "a server has no result"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named_with_its_cure(changes, message, capsys):
    content = record(*SCORE)
    Path("run.json").write_text(json.dumps({**content, **changes}))
    capsys.readouterr()
    assert repeat("run.json") == 2
    captured = capsys.readouterr()
    assert message in captured.out + captured.err
    assert "Traceback" not in captured.out + captured.err


DAMAGE = st.one_of(
    st.none(), st.integers(), st.text(max_size=9), st.lists(st.text(max_size=3)),
    st.sampled_from(["../" * 9 + "x", "/", "-", "--", "~", "score", "-o", "\ud800"]),
)  # fmt: skip


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_records_end_with_a_verdict_or_a_message(data, folder, capsys):
    record("score", "-r", "ref.txt", "-i", "A=out.txt", "-m", "wer", "-o", "scores.txt")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    content = json.loads(Path("run.json").read_text())
    for _ in range(data.draw(st.integers(1, 2))):
        place = content
        while isinstance(place, (dict, list)) and place:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = data.draw(st.sampled_from(keys))
            if not isinstance(place[key], (dict, list)) or data.draw(st.booleans()):
                place[key] = data.draw(DAMAGE)
                break
            place = place[key]
    Path("run.json").write_text(json.dumps(content))
    capsys.readouterr()
    for verb in ("repeat", "cite"):
        code = main([verb, "run.json", "-f", "json"])
        captured = capsys.readouterr()
        assert code in ((0, 1, 2) if verb == "repeat" else (0, 2))
        assert captured.out or captured.err.startswith("tertium: run.json")
        assert "Traceback" not in captured.out + captured.err
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {**after, "run.json": b""} == {**before, "run.json": b""}


def test_only_settings_are_taken_from_the_environment_of_a_record(monkeypatch, capsys):
    for name in VALUES:
        monkeypatch.delenv(name, raising=False)  # Dask sets some for its workers.
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    words = [
        "sacrebleu",
        "ref.txt",
        "-i",
        "out.txt",
        "--confidence",
        "--confidence-n",
        "9",
    ]
    content = record(*words)
    assert content["environment"] == {"SACREBLEU_SEED": "7"}
    monkeypatch.delenv("SACREBLEU_SEED")
    content["environment"]["PYTHONPATH"] = "evil"
    Path("run.json").write_text(json.dumps(content))
    assert repeat("run.json") == 0

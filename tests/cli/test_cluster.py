# SPDX-License-Identifier: Apache-2.0
"""``--cluster`` and ``--checkpoint``: the same bytes, whatever happens on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("distributed")

import tertium
from tertium.cli import main
from tests.support.clusters import running


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "fw.txt").write_text("and\n")  # which no metric should read
    with running(folder) as cluster:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster.address


@pytest.fixture
def texts(tmp_path):
    demo = tertium.read("demo")
    (tmp_path / "ref.txt").write_text("\n".join(r[0] for r in demo.references))
    for name, lines in demo.systems.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines))
    return tmp_path


def output(capsys, *arguments):
    code = main([*arguments, "-q"])
    shown = capsys.readouterr()
    assert (code, shown.err) == (0, "")
    return shown.out


@pytest.mark.parametrize(
    "options",
    [
        ["score", "-m", "bleu", "chrf", "pef", "beer", "-f", "json"],
        ["score", "-m", "nist", "ter", "--segments", "--interval", "-f", "json"],
        ["score", "-m", "sentbleu", "--worst", "5"],
        ["compare", "-m", "bleu", "nist", "-f", "json"],
        ["compare", "-m", "chrf", "--test", "randomisation", "-f", "json"],
    ],
    ids=lambda options: " ".join(options[:4]),
)
def test_a_cluster_gives_the_bytes_of_this_process(there, texts, capsys, options):
    verb, *rest = options
    files = ["-r", texts / "ref.txt", "-i", texts / "good.txt", texts / "words.txt"]
    command = [verb, *map(str, files), *rest]
    expected = output(capsys, *command)
    assert output(capsys, *command, "--cluster", there) == expected


def test_a_test_set_in_one_file_is_sent(there, capsys):
    command = ["score", "demo", "-m", "chrf", "nist", "--documents", "-f", "json"]
    expected = output(capsys, *command)
    assert output(capsys, *command, "--cluster", there) == expected


@pytest.mark.parametrize("kind", [[], ["--to", "parquet"], ["--compress", "zst"]])
def test_shards_are_read_by_the_workers(there, tmp_path, capsys, kind):
    shards = str(tmp_path / "shards")
    assert main(["convert", "demo", "-o", shards, "--rows-per-shard", "13", *kind]) == 0
    capsys.readouterr()
    command = ["-m", "chrf", "nist", "beer", "--segments", "-f", "json"]
    expected = output(capsys, "score", "demo", *command)
    assert output(capsys, "score", shards, *command, "--cluster", there) == expected


def test_workers_in_another_folder_read_the_files_that_metrics_name(
    there, texts, capsys, monkeypatch
):
    monkeypatch.chdir(texts)
    Path("fw.txt").write_text("the\na\nof\n")
    spec = "meteor:function_words=fw.txt"
    command = ["score", "-r", "ref.txt", "-i", "good.txt", "-m", spec, "-f", "json"]
    expected = output(capsys, *command)
    assert list(json.loads(expected)["metrics"]) == [spec]
    # The folder of the workers has another file of that name.
    assert output(capsys, *command, "--cluster", there) == expected


def test_an_error_names_the_line_that_a_worker_read(there, texts, capsys):
    with (texts / "good.txt").open("ab") as stream:
        stream.write(b"\n\xff\n")
    with (texts / "ref.txt").open("ab") as stream:
        stream.write(b"\nlast\n")
    files = ["-r", str(texts / "ref.txt"), "-i", str(texts / "good.txt")]
    assert main(["score", *files]) == 2
    expected = capsys.readouterr().err
    assert ":61: byte 1" in expected
    assert main(["score", *files, "--cluster", there]) == 2
    assert capsys.readouterr().err == expected


def test_files_of_different_length_are_refused_as_ever(there, texts, capsys):
    with (texts / "good.txt").open("ab") as stream:
        stream.write(b"\none more\n")
    files = ["-r", str(texts / "ref.txt"), "-i", str(texts / "good.txt")]
    assert main(["score", *files]) == 2
    expected = capsys.readouterr().err
    assert main(["score", *files, "--cluster", there]) == 2
    assert capsys.readouterr().err == expected


@pytest.fixture
def long_run(tmp_path):
    """Return a command that takes many seconds."""
    texts = [r[0] for r in tertium.read("demo").references]
    for name, start in (("ref", 0), ("a", 3)):
        lines = "\n".join(text[start:] for text in texts)
        (tmp_path / f"{name}.txt").write_text("\n".join([lines] * 5000))
    files = ["-r", str(tmp_path / "ref.txt"), "-i", f"A={tmp_path / 'a.txt'}"]
    return [sys.executable, "-m", "tertium", "score", *files, "-m", "ter", "characTER"]


def nobody_left(group, seconds=10):
    """Return whether a group of processes ends soon."""
    for _ in range(seconds * 10):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_a_local_cluster_works_and_ends_with_ctrl_c(long_run):
    process = subprocess.Popen(
        [*long_run, "--cluster", "local:2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(4)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert err.decode() == "tertium: interrupted; nothing was written\n"
    assert nobody_left(process.pid)


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path):
    lines = tertium.read("demo").references
    for name, start in (("ref", 0), ("a", 3)):
        text = "\n".join(r[0][start:] for r in lines)
        (tmp_path / f"{name}.txt").write_text("\n".join([text] * 700))
    files = ["-r", str(tmp_path / "ref.txt"), "-i", f"A={tmp_path / 'a.txt'}"]
    program = [sys.executable, "-m", "tertium", "score", *files, "-m", "ter", "-j", "1"]
    kept = tmp_path / "kept"
    process = subprocess.Popen(
        [*program, "--checkpoint", str(kept)], stdout=subprocess.DEVNULL
    )
    while not kept.exists() or not any(kept.glob("*.chunk")):
        assert process.poll() is None, "it was done before the first chunk was kept"
        time.sleep(0.01)
    process.kill()
    process.wait()
    first = {path: path.stat().st_mtime_ns for path in kept.glob("*.chunk")}
    again = subprocess.run(
        [*program, "--checkpoint", str(kept)], capture_output=True, check=True
    )
    expected = subprocess.run(program, capture_output=True, check=True)
    assert again.stdout == expected.stdout
    # What was kept was read, not done again.
    assert first.items() <= {p: p.stat().st_mtime_ns for p in kept.iterdir()}.items()


def test_a_changed_word_list_is_not_scored_from_a_checkpoint(
    texts, capsys, monkeypatch
):
    monkeypatch.chdir(texts)
    words = Path("fw.txt")
    words.write_text("the\na\nof\n")
    command = ["score", "-r", "ref.txt", "-i", "good.txt", "-f", "json"]
    command += ["-m", "meteor:function_words=fw.txt", "--checkpoint", "kept"]
    first = output(capsys, *command)
    kept = sorted(os.listdir("kept"))
    assert output(capsys, *command) == first
    assert sorted(os.listdir("kept")) == kept
    words.write_text("and\n")
    second = output(capsys, *command)
    assert second != first
    assert second == output(capsys, *command[:-2])


@pytest.mark.parametrize("cluster", [[], ["--cluster", "local:1"]])
def test_an_unusable_checkpoint_is_an_error_before_anything_is_started(
    cluster, texts, capsys, monkeypatch
):
    monkeypatch.setattr("tertium.cluster.executor.connect", pytest.fail)
    files = ["-r", str(texts / "ref.txt"), "-i", str(texts / "good.txt")]
    kept = str(texts / "ref.txt")
    assert main(["score", *files, "--checkpoint", kept, *cluster]) == 2
    assert "ref.txt is not a folder" in capsys.readouterr().err

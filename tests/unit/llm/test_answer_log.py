# SPDX-License-Identifier: Apache-2.0
"""The log of raw answers: a cache that survives whatever ends the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from support.chat_server import completion
from tertium.errors import FormatError, InputError, OutputError
from tertium.llm.answer_log import AnswerLog, request_key

ABOUT = {"model": "m", "system": "A", "segment": "1"}


def fill(path, *keys):
    with AnswerLog(path) as log:
        log.open()
        for key in keys:
            log.add(key, completion(key), seconds=0.5, about=ABOUT)


def texts(log):
    return {
        key: each.response["choices"][0]["message"]["content"]
        for key, each in log.answers.items()
    }


def test_answers_are_found_again(tmp_path):
    path = tmp_path / "a.jsonl"
    fill(path, "1", "2")
    fill(path, "3")
    log = AnswerLog(path)
    assert texts(log) == {"1": "1", "2": "2", "3": "3"}
    assert log.broken == 0
    assert log.answers["1"].seconds == 0.5
    assert os.listdir(tmp_path) == ["a.jsonl"]


def test_of_two_answers_the_last_one_counts(tmp_path):
    path = tmp_path / "a.jsonl"
    fill(path, "1")
    with AnswerLog(path) as log:
        log.open()
        log.add("1", completion("again"), seconds=1, about={})
    assert texts(AnswerLog(path)) == {"1": "again"}
    assert path.read_text().count('"key"') == 2


def test_nothing_is_written_by_reading(tmp_path):
    path = tmp_path / "a.jsonl"
    AnswerLog(path).close()
    assert not path.exists()
    fill(path, "1")
    path.chmod(0o444)
    before = path.stat()
    with AnswerLog(path) as log:
        assert texts(log) == {"1": "1"}
    assert path.stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_line_that_is_not_complete_is_ignored_and_not_continued(tmp_path, cut):
    path = tmp_path / "a.jsonl"
    fill(path, "1", "2")
    path.write_bytes(path.read_bytes()[:-cut])
    fill(path, "3")
    log = AnswerLog(path)
    expected = {"1": "1", "3": "3"} if cut > 1 else {"1": "1", "2": "2", "3": "3"}
    assert texts(log) == expected
    assert log.broken == (cut > 1)


@pytest.mark.parametrize("line", ["{}", "3", '{"key": 1}', '{"key": "a"}', "\ufffd"])
def test_other_lines_are_counted(tmp_path, line):
    path = tmp_path / "a.jsonl"
    fill(path, "1")
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    log = AnswerLog(path)
    assert (len(log.answers), log.broken) == (1, 1)


def test_another_file_is_not_taken_for_a_log(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Dear diary\n")
    with pytest.raises(FormatError, match=r"a\.txt:1: not a log of answers"):
        AnswerLog(path)
    assert path.read_text() == "Dear diary\n"


def test_only_one_run_adds_answers(tmp_path):
    path = tmp_path / "a.jsonl"
    with AnswerLog(path) as log:
        log.open()
        with pytest.raises(InputError, match="another run adds answers"):
            AnswerLog(path).open()
    fill(path, "1")


def test_a_missing_folder_is_named_before_anything_is_asked(tmp_path):
    with pytest.raises(InputError, match="no folder"):
        AnswerLog(tmp_path / "none" / "a.jsonl").open()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_an_error():
    log = AnswerLog("/dev/null")
    log._file = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(OutputError, match="free some space"):
        log.add("1", {}, seconds=1, about={})
    os.close(log._file)


def test_threads_write_whole_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    with AnswerLog(path) as log:
        log.open()

        def work(thread):
            for number in range(50):
                text = "ä" * 3000
                log.add(f"{thread}.{number}", completion(text), seconds=1, about={})

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    log = AnswerLog(path)
    assert (len(log.answers), log.broken) == (400, 0)


CHILD = """
import os, signal, sys
from tertium.llm.answer_log import AnswerLog
log = AnswerLog(sys.argv[1])
log.open()
for number in range(100):
    log.add(str(number), {"n": number}, seconds=0, about={})
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_answers_survive_a_program_that_is_killed(tmp_path):
    path = tmp_path / "a.jsonl"
    done = subprocess.run([sys.executable, "-c", CHILD, path], check=False)
    assert done.returncode == -9
    log = AnswerLog(path)
    assert (len(log.answers), log.broken) == (100, 0)
    fill(path, "more")  # the lock is gone with the process
    assert len(AnswerLog(path).answers) == 101


def test_keys_depend_on_everything_that_is_asked():
    body = {"model": "m", "messages": [{"role": "user", "content": "a"}]}
    keys = {
        request_key(each)
        for each in (
            body,
            {**body, "model": "n"},
            {**body, "temperature": 1},
            {**body, "messages": [{"role": "user", "content": "b"}]},
            {**body, "messages": [{"role": "user", "content": "\ud800"}]},
        )
    }
    assert len(keys) == 5
    assert request_key(json.loads(json.dumps(body))) in keys


def test_the_first_line_names_the_version(tmp_path):
    path = tmp_path / "a.jsonl"
    fill(path, "1")
    first = Path(path).read_text().splitlines()[0]
    assert json.loads(first) == {"tertium": "answers", "version": 1}

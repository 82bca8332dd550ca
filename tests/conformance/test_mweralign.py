# SPDX-License-Identifier: Apache-2.0
"""Edits of `tertium resegment` equal those of mweralign 1.4.1.

mweralign is in an environment of its own, whose Python TERTIUM_MWERALIGN names (see
`.ci/run`). ``python -m bench mwer`` compares boundaries and speed too.
"""

from __future__ import annotations

import os
import subprocess

import pytest

import tertium
from bench.peers.mwer import DATA, Task, ask, own_edits, read_tasks, spaced
from conftest import missing


@pytest.fixture(scope="module", autouse=True)
def python():
    path = os.environ.get("TERTIUM_MWERALIGN")
    if not path:
        missing("TERTIUM_MWERALIGN names no Python that has mweralign")
    probe = subprocess.run([path, "-c", "import mweralign"], check=False)
    if probe.returncode:
        missing(f"{path} has no mweralign")


@pytest.fixture(scope="module")
def tasks():
    demo = tertium.read("demo")
    first, second = zip(*demo.references, strict=True)
    return [
        Task(name, list(first), hyps, list(demo.docs), references)
        for name, hyps in demo.systems.items()
        for references in ((), tuple(second))
    ]


def test_edits_of_every_document_are_equal(tasks):
    answers = ask(tasks, edits=True)["answers"]
    for task, answer in zip(tasks, answers, strict=True):
        assert all(spaced(task))
        assert own_edits(task) == answer["edits"]
    one, two = (sum(answers[k]["edits"]) for k in (0, 1))
    assert 0 < two < one  # a second reference is closer for some segments


def test_no_word_is_lost_by_either(tasks):
    task = tasks[0]
    (answer,) = ask([task])["answers"]
    for lines, text in zip(answer["lines"], task.joined(), strict=True):
        assert " ".join(lines).split() == text.split()


@pytest.mark.wmt
@pytest.mark.study
@pytest.mark.parametrize("name", ["WMT23 en-de", "WMT25 en-is", "WMT26 en-be"])
def test_edits_of_wmt_documents_are_equal(name):
    if not (DATA / "wmt23-mtme").exists():
        pytest.skip(f"no WMT data in {DATA}; set TERTIUM_DATA")
    tasks = read_tasks()[name][:3]
    documents = 0
    for task, answer in zip(tasks, ask(tasks, edits=True)["answers"], strict=True):
        for mine, theirs, same in zip(
            own_edits(task), answer["edits"], spaced(task), strict=True
        ):
            if same:
                assert mine == theirs
                documents += 1
    assert documents >= 40

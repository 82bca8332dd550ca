# SPDX-License-Identifier: Apache-2.0
"""Clusters that do not start, and why: the reason is in the error."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from tertium import InputError
from tertium.cluster import Cluster, session
from tests.conftest import missing
from tests.support import cluster_work as work
from tests.support import ssh_server

ROOT = Path(__file__).resolve().parents[3]

JOBS = "cluster = 'slurm'\nworkers = 1\n[options]\ncores = 1\nmemory = '1GB'\n"


@pytest.fixture
def described(tmp_path):
    """Return a function that makes a cluster of the text of its file."""

    def make(text, **options):
        path = tmp_path / "cluster.toml"
        path.write_text(text)
        return Cluster(str(path), **options)

    return make


@pytest.fixture
def sbatch(tmp_path, monkeypatch):
    """Return a function that sets what the batch system does with a job."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def answer(script):
        for name, text in {"sbatch": script, "scancel": "exit 0"}.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
            (tmp_path / name).chmod(0o755)

    return answer


def failure(cluster):
    with pytest.raises(InputError) as error, cluster:
        pass
    return str(error.value)


def test_a_job_that_is_rejected_is_an_error(described, sbatch):
    sbatch("echo 'sbatch: error: Invalid account' >&2; exit 1")
    assert failure(described(JOBS)) == (
        "the slurm cluster does not start: sbatch: error: Invalid account; check the "
        "options of its file"
    )


def test_a_machine_without_the_batch_system_is_an_error(described, sbatch):
    assert "No such file or directory: 'sbatch'" in failure(described(JOBS))


# The one of Dask that is made half is not ours to close.
@pytest.mark.filterwarnings("ignore:.*unclosed cluster")
def test_an_option_that_a_batch_system_does_not_have_is_an_error(described):
    assert "unexpected keyword argument 'core'" in failure(described(f"{JOBS}core = 1"))
    gc.collect()


def test_waiting_for_a_queue_is_told(described, sbatch, monkeypatch):
    sbatch("echo Submitted batch job 7")
    monkeypatch.setattr(session, "_QUEUE", 0.2)

    class EnoughError(Exception):
        pass

    def listen(note):
        raise EnoughError(note.code)

    with pytest.raises(EnoughError, match="cluster-queued"):
        described(JOBS, on_note=listen).__enter__()


def test_jobs_whose_time_is_up_are_submitted_again(described, tmp_path, monkeypatch):
    marks = tmp_path / "marks"
    marks.mkdir()
    scripts = {
        "sbatch": f"""cp "$1" {tmp_path}/$$.sh
            PYTHONPATH={ROOT} setsid sh {tmp_path}/$$.sh >/dev/null 2>&1 &
            echo $! >> {tmp_path}/jobs
            echo Submitted batch job $!""",
        "scancel": 'kill -- "-$1"',
    }
    for name, text in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(session, "_LOST", 0.5)
    with described(JOBS) as cluster:
        results = cluster.map(work.Counted(marks, pause=0.2), range(20))
        first = next(results)
        os.killpg(int((tmp_path / "jobs").read_text()), signal.SIGKILL)
        assert [first, *results] == [number * number for number in range(20)]
    assert len((tmp_path / "jobs").read_text().split()) == 2


def test_an_ssh_cluster_needs_a_host_for_workers(described):
    text = "cluster = 'ssh'\n[options]\nhosts = ['a']"
    assert "needs two hosts or more" in failure(described(text))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if ssh_server.program() is None:
        missing("no sshd; apt install openssh-server")
    with ssh_server.running(tmp_path_factory.mktemp("ssh")) as running:
        yield running


@pytest.mark.parametrize(
    ("python", "worker", "message"),
    [
        ("/nowhere/python", "", "No such file or directory"),
        (sys.executable, "nthread = 1", "unexpected keyword argument 'nthread'"),
    ],
)
def test_what_an_ssh_host_answers_is_told(described, server, python, worker, message):
    reason = failure(
        described(
            "cluster = 'ssh'\n[options]\nhosts = ['127.0.0.1', '127.0.0.1']\n"
            f"remote_python = '{python}'\n[options.worker_options]\n{worker}\n"
            f"[options.connect_options]\nport = {server.port}\n"
            f"client_keys = ['{server.key}']\nknown_hosts = '{server.known_hosts}'"
        )
    )
    assert reason.startswith("a host of the ssh cluster answers ")
    assert message in reason


def test_an_ssh_host_whose_key_is_unknown_is_an_error(described, server, tmp_path):
    (tmp_path / "nobody").touch()
    reason = failure(
        described(
            "cluster = 'ssh'\n[options]\nhosts = ['127.0.0.1', '127.0.0.1']\n"
            f"[options.connect_options]\nport = {server.port}\n"
            f"client_keys = ['{server.key}']\nknown_hosts = '{tmp_path / 'nobody'}'"
        )
    )
    assert "does not start: Host key is not trusted" in reason

# SPDX-License-Identifier: Apache-2.0
"""Recipes for clusters, each run: this machine, SSH, SLURM, commands of Kubernetes.

What is changed in a recipe is what users must change, and the number of workers.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

pytest.importorskip("distributed")

import tertium
from tertium.cli import main
from tests.conftest import missing
from tests.support import slurm_system, ssh_server
from tests.support.clusters import kill

RECIPES = Path(__file__).resolve().parents[2] / "docs" / "recipes" / "cluster"
PROGRAMS = Path(sys.executable).parent  # dask and tertium are beside Python
MARK = "TERTIUM_TEST_RECIPE"


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Return a folder with three chunks of segments, and the scores of one process."""
    folder = tmp_path_factory.mktemp("texts")
    demo = tertium.read("demo")
    lines = {"ref": [refs[0] for refs in demo.references], "a": demo.systems["words"]}
    for name, column in lines.items():
        (folder / f"{name}.txt").write_text("\n".join(column * 400), encoding="utf-8")
    assert main([*command(folder), "-o", str(folder / "expected.json")]) == 0
    return folder


def command(folder):
    files = ["-r", str(folder / "ref.txt"), "-i", str(folder / "a.txt")]
    return ["score", *files, "-m", "bleu", "chrf", "-f", "json", "-q"]


def recipe(name, changes):
    """Return a recipe with its placeholders replaced, each of which must be there."""
    text = (RECIPES / name).read_text(encoding="utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def score(texts, capsys, cluster):
    code = main([*command(texts), "--cluster", str(cluster)])
    shown = capsys.readouterr()
    assert (code, shown.err) == (0, "")
    assert shown.out == (texts / "expected.json").read_text(encoding="utf-8")


def test_workers_on_this_machine(texts, capsys):
    score(texts, capsys, RECIPES / "local.toml")


@contextmanager
def marked(folder):
    """Yield a Python whose processes are known, and see that none is left."""
    import psutil

    python = folder / "python"
    run = shlex.join([sys.executable])
    python.write_text(f'#!/bin/sh\n{MARK}={folder} exec {run} "$@"\n')
    python.chmod(0o755)

    def ours(process):
        try:
            return process.environ().get(MARK) == str(folder)
        except psutil.Error:
            return False

    yield python
    for _ in range(100):
        if not (left := list(filter(ours, psutil.process_iter()))):
            return
        time.sleep(0.1)
    assert left == []


def test_workers_over_ssh(texts, tmp_path, capsys):
    if ssh_server.program() is None:
        missing("no sshd; apt install openssh-server")
    with ssh_server.running(tmp_path) as server, marked(tmp_path) as python:
        changes = {
            '["node1", "node1", "node2"]': '["127.0.0.1", "127.0.0.1"]',
            '"/data/venv/bin/python"': f'"{python}"',
            "n_workers = 4": "n_workers = 2",
            "# port = 22": f"port = {server.port}",
            '# client_keys = ["key"]': f'client_keys = ["{server.key}"]',
            '# known_hosts = "known_hosts"': f'known_hosts = "{server.known_hosts}"',
        }
        path = tmp_path / "ssh.toml"
        path.write_text(recipe("ssh.toml", changes), encoding="utf-8")
        score(texts, capsys, path)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """Run SLURM, the real one, and return the environment of its commands."""
    if name := slurm_system.missing_program():
        missing(f"no {name}; apt install slurm-wlm munge")
    with (
        slurm_system.running(tmp_path_factory.mktemp("slurm")) as environment,
        pytest.MonkeyPatch.context() as patch,
    ):
        for key, value in environment.items():
            patch.setenv(key, value)
        yield


def test_workers_as_jobs_of_slurm(slurm, texts, tmp_path):
    changes = {
        "workers = 64": "workers = 2",
        "processes = 16": "processes = 2",
        "cores = 16": "cores = 2",
        '"32GB"': '"2GB"',
    }
    (tmp_path / "slurm.toml").write_text(recipe("slurm.toml", changes))
    done = subprocess.run(
        [PROGRAMS / "tertium", *command(texts), "--cluster", "slurm.toml"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (texts / "expected.json").read_bytes()
    # Keys are gone; one job wrote both its streams.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "slurm.toml"]
    assert len(list((tmp_path / "logs").iterdir())) == 2


def test_a_script_for_slurm(slurm, texts, tmp_path):
    few = ["--parsable", "--ntasks=2", "--mem-per-cpu=1G", "--export=ALL"]
    job = subprocess.run(
        ["sbatch", *few, RECIPES / "slurm.sh", *command(texts), "-o", "scores.json"],
        cwd=tmp_path,
        env=os.environ | {"TERTIUM_VENV": sys.prefix},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()
    while (state := slurm_system.state(job)) in ("PENDING", "RUNNING", "COMPLETING"):
        time.sleep(0.2)
    assert state == "COMPLETED", (tmp_path / f"tertium-{job}.log").read_text()
    expected = (texts / "expected.json").read_bytes()
    assert (tmp_path / "scores.json").read_bytes() == expected
    # Keys are gone.
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["scores.json", f"tertium-{job}.log"]


def test_the_script_for_slurm_is_clean():
    subprocess.run(["bash", "-n", RECIPES / "slurm.sh"], check=True)
    if shutil.which("shellcheck") is None:
        missing("no shellcheck; apt install shellcheck")
    done = subprocess.run(
        ["shellcheck", RECIPES / "slurm.sh"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.fixture(scope="module")
def manifest():
    import yaml

    return list(yaml.safe_load_all((RECIPES / "kubernetes.yaml").read_text()))


def test_the_manifest_fits_the_schema_of_kubernetes(manifest):
    import kubernetes_validate

    version = kubernetes_validate.latest_version()
    for document in manifest:
        kubernetes_validate.validate(document, version, strict=True)
    kinds = [document["kind"] for document in manifest]
    assert kinds == ["Deployment", "Service", "NetworkPolicy", "Deployment", "Job"]


def test_the_parts_of_the_manifest_find_each_other(manifest):
    scheduler, service, policy, worker, job = manifest
    pods = [item["spec"]["template"] for item in (scheduler, worker, job)]
    for item in (scheduler, worker):
        labels = item["spec"]["template"]["metadata"]["labels"]
        assert item["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == pods[0]["metadata"]["labels"]
    (port,) = service["spec"]["ports"]
    (container,) = pods[0]["spec"]["containers"]
    assert container["ports"] == [{"containerPort": port["port"]}]
    ours = policy["spec"]["podSelector"]["matchLabels"].items()
    assert all(ours <= pod["metadata"]["labels"].items() for pod in pods)
    address = f"tcp://{service['metadata']['name']}:{port['port']}"
    for pod in pods[1:]:
        (container,) = pod["spec"]["containers"]
        assert any(word.endswith(address) for word in container["command"])
        mounts = {each["name"] for each in container["volumeMounts"]}
        assert mounts == {each["name"] for each in pod["spec"]["volumes"]}


def test_the_commands_of_the_manifest(manifest, tmp_path):
    """There is no Kubernetes here: containers are processes, their disk a folder."""
    tertium.write(tertium.read("demo"), tmp_path / "set.jsonl")
    port = str(ssh_server.free_port())
    here = {
        "tertium-scheduler": "127.0.0.1",
        "8786": port,
        "--nworkers=4": "--nworkers=2",
    }

    def start(item, errors=subprocess.DEVNULL):
        (container,) = item["spec"]["template"]["spec"]["containers"]
        words = container["command"]
        for old, new in here.items():
            words = [word.replace(old, new) for word in words]
        return subprocess.Popen(
            [PROGRAMS / words[0], *words[1:]],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )

    scheduler, _, _, worker, job = manifest
    with ExitStack() as stack:
        for item in (scheduler, worker):
            stack.callback(kill, start(item))
        # As in a cluster, the job may begin before the scheduler listens.
        client = start(job, subprocess.PIPE)
        _, errors = client.communicate(timeout=120)
    assert client.returncode == 0, errors.decode()
    expected = tmp_path / "expected.json"
    options = ["-m", "bleu", "chrf", "-f", "json", "-o", str(expected)]
    assert main(["score", str(tmp_path / "set.jsonl"), *options]) == 0
    assert (tmp_path / "scores.json").read_bytes() == expected.read_bytes()
    assert list((tmp_path / "checkpoint").iterdir())

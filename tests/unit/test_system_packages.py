# SPDX-License-Identifier: Apache-2.0
"""Set-up installs the system packages it lacks, or names them in one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "system_packages"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a script of the shell")


@pytest.fixture
def system(tmp_path):
    """Return a function that runs the tool on a machine with few programs."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "basename", "mktemp", "rm", "tail"):
        (programs / name).symlink_to(shutil.which(name))

    def add(name: str, script: str) -> None:
        path = programs / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(*arguments: str, user: int = 1000, **scripts: str):
        add("id", f"echo {user}")
        for name, script in scripts.items():
            add(name.replace("_", "-"), script)
        return subprocess.run(
            [TOOL, *arguments],
            env={"PATH": str(programs)},
            capture_output=True,
            text=True,
        )

    return run


def test_everything_is_there(system):
    compiler = shutil.which("c++") or pytest.skip("no C++ compiler; apt install g++")
    done = system(sys.executable, compiler)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_users_get_the_line_to_type(system):
    done = system("python3", apt_get="exit 1")
    assert done.returncode == 2
    assert done.stderr == (
        "Tertium needs python3 python3-venv python3-dev g++: "
        "sudo apt-get install python3 python3-venv python3-dev g++\n"
    )


def test_headers_and_venv_are_looked_for(system):
    python = 'case "$2" in *print*) echo /nowhere;; *import*env*) exit 1;; esac'
    done = system("python3.12", "true", true="exit 0", **{"python3.12": python})
    assert done.returncode == 2
    assert "sudo apt-get install python3.12-venv python3.12-dev\n" in done.stderr


def test_root_installs_what_is_missing(system, tmp_path):
    log = tmp_path / "log"
    script = f'echo "$@" >> {log}'
    done = system(sys.executable, user=0, apt_get=script)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Installing g++ ...\n"
    assert log.read_text().splitlines() == [
        "update",
        "install -y --no-install-recommends g++",
    ]


def test_failed_installation_says_why(system):
    done = system(sys.executable, user=0, apt_get="echo no network; exit 100")
    assert done.returncode == 2
    assert done.stderr == (
        "no network\nTertium needs g++ and could not install it: apt-get install g++\n"
    )


def test_old_python_and_old_compiler_are_named(system):
    done = system("python3", python3="exit 1")
    assert done.returncode == 2
    assert "python3 is older" in done.stderr
    done = system(sys.executable, "old", old="cat > /dev/null; exit 1")
    assert done.returncode == 2
    assert "old is not one" in done.stderr

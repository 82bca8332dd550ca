# SPDX-License-Identifier: Apache-2.0
"""Try the installed package: the core, without an extra. Standard library only.

    python tools/package_check/smoke.py

It runs in an empty folder, so that nothing of a clone is imported by chance, and prints
one line per command. The exit code is 1 at the first that does not do what it should.
"""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

_SCORE = """
import tertium
table = tertium.score(["a b c d e"], ["a b c d e"], metrics=["bleu"])
assert round(table.to_dict()["systems"]["system"]["bleu"]["score"], 6) == 100, table
print(tertium.__version__)
"""
_COMMANDS = (
    (["--version"], f"tertium {importlib.metadata.version('tertium')}"),
    (["metrics"], "chrf"),
    (["score", "demo", "-m", "bleu", "chrf++", "ter", "beer"], "good"),
    (["compare", "demo", "-m", "bleu"], "cluster"),
    (["explain", "--hyp", "at noon we meet", "--ref", "we meet at noon"], "at noon"),
    (["convert", "demo", "-o", "demo.tsv"], ""),
    (["score", "demo.tsv", "-f", "json"], "signature"),
    (["score", "demo", "-f", "html", "-o", "scores.html"], ""),
    (["completion", "bash"], "complete"),
    (["preorder", "demo"], "tau"),
)


def program() -> str:
    """Return the path of the installed command."""
    name = "tertium.exe" if os.name == "nt" else "tertium"
    return str(Path(sysconfig.get_path("scripts")) / name)


def run(command: list[str], folder: str, *, contains: str = "", code: int = 0) -> None:
    """Run a command; its code and output must be as expected."""
    environment = {
        **os.environ,
        "PYTHONNOUSERSITE": "1",
        "PYTHONWARNINGS": "error::EncodingWarning",
        "PYTHONWARNDEFAULTENCODING": "",
    }
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    shown = " ".join(
        [
            Path(command[0]).stem,
            *(word.split("\n")[-2] if "\n" in word else word for word in command[1:]),
        ]
    )
    if done.returncode != code or contains not in done.stdout:
        print(done.stdout[-3000:])
        sys.exit(f"{shown}: code {done.returncode}, not {code} with {contains!r}")
    print(f"  {shown}")


def main() -> None:
    place = importlib.metadata.distribution("tertium").locate_file("tertium")
    print(f"tertium in Python {sys.version.split()[0]} on {sys.platform}")
    with tempfile.TemporaryDirectory() as folder:
        if Path(str(place)).parts[-2:-1] == ("src",):
            sys.exit(f"{place} is a clone, not an installed package")
        run([sys.executable, "-c", _SCORE], folder)
        for arguments, contains in _COMMANDS:
            run([program(), *arguments], folder, contains=contains)


if __name__ == "__main__":
    main()

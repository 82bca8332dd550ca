# SPDX-License-Identifier: Apache-2.0
"""Texts, n-best lists and judgements of any size, generated with a seed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

SEED = 12345
_WORDS = 200_000
_LENGTH = 14


def texts(size: int, *, seed: int) -> Iterator[list[str]]:
    """Yield sentences in blocks: words with the frequencies of Zipf's law."""
    rng = np.random.default_rng([SEED, seed])
    words = np.array([f"w{number:x}" for number in range(_WORDS)], dtype=object)
    for start in range(0, size, 10_000):
        block = min(10_000, size - start)
        draws = (_WORDS ** rng.random((block, _LENGTH))).astype(int) - 1
        yield [" ".join(row) for row in words[draws].tolist()]


def outputs(size: int, *, seed: int) -> Iterator[list[str]]:
    """Yield the references with every fifth word replaced, as a system would."""
    rng = np.random.default_rng([SEED, seed])
    for block in texts(size, seed=1):
        changed = []
        for sentence, place in zip(block, rng.integers(0, 5, len(block)), strict=True):
            words = sentence.split()
            words[place::5] = ["x" + word for word in words[place::5]]
            changed.append(" ".join(words))
        yield changed


def write_set(path: Path, size: int) -> None:
    """Write a test set with source, reference and two systems as JSONL."""
    columns = [texts(size, seed=0), texts(size, seed=1)]
    columns += [outputs(size, seed=2), outputs(size, seed=3)]
    done = 0
    with path.open("w", encoding="utf-8") as file:
        for block in zip(*columns, strict=True):
            for src, ref, a, b in zip(*block, strict=True):
                done += 1
                row = {"id": str(done), "src": src, "ref": [ref]}
                file.write(json.dumps({**row, "tgt": {"A": a, "B": b}}) + "\n")


def write_nbest(path: Path, size: int) -> None:
    """Write lists of five hypotheses as JSONL."""
    columns = [outputs(size, seed=seed) for seed in range(2, 7)]
    done = 0
    with path.open("w", encoding="utf-8") as file:
        for block in zip(*columns, strict=True):
            for hyps in zip(*block, strict=True):
                file.write(json.dumps({"id": str(done), "hyps": hyps}) + "\n")
                done += 1


def write_judgements(path: Path, size: int) -> None:
    """Write one rating per segment, of both systems in turn, as JSONL."""
    rng = np.random.default_rng([SEED, 9])
    with path.open("w", encoding="utf-8") as file:
        file.write('{"tertium": "judgements", "version": 1}\n')
        for number, score in enumerate(rng.integers(0, 101, size).tolist()):
            row = {"kind": "rating", "system": "AB"[number % 2], "score": score}
            row |= {"scale": "DA", "segment": str(number // 2 + 1)}
            row |= {"judge": f"j{number % 50}"}
            file.write(json.dumps(row) + "\n")


class Files:
    """The inputs of one size, made when a verb asks for them, and kept."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size
        folder.mkdir(parents=True, exist_ok=True)

    def __getitem__(self, name: str) -> str:
        path = self.folder / f"{name}{_ENDINGS.get(name, '')}"
        if not path.exists():
            part = self.folder / f"part-{path.name}"
            remove(part)
            getattr(self, f"_{name}")(part)
            part.rename(path)
        return str(path)

    def words(self, command: str, out: Path) -> list[str]:
        """Return the arguments of a command; ``{set}`` and so on become files."""
        names = [name for name in _INPUTS if f"{{{name}}}" in command]
        places = {name: self[name] for name in names}
        return [word.format(**places, out=out) for word in command.split()]

    def _set(self, path: Path) -> None:
        write_set(path, self.size)

    def _shards(self, path: Path) -> None:
        words = ["convert", self["set"], "-o", str(path), "-q"]
        _run(*words, "--rows-per-shard", "100000", "--compress", "zst")

    def _parquet(self, path: Path) -> None:
        _run("convert", self["set"], "-o", str(path), "-q")

    def _nbest(self, path: Path) -> None:
        file = path.with_name("all.jsonl")
        write_nbest(file, self.size)
        words = ["nbest", "convert", "-n", str(file), "-o", str(path), "-q"]
        _run(*words, "--rows-per-shard", "10000")
        file.unlink()

    def _store(self, path: Path) -> None:
        file = path.with_name("all.jsonl")
        write_judgements(file, self.size)
        _run("judgements", "import", str(file), "-o", str(path), "-q")
        file.unlink()

    def _judged(self, path: Path) -> None:
        words = ["judgements", "export", self["store"], "-o", str(path), "-q"]
        _run(*words, "--rows-per-shard", "100000", "--compress", "zst")

    def _new(self, path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            for block in outputs(self.size, seed=4):
                file.writelines(f"{text}\n" for text in block)


_INPUTS = ("set", "shards", "parquet", "nbest", "new", "store", "judged")
_ENDINGS = {"set": ".jsonl", "parquet": ".parquet", "new": ".txt"}


def _run(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "tertium", *words], check=True)


def remove(path: Path) -> None:
    """Remove a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

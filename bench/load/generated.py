# SPDX-License-Identifier: Apache-2.0
"""Texts, n-best lists and judgements of any size, generated with a seed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
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


def write_spans(path: Path, size: int, *, seed: int) -> None:
    """Write a span for the outputs of both systems in turn, by two judges, as JSONL.

    Parameters
    ----------
    path : Path
    size : int
        Number of spans, four for every segment.
    seed : int
    """
    rng = np.random.default_rng([SEED, seed])
    starts = rng.integers(0, 12, size).tolist()
    kinds = ["no-error", "minor", "major"]
    severities = rng.choice(kinds, size, p=[0.4, 0.4, 0.2]).tolist()
    with path.open("w", encoding="utf-8") as file:
        file.write('{"tertium": "judgements", "version": 1}\n')
        for number, (start, severity) in enumerate(
            zip(starts, severities, strict=True)
        ):
            row = {"kind": "span", "system": "AB"[number % 2], "severity": severity}
            row |= {"segment": str(number // 4 + 1), "side": "target"}
            row |= {"judge": f"j{number // 2 % 2}"}
            if severity == "no-error":
                row["category"] = "no-error"
            else:
                row |= {"category": "style", "start": 2 * start, "end": 2 * start + 5}
            file.write(json.dumps(row) + "\n")


def write_features(path: Path, size: int) -> None:
    """Write lists of five hypotheses with two features, as Moses does."""
    rng = np.random.default_rng([SEED, 10])
    columns = [outputs(size, seed=seed) for seed in range(2, 7)]
    done = 0
    with path.open("w", encoding="utf-8") as file:
        for block in zip(*columns, strict=True):
            for hyps in zip(*block, strict=True):
                for hyp, (a, b) in zip(hyps, rng.random((5, 2)), strict=True):
                    features = f"lm= {a:.4f} tm= {b:.4f}"
                    file.write(f"{done} ||| {hyp} ||| {features} ||| {a + b:.4f}\n")
                done += 1


def write_trees(path: Path, size: int) -> None:
    """Write the references as CoNLL-U, every word depending on the one before."""
    with path.open("w", encoding="utf-8") as file:
        for block in texts(size, seed=1):
            for sentence in block:
                for place, word in enumerate(sentence.split()):
                    relation = "dep" if place else "root"
                    file.write(f"{place + 1}\t{word}\t_\tX\t_\t_\t{place}\t{relation}")
                    file.write("\t_\t_\n")
                file.write("\n")


def write_links(path: Path, size: int) -> None:
    """Write word links that swap the halves of a random part of every sentence."""
    rng = np.random.default_rng([SEED, 11])
    with path.open("w", encoding="utf-8") as file:
        for low, high in np.sort(rng.integers(0, _LENGTH, (size, 2))).tolist():
            order = [*range(low), *range(high, _LENGTH), *range(low, high)]
            links = (f"{here}-{there}" for here, there in enumerate(order))
            file.write(" ".join(links) + "\n")


class Files:
    """The inputs of one size, made when a verb asks for them, and kept."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size
        folder.mkdir(parents=True, exist_ok=True)

    def __getitem__(self, name: str) -> str:
        path = self.folder / f"{name}{INPUTS[name]}"
        if not path.exists():
            part = self.folder / f"part-{path.name}"
            remove(part)
            getattr(self, f"_{name}")(part)
            part.rename(path)
        return str(path)

    def words(self, command: str, out: Path) -> list[str]:
        """Return the arguments of a command; ``{set}`` and so on become files."""
        names = [name for name in INPUTS if f"{{{name}}}" in command]
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
        _write_lines(path, outputs(self.size, seed=4))

    def _src(self, path: Path) -> None:
        _write_lines(path, texts(self.size, seed=0))

    def _ref(self, path: Path) -> None:
        _write_lines(path, texts(self.size, seed=1))

    def _documents(self, path: Path) -> None:
        blocks = outputs(self.size, seed=4)
        parts = (
            block[i : i + 20] for block in blocks for i in range(0, len(block), 20)
        )
        _write_lines(path, ([" ".join(part)] for part in parts))

    def _docs(self, path: Path) -> None:
        _write_lines(path, ([f"d{i // 20}"] for i in range(self.size)))

    def _spans(self, path: Path) -> None:
        write_spans(path, self.size, seed=12)

    def _marked(self, path: Path) -> None:
        _run("judgements", "import", self["spans"], "-o", str(path), "-q")

    def _predicted(self, path: Path) -> None:
        write_spans(path, self.size, seed=13)

    def _features(self, path: Path) -> None:
        write_features(path, self.size)

    def _trees(self, path: Path) -> None:
        write_trees(path, self.size)

    def _links(self, path: Path) -> None:
        write_links(path, self.size)

    def _order(self, path: Path) -> None:
        page = str(path.with_name("demo.txt"))
        _run("preorder", "demo", "--save", str(path), "-o", page, "-q")


#: What commands may name, and how the names of the files end.
INPUTS = {
    "set": ".jsonl",
    "shards": "",
    "parquet": ".parquet",
    "nbest": "",
    "features": ".nbest",
    "new": ".txt",
    "src": ".txt",
    "ref": ".txt",
    "documents": ".txt",
    "docs": ".txt",
    "store": "",
    "judged": "",
    "spans": ".jsonl",
    "marked": "",
    "predicted": ".jsonl",
    "trees": ".conllu",
    "links": ".txt",
    "order": "",
}


def _write_lines(path: Path, blocks: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for block in blocks:
            file.writelines(f"{line}\n" for line in block)


def _run(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "tertium", *words], check=True)


def remove(path: Path) -> None:
    """Remove a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

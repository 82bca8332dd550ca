# SPDX-License-Identifier: Apache-2.0
"""Run damaged command lines and look for tracebacks, aborts and hangs.

    python tools/fuzz_command_line.py --runs 4000 --seed 1

The lines start as the examples of every ``--help``; words are then dropped, doubled,
swapped or replaced by odd values, options of the verb are added, and files are replaced
by damaged ones. Every line runs in a process and a folder of its own. It must end by
itself with 0 (done), 1 (a check failed) or 2 (wrong usage or input).
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import random
import re
import resource
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tertium.cli import VERBS, main

#: These run until they are told to stop.
ENDLESS = {("campaign", "serve"), ("campaign", "demo"), ("grammar", "watch")}

ODD = (
    "", " ", "-", "--", "0", "-1", "1e309", "nan", "9" * 5000, "١٢", "a=b", "=", "a=",
    "\N{SNOWMAN}", "\x07", "../..", "/", "/dev/null", "/dev/full", "nothing.txt", ".",
    "demo", "empty.txt", "binary.gz", "truncated.gz", "damaged.json", "damaged.parquet",
    "latin1.txt", "nul.txt", "crlf.txt", "bom.tsv", "long.txt", "folder", "bleu",
    "bleu:tokenize=none,tokenize=13a", "bleu:x", "mean:", "mean:bleu*nan",
    "beer:model=.", "dted:parser=udpipe", "A=a.txt", "langpair=de-en", "all", "de-en",
    "x" * 5000,
)  # fmt: skip

TEXT = [
    "The cat sat on the mat.",
    "A dog barked at night, twice.",
    "We will meet at noon.",
]


@dataclass(frozen=True)
class Outcome:
    """How a command line ended."""

    line: str
    code: int
    seconds: float
    said: str

    @property
    def fault(self) -> str | None:
        """What is wrong with it, if anything is."""
        if self.code == -signal.SIGKILL:
            return "hangs"
        if self.code < 0:
            return f"dies of {signal.Signals(-self.code).name}"
        if "Traceback (most recent call last)" in self.said:
            return "traceback"
        return None if self.code in (0, 1, 2) else f"exit {self.code}"


def main_fuzz() -> int:
    """Run the tool and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200, help="(default: 200)")
    parser.add_argument("--seed", type=int, default=12345, help="(default: 12345)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=120, help="seconds for a line")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        os.environ["COLUMNS"] = "80"  # of help, whatever the terminal has
        examples = list(help_examples())
        write_material(place / "material", examples)
        lines = list(damaged_lines(examples, args.runs, args.seed))
        with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
            run = partial(run_line, place=place, limit=args.limit)
            outcomes = list(pool.map(run, lines))
    faults = [outcome for outcome in outcomes if outcome.fault]
    for outcome in faults:
        print(f"{outcome.fault}: {outcome.line}\n{outcome.said[-2000:]}\n")
    ended = ", ".join(f"{n:,} x {code}" for code, n in sorted(_codes(outcomes).items()))
    print(f"{len(outcomes):,} command lines (seed {args.seed}); exit codes: {ended}")
    slowest = max(outcomes, key=lambda outcome: outcome.seconds)
    print(f"slowest: {slowest.seconds:.1f} s, {slowest.line[:200]}")
    print(f"{len(outcomes) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


def _codes(outcomes: list[Outcome]) -> Counter[int]:
    return Counter(outcome.code for outcome in outcomes)


# ------------------------------------------------------------------------- lines


def help_examples() -> Iterator[tuple[list[str], list[str]]]:
    """Yield every example of every help text, with the options of its verb."""
    for verb in VERBS:
        text = _help(verb)
        yield from _examples(text, verb)
        listed = re.search(r"^actions:\n((?:  .*\n)+)", text, re.MULTILINE)
        for action in (
            re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else ()
        ):
            if (verb, action) not in ENDLESS:
                yield from _examples(_help(verb, action), verb, action)


def _help(*words: str) -> str:
    text = io.StringIO()
    with redirect_stdout(text), suppress(SystemExit):
        main([*words, "--help"])
    return text.getvalue()


def _examples(text: str, *words: str) -> Iterator[tuple[list[str], list[str]]]:
    options = sorted(set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)))
    for line in re.findall(r"^  tertium ([^|&>#]+?)(?:  .*)?$", text, re.MULTILINE):
        try:
            found = shlex.split(line.rstrip("\\"))
        except ValueError:
            continue
        if found[: len(words)] == [*words] and tuple(found[:2]) not in ENDLESS:
            yield found, options


def damaged_lines(
    examples: list[tuple[list[str], list[str]]], runs: int, seed: int
) -> Iterator[list[str]]:
    """Yield command lines, the same ones for the same seed."""
    chance = random.Random(seed)
    for _ in range(runs):
        words, options = chance.choice(examples)
        line = list(words)
        for _ in range(chance.choice((0, 1, 1, 2, 3, 4))):
            _damage(line, options, chance)
        if tuple(line[:2]) not in ENDLESS:
            yield [line[0] if line else "", *line[1:]]


def _damage(line: list[str], options: list[str], chance: random.Random) -> None:
    # The verb stays, mostly: without it nothing else is reached.
    place = chance.randrange(min(1, len(line) - 1), len(line)) if line else 0
    kind = chance.choice(("drop", "double", "swap", "odd", "odd", "option", "option"))
    if kind == "option" or not line:
        line.append(chance.choice(options or ["--help"]))
        if chance.random() < 0.7:
            line.append(chance.choice(ODD))
    elif kind == "drop":
        del line[place]
    elif kind == "double":
        line.insert(place, line[place])
    elif kind == "swap":
        other = chance.randrange(len(line))
        line[place], line[other] = line[other], line[place]
    else:
        line[place] = chance.choice(ODD)


# ---------------------------------------------------------------------- material


def write_material(folder: Path, examples: list[tuple[list[str], list[str]]]) -> None:
    """Write the files that examples name, of the kind their names say, and odd ones."""
    (folder / "folder").mkdir(parents=True)
    names = {part for words, _ in examples for part in words if "." in part}
    for name in sorted(name.rpartition("=")[2] for name in names):
        if re.fullmatch(r"[\w.-]+\.\w+", name) and not name.startswith("-"):
            _write(folder / name)
    plain = "".join(f"{line}\n" for line in TEXT).encode()
    odd = {
        "empty.txt": b"",
        "binary.gz": bytes(range(256)) * 4,
        "truncated.gz": gzip.compress(plain * 50)[:-9],
        "damaged.json": b'{"a": [1, 2',
        "damaged.parquet": b"PAR1" + bytes(64) + b"PAR1",
        "latin1.txt": "caf\xe9\n".encode("latin-1") * 3,
        "nul.txt": b"a\0b\n" * 3,
        "crlf.txt": plain.replace(b"\n", b"\r\n"),
        "bom.tsv": b"\xef\xbb\xbfid\tref\tA\n1\ta b\ta b\n",
        "long.txt": b"word " * 4000 + b"\n" + plain,
    }
    for name, content in odd.items():
        (folder / name).write_bytes(content)


def _write(path: Path) -> None:
    stem = path.name.removesuffix(".gz")
    texts = {
        ".tsv": "id\tsrc\tref\tA\tB\n"
        + "".join(f"{i}\t{t}\t{t}\t{t}\t{t[::-1]}\n" for i, t in enumerate(TEXT)),
        ".jsonl": "".join(
            f'{{"id": "{i}", "refs": ["{t}"], "systems": {{"A": "{t}", "B": "b"}}}}\n'
            for i, t in enumerate(TEXT)
        ),
        ".links": "0-0 1-1\n0-1\n\n",
        ".perm": "1 2 3\n2 1\n1\n",
        ".conllu": "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n" * 3,
        ".refs": "{the|a} cat sat [there]\n" * 3,
        ".json": "{}",
        ".toml": 'name = "x"\n',
    }
    text = texts.get(Path(stem).suffix, "".join(f"{line}\n" for line in TEXT))
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


# ----------------------------------------------------------------------- running


def run_line(words: list[str], *, place: Path, limit: float) -> Outcome:
    """Run a line in a process and a folder of its own, and return how it ended."""
    work = Path(tempfile.mkdtemp(dir=place))
    shutil.copytree(place / "material", work / "files")
    output, start = work / "output", time.monotonic()
    child = os.fork()
    if child == 0:
        _become(words, work / "files", output)
    code = None
    while code is None and time.monotonic() - start < limit:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
        else:
            time.sleep(0.01)
    with suppress(ProcessLookupError):  # What it started ends with it.
        os.killpg(child, signal.SIGKILL)
    if code is None:
        os.waitpid(child, 0)
        code = -signal.SIGKILL
    said = output.read_text(errors="replace") if output.exists() else ""
    shutil.rmtree(work)
    return Outcome(shlex.join(words), code, time.monotonic() - start, said)


def _become(words: list[str], folder: Path, output: Path) -> None:
    """Run the command line in this process, which ends with it."""
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        os.environ.update(BROWSER="true", XDG_CACHE_HOME=str(folder), HOME=str(folder))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (160 << 30, 160 << 30))
        stream = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for number, source in ((0, os.open(os.devnull, os.O_RDONLY)), (1, stream)):
            os.dup2(source, number)
        os.dup2(stream, 2)
        code = main(words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    sys.exit(main_fuzz())

# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a batch of the core at once, and leaves everything in order."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform == "win32", reason="Windows sends no SIGINT to a single process"
    ),
]

# A job started in the background may have inherited that SIGINT is ignored.
START = """
import random, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
draw = random.Random(1)
hyps, refs = ([" ".join(map(str, draw.choices(range(300), k=400))) for _ in range(64)]
              for _ in "12")
"""

BATCH = """
import tertium
metric = tertium.metric(sys.argv[1])
expected = metric.corpus_score(hyps[:1], refs[:1])
print("ready", flush=True)
try:
    metric.{score}(hyps * 200, refs * 200, threads=int(sys.argv[2]))
except KeyboardInterrupt:
    assert metric.corpus_score(hyps[:1], refs[:1]) == expected
    print("interrupted", flush=True)
"""

# One thread has done its block long before the other, and waits for it.
UNEVEN = """
import tertium
metric = tertium.metric("ter")
hyps, refs = ([f"{text} {text}" for text in texts] for texts in (hyps, refs))
print("ready", flush=True)
metric.corpus_score(["a"] * 64 + hyps, ["a"] * 64 + refs, threads=2)
"""

TREES = """
from tertium import _core
one, other = (_core.LabelledForest([0, *range(1, 400)], draw.choices(range(9), k=400))
              for _ in "12")
print("ready", flush=True)
_core.tree_distances([one] * 10**5, [other] * 10**5, 0)
"""

# One segment that takes half a minute or more: the thread must look up within it. Of
# two threads, one has done its short segments, and the other must be told to stop.
LONG = """
import tertium
metric = tertium.metric(sys.argv[1])
words, types, threads = map(int, sys.argv[2:])
hyp, ref = (" ".join(map(str, draw.choices(range(types), k=words))) for _ in "12")
hyps, refs = ["a"] * 64 + [hyp], ["a"] * 64 + [ref]
print("ready", flush=True)
metric.corpus_score(hyps, refs, threads=threads)
"""

# One batch of lines, as long as 30 seconds of compression.
COMPRESS = """
from tertium.data.lines import write_lines
rows = [draw.randbytes(3000).hex() for _ in range(9999)]
print("ready", flush=True)
write_lines(sys.argv[1], rows)
"""

COMMAND = """
from tertium.cli import main
for name, texts in (("hyp", hyps), ("ref", refs)):
    with open(f"{sys.argv[1]}/{name}", "w") as file:
        file.writelines(text + "\\n" for text in texts * 100)
print("ready", flush=True)
folder = sys.argv[1]
sys.exit(main(["score", "-r", f"{folder}/ref", "-i", f"{folder}/hyp", "-m", "ter"]))
"""


def interrupted(code, *args):
    """Return exit code and output of a script that is interrupted at work."""
    with subprocess.Popen(
        [sys.executable, "-c", START + code, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            assert process.poll() is None, "the batch is too short for this test"
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
            out, err = process.communicate(timeout=120)
            # Within a second, where the machine has nothing else to do.
            assert time.monotonic() - sent < 20
        finally:
            process.kill()
    return process.returncode, out, err


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(
    ("spec", "score"),
    [
        ("dted:flat=yes", "corpus_score"),
        ("ter", "segment_scores"),
        ("meteor", "corpus_score"),
    ],
)
def test_batches_can_be_interrupted(spec, score, threads):
    code, out, err = interrupted(BATCH.format(score=score), spec, threads)
    assert (code, out, err) == (0, "interrupted\n", "")


@pytest.mark.parametrize("code", [UNEVEN, TREES])
def test_what_nobody_catches_ends_the_process(code):
    code, _, err = interrupted(code)
    assert code == -signal.SIGINT
    assert err.endswith("KeyboardInterrupt\n")


@pytest.mark.parametrize(
    ("spec", "words", "types", "threads"),
    [
        ("ter", "900000", "30", "1"),
        ("ter", "900000", "30", "2"),
        ("wer", "900000", "30", "1"),
        ("cder", "190000", "30", "1"),
        ("characTER", "4000", "300", "1"),
        ("ribes", "90000", "5", "1"),
        ("rouge-s", "190000", "60000", "1"),
        ("chrf", "700000", "100000", "1"),
        ("meteor", "90000", "9000", "1"),
        ("dted:flat=yes", "90000", "30", "2"),
    ],
)
def test_a_single_long_segment_can_be_interrupted(spec, words, types, threads):
    code, _, err = interrupted(LONG, spec, words, types, threads)
    assert code == -signal.SIGINT
    assert err.endswith("KeyboardInterrupt\n")


@pytest.mark.parametrize("name", ["a.gz", "a.xz", "a.bz2"])
def test_compression_can_be_interrupted_and_leaves_the_old_file(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"old")
    code, _, err = interrupted(COMPRESS, str(path))
    assert code == -signal.SIGINT
    assert err.endswith("KeyboardInterrupt\n")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_commands_say_that_they_were_interrupted(tmp_path):
    code, _, err = interrupted(COMMAND, str(tmp_path))
    assert code == 130
    assert "Traceback" not in err

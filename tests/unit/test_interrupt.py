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

# One item of other kernels, again for half a minute or more.
ITEM = """
import numpy as np
from tertium import _core
rng = np.random.default_rng(1)

def swapped(words):
    return [value for i in range(1, words, 2) for value in (i + 1, i)]

def order(values, **settings):
    kernel, perms = _core.order("recpef", **settings), _core.Permutations([values])
    return lambda: kernel.permutation_rows(perms, 1)

def permuted(kind, segments, systems, pairs):
    human = rng.normal(size=(segments, systems))
    metrics = rng.normal(size=(2, segments, systems))
    return lambda: _core.permute_metrics(
        kind, "none", human, metrics, [(0, 1)] * pairs, "both", 1, 1, 1
    )

def trueskill():
    # One judgement of a thousand comparisons, drawn a million times.
    first, second = np.zeros(1000, np.int32), np.ones(1000, np.int32)
    outcome, starts = np.ones(1000, np.int32), np.array([0, 1000], np.int32)
    draws = np.zeros((1, 10**6), np.int32)
    return lambda: _core.trueskill(
        first, second, outcome, starts, draws, 2, 0.5, 0.5, 0.1, 0.2, 1, 0, 1
    )

def derp(words, settings):
    import tertium
    from tertium.data.annotated import Annotated
    from tertium.data.batch import Batch
    from tertium.trees import DependencyTree
    metric = tertium.metric("derp" + settings)
    forms = [f"w{i}" for i in range(words)]
    shuffled = draw.sample(forms, words)
    trees = [DependencyTree.flat(own) for own in (forms, shuffled)]
    ref, hyp = (Annotated(" ".join(own.forms), {"tree": own}) for own in trees)
    if "flat" in settings:
        ref, hyp = " ".join(forms), " ".join(shuffled)
    pairs = metric.pairs(Batch([[hyp]], [ref]), threads=1)
    return lambda: metric._kernel.rows(pairs, 1)

def joined():
    ends, costs = rng.integers(0, 300, (40000, 4)), rng.integers(1, 9, 40000)
    pairs = [(a, a + 1, b, b + 1, c, c) for (a, b, *_), c in
             zip(ends.tolist(), costs.tolist())]
    return lambda: _core.derp_join(pairs, 301, 301, True)

def cut():
    # One document in which nothing matches: the band is the whole square.
    from tertium.data.segmentation import resegment
    words = [str(number) for number in range(200_000)]
    places = range(0, len(words), 20)
    refs = [" ".join(f"r{w}" for w in words[k : k + 20]) for k in places]
    return lambda: resegment(refs, [" ".join(words)], threads=1)

items = {
    "resegment": cut,
    "blocks": lambda: order(swapped(400_000)),
    "blocks by span": lambda: order(swapped(800_000), child_weight="span"),
    # Four nodes, each with as many blocks as are taken.
    "forest": lambda: order(
        [value + 4096 * k for k in (3, 2, 1, 0) for value in swapped(4096)],
        forest="tree",
    ),
    "permute": lambda: permuted("spearman", 2000, 20, 9000),
    "permute accuracy": lambda: permuted("acc23", 2000, 90, 1),
    "trueskill": trueskill,
    "derp": lambda: derp(100_000, ":flat=yes"),
    "derp of deep trees": lambda: derp(5100, ""),
    "derp exact": joined,
}
item = items[sys.argv[1]]()
print("ready", flush=True)
item()
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
        ("ter", "900000", "300000", "1"),
        ("ter", "900000", "300000", "2"),
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


@pytest.mark.parametrize(
    "item",
    [
        *("blocks", "blocks by span", "forest", "permute", "permute accuracy"),
        *("trueskill", "derp", "derp of deep trees", "derp exact", "resegment"),
    ],
)
def test_a_single_long_item_of_other_kernels_can_be_interrupted(item):
    code, _, err = interrupted(ITEM, item)
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

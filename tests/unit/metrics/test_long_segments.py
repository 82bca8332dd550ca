# SPDX-License-Identifier: Apache-2.0
"""Long segments: memory that grows with the words, limits that name the line."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest

import tertium
from oracles.edits import levenshtein
from tertium import _core
from tertium.cli import main
from tertium.errors import InputError
from tertium.metrics import metric_names

MEMORY = """
import json, random, resource, sys
import tertium

words = int(sys.argv[2])
draw = random.Random(1)
ref = [str(draw.randrange(words)) for _ in range(words)]
hyp = [str(draw.randrange(words)) if draw.random() < 0.2 else word for word in ref]
metric = tertium.metric(sys.argv[1])
metric.corpus_score(["a b"], ["b a"])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
score = metric.corpus_score([" ".join(hyp)], [" ".join(ref)], threads=1)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps([score, grown / 1024]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts memory in kilobytes")
@pytest.mark.parametrize(
    ("spec", "words"), [("ter", "8000"), ("wer", "60000"), ("rouge-s", "8000")]
)
def test_memory_grows_with_the_words_and_not_with_their_square(spec, words):
    """A matrix of 8,000 by 8,000 words has 64 million cells, 244 MB of integers, and
    60,000 words against their distinct ones have as many bytes of bits."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, spec, words],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    score, megabytes = json.loads(done.stdout)
    assert score > 0
    assert megabytes < 60


@pytest.mark.parametrize("types", [3, 100_000])
def test_the_distance_of_long_patterns_is_that_of_the_matrix(types):
    """With many symbols, blocks of the pattern read the text one after the other."""
    draw = random.Random(types)
    for size in (1, 63, 64, 65, 150, 300):
        # Numbers that differ by much: masks for all of them would not be kept.
        a = [draw.choice((0, 1, types - 1)) for _ in range(size)]
        b = [draw.choice((0, 1, types - 1)) for _ in range(draw.randrange(300))]
        assert _core.levenshtein(a, b, types) == levenshtein(a, b)
        assert _core.levenshtein(a, b, 10_000_000) == levenshtein(a, b)


@pytest.mark.parametrize("side", ["hyp", "ref"])
def test_segments_beyond_the_limit_name_line_system_and_length(
    side, write_lines, capsys, monkeypatch
):
    monkeypatch.setattr("tertium.metrics.ter.Ter.longest", 10)
    texts = ["a b c"] * 3 + ["x " * 11]
    short = ["a b c"] * 4
    ref = write_lines("ref.txt", texts if side == "ref" else short)
    one = write_lines("A.txt", short)
    two = write_lines("B.txt", texts if side == "hyp" else short)
    files = ["-r", str(ref), "-i", f"A={one}", f"B={two}"]
    assert main(["score", *files, "-m", "ter"]) == 2
    where = "reference" if side == "ref" else "system B"
    message = capsys.readouterr().err
    assert message.startswith(
        f"tertium: segment 4 ({where}, line 4) has 11 words, and ter"
    )
    assert "takes 10 at most" in message
    assert main(["score", *files, "-m", "bleu"]) == 0


def test_segments_are_counted_from_the_start_of_the_file(monkeypatch):
    from tertium.data import Testset
    from tertium.engine.score import score_stream

    monkeypatch.setattr("tertium.metrics.ter.Ter.longest", 10)
    chunks = [
        Testset.build(["a"] * 5, {"A": ["a"] * 5}),
        Testset.build(["a"] * 2, {"A": ["a", "b " * 20]}),
    ]
    with pytest.raises(
        InputError, match=r"segment 7 \(system A, line 7\) has 20 words"
    ):
        score_stream(lambda: chunks, metrics="ter")


def test_texts_at_the_limit_are_scored(monkeypatch):
    monkeypatch.setattr("tertium.metrics.ter.Ter.longest", 10)
    text = "long_word_with_many_characters " * 10
    assert tertium.metric("ter").corpus_score([text], [text]) == 0
    with pytest.raises(InputError, match="system 1, line 1"):
        tertium.metric("ter").corpus_score([f"{text} x"], [text])
    with pytest.raises(InputError, match="reference, line 1"):
        tertium.metric("ter").corpus_score([text], [(text, f"{text} x")])


def test_metrics_that_compare_all_words_with_all_state_a_limit():
    for name in ("ter", "wer", "cder", "characTER", "ribes", "rouge-s", "meteor"):
        assert name in metric_names()
        assert type(tertium.metric(name)).longest is not None


def test_a_line_of_two_million_words_is_one_message(tmp_path):
    """It ended in std::bad_alloc."""
    path = tmp_path / "long.txt"
    path.write_text("a b " * 1_000_000 + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "tertium", "score", "-r", path, "-i", path, "-m", "ter"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("tertium: segment 1 (")
    assert "has 2,000,000 words" in done.stderr
    assert done.stderr.count("\n") == 1

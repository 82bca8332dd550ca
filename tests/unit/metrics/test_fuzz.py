# SPDX-License-Identifier: Apache-2.0
"""Bounded fuzz tests of the kernels, and the memory and threads they use."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

import tertium
from support.specs import metric_specs
from support.strategies import segments
from tertium.metrics.laws.calls import segment_scores, statistics
from tertium.text import NATIVE_TOKENIZERS, tokenize

SPECS = metric_specs()
SPECS += [
    "bleu:max_ngram_order=12",
    "chrf:char_order=9,word_order=5,whitespace=yes",
    "nist:max_ngram_order=8",
    "ter:normalized=yes,no_punct=yes,asian_support=yes",
]


@given(data=segments(st.text(max_size=80), max_refs=4))
def test_any_text_gives_finite_numbers(data):
    hyps, refs = [h for h, _ in data], [r for _, r in data]
    # Texts take longer to make up than to score: each is for all metrics.
    for spec in SPECS:
        note(spec)
        metric = tertium.metric(spec)
        rows = statistics(metric, hyps, refs)
        assert np.isfinite(rows).all()
        assert np.isfinite(metric.from_statistics(rows)).all()


@pytest.mark.parametrize("spec", SPECS)
def test_odd_shapes_of_text(spec):
    """One character, one word, the same word, no space, NUL, very long."""
    generator = random.Random(3)
    letters = "".join(generator.choices("abcdefgh ", k=3000))
    many = "".join(map(chr, generator.sample(range(0x4E00, 0x9FFF), 2000)))
    shapes = ["", " ", "a", "a " * 400, "ab" * 700, "\x00", "\x00 a", letters, many]
    if spec == "characTER":  # cubic in the number of like words: keep it short
        shapes = [shape[:120] for shape in shapes]
    metric = tertium.metric(spec)
    hyps = [h for h in shapes for _ in shapes]
    refs = [r for _ in shapes for r in shapes]
    assert np.isfinite(segment_scores(metric, hyps, refs)).all()


@given(st.text(max_size=60))
def test_tokens_are_the_text_without_white_space(line):
    for name in NATIVE_TOKENIZERS:
        joined = "".join(tokenize([line], name)[0])
        if name == "13a" and ("&" in line or "<" in line or "-\n" in line):
            continue  # entities are decoded, <skipped> and hyphens removed
        if name == "words":
            continue  # punctuation is left out
        assert joined == "".join(line.split())


@pytest.mark.parametrize("order", [65, 1000])
def test_orders_beyond_64_are_refused(order):
    for spec in (f"bleu:max_ngram_order={order}", f"chrf:char_order={order}"):
        with pytest.raises(tertium.InputError, match="at most 64"):
            tertium.metric(spec)


def test_one_metric_serves_many_threads(demo):
    """Kernels keep no state between calls, so a metric can be shared."""
    metrics = [tertium.metric(spec) for spec in ("bleu", "chrf++", "ter", "wer")]
    hyps, refs = demo.systems["order"], demo.references
    expected = [metric.corpus_score(hyps, refs) for metric in metrics]
    with ThreadPoolExecutor(8) as pool:
        futures = [
            pool.submit(metric.corpus_score, hyps, refs, threads=2)
            for _ in range(50)
            for metric in metrics
        ]
    assert [future.result() for future in futures] == expected * 50


def test_lists_may_change_while_they_are_scored():
    """Kernels run without the GIL; they must hold on to the texts themselves."""
    refs = [f"{i} a sentence with ä number of words" for i in range(3000)]
    hyps = list(refs)
    metric = tertium.metric("chrf")
    stop = threading.Event()

    def change() -> None:
        generator = random.Random(1)
        while not stop.is_set():
            i = generator.randrange(len(hyps))
            hyps[i], refs[i] = f"new {i}", f"other {i}"

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(20):
            assert np.isfinite(metric.corpus_score(hyps, refs, threads=2))
    finally:
        stop.set()
        thread.join()


def test_too_many_threads_are_no_error(demo):
    wer = tertium.metric("wer")
    hyps, refs = demo.systems["good"], demo.references
    expected = wer.corpus_score(hyps, refs)
    assert wer.corpus_score(hyps * 50, refs * 50, threads=100_000) == expected


# VmHWM, not getrusage: that one remembers the parent from before exec.
_PEAK = """
import sys
from tertium.cli import main
main(sys.argv[1:])
status = open("/proc/self/status").read()
sys.stderr.write(status.split("VmHWM:")[1].split()[0])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_of_a_streamed_score_does_not_grow(tmp_path, demo):
    """Five times the text, at most a fifth more memory."""
    refs = [refs[0] for refs in demo.references]
    peaks = []
    for times in (500, 2500):
        for name, texts in (("ref", refs), ("out", demo.systems["good"])):
            block = "".join(f"{text}\n" for text in texts)
            (tmp_path / name).write_text(block * times, encoding="utf-8")
        command = [
            sys.executable,
            "-c",
            _PEAK,
            *["score", "-m", "bleu", "chrf", "-f", "json"],
        ]
        command += ["-r", str(tmp_path / "ref"), "-i", str(tmp_path / "out")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(done.stderr))
    assert peaks[1] < 1.2 * peaks[0], peaks

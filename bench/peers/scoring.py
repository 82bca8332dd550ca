# SPDX-License-Identifier: Apache-2.0
"""Scoring against sacreBLEU, RapidFuzz and NLTK."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

import tertium
from bench.measure import Report, best, fresh
from tertium import _core
from tertium.data.batch import Batch

logging.getLogger("sacrebleu").setLevel(logging.ERROR)


class Texts:
    """A system and its references, made anew before every run."""

    def __init__(self, testset: tertium.Testset) -> None:
        self._refs = [refs[0] for refs in testset.references]
        self._systems = list(testset.systems.values())
        size = sum(len(t.encode()) for t in (*self._refs, *self._systems[0]))
        self.megabytes, self.segments = size / 1e6, len(self._refs)
        self.renew()

    def renew(self) -> None:
        """Replace all texts by equal new objects."""
        self.refs = fresh(self._refs)
        self.hyps = fresh(self._systems[0])
        self.other = fresh(self._systems[1])


def add(
    report: Report,
    texts: Texts,
    job: str,
    run: Callable[[], object],
    peer: tuple[str, Callable[[], object], int],
    wanted: float,
) -> None:
    name, other, runs = peer
    seconds = best(run, texts.renew, runs)
    rate = (
        f"{texts.segments / seconds:,.0f} seg/s, {texts.megabytes / seconds:.1f} MB/s"
    )
    report.add(
        job,
        seconds,
        peer=name,
        other=best(other, texts.renew, runs),
        wanted=wanted,
        rate=rate,
    )


def scoring(report: Report, testset: tertium.Testset) -> None:
    """One metric, one system, one thread."""
    t = Texts(testset)

    def corpus(spec: str) -> Callable[[], object]:
        return lambda: tertium.metric(spec).corpus_score(t.hyps, t.refs, threads=1)

    def segments(spec: str) -> Callable[[], object]:
        return lambda: tertium.metric(spec).segment_scores(t.hyps, t.refs, threads=1)

    def sentences(make: Callable[[], BLEU | CHRF]) -> Callable[[], object]:
        # A new object every time: sacreBLEU's remembers what it has tokenised.
        def run() -> object:
            metric = make()
            pairs = zip(t.hyps, t.refs, strict=True)
            return [metric.sentence_score(h, [r]) for h, r in pairs]

        return run

    def words() -> tuple[list[list[list[str]]], list[list[str]]]:
        return [[r.split()] for r in t.refs], [h.split() for h in t.hyps]

    bleu, chrf, ter = "sacreBLEU BLEU", "sacreBLEU chrF", "sacreBLEU TER"
    jobs = [
        ("BLEU 13a, corpus", corpus("bleu"),
         (bleu, lambda: BLEU().corpus_score(t.hyps, [t.refs]), 7), 30),
        ("BLEU 13a, segments", segments("sentbleu"),
         (bleu, sentences(lambda: BLEU(effective_order=True)), 7), 30),
        ("chrF, corpus", corpus("chrf"),
         (chrf, lambda: CHRF().corpus_score(t.hyps, [t.refs]), 5), 60),
        ("chrF, segments", segments("chrf"), (chrf, sentences(CHRF), 5), 60),
        ("chrF++, corpus", corpus("chrf++"),
         (chrf, lambda: CHRF(word_order=2).corpus_score(t.hyps, [t.refs]), 5), 60),
        ("TER, corpus", corpus("ter"),
         (ter, lambda: TER().corpus_score(t.hyps, [t.refs]), 2), 200),
        ("WER, corpus", corpus("wer"),
         ("RapidFuzz", lambda: sum(
             Levenshtein.distance(h.split(), r.split())
             for h, r in zip(t.hyps, t.refs, strict=True)), 15), 2),
        ("RIBES", corpus("ribes"), ("NLTK", lambda: corpus_ribes(*words()), 5), 50),
        ("NIST", corpus("nist"), ("NLTK", lambda: corpus_nist(*words()), 5), 50),
    ]  # fmt: skip
    for job, ours, peer, wanted in jobs:
        add(report, t, job, ours, peer, wanted)


def profile(report: Report, testset: tertium.Testset) -> None:
    """Show where the time of the paired bootstrap goes, and how close to a limit."""
    t, bleu, trials = Texts(testset), tertium.metric("bleu"), 1000
    reading = best(
        lambda: bleu.rows(Batch([t.hyps, t.other], t.refs), threads=1), t.renew, 7
    )
    rows = bleu.rows(Batch([t.hyps, t.other], t.refs), threads=1)
    table = np.concatenate(rows, axis=1)
    narrow = np.ascontiguousarray(table[:, :4])

    def draw(columns: np.ndarray) -> float:
        return best(
            lambda: _core.bootstrap_sums(columns, trials, 1, 1), lambda: None, 7
        )

    wide, four = draw(table), draw(narrow)
    a_column = (wide - four) / (table.shape[1] - 4)
    draws = trials * t.segments
    drawing = four - 4 * a_column
    each = 1e9 * reading / 2 / t.segments
    report.note(
        "Profile of the paired bootstrap: statistics of two systems "
        f"{1e3 * reading:.1f} ms ({each:,.0f} ns per segment and system), "
        f"{draws:,} draws {1e3 * drawing:.1f} ms ({1e9 * drawing / draws:.1f} ns each: "
        "half a SplitMix64 step, a multiplication, an increment), "
        f"{table.shape[1]} columns of sums {1e3 * a_column * table.shape[1]:.1f} ms "
        f"({draws / a_column / 1e9:.0f} multiply-adds a nanosecond; an instruction "
        "does eight, so about the limit of the processor without wider vectors). The "
        "statistics alone take most of the time that 100x would allow."
    )


def testing(report: Report, testset: tertium.Testset) -> None:
    """Paired tests of one pair of systems, statistics included."""
    t = Texts(testset)

    def own(test: str, resamples: int) -> Callable[[], object]:
        return lambda: tertium.compare(
            {"A": t.hyps, "B": t.other},
            t.refs,
            metrics=["bleu"],
            test=test,
            resamples=resamples,
            threads=1,
        )

    def peer(kind: str, resamples: int) -> Callable[[], object]:
        return lambda: PairedTest(
            [("A", t.hyps), ("B", t.other)],
            {"BLEU": BLEU(references=[t.refs])},
            references=None,
            test_type=kind,
            n_samples=resamples,
        )()

    for job, arguments, kind, wanted in (
        ("paired bootstrap 1,000", ("bootstrap", 1000), "bs", 100),
        ("randomisation 10,000", ("randomisation", 10_000), "ar", 50),
    ):
        other = ("sacreBLEU", peer(kind, arguments[1]), 5)
        add(report, t, job, own(*arguments), other, wanted)

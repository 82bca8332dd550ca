# SPDX-License-Identifier: Apache-2.0
"""Monolingual alignment against NLTK."""

from __future__ import annotations

from nltk.translate.meteor_score import align_words

import tertium
from bench.measure import Report, best, fresh
from tertium.align import Aligner, ExactMatcher, StemMatcher


class NoSynonyms:
    """Takes the place of WordNet, so that NLTK, too, matches words and stems only."""

    def synsets(self, word: str) -> list[object]:  # noqa: ARG002
        """Return no meaning of a word."""
        return []


def alignment(report: Report, testset: tertium.Testset) -> None:
    """Exact and stem, one thread: one system, and all systems of the set at once."""
    columns = list(testset.systems.values())
    originals = [refs[0] for refs in testset.references]
    systems: list[list[str]] = []
    refs: list[list[str]] = []
    words: list[tuple[list[str], list[str]]] = []

    def renew() -> None:
        systems[:] = [fresh(hyps) for hyps in columns]
        refs[:] = [[ref] for ref in fresh(originals)]

    def cut() -> None:
        words[:] = [
            (hyp.split(), ref.split())
            for hyp, ref in zip(columns[0], originals, strict=True)
        ]

    def own(count: int) -> None:
        # New matchers: stems of an earlier run are not known.
        aligner = Aligner(matchers=[ExactMatcher(), StemMatcher("en")])
        aligner.pairs(systems[:count], refs, threads=1)

    def peer() -> None:
        wordnet = NoSynonyms()
        for hyp, ref in words:
            align_words(hyp, ref, wordnet=wordnet)

    other = best(peer, cut, 5)
    each = 1e6 * other / len(originals)
    report.note(
        "Alignment: NLTK's `align_words` is given lists of words, its own default "
        f"stemmer (Porter) and a WordNet without synonyms, {each:.0f} µs per pair; "
        "Tertium is given strings, lower-cases, cuts and stems (Snowball) them, every "
        "type once a call, and knows no stem of an earlier call. NLTK's time for all "
        "systems is that for one, times their number. NLTK takes the last free equal "
        "word; Tertium searches for the fewest chunks."
    )
    for job, count in (("one system", 1), (f"{len(columns)} systems", len(columns))):
        seconds = best(lambda count=count: own(count), renew, 9)
        pairs = count * len(refs)
        report.add(
            f"alignment, exact+stem, {job}",
            seconds,
            peer="NLTK align_words",
            other=other * count,
            wanted=100,
            rate=f"{pairs / seconds:,.0f} pairs/s, {1e6 * seconds / pairs:.1f} µs each",
        )


#: Metrics over the same aligned words.
SHARING = ("pef", "dted:flat=yes", "derp:flat=yes", "link-tau", "aligned-percentage")


def shared_layers(report: Report, testset: tertium.Testset) -> None:
    """Metrics that share one alignment, against every metric on its own."""
    columns = testset.systems
    originals = [refs[0] for refs in testset.references]
    texts: list[tertium.Testset] = []

    def renew() -> None:
        texts[:] = [
            tertium.Testset(
                systems={name: fresh(hyps) for name, hyps in columns.items()},
                references=[(ref,) for ref in fresh(originals)],
            )
        ]

    def together() -> None:
        tertium.score(texts[0], metrics=SHARING, threads=1)

    def apart() -> None:
        for spec in SHARING:
            tertium.score(texts[0], metrics=[spec], threads=1)

    report.add(
        f"{len(SHARING)} metrics over aligned words, {len(columns)} systems",
        best(together, renew, 5),
        peer="the same metrics one by one",
        other=best(apart, renew, 5),
    )
    report.note(
        f"Shared layers: {', '.join(SHARING)} in one call align every output once; one "
        "by one, each metric aligns it again."
    )

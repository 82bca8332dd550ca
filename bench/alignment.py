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
    refs: list[str] = []

    def renew() -> None:
        systems[:] = [fresh(hyps) for hyps in columns]
        refs[:] = fresh(originals)

    def own(count: int) -> None:
        # New matchers: stems of an earlier run are not known.
        aligner = Aligner(matchers=[ExactMatcher(), StemMatcher("en")])
        aligner.pairs(systems[:count], [[ref] for ref in refs], threads=1)

    def peer() -> None:
        for hyp, ref in zip(systems[0], refs, strict=True):
            align_words(hyp.split(), ref.split(), wordnet=NoSynonyms())

    other = best(peer, renew, 3)
    report.note(
        "Alignment: NLTK has a stand-in for WordNet without synonyms, and lists of "
        "words; Tertium starts from strings and stems every type once. NLTK's time "
        "for all systems is that for one, times their number."
    )
    for job, count in (("one system", 1), (f"{len(columns)} systems", len(columns))):
        seconds = best(lambda count=count: own(count), renew, 7)
        pairs = count * len(refs)
        report.add(
            f"alignment, exact+stem, {job}",
            seconds,
            peer="NLTK align_words",
            other=other * count,
            wanted=100,
            rate=f"{pairs / seconds:,.0f} pairs/s, {1e6 * seconds / pairs:.1f} µs each",
        )

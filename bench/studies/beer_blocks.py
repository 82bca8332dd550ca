# SPDX-License-Identifier: Apache-2.0
"""What groups of features gain in BEER 4: ``python -m bench beer_blocks [--write]``.

Every row is a model trained without a group of features, or without all words of other
languages, of which systems of today have hardly any. Into English on WMT14 and WMT17,
into German on WMT23.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.studies import beer_data
from bench.studies.beer_cache import remembering
from bench.studies.beer_four import Mqm, votes
from bench.studies.beer_rated import PAIRS_17, assessed
from bench.studies.beer_report import decimals, table, write_section
from tertium.learn.data import Source
from tertium.learn.matrices import TextRows
from tertium.learn.model import Ranges
from tertium.learn.objectives import fit_linear
from tertium.learn.pairs import judged_pairs, pairs_from
from tertium.learn.profile import Profile, profile
from tertium.stats import pearson

Rows = NDArray[np.float64]
Raw = Callable[[Sequence[str], Sequence[str]], Rows]

HEAD = """\
Models are trained as those of the package, on WMT12, WMT15 and WMT16, with raw values
instead of scores: tau of segments on WMT14 into English (ties count against a metric),
Pearson's r of segments with direct assessment on WMT17 into English and with MQM on
WMT23 English-German. *Without unknown* leaves out words that are not in the word list.
"""


PAIRS = """\
Tau of segments on WMT14, as above. Into English from French, the word list gains next
to nothing, and n-grams of earlier versions gain most: there `beer:language=en` does not
lead `beer-matched`, which has synonyms and paraphrases.
"""


class Trained:
    """Features of training texts, computed once for models of some columns."""

    def __init__(self, features: Profile, sources: Sequence[Source]) -> None:
        self.profile = remembering(features, sources)
        texts = TextRows()
        self._examples = texts.examples([pairs_from(source) for source in sources])
        rows = texts.features(self.profile)
        self._ranges = Ranges.of(rows)
        self._rows = self._ranges.scale(rows)

    def without(self, *groups: str) -> Raw:
        """Return raw values by a model without some groups of features."""
        names = self.profile.groups
        kept = [i for i, group in enumerate(names) if group not in groups]
        rows = np.ascontiguousarray(self._rows[:, kept])
        signs = [self.profile.signs[i] for i in kept]
        examples = self._examples.with_features(rows)
        ranker = fit_linear(examples, loss="logistic", nonnegative=signs).ranker

        def raw(hyps: Sequence[str], refs: Sequence[str]) -> Rows:
            features = self.profile.features(hyps, refs)
            return ranker.raw(
                np.ascontiguousarray(self._ranges.scale(features)[:, kept])
            )

        return raw


def english(raw: Raw) -> list[str]:
    """Return tau on WMT14 and Pearson's r on WMT17."""
    taus = []
    for source in beer_data.sources(("2014",)):
        pairs = judged_pairs(source)
        scores = raw(pairs.hyps, [refs[0] for refs in pairs.refs])
        taus.append(votes(pairs, scores).mean())
    rs = []
    for pair in PAIRS_17:
        data = assessed(pair)
        rs.append(pearson(data.human, raw(data.hyps, data.refs)) or 0.0)
    return [decimals(float(np.mean(values)), 4) for values in (taus, rs)]


def into_english() -> str:
    """Return the table of all profiles into English."""
    sources = beer_data.sources(target="en")
    listed = profile("beer-4").with_word_list("en")
    made = {"beer": profile("beer-4"), "beer:language=en": listed}
    tables = beer_data.resources("en")
    if tables is not None:
        made["beer-4-matched"] = profile("beer-4-matched").equipped(tables)
    for name in beer_data.vector_profiles():
        made[name] = profile(name).with_word_list("en")
    rows = []
    for name, features in made.items():
        trained = Trained(features, sources)
        groups = list(dict.fromkeys(features.groups))
        rows.append([name, str(len(features.names)), *english(trained.without())])
        for group in groups if name == "beer:language=en" else ["unknown"]:
            if group in groups:
                size = len(features.names) - features.groups.count(group)
                figures = english(trained.without(group))
                rows.append([f"{name}, without {group}", str(size), *figures])
    return table(["model", "features", "WMT14, tau", "WMT17, r"], rows)


def by_pair() -> str:
    """Return tau on WMT14 by language pair, with word n-grams of beer-3.0 too."""
    plain = profile("beer-4")
    listed = plain.with_word_list("en")
    ngrams = profile("beer-3.0").blocks[0]
    blocks = (*listed.blocks, ngrams)
    both = Profile("beer-4-ngrams", "", lowercase=False, blocks=blocks)
    every, english_only = beer_data.sources(), beer_data.sources(target="en")
    tests = beer_data.sources(("2014",))
    rows = []
    for name, features, sources, groups in (
        ("beer", plain, every, ()),
        ("beer, trained into English alone", plain, english_only, ()),
        ("beer:language=en", listed, english_only, ()),
        ("beer:language=en, without unknown", listed, english_only, ("unknown",)),
        ("beer:language=en, with units of beer-3.0", both, english_only, ()),
    ):
        raw = Trained(features, sources).without(*groups)
        taus = []
        for source in tests:
            pairs = judged_pairs(source)
            scores = raw(pairs.hyps, [refs[0] for refs in pairs.refs])
            taus.append(float(votes(pairs, scores).mean()))
        rows.append([name, *(decimals(t, 4) for t in (*taus, np.mean(taus)))])
    head = ["model", *(source.langpair for source in tests), "mean"]
    return f"{PAIRS}\n{table(head, rows)}"


def into_german() -> str:
    """Return the table of models into German."""
    sources = beer_data.sources(target="de")
    data = Mqm.read()
    rows = []
    for name, features in (
        ("no word list", profile("beer-4")),
        ("word list", profile("beer-4").with_word_list("de")),
    ):
        trained = Trained(features, sources)
        groups = list(dict.fromkeys(features.groups)) if name == "word list" else []
        for left_out in ((), *((group,) for group in groups)):
            raw = trained.without(*left_out)
            values = data.correlations(
                {system: raw(hyps, data.refs) for system, hyps in data.outputs.items()}
            )
            title = f"{name}, without {left_out[0]}" if left_out else name
            rows.append([title, *(decimals(value) for value in values)])
    return table(["model, into German", "WMT23 segments, r", "systems, r"], rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="into bench/BEER.md")
    parser.add_argument("--pairs", action="store_true", help="by language pair only")
    options = parser.parse_args()
    if options.pairs:
        text = by_pair()
        print(text)
        if options.write:
            write_section("language pairs", text)
        return
    text = f"{HEAD}\n{into_english()}\n{into_german()}"
    print(text)
    if options.write:
        write_section("blocks", text)


if __name__ == "__main__":
    main()

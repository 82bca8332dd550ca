# SPDX-License-Identifier: Apache-2.0
"""Transfer: what a model trained on one target language is worth on another.

    python -m bench beer_transfer [--quick] [--write]

No model is measured on a year that it has learnt from: WMT12, WMT15 and WMT16 are left
out in turn. The tables go to the screen and with --write to bench/BEER.md; --quick
takes a few language pairs and judgements.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bench.studies import beer_data
from bench.studies.beer_cache import Remembering, drawn, remembering
from bench.studies.beer_fit import run_study
from bench.studies.beer_report import decimals, table
from tertium.learn.profile import profile
from tertium.learn.training import Recipe, train_model
from tertium.learn.validation import Agreement, leave_one_out, validate

if TYPE_CHECKING:
    from tertium.learn.data import Source
    from tertium.learn.model import Model

LANGUAGES = ("en", "cs", "de", "es", "fi", "fr", "ro", "ru", "tr")
RECIPE = Recipe(learner="logistic")
MOST = 60_000  # comparisons to learn from; more changed nothing (learning curve)
QUICK = ("2012/de-en", "2012/en-de", "2016/de-en", "2016/en-de")
ALL, OTHERS = "all", "all others"
#: τ of BEER 2.0 with the weights it was released with (specification, 4.2).
RELEASED = {
    "2012/en-cs": 0.235, "2012/en-fr": 0.264, "2012/en-de": 0.242, "2012/en-es": 0.258,
    "2012/cs-en": 0.237, "2012/fr-en": 0.272, "2012/de-en": 0.286, "2012/es-en": 0.263,
}  # fmt: skip


def target(source: Source) -> str:
    """Return the language that texts are in."""
    return source.langpair.rpartition("-")[2]


def _say(text: str) -> None:
    sys.stderr.write(f"{time.process_time():5.0f} s  {text}\n")


class Study:
    """Models by what they were trained on, and taus by source."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = list(sources)
        self.own: Remembering = remembering(profile("beer-3.0"))
        self.languages = [
            lang for lang in LANGUAGES if any(target(s) == lang for s in sources)
        ]

    def fit(self, sources: Sequence[Source]) -> Model:
        """Return a model of sentences, with rising weights."""
        return train_model(
            drawn(sources, MOST, seed=1), profile=self.own, recipe=RECIPE
        )

    def run(self) -> dict[str, dict[str, float]]:
        """Return tau by what was learnt from, and by source that was measured on."""
        taus: dict[str, dict[str, float]] = {}

        def measure(name: str, learn: Sequence[Source], on: Sequence[Source]) -> None:
            if learn and on:
                _say(f"{name}: {len(learn)} sources, {on[0].campaign} out")
                figures = validate(on, self.fit(learn), metrics=())
                taus.setdefault(name, {}).update(_taus(figures))

        for year in dict.fromkeys(source.campaign for source in self.sources):
            left_out = [s for s in self.sources if s.campaign == year]
            rest = [s for s in self.sources if s.campaign != year]
            measure(ALL, rest, left_out)
            for lang in self.languages:
                measure(lang, [s for s in rest if target(s) == lang], left_out)
                measure(
                    OTHERS,
                    [s for s in rest if target(s) != lang],
                    [s for s in left_out if target(s) == lang],
                )
        for spec in ("chrf", "sentbleu"):
            taus[spec] = _taus(validate(self.sources, None, metrics=(spec,)))
        return taus

    def matrix(self, taus: Mapping[str, Mapping[str, float]]) -> str:
        """Return the table: tau, and what it is above that of chrF."""
        plain = taus["chrf"]
        lines = []
        for name in (*self.languages, OTHERS, ALL, "chrf", "sentbleu"):
            row_taus, line = taus.get(name, {}), [name]
            for lang in (*self.languages, None):
                into = [s.name for s in self.sources if target(s) == lang or not lang]
                known = [source for source in into if source in row_taus]
                mean = _mean(row_taus[source] for source in known)
                gain = _mean(row_taus[source] - plain[source] for source in known)
                line.append("" if mean is None else f"{decimals(mean)} ({gain:+.3f})")
            lines.append(line)
        return table(["trained on", *self.languages, "all pairs"], lines)

    def each(self, taus: Mapping[str, Mapping[str, float]]) -> str:
        """Return the table of all sources, by what models have not seen of them."""
        pairs = leave_one_out(
            self.sources, self.fit, by="language", metrics=(), log=_say
        )
        columns: dict[str, Mapping[str, float]] = {
            "pair left out": _taus(pairs.figures),
            "year left out": taus[ALL],
            "year and language left out": taus[OTHERS],
            "chrF": taus["chrf"],
            "sentBLEU": taus["sentbleu"],
            "released 2.0": RELEASED,
        }
        names = [source.name for source in self.sources]
        lines = [
            [name, *(decimals(column.get(name)) for column in columns.values())]
            for name in names
        ]
        for title, chosen in (
            ("mean 2012", [name for name in names if name.startswith("2012/")]),
            ("mean into English", [name for name in names if name.endswith("-en")]),
            ("mean out of English", [name for name in names if "/en-" in name]),
            ("mean", names),
        ):
            means = [
                decimals(_mean(column[name] for name in chosen))
                if column.keys() >= set(chosen)
                else ""
                for column in columns.values()
            ]
            lines.append([title, *means])
        return table(["measured on", *columns], lines)


def _taus(figures: Iterable[Agreement]) -> dict[str, float]:
    return {each.source: each.tau for each in figures if each.tau is not None}


def _mean(values: Iterable[float]) -> float | None:
    numbers = list(values)
    return float(np.mean(numbers)) if numbers else None


def report(quick: bool) -> str:
    """Return all tables."""
    if quick:
        whole = [beer_data.source(*name.split("/")) for name in QUICK]
        sources = drawn([source.select(range(400)) for source in whole], 8000, seed=1)
    else:
        sources = beer_data.sources()
    study = Study(sources)
    taus = study.run()
    parts = [
        "Logistic regression on sentences with the features of beer-3.0 and rising "
        "weights, of rankings of WMT12, WMT15 and WMT16, at most "
        f"{MOST:,} comparisons sampled at random for a model; τ with the WMT14 "
        "treatment of ties. There are no published figures to compare.\n\n"
        "### From one target language to another\n\n"
        "A row is trained on all pairs into one language, into all others than that of "
        "the column, or into all; a column is the mean of all pairs into a language, "
        "each measured with a model of the other years (an empty cell: there are "
        "none). A language with one year of judgements cannot be measured on that "
        "year, so means are not all of the same pairs: the difference from chrF on "
        "the same pairs, in brackets, compares.\n\n" + study.matrix(taus)
    ]
    parts.append(
        "### What models have not seen\n\n"
        "Trained on all other language pairs, those of the same year too, some of "
        "which share references with the one left out; on all pairs of the other "
        "years; and on those of the other years into other languages. The last column "
        "is what the weights of BEER 2.0 as released, trained on WMT14, reach on "
        "WMT12, with ties of the metric as wrong (specification, 4.2).\n\n"
        + study.each(taus)
    )
    return "\n".join(parts)


if __name__ == "__main__":
    run_study("transfer", __doc__, report)

# SPDX-License-Identifier: Apache-2.0
"""Learning curves: how many judgements a trained metric needs.

    python -m bench beer_learning [--quick] [--write]

Models learn from rankings into English of WMT12, WMT15 and WMT16, sampled at random
with three seeds; they are measured on WMT14 into English. The table goes to the screen
and with --write to bench/BEER.md; --quick takes two sizes, one year and one language
pair.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bench.studies import beer_data
from bench.studies.beer_cache import Remembering, drawn, judgements, remembering
from bench.studies.beer_fit import run_study
from bench.studies.beer_report import decimals, table
from tertium.learn.profile import Profile, profile
from tertium.learn.training import Recipe, train_model
from tertium.learn.validation import BASELINES, Agreement, averages, validate

if TYPE_CHECKING:
    from tertium.learn.data import Source

SIZES = (500, 2_000, 8_000, 32_000, 128_000)
SEEDS = (1, 2, 3)
SENTENCE = Recipe(learner="logistic")
FREE = Recipe(learner="logistic", nonnegative=False)
#: Published averages of WMT14 into English, with the treatment of ties of that year.
PUBLISHED = "BEER .362, METEOR .354, sentBLEU .285"


def matched() -> Profile:
    """Return beer-matched with the matchers that need no table: words and stems."""
    data = profile("beer-matched").to_json()
    for block in data["features"]:  # type: ignore[attr-defined]
        if "match" in block:
            block.update(match="exact+stem", language="en")
    return Profile.from_json(data)


class Study:
    """Texts to learn from, and texts to measure on."""

    def __init__(self, learn: Sequence[Source], test: Sequence[Source]) -> None:
        self.learn, self.test = list(learn), list(test)
        self.all = judgements(self.learn)

    def tau(
        self, profile: Remembering, recipe: Recipe | None, count: int, seed: int
    ) -> float:
        """Return the mean tau of a model trained on some judgements."""
        sources = drawn(self.learn, count, seed=seed)
        model = train_model(sources, profile=profile, recipe=recipe, seed=seed)
        return _mean(validate(self.test, model, metrics=()))

    def cell(
        self,
        profile: Remembering,
        recipe: Recipe | None,
        count: int,
        seeds: Sequence[int],
    ) -> str:
        """Return mean and spread over seeds, as ``.345 ± .002``."""
        # All judgements are the same ones whatever the seed.
        used = seeds[:1] if count >= self.all else seeds
        taus = [self.tau(profile, recipe, count, seed) for seed in used]
        text = decimals(float(np.mean(taus)))
        if len(taus) > 1:
            text += f" ± {decimals(float(np.std(taus, ddof=1)))}"
        return text


def _mean(figures: Sequence[Agreement]) -> float:
    return float(np.mean([each.tau for each in figures]))


def _say(text: str) -> None:
    sys.stderr.write(f"{time.process_time():5.0f} s  {text}\n")


def curve(quick: bool) -> str:
    """Return the table, one row per size."""
    years = ("2012",) if quick else tuple(beer_data.TRAINED)
    study = Study(
        beer_data.sources(years, target="en"),
        [beer_data.source("2014", "cs-en")] if quick else beer_data.sources(("2014",)),
    )
    units = remembering(profile("beer-3.0"))
    columns: dict[str, tuple[Remembering, Recipe | None]] = {
        "beer-3.0": (units, None),
        "beer-3.0, sentences": (units, SENTENCE),
        "the same, free weights": (units, FREE),
        "beer-matched": (remembering(matched(), study.learn), SENTENCE),
    }
    seeds = SEEDS[:1] if quick else SEEDS
    sizes = (500, 5_000) if quick else (*SIZES, study.all)
    lines = []
    for size in sizes:
        cells = [f"{size:,}" + (" (all)" if size == study.all else "")]
        for name, (equipped, recipe) in columns.items():
            if quick and name == "beer-matched":
                cells.append("")
                continue
            _say(f"{size:,} {name}")
            cells.append(study.cell(equipped, recipe, size, seeds))
        lines.append(cells)
    known = averages(validate(study.test, None, metrics=BASELINES))
    untrained = ", ".join(f"{name} {decimals(tau)}" for name, (tau, _) in known.items())
    return (
        "Mean τ (WMT14 treatment of ties) on WMT14 into English of models trained on "
        "comparisons into English of WMT12, WMT15 and WMT16, ties included, ± the "
        f"deviation over {len(seeds)} draws of whole rankings. "
        "*beer-3.0* has its own recipe, joint and with rising weights; "
        "*sentences* is logistic regression on sentences alone, and *beer-matched* "
        "(equal words and stems; no tables of synonyms or paraphrases) is trained that "
        "way too, with function words from all references at every size.\n\n"
        + table(["comparisons", *columns], lines)
        + f"\nUntrained, on the same pairs: {untrained}. Published for all of WMT14 "
        f"into English: {PUBLISHED} (Macháček 2014). The specification has no "
        "learning curve to stand beside this one.\n"
    )


if __name__ == "__main__":
    run_study("learning curve", __doc__, curve)

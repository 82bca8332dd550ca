# SPDX-License-Identifier: Apache-2.0
"""Train the models that come with the package: ``python -m bench beer_models``.

They learn from WMT12, WMT15 and WMT16. Each is tried on every year in turn, trained on
the others; a language gets a model of its own where that correlates with human
judgements at least as well as the pooled one of the same years. ``--write`` puts the
models into the package and the table into bench/BEER.md.

``--one-word`` trains nothing that is kept: for every profile, by default and as before
version 0.2 (λ 1e-8, BEER 1.0 unscaled), tau on the other year of WMT12 and WMT15, and
the scores of outputs of one word; ``--year 2016`` learns from both and tests on WMT16.
With ``--only beer-1.1`` it shows that profile alone, which is self-trained too.

``--balance`` compares training in which every judgement weighs the same with training
in which every language pair of a year does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.measure import ROOT
from bench.studies import beer_data
from bench.studies.beer_cache import remembering
from bench.studies.beer_length import nbest
from bench.studies.beer_report import PATH, section_rows, table, write_section
from tertium.learn.data import Source, split
from tertium.learn.features.blocks import Resources
from tertium.learn.model import Model
from tertium.learn.probe import LIMIT, one_word_outputs
from tertium.learn.profile import Profile, profile
from tertium.learn.recipes import BALANCES, RECIPES
from tertium.learn.training import Recipe, SelfTraining, recipe_of, train_model
from tertium.learn.validation import averages, model_scores, summary, validate

FOLDER = ROOT / "src" / "tertium" / "learn" / "models"
LICENCE = (
    "Apache-2.0 for the weights; trained on WMT12, WMT15 and WMT16 human rankings, "
    "released by the organisers for research"
)
#: Target languages with enough judgements to be tried alone.
LANGUAGES = ("cs", "de", "en", "es", "fi", "fr", "ro", "ru", "tr")
#: Profiles with models for one language, where these are better.
OWN_MODELS = ("beer-4", "beer-3.0")
#: What the model over real trees learns from: parsing is slow.
PARSED = frozenset(
    ("2012/cs-en", "2012/de-en", "2012/es-en", "2012/fr-en", "2015/fr-en")
)


@dataclass(frozen=True)
class Plan:
    """One model to ship: its file without ``.json``, features, data and recipe."""

    name: str
    profile: Profile
    recipe: Recipe
    target: str | None = None
    pairs: frozenset[str] = field(default_factory=frozenset)

    def data(self) -> list[Source]:
        """Return the sources to learn from."""
        sources = beer_data.sources(target=self.target)
        return [s for s in sources if not self.pairs or s.name in self.pairs]

    def fit(self, sources: Sequence[Source]) -> Model:
        """Return a model of some sources."""
        return train_model(
            sources, profile=self.profile, recipe=self.recipe, licence=LICENCE
        )


def plans() -> list[Plan]:
    """Return all models but those of `OWN_MODELS` for one language."""
    default = profile("beer-3.0")
    english = Resources(language="en")
    full = beer_data.resources("en")
    # Chosen before `train` regularised by default. On this many pairs tau does not
    # depend on it, and one-word outputs score as low as with the default.
    older = {"regularisation": 1.0}
    made = [
        Plan("beer-4", profile("beer-4"), recipe_of("beer-4")),
        Plan("beer-3.0", default, recipe_of("beer-3.0")),
        Plan("beer-2.0", profile("beer-2.0"), recipe_of("beer-2.0", rated=False)),
        *(
            Plan(name, features, recipe_of(version, scaling=scaling, **older), target)
            for version, scaling in (("beer-1.0", "none"), ("beer-1.1", "quasi"))
            for name, features, target in (
                (version, profile(version), None),
                (f"{version}.en", profile(version).equipped(english), "en"),
            )
        ),
        Plan("treepel", _treepel(english, "flat"), recipe_of("treepel", **older), "en"),
    ]
    model = beer_data.parser_model()
    if model is not None:
        parsed = english._replace(parser="spacy", parser_model=str(model))
        made.append(
            Plan(
                "treepel-parsed",
                _treepel(parsed, "needed"),
                recipe_of("treepel", **older),
                "en",
                PARSED,
            )
        )
    if full is not None:
        made += [
            Plan(f"{name}.en", profile(name).equipped(full), recipe_of(name), "en")
            for name in ("beer-matched", "beer-4-matched")
        ]
    # A text is encoded once, whatever the years of a model.
    made += [
        Plan(
            f"{name}.en",
            remembering(
                profile(name).equipped(english), beer_data.sources(target="en")
            ),
            recipe_of(name),
            "en",
        )
        for name in beer_data.vector_profiles()
    ]
    return made


def _treepel(resources: Resources, trees: str) -> Profile:
    """Return the profile treepel, its trees ``flat`` (no parser) or ``needed``."""
    data = profile("treepel").to_json()
    tables = data["features"]
    if not isinstance(tables, list):
        raise TypeError(f"features are a {type(tables).__name__}")
    for block in tables:
        if block["kind"] == "arcs":
            block[trees] = True
    return Profile.from_json(data, where="treepel").equipped(resources)


def tried(
    sources: Sequence[Source], fit: Callable[[Sequence[Source]], Model]
) -> dict[str, object]:
    """Return tau and accuracy on years that a model has not seen.

    Languages of one year alone are tried on a tenth of their segments.
    """
    years = list(dict.fromkeys(source.campaign for source in sources))
    figures = []
    for year in years if len(years) > 1 else []:
        rest = [source for source in sources if source.campaign != year]
        held = [source for source in sources if source.campaign == year]
        figures += validate(held, fit(rest), metrics=())
    if len(years) == 1:
        learn, held = split(sources, 0.1)
        figures = validate(held, fit(learn), metrics=())
    mean_tau, mean_accuracy = averages(figures)["trained"]
    return {
        "how": "each year in turn, trained on the others"
        if len(years) > 1
        else "a tenth of the segments",
        "mean_tau_wmt14": mean_tau,
        "mean_accuracy": mean_accuracy,
        "sources": summary(figures)["trained"],
    }


def taus(validation: dict[str, object], target: str) -> float:
    """Return the mean tau into one language."""
    sources = validation["sources"]
    if not isinstance(sources, dict):
        raise TypeError(f"sources are a {type(sources).__name__}")
    values = [
        figures["tau"]
        for name, figures in sources.items()
        if name.endswith(f"-{target}")
    ]
    return sum(values) / len(values)


# ------------------------------------------------------------------- one-word outputs

#: What recipes were before, where that differs.
_BEFORE: dict[str, dict[str, object]] = {
    "beer-1.0": {"regularisation": 1e-8, "scaling": "none"},
    "beer-1.1": {"regularisation": 1e-8},
    "treepel": {"regularisation": 1e-8},
}


def one_word(year: str | None, only: Sequence[str] | None) -> str:
    """Return tau and scores of one word of profiles into English, as a table."""
    tests = ("2012", "2015") if year is None else (year,)
    lists = [nbest(False)]
    rows = []
    for name in only or RECIPES:
        wanted: list[tuple[str, dict[str, object], SelfTraining | None]] = []
        if name in _BEFORE:
            wanted.append(("before", _BEFORE[name], None))
        if name != "beer-2.0-released":
            wanted.append(("default", {}, None))
        if name == "beer-1.1":
            wanted += [
                (
                    f"self-trained, {mode}, {sampling}",
                    {},
                    SelfTraining(lists, mode=mode, sampling=sampling),
                )
                for mode in ("union", "self")
                for sampling in ("uniform", "extremes")
            ]
        for words, changes, itself in wanted:
            print(f"{name}, {words}", file=sys.stderr)
            recipe = recipe_of(name, rated=False, **changes)  # type: ignore[arg-type]
            results = [_tested(name, recipe, test, itself) for test in tests]
            rows.append([name, words, *(cell for cells in results for cell in cells)])
    heads = [
        head for test in tests for head in (f"tau {test}", "one word > .1", "highest")
    ]
    return table(["profile", "recipe", *heads], rows)


def _tested(
    name: str, recipe: Recipe, year: str, itself: SelfTraining | None
) -> list[str]:
    """Return tau on one year into English, and what one word gets of its references.

    The model learns from 2012 and 2015, or the one of them that it is not tested on.
    """
    learn = beer_data.sources([y for y in ("2012", "2015") if y != year], target="en")
    held = beer_data.sources((year,), target="en")
    features = profile(name)
    if name != "beer-matched":  # in English it needs synonyms
        features = features.equipped(Resources(language="en"))
    model = train_model(learn, profile=features, recipe=recipe, self_training=itself)
    mean, _ = averages(validate(held, model, metrics=()))["trained"]
    refs = [refs[0] for source in held for refs in source.testset.references]
    words, against = one_word_outputs(list(dict.fromkeys(refs)), seed=1)
    scores = model_scores(model, words, [(ref,) for ref in against])
    return [
        f"{mean:.4f}",
        f"{(scores > LIMIT).sum():,} of {len(scores):,}",
        f"{scores.max():.3f}",
    ]


# ---------------------------------------------------------------------------- balance

_BALANCE = """\
Tau (wmt14), the mean over language pairs of WMT12, WMT15 and WMT16, each year by models
trained on the others (`python -m bench beer_models --balance --write`). Every *pair* of
texts weighs the same in training, or every *source*, a language pair of a year, so that
Czech, with the most judgements by far, does not decide for all. The gain is small, and
there was none on WMT14, so models of the package weigh pairs.
"""


def balances() -> str:
    """Return tau of years left out with every way to weigh pairs, as a table."""
    beer, *others = (
        plan
        for plan in plans()
        if plan.name.startswith("beer-4") and "context" not in plan.name
    )
    english = replace(
        beer,
        name="beer-4.en",
        profile=beer.profile.equipped(Resources(language="en")),
        target="en",
    )
    rows = []
    for plan in (beer, english, *others):
        cells = []
        for balance in BALANCES:
            print(f"{plan.name}, {balance}", file=sys.stderr)
            changed = replace(plan, recipe=replace(plan.recipe, balance=balance))
            tau = tried(plan.data(), changed.fit)["mean_tau_wmt14"]
            cells.append(f"{tau:.4f}")
        rows.append([plan.name, *cells])
    return f"{_BALANCE}\n{table(['model', *BALANCES], rows)}"


# ------------------------------------------------------------------------------ main


def main() -> None:
    """Train, try and write all models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="into the package")
    parser.add_argument("--only", nargs="+", help="names of models, such as beer-3.0")
    parser.add_argument("--one-word", action="store_true", help="scores of one word")
    parser.add_argument("--balance", action="store_true", help="what weighs the same")
    parser.add_argument("--year", choices=("2012", "2015", "2016"), help="for that")
    options = parser.parse_args()
    if options.one_word:
        print(one_word(options.year, options.only))
        return
    if options.balance:
        text = balances()
        print(text)
        if options.write:
            write_section("balance", text)
        return
    made: dict[str, Model] = {}
    rows: list[list[str]] = []
    for plan in plans():
        if options.only and plan.name not in options.only:
            continue
        print(f"training {plan.name}", file=sys.stderr)
        sources = plan.data()
        validation = tried(sources, plan.fit)
        made[plan.name] = replace(plan.fit(sources), validation=validation)
        rows.append([plan.name, *_figures(made[plan.name])])
        if plan.name not in OWN_MODELS:
            continue
        for language in LANGUAGES:
            of_language = replace(
                plan,
                name=f"{plan.name}.{language}",
                profile=plan.profile.equipped(Resources(language=language)),
                target=language,
            )
            few = of_language.data()
            alone = tried(few, of_language.fit)
            pooled = taus(validation, language)
            # Of one year alone a part was held out, not what the pooled one was tried
            # on: too little to tell.
            one_year = len({source.campaign for source in few}) == 1
            better = not one_year and taus(alone, language) >= pooled
            model = replace(of_language.fit(few), validation=alone)
            beside = f"pooled {pooled:.4f}" if not one_year else "one year"
            beside += ", shipped" if better else ", not shipped"
            rows.append([of_language.name, *_figures(model)[:-1], beside])
            if better:
                made[of_language.name] = model
    print(table(_COLUMNS, rows))
    if options.write:
        FOLDER.mkdir(exist_ok=True)
        for name, model in made.items():
            model.save(FOLDER / f"{name}.json")
        write_models(rows, replaced=not options.only)


_COLUMNS = ("model", "features", "pairs", "tau, years left out", "")
_WORDS = (
    "Models of the package, trained on WMT12, WMT15 and WMT16 (`python -m "
    "bench beer_models --write`). Tau (wmt14) is the mean over language pairs of each "
    "year, by models trained on the other years; ties of people are left out. A "
    "language has a model of its own where that does at least as well as the pooled "
    "one."
)


def write_models(rows: list[list[str]], *, replaced: bool, path: Path = PATH) -> None:
    """Write the table of models into the report.

    Rows of models that were not trained now stay, unless all are to be `replaced`.
    """
    old = [] if replaced else section_rows("models", path=path)
    new = {row[0]: row for row in rows}
    kept = [new.pop(row[0], row) for row in old]
    text = table(_COLUMNS, _sorted([*kept, *new.values()]))
    write_section("models", f"{_WORDS}\n\n{text}", path=path)


def _sorted(rows: list[list[str]]) -> list[list[str]]:
    """Return rows with profiles in the order of their recipes, the newest first."""
    names = list(RECIPES)[::-1]
    known = sorted(names, key=len, reverse=True)

    def place(row: list[str]) -> int:
        name = row[0].removesuffix("-parsed")
        return next(names.index(p) for p in known if name in (p, f"{p}.{name[-2:]}"))

    return sorted(rows, key=place)


def _figures(model: Model) -> list[str]:
    tau = model.validation["mean_tau_wmt14"]
    pairs = model.training["pairs"]
    return [str(len(model.profile.names)), f"{pairs:,}", f"{tau:.4f}", ""]


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium train``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from tertium.cli.judgements.reading import add_only
from tertium.cli.shared import flags
from tertium.cli.shared.caching import add_cache
from tertium.cli.shared.values import Caching, Output, Place, Run, frozen
from tertium.cli.shared.values import parse as parse_values
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.learn.recipes import Recipe

__all__ = ["Options", "parse"]

_ABOUT = """\
Train a metric on human judgements: rankings, lists of pairs, or ratings. Features of
a text and its reference are weighted so that texts that judges preferred score higher;
the model is one JSON file with its weights by name, made for `-m beer:model=FILE`.
Held-out segments show how good it is, compared with untrained metrics. With --spans,
train a model that marks errors, for `tertium explain --spans`, on human error spans.
"""

_EXAMPLES = """\
  tertium train -t demo -J demo -o my.json
  tertium train -t de-en.tsv -J de-en.rankings.tsv --profile beer-2.0 -o my.json
  tertium train -t wmt12/*-en.tsv.gz -J wmt12/rankings.csv.gz \\
                -t wmt15/*-en.tsv.gz -J wmt15/*.rankings.tsv.gz \\
                --names 2012 2015 --valid 2015/de-en -o en.json
  tertium train -t *-en.tsv.gz -J *-en.rankings.tsv.gz --cross-validate language
  tertium train -t *-en.tsv.gz -J *-en.rankings.tsv.gz --cluster local:8 -o en.json
  tertium train --explain my.json
  tertium train --explain my.json -r ref.txt -i A=a.txt B=b.txt
  tertium train --explain beer-4:en
  tertium score -r ref.txt -i a.txt -m beer:model=my.json chrf
  tertium train --spans -t en-de.tsv -J mqm.en-de.tsv -o spans.json

Every -t needs its own -J; the language pairs of files are read from their names
(de-en.tsv). Profiles: {profiles}, or a TOML file.
The defaults of each profile (--objective, --learner, --scaling, --filter):
{recipes}

The JSON is {{"tertium", "model", "profile", "training", "validation": {{METRIC:
{{SOURCE: {{"pairs", "tau", "accuracy"}}}}}}}}; with --cross-validate {{"tertium",
"profile", "left_out", "validation"}}. With --explain it is {{"tertium", "model",
"profile", "licence", "scaler": {{"kind", "anchor", ...}}, "copy_is_best" (whether the
weights ensure that no raw value exceeds a copy's), "training", "validation"}}; for
linear models also "weights": [{{"name", "group", "weight", "low", "high",
"influence"}}], the most influential first; on texts also "systems": [{{"system",
"score", "lost": {{GROUP: raw score}}, "texts", "above_copy"}}]. With --spans it is
{{"tertium", "model", "thresholds", "training", "validation": {{"character_f",
"character_severity_f", "missing_f", ...}}}}, cross-validated by document.
"""


# Options that matter with --spans.
_SPANS = (
    *("spans", "testsets", "systems_columns", "judgements", "langpair", "only"),
    *("regularisation", "licence", "output", "format", "digits", "threads", "seed"),
    "quiet",
)


@frozen
class Options(Output, Caching, Place, Run):
    """The options, named as their flags."""

    testsets: list[list[str]] | None
    systems_columns: list[str] | None
    judgements: list[list[str]] | None
    names: list[str] | None
    langpair: list[str] | None
    only: list[str]
    pairs: str | None
    filter: str | None
    gap: float | None
    scale: str | None
    ratings_by: str | None
    empty: str
    valid: list[str]
    profile: str
    objective: str | None
    learner: str | None
    scaling: str | None
    weights: str | None
    no_anchor: bool
    regularisation: float | None
    tune: float
    restarts: int | None
    bags: int | None
    mix: float | None
    balance: str | None
    nbest: list[str] | None
    nbest_references: list[str] | None
    self_training: str | None
    sampling: str | None
    rounds: int | None
    resource: list[str]
    licence: str
    cross_validate: str | None
    metrics: list[str]
    explain: str | None
    references: list[str] | None
    systems: list[str] | None
    spans: bool

    @property
    def resources(self) -> dict[str, str]:
        """The values of --resource by key."""
        from tertium.learn.resources import absolute_paths

        resources = {}
        for item in self.resource:
            key, equals, value = item.partition("=")
            if not equals or not value:
                message = f"--resource {item!r} is not KEY=VALUE, such as language=en"
                raise InputError(message)
            resources[key] = value
        return absolute_paths(resources)


def parse(argv: Sequence[str]) -> Options:
    """Return the options on a command line, none of which is without effect."""
    from tertium.learn.profile import profile_names
    from tertium.learn.recipes import RECIPES

    listed = "\n".join(
        f"  {name:18} {_words(recipe)}" for name, recipe in RECIPES.items()
    )
    epilog = _EXAMPLES.format(profiles=", ".join(profile_names()), recipes=listed)
    parser = flags.parser("train", _ABOUT, epilog)
    _add_data(parser)
    learn = parser.add_argument_group("training")
    _add_recipe(learn)
    _add_self_training(learn)
    _add_model(learn)
    _add_results(parser)
    flags.add_run(parser)
    flags.add_place(parser)
    add_cache(parser, "features of texts, and trees of parsers,")
    options = parse_values(parser, argv, Options)
    if options.spans:
        _check_spans(options, parse_values(parser, [], Options))
    _check_effect(options)
    return options


def _add_data(parser: argparse.ArgumentParser) -> None:
    from tertium.learn.data import GAPS
    from tertium.learn.pairs import FILTERS

    data = parser.add_argument_group("data")
    data.add_argument(
        "-t",
        "--testsets",
        nargs="+",
        action="append",
        metavar="TESTSET",
        help="texts with references, one file per language pair, or `demo`",
    )
    flags.add_systems_columns(data)
    data.add_argument(
        "-J",
        "--judgements",
        nargs="+",
        action="append",
        metavar="FILE",
        help="judgement files or stores (see `tertium judgements import --help`)",
    )
    data.add_argument(
        "--names",
        nargs="+",
        metavar="NAME",
        help="a name for every -t, such as its year (default: campaign or folder)",
    )
    data.add_argument(
        "-l", "--langpair", nargs="+", metavar="SRC-TRG", help="only these"
    )
    add_only(parser)
    data.add_argument(
        "--pairs",
        choices=("rankings", "ratings"),
        help="what to learn from (default: rankings where there are any); ratings set "
        "the scale in any case",
    )
    data.add_argument(
        "--filter",
        choices=FILTERS,
        help="all: every pair, including repeats; agreed: one for every two texts that "
        "were judged more than once, and more than 60 %% of the time the same way",
    )
    data.add_argument(
        "--gap",
        type=float,
        metavar="X",
        help="the least difference between the ratings of a pair (default: "
        f"{GAPS['mean']:g} points, z {GAPS['z']:g}, MQM {GAPS['mqm']:g})",
    )
    data.add_argument(
        "--scale", metavar="NAME", help="the scale of the ratings, such as DA"
    )
    data.add_argument(
        "--ratings-by",
        choices=("mean", "z"),
        help="ratings as they are, or relative to each judge (default: mean)",
    )
    data.add_argument(
        "--empty",
        choices=("drop", "keep"),
        default="drop",
        help="empty outputs: drop them as missing (the default), or keep them",
    )
    data.add_argument(
        "--valid",
        nargs="+",
        default=["0.1"],
        metavar="WHAT",
        help="what to test on: a share of segments (default: 0.1), names of groups, "
        "language pairs or NAME/PAIR, or none",
    )


def _add_recipe(learn: argparse._ArgumentGroup) -> None:
    from tertium.learn.profile import DEFAULT_PROFILE
    from tertium.learn.recipes import BALANCES, LEARNERS, OBJECTIVES, WEIGHTS
    from tertium.learn.scalers import SCALERS

    learn.add_argument(
        "--profile",
        default=DEFAULT_PROFILE,
        metavar="NAME",
        help=f"features: a name or a TOML file (default: {DEFAULT_PROFILE})",
    )
    learn.add_argument(
        "--objective", choices=OBJECTIVES, help="what to rank: texts, systems, or both"
    )
    learn.add_argument(
        "--learner",
        choices=LEARNERS,
        help="linear is for corpus and joint; ranknet and margin are networks",
    )
    learn.add_argument(
        "--scaling",
        choices=SCALERS,
        help="how raw scores are mapped to 0 to 1; linear, platt and isotonic need "
        "ratings (or --nbest, for platt)",
    )
    learn.add_argument(
        "--weights",
        choices=WEIGHTS,
        help="rising: no feature penalises agreement, so that a copy of the reference "
        "gets the best score of all (not with --learner polynomial)",
    )
    flags.add_switch(
        learn,
        "--no-anchor",
        help="do not divide scores by that of a copy of the reference",
    )
    learn.add_argument(
        "--regularisation",
        type=float,
        metavar="X",
        help="of the learner: C for svm and polynomial (default: the best on held-out "
        "pairs), the L2 penalty for others (default for logistic: 10)",
    )
    learn.add_argument(
        "--tune",
        type=float,
        default=0.1,
        metavar="SHARE",
        help="the share of training segments on which to choose C, when to stop, and "
        "whether to keep a round of self-training (default: 0.1; otherwise unused by "
        "logistic and linear)",
    )
    learn.add_argument(
        "--restarts",
        type=flags.number(1, 1000),
        metavar="N",
        help="restarts of networks from other seeds; the best one is kept (default: 3)",
    )
    learn.add_argument(
        "--bags",
        type=flags.number(1, 1000),
        metavar="N",
        help="for logistic, or svm with --regularisation: average N rankers, each "
        "trained on a random 80 %% of the pairs (BEER 1.x: 10; default: none)",
    )
    learn.add_argument(
        "--mix",
        type=float,
        metavar="X",
        help="for joint: the weight of systems, against texts (default: 0.5)",
    )
    learn.add_argument(
        "--balance",
        choices=BALANCES,
        help="what weighs the same: every pair of texts, or every source (language "
        "pair of a test set) as a whole (default: pairs)",
    )


def _add_self_training(learn: argparse._ArgumentGroup) -> None:
    from tertium.learn.objectives.selftraining import MODES, SAMPLINGS

    learn.add_argument(
        "--nbest", nargs="+", metavar="FILE", help="n-best lists for self-training"
    )
    learn.add_argument(
        "--nbest-references",
        nargs="+",
        metavar="FILE",
        help="one file per n-best list, with one reference per line",
    )
    learn.add_argument(
        "--self-training",
        choices=MODES,
        help="with --nbest: train on human pairs and the model's own (union, the "
        "default), or on its own alone (self)",
    )
    learn.add_argument(
        "--sampling",
        choices=SAMPLINGS,
        help="how pairs are sampled from n-best lists (default: uniform); extremes may "
        "lower the agreement with human judgements more: tau on WMT15 fell by 0.012, "
        "with uniform by 0.004",
    )
    learn.add_argument(
        "--rounds",
        type=flags.number(1, 100),
        metavar="N",
        help="rounds of self-training (default: 1, weighted 5, extremes 3); one that "
        "costs more than 0.01 of tau on held-out pairs is undone",
    )


def _add_model(learn: argparse._ArgumentGroup) -> None:
    from tertium.learn.training import LICENCE

    learn.add_argument(
        "--resource",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="what features of the profile need: language=en, parser=udpipe, "
        "parser_model=FILE, synonyms=DIR, paraphrases=FILE, embeddings=FILE, "
        "roles=FILE, context=DIR, static=FILE",
    )
    learn.add_argument(
        "--licence",
        default=LICENCE,
        metavar="TEXT",
        help=f'stored in the model (default: "{LICENCE}")',
    )


def _add_results(parser: argparse.ArgumentParser) -> None:
    from tertium.learn.validation import BASELINES, LEAVE_OUT

    result = parser.add_argument_group("results")
    flags.add_switch(
        result,
        "--spans",
        help="a span model, from one test set with documents and its error spans",
    )
    result.add_argument("-o", "--output", metavar="FILE", help="the model, a JSON file")
    result.add_argument(
        "--cross-validate",
        choices=LEAVE_OUT,
        help="instead of a model: tau on every language pair, or every group (year), "
        "of models trained without it",
    )
    result.add_argument(
        "-m",
        "--metrics",
        nargs="*",
        default=list(BASELINES),
        metavar="SPEC",
        help=f"untrained metrics to compare with (default: {' '.join(BASELINES)})",
    )
    result.add_argument(
        "--explain",
        metavar="MODEL",
        help="show a model: its origin, its weights, and what moves its scores; with "
        "-t, or -r and -i, on these texts; a file, or a bundled model by profile "
        "(beer-4, or beer-4:de for German)",
    )
    result.add_argument(
        "-r", "--references", nargs="+", metavar="FILE", help="for --explain"
    )
    result.add_argument(
        "-i", "--systems", nargs="+", metavar="[NAME=]FILE", help="for --explain"
    )
    result.add_argument(
        "-f",
        "--format",
        choices=flags.FORMATS,
        default="table",
        help="format of the printed results (default: table)",
    )
    result.add_argument(
        "-w", "--digits", type=flags.number(0, 30), metavar="N", help="(default: 3)"
    )


def _check_spans(options: Options, plain: Options) -> None:
    """Reject options about scores, which span models do not have."""
    for field in fields(plain):
        name = field.name
        if name not in _SPANS and getattr(options, name) != getattr(plain, name):
            flag = name.replace("_", "-")
            message = f"--{flag} has no effect on span models; omit it, or omit --spans"
            raise InputError(message)


def _words(recipe: Recipe) -> str:
    return (
        f"{recipe.objective}, {recipe.learner}, {recipe.scaling}, pairs {recipe.filter}"
    )


def _check_effect(options: Options) -> None:
    """Reject options without effect, which a user expects to have one."""
    if not options.explain and (options.references or options.systems):
        message = "-r and -i are for --explain; name test sets to train on with -t"
        raise InputError(message)
    if options.explain and (options.output or options.cross_validate):
        message = "--explain trains nothing; omit -o and --cross-validate"
        raise InputError(message)
    if options.explain and (options.cluster or options.checkpoint):
        message = "--explain trains nothing; omit --cluster and --checkpoint"
        raise InputError(message)
    # Without --explain, training checks these.
    alone = (options.self_training, options.sampling, options.rounds)
    if options.explain and not options.nbest and any(alone):
        message = "--self-training, --sampling and --rounds are for --nbest; omit them"
        raise InputError(message)
    if options.explain and options.gap is not None and options.pairs == "rankings":
        raise InputError("--gap is for ratings; omit it")

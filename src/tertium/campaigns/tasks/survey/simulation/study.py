# SPDX-License-Identifier: Apache-2.0
"""A whole study without people: survey, simulated judges, analysis and page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import tertium
from tertium._files import replace_file
from tertium.campaigns.config import read_config
from tertium.campaigns.exchange.exporting import records, write_file
from tertium.campaigns.loading import load
from tertium.campaigns.tasks.survey.sampled import ALL_KINDS, HYPOTHESIS
from tertium.campaigns.tasks.survey.simulation.correlations import correlations
from tertium.campaigns.tasks.survey.simulation.judging import judge_all
from tertium.campaigns.tasks.survey.simulation.known import KnownJudges
from tertium.campaigns.tasks.survey.simulation.recovery import ratings_on, recover
from tertium.campaigns.tasks.survey.task import QUESTIONS
from tertium.judgements import Judgements
from tertium.judgements.adjustment.models import adjust
from tertium.judgements.agreement.ratings import rating_data
from tertium.report.survey.page import survey_page
from tertium.report.survey.results import Adjusted, Curve, SurveyResults

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = ["METHOD", "METRICS", "Study", "run_study"]

_NOTE = "note: "  # as reports of questionnaires start lines
#: How judges are adjusted for.
METHOD = "judge+segment"
#: Metrics of word order, and two of everything; none needs a parser.
METRICS = (
    "kendall",
    "spearman",
    "ulam",
    "hamming",
    "fuzzy",
    "pef",
    "recpef",
    "dted:variant=b,flat=yes",
    "dted:variant=c,flat=yes",
    "derp:flat=yes",
    "meteor-chunking",
    "sentbleu",
    "chrf",
)


@dataclass(frozen=True)
class Study:
    """What a study has written.

    Parameters
    ----------
    results : SurveyResults
    files : tuple of Path
        The page first, then the exports.
    """

    results: SurveyResults
    files: tuple[Path, ...]


def run_study(
    config: Path,
    *,
    judges: int,
    seed: int,
    references: str,
    metrics: Sequence[str] = METRICS,
    resamples: int = 1000,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Load a survey, let simulated judges answer it, analyse it, and write a page.

    Parameters
    ----------
    config : Path
        By :func:`~tertium.campaigns.tasks.survey.simulation.material.write_material`.
        Results are written beside it.
    judges, seed : int
    references : str
        Where the sentences come from, for the page.
    metrics : sequence of str
        What is correlated with the answers.
    resamples : int
        For intervals of correlations.
    progress : callable, optional
        Called with how many judges are done, and how many there are.
    """
    loaded = load(read_config(config, allow_outside=True))
    campaign = loaded.campaign
    items = dict(campaign.items.order_by("key").values_list("key", "meta"))
    known = KnownJudges(judges, items, seed=seed)
    codes = judge_all(campaign, known, judges, progress=progress)
    exports = _export(campaign, config.parent, known)
    # Pseudonyms are random; numbers give the same figures for the same seed.
    names = {code: f"judge {number:03}" for number, code in enumerate(codes, 1)}
    judgements = Judgements.from_iterable(
        one._replace(judge=names[str(one.judge)]) for one in records(campaign)
    )
    testset = tertium.read(str(config.parent / "items.jsonl"))
    counted = Counter(known.kinds.values())
    results = SurveyResults(
        name=campaign.name,
        seed=seed,
        judges=judges,
        references=references,
        kinds={
            kind: counted[kind] for kind in (HYPOTHESIS, *ALL_KINDS) if counted[kind]
        },
        recoveries=recover(judgements, known, list(names.values())),
        adjusted=[_adjusted(judgements, known, name) for name in QUESTIONS],
        correlations=correlations(
            testset,
            judgements,
            known,
            metrics=metrics,
            method=METHOD,
            resamples=resamples,
        ),
        curves=_curves(judgements, known),
        notes=[
            line.removeprefix(_NOTE)
            for line in loaded.report.splitlines()
            if line.startswith(_NOTE)
        ],
    )
    page = config.parent / "survey.html"
    with replace_file(page) as file:
        file.write(survey_page(results).encode())
    return Study(results, (page, *exports))


def _export(campaign: Campaign, folder: Path, known: KnownJudges) -> list[Path]:
    """Write everything that a real survey exports, and the known effects."""
    exports = {
        "judgements.tsv": "likert-tsv",
        "items.jsonl": "items",
        "participants.tsv": "participants",
        "codebook.md": "codebook",
    }
    for name, what in exports.items():
        write_file(campaign, str(folder / name), what)
    effects = folder / "known.json"
    values = {
        name: {
            **vars(one),
            "slopes": dict(one.slopes),
            "judges": list(known.judges[name].values()),
            "items": known.items[name],
        }
        for name, one in known.known.items()
    }
    with replace_file(effects) as file:
        file.write((json.dumps(values, indent=1) + "\n").encode())
    return [*(folder / name for name in exports), effects]


def _adjusted(judgements: Judgements, known: KnownJudges, name: str) -> Adjusted:
    """Return how far item means are from known scores, before and after."""
    data = rating_data(judgements, scale=QUESTIONS[name])
    adjustment = adjust(data, METHOD)
    keys = [one.segment for one in ratings_on(judgements, data.scale)]
    errors = []
    for scores in (data.score, adjustment.scores):
        means: dict[str, list[float]] = {}
        for key, score in zip(keys, scores, strict=True):
            means.setdefault(key, []).append(float(score))
        differences = [
            float(np.mean(values)) - known.item_score(name, key)
            for key, values in means.items()
        ]
        errors.append(float(np.sqrt(np.mean(np.square(differences)))))
    test = adjustment.test.p if adjustment.test else None
    return Adjusted(name, errors[0], errors[1], test)


def _curves(judgements: Judgements, known: KnownJudges) -> list[Curve]:
    """Return mean scores by degree, of every kind of permutation."""
    scores: dict[tuple[str, str], list[float]] = {}
    for name, scale in QUESTIONS.items():
        for one in ratings_on(judgements, scale):
            scores.setdefault((name, one.segment), []).append(one.score)
    curves = []
    for name in QUESTIONS:
        for kind in ALL_KINDS:
            keys: dict[int, list[str]] = {}
            for key, of_kind in known.kinds.items():
                if of_kind == kind and (name, key) in scores:
                    keys.setdefault(int(known.damages[key]), []).append(key)
            if not keys:
                continue
            degrees = tuple(sorted(keys))
            curves.append(
                Curve(
                    name,
                    kind,
                    degrees,
                    tuple(known.known[name].mean(kind, degree) for degree in degrees),
                    tuple(
                        float(np.mean([np.mean(scores[name, key]) for key in keys[d]]))
                        for d in degrees
                    ),
                    tuple(len(keys[degree]) for degree in degrees),
                )
            )
    return curves

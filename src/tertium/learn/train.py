# SPDX-License-Identifier: Apache-2.0
"""Training of a metric on human judgements, from files or tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.learn.data import Source, hold_out
from tertium.learn.inputs import read_self_training, read_sources
from tertium.learn.profile import DEFAULT_PROFILE
from tertium.learn.profile import profile as find_profile
from tertium.learn.recipes import WEIGHTS, recipe_of
from tertium.learn.resources import with_resources
from tertium.learn.trained import Trained
from tertium.learn.training import LICENCE, train_model
from tertium.learn.validation import BASELINES, leave_one_out, summary, validate

if TYPE_CHECKING:
    from tertium.learn.inputs import JudgementGroups, StrPath, TestsetGroups
    from tertium.learn.model import Model
    from tertium.meta.inputs.testsets import OnNote
    from tertium.notes import Note
    from tertium.stats.resample import Report

__all__ = ["train"]


def train(
    testsets: TestsetGroups,
    judgements: JudgementGroups | None = None,
    *,
    names: Sequence[str] = (),
    langpair: str | Sequence[str] | None = None,
    only: Sequence[str] = (),
    pairs: str | None = None,
    filter: str | None = None,  # noqa: A002
    gap: float | None = None,
    scale: str | None = None,
    ratings_by: str | None = None,
    empty: str = "drop",
    valid: float | str | Sequence[str] | None = 0.1,
    profile: str = DEFAULT_PROFILE,
    objective: str | None = None,
    learner: str | None = None,
    scaling: str | None = None,
    weights: str | None = None,
    anchor: bool = True,
    regularisation: float | None = None,
    tune: float = 0.1,
    restarts: int | None = None,
    bags: int | None = None,
    mix: float | None = None,
    balance: str | None = None,
    nbest: Sequence[StrPath] = (),
    nbest_references: Sequence[StrPath] = (),
    self_training: str | None = None,
    sampling: str | None = None,
    rounds: int | None = None,
    resource: Mapping[str, str] | None = None,
    licence: str = LICENCE,
    cross_validate: str | None = None,
    metrics: Sequence[str] = BASELINES,
    systems_columns: Sequence[str] | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Report | None = None,
    log: Callable[[str], None] | None = None,
    on_note: OnNote | None = None,
) -> Trained:
    """Train a metric on human judgements and validate it on held-out segments.

    Parameters
    ----------
    testsets : Testset or path, or sequence of them, or sequence of sequences
        Texts with references, one test set per language pair. Several campaigns are
        a sequence of sequences. ``"demo"`` is the bundled test set.
    judgements : Judgements or paths, or sequence of sequences
        As many groups as there are of test sets.
    names : sequence of str
        What to call every group, such as its year; by default its campaign or folder.
    langpair : str or sequence of str, optional
        Only these language pairs.
    only : sequence of str
        Judgements to use, as in :meth:`tertium.Judgements.read`.
    pairs : {"rankings", "ratings"}, optional
        What to learn from; by default rankings where there are any.
    filter : {"all", "agreed"}, optional
        Which pairs of texts (see :mod:`tertium.learn.pairs`).
    gap : float, optional
        How far apart two ratings must be to make a pair.
    scale : str, optional
        Of the ratings, where there are several.
    ratings_by : {"mean", "z"}, optional
        Ratings as they are, or relative to each judge.
    empty : {"drop", "keep"}
        What to do about empty outputs.
    valid : float, str or sequence of str, optional
        What to validate on: a share of the segments, or names of groups, language
        pairs or ``NAME/PAIR``. None, or ``"none"``, holds nothing out.
    profile : str
        Features: a name, or a TOML file.
    objective, learner, scaling : str, optional
        By default as the profile's recipe says (see
        :class:`tertium.learn.training.Recipe`).
    weights : {"rising", "free"}, optional
        Whether weights may only reward agreement with the reference.
    anchor : bool
        Whether scores are divided by that of a copy of the reference.
    regularisation : float, optional
    tune : float
        The share of training segments on which learners choose settings.
    restarts, bags : int, optional
    mix : float, optional
    balance : {"pairs", "sources"}, optional
        As in :class:`tertium.learn.training.Recipe`.
    nbest, nbest_references : sequence of paths
        N-best lists for self-training, and one reference file for each.
    self_training : {"union", "self"}, optional
    sampling : {"uniform", "weighted", "extremes"}, optional
    rounds : int, optional
        As in :class:`tertium.learn.training.SelfTraining`.
    resource : mapping of str to str, optional
        What features need, such as ``{"language": "en"}``. Word lists are those of
        the target language, if the test sets have only one.
    licence : str
        Is stored in the model.
    cross_validate : {"language", "year"}, optional
        Validate models trained without each language pair, or each group, instead of
        training one model.
    metrics : sequence of str
        Untrained metrics to validate beside the model.
    systems_columns : sequence of str, optional
        As in :func:`tertium.read`.
    seed : int
    threads : int, optional
        All cores by default; the model does not depend on it.
    progress : callable, optional
        Called with what is counted, how many are done, and how many there are.
    log : callable, optional
        Called with one line per training step.
    on_note : callable, optional
        Called with every note on the inputs as soon as it is known; they are also in
        the result.

    Returns
    -------
    Trained

    Raises
    ------
    InputError
        If there is nothing to learn from, or options do not fit together.

    Examples
    --------
    >>> import tertium
    >>> trained = tertium.train("demo", metrics=["chrf"])
    >>> [figure.metric for figure in trained.figures]
    ['trained', 'chrf']
    >>> trained.model.profile.name
    'beer-4'
    """
    if gap is not None and pairs == "rankings":
        message = "a gap is for ratings; train on pairs of ratings, or omit it"
        raise InputError(message, options=("pairs", "gap"))
    if weights is not None and weights not in WEIGHTS:
        raise UnknownNameError("kind of weights", weights, WEIGHTS)
    notes: list[Note] = []

    def add_note(note: Note) -> None:
        notes.append(note)
        if on_note is not None:
            on_note(note)

    features = with_resources(find_profile(profile), resource or {})
    lists = read_self_training(
        nbest,
        nbest_references,
        mode=self_training,
        sampling=sampling,
        rounds=rounds,
    )
    sources = read_sources(
        testsets,
        judgements,
        names=names,
        langpair=[langpair] if isinstance(langpair, str) else langpair or (),
        only=only,
        scale=scale,
        ratings_by=ratings_by,
        empty=empty,
        systems_columns=systems_columns,
        on_note=add_note,
        progress=progress,
    )

    targets = {source.langpair.rpartition("-")[2] for source in sources}
    if len(targets) == 1 and "language" not in (resource or {}):
        features = features.with_word_list(*targets)

    fit = _Fit(
        recipe={
            "objective": objective,
            "learner": learner,
            "scaling": scaling,
            "filter": filter,
            "nonnegative": None if weights is None else weights == "rising",
            "anchor": anchor,
            "regularisation": regularisation,
            "restarts": restarts,
            "bags": bags,
            "mix": mix,
            "balance": balance,
        },
        settings={
            "profile": features,
            "tuning": tune,
            "self_training": lists,
            "kind": pairs,
            "gap": gap,
            "licence": licence,
            "seed": seed,
            "threads": threads,
        },
        log=log,
        progress=progress,
    )
    if cross_validate is not None:
        outcome = leave_one_out(
            sources,
            fit,
            by=cross_validate,
            metrics=metrics,
            kind=pairs,
            gap=gap,
            threads=threads,
            log=log,
        )
        return Trained(
            profile, None, outcome.figures, left_out=outcome.by, notes=tuple(notes)
        )
    rest, held_out = hold_out(sources, valid, seed=seed)
    model = fit(rest)
    figures = validate(
        held_out, model, metrics=metrics, kind=pairs, gap=gap, threads=threads
    )
    model = replace(model, validation=summary(figures))
    return Trained(model.profile.name, model, tuple(figures), notes=tuple(notes))


@dataclass(frozen=True)
class _Fit:
    """Trains a model on sources; wherever it is sent, it works in silence."""

    recipe: Mapping[str, Any]
    settings: Mapping[str, Any]
    log: Callable[[str], None] | None
    progress: Report | None

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"log": None, "progress": None}

    def __call__(self, sources: Sequence[Source]) -> Model:
        rated = any(source.ratings is not None for source in sources)
        recipe = recipe_of(self.settings["profile"].name, rated=rated, **self.recipe)
        return train_model(
            sources,
            recipe=recipe,
            log=self.log,
            progress=self.progress,
            **self.settings,
        )

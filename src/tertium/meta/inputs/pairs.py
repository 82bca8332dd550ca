# SPDX-License-Identifier: Apache-2.0
"""Judgements, texts and score files of every language pair, side by side."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from tertium.data.layers import LayerFiles, add_layers
from tertium.engine.inputs import as_metrics
from tertium.engine.layers import check_text_layers, link_tokenizer
from tertium.errors import InputError
from tertium.meta.files.direction import check_directions, is_error_metric
from tertium.meta.files.mtme import human_of, read_mtme
from tertium.meta.files.scores import read_scores
from tertium.meta.human import Human, human_judgements, official
from tertium.meta.inputs.judged import one_campaign, read_judged
from tertium.meta.inputs.testsets import (
    common_pairs,
    named_by_judgements,
    read_testsets,
)
from tertium.meta.scores import MetricScores, segment_names
from tertium.meta.slices import ratings_by_judge
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements import Judgements
    from tertium.meta.inputs.judged import JudgementsLike
    from tertium.meta.inputs.testsets import OnNote, TestsetLike
    from tertium.metrics import Metric
    from tertium.stats.resample import Report

__all__ = ["Inputs", "PairInput", "read_pairs"]

StrPath: TypeAlias = "str | os.PathLike[str]"

_KINDS = ("rankings", "ratings", "spans")


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Where texts, judgements and scores come from.

    Parameters
    ----------
    testsets, judgements, langpair, only, gold, human, human_scores, mtme
    scores, test_set, reference, domain, lower_is_better, higher_is_better,
    systems_columns, slice
        As in :func:`tertium.correlate`.
    metrics : sequence
        What will be run on the texts.
    layers : LayerFiles
        Trees, word links and reference sets of the only test set.
    """

    testsets: Sequence[TestsetLike] = ()
    judgements: JudgementsLike | None = None
    langpair: Sequence[str] = ()
    only: Sequence[str] = ()
    gold: Sequence[str] = ()
    human: str | None = None
    human_scores: Sequence[StrPath] = ()
    mtme: StrPath | None = None
    scores: Sequence[StrPath] = ()
    test_set: str | None = None
    reference: str | None = None
    domain: str | None = None
    lower_is_better: Sequence[str] = ()
    higher_is_better: Sequence[str] = ()
    systems_columns: Sequence[str] | None = None
    slice: str | None = None
    metrics: Sequence[str | Metric] = ()
    layers: LayerFiles = field(default_factory=LayerFiles)

    @property
    def golds(self) -> list[str | None]:
        """The kinds of judgements, each once; None is the only one there is."""
        return [*dict.fromkeys(self.gold)] or [None]

    def check(self) -> None:
        """Raise an error for options that cannot go together.

        Raises
        ------
        InputError
        """
        if self.mtme is not None:
            self._check_mtme()
        if self.scores:
            return
        for listed, how in (
            (self.lower_is_better, "fall"),
            (self.higher_is_better, "rise"),
        ):
            if listed and self.mtme is None:
                message = f"there are no score files with metrics that {how}; give some"
                raise InputError(message, options=("scores",))
        choices = {
            "test set": self.test_set and not self.human_scores,
            "domain": self.domain,
            "reference": self.reference and self.mtme is None,
        }
        for what, choice in choices.items():
            if choice:
                message = f"there are no score files to choose a {what} from; give some"
                raise InputError(message, options=("scores",))

    def _check_mtme(self) -> None:
        others = {
            "testsets": self.testsets,
            "judgements": self.judgements,
            "human_scores": self.human_scores,
            "human": self.human,
            "only": self.only,
            "alignments": self.layers.alignments,
            "trees": self.layers.trees,
            "ref_trees": self.layers.ref_trees,
            "sets": self.layers.sets,
        }
        for name, value in others.items():
            if value:
                message = (
                    "a folder of mt-metrics-eval brings texts, judgements and scores; "
                    f"omit {name}"
                )
                raise InputError(message, options=(name,))
        if not self.langpair:
            message = "mtme needs a language pair; give one, such as en-de"
            raise InputError(message, options=("langpair",))


@dataclass(frozen=True)
class PairInput:
    """Everything on one language pair that was read.

    Parameters
    ----------
    humans : tuple of Human
        One per kind of judgements that is compared; of ratings by groups of judges,
        one per group and kind.
    testset : Testset, optional
    scores : sequence of MetricScores
        From files; metrics are run later.
    by_judge : bool
        Whether ratings are by groups of judges.
    references : tuple of str
        Names that scores may have among systems.
    """

    humans: tuple[Human, ...]
    testset: Testset | None
    scores: Sequence[MetricScores]
    by_judge: bool = False
    references: tuple[str, ...] = ()

    @property
    def texts(self) -> Testset:
        """The test set, which must be there."""
        if self.testset is None:
            pair = self.humans[0].langpair
            message = f"no texts of {pair} to run metrics on; give its test set"
            raise InputError(message)
        return self.testset


def read_pairs(
    inputs: Inputs, *, on_note: OnNote, progress: Report | None = None
) -> list[PairInput]:
    """Return what there is for every language pair.

    Parameters
    ----------
    inputs : Inputs
    on_note : callable
        Called with what was left out, or may be mistaken.
    progress : callable, optional

    Raises
    ------
    InputError
        If there is nothing to compare, or inputs do not fit together.
    """
    inputs.check()
    if inputs.mtme is not None:
        pairs = [
            _mtme_pair(inputs, inputs.mtme, langpair, on_note)
            for langpair in inputs.langpair
        ]
    else:
        pairs = _file_pairs(inputs, on_note, progress)
    _note_falling(pairs, inputs.higher_is_better, on_note)
    return pairs


def _file_pairs(
    inputs: Inputs, on_note: OnNote, progress: Report | None
) -> list[PairInput]:
    if list(inputs.testsets) == ["demo"] and not inputs.judgements:
        inputs = replace(inputs, judgements="demo", gold=inputs.gold or ["rankings"])
    testsets = read_testsets(
        inputs.testsets, systems_columns=inputs.systems_columns, on_note=on_note
    )
    if inputs.layers.layer_paths():
        testsets = _with_layers(inputs, testsets, on_note)
    if not testsets and not inputs.scores:
        message = "nothing to compare; give test sets and metrics, or scores"
        raise InputError(message, options=("metrics", "scores", "judgements"))
    judgements = None
    if inputs.judgements:
        judgements = read_judged(
            inputs.judgements, only=inputs.only, on_note=on_note, progress=progress
        )
        one_campaign(judgements)
        known = judgements.names("langpair")
    elif inputs.human_scores:
        known = _scored_pairs(inputs)
    else:
        message = "no judgements; give files or stores"
        raise InputError(message, options=("judgements",))
    testsets = named_by_judgements(testsets, inputs.langpair or known)
    langpairs = inputs.langpair or common_pairs(known, testsets, on_note=on_note)
    return [_pair(inputs, judgements, testsets.get(pair), pair) for pair in langpairs]


def _with_layers(
    inputs: Inputs, testsets: dict[str | None, Testset], on_note: OnNote
) -> dict[str | None, Testset]:
    """Return the only test set with its layers."""
    files = inputs.layers
    if len(testsets) != 1:
        names = ("trees", "ref_trees", "alignments", "sets")
        named = [name for name in names if getattr(files, name)]
        what = f"{' and '.join(named)} are of one test set"
        message = f"{what}, and there are {len(testsets)}; give one"
        raise InputError(message, options=tuple(named))
    ((langpair, testset),) = testsets.items()
    if inputs.metrics:
        metrics = as_metrics(inputs.metrics)
        for note in check_text_layers(testset, files, metrics):
            on_note(note)
        if files.alignments:
            files = replace(files, link_tokenize=link_tokenizer(metrics.values()))
    layered = add_layers(testset, files)
    for note in layered.notes[len(testset.notes) :]:
        on_note(note)
    return {langpair: layered}


def _scored_pairs(inputs: Inputs) -> list[str]:
    """Return the language pairs of official scores."""
    scores = read_scores(inputs.human_scores, testset=inputs.test_set)
    return sorted({each.langpair for each in scores if each.langpair is not None})


def _pair(
    inputs: Inputs,
    judgements: Judgements | None,
    testset: Testset | None,
    langpair: str | None,
) -> PairInput:
    official_scores = []
    if inputs.human_scores:
        official_scores = read_scores(
            inputs.human_scores, langpair=langpair, testset=inputs.test_set
        )

    def with_scores(judged: Judgements, gold: str | None) -> Human:
        named_kind = gold in _KINDS
        human = human_judgements(
            judged,
            langpair=langpair,
            kind=gold if named_kind else "ratings" if gold else None,
            scale=None if named_kind else gold,
            method=inputs.human,
        )
        return official(human, official_scores) if inputs.human_scores else human

    humans: list[Human] = []
    groups: list[Human] = []
    if judgements is None:
        nobody = Human((), (), "no judgements", langpair=langpair)
        humans = [official(nobody, official_scores)]
    else:
        judges = inputs.slice and inputs.slice.partition("=")[0] == "judge"
        for gold in inputs.golds:
            question = gold if len(inputs.golds) > 1 else None
            human = with_scores(judgements, gold)
            humans.append(replace(human, question=question))
            if inputs.slice and judges and human.comparisons is None:
                members = ratings_by_judge(
                    judgements, inputs.slice, langpair, partial(with_scores, gold=gold)
                )
                groups += [replace(each, question=question) for each in members]
    scores = []
    if inputs.scores:
        segments = None if testset is None else segment_names(testset)
        scores = _file_scores(inputs, langpair, segments, named=True)
    by_judge = len(groups) > 0
    return PairInput(tuple(groups or humans), testset, scores, by_judge)


def _file_scores(
    inputs: Inputs,
    langpair: str | None,
    segments: Sequence[str] | None,
    *,
    named: bool,
) -> list[MetricScores]:
    """Return scores of files; `named`: they include every metric with a direction."""
    return read_scores(
        inputs.scores,
        langpair=langpair,
        segments=segments,
        lower_is_better=inputs.lower_is_better if named else (),
        higher_is_better=inputs.higher_is_better if named else (),
        testset=inputs.test_set,
        reference=inputs.reference,
        domain=inputs.domain,
    )


def _mtme_pair(
    inputs: Inputs, mtme: StrPath, langpair: str, on_note: OnNote
) -> PairInput:
    folder = read_mtme(mtme, langpair)
    humans = tuple(
        replace(
            human_of(folder, gold),
            question=gold if len(inputs.golds) > 1 else None,
        )
        for gold in inputs.golds
    )
    testset = folder.texts.against(inputs.reference)
    if inputs.metrics and len(folder.references) > 1:
        reference = inputs.reference or folder.references[0]
        others = ", ".join(name for name in folder.references if name != reference)
        values = {"reference": reference, "others": others}
        on_note(Note("several-references", values))
    scores = list(folder.metrics)
    if inputs.scores:
        scores += _file_scores(inputs, langpair, segment_names(testset), named=False)
    scores = _directed(inputs, scores)
    return PairInput(humans, testset, scores, references=folder.references)


def _directed(inputs: Inputs, scores: Sequence[MetricScores]) -> list[MetricScores]:
    """Return scores of a folder whose directions are what the user says."""
    check_directions(inputs.lower_is_better, inputs.higher_is_better)
    known = {metric.name for metric in scores}
    rises: dict[str, bool] = {}
    for option, how in (("lower_is_better", "falling"), ("higher_is_better", "rising")):
        names: Sequence[str] = getattr(inputs, option)
        unknown = [name for name in names if name not in known]
        if unknown:
            message = f"there are no scores of {', '.join(unknown)}, listed as {how}"
            raise InputError(message, options=(option,))
        rises.update(dict.fromkeys(names, how == "rising"))
    return [
        replace(metric, higher_is_better=rises[metric.name], guessed=False)
        if metric.name in rises
        else metric
        for metric in scores
    ]


def _note_falling(
    pairs: Sequence[PairInput], rising: Sequence[str], on_note: OnNote
) -> None:
    """Note metrics that usually fall with quality; submissions may negate them.

    Users who say that a metric rises need not be told.
    """
    from tertium.metrics.registry import metric_class

    scores = [each for pair in pairs for each in pair.scores]
    for name in dict.fromkeys(each.name for each in scores if each.guessed):
        on_note(Note("metric-taken-to-fall", {"metric": name}))
    for name in dict.fromkeys(each.name for each in scores if each.higher_is_better):
        falls = is_error_metric(name)
        with suppress(InputError):  # not a metric of ours
            falls |= not metric_class(name.partition(":")[0]).higher_is_better
        if falls and name not in rising:
            on_note(Note("metric-taken-to-rise", {"metric": name}))

# SPDX-License-Identifier: Apache-2.0
"""Correlation of metrics with human judgements, from files or tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium.data.layers import LayerFiles
from tertium.data.testset import Testset
from tertium.errors import InputError, UnknownNameError
from tertium.meta.correlations import correlate_evaluations
from tertium.meta.families import FAMILIES, family_tests
from tertium.meta.gaps import gaps
from tertium.meta.hypotheses import hypotheses
from tertium.meta.inputs.evaluations import Design, evaluations_of
from tertium.meta.inputs.pairs import Inputs, read_pairs
from tertium.meta.questions import cross_tables

if TYPE_CHECKING:
    from tertium.data.layers import SystemPaths
    from tertium.data.lines import Paths
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.hypotheses import Hypothesis
    from tertium.meta.inputs.judged import JudgementsLike
    from tertium.meta.inputs.pairs import PairInput, StrPath
    from tertium.meta.inputs.testsets import OnNote, TestsetLike
    from tertium.meta.results import Correlations
    from tertium.metrics import Metric
    from tertium.notes import Note
    from tertium.stats.resample import Report

__all__ = ["correlate"]


def correlate(
    testsets: TestsetLike | Sequence[TestsetLike] = (),
    judgements: JudgementsLike | None = None,
    *,
    metrics: Sequence[str | Metric] = (),
    alignments: SystemPaths | None = None,
    one_based: bool = False,
    sure_only: bool = False,
    trees: SystemPaths | None = None,
    ref_trees: Paths | None = None,
    sets: Sequence[StrPath] = (),
    scores: Sequence[StrPath] = (),
    human_scores: Sequence[StrPath] = (),
    mtme: StrPath | None = None,
    langpair: str | Sequence[str] | None = None,
    only: Sequence[str] = (),
    gold: str | Sequence[str] | None = None,
    human: str | None = None,
    unit: str | Sequence[str] = "item",
    reference: str | None = None,
    test_set: str | None = None,
    domain: str | None = None,
    lower_is_better: Sequence[str] = (),
    higher_is_better: Sequence[str] = (),
    missing: str = "error",
    least: int = 1,
    coef: Sequence[str] | None = None,
    exclude: Sequence[str] = (),
    slice: str | None = None,  # noqa: A002
    probes: bool = True,
    resamples: int = 1000,
    over: str | None = None,
    slow: bool = False,
    confidence: float = 0.95,
    test: str | None = None,
    trials: int | None = None,
    correction: str = "holm",
    average_without: Sequence[str] = (),
    gap: Sequence[str] = (),
    families: bool | str = False,
    data_hash: bool = False,
    systems_columns: Sequence[str] | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Report | None = None,
    on_note: OnNote | None = None,
) -> Correlations:
    """Return how metrics correlate with human judgements.

    Test sets and judgements are paired by language pair, which file names such as
    ``de-en.tsv`` state. Everything is read and checked before metrics are run.

    Parameters
    ----------
    testsets : Testset or path, or sequence of them
        Texts to score, one test set per language pair; ``"demo"`` is the bundled one,
        with its judgements. Not needed where all scores come from files.
    judgements : Judgements, or paths of files and stores
    metrics : sequence of str or Metric
        Metrics to run.
    alignments, one_based, sure_only, trees, ref_trees, sets
        Word links, dependency trees and reference sets of the only test set, as in
        :func:`tertium.read`.
    scores : sequence of paths
        Score files (see :func:`tertium.meta.read_scores`).
    human_scores : sequence of paths
        Official system scores, instead of those from the judgements. Without
        judgements, only systems are compared.
    mtme : path, optional
        A folder of mt-metrics-eval, which brings texts, judgements and scores.
    langpair : str or sequence of str, optional
        The language pairs to compare; by default all that have texts and judgements.
    only : sequence of str
        Judgements to use, as in :meth:`tertium.Judgements.read`.
    gold : str or sequence of str, optional
        Which judgements: ``rankings``, ``ratings``, ``spans``, or a scale. Several are
        compared side by side, under the name of the language pair and theirs;
        `questions` of the result counts their answers.
    human : str, optional
        How outputs and systems get scores (see
        :func:`tertium.meta.human_judgements`); ``judge`` and ``judge+segment`` adjust
        ratings by a mixed model.
    unit : {"item", "judgement"} or both
        Whether a metric is correlated with the mean of every output, or with every
        single judgement; the latter for coefficients over all outputs at once, or by
        system.
    reference : str, optional
        The reference of `mtme` that metrics use, and of `scores`, if these have
        several.
    test_set, domain : str, optional
        The test set and the domain of `scores`, if these have several.
    lower_is_better : sequence of str
        Metrics of `scores` that fall with quality.
    higher_is_better : sequence of str
        Metrics of `scores` that rise with quality, whatever their name or file says.
    missing : {"error", "drop"}
        What to do about outputs that were judged and not scored.
    least : int
        With ``drop``, leave out metrics that scored fewer judged outputs.
    coef : sequence of str, optional
        Names of ``tertium.meta.COEFFICIENTS``, or ``["all"]``.
    exclude : sequence of str
        Systems to leave out.
    slice : str, optional
        Compare parts of the test set (see :mod:`tertium.meta.slices`).
    probes : bool
        Whether to add metrics that ignore quality, which show what a coefficient is
        worth.
    resamples, over, slow, confidence, test, trials, correction
        As in :func:`tertium.meta.correlate_evaluations`.
    average_without : sequence of str
        Language pairs that averages leave out.
    gap : sequence of str
        Metrics whose differences to compare with human preferences.
    families : bool or {"metric", "variant"}
        Whether to compare families: metrics that differ in settings only (True,
        ``metric``), or only in parser, aligner and the like (``variant``), which also
        tests hypotheses (see :mod:`tertium.meta.hypotheses`).
    data_hash : bool
        Whether the result names the test sets by the hashes of their references; see
        :mod:`tertium.data.data_hash`.
    systems_columns : sequence of str, optional
        As in :func:`tertium.read`.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with what is counted, how many are done, and how many there are.
    on_note : callable, optional
        Called with every note on the inputs as soon as it is known; they are also in
        the result.

    Returns
    -------
    Correlations

    Raises
    ------
    InputError
        If there is nothing to compare, or inputs do not fit together.

    Examples
    --------
    >>> import tertium
    >>> result = tertium.correlate(
    ...     "demo", metrics=["bleu", "chrf"], coef=["pearson"], resamples=0
    ... )
    >>> round(result.get("en-de", "chrf", "pearson").value, 3)
    0.988
    """
    if not 0 < confidence < 1:
        message = f"confidence is {confidence:g}; choose a number from 0 to 1"
        raise InputError(message, options=("confidence",))
    shared = "metric" if families is True else families or ""
    if shared and shared not in FAMILIES:
        raise UnknownNameError("kind of family", shared, FAMILIES)
    notes: list[Note] = []

    def add_note(note: Note) -> None:
        notes.append(note)
        if on_note is not None:
            on_note(note)

    alone = isinstance(testsets, (str, os.PathLike, Testset))
    inputs = Inputs(
        testsets=[testsets] if alone else testsets,  # type: ignore[list-item, arg-type]
        judgements=judgements,
        langpair=[langpair] if isinstance(langpair, str) else langpair or (),
        only=only,
        gold=[gold] if isinstance(gold, str) else gold or (),
        human=human,
        human_scores=human_scores,
        mtme=mtme,
        scores=scores,
        test_set=test_set,
        reference=reference,
        domain=domain,
        lower_is_better=lower_is_better,
        higher_is_better=higher_is_better,
        systems_columns=systems_columns,
        slice=slice,
        metrics=metrics,
        layers=LayerFiles(
            alignments=alignments,
            one_based=one_based,
            sure_only=sure_only,
            trees=trees,
            ref_trees=ref_trees,
            sets=list(sets),
        ),
    )
    design = Design(
        coef=coef,
        exclude=exclude,
        missing=missing,
        least=least,
        slice=slice,
        probes=probes,
        over=over,
        resamples=resamples,
        gap=gap,
        average_without=average_without,
        unit=[unit] if isinstance(unit, str) else unit,
    )
    pairs = read_pairs(inputs, on_note=add_note, progress=progress)
    hashes = _hashes(pairs) if data_hash else {}
    evaluations = evaluations_of(
        pairs,
        metrics,
        design,
        on_note=add_note,
        threads=threads,
        progress=progress,
    )
    result = correlate_evaluations(
        evaluations,
        coefficients=coef,
        resamples=resamples,
        over=over,
        slow=slow,
        confidence=confidence,
        seed=seed,
        test=test,
        trials=trials,
        correction=correction,
        threads=threads,
        progress=progress,
    )
    return replace(
        result,
        evaluations=tuple(evaluations),
        input_notes=tuple(notes),
        gaps={name: tuple(gaps(evaluations, name)) for name in gap},
        families=tuple(family_tests(result, FAMILIES[shared])) if shared else None,
        family_by=shared or "metric",
        hypotheses=_hypotheses(result, evaluations) if shared == "variant" else None,
        questions=tuple(cross_tables(evaluations)),
        average_without=tuple(average_without),
        data=hashes,
    )


def _hashes(pairs: Sequence[PairInput]) -> dict[str, str]:
    """Return the hashes of the references by language pair."""
    from tertium.data.data_hash import data_hash

    hashes = {}
    for pair in pairs:
        name = pair.humans[0].langpair or "all"
        if pair.testset is None or not any(pair.testset.references):
            message = (
                f"there are no references of {name} to hash; give its test set, or "
                "omit the data hash"
            )
            raise InputError(message, options=("data_hash",))
        hashes[name] = data_hash(pair.testset.references)
    return hashes


def _hypotheses(
    result: Correlations, evaluations: Sequence[Evaluation]
) -> tuple[Hypothesis, ...]:
    questions = {}
    for both in evaluations:
        human = both.human
        if human.question is not None:
            name, base = str(human.langpair), str(human.base or "all")
            rest = name.removeprefix(f"{base} {human.question}")
            questions[name] = f"{base}{rest}", human.question
    return tuple(hypotheses(result, questions))

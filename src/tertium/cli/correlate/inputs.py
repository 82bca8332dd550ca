# SPDX-License-Identifier: Apache-2.0
"""What ``tertium correlate`` compares: judgements, texts and scores of every pair."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tertium.cli.correlate.slices import ratings_by_judge, sliced
from tertium.cli.shared.mtme import remark_reference
from tertium.cli.shared.remarks import remark, remark_notes
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements import Judgements
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.human import Human
    from tertium.meta.scores import MetricScores
    from tertium.stats.resample import Report

__all__ = ["common_pairs", "evaluations", "read_testset", "testsets_by_pair"]

_KINDS = ("rankings", "ratings", "spans")


class _Input(NamedTuple):
    human: Human
    testset: Testset | None
    scores: list[MetricScores]  # of files; metrics of -m are run later
    by_judge: tuple[Human, ...] = ()  # of ratings, if --slice asks for groups of judges
    references: tuple[str, ...] = ()  # names that scores may have among systems


def evaluations(
    args: argparse.Namespace, progress: Report | None = None
) -> list[Evaluation]:
    """Return one evaluation a language pair, or a slice of one.

    Everything is read, put together and checked once with made-up scores before
    metrics are run, which may take long: mistakes should not cost that time.
    """
    from tertium.cli.correlate.checks import check
    from tertium.meta import run_metrics

    if args.lower_is_better and not args.scores and args.mtme is None:
        raise InputError("--lower-is-better is about metrics of --scores; give those")
    _check_choice(args)
    inputs = _inputs(args)
    _remark_falling(args, inputs)
    if not args.metrics:
        found = [one for each in inputs for one in _evaluated(args, each, [])]
        check(args, found)
        return found
    made_up = [
        one for each in inputs for one in _evaluated(args, each, _made_up(args, each))
    ]
    check(args, made_up)
    return [
        one
        for each in inputs
        for one in _evaluated(
            args,
            each,
            run_metrics(
                _texts(each), args.metrics, threads=args.threads, progress=progress
            ),
        )
    ]


def _check_choice(args: argparse.Namespace) -> None:
    """Raise an error for a choice among scores that are not there."""
    choices = {
        "--test-set": args.test_set and not args.human_scores,
        "--domain": args.domain,
        "--reference": args.reference and args.mtme is None,
    }
    for option, wanted in choices.items():
        if wanted and not args.scores:
            raise InputError(f"{option} chooses among scores of --scores; give those")


def _evaluated(
    args: argparse.Namespace, given: _Input, run: list[MetricScores]
) -> list[Evaluation]:
    """Return people, metrics and probes side by side, in slices."""
    from tertium.meta.correlations import needs_segments
    from tertium.meta.evaluation import evaluation
    from tertium.meta.probes import probes

    testset, scores = given.testset, [*run, *given.scores]
    if not scores:
        message = "no scores of metrics; name metrics (-m) or files (--scores)"
        raise InputError(message)

    def with_metrics(human: Human) -> Evaluation:
        own = scores if args.no_probes else [*scores, *probes(human, testset)]
        return evaluation(
            human,
            own,
            exclude=args.exclude,
            references=given.references,
            missing=args.missing,
            least=args.least,
            segments=needs_segments(human, args.coef),
        )

    if given.by_judge:
        return [with_metrics(human) for human in given.by_judge]
    return sliced(with_metrics(given.human), testset, args.slice)


def _made_up(args: argparse.Namespace, given: _Input) -> list[MetricScores]:
    """Return scores of all that metrics of -m will score, under their names."""
    from tertium.engine.inputs import as_metrics
    from tertium.meta.scores import MetricScores, segment_names

    testset = _texts(given)
    system = dict.fromkeys(testset.systems, 0.0)
    segment = dict.fromkeys(segment_names(testset), 0.0)
    return [
        MetricScores(spec, system, dict.fromkeys(system, segment))
        for spec in as_metrics(args.metrics)
    ]


def _texts(given: _Input) -> Testset:
    if given.testset is None:
        pair = given.human.langpair
        raise InputError(f"no texts of {pair} to run metrics on; give its test set")
    return given.testset


def _inputs(args: argparse.Namespace) -> list[_Input]:
    if args.mtme is not None:
        return _from_mtme(args)
    testsets = _with_sets(args, testsets_by_pair(args.testsets, args))
    if not testsets and not args.scores:
        message = (
            "nothing to compare; give test sets and metrics (-m), or --scores, and "
            "judgements (-J); try: tertium correlate demo -m bleu chrf"
        )
        raise InputError(message)
    judgements = _judgements(args)
    known = _known_pairs(args, judgements)
    if list(testsets) == [None] and len(args.langpair or known) == 1:
        testsets = {(args.langpair or known)[0]: testsets[None]}
    pairs = args.langpair or common_pairs(args, known, testsets)
    return [_pair(args, judgements, testsets.get(pair), pair) for pair in pairs]


def testsets_by_pair(
    named: Sequence[str], args: argparse.Namespace
) -> dict[str | None, Testset]:
    """Return the test sets of some files by language pair."""
    found: dict[str | None, Testset] = {}
    paths: dict[str | None, str] = {}
    for path in named:
        testset = read_testset(path, args)
        pair = testset.langpair
        if pair in found:
            message = (
                f"{paths[pair]} and {path} are both of {pair or 'no language pair'}; "
                "give one test set a language pair, and name files such as de-en.tsv"
            )
            raise InputError(message)
        found[pair], paths[pair] = testset, path
    return found


def _with_sets(
    args: argparse.Namespace, testsets: dict[str | None, Testset]
) -> dict[str | None, Testset]:
    """Return the test set with the sets of references of --sets, if there are any."""
    from tertium.cli.shared.layers import metric_parts
    from tertium.cli.shared.set_layer import check_sets, set_paths, testset_with_sets
    from tertium.engine.inputs import as_metrics

    paths = set_paths(args)
    if not paths:
        return testsets
    if len(testsets) != 1:
        message = f"--sets are of one test set, and there are {len(testsets)}; give one"
        raise InputError(message)
    ((pair, testset),) = testsets.items()
    if args.metrics:
        metrics = as_metrics(args.metrics).values()
        named = [part for metric in metrics for part in metric_parts(metric)]
        check_sets(args, named, needed=not all(testset.references))
    return {pair: testset_with_sets(testset, paths, args)}


def read_testset(path: str, args: argparse.Namespace) -> Testset:
    """Return a test set, or `demo`, with the language pair that its name states.

    Raises
    ------
    InputError
        If it cannot be read, or holds judgements.
    """
    import tertium
    from tertium.judgements.formats.names import file_langpair
    from tertium.judgements.reading import reject_judgements

    try:
        testset = tertium.read(path, systems_columns=args.systems_columns)
    except InputError:
        reject_judgements(path)
        raise
    if not any(testset.references):
        reject_judgements(path)  # a list of pairs looks like a table of systems
    remark_notes(args, testset)
    if testset.langpair is None:
        testset = replace(testset, langpair=file_langpair(path))
    return testset


def _judgements(args: argparse.Namespace) -> Judgements | None:
    from tertium.cli.judgements.reading import read

    if args.judgements:
        found = read(args.judgements, args, only=args.only)
    elif args.testsets == ["demo"]:
        args.gold = args.gold or "rankings"
        found = read(["demo"], args, only=args.only)
    elif args.human_scores:
        return None
    else:
        raise InputError("no judgements; name files or stores with -J")
    campaigns = found.names("campaign")
    if len(campaigns) > 1:
        message = (
            f"judgements of several campaigns ({', '.join(campaigns)}), whose segments "
            f"are not the same; choose one with --only campaign={campaigns[0]}"
        )
        raise InputError(message)
    if len(found.levels()) > 1:
        message = (
            "there are rankings of whole segments and of parts of them; choose those "
            "of segments with --only part=, those of parts with --only part=*"
        )
        raise InputError(message)
    return found


def _known_pairs(args: argparse.Namespace, judgements: Judgements | None) -> list[str]:
    if judgements is not None:
        return judgements.names("langpair")
    from tertium.meta import read_scores

    found = read_scores(args.human_scores, testset=args.test_set)
    pairs = {scores.langpair for scores in found}
    return sorted(pair for pair in pairs if pair is not None)


def common_pairs(
    args: argparse.Namespace, known: list[str], testsets: dict[str | None, Testset]
) -> list[str | None]:
    """Return the language pairs with texts and judgements; say what has no partner."""
    if not known or not testsets:
        return list(known) or list(testsets)
    pairs = [pair for pair in testsets if pair in known]
    named = [str(pair or "unnamed") for pair in testsets]
    if not pairs:
        message = (
            f"judgements are of {', '.join(known)}, test sets of {', '.join(named)}; "
            "name files after their language pair, such as de-en.tsv, or choose with -l"
        )
        raise InputError(message)
    alone = [pair for pair in known if pair not in testsets]
    if alone:
        remark(args, f"no test set of {', '.join(alone)}; left out")
    unjudged = [str(pair or "unnamed") for pair in testsets if pair not in known]
    if unjudged:
        remark(args, f"no judgements of {', '.join(unjudged)}; left out")
    return list(pairs)


def _pair(
    args: argparse.Namespace,
    judgements: Judgements | None,
    testset: Testset | None,
    langpair: str | None,
) -> _Input:
    from tertium.meta import Human, human_judgements, read_scores
    from tertium.meta.human import official
    from tertium.meta.scores import segment_names

    def scored(some: Judgements) -> Human:
        human = human_judgements(
            some,
            langpair=langpair,
            kind=args.gold if args.gold in _KINDS else "ratings" if args.gold else None,
            scale=None if args.gold in _KINDS else args.gold,
            method=args.human,
        )
        return official(human, found) if args.human_scores else human

    found = []
    if args.human_scores:
        found = read_scores(args.human_scores, langpair=langpair, testset=args.test_set)
    by_judge: tuple[Human, ...] = ()
    if judgements is None:
        human = official(Human((), (), "no judgements", langpair=langpair), found)
    else:
        human = scored(judgements)
        if (
            human.comparisons is None
            and (args.slice or "").partition("=")[0] == "judge"
        ):
            by_judge = tuple(ratings_by_judge(judgements, args.slice, langpair, scored))
    scores = []
    if args.scores:
        names = None if testset is None else segment_names(testset)
        scores = _file_scores(args, langpair, names, args.lower_is_better)
    return _Input(human, testset, scores, by_judge)


def _file_scores(
    args: argparse.Namespace,
    langpair: str | None,
    segments: Sequence[str] | None,
    falling: Sequence[str],
) -> list[MetricScores]:
    from tertium.meta import read_scores

    return read_scores(
        args.scores,
        langpair=langpair,
        segments=segments,
        lower_is_better=falling,
        testset=args.test_set,
        reference=args.reference,
        domain=args.domain,
    )


def _remark_falling(args: argparse.Namespace, inputs: Sequence[_Input]) -> None:
    """Warn of names that fall with quality here; submissions may have turned them."""
    from tertium.metrics.registry import metric_class

    every = (scores for given in inputs for scores in given.scores)
    for name in dict.fromkeys(each.name for each in every if each.higher_is_better):
        try:
            falls = not metric_class(name.partition(":")[0]).higher_is_better
        except InputError:
            continue  # a name of somebody else's
        if falls:
            remark(
                args,
                f"{name} of --scores is taken to rise with quality; if it falls, add "
                f"--lower-is-better {name}",
            )


def _from_mtme(args: argparse.Namespace) -> list[_Input]:
    from tertium.meta.mtme import human_of, read_mtme
    from tertium.meta.scores import segment_names

    ignored = {
        "test sets": args.testsets,
        "-J": args.judgements,
        "--human-scores": args.human_scores,
        "--human": args.human,
        "--only": args.only,
        "--sets": args.sets,
    }
    for name, value in ignored.items():
        if value:
            raise InputError(f"--mtme brings everything; leave out {name}")
    if not args.langpair:
        raise InputError("--mtme needs a language pair; name one with -l, as -l en-de")
    found = []
    for langpair in args.langpair:
        folder = read_mtme(args.mtme, langpair)
        human = human_of(folder, args.gold)
        testset = folder.texts.against(args.reference)
        if args.metrics:
            remark_reference(args, folder.texts)
        scores = list(folder.metrics)
        if args.scores:
            scores += _file_scores(args, langpair, segment_names(testset), ())
        known = {metric.name for metric in scores}
        unknown = [name for name in args.lower_is_better if name not in known]
        if unknown:
            raise InputError(f"no scores of {', '.join(unknown)}, said to fall")
        scores = [
            replace(metric, higher_is_better=metric.name not in args.lower_is_better)
            for metric in scores
        ]
        found.append(_Input(human, testset, scores, references=folder.references))
    return found

# SPDX-License-Identifier: Apache-2.0
"""The loop: decode, merge the lists with those before, tune, decode again (Och, 2003).

Iteration 0 decodes with the start weights. The score of an iteration is that of the
decoder's first hypotheses, not the one that tuning predicts on merged lists, so the
weights that win were tried on the decoder. Whatever happens, the folder of the run can
go on: the lists and weights of every finished step are in it, and tuning depends on
nothing else.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.tuning.decoding.decoder import Decoder
from tertium.tuning.decoding.folder import RunFolder
from tertium.tuning.decoding.results import DecoderRun, Iteration

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.tuning.lists import NBestList

__all__ = ["read_run", "tune_decoder"]


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What a run works on."""

    decoder: Decoder
    folder: RunFolder
    references: Sequence[Sequence[str]]
    metric: Metric
    method: str
    options: Mapping[str, object]
    step: float
    seed: int
    threads: int | None
    progress: Callable[[str, int, int | None], None] | None


@dataclass(frozen=True)
class _Limits:
    """When a run ends."""

    iterations: int
    tolerance: float
    early_stop: int | None


def tune_decoder(
    decoder: str,
    references: Sequence[str | Sequence[str]],
    *,
    folder: str | Path,
    start: Mapping[str, float],
    metric: str = "bleu",
    method: str = "mert",
    source: str | None = None,
    options: Mapping[str, object] | None = None,
    step: float = 1.0,
    iterations: int = 15,
    tolerance: float = 1e-4,
    early_stop: int | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[str, int, int | None], None] | None = None,
    watch: Callable[[DecoderRun], None] | None = None,
) -> DecoderRun:
    """Tune the weights of a decoder that is run again and again.

    Parameters
    ----------
    decoder : str
        A shell command, see :class:`~tertium.tuning.decoding.decoder.Decoder`.
    references : sequence of str, or of sequences of str
        One or several per segment, in the order of the decoder's lists.
    folder : path
        Where the run lives. A folder with an unfinished run is continued.
    start : mapping of str to float
        A weight for every feature.
    metric : str
        The spec of a metric.
    method : str
        As in :func:`tertium.tuning.tune.tune`.
    source : str, optional
        The source file, for the place ``{source}`` of the command.
    options : mapping of str to object, optional
        Further arguments of :func:`tertium.tuning.tune.tune`.
    step : float
        How far to go from the weights of an iteration to the tuned ones: 1 takes these
        as they are, and 0.5 the middle. Less is steadier where lists are short and
        weights are free to jump.
    iterations : int
        How often to tune at most. The decoder runs once more, under the last weights.
    tolerance : float
        Stop when no weight changes by more, where absolute weights add up to 1.
    early_stop : int, optional
        Stop when the score has not risen for so many iterations.
    seed : int
        Iteration n uses seed + n.
    threads : int, optional
    progress : callable, optional
        Called with what is counted, how many are done, and of how many.
    watch : callable, optional
        Called with the run after every iteration.

    Returns
    -------
    DecoderRun

    Raises
    ------
    InputError
        When the decoder fails, its lists do not fit the references or the weights, or
        the folder has a run with other settings.
    """
    from tertium.metrics import metric as load

    if not 0 < step <= 1:
        message = f"step is {step}; give more than 0 and at most 1"
        raise InputError(message, options=("step",))
    if not any(ref.split() for refs in references for ref in _listed(refs)):
        raise InputError("the references have no words; give others")
    task = _Task(
        decoder=Decoder(decoder, source),
        folder=RunFolder(Path(folder)),
        references=list(map(_listed, references)),
        metric=load(metric).prepare([*references]),
        method=method,
        options=dict(options or {}),
        step=step,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    settings = {
        "decoder": decoder,
        "source": source,
        "references": _fingerprint(task.references),
        "metric": metric,
        "method": method,
        "options": task.options,
        "step": step,
        "seed": seed,
        "start": dict(start),
    }
    run = DecoderRun(
        settings=settings,
        higher_is_better=task.metric.higher_is_better,
        iterations=(),
        stopped="running",
    )
    limits = _Limits(iterations, tolerance, early_stop)
    with task.folder.opened(settings):
        for longer in _iterated(task, run, limits, start):
            run = longer
            task.folder.log(run.iterations, run.final)
            if watch is not None:
                watch(run)
    return run


def read_run(folder: str | Path) -> DecoderRun:
    """Return the run in a folder as far as it got.

    Parameters
    ----------
    folder : path
        Of :func:`tune_decoder`.

    Raises
    ------
    InputError
        When no iteration is finished, or the folder has no run.
    """
    from tertium.metrics import metric

    place = RunFolder(Path(folder))
    settings = place.settings()
    rows = place.all_finished()
    if not rows:
        message = f"the run in {folder} has no finished iteration; start it again"
        raise InputError(message)
    return DecoderRun(
        settings=settings,
        higher_is_better=metric(str(settings["metric"])).higher_is_better,
        iterations=tuple(rows),
        stopped="running",
    )


# ---------------------------------------------------------------------------- steps


def _iterated(
    task: _Task, run: DecoderRun, limits: _Limits, start: Mapping[str, float]
) -> Iterator[DecoderRun]:
    """Yield the run after every iteration, until it ends."""
    weights, pool = start, None
    while run.stopped == "running":
        number = len(run.iterations)
        if task.progress is not None:
            task.progress("iterations", number, limits.iterations)
        fresh = _decoded(task, number, weights)
        pool, new = _merged(pool, fresh)
        row = task.folder.finished(number) or _measured(
            task, fresh, number=number, weights=weights, new=new, pool=pool
        )
        last = number >= limits.iterations or _at_rest(row, task.step)
        if row.tuned is None and not last:
            row = _tuned(task, row, pool)
        task.folder.finish(row)
        run = replace(run, iterations=(*run.iterations, row))
        run = replace(run, stopped=_stop(run, limits, task.step))
        weights = row.tuned or weights
        yield run


def _decoded(task: _Task, number: int, weights: Mapping[str, float]) -> list[NBestList]:
    """Return the lists of the decoder under weights."""
    from tertium.tuning.lists import feature_names
    from tertium.tuning.reading import attach_references, read_nbest

    def read(path: Path) -> list[NBestList]:
        lists = read_nbest(path)
        names = feature_names(lists)
        if set(names) != set(weights):
            message = (
                f"{path} has the features {' '.join(names)}, but there are start "
                f"weights for {' '.join(weights)}; give one start weight per feature"
            )
            raise InputError(message, options=("start",))
        return attach_references(lists, task.references)

    text = json.dumps(dict(weights), ensure_ascii=False, indent=2) + "\n"
    return task.folder.decoded(
        task.decoder, number, text, read=read, progress=task.progress
    )


def _merged(
    before: Sequence[NBestList] | None, fresh: Sequence[NBestList]
) -> tuple[list[NBestList], int]:
    """Return lists without duplicates, and how many hypotheses are new."""
    from tertium.tuning.merging import deduplicate, merge_lists

    known = 0 if before is None else sum(map(len, before))
    groups = (
        [[each] for each in fresh]
        if before is None
        else [list(pair) for pair in zip(before, fresh, strict=True)]
    )
    merged = deduplicate([merge_lists(group) for group in groups])
    return merged, sum(map(len, merged)) - known


def _measured(
    task: _Task,
    fresh: Sequence[NBestList],
    *,
    number: int,
    weights: Mapping[str, float],
    new: int,
    pool: Sequence[NBestList],
) -> Iteration:
    """Return an iteration before tuning: what the decoder's first hypotheses score."""
    from tertium.tuning.judged.metrics import hit_rate

    hyps = [each.texts[0] for each in fresh]
    sums = task.metric.statistics(hyps, task.references, threads=task.threads).sum(0)
    score = task.metric.corpus_score(hyps, task.references, threads=task.threads)
    if math.isnan(score):
        message = (
            f"{task.metric.name} is not defined for the decoder's outputs in iteration "
            f"{number}; look at {task.folder.iteration(number)}/nbest"
        )
        raise InputError(message)
    return Iteration(
        number=number,
        weights=dict(weights),
        score=score,
        length_ratio=_length_ratio(hyps, task.references),
        hit_rate=hit_rate(task.metric, sums.tolist()),
        hypotheses=sum(map(len, pool)),
        new=new,
    )


def _tuned(task: _Task, row: Iteration, pool: Sequence[NBestList]) -> Iteration:
    """Return an iteration with the weights that tuning makes of all lists."""
    from tertium.tuning.tune import tune

    result = tune(
        pool,
        metric=task.metric,
        method=task.method,
        start=row.weights,
        seed=task.seed + row.number,
        threads=task.threads,
        progress=task.progress,
        **task.options,  # type: ignore[arg-type]
    )
    tuned = _between(row.weights, result.final.weights, task.step)
    return replace(
        row,
        predicted=result.final.score,
        tuned=tuned,
        change=_change(row.weights, tuned),
    )


def _at_rest(row: Iteration, step: float) -> bool:
    """Return whether tuning again would start and end where it did before."""
    return not row.new and step == 1


def _stop(run: DecoderRun, limits: _Limits, step: float) -> str:
    """Return why a run ends after its last iteration, or that it does not."""
    row = run.iterations[-1]
    if _at_rest(row, step):
        return "no-new-hypotheses"
    if row.change is not None and row.change <= limits.tolerance:
        return "converged"
    idle = row.number - run.final.number
    if limits.early_stop is not None and idle >= limits.early_stop:
        return "no-gain"
    return "iterations" if row.number >= limits.iterations else "running"


# -------------------------------------------------------------------------- figures


def _length_ratio(hyps: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    words = total = 0
    for hyp, refs in zip(hyps, references, strict=True):
        length = len(hyp.split())
        words += length
        # Of two at the same distance the shorter, as in BLEU.
        total += min(
            (len(ref.split()) for ref in refs), key=lambda n: (abs(n - length), n)
        )
    return words / max(total, 1)


def _listed(refs: str | Sequence[str]) -> Sequence[str]:
    return (refs,) if isinstance(refs, str) else refs


def _change(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Return the largest change of a weight; the scale of weights has no effect."""
    old, now = _scaled(before), _scaled(after)
    return max(abs(now[name] - old[name]) for name in old)


def _between(
    before: Mapping[str, float], after: Mapping[str, float], share: float
) -> dict[str, float]:
    """Return weights a share of the way from some to others, on the same scale."""
    old, now = _scaled(before), _scaled(after)
    return {name: old[name] + share * (now[name] - old[name]) for name in old}


def _scaled(weights: Mapping[str, float]) -> dict[str, float]:
    total = math.fsum(map(abs, weights.values())) or 1.0
    return {name: value / total for name, value in weights.items()}


def _fingerprint(references: Sequence[Sequence[str]]) -> str:
    text = json.dumps([list(refs) for refs in references])
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

# SPDX-License-Identifier: Apache-2.0
"""Outputs judged by a model: answers turned into ratings and error spans."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tertium._seed import SEED
from tertium._version import __version__
from tertium.judgements.judgement import Judgement, Rating, Span
from tertium.llm.answer_log import Answered, AnswerLog
from tertium.llm.answers import (
    REASONS,
    Assessment,
    UnparsableError,
    parse_answer,
)
from tertium.llm.asking import Outcome, Progress, Request, ask_all
from tertium.llm.client import (
    Client,
    MalformedError,
    check_url,
    is_exposed,
    key_of,
    reply_of,
)
from tertium.llm.cost import Budget, Prices
from tertium.llm.demonstration import DEMO, Asker, DemoClient
from tertium.llm.outputs import OutputName, choose_outputs
from tertium.llm.planning import requests_for
from tertium.llm.prompts import Prompt
from tertium.llm.settings import JudgeSettings
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = [
    "Judging",
    "SystemMean",
    "Unparsable",
    "answer_all",
    "assessment_score",
    "budget_of",
    "judge_outputs",
    "read_answer",
]

_NO_ERROR = "no-error"
_FREE = Prices(0.0, 0.0)
_SHOWN = 120  # characters of an answer that a table shows


class Unparsable(NamedTuple):
    """An output whose answer has no value.

    Parameters
    ----------
    reason : str
        A key of :data:`tertium.llm.answers.REASONS`.
    answer : str
        How the answer begins.
    """

    system: str
    segment: str
    reason: str
    answer: str


class SystemMean(NamedTuple):
    """A system, how many of its outputs were judged, and their mean score."""

    system: str
    outputs: int
    judged: int
    mean: float | None


@dataclass(frozen=True)
class Judging:
    """What a model said about some outputs.

    Attributes
    ----------
    judgements : Judgements
    judge, prompt, scale : str
    outputs, judged : int
        How many were to be judged, and how many were.
    systems : sequence of SystemMean
    unparsable : sequence of Unparsable
    failed : sequence of (str, str, str)
        System, segment and message of outputs whose request was never answered.
    left : int
        Outputs that were not asked about, because of the limit of costs.
    unlocated : int
        Errors whose quotation is not in the text.
    asked, kept : int
        Requests that were answered now, and before.
    tokens_in, tokens_out : int
        Of the requests answered now.
    cost : float, optional
    retried : mapping of str to int
    notes : tuple of Note
    """

    judgements: Judgements
    judge: str
    prompt: str
    scale: str
    outputs: int
    judged: int
    systems: Sequence[SystemMean]
    unparsable: Sequence[Unparsable]
    failed: Sequence[tuple[str, str, str]]
    left: int
    unlocated: int
    asked: int
    kept: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    retried: Mapping[str, int]
    notes: tuple[Note, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every output was asked about and answered."""
        return not self.left and not self.failed

    @property
    def reasons(self) -> dict[str, int]:
        """How many answers have no value, by reason."""
        counts = Counter(each.reason for each in self.unparsable)
        return {reason: counts[reason] for reason in REASONS if counts[reason]}

    def to_dict(self) -> dict[str, object]:
        """Return the object that ``tertium judge -f json`` prints."""
        return {
            "tertium": __version__,
            "judge": self.judge,
            "prompt": self.prompt,
            "scale": self.scale,
            "outputs": self.outputs,
            "judged": self.judged,
            "left": self.left,
            "systems": [each._asdict() for each in self.systems],
            "unparsable": [each._asdict() for each in self.unparsable],
            "failed": [
                {"system": system, "segment": segment, "message": message}
                for system, segment, message in self.failed
            ],
            "unlocated": self.unlocated,
            "requests": {
                "asked": self.asked,
                "kept": self.kept,
                "retried": dict(self.retried),
                "tokens_in": self.tokens_in,
                "tokens_out": self.tokens_out,
                "cost": self.cost,
            },
        }


def judge_outputs(
    testset: Testset,
    settings: JudgeSettings,
    *,
    answers: str,
    judge: str | None = None,
    systems: Sequence[str] | None = None,
    sample: int | None = None,
    seed: int = SEED,
    like: Judgements | None = None,
    campaign: str | None = None,
    scale: str | None = None,
    ask_again: bool = False,
    progress: Progress | None = None,
) -> Judging:
    """Have a model judge the outputs of a test set.

    Parameters
    ----------
    testset : Testset
    settings : JudgeSettings
    answers : str
        The file where raw answers are kept. What it holds is not asked again, so that
        an interrupted run goes on.
    judge : str, optional
        What the judge is called; by default as the model.
    systems : sequence of str, optional
        Only these.
    sample : int, optional
        Only so many segments, chosen at random.
    seed : int
        Of the sample.
    like : Judgements, optional
        Judge the outputs that these judgements are about, and name campaign, document
        and segment as they do, so that agreement can be computed.
    campaign, scale : str, optional
        Names that overrule those of `like` and of the prompt.
    ask_again : bool
        Whether to ask again where the answer kept has no value.
    progress : callable, optional
        Called with how many requests are done, of how many.

    Raises
    ------
    InputError
        When there is nothing to judge, a text is missing, or the server accepts no
        request.
    InterruptedAsking
        After Ctrl-C (a KeyboardInterrupt); answers so far are kept.
    """
    from tertium.judgements.tables import Judgements, need_polars

    need_polars()
    prompt = settings.read_prompt()
    outputs, notes = choose_outputs(
        testset, systems=systems, sample=sample, seed=seed, like=like, campaign=campaign
    )
    requests = list(requests_for(testset, outputs, settings, prompt))
    langpair = settings.langpair or testset.langpair or outputs[0].langpair
    if not langpair and "target_language" in prompt.needs:
        notes = (*notes, Note("languages-unknown"))

    def texts(output: OutputName) -> tuple[str, str]:
        source = testset.sources[output.place] if testset.sources else ""
        return testset.systems[output.system][output.place], source

    def has_value(number: int, answered: Answered) -> bool:
        hypothesis, source = texts(outputs[number])
        assessment = read_answer(answered, prompt, hypothesis, source)
        return isinstance(assessment, Assessment)

    with AnswerLog(answers) as log:
        if log.broken:
            values = {"count": log.broken, "path": log.path}
            notes = (*notes, Note("broken-answers", values))
        again = {
            request.key
            for number, request in enumerate(requests)
            if ask_again
            and request.key in log.answers
            and not has_value(number, log.answers[request.key])
        }
        kept = {r.key for r in requests} & set(log.answers) - again
        before = {key: log.answers[key] for key in again}
        for key in again:
            del log.answers[key]
        outcome = answer_all(requests, settings, log, progress=progress)
        known = {**before, **log.answers}
    if is_exposed(settings.url) and settings.key_variable and outcome.answered:
        notes = (*notes, Note("key-in-the-clear"))
    if outcome.estimated:
        notes = (*notes, Note("tokens-estimated", {"count": outcome.estimated}))
    collected = _Collected(judge or settings.model, scale or prompt.scale, prompt)
    for output, request in zip(outputs, requests, strict=True):
        answered = known.get(request.key)
        if request.key in outcome.failed:
            message = outcome.failed[request.key]
            collected.failed.append((output.system, output.segment, message))
        elif answered is None:
            collected.left += 1
        else:
            collected.add(output, answered, *texts(output))
    return Judging(
        judgements=Judgements.from_iterable(collected.judgements),
        judge=collected.judge,
        prompt=prompt.name,
        scale=collected.scale,
        outputs=len(outputs),
        judged=sum(map(len, collected.scores.values())),
        systems=collected.means(Counter(output.system for output in outputs)),
        unparsable=collected.unparsable,
        failed=collected.failed,
        left=collected.left,
        unlocated=collected.unlocated,
        asked=outcome.answered,
        kept=len(kept),
        tokens_in=outcome.tokens_in,
        tokens_out=outcome.tokens_out,
        cost=None if settings.prices is None else outcome.spent,
        retried=dict(sorted(outcome.retried.items())),
        notes=notes,
    )


def answer_all(
    requests: Sequence[Request],
    settings: JudgeSettings,
    log: AnswerLog,
    *,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Ask what the log does not know, each request once.

    Parameters
    ----------
    requests : sequence of Request
    settings : JudgeSettings
    log : AnswerLog
    budget : Budget, optional
        What is left for several calls; by default that of the settings.
    progress : callable, optional
    """
    new = {r.key: r for r in requests if r.key not in log.answers}
    if not new:
        return Outcome()
    stop = threading.Event()
    client = _client(settings, stop)
    return ask_all(
        list(new.values()),
        client,
        log,
        budget=budget_of(settings) if budget is None else budget,
        concurrency=settings.concurrency,
        stop=stop,
        progress=progress,
    )


def budget_of(settings: JudgeSettings) -> Budget:
    """Return the money that a run may spend."""
    return Budget(settings.limit_cost, settings.prices or _FREE, settings.longest or 0)


def _client(settings: JudgeSettings, stop: threading.Event) -> Asker:
    if settings.url == DEMO:
        return DemoClient()
    return Client(
        check_url(settings.url),
        key=key_of(settings.key_variable),
        timeout=settings.timeout,
        retries=settings.retries,
        stop=stop,
    )


def read_answer(
    answered: Answered, prompt: Prompt, hypothesis: str, source: str
) -> Assessment | tuple[str, str]:
    """Return what a response says, or the reason why it has no value and its text."""
    try:
        reply = reply_of(answered.response)
    except MalformedError:
        return "empty", ""
    try:
        return parse_answer(
            reply.text,
            prompt,
            hypothesis=hypothesis,
            source=source,
            finish=reply.finish,
        )
    except UnparsableError as error:
        return error.reason, reply.text


def assessment_score(assessment: Assessment) -> float:
    """Return the score of an output: the one given, or else what the errors cost.

    Examples
    --------
    >>> assessment_score(Assessment(score=70.0)), assessment_score(Assessment())
    (70.0, 0.0)
    """
    from tertium.judgements.ranking.ratings import MqmWeights

    if assessment.score is not None:
        return assessment.score
    weights = MqmWeights()
    costs = (weights.cost(each.category, each.severity) for each in assessment.errors)
    return 0.0 - sum(costs)


class _Collected:
    """Judgements, and what did not become one."""

    def __init__(self, judge: str, scale: str, prompt: Prompt) -> None:
        self.judge = judge
        self.scale = scale
        self.judgements: list[Judgement] = []
        self.scores: dict[str, list[float]] = {}
        self.unparsable: list[Unparsable] = []
        self.failed: list[tuple[str, str, str]] = []
        self.left = 0
        self.unlocated = 0
        self._prompt = prompt
        self._meta = json.dumps({"prompt": f"{prompt.name} {prompt.fingerprint}"})

    def add(
        self, output: OutputName, answered: Answered, hypothesis: str, source: str
    ) -> None:
        """Read an answer."""
        result = read_answer(answered, self._prompt, hypothesis, source)
        if not isinstance(result, Assessment):
            reason, text = result
            shown = " ".join(text.split())[:_SHOWN]
            bad = Unparsable(output.system, output.segment, reason, shown)
            self.unparsable.append(bad)
            return
        self.unlocated += result.unlocated
        self.scores.setdefault(output.system, []).append(assessment_score(result))
        self.judgements += self._rows(output, answered, result)

    def _rows(
        self, output: OutputName, answered: Answered, assessment: Assessment
    ) -> Iterator[Judgement]:
        names = {
            "system": output.system,
            "segment": output.segment,
            "judge": self.judge,
            "document": output.document,
            "langpair": output.langpair,
            "campaign": output.campaign,
            "time": answered.time,
            "meta": self._meta,
        }
        if assessment.score is not None:
            yield Rating(score=assessment.score, scale=self.scale, **names)  # type: ignore[arg-type]
        if "errors" not in self._prompt.answer:
            return
        for error in assessment.errors:
            yield Span(
                category=error.category,
                severity=error.severity,
                start=error.start,
                end=error.end,
                side=error.side,
                text=error.text or None,
                **names,  # type: ignore[arg-type]
            )
        if not assessment.errors:
            yield Span(category=_NO_ERROR, severity=_NO_ERROR, **names)  # type: ignore[arg-type]

    def means(self, outputs: Mapping[str, int]) -> list[SystemMean]:
        """Return the systems, best first."""
        rows = []
        for system, number in outputs.items():
            scores = self.scores.get(system, [])
            mean = sum(scores) / len(scores) if scores else None
            rows.append(SystemMean(system, number, len(scores), mean))
        return sorted(rows, key=lambda row: -1e9 if row.mean is None else row.mean)[
            ::-1
        ]

# SPDX-License-Identifier: Apache-2.0
"""A language model as a metric: ``llm:config=judge.toml``.

Answers are kept in the log of the configuration, which ``tertium judge --settings``
fills too: what was judged once is not asked again. Scores are those of the prompt: ESA
or direct assessment from 0 to 100, for MQM what the errors cost, below 0.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, overload

from tertium._executor import report
from tertium._messages import count
from tertium.data.io import wants_demo
from tertium.errors import InputError
from tertium.llm.answer_log import AnswerLog, request_key
from tertium.llm.answers import REASONS, Assessment
from tertium.llm.demonstration import DEMO
from tertium.llm.judging import (
    answer_all,
    assessment_score,
    budget_of,
    read_answer,
)
from tertium.llm.planning import make_request
from tertium.llm.prompts import Prompt
from tertium.llm.settings import JudgeSettings, read_settings
from tertium.metrics import Metric, setting
from tertium.metrics.kernels import checked_rows
from tertium.metrics.settings import Value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.data.batch import Batch, References
    from tertium.llm.asking import Outcome, Request
    from tertium.llm.cost import Budget
    from tertium.metrics.base import Rows

__all__ = ["LlmJudge"]


class LlmJudge(Metric):
    """The scores of a model; the row is (score, 1), or (0, 0) without a score."""

    name = "llm"
    summary = "scores or errors by a language model on a server of your choice"
    formula = "mean of the model's scores, or of the costs of its errors, negative"
    paper = (
        "Kocmi and Federmann 2023, Large Language Models Are State-of-the-Art "
        "Evaluators of Translation Quality; Kocmi et al. 2024, Error Span Annotation"
    )
    equal_to = "what `tertium judge` stores"
    cost = "one request per different output"
    empty = "as the model judges it; 0 for an empty corpus"
    copy_exception = "the model may find errors in a reference"
    bounds = (-math.inf, 100.0)  # What errors cost is below 0, scores are not.
    example = "llm:config=demo"
    needs_source = True
    weight_column = 1
    weights_count_segments = True
    width = 2

    config: str = setting(
        "",
        "the settings of the judge, in TOML; `demo` judges by a rule, without a model",
        external=True,
    )
    ask_again: bool = setting(
        False, "whether to ask once more where the answer kept cannot be read"
    )

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        self._lock = threading.Lock()
        self._asked_again: set[str] = set()

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        """Whether the model is shown one."""
        return bool(self.config) and self._settings.show_reference

    @property
    def uses_references(self) -> bool:  # type: ignore[override]
        """Whether the model is shown one."""
        return self.needs_references

    @property
    def names_languages(self) -> bool:  # type: ignore[override]
        """Whether the prompt has those of the test set."""
        if not self.config or self._settings.langpair:
            return False
        return "target_language" in self._prompt.needs

    @property
    def unit(self) -> float:  # type: ignore[override]
        """100, or none for what errors cost."""
        counts_errors = bool(self.config) and self._prompt.answer == "errors"
        return math.nan if counts_errors else 100.0

    @cached_property
    def _read(self) -> tuple[JudgeSettings, str | None]:
        if not self.config:
            message = (
                "llm needs the settings of a judge in TOML, at least url and model; "
                "add config=FILE"
            )
            raise InputError(message)
        if wants_demo(self.config):
            return JudgeSettings(DEMO, DEMO), None
        return read_settings(self.config)

    @property
    def _settings(self) -> JudgeSettings:
        return self._read[0]

    @cached_property
    def _log(self) -> AnswerLog:
        return AnswerLog(self._read[1])

    @cached_property
    def _budget(self) -> Budget:
        # Of the metric, not of a chunk: a run has many.
        return budget_of(self._settings)

    @cached_property
    def _prompt(self) -> Prompt:
        return self._settings.read_prompt()

    def check_copies(self) -> None:
        """Raise an error if a copy could spend the limit of costs once more."""
        if self.config and self._settings.limit_cost is not None:
            message = (
                f"limit_cost in {self.config} counts the costs of one process, and "
                "every further one could spend as much again; score in one process, or "
                "judge first (`tertium judge --settings`) and remove limit_cost"
            )
            raise InputError(message)

    def contents(self) -> Mapping[str, str]:
        """Return the fingerprint of the prompt, which the configuration may name."""
        return {"prompt": self._prompt.fingerprint} if self.config else {}

    def resources(self) -> Mapping[str, str] | None:
        """Return that nothing is known about the model: answers have their own log."""
        return None

    def statistics(
        self,
        hyps: Sequence[str],
        refs: References,
        *,
        sources: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Rows:
        """Return one row per segment: its score and 1."""
        batch = self.checked([hyps], refs, sources=sources)
        return self.rows(batch, threads=threads)[0]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:  # noqa: ARG002
        """Return the rows of every system; all are asked about at once."""
        import numpy as np

        sources: Sequence[str] = self.extra_inputs(batch)["sources"]
        settings = self._settings
        requests = [
            make_request(
                settings,
                self._prompt,
                hypothesis=str(hyp),
                source=str(source),
                reference=_first(refs) if settings.show_reference else None,
                langpair=batch.langpair,
                about={"model": settings.model, "prompt": self._prompt.name},
            )
            for hyps in batch.systems
            for hyp, source, refs in zip(hyps, sources, batch.references, strict=True)
        ]
        texts = [
            (str(hyp), str(source))
            for hyps in batch.systems
            for hyp, source in zip(hyps, sources, strict=True)
        ]
        with self._lock, self._log as log:
            log.refresh()
            if self.ask_again:
                self._forget_unread(requests, texts, log)
            outcome = answer_all(
                requests,
                settings,
                log,
                budget=self._budget,
                progress=partial(report, f"answers of {settings.model}"),
            )
            _check_all_answered(outcome, log.path)
            answers = [log.answers[request.key] for request in requests]
        rows = np.zeros((len(requests), 2))
        reasons: Counter[str] = Counter()
        for row, answered, (hyp, source) in zip(rows, answers, texts, strict=True):
            result = read_answer(answered, self._prompt, hyp, source)
            if isinstance(result, Assessment):
                row[:] = assessment_score(result), 1
            else:
                reasons[result[0]] += 1
        if reasons and settings.unparsable == "error":
            raise InputError(self._unreadable(reasons, len(requests), log.path))
        return np.split(rows, len(batch.systems)) if len(batch.systems) else []

    def _forget_unread(
        self,
        requests: Sequence[Request],
        texts: Sequence[tuple[str, str]],
        log: AnswerLog,
    ) -> None:
        """Make the log forget answers that cannot be read, each of them once."""
        for request, text in zip(requests, texts, strict=True):
            answered = log.answers.get(request.key)
            if answered is None or request.key in self._asked_again:
                continue
            self._asked_again.add(request.key)
            if not isinstance(read_answer(answered, self._prompt, *text), Assessment):
                del log.answers[request.key]

    def _unreadable(self, reasons: Counter[str], total: int, place: str) -> str:
        listed = "; ".join(f"{REASONS[name]}: {n}" for name, n in reasons.most_common())
        again = f"ask again with the metric llm:config={self.config},ask_again=yes, or "
        return (
            f"{sum(reasons.values()):,} of {total:,} answers in {place} could not be "
            f"read ({listed}); {'' if self.ask_again else again}leave these segments "
            f'out: unparsable = "omit" in {self.config}'
        )

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the mean of the scores."""
        import numpy as np

        table = checked_rows(rows, self.width, metric=self)
        number = table[..., 1]
        score = np.divide(
            table[..., 0], number, out=np.zeros_like(number), where=number > 0
        )
        return float(score) if score.ndim == 0 else score

    def signature_fields(self) -> dict[str, str]:
        """Return what is asked, instead of the path of the configuration."""
        prompt = f"{self._prompt.name}({self._prompt.fingerprint})"
        return {
            "model": self._settings.model,
            "prompt": prompt,
            "ref": "yes" if self._settings.show_reference else "no",
            "langs": self._settings.langpair or "testset",
            "params": request_key(self._settings.sent)[:8],
        }

    @property
    def label(self) -> str:
        """The model and the scale."""
        if not self.config:
            return self.name
        return f"{self._settings.model} {self._prompt.scale}"


def _first(refs: str | Sequence[str]) -> str:
    return refs if isinstance(refs, str) else refs[0]


def _check_all_answered(outcome: Outcome, place: str) -> None:
    """Raise an error if a segment has no answer; the others are kept."""
    if outcome.left:
        message = (
            f"{count(outcome.left, 'request')} left at the limit of costs; answers are "
            f"kept in {place}: run the same command again, or raise limit_cost"
        )
        raise InputError(message)
    if outcome.failed:
        message = (
            f"{count(len(outcome.failed), 'request')} without answer: "
            f"{next(iter(outcome.failed.values()))}; the others are kept in {place}: "
            "run the same command again"
        )
        raise InputError(message)

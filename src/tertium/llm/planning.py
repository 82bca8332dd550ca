# SPDX-License-Identifier: Apache-2.0
"""What would be asked, and what that would cost, before anything is sent."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from tertium._seed import SEED
from tertium._version import __version__
from tertium.errors import InputError
from tertium.llm.answer_log import AnswerLog, request_key
from tertium.llm.asking import Request
from tertium.llm.cost import estimate_tokens
from tertium.llm.outputs import OutputName, choose_outputs
from tertium.llm.prompts import Prompt
from tertium.llm.settings import JudgeSettings
from tertium.text.languages import language_name

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = ["Plan", "make_request", "plan_judging", "requests_for"]


@dataclass(frozen=True)
class Plan:
    """What a run would do.

    Attributes
    ----------
    outputs : int
    requests : int
        Outputs that are equal, of the same source, are asked about once.
    kept : int
        How many of the requests have been answered before.
    tokens_in, tokens_out : int
        Estimates for the others.
    cost : float, optional
        The estimate, if prices are known.
    largest_cost : float, optional
        If every answer is as long as it may be.
    example : sequence of dict
        The messages of the first request.
    """

    outputs: int
    requests: int
    kept: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    largest_cost: float | None
    example: Sequence[Mapping[str, str]]

    def to_dict(self) -> dict[str, object]:
        """Return the object that ``tertium judge --dry-run -f json`` prints."""
        return {
            "tertium": __version__,
            "outputs": self.outputs,
            "requests": self.requests,
            "kept": self.kept,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "cost": self.cost,
            "largest_cost": self.largest_cost,
            "example": [dict(message) for message in self.example],
        }


def make_request(
    settings: JudgeSettings,
    prompt: Prompt,
    *,
    hypothesis: str,
    source: str | None = None,
    reference: str | None = None,
    langpair: str | None = None,
    about: Mapping[str, object] | None = None,
) -> Request:
    """Return the request about one output.

    Parameters
    ----------
    settings : JudgeSettings
    prompt : Prompt
    hypothesis, source, reference : str
    langpair : str, optional
        Such as ``en-de``; that of the settings comes first.
    about : mapping, optional
        What the log says about it.
    """
    first, _, second = (settings.langpair or langpair or "").partition("-")
    messages = prompt.messages(
        {
            "source": source,
            "hypothesis": hypothesis,
            "reference": reference if settings.show_reference else None,
            "source_language": language_name(first) if first else _SOURCE,
            "target_language": language_name(second) if second else _TARGET,
        }
    )
    body = {"model": settings.model, "messages": messages, **settings.sent}
    tokens = estimate_tokens(messages)
    return Request(request_key(body), body, tokens, {**(about or {})})


_SOURCE, _TARGET = "the source language", "the target language"


def requests_for(
    testset: Testset,
    outputs: Sequence[OutputName],
    settings: JudgeSettings,
    prompt: Prompt,
) -> Iterator[Request]:
    """Return an iterator over the requests about all outputs.

    They are made as they are asked for: messages are much longer than outputs.

    Raises
    ------
    InputError
        When the test set lacks what the prompt shows.
    """
    if "source" in prompt.needs and testset.sources is None:
        message = f"the prompt {prompt.name} shows the source; give the source text"
        raise InputError(message, options=("source",))
    if "reference" in prompt.needs and not settings.show_reference:
        message = (
            f"the prompt {prompt.name} shows the reference; set show_reference=True"
        )
        raise InputError(message, options=("show_reference",))
    if settings.show_reference and not any(testset.references):
        message = "the model is to see references, and the test set has none; give some"
        raise InputError(message, options=("references",))
    if settings.show_reference and not prompt.shows_reference:
        message = f"the prompt {prompt.name} has no place for a reference; omit it"
        raise InputError(message, options=("show_reference",))
    return (
        make_request(
            settings,
            prompt,
            hypothesis=testset.systems[output.system][output.place],
            source=testset.sources[output.place] if testset.sources else None,
            reference=testset.references[output.place][0]
            if settings.show_reference
            else None,
            langpair=testset.langpair or output.langpair,
            about={
                "model": settings.model,
                "prompt": prompt.name,
                "system": output.system,
                "segment": output.segment,
            },
        )
        for output in outputs
    )


def plan_judging(
    testset: Testset,
    settings: JudgeSettings,
    *,
    answers: str | None = None,
    systems: Sequence[str] | None = None,
    sample: int | None = None,
    seed: int = SEED,
    like: Judgements | None = None,
) -> Plan:
    """Return what :func:`~tertium.llm.judge_outputs` would ask; nothing is sent.

    Parameters
    ----------
    testset, settings, answers, systems, sample, seed, like
        As in :func:`~tertium.llm.judge_outputs`.

    Examples
    --------
    >>> import tertium
    >>> settings = JudgeSettings("http://localhost:8000/v1", "small-model", "da")
    >>> plan = plan_judging(tertium.read("demo"), settings, systems=["good"])
    >>> plan.outputs, plan.kept, plan.cost is None
    (60, 0, True)
    """
    prompt = settings.read_prompt()
    outputs, _ = choose_outputs(
        testset, systems=systems, sample=sample, seed=seed, like=like
    )
    requests = requests_for(testset, outputs, settings, prompt)
    known = AnswerLog(answers).answers if answers is not None else {}
    first = next(requests)
    new, tokens_in, kept = _count(chain([first], requests), known)
    longest = settings.longest
    expected = prompt.tokens if longest is None else min(prompt.tokens, longest)
    tokens_out = expected * new
    prices = settings.prices
    most = None if longest is None else longest * new
    return Plan(
        outputs=len(outputs),
        requests=new + kept,
        kept=kept,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=None if prices is None else prices.cost(tokens_in, tokens_out),
        largest_cost=None
        if prices is None or most is None
        else prices.cost(tokens_in, most),
        example=first.body["messages"],  # type: ignore[arg-type]
    )


class _Counts(NamedTuple):
    """Different requests: those to send, their tokens, and those with an answer."""

    new: int
    tokens: int
    kept: int


def _count(requests: Iterable[Request], known: Collection[str]) -> _Counts:
    """Count different requests, of which only keys and tokens are held.

    16 bytes of a key are enough: a false match among 10^9 has a chance of 10^-21.
    """
    import numpy as np

    kept: set[str] = set()
    keys, tokens = bytearray(), array("q")
    for request in requests:
        if request.key in known:
            kept.add(request.key)
        else:
            keys += bytes.fromhex(request.key)[:16]
            tokens.append(request.tokens)
    _, firsts = np.unique(np.frombuffer(keys, "S16"), return_index=True)
    return _Counts(len(firsts), int(np.array(tokens)[firsts].sum()), len(kept))

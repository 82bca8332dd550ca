# SPDX-License-Identifier: Apache-2.0
"""Which model judges, how it is asked, and what it may cost: one TOML file."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from tertium._toml import read_toml
from tertium.errors import FormatError, InputError, TertiumError, UnknownNameError
from tertium.llm.client import check_url
from tertium.llm.cost import Prices
from tertium.llm.demonstration import DEMO
from tertium.llm.prompts import PROMPTS, Prompt, read_prompt

__all__ = ["LIMITS", "PARAMETERS", "JudgeSettings", "read_settings"]

#: What is sent besides model and messages, unless other values are given.
PARAMETERS: Mapping[str, object] = {"temperature": 0, "max_tokens": 1024}
#: Parameters that limit an answer; servers know one or the other.
LIMITS = ("max_tokens", "max_completion_tokens")

_RESERVED = {"model", "messages", "stream", "n"}


@dataclass(frozen=True)
class JudgeSettings:
    """A model as a judge.

    Parameters
    ----------
    url : str
        The address of a server that speaks the protocol of OpenAI, such as
        ``http://localhost:8000/v1``; ``demo`` answers by a rule, without a model.
    model : str
        The name that the server knows.
    prompt : str
        ``esa``, ``mqm``, ``da``, or a TOML file.
    key_variable : str, optional
        The environment variable that holds the key; without it, none is sent.
    show_reference : bool
        Whether to show the model the first reference.
    langpair : str, optional
        The languages that the prompt names, such as ``en-de``; by default those of the
        test set.
    parameters : mapping
        What else is sent; None removes a parameter. By default temperature 0 and
        at most 1,024 tokens per answer.
    timeout : float
        Seconds to wait for an answer.
    retries : int
        Attempts after the first one.
    concurrency : int
        Requests at the same time.
    price_in, price_out : float, optional
        What a million tokens cost.
    limit_cost : float, optional
        What a run may cost.
    unparsable : {"error", "omit"}
        What the metric ``llm`` does with segments whose answer cannot be read.

    Raises
    ------
    InputError
        When a value is wrong, or does not go with another.
    """

    url: str
    model: str
    prompt: str = PROMPTS[0]
    key_variable: str | None = None
    show_reference: bool = False
    langpair: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    timeout: float = 120.0
    retries: int = 5
    concurrency: int = 8
    price_in: float | None = None
    price_out: float | None = None
    limit_cost: float | None = None
    unparsable: str = "error"

    def __post_init__(self) -> None:
        """Check the values."""
        _check_types(self)
        if self.url != DEMO:
            check_url(self.url)
        if not self.model.strip():
            raise InputError("the model has no name; give one", options=("model",))
        if not 1 <= self.concurrency <= 1024:
            raise InputError(f"concurrency is {self.concurrency}; give 1 to 1024")
        if not 0 < self.timeout <= 86_400:
            raise InputError(f"timeout is {self.timeout:g}; give 1 second or more")
        if not 0 <= self.retries <= 1000:
            raise InputError(f"retries is {self.retries}; give 0 to 1000")
        if self.unparsable not in ("error", "omit"):
            raise InputError(f"unparsable is {self.unparsable!r}; give error or omit")
        if wrong := sorted(_RESERVED & set(self.parameters)):
            message = f"the parameter {wrong[0]!r} is set by Tertium; omit it"
            raise InputError(message, options=("parameter",))
        for name in ("price_in", "price_out", "limit_cost"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise InputError(f"{name} is {value}; give 0 or more")
        if (self.price_in is None) != (self.price_out is None):
            message = "prices are for input and output; give both"
            raise InputError(message, options=("price_in", "price_out"))
        if self.limit_cost is not None and self.price_in is None:
            message = "a limit of costs needs prices per million tokens; give both"
            raise InputError(message, options=("price_in", "price_out"))
        if self.limit_cost is not None and self.longest is None:
            message = (
                "a limit of costs needs a largest answer; keep the parameter "
                "max_tokens, or give max_completion_tokens"
            )
            raise InputError(message, options=("parameter",))

    @property
    def sent(self) -> dict[str, object]:
        """The parameters that are sent, the usual ones included."""
        both: dict[str, object] = {**PARAMETERS, **self.parameters}
        if LIMITS[1] in self.parameters and LIMITS[0] not in self.parameters:
            del both[LIMITS[0]]
        return {name: value for name, value in both.items() if value is not None}

    @property
    def longest(self) -> int | None:
        """The largest number of tokens of an answer, if there is one."""
        sizes = [self.sent.get(name) for name in LIMITS]
        return max((size for size in sizes if type(size) is int), default=None)

    @property
    def prices(self) -> Prices | None:
        """What tokens cost, if that is known."""
        if self.price_in is None or self.price_out is None:
            return None
        return Prices(self.price_in, self.price_out)

    def read_prompt(self) -> Prompt:
        """Return the prompt."""
        return read_prompt(self.prompt)


def _check_types(settings: JudgeSettings) -> None:
    kinds: dict[str, tuple[type, ...]] = {
        "url": (str,),
        "model": (str,),
        "prompt": (str,),
        "key_variable": (str, type(None)),
        "show_reference": (bool,),
        "langpair": (str, type(None)),
        "parameters": (Mapping,),
        "timeout": (int, float),
        "retries": (int,),
        "concurrency": (int,),
        "price_in": (int, float, type(None)),
        "price_out": (int, float, type(None)),
        "limit_cost": (int, float, type(None)),
        "unparsable": (str,),
    }
    for name, kind in kinds.items():
        value = getattr(settings, name)
        wrong_bool = isinstance(value, bool) and bool not in kind
        if not isinstance(value, kind) or wrong_bool:
            expected = " or ".join(
                "none" if each is type(None) else each.__name__ for each in kind
            )
            raise InputError(f"{name} is {value!r}; it must be {expected}")


def read_settings(path: str, **changes: Any) -> tuple[JudgeSettings, str]:
    """Return the settings of a TOML file, and where its answers are kept.

    Parameters
    ----------
    path : str
        Prompt files and the log of answers are relative to its folder.
    **changes
        Settings that overrule those of the file; parameters one by one.

    Returns
    -------
    settings : JudgeSettings
    answers : str
        ``answers`` of the file; by default its name with ``.answers.jsonl``.

    Raises
    ------
    FormatError
        When a key is unknown or missing, or has a wrong value.
    """
    content = read_toml(path)
    parameters = content.get("parameters", {})
    if not isinstance(parameters, dict):
        raise FormatError(f"'parameters' is {parameters!r}, not a table", path=path)
    content |= changes
    content["parameters"] = {**parameters, **changes.get("parameters", {})}
    folder = os.path.dirname(path)
    answers = content.pop("answers", None)
    if answers is not None and not isinstance(answers, str):
        what = f"'answers' is {answers!r} where a file name should be"
        raise FormatError(what, path=path)
    known = [each.name for each in fields(JudgeSettings)]
    for key in content:
        if key not in known:
            problem = UnknownNameError("key", key, [*known, "answers"])
            raise FormatError(str(problem), path=path)
    for key in ("url", "model"):
        if key not in content:
            raise FormatError(f"no {key!r}; add it", path=path)
    prompt = content.get("prompt")
    if isinstance(prompt, str) and prompt not in PROMPTS and "prompt" not in changes:
        content["prompt"] = os.path.join(folder, prompt)
    try:
        settings = JudgeSettings(**content)
    except FormatError:
        raise
    except TertiumError as error:
        raise FormatError(str(error), path=path) from None
    place = f"{os.path.splitext(path)[0]}.answers.jsonl"
    return settings, place if answers is None else os.path.join(folder, answers)

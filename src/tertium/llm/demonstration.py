# SPDX-License-Identifier: Apache-2.0
"""A judge without a model, called ``demo``: for trying things out, not for results.

It answers as a server would, by a rule. Long words of the source that are left in the
translation are major errors, repeated words minor ones, and so is a translation that is
much shorter than its source, which lacks the end of it. The score falls with errors.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from tertium.llm.cost import estimate_tokens

__all__ = ["DEMO", "Asker", "DemoClient", "judge_by_rule"]

#: What stands for a server in settings.
DEMO = "demo"

_LONG = 4  # letters of a word that is not left in a translation by chance
_SHORT = 0.5  # of the length of the source
_COST = {"minor": 4, "major": 15}
_BEST = 96


class Asker(Protocol):
    """What answers requests: a server, or the rule."""

    @property
    def retried(self) -> Counter[str]:
        """Attempts that were repeated, by cause."""

    def ask(
        self, body: Mapping[str, object], on_lost: Callable[[], None] | None = None
    ) -> dict[str, object]:
        """Return the response to a request."""


class DemoClient:
    """Answers by the rule, at once."""

    def __init__(self) -> None:
        self.retried: Counter[str] = Counter()

    def ask(
        self,
        body: Mapping[str, object],
        on_lost: Callable[[], None] | None = None,  # noqa: ARG002
    ) -> dict[str, object]:
        """Return a response as servers write it."""
        text = judge_by_rule(body)
        message = {"role": "assistant", "content": text}
        asked = body.get("messages")
        return {
            "model": DEMO,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {
                "prompt_tokens": estimate_tokens(asked)
                if isinstance(asked, list)
                else 0,
                "completion_tokens": estimate_tokens([{"content": text}]),
            },
        }


def judge_by_rule(body: Mapping[str, object]) -> str:
    """Return the rule's answer to a request.

    Examples
    --------
    >>> text = "<source>Ein Hund.</source><translation>A a Hund.</translation>"
    >>> answer = judge_by_rule({"messages": [{"role": "user", "content": text}]})
    >>> [each["text"] for each in json.loads(answer)["errors"]]
    ['a', 'Hund']
    """
    messages = body.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else {}
    text = str(last.get("content", "")) if isinstance(last, dict) else ""
    source, hyp = _between(text, "source"), _between(text, "translation")
    errors = list(_errors(source, hyp))
    cost = sum(_COST[str(error["severity"])] for error in errors)
    score = max(0, _BEST - cost) if hyp.strip() else 0
    return json.dumps({"errors": errors, "score": score}, ensure_ascii=False)


def _between(text: str, tag: str) -> str:
    match = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    return match[1] if match else ""


def _errors(source: str, hyp: str) -> list[dict[str, object]]:
    known = set(re.findall(r"\w+", source))
    errors: list[dict[str, object]] = []
    seen: Counter[str] = Counter()
    before = ""
    for word in re.findall(r"\w+", hyp):
        seen[word] += 1
        if word.lower() == before.lower():
            errors.append(_error(word, seen[word], "Fluency/Grammar", "minor"))
        elif len(word) >= _LONG and word in known:
            kind = "Accuracy/Untranslated text"
            errors.append(_error(word, seen[word], kind, "major"))
        before = word
    if len(hyp) < _SHORT * len(source) and (words := source.split()):
        lost = _error(words[-1], 1, "Accuracy/Omission", "minor")
        errors.append({**lost, "side": "source"})
    return errors


def _error(text: str, occurrence: int, kind: str, severity: str) -> dict[str, object]:
    return {
        "text": text,
        "occurrence": occurrence,
        "side": "translation",
        "category": kind,
        "severity": severity,
    }

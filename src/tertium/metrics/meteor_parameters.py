# SPDX-License-Identifier: Apache-2.0
"""The parameters of METEOR by language and task.

Those of version 1.5, as the program states them for every run (Denkowski and Lavie
2014, Meteor Universal). A task that was tuned for one language only has no parameters
for the others; `li` (language-independent) and `tune` are the same for all.
"""

from __future__ import annotations

from typing import NamedTuple

from tertium.errors import InputError, UnknownNameError

__all__ = ["LANGUAGES", "TASKS", "Parameters", "parameters"]

TASKS = ("rank", "adq", "hter", "li", "tune")
_MATCHERS = ("exact", "stem", "synonym", "paraphrase")


class Parameters(NamedTuple):
    """Alpha, beta, gamma, delta, and the weights of matchers by name."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: dict[str, float]


def _set(
    alpha: float, beta: float, gamma: float, delta: float, *weights: float | None
) -> Parameters:
    known = {
        name: weight
        for name, weight in zip(_MATCHERS, weights, strict=True)
        if weight is not None
    }
    return Parameters(alpha, beta, gamma, delta, known)


_LI = _set(0.75, 1.4, 0.7, 0.5, 1.0, 0.5, 0.5, 0.5)
_TUNE = _set(0.5, 1.0, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5)
_RANK = {
    "en": _set(0.85, 0.2, 0.6, 0.75, 1.0, 0.6, 0.8, 0.6),
    "cs": _set(0.95, 0.2, 0.6, 0.8, 1.0, None, None, 0.4),
    "de": _set(0.95, 1.0, 0.55, 0.55, 1.0, 0.8, None, 0.2),
    "es": _set(0.65, 1.3, 0.5, 0.8, 1.0, 0.8, None, 0.6),
    "fr": _set(0.9, 1.4, 0.6, 0.65, 1.0, 0.2, None, 0.4),
    # "Universal": learnt for languages without judgements of their own.
    "other": _set(0.7, 1.4, 0.3, 0.7, 1.0, None, None, 0.6),
}
_ENGLISH = {
    "adq": _set(0.75, 1.4, 0.45, 0.7, 1.0, 1.0, 0.6, 0.8),
    "hter": _set(0.4, 1.5, 0.35, 0.55, 1.0, 0.2, 0.6, 0.8),
}
# Meteor 1.5 ranks these with the language-independent parameters.
_PLAIN = ("ar", "da", "fi", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "tr")

LANGUAGES = (*_RANK, *_PLAIN)

#: The form of 2005: F = 10PR/(R + 9P), penalty (chunks / matches)^3 / 2.
FORM_2005 = Parameters(0.9, 3.0, 0.5, 0.5, dict.fromkeys(_MATCHERS, 1.0))


def parameters(language: str, task: str) -> Parameters:
    """Return the published parameters.

    Raises
    ------
    InputError
        If there are none for the language and the task.

    Examples
    --------
    >>> parameters("en", "rank")[:4]
    (0.85, 0.2, 0.6, 0.75)
    """
    if language not in LANGUAGES:
        raise UnknownNameError("language of meteor", language, LANGUAGES)
    if task == "tune":
        return _TUNE
    if task == "li" or (task == "rank" and language in _PLAIN):
        return _LI
    if task == "rank":
        return _RANK[language]
    if language == "en":
        return _ENGLISH[task]
    message = (
        f"meteor: no parameters of task {task} were published for language {language}; "
        "take task rank, li or tune"
    )
    raise InputError(message)

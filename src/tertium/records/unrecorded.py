# SPDX-License-Identifier: Apache-2.0
"""Commands that are not recorded, and not repeated where an old record has them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["why_unrecorded"]

#: Verb and action, which is empty for all actions of the verb; and why.
_WHY = {
    ("cache", ""): "it shows or clears what this machine keeps, not a result",
    ("campaign", "serve"): "a server has no result; record `tertium campaign export`",
    ("campaign", "demo"): "a server has no result; record `tertium campaign export`",
    ("campaign", "load"): "it prints links that are secret",
    ("campaign", "invite"): "it prints links that are secret",
    ("campaign", "token"): "it prints tokens that are secret",
    ("campaign", "import"): "it changes a database, and a second time it would not",
    ("grammar", "watch"): "it never ends; record `tertium grammar check`",
}


def why_unrecorded(command: Sequence[str]) -> tuple[str, str] | None:
    """Return which command is not recorded, and why; None if it is.

    Parameters
    ----------
    command : sequence of str
        The words after ``tertium``.

    Examples
    --------
    >>> why_unrecorded(["campaign", "load", "news"])
    ('tertium campaign load', 'it prints links that are secret')
    >>> why_unrecorded(["score", "demo"]) is None
    True
    """
    verb, action = (*command, "", "")[:2]
    for words in ((verb, action), (verb, "")):
        if why := _WHY.get(words):
            return " ".join(["tertium", *filter(None, words)]), why
    return None

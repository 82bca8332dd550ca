# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on language models as judges."""

from __future__ import annotations

__all__ = ["LLM"]

#: English templates by code; a pair is a singular and a plural.
LLM: dict[str, str | tuple[str, str]] = {
    "outputs-not-there": (
        "%(count)s judged output is not in the test set, and was left out",
        "%(count)s judged outputs are not in the test set, and were left out",
    ),
    "broken-answers": (
        "%(path)s: %(count)s line is not a complete answer, and is ignored",
        "%(path)s: %(count)s lines are not complete answers, and are ignored",
    ),
    "languages-unknown": "the test set does not name its languages, so the model does "
    "not learn them; give the language pair, such as en-de",
    "key-in-the-clear": "the key was sent to another machine without encryption; use "
    "https if the server has it",
    "tokens-estimated": (
        "the server did not count the tokens of %(count)s answer; they are estimated",
        "the server did not count the tokens of %(count)s answers; they are estimated",
    ),
}

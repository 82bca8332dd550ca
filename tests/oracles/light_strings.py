# SPDX-License-Identifier: Apache-2.0
"""The light notation, letter by letter: every text a pattern stands for.

A pattern is a nested tuple: ``("word", text)``, ``("choice", parts)``,
``("optional", part)``, ``("shuffle", parts)``, ``("row", parts, glues)`` where each
glue, a space or nothing, stands before the part of its place.
"""

from __future__ import annotations

import itertools
import string

Pattern = tuple


def written(pattern: Pattern) -> str:
    """Return a pattern in the light notation, in braces where it needs them."""
    kind, *rest = pattern
    if kind == "word":
        return "".join(f"\\{c}" if c in string.punctuation else c for c in rest[0])
    if kind == "choice":
        return "{" + "|".join(map(written, rest[0])) + "}"
    if kind == "optional":
        return f"[ {written(rest[0])} ]"
    if kind == "shuffle":
        return "{" + " & ".join(map(written, rest[0])) + " }"
    parts, glues = rest
    return (
        "{" + "".join(g + written(p) for g, p in zip(glues, parts, strict=True)) + "}"
    )


def meant(pattern: Pattern) -> set[tuple[str, ...]]:
    """Return the sentences of a pattern."""
    return {tuple(text.split()) for text in _texts(pattern)}


def _texts(pattern: Pattern) -> set[str]:
    """Return the texts; those of a part have no space at their ends."""
    kind, *rest = pattern
    if kind == "word":
        return {rest[0]}
    if kind == "choice":
        return set().union(*map(_texts, rest[0]))
    if kind == "optional":
        return {"", *_texts(rest[0])}
    if kind == "shuffle":
        orders = itertools.permutations(map(_texts, rest[0]))
        chosen = (one for order in orders for one in itertools.product(*order))
        return {" ".join(" ".join(texts).split()) for texts in chosen}
    parts, glues = rest
    made = (
        "".join(itertools.chain(*zip(glues, texts, strict=True)))
        for texts in itertools.product(*map(_texts, parts))
    )
    return {" ".join(text.split()) for text in made}

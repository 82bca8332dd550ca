# SPDX-License-Identifier: Apache-2.0
"""A treebank made on the spot, for parsers that learn in a second."""

from __future__ import annotations

from itertools import product

NOUNS = ("cat", "dog", "child")
VERBS = ("sees", "likes", "hears")


def treebank() -> str:
    """Return sentences of one pattern, with tags and spaces, as CoNLL-U."""
    blocks = []
    for subject, verb, thing in product(NOUNS, VERBS, NOUNS):
        rows = [
            ("The", "the", "DET", 2, "det", "_"),
            (subject, subject, "NOUN", 3, "nsubj", "_"),
            (verb, verb, "VERB", 0, "root", "_"),
            ("a", "a", "DET", 5, "det", "_"),
            (thing, thing, "NOUN", 3, "obj", "SpaceAfter=No"),
            (".", ".", "PUNCT", 3, "punct", "_"),
        ]
        lines = [f"# text = The {subject} {verb} a {thing}."]
        lines += [
            f"{i}\t{form}\t{lemma}\t{upos}\t_\t_\t{head}\t{name}\t_\t{misc}"
            for i, (form, lemma, upos, head, name, misc) in enumerate(rows, 1)
        ]
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)

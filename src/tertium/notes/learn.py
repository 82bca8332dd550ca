# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on trained metrics: what groups of features lost."""

from __future__ import annotations

from tertium.notes import Template

__all__ = ["GROUPS", "LEARN"]

#: Groups of features in plain words; others are called by their names.
GROUPS = {
    "char": "character n-grams",
    "spaced": "parts of words",
    "word": "words",
    "skip": "pairs of words",
    "stem": "words by rarity",
    "function": "function words",
    "synonym": "words and synonyms",
    "paraphrase": "words and paraphrases",
    "order": "word order",
    "pets": "permutation trees",
    "edit": "character edits",
    "length": "length",
    "script": "script",
    "unknown": "unknown words",
    "arcs": "dependency trees",
    "roles": "semantic roles",
    "embeddings": "word vectors",
    "static": "word vectors",
    "context": "word pieces in context",
    "sentence": "sentence vectors",
    "metric": "other metrics",
}

#: English templates by code.
LEARN: dict[str, Template] = {
    "loss-unknown": (
        "a word that is not %(language)s: %(listed)s (1 of %(total)s words)",
        "words that are not %(language)s: %(listed)s (%(count)s of %(total)s words)",
    ),
    "loss-unlisted": (
        "a word that is not in the list: %(listed)s (1 of %(total)s words)",
        "words that are not in the list: %(listed)s (%(count)s of %(total)s words)",
    ),
    "loss-script": "script that the reference lacks: %(listed)s (%(count)s of "
    "%(total)s letters)",
    "loss-missing": "%(group)s missing: %(missing)s",
    "loss-extra": "%(group)s extra: %(extra)s",
    "loss-missing-extra": "%(group)s missing: %(missing)s; extra: %(extra)s",
    "loss-stem-missing": "words missing, the rarest first: %(missing)s",
    "loss-stem-extra": "words that the reference lacks, the rarest first: %(extra)s",
    "loss-stem-missing-extra": "words missing, the rarest first: %(missing)s; extra: "
    "%(extra)s",
    "loss-no-function-words": "function words: neither text has any, so that all "
    "words count instead",
    "loss-precision": "%(group)s: %(precision).0f %% of those in the output are in "
    "the reference",
    "loss-recall": "%(group)s: %(recall).0f %% of those in the reference are in the "
    "output",
    "loss-both-shares": "%(group)s: %(precision).0f %% of those in the output are in "
    "the reference, %(recall).0f %% the other way round",
    "loss-order-none": "word order: no word of the reference is in the output",
    "loss-order-right": "word order: right, but only %(matched)s of %(total)s words "
    "match",
    "loss-order-split": "word order: right, but %(matched)s of %(total)s words match "
    "in %(chunks)s separate blocks",
    "loss-order-wrong": "word order: %(matched)s of %(total)s words match in "
    "%(chunks)s blocks, and at most %(rising)s of them are in the right order",
    "loss-edit": (
        "character edits: 1 in %(total)s characters",
        "character edits: %(count)s in %(total)s characters",
    ),
    "loss-length": "length: %(words)s words and %(characters)s characters; the "
    "reference has %(ref_words)s and %(ref_characters)s",
    "loss-feature": "%(group)s: mainly %(feature)s, %(value).2f instead of %(copy).2f",
    "loss-none": "%(group)s: nothing lost",
    "loss-gain": "%(group)s: a gain, mainly %(feature)s, %(value).2f instead of "
    "%(copy).2f",
    "loss-more": "%(words)s and %(count)s more",
}

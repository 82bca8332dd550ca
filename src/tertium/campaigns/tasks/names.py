# SPDX-License-Identifier: Apache-2.0
"""The kinds of questions by name, for help texts: this file needs no Django."""

from __future__ import annotations

__all__ = ["PLACES", "TASKS"]

#: Task and what it asks, in the order of help texts.
TASKS = {
    "segranks": "put translations of short segments in order, best to worst",
    "ranking": "put translations of a sentence in order, five at a time as WMT did",
    "direct": "how good one translation is, from 0 to 100, with attention checks",
    "pairs": "which of two translations is better, without knowing whose they are",
    "edits": "which words of a translation must change, and where some are missing",
    "esa": "mark the errors of a translated document, then score it, as WMT does",
    "mqm": "mark the errors of a translated document, each with a category",
    "cesa": "mark and score several translations of a document side by side",
    "survey": "what word order does to understanding: questionnaires with consent",
}

#: Task and its class.
PLACES = {
    "segranks": "tertium.campaigns.tasks.segranks:SegRanks",
    "ranking": "tertium.campaigns.tasks.ranking:SentenceRanking",
    "direct": "tertium.campaigns.tasks.direct:Direct",
    "pairs": "tertium.campaigns.tasks.pairs:Pairs",
    "edits": "tertium.campaigns.tasks.edits:Edits",
    "esa": "tertium.campaigns.tasks.spans:Esa",
    "mqm": "tertium.campaigns.tasks.spans:Mqm",
    "cesa": "tertium.campaigns.tasks.spans:ContrastiveEsa",
    "survey": "tertium.campaigns.tasks.survey:Survey",
}

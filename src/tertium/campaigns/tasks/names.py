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
    "survey": "what word order does to understanding: questionnaires with consent",
}

#: Task and its class.
PLACES = {
    "segranks": "tertium.campaigns.tasks.segranks:SegRanks",
    "ranking": "tertium.campaigns.tasks.ranking:SentenceRanking",
    "direct": "tertium.campaigns.tasks.direct:Direct",
    "pairs": "tertium.campaigns.tasks.pairs:Pairs",
    "edits": "tertium.campaigns.tasks.edits:Edits",
    "survey": "tertium.campaigns.tasks.survey:Survey",
}

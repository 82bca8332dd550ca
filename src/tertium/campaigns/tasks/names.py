# SPDX-License-Identifier: Apache-2.0
"""The kinds of questions by name, for help texts: this file needs no Django."""

from __future__ import annotations

__all__ = ["PLACES", "TASKS"]

#: Task and what it asks, in the order of help texts.
TASKS = {
    "pairs": "which of two translations is better, without knowing whose they are",
}

#: Task and its class.
PLACES = {
    "pairs": "tertium.campaigns.tasks.pairs:Pairs",
}

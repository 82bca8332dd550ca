# SPDX-License-Identifier: Apache-2.0
"""The diagram of a language model as judge: what goes where."""

from __future__ import annotations

from docs.cluster_diagram import labelled_box, two_arrows
from tertium.report.draw.palette import KINDS, MUTED, PLAIN
from tertium.report.draw.svg import Box, Canvas

__all__ = ["draw"]


def draw() -> Canvas:
    """Return the test set, the judge, the server, the log and the store."""
    canvas = Canvas(
        "A language model as judge",
        "Outputs of a test set are sent to a server as prompts. Raw answers go into a "
        "log, which is also the cache. Errors and scores go into a store, beside those "
        "of people.",
    )
    blue, orange = KINDS["straight"], KINDS["inverted"]
    texts = labelled_box(canvas, 0, 0, 110, "test set", "source, outputs", PLAIN)
    judge = labelled_box(canvas, 170, 0, 130, "tertium judge", "prompt, budget", blue)
    model = labelled_box(canvas, 450, 0, 130, "server", "any model", orange)
    log = labelled_box(canvas, 170, 100, 130, "answers.jsonl", "log and cache", PLAIN)
    store = labelled_box(canvas, 450, 100, 130, "store", "spans, scores", blue)
    verbs = labelled_box(canvas, 640, 100, 110, "agree, rank", "correlate", PLAIN)
    two_arrows(canvas, judge, model, "source, output", "errors, score")
    _across(canvas, texts, judge)
    _across(canvas, log, store)
    _across(canvas, store, verbs)
    middle = (judge.left + judge.right) / 2
    canvas.line((middle, judge.bottom), (middle, log.top), MUTED)
    canvas.arrow((middle, log.top), "down", MUTED)
    canvas.arrow((middle, judge.bottom), "up", MUTED)
    return canvas


def _across(canvas: Canvas, a: Box, b: Box) -> None:
    height = (a.top + a.bottom) / 2
    canvas.line((a.right, height), (b.left, height), MUTED)
    canvas.arrow((b.left, height), "right", MUTED)

# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on tuning."""

from __future__ import annotations

__all__ = ["TUNING"]

#: English templates by code.
TUNING = {
    "start-from-scores": "start: the weights that reproduce the scores in the lists",
    "start-equal": "start: equal weights, since no weights were given and none follow "
    "from scores in the lists",
    "features-constant": "the same for all hypotheses of every list, so their weights "
    "stay as they are: %(names)s",
    "weights-zero": "all weights that matter are 0: the first hypothesis of every list "
    "wins",
    "weights-collapsed": "%(name)s decides almost alone (%(share).0f %% of the "
    "influence): the weights may not generalise; tune on more lists, or with mira",
    "tuning-no-gain": "the tuned weights are not better than the start on these lists",
    "length-moved": "the length ratio moved away from 1, from %(start).3f to "
    "%(final).3f: the metric may be exploited through length",
}

# SPDX-License-Identifier: Apache-2.0
"""Figures of the WMT metrics tasks as published, for metrics that Tertium has.

WMT14: Macháček 2014, Measures of Machine Translation Quality, tables 4.2 (system
level), 4.4 (segment level) and 4.6 (treatments of ties), into English. WMT12: METEOR
1.5 as Stanojević 2017 reports it, tables 5.2 and 5.3.
"""

from __future__ import annotations

__all__ = ["AVERAGE_TAU", "PAIRS", "PEARSON", "SPEARMAN", "TAU"]


def _columns(pairs: str, rows: dict[str, str]) -> dict[str, dict[str, float]]:
    """Return pair to metric to value, from rows of values in the order of pairs."""
    table: dict[str, dict[str, float]] = {pair: {} for pair in pairs.split()}
    for name, row in rows.items():
        for pair, value in zip(pairs.split(), row.split(), strict=True):
            table[pair][name] = float(value)
    return table


#: Year to pair to metric: Pearson's r at system level; ``avg`` is a column.
PEARSON = {
    "14": _columns(
        "fr-en de-en hi-en cs-en ru-en avg",
        {
            "BLEU": ".952 .832 .956 .909 .789 .888",
            "BLEU-NRC": ".953 .823 .959 .946 .787 .894",
            "NIST": ".955 .811 .784 .983 .800 .867",
            "TER": ".952 .775 .618 .976 .809 .826",
            "WER": ".952 .762 .610 .974 .809 .821",
            "PER": ".946 .867 .411 .883 .799 .781",
            "CDER": ".954 .823 .826 .965 .802 .874",
            "METEOR": ".975 .927 .457 .980 .805 .829",
            "AMBER": ".948 .910 .506 .744 .797 .781",
            "LAYERED": ".973 .893 .976 .941 .854 .927",
        },
    )
}

#: Year to pair to metric: Spearman's rho at system level; only means are printed.
SPEARMAN = {
    "14": _columns(
        "avg",
        {
            "BLEU": ".833", "BLEU-NRC": ".855", "NIST": ".824", "TER": ".746",
            "WER": ".736", "PER": ".698", "CDER": ".807", "METEOR": ".788",
            "AMBER": ".728", "LAYERED": ".894",
        },
    )
}  # fmt: skip

#: Preset to year to pair to metric: Kendall's tau at segment level.
TAU = {
    "wmt14": {
        "14": _columns(
            "fr-en de-en hi-en cs-en ru-en avg",
            {
                "METEOR": ".406 .334 .420 .282 .329 .354",
                "AMBER": ".367 .313 .362 .246 .294 .316",
                "BLEU-NRC": ".382 .272 .322 .226 .269 .294",
                "sentBLEU": ".378 .271 .300 .213 .263 .285",
            },
        )
    },
    "wmt12": {
        "12": _columns(
            "en-cs en-fr en-de en-es cs-en fr-en de-en es-en avg",
            {"METEOR": ".156 .252 .173 .202 .208 .249 .273 .246 .220"},
        )
    },
}

#: WMT14 into English, preset to metric: the mean of tau over pairs.
AVERAGE_TAU = {
    "wmt14": {"METEOR": 0.354, "AMBER": 0.316, "BLEU-NRC": 0.294, "sentBLEU": 0.285},
    "wmt12": {"METEOR": 0.341, "AMBER": 0.302, "BLEU-NRC": 0.267, "sentBLEU": 0.258},
    "wmt13": {"METEOR": 0.359, "AMBER": 0.321, "BLEU-NRC": 0.303, "sentBLEU": 0.293},
    "hties": {"METEOR": 0.317, "AMBER": 0.286, "BLEU-NRC": 0.271, "sentBLEU": 0.264},
}

#: WMT14: how many comparisons the task had, ties of people among them.
PAIRS = {
    "fr-en": 26090, "de-en": 25260, "hi-en": 20900, "cs-en": 21130, "ru-en": 34460,
}  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""The laws that every metric obeys, built in or plugged in.

A law looks at a metric, or at a metric and an example, and returns what is wrong:
nothing if it holds, else a sentence with a counterexample. The tests of Tertium run the
same laws on many more examples, made up by Hypothesis.
"""

from __future__ import annotations

from tertium.metrics.laws.checking import Finding, check_metric, load_file
from tertium.metrics.laws.examples import Example, make_examples
from tertium.metrics.laws.of_metrics import METRIC_LAWS
from tertium.metrics.laws.of_texts import PAIR_LAWS, TEXT_LAWS

__all__ = [
    "METRIC_LAWS",
    "PAIR_LAWS",
    "TEXT_LAWS",
    "Example",
    "Finding",
    "check_metric",
    "load_file",
    "make_examples",
]

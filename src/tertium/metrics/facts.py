# SPDX-License-Identifier: Apache-2.0
"""What each metric states about itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.metrics.base import Metric

__all__ = ["metric_facts"]


def metric_facts(cls: type[Metric]) -> dict[str, object]:
    """Return the facts and settings of a metric, as JSON has them.

    Examples
    --------
    >>> from tertium.metrics import metric_class
    >>> metric_facts(metric_class("ter"))["higher_is_better"]
    False
    """
    return {
        "summary": cls.summary,
        "formula": cls.formula,
        "settings": {
            key: {
                "default": setting.default,
                "about": setting.about,
                "choices": list(setting.choices),
            }
            for key, setting in cls.settings.items()
        },
        "bounds": [None if math.isinf(bound) else bound for bound in cls.bounds],
        "higher_is_better": cls.higher_is_better,
        "cost": cls.cost,
        "longest": cls.longest,
        "paper": cls.paper,
        "equal_to": cls.equal_to,
        "training": cls.training,
        "licences": cls.licences,
        "empty": cls.empty,
        "punctuation": cls.punctuation,
    }

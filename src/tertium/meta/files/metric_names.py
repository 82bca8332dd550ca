# SPDX-License-Identifier: Apache-2.0
"""Metrics of files that do not name them."""

from __future__ import annotations

import re
from pathlib import Path

from tertium.meta.files.program_output import MetricName

__all__ = ["COMMON", "file_stem", "metric_name", "plain_name"]

_EXTENSION = re.compile(r"\.(gz|xz|bz2|zst)$")
#: Extensions that say nothing about the metric.
_PLAIN = {"txt", "score", "scores", "out", "tsv", "csv", "json", "jsonl", "log"}
#: The metric of files that are called after systems.
COMMON = "scores"


def plain_name(path: str) -> str:
    """Return the name of a file without that of its compression."""
    return _EXTENSION.sub("", Path(path).name)


def file_stem(path: str) -> str:
    """Return the name of a file without its extension."""
    return plain_name(path).rsplit(".", 1)[0]


def metric_name(path: str) -> MetricName:
    """Return the metric of a file that does not name it: its extension, or its name."""
    name = plain_name(path)
    stem, dot, extension = name.rpartition(".")
    if dot and extension.lower() not in _PLAIN:
        return MetricName(extension, by_stem=False)
    if extension.lower() in ("score", "scores"):
        return MetricName(COMMON, by_stem=False)
    return MetricName(stem or name, by_stem=True)

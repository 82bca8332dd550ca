# SPDX-License-Identifier: Apache-2.0
"""Where systems differ and what they do differently.

``report`` runs everything; every part is a function with a result of its own.
"""

from tertium.analysis.buckets import Bucket, largest, score_groups
from tertium.analysis.gap_meaning import GapMeaning, gap_meaning, gap_metrics
from tertium.analysis.groups import Group, segment_groups
from tertium.analysis.habits import HABITS, Habit, find_habits
from tertium.analysis.metric_agreement import MetricPair, Outlier, agreement
from tertium.analysis.ngrams import NgramGain, ngram_gains
from tertium.analysis.report import ReportSection, SystemReport, report
from tertium.analysis.word_classes import WordClass, word_classes
from tertium.analysis.word_errors import (
    KINDS,
    ErrorKind,
    LabelledOutputs,
    count_errors,
    label_errors,
)

__all__ = [
    "HABITS", "KINDS", "Bucket", "ErrorKind", "GapMeaning", "Group", "Habit",
    "LabelledOutputs", "MetricPair", "NgramGain", "Outlier", "ReportSection",
    "SystemReport", "WordClass", "agreement", "count_errors", "find_habits",
    "gap_meaning", "gap_metrics", "label_errors", "largest", "ngram_gains", "report",
    "score_groups", "segment_groups", "word_classes",
]  # fmt: skip

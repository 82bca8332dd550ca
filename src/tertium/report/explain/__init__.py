# SPDX-License-Identifier: Apache-2.0
"""Explanations of segments: findings, diagrams, pages."""

from tertium.report.explain.diagrams import DIAGRAMS
from tertium.report.explain.explained import Explanation
from tertium.report.explain.explanation import explain, explain_permutation
from tertium.report.explain.page import render_page
from tertium.report.explain.segments import explain_segments, read_segment_list
from tertium.report.explain.terminal import render_text
from tertium.report.explain.views import Finding

__all__ = [
    "DIAGRAMS",
    "Explanation",
    "Finding",
    "explain",
    "explain_permutation",
    "explain_segments",
    "read_segment_list",
    "render_page",
    "render_text",
]

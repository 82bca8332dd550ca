# SPDX-License-Identifier: Apache-2.0
"""Explanations of segments: findings, drawings, pages."""

from tertium.report.drawings import DRAWINGS
from tertium.report.explained import Explanation
from tertium.report.explanation import explain, explain_permutation
from tertium.report.page import render_page
from tertium.report.terminal import render_text
from tertium.report.views import Finding

__all__ = [
    "DRAWINGS",
    "Explanation",
    "Finding",
    "explain",
    "explain_permutation",
    "render_page",
    "render_text",
]

# SPDX-License-Identifier: Apache-2.0
"""The guide of ``tertium correlate`` knows every coefficient and test."""

from __future__ import annotations

from pathlib import Path

from tertium.meta import COEFFICIENTS
from tertium.meta.uncertainty.testing import TESTS

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "correlate.md"


def test_the_guide_lists_every_coefficient_and_test():
    text = GUIDE.read_text(encoding="utf-8")
    for one in COEFFICIENTS.values():
        assert f"| `{one.name}` | {one.level}s | {one.needs} | {one.about} |" in text
    assert all(f"| `{name}` |" in text for name in TESTS)

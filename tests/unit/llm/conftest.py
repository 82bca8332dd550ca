# SPDX-License-Identifier: Apache-2.0
"""Tests of language models as judges talk to servers of their own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    """Reach local servers whatever proxy the machine has."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)

# SPDX-License-Identifier: Apache-2.0
"""The public names of the room."""

from __future__ import annotations

import pytest

from tertium import grammars


def test_public_names_are_listed_and_exist():
    assert sorted(grammars.__all__) == grammars.__all__
    for name in grammars.__all__:
        assert getattr(grammars, name) is not None
    assert set(grammars.__all__) <= set(dir(grammars))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = grammars.nothing

# SPDX-License-Identifier: Apache-2.0
"""``tools/lexicon_lock.py`` as a module, for tests of it and of what it makes."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

TOOL = Path(__file__).resolve().parents[2] / "tools" / "lexicon_lock.py"


@cache
def lock_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lexicon_lock", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["lexicon_lock"] = module
    spec.loader.exec_module(module)
    return module

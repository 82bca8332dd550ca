# SPDX-License-Identifier: Apache-2.0
"""Programs of the folder tools, as modules."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def load_tool(name: str) -> ModuleType:
    """Return a program, whose name has no suffix, as a module."""
    key = f"tool_{name}"
    if key not in sys.modules:
        loader = SourceFileLoader(key, str(TOOLS / name))
        module = module_from_spec(spec_from_loader(key, loader))
        sys.modules[key] = module
        loader.exec_module(module)
    return sys.modules[key]

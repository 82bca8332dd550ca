# SPDX-License-Identifier: Apache-2.0
"""Language models named in place of a file: ``prefilled = "llm:config=judge.toml"``.

What the model marked is a file beside the configuration, ``NAME.prefilled.jsonl``, so a
campaign can be loaded again without the model. What is here needs no Django.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["CURE", "DEMO", "judge_named", "judge_setting", "stored_marks"]

#: What to give in place of a value that is neither a file nor a judge.
CURE = (
    "name a file of error spans, as `tertium judge … -o FOLDER` (a language model) and "
    "`tertium explain --spans … --predictions FILE` (a small model) write them, or a "
    'language model: "llm:config=judge.toml"'
)

#: Judges by a rule, without a model.
DEMO = "demo"
_JUDGE = re.compile(r"llm:\s*config\s*=\s*([^,]+)")


def judge_named(name: str) -> str | None:
    """Return the settings of the judge that a value names; None if it is a file.

    Examples
    --------
    >>> judge_named("llm:config=judge.toml"), judge_named("spans.jsonl")
    ('judge.toml', None)
    """
    match = _JUDGE.fullmatch(name.strip())
    return match[1].strip() if match else None


def judge_setting(path: str) -> str:
    """Return the value that names a judge by the path of its settings."""
    return f"llm:config={path}"


def stored_marks(config: Path) -> Path:
    """Return where the marks of a campaign's judge are kept."""
    return config.with_name(f"{config.stem}.prefilled.jsonl")

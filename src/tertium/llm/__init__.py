# SPDX-License-Identifier: Apache-2.0
"""A language model as judge, through any server with OpenAI's protocol.

The model marks errors or gives scores, as a human annotator would; its judgements go
into the same tables, with the model as judge.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.llm.answers import Assessment, MarkedError, parse_answer
    from tertium.llm.judging import Judging, judge_outputs
    from tertium.llm.planning import Plan, plan_judging
    from tertium.llm.prompts import PROMPTS, Prompt, read_prompt
    from tertium.llm.settings import JudgeSettings, read_settings

__all__ = [
    "PROMPTS",
    "Assessment",
    "JudgeSettings",
    "Judging",
    "MarkedError",
    "Plan",
    "Prompt",
    "judge_outputs",
    "parse_answer",
    "plan_judging",
    "read_prompt",
    "read_settings",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".answers": ("Assessment", "MarkedError", "parse_answer"),
        ".judging": ("Judging", "judge_outputs"),
        ".planning": ("Plan", "plan_judging"),
        ".prompts": ("PROMPTS", "Prompt", "read_prompt"),
        ".settings": ("JudgeSettings", "read_settings"),
    },
)

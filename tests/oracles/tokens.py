# SPDX-License-Identifier: Apache-2.0
"""Twin of the 13a tokeniser: mteval-v13a's regular expressions in a row."""

from __future__ import annotations

import re

_RULES = [
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]


def tokenize_13a(line: str) -> list[str]:
    line = line.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, char in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
        line = line.replace(f"&{entity};", char)
    line = f" {line} "
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return line.split()

# SPDX-License-Identifier: Apache-2.0
"""Official rankings of WMT: system, score and rank range in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tertium.errors import FormatError
from tertium.judgements.formats.names import file_langpair, system_name
from tertium.meta.files.choice import ScoreRow

__all__ = ["is_official", "read_official"]

_OFFICIAL = re.compile(r"^(\S+) (-?\d+(?:\.\d+)?) \([\d.]+, [\d.]+\)$")


def is_official(line: str) -> bool:
    """Return whether a line looks like one of a ranking."""
    return _OFFICIAL.match(line) is not None


def read_official(path: str, lines: Iterable[tuple[int, str]]) -> Iterator[ScoreRow]:
    """Yield the scores of systems; lines of plus signs separate clusters."""
    for number, line in lines:
        if not line.strip("+ "):
            continue
        match = _OFFICIAL.match(line)
        if match is None:
            what = f"{line!r} is not a system, its score and (best, worst) rank"
            raise FormatError(what, path=path, line=number)
        name, score = match[1], float(match[2])
        pair = file_langpair(name)
        yield ScoreRow("official", pair, system_name(name), None, score, number)

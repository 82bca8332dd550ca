# SPDX-License-Identifier: Apache-2.0
"""Automatic scores that WMT 2025 published: JSON lines with one document each.

A line has ``language_pair``, ``domain``, ``document_id`` and ``metric_scores``: for
every metric a list with one score per paragraph. A file is that of one system, which is
the last part of its name (``automatic-scores.SYSTEM.jsonl``).

Segments are called as those of the human judgements: ``PAIR_#_DOMAIN_#_DOCUMENT:1``.
Speech has ``vid_`` before the document there, and in the outputs of systems.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from tertium.errors import FormatError
from tertium.judgements.formats.wmt25_humeval import document_langpair
from tertium.meta.files.choice import ScoreRow
from tertium.meta.files.program_output import finite, json_row

__all__ = ["is_automatic_scores", "read_automatic_scores"]

_SYSTEM = re.compile(r"(?:.*automatic-scores\.)?(.+?)(?:\.jsonl?)?(?:\.\w{2,3})?$")
_NAMES = ("language_pair", "domain", "document_id")


def is_automatic_scores(line: str) -> bool:
    """Return whether a line looks like one of these files."""
    return '"metric_scores"' in line and '"document_id"' in line


def read_automatic_scores(
    path: str, lines: Iterator[tuple[int, str]], system: str | None
) -> Iterator[ScoreRow]:
    """Yield the scores of one system, paragraph by paragraph.

    Parameters
    ----------
    path : str
    lines : iterator of (int, str)
    system : str, optional
        The name of the system, whatever the file is called.

    Raises
    ------
    FormatError
        When a line lacks a name, a document is there twice, or metrics have different
        numbers of scores.
    """
    name = _SYSTEM.match(os.path.basename(path))
    who = system or (name[1] if name else os.path.basename(path))
    seen: dict[str, int] = {}
    for number, line in lines:
        if not line.strip():
            continue
        row = json_row(line, path, number)
        document = _document(row, path, number)
        if (first := seen.setdefault(document, number)) != number:
            what = f"document {document!r} is on line {first} already; keep one"
            raise FormatError(what, path=path, line=number)
        for metric, values in _scores(row, path, number).items():
            for at, value in enumerate(values, start=1):
                yield ScoreRow(
                    metric,
                    document_langpair(document),
                    who,
                    f"{document}:{at}",
                    finite(value, path, number),
                    number,
                    unnamed=system is None,
                )


def _document(row: Mapping[str, object], path: str, line: int) -> str:
    parts = []
    for name in _NAMES:
        value = row.get(name)
        if not isinstance(value, str) or not value:
            what = f"no {name}; give the file as WMT published it"
            raise FormatError(what, path=path, line=line)
        parts.append(value)
    if parts[1] == "speech" and not parts[2].startswith("vid_"):
        parts[2] = f"vid_{parts[2]}"
    return "_#_".join(parts)


def _scores(row: Mapping[str, object], path: str, line: int) -> dict[str, list[object]]:
    scores = row.get("metric_scores")
    known = scores if isinstance(scores, dict) else {}
    if not known or not all(isinstance(values, list) for values in known.values()):
        what = "metric_scores is not an object of lists; give one score per paragraph"
        raise FormatError(what, path=path, line=line)
    (first, size), *rest = [(name, len(values)) for name, values in known.items()]
    for name, other in rest:
        if other != size:
            what = (
                f"{first} has {size} scores and {name} {other}; give one per paragraph"
            )
            raise FormatError(what, path=path, line=line)
    return known

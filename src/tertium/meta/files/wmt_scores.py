# SPDX-License-Identifier: Apache-2.0
"""Submissions to the WMT metrics task: metric, pair, test set, system, score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tertium.errors import FormatError
from tertium.meta.files.choice import ScoreRow
from tertium.meta.files.score_fields import cut_fields, is_text, score_number

__all__ = ["read_wmt"]


def read_wmt(
    path: str, lines: Iterable[tuple[int, str]], by_segment: bool
) -> Iterator[ScoreRow]:
    """Yield the scores of segments or of systems."""
    least = 6 if by_segment else 5
    for number, line in lines:
        fields = cut_fields(line)
        if len(fields) < least:
            what = (
                f"{len(fields)} fields; metric, language pair, test set, system, "
                f"{'segment, ' if by_segment else ''}score are due"
            )
            raise FormatError(what, path=path, line=number)
        metric, pair, testset = fields[:3]
        # From 2021 on there are domain and reference before the system. Of segments,
        # the number tells the layouts apart; of systems, the count of columns.
        if by_segment:
            skip = 0 if fields[4].isdecimal() else 2
        else:
            skip = 2 if is_text(fields[4]) and len(fields) > least + 1 else 0
        system = fields[3 + skip]
        segment = fields[4 + skip] if by_segment else None
        value = score_number(fields[4 + skip + by_segment], path, number)
        if value is not None:
            domain, reference = fields[3:5] if skip else (None, None)
            yield ScoreRow(
                metric,
                pair,
                system,
                segment,
                value,
                number,
                testset,
                reference,
                domain,
            )

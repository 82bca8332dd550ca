# SPDX-License-Identifier: Apache-2.0
"""Direct assessments as WMT publishes them, on the scale ``DA``.

Three layouts, told apart by their header:

- ``LP DATA SYSTEM SID HUMAN``, one score per segment and system (2016 to 2019);
- ``LP source translation reference HUMAN_score ...`` with tabs: segments that were
  sampled without their systems. The system is ``translation``, the segment its row;
- ``HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time``,
  one score per judge. Scores of files called ``...stnd...`` are standardised by judge:
  their scale is ``DA-z``. Rows that check the judge (``REF``, ``BAD_REF``,
  ``REPEAT``) go to the scale ``DA-control``.

Files with scores of whole systems are results, not judgements.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from tertium.data.lines import display, open_lines
from tertium.errors import FormatError
from tertium.judgements.formats.cells import score, to_meta
from tertium.judgements.formats.format import Format, ImportOptions
from tertium.judgements.formats.names import language
from tertium.judgements.formats.values import bad
from tertium.judgements.judgement import Bad, Judgement, Rating
from tertium.judgements.scales import CONTROL

__all__ = ["NO_SYSTEM", "WMT_DA"]

#: The system of outputs that were sampled without the names of theirs.
NO_SYSTEM = "translation"

_SEGMENTS = {"LP", "SYSTEM", "SID", "HUMAN"}
_SAMPLE = {"LP", "translation", "HUMAN_score"}
_HITS = {"HITId", "WorkerId", "sys_id", "type", "sid", "score"}
_SYSTEMS = {"LP", "SYSTEM", "HUMAN"}

Row = Mapping[str, str]


def _cut(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _read(path: str, options: ImportOptions) -> Iterator[Judgement | Bad]:
    lines = enumerate(open_lines(path), start=1)
    header = _cut(next(lines, (1, ""))[1])
    to_rating = _reader(header, path, options)
    for number, line in lines:
        if not line.strip():
            continue
        cells = _cut(line)
        if len(cells) != len(header):
            reason = f"{len(cells)} fields where the header names {len(header)}"
            yield Bad(number, reason, line)
            continue
        try:
            rating = to_rating(dict(zip(header, cells, strict=True)), number - 1)
        except ValueError as error:
            yield bad(number, error, line)
            continue
        # Systems with equal outputs share a judgement, and their names a cell.
        for name in rating.system.split("+"):
            yield rating._replace(system=name)


def _reader(
    header: Sequence[str], path: str, options: ImportOptions
) -> Callable[[Row, int], Rating]:
    """Return what makes a rating of a row and its number."""
    columns = set(header)
    if len(columns) != len(header):
        what = "two columns have the same name; rename one"
        raise FormatError(what, path=display(path), line=1)
    if columns >= _SEGMENTS:
        return lambda row, _: _rating(
            options, row["LP"], row["SYSTEM"], row["SID"], row["HUMAN"]
        )
    if columns >= _SAMPLE:
        return lambda row, number: _rating(
            options, row["LP"], NO_SYSTEM, str(number), row["HUMAN_score"]
        )
    if columns >= _HITS:
        scale = "DA-z" if "stnd" in os.path.basename(path) else "DA"
        file_options = options._replace(scale=options.scale or scale)
        return lambda row, _: _hit(file_options, row)
    if columns >= _SYSTEMS:
        what = (
            "scores of whole systems, which are not judgements; compare metrics with "
            "them through `tertium correlate --human-scores`"
        )
    else:
        what = "no header LP DATA SYSTEM SID HUMAN; check the format"
    raise FormatError(what, path=display(path), line=1)


def _rating(
    options: ImportOptions, langpair: str, system: str, segment: str, value: str
) -> Rating:
    _need(system=system, segment=segment)
    return Rating(
        system,
        score(value),
        options.scale or "DA",
        segment,
        langpair=options.langpair or langpair or None,
        campaign=options.campaign,
    )


def _hit(options: ImportOptions, row: Row) -> Rating:
    pair = [language(row.get(name, "")) for name in ("Input.src", "Input.trg")]
    rating = _rating(
        options,
        "-".join(pair) if all(pair) else "",
        row["sys_id"],
        row["sid"],
        row["score"],
    )
    item = row["type"]
    is_system = item == "SYSTEM"
    # The time is that of the whole task, of a hundred items or so.
    rest = {
        "item": "" if is_system else item,
        "hit": row["HITId"],
        "hit_seconds": row.get("time", ""),
    }
    return rating._replace(
        scale=rating.scale if is_system else rating.scale + CONTROL,
        judge=row["WorkerId"] or None,
        meta=to_meta(rest),
    )


def _need(**names: str) -> None:
    for what, name in names.items():
        if not name:
            message = f"no {what}"
            raise ValueError(message)


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    columns = set(_cut(head[0])) if head else set()
    return any(columns >= known for known in (_SAMPLE, _HITS, _SYSTEMS))


WMT_DA = Format(
    "wmt-da",
    _fits,
    _read,
    kinds=("ratings",),
)

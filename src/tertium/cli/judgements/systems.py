# SPDX-License-Identifier: Apache-2.0
"""``--systems`` of ``tertium judgements import``: who wrote which candidate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements import Judgements

__all__ = ["with_systems"]


def with_systems(
    args: argparse.Namespace, judgements: Judgements, formats: Mapping[str, str]
) -> Judgements:
    """Return judgements with the systems of --systems.

    Candidates that the table does not have are listed with their lines.

    Raises
    ------
    InputError
        When there are such candidates, unless they are to be kept.
    """
    from tertium.data.lines import display
    from tertium.judgements import attach_systems, read_system_table
    from tertium.judgements.parts.candidates import unmatched

    found = attach_systems(judgements, read_system_table(args.systems))
    rest = unmatched(found)
    if not rest:
        return found
    places = _places(args, formats, {candidate.ranking for candidate in rest})
    for candidate in rest:
        where = places.get(candidate.ranking, "<stdin>")
        part = "" if candidate.part is None else f", part {candidate.part!r}"
        sys.stderr.write(
            f"{where}: no system wrote {candidate.text!r} (segment "
            f"{candidate.segment}{part})\n"
        )
    these = count(len(rest), "candidate")
    if not args.keep_unmatched:
        message = (
            f"{these} without a system in {display(args.systems)}; complete that file, "
            "or keep them with --keep-unmatched"
        )
        raise InputError(message)
    remark(args, f"{these} kept without a system")
    return found


def _places(
    args: argparse.Namespace, formats: Mapping[str, str], wanted: Collection[int]
) -> dict[int, str]:
    """Return the file and the line of rankings; standard input cannot be read again."""
    from tertium.judgements import FORMATS, Given, Ranking
    from tertium.judgements.importing import numbered_records

    if "-" in formats:
        return {}
    given = Given(args.langpair, args.campaign, args.scale)
    found: dict[int, str] = {}
    ranking = 0
    for path, name in formats.items():
        for line, record in numbered_records(path, FORMATS[name], given):
            if isinstance(record, Ranking):
                if ranking in wanted:
                    found[ranking] = f"{path}:{line}"
                ranking += 1
    return found

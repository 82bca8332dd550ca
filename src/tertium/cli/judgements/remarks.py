# SPDX-License-Identifier: Apache-2.0
"""What ``tertium judgements import`` says when it is done."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.remarks import remark

if TYPE_CHECKING:
    from tertium.judgements import Import, Judgements

__all__ = ["counted", "remark_import"]


def remark_import(
    args: argparse.Namespace, found: Import, judgements: Judgements, aside: str
) -> None:
    """Say what an import wrote, and what it set aside."""
    kinds = ", ".join(sorted(set(found.formats.values())))
    files = count(len(found.formats), "file")
    what = f"wrote {counted(judgements)} of {files} ({kinds}) to {args.output}"
    remark(args, what)
    _remark_nameless(args, found, judgements)
    _remark_cut(args, judgements)
    skipped = sum(bad.skipped for _, bad in found.bad)
    if wrong := len(found.bad) - skipped:
        where, bad = next(each for each in found.bad if not each[1].skipped)
        remark(
            args,
            f"{count(wrong, 'bad row')} set aside in {aside}; "
            f"the first is {where}:{bad.line}: {bad.reason}",
        )
    if skipped:
        where, bad = next(each for each in found.bad if each[1].skipped)
        remark(
            args,
            f"{count(skipped, 'row')} without a judgement set aside in "
            f"{aside}; the first is {where}:{bad.line}: {bad.reason}",
        )


def _remark_cut(args: argparse.Namespace, judgements: Judgements) -> None:
    """Say how many segments of Appraise exports have no position in their document."""
    from tertium.judgements.formats.appraise_items import is_cut

    cut = sum(is_cut(name) for name in judgements.names("segment"))
    if cut:
        remark(
            args,
            f"{count(cut, 'segment')} of documents that are cut between "
            "batches cannot be matched with those of other systems; give the batches "
            "of the campaign with --batches",
        )


def _remark_nameless(
    args: argparse.Namespace, found: Import, judgements: Judgements
) -> None:
    """Say which ratings are of outputs whose systems their file does not name."""
    from tertium.judgements.formats.wmt_da import NO_SYSTEM, WMT_DA

    if WMT_DA.name not in found.formats.values():
        return
    nameless = judgements.filter(system=NO_SYSTEM).counts()["ratings"]
    if nameless:
        remark(
            args,
            f"{count(nameless, 'rating')} of outputs without the names of "
            f"their systems, as one system {NO_SYSTEM!r}: systems cannot be ranked by "
            "them; correlate metrics over outputs, as by --coef pearson:none",
        )


def counted(judgements: Judgements) -> str:
    """Return how many judgements of which kinds there are."""
    from tertium.judgements.summary import count_checks, count_errors

    counts = judgements.counts()
    checks, errors = count_checks(judgements), count_errors(judgements)
    shown = {
        "ranking": counts["rankings"],
        "rating": counts["ratings"] - checks,
        "check": checks,
        "error span": errors,
        "error-free output": counts["spans"] - errors,
    }
    parts = [count(number, kind) for kind, number in shown.items() if number]
    *most, last = parts or ["no judgements"]
    return " and ".join(filter(None, [", ".join(most), last]))

# SPDX-License-Identifier: Apache-2.0
"""``--resegment``: outputs in other lines than the references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.inputs import check_specs, testset_files
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.values import Layers, Resegmented
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.segmentation import Resegmentation
    from tertium.data.testset import Testset

__all__ = ["read_resegmented"]


def read_resegmented(
    options: Resegmented,
) -> tuple[Testset, dict[str, Resegmentation]]:
    """Return the test set with its outputs cut, and how that was done."""
    from tertium.data.segmentation import read_resegmented

    _check(options)
    files = testset_files(options, runs=True)
    check_specs(options.metrics)
    if files.references is None or options.systems is None:
        message = "--resegment needs references (-r, or -t) and outputs (-i) in files"
        raise InputError(message)
    with Progress("segments", quiet=options.quiet) as progress:
        return read_resegmented(
            files.references,
            flags.run_files(options.systems)[0],
            sources=files.sources,
            docs=files.docs,
            langpair=options.langpair,
            by=options.resegment or "words",
            threads=options.threads,
            progress=progress,
        )


def _check(options: Resegmented) -> None:
    others = {
        "the test set": options.testset,
        "--mtme": options.mtme,
        "--permutations": getattr(options, "permutations", None),
        "--input-format": options.input_format,
        "--systems-columns": options.systems_columns,
    }
    for name in Layers.__annotations__:
        others[f"--{name.replace('_', '-')}"] = getattr(options, name) or None
    for name, value in others.items():
        if value is not None:
            raise InputError(f"--resegment cuts outputs given with -i; omit {name}")

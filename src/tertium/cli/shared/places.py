# SPDX-License-Identifier: Apache-2.0
"""Checks of the files that a verb reads and writes, before any work."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tertium._files import check_place
from tertium.cli.shared.flags import same_file
from tertium.errors import InputError

__all__ = ["check_places"]


def check_places(
    inputs: Sequence[str | None], outputs: Sequence[str | None] = ()
) -> None:
    """Reject files that would be read or written twice, or cannot be written.

    Parameters
    ----------
    inputs, outputs : sequence of str or None
        Paths; ``-`` is standard input or output, None stands for no file.
    """
    sources = [path for path in inputs if path is not None]
    targets = [path for path in outputs if path is not None]
    if sources.count("-") > 1:
        message = "standard input (-) is given more than once; use files for the others"
        raise InputError(message)
    for target in targets:
        if any(same_file(target, source) for source in sources):
            raise InputError(f"{target} is one of the inputs; write to another file")
    places = [path if path == "-" else os.path.realpath(path) for path in targets]
    for place in places:
        if places.count(place) > 1 and place != os.devnull:
            raise InputError(f"two outputs go to {place}; give each its own file")
    for target in targets:
        check_place(target)

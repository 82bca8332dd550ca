# SPDX-License-Identifier: Apache-2.0
"""How ``tertium explain`` finds an output of a report in the files it was made from."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ExplainCommand"]


@dataclass(frozen=True)
class ExplainCommand:
    """The part of the command that names the output of a system, as a shell reads it.

    Parameters
    ----------
    options : tuple of str
        Options with their values, such as ``-i 'A=run 1.txt'``.
    before : str
        A command that has to run first, such as ``tertium resegment ...``.
    """

    options: tuple[str, ...]
    before: str = ""

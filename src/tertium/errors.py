# SPDX-License-Identifier: Apache-2.0
"""The exceptions Tertium raises on purpose.

* TertiumError
    * InputError          wrong arguments or data that do not fit together
        * FormatError     a file that cannot be read, with its name and line
            * UntrustedError  a file asks for what only its user may allow
        * UnknownNameError  a metric, setting or choice nobody has heard of
    * ProgramError        a program that was started failed
    * OutputError         a result that cannot be written, such as on a full disk
    * NotDefinedError     a figure that has no value here
    * MissingExtraError   an optional dependency is not installed

Every message has three parts: what is wrong, where (file and line, or index),
and the cure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.notes import Note

__all__ = [
    "FormatError",
    "InputError",
    "MissingExtraError",
    "NotDefinedError",
    "OutputError",
    "ProgramError",
    "TertiumError",
    "UnknownNameError",
    "UntrustedError",
]


_NEAR = 0.65  # of difflib: "blue" is near "bleu" (0.75), "nope" not near "copy" (0.5)


class TertiumError(Exception):
    """Base of everything Tertium raises on purpose.

    An error that is shown in other languages has its message as ``note``.
    """

    note: Note | None = None


class InputError(TertiumError, ValueError):
    """Arguments are wrong, or data do not fit together.

    Parameters
    ----------
    what : str or Note
        What is wrong, where, and the cure. A note can be shown in other languages; the
        error has it as ``note``.
    options : sequence of str
        Arguments that are a cure, such as ``ref_trees``. The command line adds the
        flags that the verb has for them (``--ref-trees``).
    """

    def __init__(self, what: str | Note, *, options: Sequence[str] = ()) -> None:
        self.note = None if isinstance(what, str) else what
        self.options = tuple(options)
        super().__init__(str(what))


class FormatError(InputError):
    """A file cannot be read as what it should be.

    Parameters
    ----------
    what : str
        What is wrong, and after a semicolon the cure.
    path : str
        The file, or ``<stdin>``.
    line : int, optional
        The line, counted from 1.
    options : sequence of str
        As in :class:`InputError`.
    """

    def __init__(
        self,
        what: str,
        *,
        path: str,
        line: int | None = None,
        options: Sequence[str] = (),
    ) -> None:
        self.path = path
        self.line = line
        where = path if line is None else f"{path}:{line}"
        super().__init__(f"{where}: {what}", options=options)


class UntrustedError(FormatError):
    """A file asks for something that can do harm if the file came from someone else.

    It wants to start a program or to read files outside its folder, and whoever reads
    it has not allowed that.
    """


class UnknownNameError(InputError):
    """A name is not among the known ones; the message lists the near ones.

    Codes of two letters are near to each other without meaning anything alike, so
    for these it lists them all, unless there are more than `most`: then the nearest.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, most: int | None = None
    ) -> None:
        choices = sorted(known)
        self.known = tuple(choices)
        import difflib  # 5 ms that only a wrong name should cost

        # Case hides what is near: "chrF" is "chrf" to most people.
        cased = {choice.lower(): choice for choice in reversed(choices)}
        near = (
            difflib.get_close_matches(name.lower(), cased, n=3, cutoff=_NEAR)
            if len(name) > 2
            else []
        )
        hint = (
            f"did you mean {' or '.join(cased[each] for each in near)}?"
            if near
            else f"choose from {', '.join(choices)}"
        )
        if not near and most is not None and len(choices) > most:
            few = difflib.get_close_matches(name.lower(), cased, n=most, cutoff=0)
            listed = ", ".join(cased[each] for each in few)
            hint = f"choose one of {len(choices):,}, such as {listed}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class ProgramError(TertiumError):
    """A program that a user named failed, was silent, or wrote something else."""


class OutputError(TertiumError):
    """A result cannot be written: the disk is full, or the output is closed.

    Not an OSError: argparse ignores these where it prints help.
    """


class NotDefinedError(TertiumError, ValueError):
    """A figure has no value for this input."""


class MissingExtraError(TertiumError, ImportError):
    """An optional dependency is missing; the message holds the pip command.

    Parameters
    ----------
    what : str
        What needs it.
    extra : str
        The extra of this package that brings it.
    command : str
        What to type instead, where an extra is not enough.
    """

    def __init__(self, what: str, *, extra: str = "", command: str = "") -> None:
        command = command or f"pip install 'tertium[{extra}]'"
        super().__init__(f"{what} needs an extra: {command}")

# SPDX-License-Identifier: Apache-2.0
"""Bilingual aligners: the built-in one and external programs behind one small protocol.

They learn from the texts that they align, so give them as many as there are. Programs
run as separate processes, in a temporary folder that is always removed; Ctrl-C ends
them too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from tertium._messages import quote
from tertium._programs import end_program, split_command
from tertium.align.hmm import HmmAligner
from tertium.align.links import Links, check_links, reverse
from tertium.align.pharaoh import read_pharaoh
from tertium.align.symmetrisation import symmetrise_all
from tertium.align.vocabulary import check_sizes
from tertium.data.lines import StrPath, write_lines
from tertium.errors import FormatError, InputError, MissingExtraError

__all__ = ["BilingualAligner", "CommandAligner", "Eflomal", "align_bilingual"]


@runtime_checkable
class BilingualAligner(Protocol):
    """Anything that aligns texts with their translations."""

    def align(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[Links], list[Links]]:
        """Return the links of each segment, in both directions.

        Both are (source, target); texts are split at white space.
        """


def align_bilingual(
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    aligner: BilingualAligner | None = None,
    symmetrise: str = "grow-diag-final-and",
) -> list[Links]:
    """Return the links between texts and their translations.

    Parameters
    ----------
    sources, targets : sequence of str
        Texts are split at white space: tokenise first.
    aligner : BilingualAligner, optional
        :class:`HmmAligner` by default.
    symmetrise : str
        How the two directions become one; see :func:`tertium.align.symmetrise`.

    Raises
    ------
    InputError
        When the texts differ in length, or the aligner fails or returns what does
        not fit the texts.

    Examples
    --------
    >>> sources, targets = ["das haus", "das buch"], ["the house", "the book"]
    >>> links = align_bilingual(sources, targets)
    >>> [(link.hyp, link.ref) for link in links[1]]
    [(0, 0), (1, 1)]
    """
    check_sizes(sources, targets)
    symmetrise_all((), (), method=symmetrise)  # Reports a wrong name before the work.
    forward, backward = (aligner or HmmAligner()).align(sources, targets)
    for links in (forward, backward):
        _check(links, sources, targets)
    return symmetrise_all(forward, backward, method=symmetrise)


class Eflomal:
    """The aligner eflomal (Ostling and Tiedemann 2016), run as a program.

    Install it with ``pip install 'tertium[align]'``; its licence is GPL 3, so it is
    started as a process and never imported. It samples at random and has no seed:
    two runs differ in a few links, in fewer with more samplers.

    Parameters
    ----------
    model : int
        1: IBM model 1; 2: with HMM; 3: with fertility.
    samplers : int
        Independent samplers whose results are averaged.
    length : float
        The number of iterations, relative to eflomal's default for the text's size.
    priors : path, optional
        Priors from a larger corpus, made by ``eflomal-makepriors``.
    """

    def __init__(
        self,
        *,
        model: int = 3,
        samplers: int = 3,
        length: float = 1.0,
        priors: StrPath | None = None,
    ) -> None:
        if model not in (1, 2, 3):
            raise InputError(f"eflomal has models 1, 2 and 3, not {model}")
        if samplers < 1:
            raise InputError(f"eflomal needs at least one sampler, not {samplers}")
        if not 0 < length < float("inf"):
            raise InputError(f"length must be above 0, not {length}; 1 is usual")
        if priors is not None and not os.path.isfile(priors):
            raise InputError(f"there is no file {os.fspath(priors)}; check the path")
        self.model = model
        self.samplers = samplers
        self.length = length
        self.priors = priors

    def align(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[Links], list[Links]]:
        """Return the links of each segment, in both directions."""
        program = _program("eflomal-align")
        if program is None:
            raise MissingExtraError("the aligner eflomal", extra="align")
        with tempfile.TemporaryDirectory(prefix="tertium-align-") as name:
            folder = Path(name)
            # It fails on a text without words, and needs no pair with an empty side.
            both = _write(folder, sources, targets)
            if not both:
                return [()] * len(sources), [()] * len(sources)
            command = [program, "-s", "source", "-t", "target", "-f", "forward"]
            command += ["-r", "backward", "-m", str(self.model)]
            command += ["--n-samplers", str(self.samplers), "-l", repr(self.length)]
            if self.priors is not None:
                command += ["-p", os.path.abspath(self.priors)]
            _run(command, folder)
            forward, backward = (
                _collect(folder / side, both, len(sources))
                for side in ("forward", "backward")
            )
        return forward, backward


class CommandAligner:
    """Any program that reads ``source ||| target`` lines and prints Pharaoh links.

    It is run twice, the second time with the sides swapped, for both directions.

    Parameters
    ----------
    command : str
        The program and its options, such as ``fast_align -i {input} -d -o -v``. No
        shell is involved. ``{input}`` is replaced by the name of the file; without
        it, the program gets the lines on standard input.

    Examples
    --------
    >>> aligner = CommandAligner("sed 's/.*/0-0/'")
    >>> [(link.hyp, link.ref) for link in aligner.align(["a b"], ["c d"])[0][0]]
    [(0, 0)]
    """

    def __init__(self, command: str) -> None:
        try:
            self.command = split_command(command)
        except ValueError as error:
            raise InputError(
                f"{quote(command)} is not a command ({error}); check its quotes"
            ) from None
        program = shutil.which(self.command[0]) if self.command else None
        if program is None:
            raise InputError(
                f"there is no program {quote(self.command[0] if self.command else '')};"
                " install it, or give its path"
            )

    def align(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[Links], list[Links]]:
        """Return the links of each segment, in both directions."""
        forward = self._one_direction(sources, targets)
        backward = self._one_direction(targets, sources)
        return forward, [reverse(links) for links in backward]

    def _one_direction(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> list[Links]:
        with tempfile.TemporaryDirectory(prefix="tertium-align-") as name:
            folder = Path(name)
            both = _write(folder, sources, targets)
            if not both:
                return [()] * len(sources)
            place = str(folder / "input")
            command = [part.replace("{input}", place) for part in self.command]
            # In the current folder, as the command may name files there.
            _run(command, folder, cwd=os.getcwd(), piped=command == self.command)
            return _collect(folder / "output", both, len(sources))


def _program(name: str) -> str | None:
    """Return a program on the path, or beside the running Python."""
    return shutil.which(name) or shutil.which(
        name, path=os.path.dirname(sys.executable)
    )


def _write(folder: Path, sources: Sequence[str], targets: Sequence[str]) -> list[int]:
    """Write the pairs in which both sides have words, and return their indices."""
    pairs = [
        (index, " ".join(source.split()), " ".join(target.split()))
        for index, (source, target) in enumerate(zip(sources, targets, strict=True))
    ]
    pairs = [pair for pair in pairs if pair[1] and pair[2]]
    write_lines(folder / "source", (source for _, source, _ in pairs))
    write_lines(folder / "target", (target for _, _, target in pairs))
    write_lines(folder / "input", (f"{s} ||| {t}" for _, s, t in pairs))
    return [index for index, _, _ in pairs]


def _run(
    command: list[str], folder: Path, *, cwd: str | None = None, piped: bool = False
) -> None:
    """Run a program; its output goes to files, so that no pipe can fill up."""
    with (
        open(folder / "input" if piped else os.devnull, "rb") as stdin,
        open(folder / "output", "wb") as output,
        open(folder / "errors", "wb") as errors,
    ):
        try:
            # In its own group, so that processes it starts are ended with it.
            process = subprocess.Popen(  # noqa: S603 (no shell; the user's command)
                command,
                stdin=stdin,
                stdout=output,
                stderr=errors,
                cwd=cwd or folder,
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(f"cannot run {command[0]}: {reason}; check it") from None
        try:
            code = process.wait()
        except BaseException:
            end_program(process)
            raise
    if code != 0:
        message = (folder / "errors").read_text("utf-8", "replace").strip()
        last = message.splitlines()[-1] if message else "no message"
        raise InputError(
            f"{os.path.basename(command[0])} ended with code {code}: {last}; "
            "check its options and the texts"
        )


def _collect(path: Path, both: list[int], size: int) -> list[Links]:
    """Return the links that a program wrote, with none for pairs it did not get."""
    try:
        segments = read_pharaoh(path)
    except FormatError as error:
        raise InputError(
            f"the aligner wrote no Pharaoh links ({error}); check its options"
        ) from None
    if len(segments) != len(both):
        raise InputError(
            f"the aligner wrote links of {len(segments)} segments for {len(both)}; "
            "check its options"
        )
    links: list[Links] = [()] * size
    for index, segment in zip(both, segments, strict=True):
        links[index] = segment
    return links


def _check(
    segments: Sequence[Links], sources: Sequence[str], targets: Sequence[str]
) -> None:
    if len(segments) != len(sources):
        raise InputError(
            f"the aligner returned links of {len(segments)} segments for "
            f"{len(sources)}; it must return one per segment"
        )
    for number, links in enumerate(segments):
        try:
            check_links(
                links, len(sources[number].split()), len(targets[number].split())
            )
        except InputError as error:
            raise InputError(f"segment {number + 1}: {error}") from None

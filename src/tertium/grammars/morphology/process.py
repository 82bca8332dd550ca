# SPDX-License-Identifier: Apache-2.0
"""Analysers that run as separate programs, such as those under the GPL.

The program reads tokens, one per line, until its input ends. It writes lines in any
order, one for each reading:

* ``form``, ``lemma``, ``pos``, ``features`` and perhaps ``parts``, separated by tabs,
  as in a plain lexicon; or
* the ten columns of CoNLL-U.

Blank lines and those that begin with ``#`` say nothing, except
``# analyser = NAME VERSION``, which results will show. A form without a reading is
unknown, and so is one whose lemma is ``_`` or whose tag is ``X``.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence

from tertium._programs import end_program, split_command
from tertium.errors import FormatError, InputError
from tertium.grammars.morphology.base import Analysis
from tertium.grammars.morphology.features import from_ud, read_features, unique
from tertium.grammars.morphology.tsv import parse_lexicon

__all__ = ["ProcessAnalyser"]

_COLUMNS_OF_CONLLU = 10


class ProcessAnalyser:
    """Readings by a program; it is started once for every batch of tokens.

    Parameters
    ----------
    command : str
        The program with its arguments, quoted as for a shell; no shell runs.
    language : str
        A language code, if known.
    timeout : float
        Seconds after which a silent program counts as failed.

    Raises
    ------
    InputError
        When the program cannot be started or fails: it is tried without tokens.
    """

    def __init__(
        self, command: str, *, language: str = "", timeout: float = 600
    ) -> None:
        self.command = command
        self.language = language
        self._timeout = timeout
        try:
            self._arguments = split_command(command)
        except ValueError as error:
            message = f"{command!r} is not a command ({error}); check the quotes"
            raise InputError(message) from None
        if not self._arguments:
            message = "the command of the analyser is empty; write command:PROGRAM"
            raise InputError(message)
        self.name = f"command:{command}"
        for line in self._run(()):
            label, equals, value = line.lstrip("# ").partition("=")
            if line.startswith("#") and label.strip() == "analyser" and equals:
                self.name = value.strip()

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        """Return the readings of one token; costs a start of the program."""
        return self.analyse_many([token])[0]

    def analyse_many(self, tokens: Sequence[str]) -> list[tuple[Analysis, ...]]:
        """Return the readings of every token, by one run of the program."""
        if not tokens:
            return []
        by_form: dict[str, list[Analysis]] = {}
        for number, line in enumerate(self._run(dict.fromkeys(tokens)), 1):
            if not line.strip() or line.startswith("#"):
                continue
            form, analyses = self._line(line, number)
            by_form.setdefault(form, []).extend(analyses)
        return [unique(by_form.get(token, ())) for token in tokens]

    def _line(self, line: str, number: int) -> tuple[str, tuple[Analysis, ...]]:
        where = f"output of {self.command}"
        cells = line.split("\t")
        if len(cells) == 1:
            return cells[0], ()
        if len(cells) == _COLUMNS_OF_CONLLU:
            form, lemma, pos, features = cells[1], cells[2], cells[3], cells[5]
            if lemma == "_" or pos == "X":
                return form, ()
            try:
                return form, from_ud(lemma, pos, read_features(features))
            except InputError as error:
                raise FormatError(str(error), path=where, line=number) from None
        if cells[1].strip() in ("", "_") or cells[2:3] == ["X"]:
            return cells[0], ()
        try:
            (entry,) = parse_lexicon([line], name=where)
        except FormatError as error:
            what = str(error).partition(": ")[2]
            raise FormatError(what, path=where, line=number) from None
        return entry.form, entry.analyses

    def _run(self, tokens: Iterable[str]) -> list[str]:
        text = "".join(f"{token}\n" for token in tokens)
        try:
            process = subprocess.Popen(  # noqa: S603 (no shell; the user's command)
                self._arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # What the program starts is ended with it.
            )
        except OSError as error:
            message = (
                f"cannot start the analyser {self.command!r} ({error.strerror}); "
                "give a program that is on the path"
            )
            raise InputError(message) from None
        with process:
            try:
                output, reason = process.communicate(text.encode(), self._timeout)
            except subprocess.TimeoutExpired:
                end_program(process)
                message = (
                    f"the analyser {self.command!r} gave no answer within "
                    f"{self._timeout:g} s; it must end when its input ends"
                )
                raise InputError(message) from None
            except BaseException:  # Ctrl-C leaves no program behind.
                end_program(process)
                raise
        if process.returncode:
            lines = reason.decode(errors="replace").strip().splitlines()
            message = (
                f"the analyser {self.command!r} failed with code {process.returncode}: "
                f"{lines[-1] if lines else 'no reason given'}; run it by hand on a word"
            )
            raise InputError(message)
        try:
            return output.decode().replace("\r\n", "\n").split("\n")
        except UnicodeDecodeError:
            message = f"the analyser {self.command!r} does not write UTF-8; make it"
            raise InputError(message) from None

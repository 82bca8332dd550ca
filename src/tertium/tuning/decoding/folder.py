# SPDX-License-Identifier: Apache-2.0
"""The folder of a run: everything that a run needs to go on after it was killed.

==========================  ===========================================================
``settings.json``           what the weights depend on
``iteration-00/weights``    the weights that the decoder reads
``iteration-00/nbest``      its list; there only when the decoder ended well
``iteration-00/decoder.log``  what the decoder printed
``iteration-00/done.json``  the finished iteration, with the weights of the next
``log.jsonl``               all finished iterations, one line each
``weights.json``            the best weights so far
==========================  ===========================================================

Every file appears complete or not at all. A decoder writes under a name that no other
process uses, so one that outlives a killed run cannot disturb the next.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium._locks import LockedError, lock_file
from tertium.errors import FormatError, InputError
from tertium.tuning.decoding.decoder import Decoder
from tertium.tuning.decoding.results import Iteration

if TYPE_CHECKING:
    from tertium.tuning.lists import NBestList

__all__ = ["RunFolder"]

_SHOWN = 60  # characters of a setting in a message


@dataclass(frozen=True)
class RunFolder:
    """The files of a run."""

    path: Path

    @contextmanager
    def opened(self, settings: Mapping[str, object]) -> Iterator[None]:
        """Make the folder, or go on with a run that has the same settings.

        Raises
        ------
        InputError
            When the folder has a run with other settings, belongs to a running
            process, or holds other files.
        """
        if self.path.is_dir() and not self._settings.is_file() and self._others():
            message = (
                f"{self.path} is not empty and not a tuning run; "
                "give a new folder for the run"
            )
            raise InputError(message, options=("folder",))
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot make {self.path}: {error.strerror}; give another folder"
            raise InputError(message, options=("folder",)) from None
        with _locked(self.path):
            # Before the first list nothing depends on the settings.
            if self._settings.is_file() and self._list(0).is_file():
                self._check(settings)
            else:
                self.write("settings.json", _json(settings))
            yield

    def _others(self) -> list[Path]:
        """Return files of other programs."""
        return [x for x in self.path.iterdir() if not x.name.startswith(".tertium-")]

    @property
    def _settings(self) -> Path:
        return self.path / "settings.json"

    def settings(self) -> dict[str, object]:
        """Return the settings of the run."""
        return dict(_read(self._settings))

    def _check(self, settings: Mapping[str, object]) -> None:
        known = self.settings()
        wanted = json.loads(_json(settings))
        names = [
            name
            for name in sorted({*known, *wanted})
            if known.get(name) != wanted.get(name)
        ]
        if names:
            first = names[0]
            before, now = _short(known.get(first), wanted.get(first))
            message = (
                f"the run in {self.path} was started with other settings: {first} was "
                f"{before}, now it is {now}; give the same settings, or a new folder"
            )
            raise InputError(message, options=("folder",))

    def iteration(self, number: int) -> Path:
        """Return the folder of an iteration."""
        return self.path / f"iteration-{number:02d}"

    def _list(self, number: int) -> Path:
        return self.iteration(number) / "nbest"

    def decoded(
        self,
        decoder: Decoder,
        number: int,
        weights: str,
        *,
        read: Callable[[Path], list[NBestList]],
        progress: Callable[[str, int, int | None], None] | None = None,
    ) -> list[NBestList]:
        """Return the lists of an iteration; run the decoder if they are not there yet.

        Parameters
        ----------
        decoder : Decoder
        number : int
            Of the iteration.
        weights : str
            The content of the weights file.
        read : callable
            Reads and checks a file. One that fails stays for the user to look at, under
            another name: the decoder runs again next time.
        progress : callable, optional
            As in :meth:`Decoder.run`.
        """
        place, nbest = self.iteration(number), self._list(number)
        if nbest.is_file():
            return read(nbest)
        place.mkdir(exist_ok=True)
        for stale in place.glob("decoding-*"):
            stale.unlink()
        self.write(f"{place.name}/weights", weights)
        part = place / f"decoding-{os.getpid()}-{os.urandom(4).hex()}"
        try:
            decoder.run(
                weights=place / "weights",
                nbest=part,
                iteration=number,
                log=place / "decoder.log",
                progress=progress,
            )
            unchecked = place / "unchecked"
            os.replace(part, unchecked)
        finally:
            part.unlink(missing_ok=True)
        lists = read(unchecked)
        os.replace(unchecked, nbest)
        return lists

    def finished(self, number: int) -> Iteration | None:
        """Return an iteration, if it is finished."""
        path = self.iteration(number) / "done.json"
        if not path.is_file():
            return None
        try:
            return Iteration(**_read(path))  # type: ignore[arg-type]
        except TypeError:
            what = "this is not a finished iteration; remove the file to compute it"
            raise FormatError(what, path=str(path)) from None

    def all_finished(self) -> list[Iteration]:
        """Return the finished iterations in their order."""
        rows: list[Iteration] = []
        while (row := self.finished(len(rows))) is not None:
            rows.append(row)
        return rows

    def finish(self, row: Iteration) -> None:
        """Write a finished iteration."""
        self.write(f"{self.iteration(row.number).name}/done.json", _json(row.to_dict()))

    def log(self, rows: Sequence[Iteration], best: Iteration) -> None:
        """Write the log of all finished iterations, and the best weights."""
        lines = [json.dumps(row.to_dict(), ensure_ascii=False) for row in rows]
        self.write("log.jsonl", "".join(f"{line}\n" for line in lines))
        self.write("weights.json", _json(best.weights))

    def write(self, name: str, text: str) -> None:
        """Write a file of the folder: complete, or not at all."""
        with replace_file(self.path / name) as file:
            file.write(text.encode())


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other processes out; the lock of a killed process is gone with it."""
    with ExitStack() as stack:
        try:
            stack.enter_context(lock_file(folder / ".tertium-lock"))
        except LockedError:
            message = (
                f"another process tunes in {folder}; wait for it, or give a new folder"
            )
            raise InputError(message, options=("folder",)) from None
        yield


def _json(value: Mapping[str, object] | Mapping[str, float]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _read(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        what = f"this is not a file of a tuning run ({error}); give another folder"
        raise FormatError(what, path=str(path)) from None
    if not isinstance(value, dict):
        what = "this is not a file of a tuning run; give another folder"
        raise FormatError(what, path=str(path))
    return value


def _short(before: object, now: object) -> tuple[str, str]:
    """Return two values for a message, long ones from where they differ.

    Examples
    --------
    >>> _short(1, 2)
    ('1', '2')
    >>> _short("decode " * 20 + "here", "decode " * 20 + "there")
    ('...here"', '...there"')
    """
    texts = [json.dumps(value, ensure_ascii=False) for value in (before, now)]
    if max(map(len, texts)) > _SHOWN:
        pairs = enumerate(zip(*texts, strict=False))
        same = next((i for i, (a, b) in pairs if a != b), min(map(len, texts)))
        texts = [f"{'...' * (same > 0)}{text[same : same + _SHOWN]}" for text in texts]
    return texts[0], texts[1]

# SPDX-License-Identifier: Apache-2.0
"""Writing n-best lists: whatever a format has no place for is an error, or a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tertium._files import replace_file
from tertium.data.lines import StrPath, display, write_lines
from tertium.errors import InputError, UnknownNameError
from tertium.notes import Note
from tertium.tuning.formats import jsonl, moses, zmert
from tertium.tuning.lists import NBestList

__all__ = ["FORMATS", "format_of", "write_nbest", "write_nbest_shards"]

#: Formats that can be written.
FORMATS = ("moses", "jsonl", "zmert")


def format_of(path: StrPath, chosen: str | None = None) -> str:
    """Return the format of a file to write: jsonl by its extension, or moses.

    Examples
    --------
    >>> format_of("a.jsonl.gz"), format_of("a.nbest"), format_of("a.txt", "zmert")
    ('jsonl', 'moses', 'zmert')
    """
    if chosen is not None:
        if chosen not in FORMATS:
            raise UnknownNameError("format of n-best lists", chosen, FORMATS)
        return chosen
    return "jsonl" if ".jsonl" in display(path) else "moses"


def write_nbest(
    lists: Iterable[NBestList],
    path: StrPath,
    *,
    format: str | None = None,  # noqa: A002 (the name people know)
    params: StrPath | None = None,
    lossy: bool = False,
) -> list[Note]:
    r"""Write n-best lists to a file, which appears when it is complete.

    Parameters
    ----------
    lists : iterable of NBestList
        May be a stream; no more than one is in memory.
    path : str or path
        The extension chooses compression.
    format : {"moses", "jsonl", "zmert"}, optional
        By default jsonl where the name of the file has ``.jsonl``, or else moses.
    params : path, optional
        With zmert: a file for the names of features, all with the weight 1.
    lossy : bool
        Whether to drop what the format has no place for.

    Returns
    -------
    list of Note
        What was dropped.

    Raises
    ------
    InputError
        When something would be dropped, unless `lossy`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> made = NBestList("0", ["a cat"], ("lm",), np.array([[-1.5]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.nbest")
    ...     notes = write_nbest([made], file)
    ...     file.read_text()
    '0 ||| a cat ||| lm= -1.5\n'
    """
    kind = format_of(path, format)
    if params is not None and kind != "zmert":
        message = f"parameter files go with zmert, not with {kind}; omit params"
        raise InputError(message, options=("params",))
    if kind == "jsonl":
        _write_objects(lists, path)
        return []
    place = "standard output" if display(path) == "<stdin>" else display(path)
    writer = _Writer(place, labels=kind == "moses", lossy=lossy)
    writer.named = kind == "moses" or params is not None
    write_lines(path, writer.lines(lists))
    if params is not None:
        parameters = [zmert.Parameter(name, 1.0) for name in writer.names]
        write_lines(params, zmert.parameter_lines(parameters))
    return writer.notes()


def write_nbest_shards(
    lists: Iterable[NBestList],
    path: StrPath,
    *,
    rows: int,
    compression: str | None = None,
) -> None:
    """Write n-best lists to a folder of JSONL shards, with a manifest.

    Parameters
    ----------
    lists : iterable of NBestList
        May be a stream; no more than one is in memory.
    path : str or path
        The folder, which is new or empty.
    rows : int
        Lists per shard.
    compression : {"gz", "xz", "bz2", "zst"}, optional
    """
    from tertium.data.partitions import write_line_shards

    lines = map(jsonl.text_line, lists)
    write_line_shards(lines, path, content="nbest", compression=compression, rows=rows)


def _write_objects(lists: Iterable[NBestList], path: StrPath) -> None:
    # Not `write_lines`, which collects lines: those of long lists are long.
    with replace_file(path) as stream:
        for each in lists:
            try:
                stream.write(f"{jsonl.text_line(each)}\n".encode())
            except UnicodeEncodeError:
                message = (
                    f"cannot write {display(path)}: the list {each.id} has half a "
                    "surrogate pair in it; remove it"
                )
                raise InputError(message) from None


class _Writer:
    """Turn lists into lines of Moses or Z-MERT, and count what gets lost."""

    def __init__(self, path: str, *, labels: bool, lossy: bool) -> None:
        self.path = path
        self.labels = labels
        self.lossy = lossy
        self.named = labels
        self.names: tuple[str, ...] = ()
        self.losses: Counter[str] = Counter()
        self.number = -1

    def lines(self, lists: Iterable[NBestList]) -> Iterator[str]:
        """Yield the lines of all lists."""
        for each in lists:
            self.names = each.names
            prepared = self._prepared(each)
            yield from moses.text_lines(self.number, prepared, labels=self.labels)

    def notes(self) -> list[Note]:
        """Return what got lost."""
        return [self._note(code) for code in self.losses]

    def _prepared(self, made: NBestList) -> NBestList:
        if made.id == str(self.number + 1) or _follows(made.id, self.number):
            self.number = int(made.id)
        else:
            self.number += 1
            self._lose("nbest-ids-lost", made)
        if made.references:
            self._lose("nbest-references-lost", made)
        if made.source is not None:
            self._lose("nbest-sources-lost", made)
        if made.scores is not None and not self.labels:
            self._lose("nbest-scores-lost", made)
        if made.names and not self.named:
            self._lose("nbest-names-lost", made)
        if all(map(moses.fits, made.texts)):
            return made
        wrong = [text for text in made.texts if not moses.fits(text)]
        self._lose("nbest-space-lost", made, len(wrong))
        return replace(made, texts=[" ".join(text.split()) for text in made.texts])

    def _lose(self, code: str, made: NBestList, number: int = 1) -> None:
        self.losses[code] += number
        if not self.lossy:
            message = (
                f"cannot write {self.path}: at the list {made.id}, {self._note(code)}; "
                "write jsonl, which keeps everything, or set lossy=True"
            )
            raise InputError(message, options=("lossy",))

    def _note(self, code: str) -> Note:
        values = {"count": self.losses[code], "names": self.names}
        return Note(code, values)


def _follows(name: str, number: int) -> bool:
    """Return whether an id is a number as Moses writes it, after another."""
    return (
        name.isascii()
        and name.isdecimal()
        and str(int(name)) == name
        and (int(name) > number)
    )

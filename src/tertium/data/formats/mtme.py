# SPDX-License-Identifier: Apache-2.0
"""Texts of folders of mt-metrics-eval, version 2.

``sources/LP.txt``, ``references/LP.NAME.txt``, ``system-outputs/LP/SYSTEM.txt`` and
``documents/LP.docs`` (domain and document) have one line per segment. Files may be
compressed. References are also among the systems. Scores are read by
:mod:`tertium.meta.files.mtme`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tertium.data.formats.columns import Column, stream_columns
from tertium.data.lines import StrPath, open_lines
from tertium.data.testset import Testset, join
from tertium.errors import FormatError, InputError
from tertium.notes import Note

__all__ = ["MtmeTexts", "is_mtme", "mtme_files", "mtme_langpair", "read_mtme_texts"]

_PACKED = re.compile(r"\.(gz|xz|bz2|zst)$")


@dataclass(frozen=True)
class MtmeTexts:
    """The texts of one language pair.

    Parameters
    ----------
    testset : Testset
        Documents are in ``docs``, domains in the layer ``domain``; with all references,
        and these among the systems as well if they are so in the folder.
    references : tuple of str
        The names of the references.
    """

    testset: Testset
    references: tuple[str, ...]

    def against(self, reference: str | None = None) -> Testset:
        """Return the texts to be scored against one reference, the first by default.

        References are not systems then, as mt-metrics-eval leaves them out when it
        compares metrics: the one in use would get the best score of all. The notes
        name the reference in use, and the systems left out.

        Raises
        ------
        InputError
            If there is no such reference.
        """
        names = list(self.references)
        if reference is not None and reference not in names:
            known = f"there are {', '.join(names)}" if names else "there are none"
            raise InputError(f"no reference {reference}; {known}")
        systems = {
            name: texts
            for name, texts in self.testset.systems.items()
            if name not in names
        }
        refs = self.testset.references
        if names:
            place = 0 if reference is None else names.index(reference)
            refs = [(texts[place],) for texts in refs]
        notes = (*self.testset.notes, *self._notes(reference))
        return replace(self.testset, systems=systems, references=refs, notes=notes)

    def _notes(self, reference: str | None) -> Iterator[Note]:
        if len(self.references) > 1:
            chosen = reference or self.references[0]
            others = ", ".join(name for name in self.references if name != chosen)
            yield Note("several-references", {"reference": chosen, "others": others})
        if names := ", ".join(self.reference_systems):
            yield Note("reference-systems", {"systems": names})

    @property
    def reference_systems(self) -> list[str]:
        """The systems that are references."""
        return [name for name in self.testset.systems if name in self.references]


def is_mtme(path: StrPath) -> bool:
    """Return whether a path is a folder of mt-metrics-eval."""
    parts = ("sources", "system-outputs")
    return all(os.path.isdir(os.path.join(path, part)) for part in parts)


def read_mtme_texts(folder: StrPath, langpair: str | None = None) -> MtmeTexts:
    """Return the texts of a language pair.

    Parameters
    ----------
    folder : path
    langpair : str, optional
        Needed where there are several.

    Raises
    ------
    FormatError, InputError
        When files are missing or differ in length, or there are several language pairs.
    """
    root = os.fspath(folder)
    langpair = mtme_langpair(root, langpair)
    references = _texts(os.path.join(root, "references"), f"{langpair}.")
    systems = _texts(os.path.join(root, "system-outputs", langpair), "")
    sources = _texts(os.path.join(root, "sources"), langpair)
    columns = [
        Column("source", sources[""]),
        *(Column("reference", file) for file in references.values()),
        *(Column("system", file, name) for name, file in systems.items()),
    ]
    chunks = stream_columns(columns, size=10_000, kind="plain", langpair=langpair)
    testset = join(chunks)
    documents = mtme_files(os.path.join(root, "documents"), f"{langpair}.docs")
    if documents:
        rows = [line.rpartition("\t") for line in open_lines(documents[""])]
        testset = replace(
            testset,
            docs=[name for _, _, name in rows],
            layers={"domain": [domain for domain, _, _ in rows]},
        )
    return MtmeTexts(testset, tuple(references))


def mtme_langpair(root: str, langpair: str | None) -> str:
    """Return the requested language pair, or the only one.

    Raises
    ------
    FormatError
        When there is none at all.
    InputError
        When it is not there, or there are several to choose from.
    """
    known = sorted(
        name.removesuffix(".txt")
        for name in mtme_files(os.path.join(root, "sources"), "")
        if name.endswith(".txt")
    )
    if not known:
        what = "no sources/LP.txt; give a folder of mt-metrics-eval"
        raise FormatError(what, path=root)
    if langpair is None and len(known) > 1:
        message = (
            f"{root} has more than one language pair: {', '.join(known)}; name one, "
            f"such as {known[0]}"
        )
        raise InputError(message, options=("langpair",))
    if langpair is not None and langpair not in known:
        raise InputError(f"no language pair {langpair}; there are {', '.join(known)}")
    return langpair or known[0]


def mtme_files(folder: str, start: str) -> dict[str, str]:
    """Return the files whose names have a prefix, by the rest of their names."""
    if not os.path.isdir(folder):
        return {}
    files: dict[str, str] = {}
    for entry in sorted(os.listdir(folder)):
        name = _PACKED.sub("", entry)
        if not name.startswith(start):
            continue
        rest, path = name[len(start) :], os.path.join(folder, entry)
        if rest in files:
            what = f"the same as {os.path.basename(files[rest])}; remove one"
            raise FormatError(what, path=path)
        files[rest] = path
    return files


def _texts(folder: str, start: str) -> dict[str, str]:
    return {
        rest.removesuffix(".txt"): file
        for rest, file in mtme_files(folder, start).items()
        if rest.endswith(".txt")
    }

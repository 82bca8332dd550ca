# SPDX-License-Identifier: Apache-2.0
"""Texts of folders of mt-metrics-eval, version 2.

``sources/LP.txt``, ``references/LP.NAME.txt``, ``system-outputs/LP/SYSTEM.txt`` and
``documents/LP.docs`` (domain and document) have one line per segment. Files may be
compressed. References are also among the systems. Scores are read by
:mod:`tertium.meta.files.mtme`.

Names, places and standard references were compared with google-research/mt-metrics-eval
as source code: ``data.py`` of commit 6bc577f and ``meta_info.py`` of 25fc1fe, up to
WMT23. Texts in JSON lines (``sources/LP.jsonl``), which it also knows, are rejected.
The line that stands for a missing translation becomes an empty one, with a note.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tertium.data.formats.columns import Column, stream_columns
from tertium.data.lines import StrPath, open_lines
from tertium.data.testset import Testset, join
from tertium.errors import FormatError, InputError
from tertium.notes import Note

__all__ = [
    "MtmeTexts",
    "is_mtme",
    "is_mtme_documents",
    "mtme_document",
    "mtme_files",
    "mtme_langpair",
    "mtme_references",
    "read_mtme_texts",
]

#: The standard reference (`std_ref`) of test sets and language pairs where it is not
#: the first one by name.
_STANDARD = {
    ("wmt21.news", "en-de"): "refC",
    ("wmt21.news", "zh-en"): "refB",
    ("wmt21.tedtalks", "zh-en"): "refB",
    ("wmt22", "cs-en"): "refB",
    ("wmt22", "en-cs"): "refB",
    ("wmt23", "en-he"): "refB",
    ("wmt23", "he-en"): "refB",
}
#: What a line has where there is no translation.
_NOTHING = "[No translation supplied]"
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
        The names of the references, the standard one of mt-metrics-eval first.
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
    references = mtme_references(root, langpair)
    systems = _texts(os.path.join(root, "system-outputs", langpair), "")
    sources = _texts(os.path.join(root, "sources"), langpair)
    columns = [
        Column("source", sources[""]),
        *(Column("reference", file) for file in references.values()),
        *(Column("system", file, name) for name, file in systems.items()),
    ]
    chunks = stream_columns(columns, size=10_000, kind="plain", langpair=langpair)
    testset = _without_placeholders(join(chunks), list(references))
    documents = mtme_files(os.path.join(root, "documents"), f"{langpair}.docs")
    if documents:
        rows = [mtme_document(line) for line in open_lines(documents[""])]
        testset = replace(
            testset,
            docs=[name for _, name in rows],
            layers={"domain": [domain for domain, _ in rows]},
        )
    return MtmeTexts(testset, tuple(references))


def _without_placeholders(testset: Testset, references: Sequence[str]) -> Testset:
    """Return the test set with empty texts, and a note, for missing translations.

    References are among the systems under their names, and counted once.
    """

    def text(line: str) -> str:
        return "" if line.rstrip() == _NOTHING else line

    systems = {name: [*map(text, lines)] for name, lines in testset.systems.items()}
    refs = [tuple(map(text, each)) for each in testset.references]
    missing = Counter(
        {
            name: sum(a != b for a, b in zip(lines, testset.systems[name], strict=True))
            for name, lines in systems.items()
        }
    )
    for place, name in enumerate(references):
        missing[name] = sum(
            new[place] != old[place]
            for new, old in zip(refs, testset.references, strict=True)
        )
    if not +missing:
        return testset
    listed = ", ".join(f"{name} ({number:,})" for name, number in (+missing).items())
    note = Note("translations-missing", {"systems": listed})
    return replace(
        testset, systems=systems, references=refs, notes=(*testset.notes, note)
    )


def mtme_document(line: str) -> tuple[str, str]:
    r"""Return the domain and the document in a line of ``documents/LP.docs``.

    mt-metrics-eval divides them at any white space.

    Examples
    --------
    >>> mtme_document("news\tbbc.1"), mtme_document("news bbc.1")
    (('news', 'bbc.1'), ('news', 'bbc.1'))
    """
    if "\t" not in line:
        line = "\t".join(line.split())
    domain, _, name = line.rpartition("\t")
    return domain, name


def is_mtme_documents(path: StrPath) -> bool:
    """Return whether a file is ``documents/LP.docs`` of such a folder."""
    folder, name = os.path.split(os.path.abspath(path))
    if os.path.basename(folder) != "documents":
        return False
    return _PACKED.sub("", name).endswith(".docs") and is_mtme(os.path.dirname(folder))


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
    lines = mtme_files(os.path.join(root, "sources"), f"{langpair or ''}")
    if langpair not in known and ".jsonl" in lines:
        what = "JSON lines are not read here; convert sources, references and outputs"
        raise FormatError(f"{what} to text, one line per segment", path=lines[".jsonl"])
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


def mtme_references(root: str, langpair: str) -> dict[str, str]:
    """Return the files of references by name, the standard one first.

    The standard one is that of mt-metrics-eval, by the name of the folder; of others,
    the first by name.
    """
    files = _texts(os.path.join(root, "references"), f"{langpair}.")
    testset = os.path.basename(os.path.abspath(root))
    standard = _STANDARD.get((testset, langpair))
    return {name: files[name] for name in _first(standard, files)}


def _first(name: str | None, names: Iterable[str]) -> list[str]:
    """Return names with one of them first, if it is there."""
    return sorted(names, key=lambda each: each != name)


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

# SPDX-License-Identifier: Apache-2.0
"""Test sets that sacreBLEU or mt-metrics-eval have downloaded.

sacreBLEU keeps texts in ``~/.sacrebleu/NAME/NAME.PAIR.FIELD`` (or where the environment
variable ``SACREBLEU`` says) and archives in ``NAME/raw``; before version 2,
``NAME/PAIR.LANGUAGE``. mt-metrics-eval keeps
``~/.mt-metrics-eval/mt-metrics-eval-v2/NAME``. Nothing is downloaded here.

Verified: ``tests/conformance/test_downloads.py`` lets sacreBLEU 2.6.0 build its folder
from archives of every format it knows, and compares names and references for all its
test sets. The older folders are those of ``get_files`` in sacreBLEU 1.5.1. For
mt-metrics-eval, see :mod:`tertium.data.formats.mtme`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium.data.formats.mtme import (
    is_mtme,
    mtme_files,
    mtme_langpair,
    mtme_references,
)
from tertium.errors import InputError
from tertium.notes import Note

__all__ = ["DownloadedTestset", "find_downloaded"]

_BLOCK = 1 << 20


@dataclass(frozen=True)
class DownloadedTestset:
    """The files of a test set on this machine.

    Parameters
    ----------
    origin : {"sacreBLEU", "mt-metrics-eval"}
    folder : str
    source : str
    references : tuple of str
    docs : str, optional
    notes : tuple of Note
        Where the texts are from, and what their checksums say.
    """

    origin: str
    folder: str
    source: str
    references: tuple[str, ...]
    docs: str | None
    notes: tuple[Note, ...]


def find_downloaded(
    name: str,
    langpair: str | None,
    *,
    reference: str | None = None,
    with_systems: bool = False,
) -> DownloadedTestset:
    """Return a test set that sacreBLEU or mt-metrics-eval has downloaded.

    The archives of sacreBLEU are compared with the MD5 checksums that it lists, if it
    is installed. Otherwise the note has the MD5 of source and references.

    Parameters
    ----------
    name : str
        Such as ``wmt20`` or ``wmt14/full``; with ``sacrebleu:`` or ``mtme:`` before it,
        only that place is searched. Where both have it, mt-metrics-eval is preferred
        if outputs of systems are needed, sacreBLEU otherwise.
    langpair : str
        Such as ``en-de``.
    reference : str, optional
        One of several references by name; by default those that sacreBLEU uses, or
        the standard one of mt-metrics-eval.
    with_systems : bool
        Whether outputs are needed too, which only mt-metrics-eval has.

    Raises
    ------
    InputError
        If it is not there, with the command to fetch it, or a checksum differs.
    """
    place, colon, bare = name.partition(":")
    places = ["sacrebleu", "mtme"]
    if with_systems:
        places.reverse()
    if colon:
        if place not in places:
            message = f"{name}: unknown place {place}; use sacrebleu: or mtme:"
            raise InputError(message, options=("test_set",))
        places, name = [place], bare
    if not langpair:
        message = f"test set {name} needs a language pair such as en-de"
        raise InputError(message, options=("langpair",))
    if not name or os.path.isabs(name) or ".." in name.split("/"):
        message = f"{name!r} is not the name of a test set, such as wmt20 or wmt14/full"
        raise InputError(message, options=("test_set",))
    for place in places:
        find = _in_sacrebleu if place == "sacrebleu" else _in_mtme
        if (testset := find(name, langpair, reference)) is not None:
            return testset
    raise _missing(name, langpair, places)


def _sacrebleu_folder() -> str:
    default = os.path.join(os.path.expanduser("~"), ".sacrebleu")
    return os.environ.get("SACREBLEU") or default


def _mtme_folder() -> str:
    home = os.path.expanduser("~")
    return os.path.join(home, ".mt-metrics-eval", "mt-metrics-eval-v2")


def _missing(name: str, langpair: str, places: Sequence[str]) -> InputError:
    folders = {"sacrebleu": _sacrebleu_folder(), "mtme": _mtme_folder()}
    cures = {
        "sacrebleu": f"sacrebleu -t {name} -l {langpair} --echo src > {os.devnull}",
        "mtme": "python -m mt_metrics_eval.mtme --download",
    }
    return InputError(
        f"test set {name} {langpair} is not in "
        f"{' or '.join(folders[place] for place in places)}; fetch it: "
        f"{', or '.join(cures[place] for place in places)}",
        options=("test_set",),
    )


def _in_sacrebleu(
    name: str, langpair: str, reference: str | None
) -> DownloadedTestset | None:
    folder = os.path.join(_sacrebleu_folder(), *name.split("/"))
    stem = f"{name.replace('/', '_')}.{langpair}."
    fields = _fields(folder, stem)
    if "src" not in fields:
        source, _, target = langpair.partition("-")
        old = _fields(folder, f"{langpair}.")
        refs = {
            f"ref{rest.replace('.', '-')}": path
            for rest, path in _fields(folder, f"{langpair}.{target}").items()
            if re.fullmatch(r"(\.\d+)?", rest)
        }
        if not target or source not in old or not refs:
            return None
        fields = {"src": old[source], **refs}
    dataset = _definition(name)
    names = [field for field in fields if field == "ref" or field.startswith("ref-")]
    if not names:
        message = (
            f"{folder} has a source for {langpair}, but no reference; fetch it again: "
            f"sacrebleu -t {name} -l {langpair} --echo ref > {os.devnull}"
        )
        raise InputError(message)
    chosen = _choose(names, dataset, langpair, reference)
    references = tuple(fields[field] for field in chosen)
    checksum = _of_texts([fields["src"], *references])
    if archives := _archives(folder, name, dataset):
        checksum = f"{archives}; {checksum}"
    notes = [_note(name, langpair, "sacreBLEU", folder, checksum)]
    if len(names) > len(chosen):
        others = ", ".join(n for n in names if n not in chosen)
        values = {"reference": ", ".join(chosen), "others": others}
        notes.append(Note("several-references", values))
    return DownloadedTestset(
        "sacreBLEU",
        folder,
        fields["src"],
        references,
        fields.get("docid"),
        tuple(notes),
    )


def _fields(folder: str, stem: str) -> dict[str, str]:
    """Return the files of a folder by what follows a stem."""
    if not os.path.isdir(folder):
        return {}
    return {
        entry.removeprefix(stem): os.path.join(folder, entry)
        for entry in sorted(os.listdir(folder))
        if entry.startswith(stem) and os.path.isfile(os.path.join(folder, entry))
    }


def _choose(
    names: Sequence[str], dataset: Any, langpair: str, reference: str | None
) -> list[str]:
    """Return the references in use, as field names."""
    if reference is not None:
        field = reference if reference in names else f"ref-{reference}"
        if field not in names:
            message = f"no reference {reference}; there are {', '.join(names)}"
            raise InputError(message, options=("reference",))
        return [field]
    if dataset is not None:
        entry = dataset.langpairs.get(langpair)
        allowed = dataset.kwargs.get("refs", [])
        if isinstance(entry, dict):
            allowed = entry.get("refs", allowed)
        fields = [f"ref-{one}" if one else "ref" for one in allowed]
        if usual := [field for field in fields if field in names]:
            return usual
    # Numbered references belong together; letters are translators, to choose from.
    if numbered := [name for name in names if re.fullmatch(r"ref-\d+", name)]:
        return sorted(numbered, key=lambda name: int(name.removeprefix("ref-")))
    return ["ref"] if "ref" in names else [names[0]]


def _definition(name: str) -> Any:
    """Return sacreBLEU's definition of a test set, if it is installed and knows it."""
    if importlib.util.find_spec("sacrebleu") is None:
        return None
    return importlib.import_module("sacrebleu.dataset").DATASETS.get(name)


def _archives(folder: str, name: str, dataset: Any) -> str:
    """Return what the checksums of archives say, or nothing if there are none."""
    if dataset is None or not dataset.md5:
        return ""
    checked = 0
    for url, expected in zip(dataset.data, dataset.md5, strict=False):
        archive = f"{name.replace('/', '_')}.{os.path.basename(url)}"
        path = os.path.join(folder, "raw", archive)
        if not os.path.isfile(path):
            continue
        if (actual := _md5([path])) != expected:
            raise InputError(
                f"{path} has the MD5 checksum {actual}, sacreBLEU lists {expected}; "
                f"delete {folder} and fetch the test set again: sacrebleu -t {name} "
                f"--download {name}"
            )
        checked += 1
    return (
        "archives have the MD5 that sacreBLEU lists, texts were not compared with them"
        if checked
        else ""
    )


def _in_mtme(
    name: str, langpair: str, reference: str | None
) -> DownloadedTestset | None:
    folder = os.path.join(_mtme_folder(), name)
    if not is_mtme(folder):
        return None
    mtme_langpair(folder, langpair)
    references = mtme_references(folder, langpair)
    if reference is not None and reference not in references:
        message = f"no reference {reference}; there are {', '.join(references)}"
        raise InputError(message, options=("reference",))
    chosen = reference or next(iter(references), None)
    source = mtme_files(os.path.join(folder, "sources"), f"{langpair}.txt")[""]
    files = () if chosen is None else (references[chosen],)
    checksum = _of_texts([source, *files])
    notes = [_note(name, langpair, "mt-metrics-eval", folder, checksum)]
    if len(references) > 1:
        others = ", ".join(name for name in references if name != chosen)
        values = {"reference": chosen, "others": others}
        notes.append(Note("several-references", values))
    docs = mtme_files(os.path.join(folder, "documents"), f"{langpair}.docs").get("")
    return DownloadedTestset(
        "mt-metrics-eval", folder, source, files, docs, tuple(notes)
    )


def _note(name: str, langpair: str, origin: str, folder: str, checksum: str) -> Note:
    values = {"name": name, "langpair": langpair, "origin": origin, "folder": folder}
    return Note("downloaded-testset", {**values, "checksum": checksum})


def _of_texts(paths: Sequence[str]) -> str:
    return f"MD5 of source and references: {_md5(paths)}"


def _md5(paths: Sequence[str]) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    for path in paths:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()

# SPDX-License-Identifier: Apache-2.0
"""Models on disk: how to get one, and how to identify it."""

from __future__ import annotations

import hashlib
import os

from tertium.errors import InputError

__all__ = ["HOW_TO_GET_A_MODEL", "cannot_load", "content_hash", "is_package"]

_TRAIN = "tertium parse train TREEBANK.conllu"
_TREEBANKS = "treebanks: https://universaldependencies.org"

#: By parser; part of error messages and of ``tertium parse --help``.
HOW_TO_GET_A_MODEL = {
    "udpipe": "get one from https://ufal.mff.cuni.cz/udpipe/1/models or train one: "
    f"{_TRAIN} -p udpipe -o MODEL; {_TREEBANKS}",
    "spacy": "install one as described at https://spacy.io/models or train one: "
    f"{_TRAIN} -p spacy -o FOLDER; {_TREEBANKS}",
    "stanza": "fetch one: python -c \"import stanza; stanza.download('en')\"",
}


def content_hash(path: str) -> str:
    """Return eight hexadecimal digits that identify the content of a file or folder.

    The names of files in a folder matter, its own name and place do not.
    """
    digest = hashlib.sha256()
    for name, file in _files(path):
        digest.update(f"{name}\0{os.path.getsize(file)}\0".encode())
        with open(file, "rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:8]


def cannot_load(parser: str, model: str, why: str) -> InputError:
    """Return the error for an unusable model, with a hint how to get another."""
    hint = HOW_TO_GET_A_MODEL[parser]
    return InputError(f"model {model!r} of {parser}: {why}; {hint}")


def is_package(name: str) -> bool:
    """Return whether a package of this name is installed.

    spaCy loads it then, even where a folder has the same name.
    """
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        distribution(name)
    except (PackageNotFoundError, ValueError):  # not a name at all
        return False
    return True


def _files(path: str) -> list[tuple[str, str]]:
    if os.path.isfile(path):
        return [("", path)]
    files = []
    for folder, _, names in os.walk(path):
        for name in names:
            file = os.path.join(folder, name)
            files.append((os.path.relpath(file, path).replace(os.sep, "/"), file))
    return sorted(files)

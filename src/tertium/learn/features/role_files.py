# SPDX-License-Identifier: Apache-2.0
"""Semantic roles from a CoNLL-U file, found by the text they belong to.

The last column of a predicate has ``Pred=give.01``, that of an argument's head word
``Role=2:ARG0``: the number of the predicate's word and what the word is to it, several
of them with commas between. One file holds texts and references, each once, in any
order; a text is the value of ``# text``, or the words put together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from tertium.data.lines import display
from tertium.errors import FormatError
from tertium.trees.conllu import Sentence
from tertium.trees.parses import read_first_parses

__all__ = ["Role", "Roles", "read_roles", "role_key"]

_FORM, _LEMMA, _MISC = 1, 2, 9
_ROLE = re.compile(r"([1-9][0-9]*):([^,]+)")


class Role(NamedTuple):
    """Who does what: a filler of a predicate's role."""

    predicate: str
    role: str
    form: str
    lemma: str


#: The roles of every text, by :func:`role_key`.
Roles: TypeAlias = Mapping[str, tuple[Role, ...]]


def role_key(text: str) -> str:
    """Return what texts are found by: their words without case.

    Examples
    --------
    >>> role_key("Cats  sleep ")
    'cats sleep'
    """
    return " ".join(text.lower().split())


def read_roles(path: str) -> Roles:
    """Return the roles of all texts of a file, which is read once while it is the same.

    Raises
    ------
    FormatError
        If it is not CoNLL-U, names no role at all, has a role of a word that is not
        a predicate, or two different sets of roles for one text.
    """
    try:
        status = os.stat(path)
    except OSError:
        return _all(path)  # says what is wrong
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read(path: str, changed: int, size: int) -> Roles:  # noqa: ARG001
    return _all(path)


def _all(path: str) -> Roles:
    out: dict[str, tuple[Role, ...]] = {}
    for block in read_first_parses(path):
        key, roles = role_key(block.text), _roles(block, path)
        if out.setdefault(key, roles) != roles:
            what = f"{block.text!r} stands there twice with other roles; keep one block"
            raise FormatError(what, path=display(path), line=block.line)
    if not any(out.values()):
        what = "holds no semantic roles; write Pred= and Role= in its last column"
        raise FormatError(what, path=display(path))
    return out


def _roles(block: Sentence, path: str) -> tuple[Role, ...]:
    """Return the roles of a sentence."""
    misc = [_fields(row[_MISC]) for row in block.words]
    roles = []
    for number, (row, fields) in enumerate(
        zip(block.words, misc, strict=True), start=1
    ):
        for item in fields["Role"].split(",") if "Role" in fields else ():
            part = _ROLE.fullmatch(item)
            at = int(part[1]) if part else 0
            predicate = misc[at - 1].get("Pred") if 0 < at <= len(misc) else None
            if part is None or predicate is None:
                cure = (
                    f"there is no Pred= at word {at}; add it"
                    if part
                    else "write Role=2:ARG0, with commas between several"
                )
                what = f"word {number} has Role={item}; {cure}"
                raise FormatError(what, path=display(path), line=block.line)
            roles.append(Role(predicate, part[2], row[_FORM], row[_LEMMA]))
    return tuple(roles)


def _fields(column: str) -> dict[str, str]:
    fields = (field.partition("=") for field in column.split("|"))
    return {key: value for key, equals, value in fields if equals and value}

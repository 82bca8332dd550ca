# SPDX-License-Identifier: Apache-2.0
"""Flags for what errors and notes of the library advise.

The library names arguments (:attr:`tertium.errors.InputError.options`); only the verb
at hand knows whether it has a flag for one, and what it is called.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tertium.cli.shared.parsers import current_parsers
from tertium.errors import InputError, TertiumError

if TYPE_CHECKING:
    from tertium.notes import Note

__all__ = ["note_text", "with_flags"]

# Arguments that notes advise to use.
_NOTES = {
    "several-references": ("reference",),
    "metric-taken-to-rise": ("lower_is_better",),
    "metric-taken-to-fall": ("higher_is_better",),
    "mixed-links": ("alignments",),
    "few-units": ("test",),
    "mbr-one-reference": ("scale",),
    "languages-unknown": ("langpair",),
    "stems-unknown": ("language",),
    "unused-documents": ("output_docs",),
    "documents-disagree": ("docs",),
    "span-lengths-unknown": ("testset",),
}


def with_flags(error: TertiumError) -> str:
    """Return the message of an error, with the flags that this verb has for it.

    Examples
    --------
    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> _ = parser.add_argument("--ref-trees")
    >>> current_parsers[:] = [parser]
    >>> with_flags(InputError("give trees", options=("trees", "ref_trees")))
    'give trees (--ref-trees)'
    >>> with_flags(InputError("set ref_trees=True", options=("ref_trees",)))
    'set --ref-trees'
    >>> with_flags(InputError("write ref_trees=a.conllu", options=("ref_trees",)))
    'write --ref-trees a.conllu'
    """
    names = error.options if isinstance(error, InputError) else ()
    flags = _flags()
    first, line_break, rest = str(error).partition("\n")  # then what was read, perhaps
    added = []
    for name in names:
        if name in flags and f"{name}=True" in first:
            first = first.replace(f"{name}=True", flags[name])
        elif name in flags and re.search(rf"\b{name}=", first):
            first = re.sub(rf"\b{name}=", f"{flags[name]} ", first)
        elif name in flags:
            added.append(flags[name])
    flagged = f"{first} ({', '.join(added)})" if added else first
    return f"{flagged}{line_break}{rest}"


def note_text(note: Note, *, config: str = "") -> str:
    """Return a note as a sentence, with the flags that this verb has for it.

    Parameters
    ----------
    note : Note
    config : str
        The configuration file of a campaign, if that is what names the systems.
    """
    if note.code == "not-systems":
        return _not_systems(note, config)
    flags = _flags()
    added = [flags[name] for name in _NOTES.get(note.code, ()) if name in flags]
    # Another verb may have --reference for something else.
    if added and (note.code != "several-references" or "mtme" in flags):
        return f"{note} ({', '.join(added)})"
    return str(note)


def _not_systems(note: Note, config: str) -> str:
    import shlex

    columns = cast("Mapping[str, str]", note.values["columns"])
    names = [*cast("Sequence[str]", note.values["systems"]), *columns]
    cure = f"add --systems-columns {' '.join(map(shlex.quote, names))}"
    if config:
        cure = f'set systems = "{", ".join(names)}" in {config}'
    return (
        f"not read as systems: {note.values['listed']}; to read every column as a "
        f"system, {cure}"
    )


def _flags() -> dict[str, str]:
    """Return the main flag of every option that the verb at hand has."""
    return {
        action.dest: next(
            (flag for flag in action.option_strings if flag.startswith("--")),
            action.option_strings[0],
        )
        for parser in current_parsers
        for action in parser._actions  # argparse has no other way
        if action.option_strings
    }

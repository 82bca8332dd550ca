# SPDX-License-Identifier: Apache-2.0
"""A small commented template, and a light notation file, to start from."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from tertium._files import replace_file
from tertium.data.lines import StrPath
from tertium.errors import InputError
from tertium.grammars.sets.exchange import make_folder

__all__ = ["LANGUAGES", "light_starter", "template_starter", "write_starter"]

#: Languages the starter has words for; others get English words to replace.
LANGUAGES = {"Eng": "English", "Fin": "Finnish", "Ger": "German", "Cze": "Czech"}

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_ -]*")
_LANGUAGE = re.compile(r"[A-Z][A-Za-z]+")


def template_starter(
    name: str, *, source: str = "Eng", targets: Sequence[str] = ("Fin",)
) -> dict[str, str]:
    """Return the files of a template by name.

    Parameters
    ----------
    name : str
        Its name; the grammar gets the name in one word.
    source : str
        The source language, such as ``Eng``.
    targets : sequence of str
        The target languages.

    Raises
    ------
    InputError
        When a name cannot be that of a grammar or language.

    Examples
    --------
    >>> sorted(template_starter("the nap"))[:3]
    ['TheNap.gf', 'TheNapEng.gf', 'TheNapFin.gf']
    """
    if not _NAME.fullmatch(name):
        message = (
            f"{name!r} cannot name a grammar; start with a letter A to Z and continue "
            "with letters, digits, - and _"
        )
        raise InputError(message)
    languages = [source, *targets]
    for language in languages:
        if not _LANGUAGE.fullmatch(language):
            message = (
                f"{language!r} cannot name a language; write it as Eng, Fin or Ger"
            )
            raise InputError(message)
    if len(set(languages)) < len(languages):
        message = f"languages {', '.join(languages)}: one occurs twice; give each once"
        raise InputError(message)
    grammar = "".join(part[:1].upper() + part[1:] for part in re.split("[ _-]+", name))
    made = {f"{grammar}.gf": _text("abstract.gf", NAME=grammar)}
    samples = ""
    for language in languages:
        known = language in LANGUAGES
        made[f"{grammar}{language}.gf"] = _text(
            f"{language}.gf" if known else "other.gf", NAME=grammar, LANG=language
        )
        if not known:
            continue
        samples += f"\n[samples.{language}]\n"
        for kind in ("positive", "negative"):
            file = f"{kind}.{language.lower()}.txt"
            samples += f'{kind} = "{file}"\n'
            made[file] = _text(file)
    listed = ", ".join(f'"{language}"' for language in targets)
    made["template.toml"] = _text(
        "template.toml",
        ID=name,
        PROTOTYPE=_prototype(source),
        SOURCE=source,
        TARGETS=listed,
        SAMPLES=samples,
    )
    return made


def write_starter(
    name: StrPath,
    *,
    source: str = "Eng",
    target: Sequence[str] = ("Fin",),
    light: bool = False,
) -> list[Path]:
    """Write a small template into a new folder, or a file of the light notation.

    Parameters
    ----------
    name : str or path
        The folder, or the file.
    source : str
        The source language.
    target : sequence of str
        The target languages.
    light : bool
        Whether to write light notation, for references without a grammar.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    InputError
        When a file exists already.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_starter(f"{folder}/a.refs", light=True)]
    ['a.refs']
    """
    if not os.fspath(name).strip():
        raise InputError("the name is empty; give one, such as nap")
    place = Path(name)
    if light:
        folder, made = place.parent, {place.name: light_starter()}
    else:
        folder = place
        made = template_starter(place.resolve().name, source=source, targets=target)
    for file in made:
        if (folder / file).exists():
            message = f"{folder / file} exists already; give another name"
            raise InputError(message)
    make_folder(folder)
    for file, text in made.items():
        with replace_file(str(folder / file)) as stream:
            stream.write(text.encode())
    return [folder / file for file in made]


def _prototype(source: str) -> str:
    """Return the meaning in the source language: its first sample."""
    if source not in LANGUAGES:
        return "The cat sleeps on the sofa now."  # as other.gf has it
    _remark, first, *_others = _text(f"positive.{source.lower()}.txt").splitlines()
    return first


def light_starter() -> str:
    """Return light notation with comments."""
    return _text("starter.refs")


def _text(name: str, **words: str) -> str:
    folder = files("tertium.grammars") / "starters"
    text = (folder / name).read_text(encoding="utf-8")
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    return text

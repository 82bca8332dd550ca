# SPDX-License-Identifier: Apache-2.0
"""A small commented template, and a file of the light notation, to start from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

from tertium.errors import InputError

__all__ = ["LANGUAGES", "light_starter", "template_starter"]

#: Languages the starter has words for; any other gets English ones to replace.
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
        What it will be called; the grammar gets the name in one word.
    source : str
        The language translated from, such as ``Eng``.
    targets : sequence of str
        Those translated into.

    Raises
    ------
    InputError
        When a name cannot be one of a grammar or language.

    Examples
    --------
    >>> sorted(template_starter("the nap"))[:3]
    ['TheNap.gf', 'TheNapEng.gf', 'TheNapFin.gf']
    """
    if not _NAME.fullmatch(name):
        message = (
            f"{name!r} cannot name a grammar; begin with a letter A to Z and go on "
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
        message = (
            f"languages {', '.join(languages)}: one is there twice; give each once"
        )
        raise InputError(message)
    grammar = "".join(part[:1].upper() + part[1:] for part in re.split("[ _-]+", name))
    found = {f"{grammar}.gf": _text("abstract.gf", NAME=grammar)}
    samples = ""
    for language in languages:
        known = language in LANGUAGES
        own = _text(
            f"{language}.gf" if known else "other.gf", NAME=grammar, LANG=language
        )
        found[f"{grammar}{language}.gf"] = own
        if not known:
            continue
        samples += f"\n[samples.{language}]\n"
        for kind in ("positive", "negative"):
            file = f"{kind}.{language.lower()}.txt"
            samples += f'{kind} = "{file}"\n'
            found[file] = _text(file)
    listed = ", ".join(f'"{language}"' for language in targets)
    found["template.toml"] = _text(
        "template.toml",
        ID=name,
        PROTOTYPE=_prototype(source),
        SOURCE=source,
        TARGETS=listed,
        SAMPLES=samples,
    )
    return found


def _prototype(source: str) -> str:
    """Return the meaning as the source language says it: its first sample."""
    if source not in LANGUAGES:
        return "The cat sleeps on the sofa now."  # as other.gf has it
    _remark, first, *_others = _text(f"positive.{source.lower()}.txt").splitlines()
    return first


def light_starter() -> str:
    """Return a file of the light notation with comments."""
    return _text("starter.refs")


def _text(name: str, **words: str) -> str:
    folder = files("tertium.grammars") / "starters"
    text = (folder / name).read_text(encoding="utf-8")
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    return text

# SPDX-License-Identifier: Apache-2.0
"""Templates by name: a folder, a folder of folders, a file, or a bundled template."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from tertium.data.lines import StrPath
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.authoring.bundled import FILE, bundled_templates
from tertium.grammars.authoring.template import Template, load_template

__all__ = [
    "Templates",
    "as_list",
    "check_language",
    "find_templates",
    "is_template",
    "load_named",
    "load_templates",
]

#: One template or several: loaded, a folder, or a name.
Templates = Template | StrPath | Sequence[Template | StrPath]


def is_template(name: StrPath) -> bool:
    """Return whether a name stands for a template or a folder of templates.

    Examples
    --------
    >>> is_template("shop"), is_template("segments.refs")
    (True, False)
    """
    path = Path(name)
    if path.suffix == ".gf" or path.name == FILE:
        return True  # never a reference file
    if path.is_dir():
        return bool(_inside(path)) or any(path.glob("*.gf"))
    known = bundled_templates()
    return not path.exists() and (str(name) == "bundled" or str(name) in known)


def find_templates(*names: StrPath) -> list[Path]:
    """Return the folders of templates, each once.

    Parameters
    ----------
    *names : str or path
        A template folder or a file in it, a folder of such folders, the name of a
        bundled template, or ``bundled`` for all of these.

    Raises
    ------
    InputError
        When a name is none of these.

    Examples
    --------
    >>> [path.name for path in find_templates("shop", "shop")]
    ['shop']
    """
    folders = [folder for name in names for folder in _folders(name)]
    return list(dict.fromkeys(folders))


def _folders(name: StrPath) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        folders = _inside(path)
        if not folders and any(path.glob("*.gf")):
            return [path]  # loading it then reports what is missing
        if not folders:
            message = (
                f"{name} has no {FILE}, and neither have the folders in it; name a "
                "template folder, or make one with `tertium grammar new`"
            )
            raise InputError(message)
        return folders
    if path.is_file() and (path.name == FILE or path.suffix == ".gf"):
        return [path.parent]  # a grammar is read with all its files
    if path.exists():
        raise InputError(f"{name} is a file; name a template folder")
    known = bundled_templates()
    if str(name) == "bundled" and known:
        return list(known.values())
    if str(name) in known:
        return [known[str(name)]]
    raise UnknownNameError("template", str(name), [*known, "a folder"])


def _inside(path: Path) -> list[Path]:
    if (path / FILE).is_file():
        return [path]
    return [file.parent for file in sorted(path.glob(f"*/{FILE}"))]


def load_templates(
    templates: Templates, *, allow_commands: bool = False, allow_outside: bool = False
) -> list[Template]:
    """Return templates, each once, in the order given.

    Parameters
    ----------
    templates : Template, str, path, or sequence of these
        Loaded templates are returned as they are; names are those of
        :func:`find_templates`.
    allow_commands : bool
        Whether the analysers that templates name may start programs or load models
        that can run code.
    allow_outside : bool
        Whether templates may read files outside their folder.

    Examples
    --------
    >>> [template.id for template in load_templates(["shop", "size"])]
    ['shop', 'size']
    """
    loaded: dict[object, Template] = {}
    for item in as_list(templates):
        if isinstance(item, Template):
            loaded[id(item)] = item
            continue
        for folder in find_templates(item):
            loaded[folder] = load_named(
                folder, item, allow_commands=allow_commands, allow_outside=allow_outside
            )
    return list(loaded.values())


def as_list(templates: Templates) -> list[Template | StrPath]:
    """Return one template or several as a list."""
    if isinstance(templates, Template | str | os.PathLike):
        return [templates]
    return list(templates)


def load_named(
    folder: Path,
    name: StrPath,
    *,
    allow_commands: bool = False,
    allow_outside: bool = False,
) -> Template:
    """Return the template in a folder that was found by a name.

    Templates in one folder may share its files if that folder itself was named.
    """
    return load_template(
        folder,
        allow_commands=allow_commands,
        allow_outside=allow_outside,
        root=Path(name) if folder.parent == Path(name) else None,
    )


def check_language(templates: Sequence[Template], language: str | None) -> None:
    """Raise an error for a language that no template has.

    Raises
    ------
    UnknownNameError
        Naming the languages that there are.
    """
    known = dict.fromkeys(_languages(templates))
    if language and templates and language not in known:
        raise UnknownNameError("language", language, known)


def _languages(templates: Sequence[Template]) -> Iterator[str]:
    return (language for template in templates for language in template.languages)

# SPDX-License-Identifier: Apache-2.0
"""The modules of a grammar, found in the files of a folder.

An abstract module, all concrete modules of it, and the resource modules that these
open. A file may hold several modules, though GF itself wants one per file. A module
that is not in the folder is looked for where GF would: in the folders of a first
line such as ``--# -path=.:../common``. Files outside the root folder, which is the
grammar's own unless the caller names another, are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tertium.data.containment import is_inside
from tertium.grammars.gf.problems import (
    GrammarError,
    Position,
    Problems,
    Source,
    did_you_mean,
)
from tertium.grammars.gf.reading import read_modules
from tertium.grammars.gf.syntax import Abstract, Concrete, Module, Resource, Word

__all__ = ["BUILT_IN", "Modules", "read_folder", "read_texts"]

#: Modules of GF that need no file here: what they are opened for is built in.
BUILT_IN = {
    "Prelude": "resource Prelude = { param Bool = True | False ; }",
    "Predef": "resource Predef = { }",
}
_SEARCH = re.compile(r"^--#\s*-path=(.*)$", re.MULTILINE)


@dataclass
class Modules:
    """An abstract module, its concrete modules, and what these open."""

    abstract: Abstract
    concretes: list[Concrete]
    resources: dict[str, Resource]
    problems: Problems = field(default_factory=Problems)

    def __iter__(self) -> Iterator[Module]:
        """Iterate over all modules."""
        return iter([self.abstract, *self.concretes, *self.resources.values()])


def read_folder(path: Path, root: Path | None) -> Modules:
    """Read the grammar in a folder, or the one whose abstract module is in a file.

    Its files must lie in the root folder; with None they may lie anywhere.

    Raises
    ------
    GrammarError
        If files cannot be read, or there is not exactly one abstract module.
    """
    folder = path if path.is_dir() else path.parent
    if not path.exists():
        raise GrammarError(
            "there is no such file or folder",
            "name a folder with .gf files",
            path=str(path),
        )
    files = sorted(folder.glob("*.gf"))
    if not files:
        raise GrammarError(
            "there are no .gf files in this folder",
            "name the folder of the grammar",
            path=str(folder),
        )
    wanted = None if path.is_dir() else path
    sources = [_read(_checked(file, root)) for file in files]
    chosen = str(wanted) if wanted else None
    return _linked(sources, chosen=chosen, where=str(path), root=root)


def read_texts(texts: dict[str, str]) -> Modules:
    """Read a grammar from texts, each with the name of a file."""
    sources = [Source(name, text) for name, text in texts.items()]
    where = next(iter(texts), "grammar")
    return _linked(sources, chosen=None, where=where, root=None)


def _checked(file: Path, root: Path | None, at: Position | None = None) -> Path:
    """Return a file that may be read: a grammar can come from someone else."""
    if root is None or is_inside(file, root):
        return file
    raise GrammarError(
        f"{file} lies outside the folder {root}",
        "move it there, name the folder above both as root, or allow it with "
        "allow_outside=True",
        at=at,
        path=str(file),
        options=("allow_outside",),
    )


def _read(file: Path) -> Source:
    try:
        return Source(str(file), file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise GrammarError(
            "this file is not UTF-8 text", "save it as UTF-8", path=str(file)
        ) from None
    except OSError as error:
        raise GrammarError(
            f"this file cannot be read ({error.strerror})",
            "check its name and rights",
            path=str(file),
        ) from None


def _linked(
    sources: list[Source], *, chosen: str | None, where: str, root: Path | None
) -> Modules:
    modules: list[Module] = []
    problems = Problems()
    for source in sources:
        with problems.collected():
            modules += read_modules(source)
    problems.settle()
    _reject_twins(modules, problems)
    abstract = _abstract(modules, chosen, where)
    concretes = [
        module
        for module in modules
        if isinstance(module, Concrete) and module.of.text == abstract.name.text
    ]
    resources = {
        module.name.text: module for module in modules if isinstance(module, Resource)
    }
    names = [module.name.text for module in modules if isinstance(module, Abstract)]
    for module in modules:
        if isinstance(module, Concrete) and module.of.text not in names:
            problems.error(
                f"there is no abstract module {module.of.text!r}",
                did_you_mean(module.of.text, names, f"write of {abstract.name.text}"),
                module.of.at,
            )
    if not concretes and not problems.errors:
        problems.error(
            f"{abstract.name.text!r} has no concrete module",
            f"write concrete {abstract.name.text}Eng of {abstract.name.text} = {{...}}",
            abstract.name.at,
        )
    used: dict[str, Resource] = {}
    for concrete in concretes:
        _open(concrete, resources, used, problems, (), root)
    problems.settle()
    return Modules(abstract, concretes, used, problems)


def _reject_twins(modules: list[Module], problems: Problems) -> None:
    first: dict[str, Word] = {}
    for module in modules:
        known = first.setdefault(module.name.text, module.name)
        if known is not module.name:
            problems.error(
                f"there are two modules {module.name.text!r}, the first at {known.at}",
                "rename or delete one",
                module.name.at,
            )


def _abstract(modules: list[Module], chosen: str | None, where: str) -> Abstract:
    abstracts = [module for module in modules if isinstance(module, Abstract)]
    if chosen is not None:
        abstracts = [one for one in abstracts if one.at.source.path == chosen]
    if len(abstracts) == 1:
        return abstracts[0]
    if abstracts:
        names = ", ".join(one.name.text for one in abstracts)
        raise GrammarError(
            f"there are several abstract modules ({names})",
            "give each grammar a folder, or name the file of one",
            at=abstracts[1].name.at,
        )
    raise GrammarError(
        "there is no abstract module",
        "write one: abstract Name = { flags startcat = S ; cat S ; fun ... }",
        path=where,
    )


def _open(
    module: Concrete | Resource,
    resources: dict[str, Resource],
    used: dict[str, Resource],
    problems: Problems,
    path: tuple[str, ...],
    root: Path | None,
) -> None:
    for word in module.opens:
        name = word.text
        if name in path:
            problems.error(
                f"{' opens '.join([*path[path.index(name) :], name])}, in a circle",
                "move what both need into a third module",
                word.at,
            )
            continue
        if name not in resources:
            elsewhere = _search(name, word.at, problems, root)
            if elsewhere is None:
                problems.error(
                    f"there is no resource module {name!r}",
                    did_you_mean(
                        name, [*resources, *BUILT_IN], f"write it into {name}.gf"
                    ),
                    word.at,
                )
                continue
            resources[name] = elsewhere
        if name not in used:
            _open(resources[name], resources, used, problems, (*path, name), root)
            used[name] = resources[name]


def _search(
    name: str, at: Position, problems: Problems, root: Path | None
) -> Resource | None:
    """Look for a module in the folders that the file names, then among ours."""
    source = at.source
    match = _SEARCH.search(source.text)
    folders = match[1].split(":") if match else []
    modules: list[Module] = []
    for folder in folders:
        file = Path(source.path).parent / folder.strip() / f"{name}.gf"
        try:
            exists = file.is_file()
        except (OSError, ValueError):  # a name that no file can have
            exists = False
        if exists:
            _checked(file, root, at)
            with problems.collected():
                modules = read_modules(_read(file))
            break
    else:
        if name in BUILT_IN:
            modules = read_modules(Source(f"<{name}>", BUILT_IN[name]))
    return next(
        (one for one in modules if isinstance(one, Resource) and one.name.text == name),
        None,
    )

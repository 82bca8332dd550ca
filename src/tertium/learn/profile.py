# SPDX-License-Identifier: Apache-2.0
"""Profiles: which features a trained metric has, by name or from a TOML file.

.. code-block:: toml

    name = "mine"
    summary = "characters alone"
    lowercase = false

    [[features]]
    kind = "units"
    units = ["char1", "char2", "char3"]
    values = ["min", "max", "f1"]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.data.annotated import Annotated
from tertium.data.batch import Batch
from tertium.data.containment import is_inside
from tertium.data.kept import Lazy
from tertium.errors import FormatError, InputError, UnknownNameError, UntrustedError
from tertium.learn.features.blocks import Block, Reduced, Resources, block
from tertium.learn.features.tables import FUNCTION_WORDS_FILE, TableReader

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["DEFAULT_PROFILE", "Profile", "profile", "profile_names"]

#: Of `beer` and of training.
DEFAULT_PROFILE = "beer-4"

_FOLDER = Path(__file__).parent / "profiles"


@dataclass(frozen=True, eq=False)
class Profile:
    """The features of a trained metric; equal to another if its tables are.

    Parameters
    ----------
    name, summary : str
    lowercase : bool
        Whether texts are lower-cased first.
    blocks : tuple of Block
        Groups of features, side by side in this order.
    """

    name: str
    summary: str
    lowercase: bool
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        names = self.names
        if not names:
            message = f"profile {self.name} has no feature; add a [[features]] table"
            raise InputError(message)
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            message = f"profile {self.name} has the feature {twice} twice; keep one"
            raise InputError(message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.name, self.lowercase, self.names))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all features."""
        return tuple(name for block in self.blocks for name in block.names)

    @property
    def groups(self) -> tuple[str, ...]:
        """The group of every feature."""
        return tuple(group for block in self.blocks for group in block.groups)

    @property
    def signs(self) -> tuple[int, ...]:
        """What a copy of the reference has of every feature; see Block."""
        return tuple(sign for block in self.blocks for sign in block.signs)

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that texts may bring."""
        return tuple(
            dict.fromkeys(name for block in self.blocks for name in block.layers)
        )

    @property
    def uses(self) -> tuple[str, ...]:
        """The resources that features read: ``synonyms``, ``parser`` and so on."""
        return tuple(
            dict.fromkeys(name for block in self.blocks for name in block.uses)
        )

    @property
    def symmetric(self) -> bool:
        """Whether swapping text and reference changes no feature."""
        return all(block.symmetric for block in self.blocks)

    def features(
        self, hyps: Sequence[str], refs: Sequence[str], *, threads: int | None = None
    ) -> Rows:
        """Return all features of texts, with one reference each.

        Parameters
        ----------
        hyps, refs : sequence of str
        threads : int, optional
            How many threads to use; all cores by default.

        Returns
        -------
        ndarray of shape (len(hyps), len(names))
            All of it finite.

        Raises
        ------
        InputError
            If there are not as many references as texts.
        """
        import numpy as np

        if len(hyps) != len(refs):
            message = (
                f"{len(hyps)} texts but {len(refs)} references; give one reference "
                "for each text"
            )
            raise InputError(message)
        batch = Batch([self.prepared(hyps)], self.prepared(refs))
        rows = [block.rows(batch, threads=threads) for block in self.blocks]
        return rows[0] if len(rows) == 1 else np.concatenate(rows, axis=1)

    def prepared(self, texts: Sequence[str]) -> list[str]:
        """Return texts as the blocks read them: lower-cased, if need be."""
        if not self.lowercase:
            return list(texts)
        if "tree" in self.layers:
            # A parser must see the case of words; trees bring words of their own.
            return [_lower_parsed(text) for text in texts]
        return [_lower(text) for text in texts]

    def without(self, group: str) -> Profile:
        """Return the profile without a group of features.

        Raises
        ------
        InputError
            If there is no such group, or no other one.
        """
        if group not in self.groups:
            raise UnknownNameError(f"group of {self.name}", group, set(self.groups))
        kept: list[Block] = []
        for part in self.blocks:
            if group not in part.groups:
                kept.append(part)
            elif set(part.groups) != {group}:
                whole = part.whole if isinstance(part, Reduced) else part
                dropped = part.dropped if isinstance(part, Reduced) else ()
                kept.append(Reduced(whole, (*dropped, group)))
        return Profile(
            f"{self.name}-{group}", self.summary, self.lowercase, tuple(kept)
        )

    def equipped(self, resources: Resources) -> Profile:
        """Return the profile with what a user brings: a parser, a table, ..."""
        blocks = tuple(block.equipped(resources) for block in self.blocks)
        return Profile(self.name, self.summary, self.lowercase, blocks)

    def with_word_list(self, language: str) -> Profile:
        """Return the profile with the word list of a language, if features take one."""
        blocks = tuple(
            block.equipped(Resources(language)) if block.kind == "lexical" else block
            for block in self.blocks
        )
        return Profile(self.name, self.summary, self.lowercase, blocks)

    def fitted(self, refs: Sequence[str]) -> Profile:
        """Return the profile with what blocks learn from references of training.

        Function words, say. Do it once, before the first call of :meth:`features`.
        """
        # Most blocks read none of them.
        texts = Lazy(len(refs), lambda place: self.prepared([refs[place]])[0])
        blocks = tuple(block.fitted(texts) for block in self.blocks)
        return Profile(self.name, self.summary, self.lowercase, blocks)

    def to_json(self) -> dict[str, object]:
        """Return the profile as plain data, as in its TOML file."""
        return {
            "name": self.name,
            "summary": self.summary,
            "lowercase": self.lowercase,
            "features": [block.to_json() for block in self.blocks],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, object], *, where: str = "") -> Profile:
        """Return the profile of plain data.

        Parameters
        ----------
        data : mapping
            As :meth:`to_json` gives it, or as TOML is read.
        where : str
            The file, for messages.
        """
        at = where or "profile"
        if not isinstance(data, Mapping):
            message = f"{at} is {data!r}, not a table; write name = ... at its top"
            raise InputError(message)
        reader = TableReader(data, at)
        name, summary = reader.text("name"), reader.text("summary", "")
        lowercase = reader.flag("lowercase", False)
        tables = reader.value("features", [])
        reader.done()
        if isinstance(tables, str) or not isinstance(tables, Sequence):
            raise reader.wrong("features", tables, "a list of [[features]] tables")
        blocks = [
            block(table, where=f"{at}, features table {number}")
            for number, table in enumerate(tables, start=1)
        ]
        return cls(name, summary, lowercase, tuple(blocks))


def profile(name_or_path: str) -> Profile:
    """Return a profile by name, or from a TOML file.

    Raises
    ------
    UnknownNameError
        If there is neither such a name nor such a file.
    FormatError
        If the file is not TOML.

    Examples
    --------
    >>> len(profile("beer-3.0").names)
    57
    """
    if name_or_path in profile_names():
        text = (_FOLDER / f"{name_or_path}.toml").read_text(encoding="utf-8")
        return Profile.from_json(_parse(text, name_or_path), where=name_or_path)
    path = Path(name_or_path)
    if not path.is_file():
        known = profile_names()
        raise UnknownNameError("profile or TOML file", name_or_path, known)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{error}; give a TOML file", path=str(path)) from None
    return Profile.from_json(_placed(_parse(text, str(path)), path), where=str(path))


def _placed(data: Mapping[str, object], path: Path) -> Mapping[str, object]:
    """Return a profile whose files are named as seen from its folder.

    Raises
    ------
    UntrustedError
        If one lies outside: words of a profile become part of models.
    """
    tables = data.get("features")
    if not isinstance(tables, list):
        return data
    return {**data, "features": [_placed_table(table, path) for table in tables]}


def _placed_table(table: object, path: Path) -> object:
    name = table.get(FUNCTION_WORDS_FILE) if isinstance(table, Mapping) else None
    if not isinstance(name, str) or not isinstance(table, Mapping):
        return table
    place = path.parent / name
    if not is_inside(place, path.parent):
        what = f"{FUNCTION_WORDS_FILE} = {name!r} lies outside the profile's folder"
        raise UntrustedError(f"{what}; copy the file there", path=str(path))
    return {**table, FUNCTION_WORDS_FILE: str(place)}


def profile_names() -> list[str]:
    """Return the names of all profiles of the package, sorted."""
    files = [entry.name for entry in _FOLDER.iterdir()]
    return sorted(name[: -len(".toml")] for name in files if name.endswith(".toml"))


def _parse(text: str, where: str) -> Mapping[str, object]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return dict(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{error}; write TOML", path=where) from None


def _lower(text: str) -> str:
    if isinstance(text, Annotated):
        return Annotated(text.lower(), text.layers)
    return text.lower()


def _lower_parsed(text: str) -> str:
    layers = text.layers if isinstance(text, Annotated) else {}
    return Annotated(text.lower(), {**layers, "cased": str(text)})

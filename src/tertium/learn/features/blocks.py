# SPDX-License-Identifier: Apache-2.0
"""What all blocks of features share: the protocol, resources, reading a table.

A block is a group of features that are computed together, described by one
``[[features]]`` table of a profile. Its kind is the name of a module of this folder,
imported when a profile names it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from tertium.data.batch import Batch
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Block", "BlockBase", "Reduced", "Resources", "block"]

#: The class of every kind, as module:class.
_KINDS = {
    "units": "units:Units",
    "length": "length:Length",
    "lexical": "lexical:Lexical",
    "matches": "matches:Matches",
    "order": "order:Order",
    "arcs": "arcs:Arcs",
    "chains": "chains:Chains",
    "embeddings": "embeddings:Embeddings",
    "context": "context:Context",
    "static": "static:Static",
    "roles": "roles:SemanticRoles",
    "metrics": "metrics:Metrics",
}


class Resources(NamedTuple):
    """What a user brings for features that need more than texts."""

    language: str = ""
    parser: str = ""
    parser_model: str = ""
    synonyms: str = ""
    paraphrases: str = ""
    embeddings: str = ""
    roles: str = ""
    wordlist: str = ""
    context: str = ""
    static: str = ""


class Block(Protocol):
    """A group of features computed together."""

    @property
    def kind(self) -> str:
        """The kind of its table."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its features, such as ``char3.min``."""

    @property
    def groups(self) -> tuple[str, ...]:
        """The group of every feature in an ablation, such as ``char``."""

    @property
    def signs(self) -> tuple[int, ...]:
        """What a copy of the reference has: +1 the largest value, -1 the smallest.

        0 stands for neither.
        """

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that texts may bring for it."""

    @property
    def uses(self) -> tuple[str, ...]:
        """The fields of :class:`Resources`, but for the language, that it reads."""

    @property
    def symmetric(self) -> bool:
        """Whether swapping text and reference changes no feature."""

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text of a batch.

        The batch has one system, and one reference per text.
        """

    def equipped(self, resources: Resources) -> Block:
        """Return the block with what a user brings, or itself."""

    def fitted(self, refs: Sequence[str]) -> Block:
        """Return the block with what it learns from references, or itself.

        Training calls it once, before any feature is computed.
        """

    def to_json(self) -> dict[str, object]:
        """Return its table, complete."""


class BlockBase(ABC):
    """Defaults of most blocks."""

    layers: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    symmetric: bool = False

    @abstractmethod
    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text of a batch; see :class:`Block`."""

    def features(
        self, hyps: Sequence[str], refs: Sequence[str], *, threads: int | None = None
    ) -> Rows:
        """Return one row of features per text, with one reference each."""
        return self.rows(Batch([hyps], refs), threads=threads)

    def equipped(self, resources: Resources) -> Block:  # noqa: ARG002
        """Return the block itself: it needs nothing but texts."""
        return cast("Block", self)

    def fitted(self, refs: Sequence[str]) -> Block:  # noqa: ARG002
        """Return the block itself: it learns nothing from references."""
        return cast("Block", self)


class Reduced(BlockBase):
    """A block without some of its groups, for ablation.

    Parameters
    ----------
    whole : Block
    dropped : sequence of str
        The groups that are left out.
    """

    def __init__(self, whole: Block, dropped: Sequence[str]) -> None:
        self.whole = whole
        self.dropped = tuple(sorted(set(dropped)))
        self.kept = [i for i, g in enumerate(whole.groups) if g not in self.dropped]
        self.kind = whole.kind
        self.layers = whole.layers
        self.uses = whole.uses
        self.symmetric = whole.symmetric
        self.names = tuple(whole.names[i] for i in self.kept)
        self.groups = tuple(whole.groups[i] for i in self.kept)
        self.signs = tuple(whole.signs[i] for i in self.kept)

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return the columns that are kept."""
        import numpy as np

        rows = self.whole.rows(batch, threads=threads)
        return np.ascontiguousarray(rows[:, self.kept])

    def equipped(self, resources: Resources) -> Block:
        """Return the equipped block without the same groups."""
        return Reduced(self.whole.equipped(resources), self.dropped)

    def fitted(self, refs: Sequence[str]) -> Block:
        """Return the fitted block without the same groups."""
        return Reduced(self.whole.fitted(refs), self.dropped)

    def to_json(self) -> dict[str, object]:
        """Return the table with the groups that are left out."""
        return {**self.whole.to_json(), "without": list(self.dropped)}


def block(table: Mapping[str, object], *, where: str) -> Block:
    """Return the block of one ``[[features]]`` table.

    Parameters
    ----------
    table : mapping
        ``kind``, and the keys of that kind; ``without`` names groups to leave out.
    where : str
        File and table, for messages.

    Raises
    ------
    InputError
        If the kind, a key or a value is unknown.

    Examples
    --------
    >>> table = {"kind": "units", "units": ["word1"], "values": ["min", "f1"]}
    >>> block(table, where="here").names
    ('word1.min', 'word1.f1')
    """
    if not isinstance(table, Mapping):
        message = (
            f"{where} is {table!r}, not a table; write [[features]] above its keys"
        )
        raise InputError(message)
    settings = dict(table)
    dropped = settings.pop("without", [])
    kind = settings.get("kind")
    if not isinstance(kind, str):
        message = f'{where}: kind is missing; add kind = "units", for example'
        raise InputError(message)
    if kind not in _KINDS:
        raise UnknownNameError(f"kind in {where}", kind, _KINDS)
    module, _, name = _KINDS[kind].partition(":")
    block_class = getattr(import_module(f"tertium.learn.features.{module}"), name)
    whole = cast("Block", block_class.read(settings, where=where))
    if not dropped:
        return whole
    if isinstance(dropped, str) or not isinstance(dropped, Sequence):
        message = f"{where}: without is a list of groups, not {dropped!r}; change it"
        raise InputError(message)
    for group in dropped:
        if group not in whole.groups:
            raise UnknownNameError(f"group in {where}", str(group), set(whole.groups))
    return Reduced(whole, [str(group) for group in dropped])

# SPDX-License-Identifier: Apache-2.0
"""Overlap of semantic roles: (predicate, role, filler), such as (give.01, ARG0, she).

P is the share of the text's triples that the reference has too, R the share of the
reference's, with clipped counts. No labeller comes with Tertium: the user brings a
file with the roles of all texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from tertium._messages import quote
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.brought import BroughtBlock
from tertium.learn.features.role_files import Role, read_roles, role_key
from tertium.learn.features.tables import TableReader
from tertium.learn.features.values import Shares

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["SemanticRoles"]

_Triples: TypeAlias = "Counter[tuple[str, str, str]]"


class SemanticRoles(BroughtBlock):
    """Precision, recall and their means of semantic roles.

    Where neither text has a role they are 1, where one alone has some 0.

    Parameters
    ----------
    filler : {"form", "lemma"}
        What stands for an argument: its head word as it is, or its lemma.
    lowercase : bool
        Whether the case of fillers is ignored.
    values, **brought
        As in :class:`~tertium.learn.features.brought.BroughtBlock`.
    """

    kind = "roles"
    uses = ("roles",)
    prefix = "role"

    def __init__(
        self,
        values: Sequence[str] = ("min", "max", "f1"),
        *,
        symmetric: bool = True,
        filler: str = "form",
        lowercase: bool = True,
        path: str = "",
        where: str = "",
    ) -> None:
        super().__init__(values, symmetric=symmetric, path=path, where=where)
        self.filler = filler
        self.lowercase = lowercase

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> SemanticRoles:
        """Return the block of a table."""
        reader = TableReader(table, where)
        values, symmetric = cls.read_values(reader)
        block = cls(
            values,
            symmetric=symmetric,
            filler=reader.text("filler", "form", choices=("form", "lemma")),
            lowercase=reader.flag("lowercase", True),
            where=where,
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        settings = {"filler": self.filler, "lowercase": self.lowercase}
        return {**super().to_json(), **settings}

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the roles that a user brings."""
        block = SemanticRoles(
            self.values,
            symmetric=self.symmetric,
            filler=self.filler,
            lowercase=self.lowercase,
            path=resources.roles,
            where=self.where,
        )
        return cast("Block", block)

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:  # noqa: ARG002
        """Return one row of features per text."""
        import numpy as np

        hyps, refs = batch.single
        known: dict[str, _Triples] = {}
        counts = np.zeros((3, len(hyps)))
        for i, (hyp, ref) in enumerate(zip(hyps, refs, strict=True)):
            for text in (hyp, ref):
                if text not in known:
                    known[text] = self._triples(text)
            hyp_roles, ref_roles = known[hyp], known[ref]
            counts[:, i] = (
                (hyp_roles & ref_roles).total(),
                hyp_roles.total(),
                ref_roles.total(),
            )
        common, *units = counts
        return self.columns(Shares.of((common, common), (units[0], units[1])))

    def _triples(self, text: str) -> _Triples:
        if not self.path:
            message = (
                f"{self.where}: there are no semantic roles, and Tertium finds none "
                "itself; name a CoNLL-U file with Pred= and Role= in its last column "
                "with roles=PATH"
            )
            raise InputError(message)
        roles = read_roles(self.path).get(role_key(text))
        if roles is None and text.strip():
            message = (
                f"{self.where}: {quote(text)} is not in {self.path}; give the roles of "
                "all texts and references, a block without them where there are none"
            )
            raise InputError(message)
        return Counter(self._triple(role) for role in roles or ())

    def _triple(self, role: Role) -> tuple[str, str, str]:
        filler = role.lemma if self.filler == "lemma" else role.form
        return role.predicate, role.role, filler.lower() if self.lowercase else filler

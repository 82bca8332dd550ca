# SPDX-License-Identifier: Apache-2.0
"""Trees: CoNLL-U, Penn brackets, parsers, edit distances and paths.

Names are imported on first use, so that ``import tertium.trees`` costs nothing.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.trees.brackets import (
        ConstituencyTree,
        Constituent,
        parse_brackets,
        read_brackets,
    )
    from tertium.trees.conllu import Sentence, parse_conllu, read_conllu, write_conllu
    from tertium.trees.dependency_edit import DtedOperation, DtedResult, dted
    from tertium.trees.edit import (
        EditOperation,
        edit_distance,
        edit_distances,
        edit_script,
    )
    from tertium.trees.labelled import LabelledTree
    from tertium.trees.parses import Parse, make_parses
    from tertium.trees.paths import DerpEdge, DerpResult, PathEncoding, derp
    from tertium.trees.projection import make_projective, project
    from tertium.trees.tree import DependencyTree

__all__ = [
    "ConstituencyTree",
    "Constituent",
    "DependencyTree",
    "DerpEdge",
    "DerpResult",
    "DtedOperation",
    "DtedResult",
    "EditOperation",
    "LabelledTree",
    "Parse",
    "PathEncoding",
    "Sentence",
    "derp",
    "dted",
    "edit_distance",
    "edit_distances",
    "edit_script",
    "make_parses",
    "make_projective",
    "parse_brackets",
    "parse_conllu",
    "project",
    "read_brackets",
    "read_conllu",
    "write_conllu",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".brackets": (
            "ConstituencyTree",
            "Constituent",
            "parse_brackets",
            "read_brackets",
        ),
        ".conllu": (
            "Sentence",
            "parse_conllu",
            "read_conllu",
            "write_conllu",
        ),
        ".dependency_edit": (
            "DtedOperation",
            "DtedResult",
            "dted",
        ),
        ".edit": (
            "EditOperation",
            "edit_distance",
            "edit_distances",
            "edit_script",
        ),
        ".labelled": ("LabelledTree",),
        ".parses": ("Parse", "make_parses"),
        ".paths": (
            "DerpEdge",
            "DerpResult",
            "PathEncoding",
            "derp",
        ),
        ".projection": ("make_projective", "project"),
        ".tree": ("DependencyTree",),
    },
)

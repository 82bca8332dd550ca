# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on test sets and their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.notes import Template

__all__ = ["DATA"]

#: English templates by code.
DATA: dict[str, Template] = {
    # `columns` (name to reason) and `systems` hold the names in `listed`.
    "not-systems": "not read as systems: %(listed)s; to read every column as a "
    "system, name them all in systems_columns",
    "repeated-ids": "repeated segment ids: %(count)s (first: segment %(second)s has "
    "the id of segment %(first)s); all are used, but judgements and layers that are "
    "matched by id can meet the wrong one",
    "several-references": "metrics use the reference %(reference)s; others are "
    "%(others)s",
    "translations-missing": "translations are missing, and empty here: %(systems)s",
    "reference-systems": "left out of the systems, as references: %(systems)s",
    "no-manifest": "%(path)s has no manifest.json: it is read as %(shards)s in the "
    "order of their numbers, and damaged or missing ones cannot be recognised",
    "reference-set": "%(text)s",
    "documents-left-out": (
        "%(path)s has %(count)s document that %(where)s lacks; it is left out",
        "%(path)s has %(count)s documents that %(where)s lacks; they are left out",
    ),
    "no-reference": (
        "%(path)s has no reference of %(count)s document; it is left out",
        "%(path)s has no reference of %(count)s documents; they are left out",
    ),
    "resegmented": "%(system)s was segmented again by %(by)s: %(lines)s, now "
    "%(segments)s in %(documents)s; %(share).0f %% of words match",
    "uncertain-segments": (
        "%(system)s: %(count)s segment is uncertain, line %(numbers)s",
        "%(system)s: %(count)s segments are uncertain, lines %(numbers)s",
    ),
    "not-resegmented": "%(system)s has as many lines as the reference and was left as "
    "it is; %(share).0f %% of words match",
    "poor-match": "%(system)s: hardly any words match the reference (%(share).0f %%); "
    "check that it is the output for this reference",
    "unused-documents": "%(system)s: the documents of the reference were not used, as "
    "the output does not say where its own begin: it has neither one line per document "
    "nor a blank line between them that fits; give the document of its lines",
    "documents-disagree": "%(system)s and %(other)s name different documents from line "
    "%(line)s on, so none are used; give those of the reference",
    "downloaded-testset": "%(name)s %(langpair)s is from %(origin)s, %(folder)s; "
    "%(checksum)s",
    "more-notes": "... and %(count)s more of this kind",
}

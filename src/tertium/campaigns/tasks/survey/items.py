# SPDX-License-Identifier: Apache-2.0
"""Items as the database keeps them."""

from __future__ import annotations

from collections.abc import Collection

from tertium.campaigns.tasks.base import ItemDraft
from tertium.campaigns.tasks.survey.balance import quality
from tertium.campaigns.tasks.survey.drawn import HYPOTHESIS, Drawn

__all__ = ["draft_of"]


def draft_of(
    item: Drawn, number: int | None, hypotheses: Collection[str], *, largest: int
) -> ItemDraft:
    """Return an item; the source text is left out, and systems are in ``meta``.

    Parameters
    ----------
    number : int or None
        Of the only questionnaire that has it; None if all have it.
    hypotheses : collection of str
        The keys of all hypotheses in questionnaires.
    largest : int
        The largest degree.
    """
    pair, made = item.pair, item.made
    meta: dict[str, object] = {
        "kind": "permutation" if made else HYPOTHESIS,
        "permutation": item.kind,
        "degree": made.degree if made else None,
        "shared": number is None,
        "segment": pair.segment,
        "testset": pair.testset,
        "corpus": pair.corpus,
        "source_language": pair.language or None,
        "source_words": len(pair.source.split()),
        "reference_words": len(pair.reference.split()),
        "shown_words": len(item.text.split()),
        "quality": round(quality(item, largest=largest), 4),
    }
    base = Drawn(pair).key if made else None
    if made:
        base = base if base in hypotheses else None  # picked by hand without it
        meta |= {
            "base": base,
            "seed": made.seed,
            "edits": [edit.record() for edit in made.edits],
        }
    return ItemDraft(
        key=item.key,
        segment=pair.segment,
        document=pair.document,
        content={
            "hypothesis": item.text,
            "reference": pair.reference,
            "language": pair.language,
        },
        origins={} if made else {"hypothesis": pair.systems},
        meta=meta,
        base=base,
    )

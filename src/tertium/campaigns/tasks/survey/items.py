# SPDX-License-Identifier: Apache-2.0
"""Items as the database keeps them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import tertium
from tertium.campaigns.tasks.base import ItemDraft
from tertium.campaigns.tasks.survey.balance import quality
from tertium.campaigns.tasks.survey.building import Built
from tertium.campaigns.tasks.survey.sampled import HYPOTHESIS, SampledItem

__all__ = ["drafts_of"]


def drafts_of(
    built: Built, *, largest: int, aligners: Sequence[str], language: str
) -> Iterator[ItemDraft]:
    """Yield the items of all questionnaires, each once.

    Parameters
    ----------
    largest : int
        The largest degree.
    aligners : sequence of str
        Matchers, such as ``exact+stem``, by which items are aligned.
    language : str
        Of the references, for stems.
    """
    items = list(built.items())
    hypotheses = {item.key for item, _ in items if item.made is None}
    aligned = _aligned([item for item, _ in items], aligners, language)
    for (item, number), shares in zip(items, aligned, strict=True):
        more = {"quality": round(quality(item, largest=largest), 4), "aligned": shares}
        yield _draft(item, number, hypotheses, more)


def _aligned(
    items: Sequence[SampledItem], aligners: Sequence[str], language: str
) -> list[dict[str, float]]:
    """Return the share of aligned words of every item, by aligner (3.5.1)."""
    shares: list[dict[str, float]] = [{} for _ in items]
    for name in aligners:
        stems = f",language={language}" if "stem" in name and language else ""
        metric = tertium.metric(f"aligned-percentage:match={name}{stems}")
        scores = metric.segment_scores(
            [item.text for item in items], [item.pair.reference for item in items]
        )
        for share, score in zip(shares, scores, strict=True):
            share[name] = round(score, 4)
    return shares


def _draft(
    item: SampledItem,
    number: int | None,
    hypotheses: Collection[str],
    more: Mapping[str, object],
) -> ItemDraft:
    """Return an item; the source text is left out, and systems are in ``meta``.

    Parameters
    ----------
    number : int or None
        Of the only questionnaire that has it; None if all have it.
    hypotheses : collection of str
        The keys of all hypotheses in questionnaires.
    more : dict
        What was measured of it.
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
        "rank_score": None if made or pair.rank is None else round(pair.rank, 4),
        **{f"note_{name}": note for name, note in item.notes.items()},
        **more,
    }
    base = SampledItem(pair).key if made else None
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

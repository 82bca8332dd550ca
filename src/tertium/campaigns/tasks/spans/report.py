# SPDX-License-Identifier: Apache-2.0
"""Error spans on the dashboard: errors, agreement, habits, attention checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, cast

from django.utils.translation import gettext as _

from tertium.campaigns.tasks.base import ItemJudgement, Section, by_judge, count_words
from tertium.campaigns.tasks.spans.answers import (
    MISSING,
    Mark,
    paragraphs,
    severities,
)
from tertium.campaigns.tasks.spans.task import kept_marks
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign
    from tertium.judgements import Judgements
    from tertium.judgements.estimates import Estimate

__all__ = [
    "agreement_rows",
    "check_rows",
    "error_rows",
    "habit_rows",
    "prefilled_rows",
    "sections",
]

_RESAMPLES = 200  # of intervals, as elsewhere on the dashboard


def sections(campaign: Campaign) -> list[Section]:
    """Return the tables that span tasks add."""
    from tertium.campaigns.exchange.exporting import item_judgements

    judgements = list(item_judgements(campaign))
    systems, categories = error_rows(judgements)
    words = _("errors per 100 words")
    return [
        *_errors(systems, categories, words),
        _agreement(campaign),
        Section(
            _("How annotators mark"),
            _("Checks and repeated items are left out."),
            [
                _("annotator"),
                _("paragraphs"),
                words,
                _("of the worst severity"),
                _("seconds per 100 words"),
            ],
            habit_rows(judgements, severities(campaign.options)[-1]),
        ),
        *_prefilled(judgements),
        _checks(judgements),
    ]


def _errors(
    systems: Sequence[Sequence[object]],
    categories: Sequence[Sequence[object]],
    words: str,
) -> list[Section]:
    return [
        Section(
            _("Errors by system"),
            _("Marks in translations, missing content included; checks are left out."),
            [_("system"), _("paragraphs"), _("without errors"), _("errors"), words],
            systems,
        ),
        Section(
            _("Errors by category"),
            "",
            [_("category"), _("severity"), _("errors")],
            categories,
        ),
    ]


def _checks(judgements: Sequence[ItemJudgement]) -> Section:
    return Section(
        _("Attention checks"),
        _(
            "A copy has a stretch of words from elsewhere, which should be marked; "
            "where there are scores, the paragraph should score lower than its "
            "original. Nobody is excluded because of it."
        ),
        [_("annotator"), _("checks"), _("damage marked"), _("scored lower")],
        check_rows(judgements),
    )


def _prefilled(judgements: Sequence[ItemJudgement]) -> list[Section]:
    rows = prefilled_rows(judgements)
    if not rows:
        return []
    head = [_("annotator"), _("kept"), _("changed"), _("removed"), _("added")]
    text = _("What became of the marks that translations had from the start.")
    return [Section(_("Pre-filled marks"), text, head, rows)]


def _agreement(campaign: Campaign) -> Section:
    from tertium.campaigns.exchange.exporting import tables

    return Section(
        _("Agreement on marks"),
        _(
            "F1: the share of marked characters that two annotations of a translation "
            "have in common. Alpha and kappa are corrected for chance."
        ),
        [
            _("annotators"),
            _("pairs"),
            _("F1"),
            _("F1 of equal severity"),
            _("alpha"),
            _("kappa of having errors"),
        ],
        agreement_rows(tables(campaign)),
    )


def agreement_rows(judgements: Judgements) -> list[tuple[object, ...]]:
    """Return how far annotators agree, as ``tertium agree --spans`` has it."""
    from tertium.judgements.agreement.spans.report import agree_on_spans

    try:
        report = agree_on_spans(judgements, resamples=_RESAMPLES)
    except InputError:  # nothing is judged yet
        return []
    names = ("character_f1", "character_f1_severity", "alpha", "error_free_kappa")
    return [
        (title, one.outputs, *(_figure(one.figures[name]) for name in names))
        for title, one in (
            (_("with each other"), report.inter),
            (_("with themselves"), report.intra),
        )
    ]


def _figure(estimate: Estimate) -> str | None:
    if estimate.value is None:
        return None
    text = f"{estimate.value:.2f}"
    if estimate.interval is None:
        return text
    return f"{text} ({estimate.interval[0]:.2f} … {estimate.interval[1]:.2f})"


def habit_rows(
    judgements: Iterable[ItemJudgement], worst: str
) -> list[tuple[object, ...]]:
    """Return how much, how severely and how fast every annotator marks."""
    work = [one for one in judgements if one.kind == "work" and one.why != "intra"]
    rows: list[tuple[object, ...]] = []
    for judge, theirs in by_judge(work).items():
        texts = words = errors = severe = 0
        for one in theirs:
            for text, marks in _marked(one):
                texts += 1
                words += count_words(text)
                errors += len(marks)
                severe += sum(mark["severity"] == worst for mark in marks)
        spent = [one.seconds for one in theirs]
        time = None
        if words and None not in spent:
            time = f"{100 * sum(filter(None, spent)) / words:.0f}"
        rate = f"{100 * errors / words:.1f}" if words else None
        share = f"{100 * severe / errors:.0f} %" if errors else None
        rows.append((judge, texts, rate, share, time))
    return rows


def _marked(one: ItemJudgement) -> Iterator[tuple[str, list[Mark]]]:
    """Yield translations, and what was marked in them."""
    for key, entries in _outputs(one).items():
        for text, entry in zip(paragraphs(one.content), entries, strict=True):
            yield text["outputs"][key], cast("list[Mark]", entry["marks"])


def prefilled_rows(judgements: Iterable[ItemJudgement]) -> list[tuple[object, ...]]:
    """Return what annotators did to pre-filled marks; no row without such marks."""
    rows: list[tuple[object, ...]] = []
    for judge, theirs in by_judge(judgements).items():
        counts: Counter[str] = Counter()
        seen = False
        for one in theirs:
            if one.kind != "work":
                continue
            for key, entries in _outputs(one).items():
                for text, entry in zip(paragraphs(one.content), entries, strict=True):
                    if (before := text["prefilled"].get(key)) is not None:
                        seen = True
                        marks = cast("list[Mark]", entry["marks"])
                        counts.update(kept_marks(before, marks))
        if seen:
            names = ("kept", "changed", "removed", "added")
            rows.append((judge, *(counts[name] for name in names)))
    return rows


def error_rows(
    judgements: Iterable[ItemJudgement],
) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Return rows of systems, the one with the fewest errors first, and categories."""
    texts: Counter[str] = Counter()
    clean: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    words: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    for one in judgements:
        if one.kind != "work":
            continue
        for key, entries in _outputs(one).items():
            for text, entry in zip(paragraphs(one.content), entries, strict=True):
                marks = cast("list[Mark]", entry["marks"])
                for system in one.origins.get(key, ()):
                    texts[system] += 1
                    clean[system] += not marks
                    errors[system] += len(marks)
                    words[system] += count_words(text["outputs"][key])
                kinds.update((_category(mark), mark["severity"]) for mark in marks)
    rate = {name: 100 * errors[name] / max(words[name], 1) for name in texts}
    rows: list[tuple[object, ...]] = [
        (name, texts[name], clean[name], errors[name], f"{rate[name]:.1f}")
        for name in sorted(texts, key=lambda name: (rate[name], name))
    ]
    return rows, [(*kind, number) for kind, number in kinds.most_common()]


def check_rows(judgements: Sequence[ItemJudgement]) -> list[tuple[object, ...]]:
    """Return how many damaged stretches everybody noticed who saw one."""
    rows: list[tuple[object, ...]] = []
    for judge, theirs in by_judge(judgements).items():
        originals: dict[tuple[str, str, int], list[int]] = {}
        for one in theirs:
            if one.kind == "work":
                for key, entries in _outputs(one).items():
                    for place, entry in enumerate(entries):
                        if isinstance(score := entry.get("score"), int):
                            scores = originals.setdefault((one.item, key, place), [])
                            scores.append(score)
        marked, lower = [], []
        for one in theirs:
            if one.kind != "check" or "damage" not in one.meta:
                continue
            # A copy that came from another tool may be damaged in every paragraph.
            damages = one.meta.get("damages", [one.meta["damage"]])
            for key, place, start, end in cast(
                "list[tuple[str, int, int, int]]", damages
            ):
                entry = _outputs(one)[key][place]
                marks = cast("list[Mark]", entry["marks"])
                marked.append(any(_hits(mark, start, end) for mark in marks))
                before = originals.get((str(one.meta.get("base")), key, place))
                if before and isinstance(score := entry.get("score"), int):
                    lower.append(score < fmean(before))
        if not marked:
            continue
        share = [
            f"{sum(some)}/{len(some)}" if some else None for some in (marked, lower)
        ]
        rows.append((judge, len(marked), *share))
    return rows


def _outputs(one: ItemJudgement) -> dict[str, list[dict[str, object]]]:
    return cast("dict[str, list[dict[str, object]]]", one.answer["outputs"])


def _category(mark: Mark) -> str:
    return mark.get("category", MISSING if mark["start"] is None else "error")


def _hits(mark: Mark, start: int, end: int) -> bool:
    first, last = mark["start"], mark["end"]
    return first is not None and last is not None and first < end and start < last

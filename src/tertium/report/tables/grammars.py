# SPDX-License-Identifier: Apache-2.0
"""Tables of grammars: their sentences, what they accept, and studies with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.grammars.analysis.edit_study import AnnotationReport
    from tertium.grammars.authoring.attestation import Attestation
    from tertium.grammars.authoring.constructions import Constructions
    from tertium.grammars.authoring.coverage import Coverage, Share
    from tertium.grammars.sensitivity import Jump, Sensitivity
    from tertium.grammars.sets.growth import Growth
    from tertium.grammars.sets.sentence_sets import (
        SentenceCounts,
        SentenceSample,
        SentenceSet,
    )

__all__ = [
    "annotation_table",
    "attestation_tables",
    "construction_tables",
    "count_table",
    "coverage_tables",
    "growth_table",
    "sample_table",
    "sensitivity_tables",
]


def _figures(style: Style, usual: int) -> Callable[[float | None], str]:
    """Return a function that writes figures; one without a value is n/a."""
    return lambda value: "n/a" if value is None else style.number(value, usual)


# ----------------------------------------------------------------------- sentences


def construction_tables(result: Constructions, style: Style) -> list[Table]:
    """Return the sentences of constructions, one column per language."""
    tables = {}
    for name, by_language in result.constructions.items():
        columns = [made.sentences if made else () for made in by_language.values()]
        counts = ", ".join(
            f"{language} {made.count:,}"
            if made
            else f"{language} has no such construction"
            for language, made in by_language.items()
        )
        tables[name] = Table(
            result.languages,
            list(zip_longest(*columns, fillvalue="")),
            title=f"{name} {{{result.set}}}: {counts}",
            left=len(result.languages),
        )
    if not style.for_programs:
        return list(tables.values())
    rows = [[name, *row] for name, table in tables.items() for row in table.rows]
    head = ["construction", *result.languages]
    return [Table(head, rows, left=len(head))]


def sample_table(result: SentenceSample, style: Style) -> Table:
    """Return sampled sentences with the sets they come from."""
    keys = _keys([one for one, _ in result.sentences], style)
    rows = [
        [*(one.to_dict()[key] for key in keys), text] for one, text in result.sentences
    ]
    head = [*keys, "sentence"]
    return Table(head, rows, left=len(head))


def count_table(result: SentenceCounts, style: Style) -> Table:
    """Return how many sentences, states and arcs sets have."""
    plain = style.for_programs
    keys = _keys(result.sets, style)
    rows = []
    for one in result.sets:
        automaton = one.automaton
        numbers = (automaton.count, len(automaton), automaton.arc_count)
        names = [one.to_dict()[key] for key in keys]
        rows.append([*names, *(str(n) if plain else f"{n:,}" for n in numbers)])
    head = [*keys, "sentences", "states", "arcs"]
    total = ", ".join(f"{key} {number:,}" for key, number in result.total.items())
    return Table(head, rows, note=f"all together: {total}", left=len(keys))


def _keys(sets: Sequence[SentenceSet], style: Style) -> list[str]:
    """Return the columns that are not empty; programs get them all."""
    every = [one.to_dict() for one in sets]
    keys = ["template", "set", "language"]
    if style.for_programs:
        return keys
    return [key for key in keys if any(names[key] for names in every)]


# ------------------------------------------------------------------------- studies


def coverage_tables(
    result: Coverage, style: Style, *, top: int, more: str = ""
) -> list[Table]:
    """Return what reference sets accept, and what they reject most often.

    Parameters
    ----------
    result : Coverage
    style : Style
    top : int
        How many causes people see; programs get all.
    more : str
        How to see the others; ends the note that counts them.
    """
    plain = style.for_programs
    causes = _causes(result, None if plain else top, more)
    if plain:
        return [causes]
    shares = [*result.shares, *([result.total] if len(result.shares) > 1 else [])]
    rows = [_share_row(share, share.template or "(none)") for share in shares]
    if len(result.people) > 1:
        rows += [_share_row(share, f"by {share.template}") for share in result.people]
    tables = [Table(["template", "accepted", "of", "share"], rows, title="Coverage")]
    return [*tables, causes] if causes.rows else tables


def _causes(result: Coverage, top: int | None, hint: str) -> Table:
    head = ["template", "edit", "said", "accepted", "alone", "in"]
    head += ["proposal", "example", "nearest"]
    rows = []
    for cause in result.causes[:top]:
        first = cause.rejected[0]
        rows.append(
            [
                cause.template,
                cause.kind,
                cause.hyp,
                cause.ref,
                str(cause.alone),
                str(len(cause.rejected)),
                cause.proposal,
                first.translation.text,
                " ".join(first.correction.reference),
            ]
        )
    note = (
        "alone: translations that would be accepted if only this were; in: those it "
        "occurs in"
    )
    if more := len(result.causes) - len(rows):
        note += f"\n{count(more, 'more cause')}{hint}"
    return Table(head, rows, title="What is rejected", note=note, left=len(head))


def _share_row(share: Share, name: str) -> list[str]:
    percent = f"{100 * share.share:.1f} %"
    return [name, f"{share.accepted:,}", f"{share.total:,}", percent]


def attestation_tables(attestation: Attestation, top: int) -> Iterator[Table]:
    """Yield how many word pairs a corpus has, and `top` pairs that it lacks."""
    yield Table(
        ["template", "construction", "pairs", "found", "share"],
        [
            [
                template,
                one.construction,
                str(len(one.pairs)),
                str(one.found),
                f"{one.found / len(one.pairs):.1%}" if one.pairs else "n/a",
            ]
            for template, one in attestation.constructions
        ],
        title="Word pairs in the corpus",
        left=2,
    )
    rows = [
        [template, one.construction, " ".join(pair.words), " ".join(pair.example)]
        for template, one in attestation.constructions
        for pair in one.pairs[:top]
        if not pair.count
    ]
    if rows:
        head = ["template", "construction", "pair", "in"]
        yield Table(head, rows, title="Unattested word pairs", left=4)


def growth_table(result: Growth, style: Style, *, metric: str) -> Table:
    """Return the scores of systems by number of references."""
    show = _figures(style, 2)
    sampled = list(zip(result.sizes, result.sampled, strict=True))
    if style.for_programs:
        rows = [
            [name, str(size), repr(average), show(score)]
            for name, scores in result.scores.items()
            for (size, average), score in zip(sampled, scores, strict=True)
        ]
        return Table(["system", "references", "drawn", "score"], rows)
    name = metric.partition(":")[0]
    label = "BLEU" if name == "bleu" else name
    head = ["system", *(f"{label}-{size}" for size in result.sizes)]
    rows = [[name, *map(show, scores)] for name, scores in result.scores.items()]
    few = [f"{size:,}: {mean:,.1f}" for size, mean in sampled if mean < size]
    note = f"{count(result.segments, 'segment')}, seed {result.seed}\n{result.metric}"
    if few:
        note += f"\nsmall sets have fewer references; on average for {', '.join(few)}"
    return Table(head, rows, note=note)


def sensitivity_tables(result: Sensitivity, style: Style) -> list[Table]:
    """Return how far outputs follow small changes of sources, and the largest jumps."""
    show = _figures(style, 3)
    plain = style.for_programs
    rows = [
        [
            system.system,
            system.template if plain else system.template or "(all)",
            str(system.pairs) if plain else f"{system.pairs:,}",
            *(show(value) for value in (system.changed, system.index, system.gain)),
        ]
        for system in result.systems
    ]
    head = ["system", "template", "pairs", "changed", "index", "gain"]
    note = "index: mean distance of outputs whose sources are near; lower is steadier"
    tables = [Table(head, rows, note=note, left=2)]
    if result.jumps and not plain:
        rows = [
            row
            for jump in result.jumps
            for row in _jump_rows(jump, show(jump.distance))
        ]
        tables.append(
            Table(
                ["system", "distance", "source", "output"],
                rows,
                title="Largest jumps",
                left=4,
                rules=range(2, len(rows), 2),
            )
        )
    return tables


def _jump_rows(jump: Jump, distance: str) -> list[list[str]]:
    first, second = zip(jump.sources, jump.outputs, strict=True)
    return [[jump.system, distance, *first], ["", "", *second]]


def annotation_table(report: AnnotationReport, style: Style) -> Table:
    """Return how far corrections edit the words that annotators mark."""
    show = _figures(style, 3)
    places = report.places
    named = [*places.annotators.items(), ("together", places.pooled)]
    if places.pairs:
        named.append(("among each other", places.among))
    rows = [
        [
            name,
            str(score.segments),
            *(str(n) for n in (score.right, score.wrong, score.missed)),
            *(show(value) for value in (score.precision, score.recall, score.f)),
        ]
        for name, score in named
    ]
    head = ["annotator", "outputs", "right", "wrong", "missed"]
    head += ["precision", "recall", "F"]
    note = (
        f"{count(report.items, 'item')}; right: edited and marked, wrong: only "
        "edited, missed: only marked"
    )
    return Table(head, rows, note=note, rules=[len(places.annotators)])

# SPDX-License-Identifier: Apache-2.0
"""Exports beside judgements: participants, items as a test set, and the codebook.

Participants are those who agreed to archiving, unless all are asked for. Ages become
groups of ten years; a nationality that few share becomes ``other``.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from statistics import median

from tertium._files import replace_file
from tertium.campaigns.models import Background, Campaign, Judgement
from tertium.campaigns.tasks.survey.sampled import NOTES
from tertium.campaigns.tasks.survey.task import QUESTIONS, SYSTEM
from tertium.judgements.adjustment.normalise import LANGUAGE_POINTS, language_points
from tertium.judgements.annotators.background import age_group

__all__ = ["PARTICIPANT", "write_codebook", "write_items", "write_participants"]

_FEW = 5  # participants who share a nationality before it is exported
_YEARS = (5, 10, 20)  # edges of groups of years

#: Columns of participants, and what they mean.
PARTICIPANT = {
    "judge": "pseudonym, as in the judgements",
    "group": "how they were recruited: the group of the invitation",
    "questionnaire": "number of the questionnaire",
    "finished": "yes if all items were seen",
    "first_language": "is the target language their first? yes, no, not-said",
    "years_fluent": f"years of fluent use if not, in groups cut at {_YEARS}",
    "languages": "LANGUAGE:LEVEL; ... with the levels native, fluent, a few words",
    "language_points": "sum over languages: native 7, fluent 4, a few words 1",
    "qualifications": "languages they have an exam or degree in: how many",
    "gender": "female, male, other, not-said",
    "nationality": f"as given; other if fewer than {_FEW} participants share it",
    "education": "school, college, undergraduate, masters, doctorate, not-said",
    "reading": "does anything make reading harder? yes, no, not-said",
    "grammar": "how much mistakes matter: 1 not at all ... 5 very much",
    "age_group": "age in groups of ten years",
    "judged": "items judged",
    "missing_adequacy": "items whose first question was left without an answer",
    "missing_order": "items whose second question was left without an answer",
    "seconds": "median time of an item",
    "archive": "agreed to archiving: yes or no",
}

_ITEM = {
    "id": "the item: SEGMENT:KIND:HASH; the segment of judgements",
    "ref": "the reference, which was shown",
    "tgt": f"the text that was judged, under the one system {SYSTEM!r}",
    "langpair": "source and target language of the campaign",
    "kind": "hypothesis (of a system) or permutation (of the reference)",
    "permutation": "hypothesis, order, swap, phrase or choice",
    "degree": "words moved or replaced; empty for hypotheses",
    "base": "of a permutation: the item that is the hypothesis of its segment",
    "segment": "segment in the test set that was loaded",
    "corpus": "test set and system that it was sampled from",
    "shared": "yes if every questionnaire has it",
    "source_language": "language that was translated from",
    "rank_score": "of hypotheses: mean score of ranks by others, such as WMT's",
    **{f"note_{name}": f"what the curator noted of {name}" for name in NOTES},
    "quality": "chrF (hypotheses), or 1 to 0 by degree (permutations); see the docs",
}

_ALIGNED = "aligned_NAME"
_ITEM[_ALIGNED] = "share of words, of text and reference, that the aligner NAME aligned"

_RATING = {
    "system": f"always {SYSTEM}: every item is a segment of its own",
    "segment": "the item, as in the test set of items",
    "judge": "pseudonym",
    "scale": "likert-adequacy (first question) or likert-order (second)",
    "score": "(box - 1) / 4: 0 worst, 1 best; a missing answer has no row",
    "duration": "seconds from first sight to submission, of both questions",
    "meta.questionnaire": "number of the questionnaire",
    "meta.position": "place of the item in it, from 1",
    "meta.missing": "questions of the item that were left without an answer",
    "meta.look": "seconds with the translation alone, before the reference was shown",
    "meta.edits": "of a permutation: what was done to the reference",
    "meta.seed": "of a permutation: the seed",
    "meta.source_words": "length of the source in words; likewise reference and shown",
}


def write_participants(
    campaign: Campaign, path: str, *, everybody: bool = False
) -> None:
    """Write participants as CSV, TSV or, by the name, JSONL."""
    rows = list(participants(campaign, everybody=everybody))
    if path.endswith((".jsonl", ".json")):
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        _write(path, lines)
        return
    separator = "\t" if path.endswith((".tsv", ".txt")) else ","
    _write(path, _table(PARTICIPANT, rows, separator))


def _write(path: str, lines: Iterable[str]) -> None:
    with replace_file(path) as file:
        for line in lines:
            file.write(line.encode())


def _table(
    columns: Iterable[str], rows: Iterable[Mapping[str, object]], separator: str
) -> Iterator[str]:
    names = list(columns)
    for cells in (names, *([_cell(row[name]) for name in names] for row in rows)):
        line = io.StringIO()
        csv.writer(line, delimiter=separator, lineterminator="\n").writerow(cells)
        yield line.getvalue()


def _cell(value: object) -> str:
    """Return a value as text that no spreadsheet takes for a formula."""
    text = "" if value is None else " ".join(str(value).split())
    return f"'{text}" if text[:1] in "=+-@" and text else text


def participants(
    campaign: Campaign, *, everybody: bool = False
) -> Iterator[dict[str, object]]:
    """Yield what may be published about participants, by pseudonym."""
    backgrounds = Background.objects.filter(member__campaign=campaign).select_related(
        "member__questionnaire"
    )
    if not everybody:
        backgrounds = backgrounds.filter(archive=True)
    people = sorted(backgrounds, key=lambda one: one.member.code)
    shared = Counter(_plain(one.answers.get("nationality")) for one in people)
    work = _work(campaign)
    for one in people:
        answers, code = one.answers, one.member.code
        languages = _languages(answers)
        nationality = str(answers.get("nationality") or "").strip()
        known = shared[_plain(nationality)] >= _FEW
        age, years = answers.get("age"), answers.get("years")
        sheet = getattr(one.member, "questionnaire", None)
        yield {
            "judge": code,
            "group": one.member.group,
            "questionnaire": sheet.number if sheet else None,
            "finished": "yes" if one.finished else "no",
            "first_language": answers.get("first_language"),
            "years_fluent": _years(years) if isinstance(years, int) else None,
            "languages": "; ".join(f"{name}:{level}" for name, level, _ in languages),
            "language_points": language_points(level for _, level, _ in languages)
            if languages
            else None,
            "qualifications": sum(bool(exam) for *_, exam in languages),
            "gender": answers.get("gender"),
            "nationality": (nationality if known else "other") if nationality else None,
            "education": answers.get("education"),
            "reading": answers.get("reading"),
            "grammar": answers.get("grammar"),
            "age_group": age_group(age) if isinstance(age, int) else None,
            **work.get(code, _NOTHING),
            "archive": "yes" if one.archive else "no",
        }


_NOTHING: Mapping[str, object] = {
    "judged": 0,
    "missing_adequacy": 0,
    "missing_order": 0,
    "seconds": None,
}


def _plain(text: object) -> str:
    return " ".join(str(text or "").casefold().split())


def _languages(answers: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Return languages with a level; signs that would part them are left out."""
    rows = answers.get("languages")
    languages = []
    for row in rows if isinstance(rows, list) else ():
        name = str(row["name"]).translate(str.maketrans(";:\t", "   "))
        if row["level"] in LANGUAGE_POINTS and name.strip():
            languages.append((" ".join(name.split()), row["level"], str(row["exam"])))
    return languages


def _years(years: int) -> str:
    edges = (0, *_YEARS)
    place = sum(years >= edge for edge in edges) - 1
    if place == len(edges) - 1:
        return f"{edges[-1]}+"
    return f"{edges[place]}-{edges[place + 1] - 1}"


def _work(campaign: Campaign) -> dict[str, dict[str, object]]:
    """Return what everybody did, by pseudonym."""
    answers: dict[str, list[tuple[Mapping[str, object], float | None]]] = {}
    for code, answer, seconds in Judgement.objects.filter(
        assignment__item__campaign=campaign
    ).values_list("assignment__member__code", "answer", "seconds"):
        answers.setdefault(code, []).append((answer, seconds))
    return {
        code: {
            "judged": len(judged),
            **{
                f"missing_{name}": sum(answer.get(name) is None for answer, _ in judged)
                for name in QUESTIONS
            },
            "seconds": _median([seconds for _, seconds in judged]),
        }
        for code, judged in answers.items()
    }


def _median(seconds: Iterable[float | None]) -> float | None:
    known = [one for one in seconds if one is not None]
    return round(median(known), 1) if known else None


def write_items(campaign: Campaign, path: str) -> None:
    """Write the items as a test set, for ``tertium score`` and ``correlate``."""
    from tertium.data import Testset, write

    items = list(campaign.items.order_by("key"))
    layers = {
        name: [item.meta.get(name) for item in items]
        for name in _ITEM
        if name not in ("id", "ref", "tgt", "langpair", _ALIGNED)
    }
    shares = [item.meta.get("aligned", {}) for item in items]
    for name in dict.fromkeys(name for share in shares for name in share):
        layers[_ALIGNED.replace("NAME", name)] = [share.get(name) for share in shares]
    testset = Testset(
        [(str(item.content["reference"]),) for item in items],
        {SYSTEM: [str(item.content["hypothesis"]) for item in items]},
        ids=[item.key for item in items],
        langpair=campaign.langpair,
        layers={name: list(map(_layer, values)) for name, values in layers.items()},
    )
    write(testset, path)


def _layer(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def write_codebook(path: str) -> None:
    """Write what every column of every export means, as Markdown."""
    parts = {
        "Participants (`--participants`)": PARTICIPANT,
        "Items (`--items`)": _ITEM,
        "Judgements (`-o`)": _RATING,
    }
    lines = ["# Codebook of a word-order survey\n"]
    for title, columns in parts.items():
        lines.append(f"\n## {title}\n\n| Column | Meaning |\n|---|---|\n")
        lines += [f"| {name} | {about} |\n" for name, about in columns.items()]
    lines.append(
        "\nAn empty cell means no answer. Consent is stored separately and is never "
        "exported.\n"
    )
    _write(path, lines)

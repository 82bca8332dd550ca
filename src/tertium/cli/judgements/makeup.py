# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium judgements stats --composition`` and ``--people``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.shared.render import emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cli.judgements.stats import Options
    from tertium.judgements import Judgements
    from tertium.judgements.annotators.background import People

__all__ = ["show_composition", "show_people"]


def show_composition(judgements: Judgements, options: Options) -> None:
    """Write how ratings are composed."""
    from tertium.judgements.composition import compose

    texts = None if options.texts is None else _texts(options.texts, judgements)
    scales = compose(judgements, texts)
    if options.format == "json":
        whole = {"tertium": __version__, "composition": [asdict(s) for s in scales]}
        emit(json.dumps(whole, ensure_ascii=False, indent=2), options.output)
        return
    from tertium.report.tables.judgements import composition_tables

    tables = composition_tables(scales, options.style)
    render(tables, options.format, output=options.output)


def _texts(path: str, judgements: Judgements) -> dict[tuple[str, str], tuple[str, str]]:
    """Return first reference and output by segment and system of a test set."""
    import tertium
    from tertium.meta.scores import segment_names

    pairs = judgements.names("langpair")
    if len(pairs) > 1:
        message = (
            f"--texts is for one language pair, and there are {', '.join(pairs)}; "
            "select one with --only langpair=NAME"
        )
        raise InputError(message)
    testset = tertium.read(path)
    if not any(testset.references):
        raise InputError(f"{path} has no references, so their lengths are unknown")
    return {
        (name, system): (refs[0], output[i])
        for i, (name, refs) in enumerate(
            zip(segment_names(testset), testset.references, strict=True)
        )
        for system, output in testset.systems.items()
    }


def show_people(judgements: Judgements, options: Options) -> None:
    """Write who the judges were."""
    from tertium.judgements.annotators import background

    people = background.people(judgements, background.read_people(options.people or ""))
    if options.format == "json":
        emit(_json(people), options.output)
        return
    from tertium.report.tables.judgements import people_tables

    render(people_tables(people, options.style), options.format, output=options.output)


def _json(people: People) -> str:
    from tertium.judgements.annotators.background import age_group

    judges = [
        {
            "judge": one.judge,
            "age": None if one.age is None else age_group(one.age),
            "education": one.education,
            "languages": dict(one.languages),
            "points": one.points,
        }
        for one in people.judges
    ]
    whole = {
        "tertium": __version__,
        "judges": judges,
        "groups": [asdict(each) for each in people.groups],
        "unknown": people.unknown,
        "absent": people.absent,
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)

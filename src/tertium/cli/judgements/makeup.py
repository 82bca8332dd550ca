# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium judgements stats --composition`` and ``--people``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.shared.render import emit_json, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cli.judgements.stats import Options
    from tertium.judgements import Judgements

__all__ = ["show_composition", "show_people"]


def show_composition(judgements: Judgements, options: Options) -> None:
    """Write how ratings are composed."""
    from tertium.judgements.composition import compose

    texts = None if options.texts is None else _texts(options.texts, judgements)
    scales = compose(judgements, texts)
    if options.format == "json":
        whole = {"tertium": __version__, "composition": [asdict(s) for s in scales]}
        emit_json(whole, options.output)
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
        whole = {"tertium": __version__, **people.to_dict()}
        emit_json(whole, options.output)
        return
    from tertium.report.tables.judgements import people_tables

    render(people_tables(people, options.style), options.format, output=options.output)

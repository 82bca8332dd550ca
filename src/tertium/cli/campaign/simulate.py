# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign demo --task survey --simulate``: a survey without people."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium.cli.campaign import database
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks
from tertium.errors import InputError, TertiumError

if TYPE_CHECKING:
    from tertium.report.survey.results import SurveyResults
    from tertium.report.tables.table import Table

__all__ = ["Simulation", "add_simulation", "check_unused", "simulate"]

_KINDS = ("order", "swap", "phrase", "choice")
_FEWEST = 3  # judges
_ONLY = ("seed", "references", "kinds", "parser", "model", "metrics")
#: What metrics are tried on: as much as the items of a survey have.
_EXAMPLE = ("The cat sat on the mat .", "On the mat sat the cat .")


class Simulation(Remarks):
    """The options of a simulated survey."""

    task: str
    folder: str
    simulate: int | None
    seed: int | None
    references: str | None
    kinds: list[str] | None
    parser: str | None
    model: str | None
    metrics: list[str] | None


def add_simulation(parser: argparse.ArgumentParser) -> None:
    """Add the options of a simulated survey."""
    from tertium.order.damage import KINDS

    group = parser.add_argument_group("simulated judges (--task survey)")
    group.add_argument(
        "--simulate",
        type=flags.number(_FEWEST, 1000),
        metavar="N",
        help="let N simulated judges answer the survey, write exports and a page with "
        "all results, and stop without serving",
    )
    group.add_argument(
        "--seed",
        type=flags.number(0),
        metavar="N",
        help=f"for sentences, damage and judges (default: {SEED})",
    )
    group.add_argument(
        "--references",
        metavar="FILE",
        help="a test set, one reference per line, or .conllu (default: the sentences "
        "of the example)",
    )
    group.add_argument(
        "--kinds",
        nargs="+",
        choices=tuple(KINDS),
        metavar="KIND",
        help=f"{' '.join(KINDS)} (default: all but both)",
    )
    group.add_argument(
        "-p",
        "--parser",
        metavar="PARSER",
        help="parse --references with udpipe, spacy or stanza; kinds other than order "
        "need trees",
    )
    group.add_argument("--model", metavar="MODEL", help="the parser's model")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="METRIC",
        help="what to correlate with the answers (default: metrics of word order)",
    )


def check_unused(options: Simulation) -> None:
    """Reject options of a simulated survey where there is none.

    Raises
    ------
    InputError
        With the first such option.
    """
    for name in _ONLY:
        if getattr(options, name) is not None:
            message = f"--{name} has an effect only with --simulate; give both or none"
            raise InputError(message)


def simulate(options: Simulation, judges: int) -> int:
    """Run a survey with simulated judges, and print what was recovered."""
    if options.task != "survey":
        message = f"--simulate has no judges for {options.task}; give --task survey"
        raise InputError(message)
    folder = Path(options.folder)
    place = database.Database(
        quiet=options.quiet,
        database=str(folder / "campaigns.sqlite3"),
        secret_file=None,
    )
    from tertium.campaigns.site.setup import need_django

    need_django()
    if options.metrics:
        _try_metrics(options.metrics)
    from tertium.campaigns.tasks.survey.simulation.material import write_material

    seed = SEED if options.seed is None else options.seed
    config = write_material(
        folder / "simulated",
        judges=judges,
        seed=seed,
        kinds=options.kinds or _KINDS,
        references=options.references,
        parser=options.parser,
        model=options.model or "",
    )
    try:
        database.start(place)
        _check_survey(config)
    except TertiumError:
        config.unlink()  # It would reject the corrected command.
        raise
    from tertium.campaigns.tasks.survey.simulation.study import METRICS, run_study

    with Progress("judges", quiet=options.quiet) as progress:
        study = run_study(
            config,
            judges=judges,
            seed=seed,
            references=Path(options.references).name
            if options.references
            else "the sentences of the example",
            metrics=options.metrics or METRICS,
            progress=progress,
        )
    for note in study.results.notes:
        remark(options, note)
    if options.references and not options.parser and study.results.notes:
        remark(options, "for other kinds than order, give --parser and --model")
    sys.stdout.write(_text(study.results))
    for path in study.files:
        sys.stdout.write(f"wrote {path}\n")
    remark(
        options,
        "the dashboard shows the same survey: tertium campaign serve --database "
        f"{place.database}",
    )
    return 0


def _try_metrics(metrics: Sequence[str]) -> None:
    """Reject metrics that are unknown, or that need more than the texts."""
    import tertium

    text, other = _EXAMPLE
    tertium.score({"survey": [other]}, [[text]], metrics=metrics, threads=1)


def _check_survey(config: Path) -> None:
    """Reject a survey that cannot be loaded."""
    from tertium.campaigns.config import read_config
    from tertium.campaigns.loading import check

    check(read_config(config, allow_outside=True))


def _text(results: SurveyResults) -> str:
    from tertium.report.tables.table import as_text

    inside, effects = results.recovered()
    judged, judges = results.recovered(severities=True)
    return (
        as_text([_table(results)])
        + f"{inside} of {effects} known effects and {judged} of {judges} judge effects "
        "are within their 95 % intervals\n"
    )


def _table(results: SurveyResults) -> Table:
    from tertium.report.tables.table import Table

    rows = []
    for one in results.recoveries:
        for effect in one.effects:
            low, high = effect.estimate.low, effect.estimate.high
            interval = "n/a" if low is None else f"{low:.4f} to {high:.4f}"
            rows.append(
                (
                    one.question,
                    effect.name,
                    f"{effect.known:.4f}",
                    f"{effect.estimate.value:.4f}",
                    interval,
                    "yes" if effect.inside else "no",
                )
            )
    head = ("question", "effect", "known", "estimate", "95 % interval", "recovered")
    return Table(head, rows, left=2)

# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium rank --levels`` and ``--unseen``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium.cli.shared.render import Table

if TYPE_CHECKING:
    from tertium.judgements.parts.against_sentences import Levels, Tau
    from tertium.judgements.reuse.unseen import UnseenSystem

__all__ = ["level_tables", "levels_json", "unseen_json", "unseen_table"]


def level_tables(pair: str, levels: Levels, most: int) -> list[Table]:
    """Return how segment judgements agree with sentence judgements, and where not."""
    rows = [
        [each.system, _tau(each.better), _tau(each.worse), _tau(each.all)]
        for each in levels.systems
    ]
    total = levels.all
    note = (
        "tau of segment judgements with sentence judgements over pairs in which the "
        "system is the better one,\nthe worse one, and both. Over all systems "
        f"{_tau(total)}: both agree on {_figure(total.agreement)} of "
        f"{total.concordant + total.discordant:,} pairs."
    )
    head = ["system", "better", "worse", "all"]
    tables = [Table(head, rows, title=f"{pair or 'all'}: levels", note=note)]
    rows = [
        [
            each.sentence,
            each.system,
            f"{each.segment_wins}:{each.segment_losses}",
            f"{each.sentence_wins}:{each.sentence_losses}",
            "∞" if each.infinite else _figure(each.quotient),
            f"{each.log_ratio:+.3f}",
        ]
        for each in levels.disagreements[:most]
    ]
    note = (
        "Wins and losses of the segments and of the sentence. quotient: ratio of wins "
        "of the segments over that\nof the sentence; log ratio: its logarithm with "
        "half a win and half a loss added."
    )
    head = ["sentence", "system", "segments", "sentence", "quotient", "log ratio"]
    title = f"{pair or 'all'}: largest disagreements"
    return [*tables, Table(head, rows, title=title, note=note, left=2)]


def unseen_table(pair: str, systems: Sequence[UnseenSystem]) -> Table:
    """Return how systems would be scored that nobody judged."""
    rows = []
    for each in systems:
        guesses = each.guesses
        shares = [_percent(n, guesses.total) for n in guesses]
        rows.append(
            [
                each.system,
                _figure(each.judged),
                _figure(each.exact),
                _figure(each.hit_rate, 2),
                _figure(each.closest),
                _figure(each.mean_distance, 1),
                *shares,
            ]
        )
    head = ["system", "judged", "exact", "hits", "closest", "distance"]
    note = (
        "Ratio of wins as judged; if the system were left out, from segments that "
        "others translated alike (exact,\nwith their share), and from the closest ones "
        "(with the mean edit distance). worse, equal, better: the rank\nso guessed "
        "against the judge's, where nobody else wrote the same."
    )
    return Table(
        [*head, "worse", "equal", "better"],
        rows,
        title=f"{pair or 'all'}: left out",
        note=note,
    )


def levels_json(levels: Levels) -> dict[str, object]:
    """Return the comparison of levels for JSON; infinite quotients are flagged."""

    def tau(found: Tau) -> dict[str, object]:
        return {**asdict(found), "tau": found.tau, "agreement": found.agreement}

    return {
        "systems": [
            {
                "system": each.system,
                "better": tau(each.better),
                "worse": tau(each.worse),
                "all": tau(each.all),
            }
            for each in levels.systems
        ],
        "all": tau(levels.all),
        "disagreements": [
            {
                **asdict(each),
                "quotient": None if each.infinite else each.quotient,
                "infinite": each.infinite,
            }
            for each in levels.disagreements
        ],
    }


def unseen_json(systems: Sequence[UnseenSystem]) -> list[dict[str, object]]:
    """Return systems left out for JSON."""
    return [
        {
            **asdict(each),
            "hit_rate": each.hit_rate,
            "guesses": each.guesses._asdict(),
            "by_distance": {
                str(distance): found._asdict()
                for distance, found in each.by_distance.items()
            },
        }
        for each in systems
    ]


def _tau(found: Tau) -> str:
    return _figure(found.tau)


def _figure(value: float | None, digits: int = 3) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "n/a"

# SPDX-License-Identifier: Apache-2.0
"""The published ranking of EvalGen, recomputed from its printed counts.

    python -m bench evalgen [COSTS]

Nieminen 2018 prints counts of edits for eight systems (figure 8) and scores (table
4), but neither the weights of all edits nor the length of the references. Counts
times costs over one common length should give the scores. COSTS is a profile with
changes, such as ``default,move=0.5``. The length was fitted to these very scores, so
agreement is weak evidence.
"""

from __future__ import annotations

import sys

from tertium.grammars.search.edits import UNIT, EditCosts, Kind

__all__ = ["COUNTS", "LENGTH", "SCORES", "ranking", "recomputed", "sums", "table"]

SYSTEMS = ("MT-1", "SMT-2", "NMT-2", "RBMT-2", "SMT-1", "RBMT-1", "NMT-1", "MT-2")

#: Tokens of all chosen references together, fitted with the default costs.
LENGTH = 4067

_ROWS = {
    Kind.INSERT: (130, 123, 100, 173, 169, 66, 81, 106),
    Kind.SUB: (67, 108, 126, 150, 205, 58, 173, 135),
    Kind.TENSENUM_SUB: (22, 22, 41, 32, 22, 66, 34, 21),
    Kind.MOVE: (49, 100, 37, 61, 125, 157, 44, 47),
    Kind.COMP_LEMMA_JOIN: (294, 22, 4, 0, 0, 0, 0, 98),
    Kind.UNKDEL: (7, 0, 0, 1, 26, 0, 14, 3),
    Kind.ANIMACY_SUB: (1, 31, 21, 0, 0, 9, 1, 2),
    Kind.DELETE: (178, 192, 71, 250, 377, 273, 122, 298),
    Kind.CASENUM_SUB: (365, 376, 424, 314, 432, 366, 383, 315),
    Kind.UNKSUB: (10, 19, 19, 1, 40, 5, 15, 2),
    Kind.LEMMA_SUB: (157, 127, 110, 124, 261, 106, 153, 164),
    Kind.CASESHIFT: (348, 562, 291, 394, 682, 329, 220, 573),
}

#: System to kind to count, on the set of 500 (figure 8).
COUNTS: dict[str, dict[Kind, int]] = {
    system: {kind: row[place] for kind, row in _ROWS.items()}
    for place, system in enumerate(SYSTEMS)
}

#: System to score, on the set of 500 (table 4).
SCORES = {
    "NMT-2": 0.196,
    "NMT-1": 0.201,
    "RBMT-1": 0.212,
    "MT-1": 0.219,
    "RBMT-2": 0.237,
    "SMT-2": 0.242,
    "MT-2": 0.256,
    "SMT-1": 0.372,
}


def sums(costs: EditCosts) -> dict[str, int]:
    """Return the cost of all edits of every system, in ten-thousandths."""
    return {
        system: sum(costs.of(kind) * count for kind, count in counts.items())
        for system, counts in COUNTS.items()
    }


def recomputed(costs: EditCosts, length: int = LENGTH) -> dict[str, float]:
    """Return the score of every system: cost over tokens of references."""
    return {system: cost / (UNIT * length) for system, cost in sums(costs).items()}


def ranking(scores: dict[str, float]) -> list[str]:
    """Return the systems, the best (lowest score) first."""
    return sorted(scores, key=lambda system: (scores[system], system))


def table(costs: EditCosts) -> list[str]:
    """Return the lines of a Markdown table: published, ours, and the difference."""
    ours = recomputed(costs)
    ranks = {system: rank for rank, system in enumerate(ranking(ours), 1)}
    lines = [
        "| system | edits | cost | published | ours | difference | rank | ours |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for rank, system in enumerate(ranking(SCORES), 1):
        published = SCORES[system]
        cells = (
            system,
            f"{sum(COUNTS[system].values())}",
            f"{sums(costs)[system] / UNIT:.2f}",
            f"{published:.3f}",
            f"{ours[system]:.3f}",
            f"{ours[system] - published:+.4f}",
            f"{rank}",
            f"{ranks[system]}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    costs = EditCosts.read(sys.argv[1] if len(sys.argv) > 1 else "default")
    print(f"Costs {costs.profile}, {LENGTH} tokens of references\n")
    print("\n".join(table(costs)))
    ours = recomputed(costs)
    worst = max(abs(ours[system] - score) for system, score in SCORES.items())
    same = ranking(ours) == ranking(SCORES)
    print(
        f"\nlargest difference {worst:.4f}; ranking {'as' if same else 'not as'}",
        end="",
    )
    print(" published")


if __name__ == "__main__":
    main()

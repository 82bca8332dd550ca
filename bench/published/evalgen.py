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

from tertium.grammars.search.edits import UNIT, EditCosts
from tertium.reproductions.documents import find_exhibits
from tertium.reproductions.recipes.evalgen.counts import LENGTH
from tertium.reproductions.recipes.evalgen.systems import printed_counts

__all__ = ["COUNTS", "LENGTH", "SCORES", "ranking", "recomputed", "sums", "table"]


def _scores() -> dict[str, float]:
    (exhibit,) = find_exhibits(["evalgen/table-4"])
    return {system: row["EvalGen"] for system, row in exhibit.published.items()}


#: System to kind to count, on the set of 500 (figure 8).
COUNTS = printed_counts()

#: System to score, on the set of 500 (table 4).
SCORES = _scores()


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

# SPDX-License-Identifier: Apache-2.0
"""Coverage of the intervals for the known effects of simulated judges.

    python -m bench survey [--runs 200] [--judges 36] [--seed 1] [--write]

Every run samples judges, items and answers anew, for questionnaires of the size that
`tertium campaign demo --task survey --simulate` makes from the bundled sentences, and
estimates the effects from the answers, without a database in between. A 95 % interval
should contain the known effect in 95 % of the runs. With --write the table goes to
bench/SURVEY.md.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from random import Random

import numpy as np

from bench.measure import ROOT

HEAD = """\
# Known effects of simulated judges

Printed by

    python -m bench survey --runs {runs} --write

The share of {runs} simulated surveys ({judges} judges, {items} items, {each} items per
judge) in which the 95 % interval contains the known effect, with the standard error of
the share; the mean of the estimates; and the mean width of the intervals. Answers are
boxes from 1 to 5, shown as scores from 0 to 1.

"""


def sheets(
    judges: int, seed: int
) -> tuple[dict[str, dict[str, object]], list[list[str]]]:
    """Return items by key, and the keys of every judge's questionnaire."""
    from tertium.campaigns.site import setup

    with tempfile.TemporaryDirectory() as folder:
        setup.start(str(Path(folder) / "campaigns.sqlite3"))
        from tertium.campaigns.config import read_config
        from tertium.campaigns.tasks import get_task
        from tertium.campaigns.tasks.survey.simulation.material import write_material

        config = read_config(
            write_material(
                Path(folder) / "survey",
                judges=judges,
                seed=seed,
                kinds=["order", "swap", "phrase", "choice"],
            )
        )
        task = get_task("survey")
        items = {draft.key: dict(draft.meta) for draft in task.items(config)}
        built = task._built
    shared = [item.key for item in built.shared]
    parts = [[item.key for item in part] for part in built.own]
    return items, [shared + parts[judge % len(parts)] for judge in range(judges)]


def run(items, questionnaires, seed):
    """Yield name, known value and estimate of every effect of one survey."""
    from tertium.campaigns.tasks.survey.simulation.known import KnownJudges
    from tertium.campaigns.tasks.survey.simulation.recovery import recover
    from tertium.campaigns.tasks.survey.task import QUESTIONS, SYSTEM
    from tertium.judgements import Judgements
    from tertium.judgements.judgement import Rating

    known = KnownJudges(len(questionnaires), items, seed=seed)
    names = [f"judge {number:03}" for number in range(len(questionnaires))]
    ratings = [
        Rating(SYSTEM, (box - 1) / 4, QUESTIONS[name], key, names[judge])
        for judge, keys in enumerate(questionnaires)
        for key in keys
        for name, box in known.answer(judge, key).items()
        if box is not None
    ]
    for one in recover(Judgements.from_iterable(ratings), known, names):
        for effect in one.effects:
            yield one.question, effect.name, effect
        for effect in one.severities:
            yield one.question, "judges", effect


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--judges", type=int, default=36)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    start = time.time()
    items, questionnaires = sheets(options.judges, options.seed)
    results = defaultdict(list)
    for number in range(options.runs):
        seed = Random(f"{options.seed}:{number}").randrange(2**31)
        for question, name, effect in run(items, questionnaires, seed):
            results[question, name].append(effect)
    rows = ["| question | effect | known | mean estimate | mean width | inside |"]
    rows.append("|---|---|---|---|---|---|")
    inside = total = 0
    for (question, name), effects in results.items():
        share = float(np.mean([one.inside for one in effects]))
        error = math.sqrt(share * (1 - share) / len(effects))
        widths = [
            one.estimate.high - one.estimate.low
            for one in effects
            if one.estimate.low is not None
        ]
        if name == "judges":
            known = estimate = "–"
        else:
            inside += sum(one.inside for one in effects)
            total += len(effects)
            known = f"{np.mean([one.known for one in effects]):.4f}"
            estimate = f"{np.mean([one.estimate.value for one in effects]):.4f}"
        rows.append(
            f"| {question} | {name} | {known} | {estimate} | {np.mean(widths):.4f} | "
            f"{100 * share:.1f} ± {100 * error:.1f} % |"
        )
    rows.append("")
    rows.append(
        f"All effects but those of single judges: {inside:,} of {total:,} inside, "
        f"{100 * inside / total:.1f} %."
    )
    text = "\n".join(rows) + "\n"
    sys.stdout.write(text)
    sys.stderr.write(f"{time.time() - start:.0f} s\n")
    if options.write:
        head = HEAD.format(
            runs=options.runs,
            judges=options.judges,
            items=len(items),
            each=len(questionnaires[0]),
        )
        (ROOT / "bench" / "SURVEY.md").write_text(head + text, encoding="utf-8")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014, sections 3.1 and 3.2.3: systems ranked by judgements of segments.

Judges of segments are simulated (see `segranks_world`), those of sentences are the
people of WMT12.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import tertium
from tertium.judgements import Judgements, merge, write_store
from tertium.judgements.parts.against_sentences import Levels, compare_levels
from tertium.judgements.ranking import SystemRanking, rank_systems
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.segranks.world import NAMES, people, world
from tertium.stats import pearson, spearman

__all__ = ["enhanced_reference", "levels", "overall_ranking", "preparation"]

SEGMENTS, SENTENCES = "segments", "sentences"


def preparation(exhibit: Exhibit, data: Data) -> Outcome:
    """Section 2.1: how many segments and candidates there are."""
    printed = exhibit.published["thesis"]
    parts, systems = world(data).parts, len(NAMES)
    sentences = len(world(data).testset)
    candidates = sum(len(part.texts) for part in parts)
    ours = {
        "segments per sentence": len(parts) / sentences,
        "candidates per segment": candidates / len(parts),
        "share left (%)": 100 * candidates / (systems * len(parts)),
    }
    again = {
        "segments per sentence": printed["segments"] / printed["sentences"],
        "candidates per segment": printed["candidates"] / printed["segments"],
        "share left (%)": 100 * printed["candidates"] / (10 * printed["segments"]),
    }
    cells = [Cell("thesis", c, v, against=c, part="from the printed counts")
             for c, v in again.items()]  # fmt: skip
    cells += [Cell("WMT12", c, v, part="newstest2012") for c, v in ours.items()]
    share = ours["share left (%)"]
    return Outcome(
        tuple(cells),
        (
            Claim("merging equal candidates leaves less than three quarters to judge",
                  share < 75, f"{share:.1f} %"),
        ),
    )  # fmt: skip


def overall_ranking(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 3.1: ratio of wins by judgements of segments and of sentences."""
    tables = {
        SEGMENTS: _wins(world(data).judgements),
        SENTENCES: _wins(people(data)),
    }
    cells = []
    for column, table in tables.items():
        for each in table.systems:
            low, high = each.interval or (None, None)
            if each.score is not None:
                cells.append(
                    Cell(each.system, column, each.score, low, high, column, "WMT12")
                )
    scores = {column: table.scores() for column, table in tables.items()}
    ours = {c: [scores[c][name] or 0.0 for name in NAMES.values()] for c in tables}
    stated = exhibit.published["r with official scores"][SEGMENTS]
    both = [row for row in exhibit.published.values() if SENTENCES in row]
    printed = {column: [row[column] for row in both] for column in tables}
    r = pearson(ours[SEGMENTS], ours[SENTENCES]) or 0.0
    before = pearson(printed[SEGMENTS], printed[SENTENCES]) or 0.0
    spans = {c: max(values) - min(values) for c, values in ours.items()}
    return Outcome(
        tuple(cells),
        (
            Claim("scores by segments and by sentences correlate at .9 or more",
                  r >= 0.9, f"r {r:.3f}"),
            Claim("scores by segments have the narrower range",
                  spans[SEGMENTS] < spans[SENTENCES],
                  f"{spans[SEGMENTS]:.3f} against {spans[SENTENCES]:.3f}"),
            Claim("the printed columns correlate as the text states, within .005",
                  abs(before - stated) <= 0.005,
                  f"r {before:.3f}; the text has {stated}, with TrueSkill scores",
                  decisive=False),
        ),
    )  # fmt: skip


def levels(_: Exhibit, data: Data) -> Outcome:
    """Table 3.2: tau between judgements of segments and of sentences."""
    result = compare_levels(merge([world(data).judgements, people(data)]))
    cells = []
    columns = ("better", "worse", "all")
    values: dict[str, dict[str, float]] = {name: {} for name in columns}
    for each in result.systems:
        for column in columns:
            tau = getattr(each, column).tau
            if tau is not None:
                cells.append(Cell(each.system, column, tau, against=column))
                values[column][each.system] = tau
    quality = _wins(people(data)).scores()
    names = list(NAMES.values())
    human = [quality[name] or 0.0 for name in names]
    rho = {
        column: spearman(human, [values[column][name] for name in names]) or 0.0
        for column in ("better", "worse")
    }
    spread = {
        column: max(values[column].values()) - min(values[column].values())
        for column in columns
    }
    return Outcome(
        tuple(cells),
        (
            Claim("where a system won, segments agree the more the better it is",
                  rho["better"] > 0.5, f"Spearman's ρ {rho['better']:.3f}"),
            Claim("where a system lost, segments agree the more the worse it is",
                  rho["worse"] < -0.5, f"Spearman's ρ {rho['worse']:.3f}"),
            Claim("over all comparisons, systems differ less", spread["all"]
                  < min(spread["better"], spread["worse"]),
                  ", ".join(f"{c}: range {s:.3f}" for c, s in spread.items())),
            Claim("segments and sentences agree more often than not for every system",
                  min(values["all"].values()) > 0,
                  f"least τ {min(values['all'].values()):.3f}, all {_all(result):.3f}"),
        ),
    )  # fmt: skip


def _all(result: Levels) -> float:
    return result.all.tau or 0.0


def enhanced_reference(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 3.7: BLEU with good segments as further references."""
    judged = world(data)
    references = [refs[0] for refs in judged.testset.references]
    with tempfile.TemporaryDirectory() as folder:
        store, testset = Path(folder, "store"), Path(folder, "testset.jsonl")
        write_store(judged.judgements, str(store))
        ids = judged.testset.ids or ()
        lines = (
            json.dumps({"id": i, "ref": ref, "tgt": {}})
            for i, ref in zip(ids, references, strict=True)
        )
        testset.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
        specs = {
            "SEGRANKSBLEU": f"segranksbleu:judgements={store},testset={testset}",
            "BLEU": "bleu",
        }
        scores = {
            column: {
                system: metric.corpus_score(texts, references) / 100
                for system, texts in judged.testset.systems.items()
            }
            for column, metric in ((c, tertium.metric(s)) for c, s in specs.items())
        }
    cells = [
        Cell(system, column, scores[column][system], against=column)
        for column in scores
        for system in NAMES.values()
    ]
    quality = _wins(people(data)).scores()
    human = [quality[name] or 0.0 for name in NAMES.values()]
    r = {
        column: pearson(human, [row[name] for name in NAMES.values()]) or 0.0
        for column, row in scores.items()
    }
    cells += [
        Cell("r with sentences", column, r[column], against=column) for column in r
    ]
    above = sum(scores["SEGRANKSBLEU"][n] > scores["BLEU"][n] for n in NAMES.values())
    known = [name for name in NAMES.values() if name in exhibit.published]
    same = {
        column: spearman(
            [exhibit.published[name][column] for name in known],
            [row[name] for name in known],
        )
        or 0.0
        for column, row in scores.items()
    }
    return Outcome(
        tuple(cells),
        (
            Claim("SEGRANKSBLEU is higher than BLEU for every system",
                  above == len(NAMES), f"{above} of {len(NAMES)} systems"),
            Claim("good segments do not raise the correlation with people by .01",
                  r["SEGRANKSBLEU"] - r["BLEU"] < 0.01,
                  f"r {r['SEGRANKSBLEU']:.4f} against {r['BLEU']:.4f}"),
            Claim("systems of the same teams are ordered as published (ρ at least .8)",
                  min(same.values()) >= 0.8,
                  ", ".join(f"{c} ρ {rho:.3f}" for c, rho in same.items()),
                  decisive=False),
        ),
    )  # fmt: skip


def _wins(judgements: Judgements) -> SystemRanking:
    return rank_systems(judgements, method="wins", resamples=1000)

# SPDX-License-Identifier: Apache-2.0
"""Write the judgements of the demo set: simulated judges, a fixed seed.

    python tools/make_demo_judgements.py

Every output has a quality, every judge an own strictness and own noise; one judge
clicks at random, and fast. Some segments are judged twice by the same judge, some
by several, so that agreement can be measured. `random.Random` alone decides, so
the files come out the same everywhere.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

DEMO = Path(__file__).resolve().parents[1] / "src" / "tertium" / "demo"
SEED = 12345
QUALITY = {"good": (0.84, 0.07), "order": (0.62, 0.14), "words": (0.46, 0.16)}
#: Judge: noise, strictness, spread on a scale, seconds per item, share of segments.
JUDGES = {
    "judge1": (0.05, 0.00, 70, 31, 0.60),
    "judge2": (0.08, -0.10, 55, 44, 0.50),
    "judge3": (0.07, 0.06, 80, 27, 0.55),
    "judge4": (0.12, 0.02, 60, 36, 0.45),
    "judge5": (0.10, -0.05, 45, 58, 0.40),
    "judge6": (None, 0.00, 90, 4, 0.40),  # careless
}
START = datetime(2024, 3, 4, 9)


def main() -> None:
    lines = (DEMO / "demo.jsonl").read_text(encoding="utf-8").splitlines()
    segments = [json.loads(line) for line in lines]
    random = Random(SEED)
    quality = {}
    for segment in segments:
        by_text: dict[str, float] = {}  # equal outputs are equally good
        for system, text in segment["tgt"].items():
            mean, spread = QUALITY["words" if system == "copy" else system]
            # An exact copy of the reference is good, whoever wrote it.
            mean = 0.9 if text in segment["ref"] else mean
            by_text.setdefault(text, min(1.0, max(0.0, random.gauss(mean, spread))))
            quality[segment["id"], system] = by_text[text]
    write_rankings(segments, quality, random)
    write_ratings(segments, quality, random)


def tasks(segments: list[dict], share: float, random: Random) -> list[dict]:
    """Return a judge's segments in their order, some of them for a second time."""
    chosen = sorted(
        random.sample(range(len(segments)), round(share * len(segments))),
    )
    again = sorted(random.sample(chosen, len(chosen) // 6))
    return [segments[i] for i in chosen + again]


def write_rankings(segments: list[dict], quality: dict, random: Random) -> None:
    """Write who put which outputs before which."""
    head = "hit seg document judge time duration langpair campaign system(s)=rank ..."
    rows = [head.replace(" ", "\t", 8)]
    for number, (judge, facts) in enumerate(JUDGES.items(), start=1):
        noise, _, _, pace, share = facts
        now = START + timedelta(days=number)
        for place, segment in enumerate(tasks(segments, share, random)):
            shared: dict[str, list[str]] = {}
            for system, text in segment["tgt"].items():
                shared.setdefault(text, []).append(system)
            seen = []
            for systems in shared.values():
                value = quality[segment["id"], systems[0]]
                felt = random.random() if noise is None else random.gauss(value, noise)
                seen.append((felt, systems))
            # What differs by less than a tenth is called equal, from the top down.
            seen.sort(key=lambda entry: -entry[0])
            ranks, top, rank = [], seen[0][0], 1
            for felt, systems in seen:
                if top - felt > 0.1:
                    top, rank = felt, rank + 1
                ranks.append(f"{','.join(systems)}={rank}")
            random.shuffle(ranks)
            seconds = round(random.lognormvariate(0, 0.45) * pace, 1)
            now += timedelta(seconds=seconds + random.randint(2, 20))
            hit = f"{number}{place // 3:02}"
            stamp, shown = now.isoformat(timespec="seconds"), clock(seconds)
            fields = [
                segment["id"],
                segment["doc"],
                judge,
                stamp,
                shown,
                "en-de",
                "demo",
            ]
            rows.append("\t".join([hit, *fields, *ranks]))
    (DEMO / "rankings.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def clock(seconds: float) -> str:
    """Return a duration as hours, minutes and seconds."""
    minutes, rest = divmod(seconds, 60)
    return f"00:{int(minutes):02}:{rest:04.1f}"


def write_ratings(segments: list[dict], quality: dict, random: Random) -> None:
    """Write direct assessments, 0 to 100, of every system."""
    rows: list[dict] = [{"tertium": "judgements", "version": 1}]
    for number, (judge, facts) in enumerate(JUDGES.items(), start=1):
        noise, strictness, spread, pace, share = facts
        now = START + timedelta(days=20 + number)
        for segment in tasks(segments, share / 2, random):
            for system in random.sample(list(segment["tgt"]), len(segment["tgt"])):
                value = quality[segment["id"], system] + strictness
                felt = (
                    random.gauss(0.7, 0.15)
                    if noise is None
                    else random.gauss(value, noise)
                )
                score = min(100, max(0, round(60 + spread * 1.4 * (felt - 0.62))))
                seconds = round(random.lognormvariate(0, 0.45) * pace / 3, 1)
                now += timedelta(seconds=seconds + random.randint(1, 5))
                rows.append(
                    {
                        "kind": "rating",
                        "system": system,
                        "score": score,
                        "scale": "DA",
                        "segment": segment["id"],
                        "judge": judge,
                        "document": segment["doc"],
                        "langpair": "en-de",
                        "campaign": "demo",
                        "time": now.isoformat(timespec="seconds"),
                        "duration": seconds,
                    }
                )
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (DEMO / "ratings.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

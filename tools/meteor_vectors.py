# SPDX-License-Identifier: Apache-2.0
"""Write the vectors of meteor: values that Meteor 1.5 prints.

Meteor needs Java; TERTIUM_METEOR names its archive, which the package pycocoevalcap
contains. Its lists of function words are not used: all words are content words, as with
Tertium's defaults.

    TERTIUM_METEOR=meteor-1.5.jar python -m tools.meteor_vectors \
        > src/tertium/metrics/vectors/meteor.jsonl
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from make_vectors import SETS

#: An output and a reference by language.
_TEXTS = {
    "en": (
        "The old dogs were running quickly over the bridge.",
        "Old dogs ran quickly across the long bridge.",
    ),
    "de": (
        "Der alte Hund lief gestern schnell über die Brücke.",
        "Gestern lief der alte Hund rasch über die lange Brücke.",
    ),
    "fr": (
        "Le vieux chien n'a pas traversé le pont hier.",
        "Hier, le vieux chien n'a pas franchi les ponts.",
    ),
    "es": (
        "El perro viejo cruzó ayer el puente largo.",
        "Ayer el viejo perro cruzaba el puente.",
    ),
    "cs": (
        "Starý pes včera rychle přeběhl most.",
        "Včera starý pes přeběhl ten dlouhý most.",
    ),
    "ru": (
        "Старая собака вчера быстро перебежала мост.",
        "Вчера собака перебежала через длинный мост.",
    ),
}
_TASKS = {"en": ("rank", "adq", "hter", "li", "tune")}
_OTHERS = ("rank", "li", "tune")
_NEWS: Sequence[Mapping[str, str]] = (
    {},
    {"match": "exact"},
    {"task": "adq"},
    {"task": "li", "match": "exact"},
)
_SEGMENT = re.compile(r"^Segment \d+ score:\t(\S+)$", re.MULTILINE)
_FINAL = re.compile(r"^Final score:\s+(\S+)$", re.MULTILINE)


def vectors() -> Iterator[dict[str, object]]:
    """Yield the vectors, as JSON has them."""
    for language, texts in _TEXTS.items():
        match = {"match": "exact"} if language == "cs" else {}
        for task in _TASKS.get(language, _OTHERS):
            settings = {"language": language, "task": task, **match}
            yield _vector("own-texts", settings, [texts], level="corpus")
    for settings in _NEWS:
        for name in ("news", "one-reference"):
            for level in ("corpus", "segment"):
                yield _vector(name, settings, SETS[name], level=level)


def _vector(
    name: str,
    settings: Mapping[str, str],
    segments: Sequence[Sequence[str]],
    *,
    level: str,
) -> dict[str, object]:
    hyps = [segment[0] for segment in segments]
    refs = [list(segment[1:]) for segment in segments]
    options = [
        *("-l", settings.get("language", "en"), "-norm"),
        *("-m", settings.get("match", "exact+stem").replace("+", " ")),
        *("-t", settings.get("task", "rank"), "-r", str(len(refs[0]))),
    ]
    printed = _run(hyps, refs, options)
    words = ",".join(f"{key}={value}" for key, value in settings.items())
    spec = f"meteor:{words}" if words else "meteor"
    match = (_FINAL if level == "corpus" else _SEGMENT).search(printed)
    if match is None:
        message = f"Meteor printed no score: {printed}"
        raise SystemExit(message)
    shown = " ".join(f"'{word}'" if " " in word else word for word in options)
    return {
        "id": f"meteor/{spec}/{level}/{name}",
        "metric": "meteor",
        "settings": dict(settings),
        "level": level,
        "hyps": hyps,
        "refs": refs,
        "value": float(match[1]),
        "tolerance": 1e-9,
        "tool": "meteor",
        "version": "1.5",
        "command": f"java -jar meteor-1.5.jar HYPS REFS {shown} -s EMPTY",
    }


def _run(hyps: list[str], refs: list[list[str]], options: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "hyps": hyps,
            "refs": [ref for segment in refs for ref in segment],
            "empty": [],
        }
        for name, lines in files.items():
            Path(folder, name).write_text("".join(f"{line}\n" for line in lines))
        command = ["java", "-Xmx1G", "-Dfile.encoding=UTF-8", "-jar"]
        jar = os.path.abspath(os.environ["TERTIUM_METEOR"])
        done = subprocess.run(
            [*command, jar, "hyps", "refs", *options, "-s", "empty"],
            capture_output=True,
            encoding="utf-8",
            check=True,
            cwd=folder,
        )
    return done.stdout


if __name__ == "__main__":
    for vector in vectors():
        print(json.dumps(vector, ensure_ascii=False))

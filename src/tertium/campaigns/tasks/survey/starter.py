# SPDX-License-Identifier: Apache-2.0
"""Files to start a survey from: a small one, with all four kinds of permutations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from tertium.campaigns.starting import Starter

__all__ = ["SAMPLE", "starter"]

#: Translation and reference of the worked sample.
SAMPLE = (
    "The door has the wind slammed, before she the key could find.",
    "The wind slammed the door before she could find the key.",
)

_INSTRUCTIONS = """\
Every item is one sentence that was translated.

1. Read only the translation first.
2. Show the reference. It says what the translation should mean.
3. Answer both questions. The first is about everything, the second only about the order
   of the words.

There are no right or wrong answers, and there is no time limit. If you cannot decide,
leave a question without an answer.
"""

_INFORMATION = """\
We want to find out how word order changes what people understand. You will read short
translations and answer two questions about each.

**What happens.** First we ask for your consent. Then we ask a few questions about
yourself; you may skip any of them. After an example you judge the sentences. *Write
here how long it takes.*

**What we keep.** We keep your answers under a random code. We do not ask for your name
or address. Your consent is stored separately from your answers.

**You can stop at any time.** Your personal link brings you back to where you were. With
your withdrawal code you can have everything deleted, without giving a reason.

**Risks.** We know of no risks beyond those of reading on a screen.

**Questions?** *Write here whom to ask, who is responsible, and who approved the study.*
"""

_CONSENT = """\
# Everybody answers every statement with yes or no. Nobody takes part without a yes
# where needed = true. "archive" is asked separately, and people are free to say no.

[[statement]]
id = "read"
text = "I have read the information sheet and understand it."
needed = true

[[statement]]
id = "ask"
text = "I could ask questions before I decided."
needed = true

[[statement]]
id = "answered"
text = "My questions, if I had any, were answered well enough."
needed = true

[[statement]]
id = "withdraw"
text = "I know that I may stop at any time, and have my answers deleted."
needed = true

[[statement]]
id = "coded"
text = "I know that my answers are kept under a code, without my name."
needed = true

[[statement]]
id = "risks"
text = "The risks, if any, were explained to me."
needed = true

[[statement]]
id = "archive"
text = "My anonymous answers may be archived, so that other researchers can use them."

[[statement]]
id = "take_part"
text = "I agree to take part."
needed = true
"""

_DEBRIEF = """\
You have reached the end. Some of the translations were made by computers. In others we
moved or replaced words of a good translation on purpose, to see how much of that
readers can cope with.

Your answers help to build measures that notice when words are in the wrong place.
"""


def starter() -> Starter:
    """Return the example: a small survey."""
    rows = _sentences()
    return Starter(
        "word-order",
        "How well are these translations understood?",
        _INSTRUCTIONS,
        source="de",
        target="en",
        items="sentences.jsonl",
        reads="test sets: several with commas, or *.jsonl",
        plan=False,
        texts={
            "information.md": _INFORMATION,
            "consent.toml": _CONSENT,
            "debrief.md": _DEBRIEF,
        },
        examples={
            "sentences.jsonl": "".join(_testset(rows)),
            "reference.conllu": "".join(_trees(row[1] for row in rows)),
            "north.conllu": "".join(_trees(row[2] for row in rows)),
            "south.conllu": "".join(_trees(row[3] for row in rows)),
        },
        example_options={
            "questionnaires": 4,
            "items": 10,
            "shared": 4,
            "trees": "reference.conllu",
            "system_trees": "{system}.conllu",
        },
    )


def _sentences() -> list[list[str]]:
    """Return sources, references and what two systems made of them.

    Words have their part of speech and the number of their head behind them.
    """
    place = Path(__file__).with_name("starter_sentences.txt")
    blocks = place.read_text(encoding="utf-8").strip().split("\n\n")
    return [block.splitlines() for block in blocks]


def _words(line: str) -> list[list[str]]:
    return [word.split("/") for word in line.split()]


def _text(line: str) -> str:
    text = " ".join(word for word, _tag, _head in _words(line))
    return text.replace(" .", ".").replace(" ,", ",")


def _testset(rows: Iterable[list[str]]) -> Iterator[str]:
    for number, (source, reference, north, south) in enumerate(rows, 1):
        segment = {
            "id": f"s{number}",
            "src": source,
            "ref": [_text(reference)],
            "tgt": {"north": _text(north), "south": _text(south)},
        }
        yield json.dumps(segment, ensure_ascii=False) + "\n"


def _trees(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        words = _words(line)
        for number, (word, tag, head) in enumerate(words, 1):
            behind = words[number][0] if number < len(words) else ""
            label = "root" if head == "0" else "punct" if tag == "PUNCT" else "dep"
            glued = "SpaceAfter=No" if behind in (".", ",") else "_"
            cells = [str(number), word, "_", tag, "_", "_", head, label, "_", glued]
            yield "\t".join(cells) + "\n"
        yield "\n"

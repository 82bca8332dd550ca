# SPDX-License-Identifier: Apache-2.0
"""Small test sets for reports on systems, and texts that pages must survive."""

from __future__ import annotations

from dataclasses import replace

from tertium.analysis.report import SystemReport, report
from tertium.data import Testset
from tertium.data.annotated import Annotated
from tertium.trees import DependencyTree

_SOURCES = [
    "Der Bäcker öffnet um sechs Uhr.",
    "Wo ist der Bahnhof?",
    "Die Kinder spielten im Garten.",
    "Anna kaufte 12 Äpfel und 3 Birnen.",
    "Das Wasser kocht bei 100 Grad.",
    "Der alte Mann las die Zeitung.",
    "Im Winter schneit es oft.",
    "Sie hat den Brief nicht geschrieben.",
    "Peter fährt morgen nach Wien.",
    "Das Museum ist montags geschlossen!",
    "Wir haben zwei Katzen und einen Hund.",
    "Der Zug kam 20 Minuten zu spät.",
    "Niemand kannte die Antwort.",
    "Die Suppe schmeckt heute besser.",
]
_REFERENCES = [
    "The baker opens at six o'clock.",
    "Where is the station?",
    "The children were playing in the garden.",
    "Anna bought 12 apples and 3 pears.",
    "Water boils at 100 degrees.",
    "The old man was reading the newspaper.",
    "It often snows in winter.",
    "She did not write the letter.",
    "Peter is going to Vienna tomorrow.",
    "The museum is closed on Mondays!",
    "We have two cats and a dog.",
    "The train was 20 minutes late.",
    "Nobody knew the answer.",
    "The soup tastes better today.",
]
_OUTPUTS = {
    "Alder": [
        "The baker opens at six o'clock.",
        "Where is the train station?",
        "The children played in the garden.",
        "Anna bought 12 apples and 3 pears.",
        "The water boils at 100 degrees.",
        "The old man read the newspaper.",
        "In winter it often snows.",
        "She did not write the letter.",
        "Peter is going to Vienna tomorrow.",
        "The museum is closed on Mondays!",
        "We have two cats and one dog.",
        "The train arrived 20 minutes late.",
        "Nobody knew the answer.",
        "The soup tastes better today.",
    ],
    "Birch": [
        "The baker open at six clock.",
        "Where the station is?",
        "The children games in garden.",
        "Anna bought 13 apple and pears.",
        "The water cooks by 100 degree.",
        "The man old read newspaper the.",
        "In winter snow it often often.",
        "She has the letter not written.",
        "Peter drives tomorrow to Wien.",
        "The museum is Mondays closed!",
        "We have two cat and a dog.",
        "The train came 20 minutes too late.",
        "No one knows answer.",
        "",
    ],
    "Cedar": [
        "The bakery opens at six.",
        "Where is the station?",
        "The children were playing in a garden.",
        "Anna bought 12 apples and 3 pears.",
        "Water boils at 100 degrees.",
        "The old man was reading the paper.",
        "It snows often in winter.",
        "She has not written the letter.",
        "Peter is travelling to Vienna tomorrow.",
        "The museum is shut on Mondays!",
        "We have two cats and a dog.",
        "The train was 20 minutes late.",
        "No one knew the answer.",
        "Today the soup tastes better.",
    ],
}

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
#: Outputs that neither break a page nor run in it.
TEXTS = [
    HOSTILE,
    "<b>bold</b> & \"quoted\" 'text' &lt;tag&gt; {{ 7 * 7 }} ${x} `y`",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd 42 abc",
    "\u202eevil\u202c \u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627",
    "👩\u200d👩\u200d👧 family 🇫🇮 flag 👍🏽 ok",
    "e\u0301te\u0301 na\u0131\u0308ve \u1e9e \u0130stanbul",
    "東京は3月に雪が降る。",
    "a\tb\u00a0c\u2028d\u2029e \x0b \x00 \x1b[31m",
    "\ufeffnothing \ufffe lone",
    "]]> <!-- --> <![CDATA[ \\u003c \\n %s",
    "",
    "   ",
]


def texts() -> Testset:
    """Return 14 segments of three systems, with sources and three documents."""
    return Testset(
        systems={name: list(lines) for name, lines in _OUTPUTS.items()},
        references=[(line,) for line in _REFERENCES],
        sources=list(_SOURCES),
        docs=["morning"] * 5 + ["travel"] * 5 + ["evening"] * 4,
        langpair="de-en",
    )


def larger_texts() -> Testset:
    """Return groups with enough segments to be tested."""
    many, size = replace(texts(), docs=None), 3
    return replace(
        many,
        references=list(many.references) * size,
        sources=[*many.sources] * size,
        systems={name: [*lines] * size for name, lines in many.systems.items()},
    )


#: Words with heads and relations: of a reference and of three outputs of one segment.
#: The first tree divides a word, and the last has words that its text contracts.
_TREES = {
    "She did not write the letter.": (
        "She did not write the letter .", (4, 4, 4, 0, 6, 4, 4),
        "nsubj aux advmod root det obj punct",
    ),
    "She didn't write him the letter.": (
        "She did n't write him the letter .", (4, 4, 4, 0, 4, 7, 4, 4),
        "nsubj aux advmod root iobj det obj punct",
    ),
    "The letter did not write she.": (
        "The letter did not write she .", (2, 5, 5, 5, 0, 5, 5),
        "det nsubj aux advmod root obj punct",
    ),
    "She cannot write it.": (
        "She can not-at-all write it .", (4, 4, 4, 0, 4, 4),
        "nsubj aux advmod root obj punct",
    ),
}  # fmt: skip


def trees() -> Testset:
    """Return three segments: the first two have trees, in one the output alone."""
    first, *others = (
        Annotated(text, {"tree": DependencyTree(words.split(), heads, names.split())})
        for text, (words, heads, names) in _TREES.items()
    )
    return Testset(
        systems={
            name: [one, one, "No tree."]
            for name, one in zip(("Alder", "Birch", "Cedar"), others, strict=True)
        },
        references=[(first,), (str(first),), (str(first),)],
        langpair="de-en",
    )


def tree_report() -> SystemReport:
    """Return the report on texts with trees."""
    return report(trees(), metrics=["chrf"], resamples=50)


def small_report() -> SystemReport:
    """Return the report on these texts."""
    return report(texts(), metrics=["chrf", "ter"], resamples=200)


def hostile_report() -> SystemReport:
    """Return a report on texts that attack the page, one of them 10,000 words long."""
    size = len(TEXTS)
    long = " ".join(f"w{number % 97}" for number in range(10_000))
    turned = [TEXTS[(number + 1) % size] for number in range(size)]
    testset = Testset(
        systems={HOSTILE: [*TEXTS, long], "B": [*turned, f"{long} more"]},
        references=[(text, HOSTILE) for text in TEXTS] + [(f"start {long}", "short")],
        sources=[*reversed(TEXTS), f"{HOSTILE} \ud83d"],
        docs=[HOSTILE] * size + ["long"],
    )
    tags = {f"tag {HOSTILE}": [HOSTILE, "other"] * (size // 2) + ["other"]}
    return report(testset, metrics=["chrf", "bleu"], resamples=50, tags=tags)

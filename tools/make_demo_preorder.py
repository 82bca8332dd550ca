# SPDX-License-Identifier: Apache-2.0
"""Write the corpus of ``tertium preorder demo``: English beside a head-final gloss.

    python tools/make_demo_preorder.py

Sentences come from a few templates and a small vocabulary. The gloss has the English
words in the order of a head-final language such as Japanese or Turkish, with particles
in capitals; the links follow from the template. Articles and particles have no links,
and `random.Random` alone decides, so the files come out the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parents[1] / "src" / "tertium" / "demo" / "preorder"
SEED = 12345
TRAIN, TEST = 600, 100

NAMES = ["Anna", "Boris", "Carla", "David", "Emma", "Felix", "Grace", "Henry"]
PEOPLE = ["teacher", "doctor", "neighbour", "farmer", "student", "child", "driver"]
PLACES = {
    "in": ["garden", "kitchen", "library", "village", "office", "park"],
    "at": ["station", "market", "airport", "school"],
    "near": ["river", "bridge", "church", "lake"],
    "behind": ["house", "barn", "theatre"],
}
#: Base form, past, what it is done to.
VERBS = [
    ("write", "wrote", ["letter", "report", "poem", "story"]),
    ("read", "read", ["book", "letter", "newspaper", "poem"]),
    ("buy", "bought", ["car", "book", "lamp", "hat", "house"]),
    ("repair", "repaired", ["roof", "clock", "car", "fence", "lamp"]),
    ("paint", "painted", ["fence", "wall", "house", "boat"]),
    ("find", "found", ["key", "coin", "hat", "letter"]),
    ("open", "opened", ["door", "window", "box", "letter"]),
    ("carry", "carried", ["box", "bag", "lamp", "chair"]),
    ("sell", "sold", ["boat", "house", "chair", "clock"]),
    ("clean", "cleaned", ["window", "car", "chair", "boat"]),
]
SPEECH = ["said", "knew", "believed", "remembered"]
#: Of people, of places and of things.
KIND, QUIET, HEAVY = (
    ["old", "young", "tall", "friendly"],
    ["old", "new", "small", "quiet"],
    ["old", "new", "small", "large", "red", "green", "heavy", "beautiful"],
)
AUXILIARIES = ["will", "can", "must", "should"]
CONJUNCTIONS = ["when", "because", "before", "after", "while"]


@dataclass(frozen=True)
class Phrase:
    """English words, and the gloss as words with the English word they translate."""

    words: list[str]
    gloss: list[tuple[str, int | None]]

    @classmethod
    def word(cls, word: str, *, linked: bool = True) -> Phrase:
        """Return one word; an article has no gloss."""
        return cls([word], [(word, 0)] if linked else [])


def combine(parts: list[Phrase], order: list[int | str]) -> Phrase:
    """Join phrases; the gloss has them in another order, with particles."""
    starts = [sum(len(part.words) for part in parts[:i]) for i in range(len(parts))]
    gloss: list[tuple[str, int | None]] = []
    for item in order:
        if isinstance(item, str):
            gloss.append((item, None))
            continue
        for word, source in parts[item].gloss:
            gloss.append((word, None if source is None else source + starts[item]))
    return Phrase([word for part in parts for word in part.words], gloss)


class Writer:
    """Writes sentences at random."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def chance(self, share: float) -> bool:
        """Return True in this share of cases."""
        return self.random.random() < share

    def noun_phrase(
        self, nouns: list[str], adjectives: list[str], *, relative: bool = False
    ) -> Phrase:
        """Return such as ``the old letter``, perhaps with a relative clause."""
        words = [self.random.choice(nouns)]
        if self.chance(0.35):
            words.insert(0, self.random.choice(adjectives))
        article = self.random.choice(["the", "the", "a"])
        if article == "a" and words[0][0] in "aeiou":
            article = "an"
        parts = [Phrase.word(article, linked=False), *map(Phrase.word, words)]
        phrase = combine(parts, list(range(len(parts))))
        if not relative:
            return phrase
        clause = self.predicate(past=True, adjuncts=False)
        who = Phrase.word("who", linked=False)
        return combine([phrase, who, clause], [2, 0])

    def person(self, *, relative: float = 0.12) -> Phrase:
        """Return a name, or a person described."""
        if self.chance(0.5):
            return Phrase.word(self.random.choice(NAMES))
        return self.noun_phrase(PEOPLE, KIND, relative=self.chance(relative))

    def place(self) -> Phrase:
        """Return such as ``near the river``; the gloss has a postposition."""
        preposition = self.random.choice(list(PLACES))
        noun = self.noun_phrase(PLACES[preposition], QUIET)
        return combine([Phrase.word(preposition), noun], [1, 0])

    def predicate(self, *, past: bool, adjuncts: bool = True) -> Phrase:
        """Return a verb with its object, and perhaps a place."""
        base, form, objects = self.random.choice(VERBS)
        parts = [Phrase.word(form if past else base), self.noun_phrase(objects, HEAVY)]
        order: list[int | str] = [1, "OBJECT", 0]
        if adjuncts and self.chance(0.5):
            parts.append(self.place())
            order = [2, *order]
        return combine(parts, order)

    def clause(self, kind: str = "") -> Phrase:
        """Return a subject with its predicate: past, with an auxiliary, or negated."""
        subject = self.person()
        kind = kind or self.random.choice(["past", "past", "future", "negative"])
        if kind == "past":
            return combine([subject, self.predicate(past=True)], [0, "TOPIC", 1])
        verb = self.predicate(past=False)
        if kind == "future":
            auxiliary = Phrase.word(self.random.choice(AUXILIARIES))
            return combine([subject, auxiliary, verb], [0, "TOPIC", 2, 1])
        did, negation = Phrase.word("did", linked=False), Phrase.word("not")
        return combine([subject, did, negation, verb], [0, "TOPIC", 3, 2])

    def sentence(self) -> Phrase:
        """Return a sentence of one or two clauses."""
        stop = Phrase.word(".")
        kind = self.random.random()
        if kind < 0.55:
            return combine([self.clause(), stop], [0, 1])
        if kind < 0.7:
            tense = self.random.choice(["past", "future", "negative"])
            time = Phrase.word("tomorrow" if tense == "future" else "yesterday")
            return combine([self.clause(tense), time, stop], [1, 0, 2])
        if kind < 0.85:
            verb = Phrase.word(self.random.choice(SPEECH))
            parts = [self.person(relative=0), verb, Phrase.word("that"), self.clause()]
            return combine([*parts, stop], [0, "TOPIC", 3, 2, 1, 4])
        conjunction = Phrase.word(self.random.choice(CONJUNCTIONS))
        parts = [self.clause("past"), conjunction, self.clause("past"), stop]
        return combine(parts, [2, 1, 0, 3])


def line(sentence: Phrase) -> str:
    """Return English, gloss and links, separated by tabs."""
    links = sorted(
        (source, target)
        for target, (_, source) in enumerate(sentence.gloss)
        if source is not None
    )
    gloss = " ".join(word for word, _ in sentence.gloss)
    shown = " ".join(f"{source}-{target}" for source, target in links)
    return f"{' '.join(sentence.words)}\t{gloss}\t{shown}\n"


def main(folder: Path = FOLDER) -> None:
    """Write the two files; no sentence occurs twice."""
    writer = Writer(SEED)
    lines: dict[str, str] = {}
    while len(lines) < TRAIN + TEST:
        sentence = writer.sentence()
        lines.setdefault(" ".join(sentence.words), line(sentence))
    rows = list(lines.values())
    folder.mkdir(exist_ok=True)
    for name, part in (("train.tsv", rows[:TRAIN]), ("test.tsv", rows[TRAIN:])):
        (folder / name).write_text("".join(part), encoding="utf-8")


if __name__ == "__main__":
    main()

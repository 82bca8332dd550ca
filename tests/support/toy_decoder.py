# SPDX-License-Identifier: Apache-2.0
"""A small phrase-based decoder of German: ``toy_decoder.py WEIGHTS NBEST``.

It knows a phrase table and a bigram list, translates from left to right, and may swap
two neighbouring phrases. A beam keeps what scores best under the weights, so other
weights give other lists, as with a real decoder.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path

SOURCE = (
    "das kleine haus steht am fluss",
    "der alte mann sieht den hund",
    "heute kommt die frau spaet nach hause",
    "der hund schlaeft unter dem tisch",
    "wir haben das buch noch nicht gelesen",
    "die kinder spielen jeden tag im garten",
)
REFERENCES = (
    "the small house stands by the river",
    "the old man sees the dog",
    "today the woman comes home late",
    "the dog is sleeping under the table",
    "we have not read the book yet",
    "the children play in the garden every day",
)
#: Translations of a phrase, and the logarithms of their probabilities.
PHRASES = {
    "das": {"the": -0.7, "that": -0.9},
    "kleine": {"small": -0.9, "little": -0.6},
    "haus": {"house": -0.3, "home": -1.4},
    "steht": {"stands": -1.0, "is": -0.7},
    "am fluss": {"by the river": -0.9, "at the river": -0.6, "at river": -1.5},
    "der": {"the": -0.4, "of the": -1.3, "who": -2.0},
    "alte": {"old": -0.2, "ancient": -1.9},
    "mann": {"man": -0.2, "husband": -1.8},
    "sieht": {"sees": -0.6, "looks at": -1.1},
    "den": {"the": -0.5, "": -1.2},
    "hund": {"dog": -0.1, "hound": -2.6},
    "heute": {"today": -0.2},
    "kommt": {"comes": -0.4, "is coming": -1.3},
    "die": {"the": -0.5, "who": -1.5, "": -1.6},
    "frau": {"woman": -0.6, "wife": -0.8, "mrs": -2.0},
    "spaet": {"late": -0.3},
    "nach hause": {"home": -0.4, "to house": -1.6, "to the house": -1.7},
    "schlaeft": {"sleeps": -0.5, "is sleeping": -1.0},
    "unter": {"under": -0.3, "below": -1.4},
    "dem": {"the": -0.5, "": -1.1},
    "tisch": {"table": -0.2, "desk": -1.7},
    "wir": {"we": -0.1},
    "haben": {"have": -0.3, "had": -1.4},
    "buch": {"book": -0.1},
    "noch nicht": {"not yet": -0.5, "not": -1.1, "still not": -1.3},
    "gelesen": {"read": -0.3, "been reading": -2.2},
    "kinder": {"children": -0.2, "kids": -1.6},
    "spielen": {"play": -0.4, "are playing": -1.2},
    "jeden tag": {"every day": -0.3, "each day": -1.2},
    "im garten": {"in the garden": -0.5, "in garden": -1.2},
}
#: Pairs of words that a language model likes.
BIGRAMS = {
    ("by", "the"), ("the", "river"), ("the", "old"), ("old", "man"), ("the", "dog"),
    ("is", "sleeping"), ("under", "the"), ("the", "table"), ("the", "book"),
    ("we", "have"), ("have", "not"), ("not", "read"), ("the", "children"),
    ("children", "play"), ("in", "the"), ("the", "garden"), ("every", "day"),
    ("the", "woman"), ("woman", "comes"), ("comes", "home"), ("home", "late"),
    ("the", "small"), ("small", "house"), ("house", "stands"), ("dog", "is"),
}  # fmt: skip
FEATURES = ("lm", "phrase", "swap", "words")
BEAM = 12
SIZE = 10


def segmented(sentence: str) -> list[str]:
    """Return the phrases of a sentence: the longest that are known."""
    words, phrases = sentence.split(), []
    while words:
        size = 2 if " ".join(words[:2]) in PHRASES else 1
        phrases.append(" ".join(words[:size]))
        words = words[size:]
    return phrases


def features(steps: tuple[tuple[int, str], ...], phrases: list[str]) -> list[float]:
    """Return the features of a translation: phrases in target order."""
    text = " ".join(text for _, text in steps if text).split()
    lm = sum(-0.5 if pair in BIGRAMS else -2.0 for pair in pairwise(text))
    phrase = sum(PHRASES[phrases[place]][text] for place, text in steps)
    places = [place for place, _ in steps]
    swap = -sum(a > b for a, b in pairwise(places))
    return [lm, phrase, float(swap), float(len(text))]


def nbest(sentence: str, weights: dict[str, float]) -> list[tuple[str, list[float]]]:
    """Return the best translations that the beam finds, best first."""
    phrases = segmented(sentence)

    def score(steps: tuple[tuple[int, str], ...]) -> float:
        values = zip(FEATURES, features(steps, phrases), strict=True)
        return sum(weights[name] * value for name, value in values)

    beam: list[tuple[tuple[int, str], ...]] = [()]
    for _ in phrases:
        longer = set()
        for steps in beam:
            done = {place for place, _ in steps}
            left = [i for i in range(len(phrases)) if i not in done]
            # The next phrase, or the one after it if the next one can follow.
            for place in [x for x in left if x <= left[0] + 1]:
                longer |= {(*steps, (place, t)) for t in PHRASES[phrases[place]]}
        beam = sorted(longer, key=lambda steps: (-score(steps), steps))[:BEAM]
    best = []
    for steps in beam[:SIZE]:
        text = " ".join(text for _, text in steps if text)
        best.append((text, features(steps, phrases)))
    return best


def main(weights: str, path: str) -> None:
    """Write the n-best lists of all sentences in the format of Moses."""
    values = json.loads(Path(weights).read_text(encoding="utf-8"))
    with Path(path).open("w", encoding="utf-8") as out:
        for number, sentence in enumerate(SOURCE):
            for text, row in nbest(sentence, values):
                pairs = zip(FEATURES, row, strict=True)
                shown = " ".join(f"{name}= {value:g}" for name, value in pairs)
                total = sum(values[n] * x for n, x in zip(FEATURES, row, strict=True))
                out.write(f"{number} ||| {text} ||| {shown} ||| {total:g}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

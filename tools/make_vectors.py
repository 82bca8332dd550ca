# SPDX-License-Identifier: Apache-2.0
"""Write src/tertium/metrics/vectors/vectors.jsonl: values that other tools compute.

Every command below is run as it stands, with `hyps` (a text per segment) and `refs`
(a list of texts per segment). The sentences were written for this file.

    python tools/make_vectors.py > src/tertium/metrics/vectors/vectors.jsonl
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.metadata import version

import jiwer
import rapidfuzz
import sacrebleu.metrics
import scipy.stats
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes

#: Segments: an output and two references.
NEWS = [
    (
        "The council has voted on Monday for a new bridge across the river.",
        "On Monday, the council voted for a new bridge over the river.",
        "The council voted on Monday in favour of a new bridge across the river.",
    ),
    (
        "It will cost 4.5 million euro, twice so much like planned.",
        'It will cost 4.5 million euros, "twice as much as planned".',
        "The price is 4.5 million euros: twice what was planned.",
    ),
    (
        "Nobody know when the work begins , said the mayor .",
        "Nobody knows when work will begin, said the mayor.",
        "The mayor said that nobody knows when the work will start.",
    ),
    (
        "The old ferry-boat makes since 1923 ten trips a day.",
        "The old ferry has made ten trips per day since 1923.",
        "Since 1923, the old ferry has crossed the river 10 times a day.",
    ),
    ("We'll see!", "We shall see!", "We'll see."),
]
MANY = [
    (
        "Zürichs Straßenbahn fährt wieder pünktlich – meistens.",
        "Die Straßenbahn in Zürich fährt wieder pünktlich – meistens.",
        "Zürichs Tram ist wieder pünktlich, meistens jedenfalls.",
    ),
    (
        "我们明天在车站见面，好吗？",
        "明天我们在车站见，好不好？",
        "我们明天车站见，行吗？",
    ),
    (
        "Стоимость билета: 35₽ (было 30₽).",
        "Билет стоит 35₽ (раньше 30₽).",
        "Цена билета — 35₽, раньше была 30₽.",
    ),
    ("駅で会いましょう。", "明日、駅で会いましょう。", "では駅で会おう。"),
]
EMPTY = [("", "There is nothing here."), ("a word or two", "a word or two"), ("x", "y")]
ORDER = [
    (
        "we will meet again in the town tomorrow",
        "tomorrow we will meet again in the town",
    ),
    ("house old the near river stands", "the old house stands near river"),
    ("f a c b e d g", "a b c d e f g"),
]
#: The same words once each, in another order.
MOVED = [
    (
        "yesterday she gave him in front of everyone an expensive watch",
        "she gave him an expensive watch in front of everyone yesterday",
    ),
    (
        "that he the letter not read had surprised nobody",
        "that he had not read the letter surprised nobody",
    ),
    ("1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9"),
    ("9 8 7 6 5 4 3 2 1", "1 2 3 4 5 6 7 8 9"),
    ("2 4 1 3 8 6 7 5", "1 2 3 4 5 6 7 8"),
]
REPEATED = [
    (
        "the the the the the the the",
        "the cat is on the mat",
        "there is a cat on the mat",
    ),
    ("a b a b a b c", "a b c a b c d", "b a b a c"),
]
SETS = {
    "news": NEWS,
    "many": MANY,
    "one-reference": [segment[:2] for segment in NEWS],
    "empty": EMPTY,
    "order": ORDER,
    "moved": MOVED,
    "repeated": REPEATED,
}

_BLEU = "sacrebleu.metrics.BLEU({0}).{1}_score({2}).score"
_CORPUS = "hyps, list(zip(*refs))"
_SENTENCE = "hyps[0], refs[0]"
#: Test sets for metrics that take any text.
TEXTS = ("news", "many", "one-reference", "empty", "repeated")


def sacrebleu_cases() -> Iterator[tuple[str, dict[str, object], str, str]]:
    """Yield metrics with their settings, level and command, for sacreBLEU."""
    bleu = [
        {},
        {"tokenize": "intl"},
        {"tokenize": "char"},
        {"tokenize": "none"},
        {"tokenize": "zh"},
        {"lowercase": True},
        {"smooth_method": "none"},
        {"smooth_method": "floor"},
        {"smooth_method": "add-k"},
        {"max_ngram_order": 2},
        {"effective_order": True},
        {"smooth_method": "add-k", "smooth_value": 2},
    ]
    for settings in bleu:
        words = ", ".join(f"{key}={value!r}" for key, value in settings.items())
        yield "bleu", settings, "corpus", _BLEU.format(words, "corpus", _CORPUS)
    yield "bleu1", {}, "corpus", _BLEU.format("max_ngram_order=1", "corpus", _CORPUS)
    yield (
        "sentbleu",
        {},
        "segment",
        _BLEU.format("effective_order=True", "sentence", _SENTENCE),
    )
    chrf = [
        ("chrf", {}, ""),
        ("chrf++", {}, "word_order=2"),
        ("chrf", {"beta": 1}, "beta=1"),
        ("chrf", {"char_order": 4}, "char_order=4"),
        ("chrf", {"lowercase": True}, "lowercase=True"),
        ("chrf", {"whitespace": True}, "whitespace=True"),
        ("chrf", {"eps_smoothing": True}, "eps_smoothing=True"),
    ]
    for name, settings, words in chrf:
        command = f"sacrebleu.metrics.CHRF({words}).corpus_score({_CORPUS}).score"
        yield name, settings, "corpus", command
    command = f"sacrebleu.metrics.CHRF().sentence_score({_SENTENCE}).score"
    yield "chrf", {}, "segment", command
    ter = [
        {},
        {"normalized": True},
        {"no_punct": True},
        {"case_sensitive": True},
        {"normalized": True, "asian_support": True},
    ]
    for settings in ter:
        words = ", ".join(f"{key}={value!r}" for key, value in settings.items())
        command = f"sacrebleu.metrics.TER({words}).corpus_score({_CORPUS}).score"
        yield "ter", settings, "corpus", command
    command = f"sacrebleu.metrics.TER().sentence_score({_SENTENCE}).score"
    yield "ter", {}, "segment", command


_SPLIT = "[[ref.split() for ref in one] for one in refs], [hyp.split() for hyp in hyps]"
_WORDS = "hyps[0].split()"
_REFERENCE = "refs[0][0].split()"
_PLACES = f"[{_REFERENCE}.index(word) for word in {_WORDS}], range(len({_WORDS}))"
_DISTANCE = f"rapidfuzz.distance.Levenshtein.distance({_REFERENCE}, {_WORDS})"
_KENDALL = f"(scipy.stats.kendalltau({_PLACES}).statistic + 1) / 2"
_LONGEST = f"rapidfuzz.distance.LCSseq.similarity({_REFERENCE}, {_WORDS})"
#: Metric, settings, level, tool, command, test sets.
OTHERS = [
    (
        "wer",
        {},
        "corpus",
        "jiwer",
        "jiwer.wer([one[0] for one in refs], hyps)",
        ("one-reference", "order", "moved"),
    ),
    (
        "wer",
        {},
        "segment",
        "rapidfuzz",
        f"{_DISTANCE} / len({_REFERENCE})",
        ("one-reference", "empty", "order", "moved"),
    ),
    (
        "ribes",
        {},
        "corpus",
        "nltk",
        f"corpus_ribes({_SPLIT})",
        ("news", "one-reference", "order", "repeated"),
    ),
    (
        "ribes",
        {"alpha": 0.5, "beta": 0.25},
        "corpus",
        "nltk",
        f"corpus_ribes({_SPLIT}, alpha=0.5, beta=0.25)",
        ("news", "one-reference", "order", "repeated"),
    ),
    (
        "ribes",
        {},
        "segment",
        "nltk",
        f"corpus_ribes({_SPLIT})",
        ("news", "moved"),
    ),
    (
        "nist",
        {},
        "corpus",
        "nltk",
        f"corpus_nist({_SPLIT})",
        ("one-reference", "order", "moved"),
    ),
    (
        "nist",
        {"max_ngram_order": 3},
        "corpus",
        "nltk",
        f"corpus_nist({_SPLIT}, n=3)",
        ("one-reference", "order", "moved"),
    ),
    ("kendall", {}, "segment", "scipy", _KENDALL, ("order", "moved")),
    (
        "sqrt-kendall",
        {},
        "segment",
        "scipy",
        f"({_KENDALL}) ** 0.5",
        ("order", "moved"),
    ),
    (
        "spearman",
        {},
        "segment",
        "scipy",
        f"(scipy.stats.spearmanr({_PLACES}).statistic + 1) / 2",
        ("order", "moved"),
    ),
    (
        "hamming",
        {},
        "segment",
        "rapidfuzz",
        f"rapidfuzz.distance.Hamming.normalized_similarity({_REFERENCE}, {_WORDS})",
        ("order", "moved"),
    ),
    (
        "ulam",
        {},
        "segment",
        "rapidfuzz",
        f"({_LONGEST} - 1) / (len({_REFERENCE}) - 1)",
        ("order", "moved"),
    ),
]

_NAMES = {
    "corpus_nist": corpus_nist,
    "corpus_ribes": corpus_ribes,
    "jiwer": jiwer,
    "rapidfuzz": rapidfuzz,
    "sacrebleu": sacrebleu,
    "scipy": scipy,
}


def vectors() -> Iterator[dict[str, object]]:
    """Yield all vectors, their values computed now."""
    cases = [
        (name, settings, level, "sacrebleu", command, TEXTS)
        for name, settings, level, command in sacrebleu_cases()
    ]
    cases += OTHERS
    for name, settings, level, tool, command, sets in cases:
        for label in sets:
            segments = SETS[label]
            # A score of a segment: of every one of the set.
            parts = [[one] for one in segments] if level == "segment" else [segments]
            for number, part in enumerate(parts, start=1):
                yield vector(name, settings, level, tool, command, label, number, part)


def vector(name, settings, level, tool, command, label, number, part):
    """Return one vector."""
    hyps = [segment[0] for segment in part]
    refs = [list(segment[1:]) for segment in part]
    if len({len(one) for one in refs}) > 1:
        raise ValueError(f"{label}: segments have different numbers of references")
    # The commands of this file, and nothing else.
    value = float(eval(command, {**_NAMES, "hyps": hyps, "refs": refs}))
    body = ",".join(f"{key}={_shown(value)}" for key, value in settings.items())
    spec = f"{name}:{body}" if body else name
    place = f"{label}-{number}" if level == "segment" else label
    return {
        "id": f"{tool}/{spec}/{level}/{place}",
        "metric": name,
        "settings": settings,
        "level": level,
        "hyps": hyps,
        "refs": refs,
        "value": value,
        "tolerance": 1e-9,
        "tool": tool,
        "version": version(tool),
        "command": command,
    }


def _shown(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def main() -> None:
    """Print all vectors."""
    for each in vectors():
        sys.stdout.write(f"{json.dumps(each, ensure_ascii=False)}\n")


if __name__ == "__main__":
    main()

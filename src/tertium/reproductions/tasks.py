# SPDX-License-Identifier: Apache-2.0
"""WMT years as the metrics task needs them: texts, judgements, scores of metrics."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

import tertium
from tertium.data.batch import Batch
from tertium.errors import TertiumError
from tertium.judgements import Judgements
from tertium.meta import Human, MetricScores, human_judgements
from tertium.reproductions.data import Data, read_table

__all__ = [
    "METRICS",
    "Task",
    "metric_specs",
    "official_scores",
    "paraphrases",
    "read",
    "scores",
]

#: The published tables ignore case and cut words as mteval-v13a does with its
#: international tokenisation.
WORDS = "tokenize=intl,lowercase=yes"
METRICS = (
    "BLEU", "sentBLEU", "BLEU-NRC", "NIST", "TER", "WER", "PER", "CDER", "chrF",
    "METEOR", "RIBES", "PEF", "AMBER", "LAYERED", "semantic ESA",
)  # fmt: skip
#: Whose references are background corpora of semantic ESA, without the year scored.
BACKGROUND_YEARS = ("12", "14", "15", "16", "17")
_WORD_LISTS = {
    "cs": "czech", "en": "english", "fr": "french", "de": "german", "ru": "russian",
    "es": "spanish",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Task:
    """One language pair of one year.

    Parameters
    ----------
    year, pair : str
    segments : list of str
        Their names: line numbers in the test set.
    references : list of str
    systems : dict of str to list
        A text for every segment, None where there is no output.
    human : Human
    official : dict of str to float
        The published scores of systems, TrueSkill, where there are any.
    """

    year: str
    pair: str
    segments: list[str]
    references: list[str]
    systems: dict[str, list[str | None]]
    human: Human
    official: Mapping[str, float]

    @property
    def whole(self) -> list[int]:
        """The segments for which every system has an output."""
        columns = list(self.systems.values())
        return [
            i
            for i in range(len(self.segments))
            if all(column[i] is not None for column in columns)
        ]

    @property
    def missing(self) -> int:
        """The number of outputs that are not there."""
        return sum(column.count(None) for column in self.systems.values())

    @property
    def ties(self) -> float | None:
        """The share of comparisons that people tied; None without comparisons."""
        comparisons = self.human.comparisons
        return None if comparisons is None else float(np.mean(comparisons.outcome == 0))


def read(data: Data, year: str, pair: str, *, size: int | None = None) -> Task:
    """Return a language pair of a year, or its first segments."""
    # In tables of judged segments an empty cell is an output that nobody kept; in
    # those of whole test sets it is an empty translation.
    path, judged = _table(data, year, pair)
    rows = read_table(path)[:size]
    names = [name for name in rows[0] if name not in ("seg", "source", "reference")]
    human = _people(data, year, pair)
    segments = [row["seg"] for row in rows]
    if human.comparisons is not None:
        known = np.isin(np.array(human.segments), segments)
        chosen = human.comparisons.select(known[human.comparisons.segment])
        human = replace(human, comparisons=chosen)
    return Task(
        year,
        pair,
        segments,
        [row["reference"] for row in rows],
        {
            name: [None if judged and not row[name] else row[name] for row in rows]
            for name in names
        },
        human,
        official_scores(data, year, pair),
    )


def _table(data: Data, year: str, pair: str) -> tuple[Path, bool]:
    """Return the file of a language pair, and whether it has judged segments only."""
    path = data.path(f"wmt{year}") / f"{pair}.tsv.gz"
    if path.exists():
        return path, False
    return path.with_name(f"{pair}.judged.tsv.gz"), True


def _people(data: Data, year: str, pair: str) -> Human:
    folder = data.path(f"wmt{year}")
    if year == "17":
        scores = _direct_assessment(folder / "DA-syslevel.csv.gz").get(pair, {})
        return Human(tuple(scores), (), "direct assessment", scores, langpair=pair)
    if year == "12":
        path = folder / "wmt12.RNK_results.csv.gz"
    else:
        path = folder / f"{pair}.rankings.tsv.gz"
        if not path.exists():
            path = folder / f"{pair}.pairs.tsv.gz"
    return human_judgements(_judgements(path), langpair=pair)


@cache
def _judgements(path: Path) -> Judgements:
    return Judgements.read(path, strict=True)


@cache
def _direct_assessment(path: Path) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter=" "):
            scores.setdefault(row["LP"], {})[row["SYSTEM"]] = float(row["HUMAN"])
    return scores


def by_trueskill(data: Data, task: Task) -> Human:
    """Return the judgements with systems scored by TrueSkill."""
    path = data.path(f"wmt{task.year}") / f"{task.pair}.pairs.tsv.gz"
    return human_judgements(_judgements(path), langpair=task.pair, method="trueskill")


_CODES = {
    "cs": ("ces", "cze"), "de": ("deu",), "en": ("eng",), "fi": ("fin",),
    "fr": ("fre",), "ro": ("ron",), "ru": ("rus",), "tr": ("tur",),
}  # fmt: skip


def official_scores(data: Data, year: str, pair: str) -> dict[str, float]:
    """Return the published scores of systems, by the names of the tables."""
    folder = data.path(f"wmt{year}") / "official"
    source, target = pair.split("-")
    for a in _CODES.get(source, ()):
        for b in _CODES.get(target, ()):
            path = folder / f"wmt{year}.{a}-{b}.txt"
            if path.exists():
                lines = path.read_text(encoding="utf-8").splitlines()
                return dict(_official(line) for line in lines if " " in line)
    return {}


def _official(line: str) -> tuple[str, float]:
    """Read ``newstest2015.online-B.0.de-en.txt 0.567 (1.0, 1.0)``."""
    name, score, *_ = line.split()
    short = re.sub(r"^news[a-z]*test\d+\.|\.[a-z]{2}-[a-z]{2}(\.txt)?$", "", name)
    return short, float(score)


# ------------------------------------------------------------------------- metrics


def metric_specs(data: Data, language: str, year: str = "") -> dict[str, str]:
    """Return the specs of metrics for a target language, by their usual names.

    Semantic ESA is there for languages that other years have texts in.
    """
    match = "exact" if language in ("cs", "lv") else "exact+stem"
    specs = {
        "BLEU": f"bleu:{WORDS}",
        "sentBLEU": f"sentbleu-plus1:{WORDS}",
        "BLEU-NRC": f"bleu-nrc:{WORDS}",
        "NIST": f"nist:{WORDS}",
        "TER": "ter",  # of texts cut by the same tokeniser: see scores()
        "WER": f"wer:{WORDS}",
        "PER": f"per:{WORDS}",
        "CDER": f"cder:{WORDS}",
        "chrF": "chrf",
        "METEOR": meteor(data.folder, language),
        "RIBES": f"ribes:{WORDS}",
        "PEF": f"pef:tokenize=intl,match={match},language={language}",
        "AMBER": f"amber:tokenize=intl,language={language}",
        "LAYERED": f"layered:flat=yes,match={match},language={language}",
    }
    if year and (corpus := background(data.folder, language, year)):
        specs["semantic ESA"] = f"semantic-esa:corpus={corpus}"
    return specs


@cache
def background(folder: Path | None, language: str, year: str) -> Path | None:
    """Return a file with the references of all other years, None without any.

    Each is a document, so that the background corpus has nothing of the test set.
    """
    data = Data(folder)
    texts: dict[str, None] = {}
    for other in BACKGROUND_YEARS:
        if other == year:
            continue
        for pair in data.pairs(other):
            if pair.endswith(f"-{language}"):
                rows = read_table(_table(data, other, pair)[0])
                texts.update(dict.fromkeys(row["reference"] for row in rows))
    if not texts:
        return None
    path = Path(_scratch().name) / f"references-{language}-without-{year}.txt"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8", newline="\n")
    return path


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def meteor(folder: Path | None, language: str) -> str:
    """Return METEOR with all matchers that there are resources for."""
    words = Data(folder).path("meteor-function-words")
    listed = words / f"{_WORD_LISTS.get(language, '')}.words"
    functions = f",function_words={listed}" if listed.exists() else ""
    if language == "en" and (table := paraphrases()):
        full = f"meteor:match=exact+stem+synonym+paraphrase,paraphrases={table}"
        try:
            tertium.metric(f"{full}{functions}").corpus_score(["a"], ["a"])
        except TertiumError:  # no WordNet here
            pass
        else:
            return f"{full}{functions}"
    from tertium.metrics.meteor_parameters import LANGUAGES

    known = language if language in LANGUAGES else "other"
    return f"meteor:language={known}{functions}"


def paraphrases() -> Path | None:
    """Return METEOR's English paraphrase table, if a package brings it."""
    package = importlib.util.find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        return None
    folder = Path(package.submodule_search_locations[0])
    path = folder / "meteor" / "data" / "paraphrase-en.gz"
    return path if path.exists() else None


def scores(
    data: Data, task: Task, names: Sequence[str] = METRICS, **more: str
) -> list[MetricScores]:
    """Return scores of systems, on segments that all translated, and of segments.

    `more` are specs of other metrics by their names.
    """
    specs = metric_specs(data, task.pair.split("-")[1], task.year) | more
    whole = np.array(task.whole)
    texts = [[text or "" for text in column] for column in task.systems.values()]
    out = []
    for name in (name for name in (*names, *more) if name in specs):
        systems, references = texts, task.references
        if name == "TER":
            systems, references = [_cut(part) for part in texts], _cut(references)
        metric = tertium.metric(specs[name]).prepare(references)
        rows = metric.rows(Batch(systems, references))
        segment = [np.asarray(metric.from_statistics(part)) for part in rows]
        out.append(
            MetricScores(
                name,
                {
                    system: float(metric.from_statistics(part[whole].sum(axis=0)))
                    for system, part in zip(task.systems, rows, strict=True)
                },
                {
                    system: {
                        number: float(value)
                        for number, value, text in zip(
                            task.segments, part, column, strict=True
                        )
                        if text is not None and not np.isnan(value)
                    }
                    for (system, column), part in zip(
                        task.systems.items(), segment, strict=True
                    )
                },
                metric.higher_is_better,
                task.pair,
            )
        )
    return out


def _cut(texts: Sequence[str]) -> list[str]:
    from tertium.text import tokenize

    return [" ".join(words) for words in tokenize(texts, "intl")]


# --------------------------------------------------------- other forms of metrics


def pooled_per(task: Task) -> list[float]:
    """Return 1 - PER of every system, with lengths summed before they are compared.

    The definition adds up what each segment is too long; a scorer that sums words and
    lengths over the corpus first forgives long segments where others are short.
    """
    refs = [text.lower().split() for text in _cut(task.references)]
    size = sum(map(len, refs))
    out = []
    for column in task.systems.values():
        hyps = [text.lower().split() for text in _cut([text or "" for text in column])]
        matched = sum(
            sum((Counter(hyp) & Counter(ref)).values())
            for hyp, ref in zip(hyps, refs, strict=True)
        )
        out.append((matched - max(0, sum(map(len, hyps)) - size)) / size)
    return out


def wer_of_marks(task: Task) -> list[float]:
    """Return -WER of every system, with vowel signs and the like cut off as words.

    Some tokenisers take them for punctuation; it matters where systems leave words
    in a script that has many.
    """

    def cut(texts: Sequence[str]) -> list[str]:
        return [
            "".join(f" {c} " if unicodedata.category(c)[0] == "M" else c for c in text)
            for text in _cut(texts)
        ]

    metric = tertium.metric("wer:lowercase=yes")
    refs = cut(task.references)
    return [
        -metric.corpus_score(cut([text or "" for text in column]), refs)
        for column in task.systems.values()
    ]

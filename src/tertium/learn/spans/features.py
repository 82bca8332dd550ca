# SPDX-License-Identifier: Apache-2.0
"""What a span model knows about the words of outputs, and about outputs.

Words of output and reference are aligned if they are equal but for case, or have the
same stem; kinds of errors follow as in ``tertium report`` (Popović and Ney 2011): an
aligned word may have another form or another place, one that is not aligned stands for
a word of the reference or is extra. The rest describes the word (length, frequency,
similarity to reference words that are not aligned), what is around it, whether the
source has it, and the output as a whole, with its BEER and chrF scores.

Candidates for errors are words that differ from the reference in any of these ways, and
single words between two of them; all others are taken to be right.

A feature that cannot be computed, such as frequency without a word list of the
language, is NaN, and a model replaces it by its mean in training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tertium import _core
from tertium.align.aligner import Aligner
from tertium.align.matchers import ExactMatcher, Matcher, StemMatcher
from tertium.errors import InputError, TertiumError
from tertium.learn.spans.words import (
    Array,
    Flags,
    Numbers,
    Text,
    around,
    flat_words,
    neighbour,
    run_lengths,
    similarity,
    window_share,
)
from tertium.text.wordlists import WordList, find_word_list, shipped_word_lists
from tertium.text.words import spans, split

__all__ = [
    "CATEGORIES", "OUTPUT_FEATURES", "WORD_FEATURES", "Described", "describe",
]  # fmt: skip

#: Features of words, in the order of columns.
WORD_FEATURES = (
    *("form", "order", "choice", "extra", "case", "elsewhere"),
    *("punctuation", "number", "capital", "length"),
    *("frequency", "unknown", "source_frequency"),
    *("copied", "untranslated", "similarity"),
    *("run", "before", "before_2", "after", "after_2", "window", "gap"),
    *("repeated", "punctuation_before", "punctuation_after", "first", "last"),
    *("choice_punctuation", "extra_punctuation", "unaligned_chrf", "unaligned_window"),
    *("output_unaligned", "output_ratio", "output_words"),
    *("output_source_ratio", "output_beer", "output_chrf"),
)
#: Features of outputs, from which missing content is predicted.
OUTPUT_FEATURES = (
    *("unaligned", "missing", "missing_run", "missing_content", "words"),
    *("source_ratio", "beer"),
)
#: Categories of marked words; the first that applies is a word's own.
CATEGORIES = (
    "punctuation", "untranslated", "lexical choice", "extra", "order", "inflection",
    "capitalisation", "other",
)  # fmt: skip

_FORM, _ORDER, _CHOICE, _ALONE = 1, 2, 4, 8  # as in core/align/word_errors.hpp
_WINDOW = 5
_CONTENT = 5.0  # the Zipf value below which a missing word counts as content


@dataclass(frozen=True)
class Described:
    """Outputs of one system as numbers.

    Parameters
    ----------
    words : array, words x :data:`WORD_FEATURES`
    outputs : array, outputs x :data:`OUTPUT_FEATURES`
    places : array, words x 2
        Where words begin and end, in code points.
    segments : array of int
        The output of every word.
    categories : array of int
        Of every word, if it is an error: numbers of :data:`CATEGORIES`.
    candidates : array of bool
        Whether a word may be an error.
    """

    words: Array
    outputs: Array
    places: Numbers
    segments: Numbers
    categories: Numbers
    candidates: Flags


def describe(
    hyps: Sequence[str],
    refs: Sequence[Sequence[str]],
    srcs: Sequence[str] | None = None,
    *,
    language: str = "",
    source_language: str = "",
    threads: int | None = None,
) -> Described:
    """Return the features of outputs.

    Parameters
    ----------
    hyps : sequence of str
    refs : sequence of sequence of str
        At least one per segment; the one with the fewest word errors counts.
    srcs : sequence of str, optional
    language, source_language : str
        Codes, for stems and word lists, where there are any.
    threads : int, optional
        All cores by default.

    Raises
    ------
    InputError
        When a segment has no reference, or a text cannot be encoded.
    """
    for index, texts in enumerate(refs):
        if not texts:
            message = f"segment {index} has no reference; give at least one"
            raise InputError(message)
    if not len(hyps):
        return Described(
            np.zeros((0, len(WORD_FEATURES))), np.zeros((0, len(OUTPUT_FEATURES))),
            np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64),
            np.zeros(0, bool),
        )  # fmt: skip
    numbers: dict[str, int] = {}
    places = [spans(text) for text in hyps]
    words = [_cut(text, at) for text, at in zip(hyps, places, strict=True)]
    ref_words = [list(map(split, texts)) for texts in refs]
    flags, ref_flags, links, chosen = _errors(hyps, words, ref_words, language, threads)
    hyp = flat_words(words, numbers)
    best = [texts[n] for texts, n in zip(ref_words, chosen, strict=True)]
    ref = flat_words(best, numbers)
    src = None
    if srcs is not None:
        src = flat_words(list(map(split, srcs)), numbers)
    table = _Features(hyp, ref, src, flags, ref_flags, links)
    table.outputs(hyps, refs, language=language, threads=threads)
    table.words(language, source_language)
    return Described(
        np.column_stack([table.columns[name] for name in WORD_FEATURES]),
        np.column_stack([table.output[name] for name in OUTPUT_FEATURES]),
        np.array([at for each in places for at in each], np.int64).reshape(-1, 2),
        hyp.segments,
        table.categories(),
        table.candidates(),
    )


def _cut(text: str, places: Sequence[tuple[int, int]]) -> list[str]:
    return [text[begin:end] for begin, end in places]


def _errors(
    hyps: Sequence[str],
    words: Sequence[Sequence[str]],
    ref_words: Sequence[Sequence[Sequence[str]]],
    language: str,
    threads: int | None,
) -> tuple[Numbers, Numbers, Numbers, list[int]]:
    """Return flags of output and reference words, links and chosen references."""
    aligner = Aligner(matchers=_matchers(language))
    try:
        pairs = aligner.token_pairs([words], ref_words, systems=[hyps], threads=threads)
        hyp, ref, links, chosen = _core.word_errors(pairs, 0, threads or 0)
    except UnicodeEncodeError:
        message = "a text has half of a surrogate pair, which is not a character"
        raise InputError(message) from None
    return (
        np.frombuffer(hyp, np.uint8).astype(np.int64),
        np.frombuffer(ref, np.uint8).astype(np.int64),
        np.frombuffer(links, np.int32).astype(np.int64),
        chosen,
    )


@lru_cache(maxsize=8)
def _matchers(language: str) -> tuple[Matcher, ...]:
    if language:
        try:
            return ExactMatcher(), StemMatcher(language)
        except TertiumError:  # No stemmer for it: words match as they are.
            pass
    return (ExactMatcher(),)


class _Features:
    """Columns of features by name."""

    def __init__(
        self,
        hyp: Text,
        ref: Text,
        src: Text | None,
        flags: Numbers,
        ref_flags: Numbers,
        links: Numbers,
    ) -> None:
        self.hyp, self.ref, self.src = hyp, ref, src
        self.flags, self.links = flags, links
        self.unaligned: Flags = flags & (_CHOICE | _ALONE) > 0
        self.missing: Flags = ref_flags & (_CHOICE | _ALONE) > 0
        self.gone: Flags = ref_flags & _ALONE > 0
        self.marks = _by_type(hyp.words, _core.is_punctuation).astype(bool)
        self.ref_marks = _by_type(ref.words, _core.is_punctuation).astype(bool)
        self.columns: dict[str, Array | Flags] = {}
        self.output: dict[str, Array] = {}

    def outputs(
        self,
        hyps: Sequence[str],
        refs: Sequence[Sequence[str]],
        *,
        language: str,
        threads: int | None,
    ) -> None:
        """Compute what describes whole outputs."""
        from tertium.learn.beer import Beer
        from tertium.metrics.chrf import Chrf

        hyp, ref, size = self.hyp, self.ref, len(hyps)
        lengths, ref_lengths = hyp.lengths + 1.0, ref.lengths + 1.0
        runs = run_lengths(self.gone, ref)
        longest = np.zeros(size)
        np.maximum.at(longest, ref.segments, runs)
        frequency = _frequencies(ref.words, _word_list(language))
        content = self.gone & ~self.ref_marks & ~(frequency >= _CONTENT)
        texts = [tuple(each) for each in refs]
        beer, chrf = (
            metric.segment_scores(hyps, texts, threads=threads)
            for metric in (Beer(language=language), Chrf())
        )
        source = np.full(size, np.nan)
        if self.src is not None:
            source = np.log(lengths / (self.src.lengths + 1.0))
        self.output |= {
            "unaligned": _per(self.unaligned, hyp) / lengths,
            "missing": _per(self.missing, ref) / ref_lengths,
            "missing_run": np.log1p(longest),
            "missing_content": np.log1p(_per(content, ref)),
            "ratio": np.log(lengths / ref_lengths),
            "words": np.log(lengths),
            "source_ratio": source,
            "beer": beer,
            "chrf": chrf / 100,
        }

    def words(self, language: str, source_language: str) -> None:
        """Compute what describes words."""
        hyp, flags, unaligned = self.hyp, self.flags, self.unaligned
        self._lexical(language, source_language)
        window = window_share(unaligned, hyp, _WINDOW)
        columns: dict[str, Array | Flags] = {
            "form": flags & _FORM > 0,
            "order": flags & _ORDER > 0,
            "choice": flags & _CHOICE > 0,
            "extra": flags & _ALONE > 0,
            "run": np.log1p(run_lengths(unaligned, hyp)),
            "before": neighbour(unaligned, hyp, -1),
            "before_2": neighbour(unaligned, hyp, -2),
            "after": neighbour(unaligned, hyp, 1),
            "after_2": neighbour(unaligned, hyp, 2),
            "window": window,
            "gap": np.log1p(around(self.links, hyp, self.ref.lengths)),
            "punctuation_before": neighbour(self.marks, hyp, -1),
            "punctuation_after": neighbour(self.marks, hyp, 1),
            "choice_punctuation": (flags & _CHOICE > 0) & self.marks,
            "extra_punctuation": (flags & _ALONE > 0) & self.marks,
            "unaligned_window": unaligned * window,
            "unaligned_chrf": unaligned * self.output["chrf"][hyp.segments],
        }
        place = np.arange(len(hyp.words))
        columns["first"] = place == hyp.first[hyp.segments]
        columns["last"] = place == hyp.first[hyp.segments + 1] - 1
        # Not "missing": beside the others it gets weights that do not generalise.
        for name in ("unaligned", "ratio", "words", "source_ratio", "beer", "chrf"):
            columns[f"output_{name}"] = self.output[name][hyp.segments]
        self.columns |= columns

    def _lexical(self, language: str, source_language: str) -> None:
        hyp, ref, unaligned, marks = self.hyp, self.ref, self.unaligned, self.marks
        frequency = _frequencies(hyp.words, _word_list(language))
        aligned = np.flatnonzero(self.links >= 0)
        target = ref.first[hyp.segments[aligned]] + self.links[aligned]
        case = np.zeros(len(hyp.words), bool)
        case[aligned] = [
            hyp.words[i] != ref.words[j] and hyp.ids[i] == ref.ids[j]
            for i, j in zip(aligned.tolist(), target.tolist(), strict=True)
        ]
        copied: Array = np.full(len(hyp.words), np.nan)
        if self.src is not None:
            copied = (_has(self.src, hyp) & ~marks).astype(float)
        number = _by_type(hyp.words, lambda word: word[0].isdecimal())
        repeated = np.zeros(len(hyp.words), bool)
        for step in (1, 2, 3):
            same = np.zeros(len(hyp.words), bool)
            same[step:] = hyp.ids[step:] == hyp.ids[: max(0, len(hyp.ids) - step)]
            everything = np.ones(len(same), bool)
            repeated |= same & neighbour(everything, hyp, -step)
        elsewhere = unaligned & _has(ref, hyp)
        self.columns |= {
            "case": case,
            "elsewhere": elsewhere,
            "punctuation": marks,
            "number": number,
            "capital": _by_type(hyp.words, lambda word: word[0].isupper()),
            "length": np.log(_by_type(hyp.words, len)),
            "frequency": frequency,
            "unknown": np.where(np.isnan(frequency), np.nan, frequency == 0),
            "source_frequency": _frequencies(hyp.words, _word_list(source_language)),
            "copied": copied,
            "untranslated": copied * (unaligned & ~elsewhere),
            "similarity": similarity(
                hyp, unaligned & ~marks, ref, self.missing & ~self.ref_marks
            ),
            "repeated": repeated & ~marks,
        }

    def categories(self) -> Numbers:
        """Return the category of every word, if it is an error."""
        columns = self.columns
        letters = ~self.marks & (columns["number"] == 0)
        conditions = [
            self.marks,
            letters & (columns["untranslated"] == 1),
            columns["choice"],
            columns["extra"],
            columns["order"],
            columns["form"],
            columns["case"],
        ]
        known = [np.asarray(each, bool) for each in conditions]
        return np.select(known, range(len(known)), default=len(known)).astype(np.int64)

    def candidates(self) -> Flags:
        """Return whether words may be errors."""
        different = (self.flags > 0) | np.asarray(self.columns["case"], bool)
        before = neighbour(different, self.hyp, -1)
        out: Flags = different | (before & neighbour(different, self.hyp, 1))
        return out


def _per(flags: Flags, text: Text) -> Array:
    counts = np.bincount(text.segments[flags], minlength=len(text.first) - 1)
    return counts.astype(float)


def _has(other: Text, text: Text) -> Flags:
    """Return whether the other text of the segment has a word, in any case."""
    size = 1 + max(int(each.ids.max(initial=0)) for each in (other, text))
    return np.isin(text.segments * size + text.ids, other.segments * size + other.ids)


def _by_type(words: Sequence[str], value: Callable[[str], float]) -> Array:
    """Return a value for every word, computed once for equal ones."""
    known = {word: float(value(word)) for word in set(words)}
    return np.array([known[word] for word in words], float)


def _frequencies(words: Sequence[str], known: WordList | None) -> Array:
    if known is None:
        return np.full(len(words), np.nan)
    return _by_type(words, lambda word: known.zipf(word.lower()))


def _word_list(language: str) -> WordList | None:
    return find_word_list(language) if language in shipped_word_lists() else None

# SPDX-License-Identifier: Apache-2.0
"""The monolingual aligner: outputs against references of the same language.

``beam`` chooses matches as METEOR does (Denkowski and Lavie 2014): most covered
words, then fewest chunks, then the smallest displacement, then earlier matchers.
``context`` aligns equal words that are unique, alone or with their neighbours
(Isozaki et al. 2010). ``meteor`` chooses as the program Meteor 1.5 was observed to do,
which is not quite what its papers say (see core/align/meteor.hpp).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tertium import _core
from tertium.align.links import given_links, to_matches
from tertium.align.matchers import (
    ExactMatcher,
    Matcher,
    ParaphraseMatcher,
    PhraseMatcher,
    StemMatcher,
    WordMatcher,
    make_matchers,
)
from tertium.errors import InputError, UnknownNameError
from tertium.text.tokenizers import NATIVE_TOKENIZERS, tokenize

if TYPE_CHECKING:
    from tertium.align.alignment import Alignment

__all__ = ["ALIGNERS", "Aligner", "AlignerSettings", "align", "aligner"]

ALIGNERS = ("beam", "context", "meteor")

_Columns: TypeAlias = "Sequence[Sequence[str]]"
_Candidate: TypeAlias = "tuple[int, int, int, int, int]"


class AlignerSettings(NamedTuple):
    """The settings of an aligner; see :class:`Aligner`."""

    tokenize: str = "none"
    lowercase: bool = True
    aligner: str = "beam"
    match: str = "exact"
    language: str = "en"
    synonyms: str = ""
    paraphrases: str = ""
    beam: int = 40


class Aligner:
    """Aligns outputs with references.

    The last batch is kept: metrics that share an aligner share its work. Outputs that
    come with links (see :class:`tertium.data.annotated.Annotated`) keep them.

    Parameters
    ----------
    tokenize : str
        The tokeniser.
    lowercase : bool
        Whether to ignore case.
    aligner : {"beam", "context", "meteor"}
    match : str
        The names of matchers joined by plus signs, the most trusted first.
    language : str
        The language of stems, by name or ISO code.
    synonyms, paraphrases : str
        Paths to WordNet's folder and to a paraphrase table.
    beam : int
        The number of states that the search keeps. The alignment is optimal
        wherever that is enough (see :attr:`unsure`). With the default, 248 of 28,197
        pairs of WMT15 German-English (exact, 13a) need more; a beam of 4,000 finds a
        smaller displacement in 58 of them and one chunk less in 6.
    matchers : sequence of Matcher, optional
        Custom matchers instead of `match`.
    """

    def __init__(
        self,
        *,
        tokenize: str = "none",
        lowercase: bool = True,
        aligner: str = "beam",
        match: str = "exact",
        language: str = "en",
        synonyms: str = "",
        paraphrases: str = "",
        beam: int = 40,
        matchers: Sequence[Matcher] | None = None,
    ) -> None:
        if tokenize not in NATIVE_TOKENIZERS:
            raise UnknownNameError("tokeniser", tokenize, NATIVE_TOKENIZERS)
        if aligner not in ALIGNERS:
            raise UnknownNameError("aligner", aligner, ALIGNERS)
        if aligner == "context" and (match != "exact" or matchers is not None):
            message = "aligner=context matches equal words only; omit match"
            raise InputError(message, options=("aligner", "match"))
        if beam < 1:
            message = f"beam must be at least 1, not {beam}"
            raise InputError(message)
        self.tokenize = tokenize
        self.lowercase = lowercase
        self.aligner = aligner
        self.beam = beam
        if matchers is None:
            matchers = make_matchers(
                match, language=language, synonyms=synonyms, paraphrases=paraphrases
            )
        for matcher in matchers:
            known = (WordMatcher, PhraseMatcher, ParaphraseMatcher)
            if not isinstance(matcher, known):
                message = (
                    f"{matcher!r} is not a matcher; give it a name and a method "
                    "keys(words) or matches(hyp, ref)"
                )
                raise InputError(message)
        self.matchers = tuple(matchers)
        #: Pairs of the last batch whose best alignment the beam may have lost.
        self.unsure = 0

    def pairs(
        self, systems: _Columns, refs: _Columns, *, threads: int | None = None
    ) -> _core.Pairs:
        """Return the outputs of systems, each aligned with every reference.

        Parameters
        ----------
        systems : sequence of sequences of str
            One sequence of outputs per system.
        refs : sequence of sequences of str
            The references of each segment.
        threads : int, optional
            All cores by default.
        """
        pairs = _core.Pairs(systems, refs, self.tokenize, lowercase=self.lowercase)
        self._align(pairs, list(map(len, refs)), threads)
        if not pairs.plain:
            _keep_given_links(pairs, systems, refs)
        return pairs

    def token_pairs(
        self,
        hyp_words: Sequence[Sequence[Sequence[str]]],
        ref_words: Sequence[Sequence[Sequence[str]]],
        *,
        systems: _Columns,
        threads: int | None = None,
    ) -> _core.Pairs:
        """Return tokenised texts as aligned pairs.

        `systems` are the texts of `hyp_words`, which may come with links.
        """
        pairs = _core.Pairs(hyp_words, ref_words, "none", lowercase=self.lowercase)
        self._align(pairs, [len(words) for words in ref_words], threads)
        _keep_given_links(pairs, systems, ref_words)
        return pairs

    def alignment(
        self, pairs: _core.Pairs, system: int = 0, segment: int = 0, ref: int = 0
    ) -> Alignment:
        """Return the alignment of one pair of a batch that this aligner made."""
        from tertium.align.alignment import Alignment, WordMatch

        return Alignment(
            tuple(pairs.hyp(system, segment)),
            tuple(pairs.ref(segment, ref)),
            tuple(
                WordMatch(*match[:4], self.matchers[match[4]].name, match[5])
                for match in pairs.matches(system, segment, ref)
            ),
        )

    def _align(
        self, pairs: _core.Pairs, refs: Sequence[int], threads: int | None
    ) -> None:
        if self.aligner == "context":
            _core.align_by_context(pairs, threads or 0)
            return
        ready = _core.Matchers()
        words: list[str] | None = None
        candidates: list[list[_Candidate]] = []
        for number, matcher in enumerate(self.matchers):
            if isinstance(matcher, ExactMatcher):
                ready.add_exact()
            elif isinstance(matcher, ParaphraseMatcher):
                ready.add_phrases(matcher.table)
            elif isinstance(matcher, WordMatcher):
                words = pairs.words if words is None else words
                if isinstance(matcher, StemMatcher):  # one key per word: much faster
                    ready.add_stems(matcher.stems(words))
                else:
                    ready.add_keys(*_numbers(matcher, words))
            else:
                ready.add_given()
                candidates = candidates or [
                    [] for _ in range(pairs.systems * sum(refs))
                ]
                _collect(matcher, number, pairs, refs, candidates)
        try:
            as_meteor = self.aligner == "meteor"
            self.unsure = _core.align(
                pairs, ready, candidates, self.beam, threads or 0, as_meteor
            )
        except IndexError as error:
            message = f"{error}; phrase matches must lie inside both texts"
            raise InputError(message) from None


def align(
    hyp: str | Sequence[str],
    ref: str | Sequence[str],
    *,
    match: str = "exact",
    tokenize: str = "none",
    lowercase: bool = True,
    aligner: str = "beam",
    language: str = "en",
    synonyms: str = "",
    paraphrases: str = "",
    beam: int = 40,
    matchers: Sequence[Matcher] | None = None,
) -> Alignment:
    """Return the alignment of an output with a reference.

    Parameters
    ----------
    hyp, ref : str or sequence of str
        Texts, or their words.
    match, tokenize, lowercase, aligner, language, synonyms, paraphrases, beam, matchers
        As in :class:`Aligner`.

    Examples
    --------
    >>> alignment = align("the cats sat", "The cat sat down", match="exact+stem")
    >>> [(match.hyp, match.ref, match.matcher) for match in alignment]
    [(0, 0, 'exact'), (1, 1, 'stem'), (2, 2, 'exact')]
    >>> alignment.chunks, alignment.permutation()
    (1, (1, 2, 3))
    """
    made = Aligner(
        tokenize=tokenize,
        lowercase=lowercase,
        aligner=aligner,
        match=match,
        language=language,
        synonyms=synonyms,
        paraphrases=paraphrases,
        beam=beam,
        matchers=matchers,
    )
    words, other = _cut(hyp, tokenize), _cut(ref, tokenize)
    text = hyp if isinstance(hyp, str) else ""
    try:
        pairs = made.token_pairs([[words]], [[other]], systems=[[text]], threads=1)
    except UnicodeEncodeError:
        message = "a text has half of a surrogate pair, which is not a character"
        raise InputError(message) from None
    alignment = made.alignment(pairs)
    from dataclasses import replace

    return replace(alignment, hyp=tuple(words), ref=tuple(other))


def _cut(text: str | Sequence[str], tokenizer: str) -> list[str]:
    return tokenize([text], tokenizer)[0] if isinstance(text, str) else list(text)


def _numbers(matcher: WordMatcher, words: list[str]) -> tuple[list[int], list[int]]:
    """Return the keys of all words as numbers, and where those of each word start."""
    known: dict[Hashable, int] = {}
    word_keys = matcher.keys(words)
    if len(word_keys) != len(words):
        message = (
            f"matcher {matcher.name} gave keys for {len(word_keys)} of {len(words)} "
            "words; return one collection of keys per word"
        )
        raise InputError(message)
    first, numbers = [0], []
    for keys in word_keys:
        numbers += [known.setdefault(key, len(known)) for key in keys]
        first.append(len(numbers))
    return first, numbers


def _collect(
    matcher: PhraseMatcher,
    number: int,
    pairs: _core.Pairs,
    refs: Sequence[int],
    candidates: list[list[_Candidate]],
) -> None:
    """Add the candidates of each pair, in the order systems x references."""
    place = 0
    for system in range(pairs.systems):
        for segment, count in enumerate(refs):
            hyp = pairs.hyp(system, segment)
            for ref in range(count):
                matches = matcher.matches(hyp, pairs.ref(segment, ref))
                candidates[place] += _checked(matches, matcher.name, number, segment)
                place += 1


def _checked(
    matches: Iterable[tuple[int, int, int, int]], name: str, number: int, segment: int
) -> list[_Candidate]:
    out = []
    for match in matches:
        if len(match) != 4 or min(match) < 0:
            message = (
                f"matcher {name}, segment {segment}: {match!r} is not a match; return "
                "(first hyp word, how many, first ref word, how many)"
            )
            raise InputError(message)
        out.append((*match, number))
    return out


def _keep_given_links(
    pairs: _core.Pairs, systems: _Columns, refs: Sequence[Sequence[object]]
) -> None:
    for system, hyps in enumerate(systems):
        if set(map(type, hyps)) <= {str}:  # no text of this system comes with links
            continue
        for segment, hyp in enumerate(hyps):
            columns = given_links(hyp, len(refs[segment]), name=f"output {segment}")
            for ref, links in enumerate(columns or ()):
                try:
                    pairs.set_matches(system, segment, ref, to_matches(links))
                except (IndexError, TypeError):
                    message = (
                        f"links of output {segment} name words that it or its "
                        "reference does not have; count from 0 and use the same "
                        "tokeniser"
                    )
                    raise InputError(message) from None


@lru_cache(maxsize=8)
def _shared(settings: AlignerSettings) -> Aligner:
    return Aligner(**settings._asdict())


def aligner(
    *,
    tokenize: str = "none",
    lowercase: bool = True,
    aligner: str = "beam",
    match: str = "exact",
    language: str = "en",
    synonyms: str = "",
    paraphrases: str = "",
    beam: int = 40,
) -> Aligner:
    """Return the shared aligner with these settings."""
    settings = AlignerSettings(
        tokenize, lowercase, aligner, match, language, synonyms, paraphrases, beam
    )
    return _shared(settings)

# SPDX-License-Identifier: Apache-2.0
"""Matchers: which words or phrases of two texts may be aligned.

A word matcher gives each word keys; words match if they share one. A phrase
matcher returns candidate matches of a pair of texts. Any object with one of
the two methods is a matcher; :func:`register_matcher` gives one a name for
``match=exact+stem+NAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Protocol, TypeAlias, runtime_checkable

from tertium import _core
from tertium.errors import InputError, UnknownNameError

__all__ = [
    "BUILTIN_MATCHERS",
    "ExactMatcher",
    "Matcher",
    "ParaphraseMatcher",
    "PhraseMatcher",
    "StemMatcher",
    "SynonymMatcher",
    "WordMatcher",
    "check_resources",
    "make_matchers",
    "matcher_names",
    "register_matcher",
    "stemmer_name",
]

_CHUNK = 100_000

# Snowball's names by ISO 639-1 code.
_LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish",
    "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


@runtime_checkable
class WordMatcher(Protocol):
    """Matches words that share a key."""

    @property
    def name(self) -> str:
        """Its name in results."""

    def keys(self, words: Sequence[str]) -> Sequence[Iterable[Hashable]]:
        """Return the keys of each word; none for a word that matches nothing."""


@runtime_checkable
class PhraseMatcher(Protocol):
    """Returns candidate matches of a pair of texts."""

    @property
    def name(self) -> str:
        """Its name in results."""

    def matches(
        self, hyp: Sequence[str], ref: Sequence[str]
    ) -> Iterable[tuple[int, int, int, int]]:
        """Return (first hyp word, number, first ref word, number), counted from 0."""


class Lexicon(Protocol):
    """Has the meanings of words."""

    def keys(self, word: str) -> Iterable[Hashable]:
        """Return the synonym sets of a word."""


class ExactMatcher:
    """Matches equal words."""

    name = "exact"

    def keys(self, words: Sequence[str]) -> list[tuple[str]]:
        """Return the words themselves."""
        return [(word,) for word in words]


class StemMatcher:
    """Matches words with equal Snowball stems.

    Parameters
    ----------
    language : str
        Snowball's name or the ISO code: ``english`` or ``en``.

    Examples
    --------
    >>> StemMatcher("en").keys(["cats", "cat"])
    [('cat',), ('cat',)]
    """

    name = "stem"

    def __init__(self, language: str = "en") -> None:
        import Stemmer

        # Each type occurs once per batch, so the stemmer's own cache would not pay.
        self._stemmer = Stemmer.Stemmer(stemmer_name(language), 0)

    def keys(self, words: Sequence[str]) -> list[tuple[str]]:
        """Return the stem of each word."""
        return [(stem,) for stem in self.stems(words)]

    def stems(self, words: Sequence[str]) -> list[str]:
        """Return the stem of each word, without a tuple around it."""
        return list(self._stemmer.stemWords(words))


class SynonymMatcher:
    """Matches words that share a meaning in a lexicon.

    Parameters
    ----------
    lexicon
        Its ``keys(word)`` returns the synonym sets of a word, as
        :class:`tertium.text.wordnet.WordNet` does.
    """

    name = "synonym"

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: dict[str, tuple[Hashable, ...]] = {}

    def keys(self, words: Sequence[str]) -> list[tuple[Hashable, ...]]:
        """Return the synonym sets of each word."""
        known = self._known
        for word in words:
            if word not in known:
                known[word] = tuple(self._lexicon.keys(word))
        return [known[word] for word in words]


class ParaphraseMatcher:
    """Matches paraphrases of a table, in either direction.

    Parameters
    ----------
    pairs : iterable of (str, str)
        Phrases and their paraphrases, words separated by spaces; or a table that
        :func:`tertium.text.paraphrases.load_paraphrases` made.

    Examples
    --------
    >>> from tertium.align import align
    >>> table = ParaphraseMatcher([("a lot of", "many")])
    >>> align("many cats", "a lot of cats", matchers=[ExactMatcher(), table]).links()[2]
    Link(hyp=0, ref=2, weight=1.0, sure=True)
    """

    name = "paraphrase"

    def __init__(self, pairs: Iterable[tuple[str, str]] | _core.PhraseTable) -> None:
        if isinstance(pairs, _core.PhraseTable):  # already filled and closed
            self.table = pairs
            return
        self.table = _core.PhraseTable()
        pending = iter(pairs)
        while chunk := list(islice(pending, _CHUNK)):
            self.table.add(chunk)
        self.table.close()

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.table)


Matcher: TypeAlias = "WordMatcher | PhraseMatcher | ParaphraseMatcher"
_Factory: TypeAlias = "Callable[[str], Matcher]"

#: The names that need no registration.
BUILTIN_MATCHERS = ("exact", "stem", "synonym", "paraphrase")
_registered: dict[str, _Factory] = {}


def stemmer_name(language: str) -> str:
    """Return Snowball's name of a language given by name or ISO code.

    Examples
    --------
    >>> stemmer_name("de"), stemmer_name("German")
    ('german', 'german')
    """
    import Stemmer

    known = Stemmer.algorithms()
    name = _LANGUAGES.get(language.lower(), language.lower())
    if name not in known:
        codes = [code for code, full in _LANGUAGES.items() if full in known]
        raise UnknownNameError("language of stems", language, [*known, *codes])
    return name


def matcher_names() -> list[str]:
    """Return the names for ``match=``."""
    return [*BUILTIN_MATCHERS, *_registered]


def register_matcher(name: str, make: _Factory) -> None:
    """Register a custom matcher as ``match=exact+NAME``.

    Parameters
    ----------
    name : str
    make : callable
        Takes the language and returns the matcher.

    Raises
    ------
    InputError
        If the name is empty or taken.

    Examples
    --------
    >>> class Vowels:
    ...     name = "vowels"
    ...     def keys(self, words):
    ...         same = {ord(vowel): "a" for vowel in "eiou"}
    ...         return [(word.translate(same),) for word in words]
    >>> register_matcher("vowels", lambda language: Vowels())
    >>> from tertium.align import align
    >>> [match.matcher for match in align("cat cot", "cat cut", match="exact+vowels")]
    ['exact', 'vowels']
    """
    if not name or set(name) & set("+:,()* "):
        message = f"{name!r} is not a valid matcher name; use letters, digits and -"
        raise InputError(message)
    if name in matcher_names():
        message = f"matcher name {name!r} is taken; choose another"
        raise InputError(message)
    _registered[name] = make


def split_match(match: str) -> tuple[str, ...]:
    """Return the checked names of a ``match`` setting."""
    names = tuple(match.split("+"))
    for name in names:
        if name not in matcher_names():
            raise UnknownNameError("matcher", name, matcher_names())
        if names.count(name) > 1:
            message = f"matcher {name} is named twice in {match!r}; keep one"
            raise InputError(message)
    return names


def check_resources(match: str, *, synonyms: str = "", paraphrases: str = "") -> None:
    """Reject a resource that no matcher of a ``match`` setting would read."""
    names = split_match(match)
    resources = {"synonym": ("synonyms", synonyms)}
    resources["paraphrase"] = ("paraphrases", paraphrases)
    for name, (setting, path) in resources.items():
        if path and name not in names:
            message = (
                f"{setting}={path} is read by the matcher {name} only, and match is "
                f"{match}; write match={match}+{name}, or omit it"
            )
            raise InputError(message, options=(setting, "match"))


def make_matchers(
    match: str, *, language: str = "en", synonyms: str = "", paraphrases: str = ""
) -> list[Matcher]:
    """Return the matchers of a ``match`` setting such as ``exact+stem``.

    Resources are read once and then shared.
    """
    check_resources(match, synonyms=synonyms, paraphrases=paraphrases)
    made: list[Matcher] = []
    for name in split_match(match):
        if name == "exact":
            made.append(ExactMatcher())
        elif name == "stem":
            made.append(_stem_matcher(stemmer_name(language)))
        elif name == "synonym":
            english = language.lower() in ("en", "english")
            path = synonyms or ("auto" if english else "")
            made.append(_synonym_matcher(_path(name, "synonyms", path)))
        elif name == "paraphrase":
            made.append(_paraphrase_matcher(_path(name, "paraphrases", paraphrases)))
        else:
            made.append(_registered[name](language))
    return made


def _path(matcher: str, setting: str, value: str) -> str:
    if value:
        return value
    message = f"matcher {matcher} needs a resource; set {setting}=PATH"
    raise InputError(message, options=(setting,))


@lru_cache(maxsize=8)
def _stem_matcher(language: str) -> StemMatcher:
    return StemMatcher(language)


@lru_cache(maxsize=4)
def _synonym_matcher(path: str) -> SynonymMatcher:
    from tertium.text.wordnet import WordNet

    return SynonymMatcher(WordNet(path))


@lru_cache(maxsize=4)
def _paraphrase_matcher(path: str) -> ParaphraseMatcher:
    from tertium.text.paraphrases import load_paraphrases

    return ParaphraseMatcher(load_paraphrases(path))

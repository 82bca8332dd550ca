# SPDX-License-Identifier: Apache-2.0
"""What blocks over aligned words share: the aligner and the matchers it may use.

Blocks of a profile with the same settings share one alignment.
"""

from __future__ import annotations

from typing import ClassVar, TypedDict

from tertium import _core
from tertium.align.aligner import AlignerSettings, aligner
from tertium.align.matchers import split_match, stemmer_name
from tertium.data.batch import Batch, lone_surrogate
from tertium.errors import InputError
from tertium.learn.features.blocks import BlockBase, Resources
from tertium.learn.features.tables import TableReader
from tertium.text.tokenizers import NATIVE_TOKENIZERS

__all__ = ["AlignedBlock", "AlignerTable", "known_language", "language_matchers"]

#: What BEER 1.1 had for the languages it knew; all others match equal words.
_LANGUAGES = {
    "en": "exact+stem+synonym+paraphrase",
    "fr": "exact+stem+paraphrase",
    "de": "exact+stem+paraphrase",
    "es": "exact+stem+paraphrase",
    "ru": "exact+stem+paraphrase",
    "cs": "exact+paraphrase",
}
_RESOURCES = {"synonym": "synonyms", "paraphrase": "paraphrases"}


def language_matchers(language: str) -> str:
    """Return the matchers of BEER 1.1 for a language, by ISO code.

    Examples
    --------
    >>> language_matchers("cs"), language_matchers("hi")
    ('exact+paraphrase', 'exact')
    """
    return _LANGUAGES.get(language.lower(), "exact")


def known_language(language: str) -> bool:
    """Tell whether BEER 1.1 knew more of a language than its letters."""
    return language.lower() in _LANGUAGES


class AlignerTable(TypedDict, total=False):
    """The keys of a table that are the aligner's."""

    match: str
    language: str
    missing: str
    tokenize: str
    lowercase: bool


class AlignedBlock(BlockBase):
    """A block whose features are read off aligned words.

    Parameters
    ----------
    match : str
        Matchers such as ``exact+stem``, or ``language``: those that BEER 1.1 had for
        `language`.
    language : str
        The language of the texts; if empty, the one a user names.
    missing : {"error", "zero"}
        What happens to a matcher whose resource (synonyms, paraphrases) a user does
        not bring: an error, or it matches nothing. Nothing is looked for elsewhere,
        so that scores do not depend on the machine.
    tokenize : str
        The tokeniser.
    lowercase : bool
        Whether matchers ignore case, also where the profile does not.
    resources : Resources
        What the user brings; not part of the table.
    where : str
        File and table, for messages.
    """

    layers: tuple[str, ...] = ("links",)
    kind: ClassVar[str]

    def __init__(
        self,
        *,
        match: str = "exact",
        language: str = "",
        missing: str = "error",
        tokenize: str = "none",
        lowercase: bool = False,
        resources: Resources | None = None,
        where: str = "",
    ) -> None:
        self.resources = resources or Resources()
        self.where = where or self.kind
        self.missing = missing
        self.tokenize = tokenize
        self.lowercase = lowercase
        self.language = language or self.resources.language
        self.match = language_matchers(self.language) if match == "language" else match
        self._by_matchers = match == "language"
        try:
            self.matchers = split_match(self.match)
            if "stem" in self.matchers:
                stemmer_name(self.language or "en")
        except InputError as error:
            raise InputError(f"{self.where}: {error}") from None

    @property
    def uses(self) -> tuple[str, ...]:  # type: ignore[override]
        """The tables that its matchers need."""
        return tuple(_RESOURCES[name] for name in self.matchers if name in _RESOURCES)

    @staticmethod
    def read_aligner(reader: TableReader) -> AlignerTable:
        """Return the aligner's keys of a table."""
        return {
            "match": reader.text("match", "exact"),
            "language": reader.text("language", ""),
            "missing": reader.text("missing", "error", choices=("error", "zero")),
            "tokenize": reader.text("tokenize", "none", choices=NATIVE_TOKENIZERS),
            "lowercase": reader.flag("lowercase", False),
        }

    @property
    def settled(self) -> bool:
        """Whether what depends on the language cannot change any more."""
        return bool(self.language)

    def aligner_table(self, *, settled: bool) -> AlignerTable:
        """Return the aligner's keys, ``match=language`` resolved if it is settled."""
        return {
            "match": "language" if self._by_matchers and not settled else self.match,
            "language": self.language,
            "missing": self.missing,
            "tokenize": self.tokenize,
            "lowercase": self.lowercase,
        }

    @property
    def active(self) -> tuple[str, ...]:
        """The matchers that have what they need."""
        return tuple(
            name
            for name in self.matchers
            if name not in _RESOURCES or getattr(self.resources, _RESOURCES[name])
        )

    def pairs(self, batch: Batch, *, threads: int | None) -> _core.Pairs:
        """Return the texts, aligned by the matchers that are active."""
        active = self.active
        for name in self.matchers:
            if name not in active and self.missing == "error":
                setting = _RESOURCES[name]
                message = (
                    f"{self.where}: matcher {name} needs {setting}=PATH; give it, or "
                    'write missing = "zero" to do without'
                )
                raise InputError(message)
        if not active:
            message = f"{self.where}: no matcher has what it needs; add exact to match"
            raise InputError(message)
        paths = {
            setting: getattr(self.resources, setting)
            for name, setting in _RESOURCES.items()
            if name in active
        }
        settings = AlignerSettings(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            match="+".join(active),
            language=self.language or "en",
            **paths,
        )
        made = aligner(**settings._asdict())
        try:
            return batch.layer(
                ("aligned", settings),
                lambda: made.pairs(batch.systems, batch.nested, threads=threads),
            )
        except UnicodeEncodeError as error:
            raise lone_surrogate(batch.systems, batch.references) from error
        except (ValueError, IndexError) as error:
            raise InputError(f"{self.where}: {error}") from None

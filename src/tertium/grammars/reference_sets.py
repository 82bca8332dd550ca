# SPDX-License-Identifier: Apache-2.0
"""Where the references of a test item come from, and how sentences are built."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from tertium.automata.automaton import Automaton
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.gf.variables import parse_set, show_set
from tertium.grammars.template import Template
from tertium.grammars.tokens import bare, bare_tokens
from tertium.grammars.words import fold

__all__ = [
    "FixedReferenceSets",
    "Item",
    "ReferenceSets",
    "TemplateReferenceSets",
    "set_name",
]


class Item(Protocol):
    """A sentence of a test set."""

    @property
    def id(self) -> str:
        """Its name in files."""

    @property
    def template(self) -> str:
        """The template it was made from, or an empty string."""

    @property
    def set(self) -> str | Collection[str]:
        """The variable set, as codes or as text."""

    @property
    def source(self) -> str:
        """The sentence to translate."""

    @property
    def constructions(self) -> Sequence[str]:
        """The functions that make it; may be empty."""


class ReferenceSets(Protocol):
    """Gives every test item its set of references."""

    def set_name(self, codes: str | Collection[str]) -> str:
        """Return the name of a set, the same for all ways to write it."""

    def automaton(self, template: str, codes: str) -> Automaton:
        """Return the references of a variable set."""

    def of_source(self, template: str, codes: str, sentence: str) -> tuple[str, ...]:
        """Return the functions that make a source sentence."""

    def of_reference(
        self, template: str, codes: str, tokens: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the functions that make a reference."""


class FixedReferenceSets:
    """Sets of references without a grammar.

    Parameters
    ----------
    sets : dict of (template, set) to Automaton
        Templates may be empty strings; then the set is that of one segment. Names of
        sets mean nothing: ``1a,2b`` and ``2b,1a`` are different segments.

    Examples
    --------
    >>> ball = Automaton.from_sentences(["the ball is red"])
    >>> FixedReferenceSets({("", "1"): ball}).automaton("", "1") == ball
    True
    """

    def __init__(self, sets: Mapping[tuple[str, str], Automaton]) -> None:
        self._sets = dict(sets)

    def set_name(self, codes: str | Collection[str]) -> str:
        """Return a name as it is; only codes that are no text are put in order."""
        return codes if isinstance(codes, str) else set_name(codes)

    def automaton(self, template: str, codes: str) -> Automaton:
        """Return a set."""
        found = self._sets.get((template, codes))
        if found is None:
            kind = f"set of references of template {template!r}"
            known = [own for name, own in self._sets if name == template]
            raise UnknownNameError(kind, codes, known, most=8)
        return found

    def of_source(self, template: str, codes: str, sentence: str) -> tuple[str, ...]:  # noqa: ARG002
        """Return nothing: there is no grammar."""
        return ()

    def of_reference(
        self,
        template: str,  # noqa: ARG002
        codes: str,  # noqa: ARG002
        tokens: Sequence[str],  # noqa: ARG002
    ) -> tuple[str, ...]:
        """Return nothing: there is no grammar."""
        return ()


class TemplateReferenceSets:
    """References from templates, in one target language.

    Punctuation and the case of letters do not matter when a sentence is looked up:
    files for systems have capitals and full stops that grammars may lack.

    Parameters
    ----------
    templates : iterable of Template
    target : str, optional
        The target language; the first of each template by default.
    """

    def __init__(self, templates: Iterable[Template], target: str = "") -> None:
        self.templates: dict[str, Template] = {}
        for own in templates:
            if own.id in self.templates:
                message = f"two templates are called {own.id!r}; give one another id"
                raise InputError(message)
            self.templates[own.id] = own
        self._target = target
        self._folded: dict[tuple[str, str, str], dict[str, Automaton]] = {}

    def set_name(self, codes: str | Collection[str]) -> str:
        """Return the codes of a variable set in order."""
        return set_name(codes)

    def target(self, template: str) -> str:
        """Return the target language of a template."""
        own = self._template(template)
        if self._target and self._target not in own.targets:
            kind = f"target language of {template}"
            raise UnknownNameError(kind, self._target, own.targets)
        return self._target or own.targets[0]

    def automaton(self, template: str, codes: str) -> Automaton:
        """Return the references of a variable set."""
        language = self.target(template)
        return self._template(template).grammar.sentences(language, codes)

    def of_source(self, template: str, codes: str, sentence: str) -> tuple[str, ...]:
        """Return the functions that make a source sentence."""
        return self._accepting(
            template, self._template(template).source, codes, bare_tokens(sentence)
        )

    def of_reference(
        self, template: str, codes: str, tokens: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the functions that make a reference."""
        return self._accepting(template, self.target(template), codes, tokens)

    def _template(self, template: str) -> Template:
        found = self.templates.get(template)
        if found is None:
            kind = "template"
            raise UnknownNameError(kind, template, self.templates)
        return found

    def _accepting(
        self, template: str, language: str, codes: str, tokens: Sequence[str]
    ) -> tuple[str, ...]:
        key = (template, language, codes)
        if key not in self._folded:
            grammar = self._template(template).grammar
            own = grammar.constructions(language, parse_set(codes))
            self._folded[key] = {
                name: made.relabelled(lambda token: fold(bare(token)))
                for name, made in own.items()
            }
        folded = [fold(token) for token in tokens]
        return tuple(name for name, made in self._folded[key].items() if folded in made)


def set_name(codes: str | Collection[str]) -> str:
    """Return a variable set as text; a text that is no set stays as it is.

    Examples
    --------
    >>> set_name({"2b", "1a"}), set_name("2b, 1a"), set_name("segment 7")
    ('1a,2b', '1a,2b', 'segment 7')
    """
    if not isinstance(codes, str):
        return show_set(codes)
    try:
        return show_set(parse_set(codes))
    except InputError:
        return codes

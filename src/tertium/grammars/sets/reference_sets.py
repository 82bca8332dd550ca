# SPDX-License-Identifier: Apache-2.0
"""Reference sets of test items: from templates, or fixed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from tertium.automata.automaton import Automaton
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.authoring.template import Template
from tertium.grammars.gf.variables import parse_set, show_set
from tertium.grammars.search.tokens import bare, bare_tokens
from tertium.grammars.search.words import fold

__all__ = [
    "ANY",
    "FixedReferenceSets",
    "Item",
    "ReferenceSets",
    "TemplateReferenceSets",
    "set_name",
]


#: Stands for all variable sets of a template together.
ANY = "*"


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
    """Gives every test item its reference set."""

    def set_name(self, codes: str | Collection[str]) -> str:
        """Return the name of a set, the same for all ways to write it."""

    def automaton(self, template: str, codes: str) -> Automaton:
        """Return the reference set of a variable set."""

    def of_source(self, template: str, codes: str, sentence: str) -> tuple[str, ...]:
        """Return the functions that make a source sentence."""

    def of_reference(
        self, template: str, codes: str, tokens: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the functions that make a reference."""


class FixedReferenceSets:
    """Reference sets without a grammar.

    Parameters
    ----------
    sets : dict of (template, set) to Automaton
        Templates may be empty strings; then every set belongs to one segment. Set
        names have no structure: ``1a,2b`` and ``2b,1a`` are different segments.

    Examples
    --------
    >>> ball = Automaton.from_sentences(["the ball is red"])
    >>> FixedReferenceSets({("", "1"): ball}).automaton("", "1") == ball
    True
    """

    def __init__(self, sets: Mapping[tuple[str, str], Automaton]) -> None:
        self._sets = dict(sets)

    def set_name(self, codes: str | Collection[str]) -> str:
        """Return a name unchanged; a collection of codes is put in order."""
        return codes if isinstance(codes, str) else set_name(codes)

    def automaton(self, template: str, codes: str) -> Automaton:
        """Return a set."""
        automaton = self._sets.get((template, codes))
        if automaton is None:
            kind = f"reference set of template {template!r}"
            known = [label for name, label in self._sets if name == template]
            raise UnknownNameError(kind, codes, known, most=8)
        return automaton

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
    """Reference sets from templates, in one target language.

    Punctuation and case are ignored when a sentence is looked up: files for systems
    have capitals and full stops that grammars may lack. The set name :data:`ANY`
    stands for all variable sets of a template.

    Parameters
    ----------
    templates : iterable of Template
    target : str, optional
        The target language; the first of each template by default.
    """

    def __init__(self, templates: Iterable[Template], target: str = "") -> None:
        self.templates: dict[str, Template] = {}
        for template in templates:
            if template.id in self.templates:
                message = (
                    f"two templates are called {template.id!r}; rename one of them"
                )
                raise InputError(message)
            self.templates[template.id] = template
        self._target = target
        self._folded: dict[tuple[str, str, str], dict[str, Automaton]] = {}

    def set_name(self, codes: str | Collection[str]) -> str:
        """Return the codes of a variable set in order."""
        return set_name(codes)

    def target(self, template: str) -> str:
        """Return the target language of a template."""
        targets = self._template(template).targets
        if self._target and self._target not in targets:
            kind = f"target language of {template}"
            raise UnknownNameError(kind, self._target, targets)
        return self._target or targets[0]

    def automaton(self, template: str, codes: str) -> Automaton:
        """Return the reference set of a variable set."""
        language = self.target(template)
        grammar = self._template(template).grammar
        if codes == ANY:
            return grammar.sentences(language)
        return grammar.sentences(language, codes)

    def of_source(self, template: str, codes: str, sentence: str) -> tuple[str, ...]:
        """Return the functions that make a source sentence."""
        return self._accepting(
            template, self._template(template).source, codes, bare_tokens(sentence)
        )

    def of_reference(
        self, template: str, codes: str, tokens: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the functions that make a reference."""
        language = self.target(template)
        if codes != ANY:
            return self._accepting(template, language, codes, tokens)
        names = (
            name
            for each in self._template(template).grammar.sets(language)
            for name in self._accepting(template, language, show_set(each), tokens)
        )
        return tuple(dict.fromkeys(names))

    def _template(self, template: str) -> Template:
        if template not in self.templates:
            kind = "template"
            raise UnknownNameError(kind, template, self.templates)
        return self.templates[template]

    def _accepting(
        self, template: str, language: str, codes: str, tokens: Sequence[str]
    ) -> tuple[str, ...]:
        key = (template, language, codes)
        if key not in self._folded:
            grammar = self._template(template).grammar
            self._folded[key] = {
                name: made.relabelled(lambda token: fold(bare(token)))
                for name, made in grammar.constructions(
                    language, parse_set(codes)
                ).items()
            }
        folded = [fold(token) for token in tokens]
        return tuple(name for name, made in self._folded[key].items() if folded in made)


def set_name(codes: str | Collection[str]) -> str:
    """Return a variable set as text; text that is not a set is returned unchanged.

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

# SPDX-License-Identifier: Apache-2.0
"""The sentences of constructions, the languages of a template side by side.

A construction is a function of the grammar that makes a whole sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tertium._version import __version__
from tertium.data.lines import StrPath
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.authoring.catalogue import check_language, load_templates
from tertium.grammars.authoring.template import Template
from tertium.grammars.gf.variables import VariableSet
from tertium.grammars.sets.exchange import set_label
from tertium.grammars.sets.sentence_sets import parse_label

__all__ = ["ConstructionSentences", "Constructions", "show_constructions"]


@dataclass(frozen=True)
class ConstructionSentences:
    """The sentences that a construction makes in one language.

    Attributes
    ----------
    count : int
        How many there are.
    sentences : tuple of str
        The first of them.
    """

    count: int
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Constructions:
    """The constructions of a variable set.

    Attributes
    ----------
    template, set : str
        The template and the variable set.
    languages : tuple of str
        The languages that are shown.
    constructions : dict of str to dict of str to ConstructionSentences or None
        By construction and language; None where a language lacks the construction.
    """

    template: str
    set: str
    languages: tuple[str, ...]
    constructions: Mapping[str, Mapping[str, ConstructionSentences | None]]

    def to_json(self) -> dict[str, object]:
        """Return ``tertium``, ``template``, ``set`` and ``constructions``."""
        none = ConstructionSentences(0, ())
        return {
            "tertium": __version__,
            "template": self.template,
            "set": self.set,
            "constructions": {
                name: {
                    language: {
                        "count": (made or none).count,
                        "sentences": list((made or none).sentences),
                    }
                    for language, made in by_language.items()
                }
                for name, by_language in self.constructions.items()
            },
        }


def show_constructions(
    template: Template | StrPath,
    *,
    construction: str | None = None,
    set: str | None = None,  # noqa: A002 (the name of the flag)
    language: Sequence[str] | None = None,
    limit: int = 20,
    allow_outside: bool = False,
) -> Constructions:
    """Return the sentences of every construction of a variable set.

    Parameters
    ----------
    template : Template, str or path
        One template.
    construction : str, optional
        Only this construction.
    set : str, optional
        The variable set, such as ``1a,2b``; the first one by default.
    language : sequence of str, optional
        Which languages; source and targets by default.
    limit : int
        How many sentences per construction and language.
    allow_outside : bool
        Whether the template may read files outside its folder.

    Raises
    ------
    InputError
        When the name stands for several templates.
    UnknownNameError
        When the template has no such language, set or construction.

    Examples
    --------
    >>> result = show_constructions("size", language=["Eng"], limit=1)
    >>> result.template, result.set, result.languages
    ('size', '1a,2a,3a', ('Eng',))
    """
    (one, *others) = load_templates(template, allow_outside=allow_outside)
    if others:
        known = ", ".join(each.id for each in (one, *others))
        message = f"{template} has several templates ({known}); name one of them"
        raise InputError(message)
    for name in language or ():
        check_language([one], name)
    languages = tuple(language or one.languages)
    codes = _variable_set(one, set)
    return Constructions(
        one.id,
        set_label(codes),
        languages,
        _constructions(one, codes, languages, construction, limit),
    )


def _variable_set(template: Template, label: str | None) -> VariableSet:
    sets = dict.fromkeys(
        codes
        for language in template.languages
        for codes in template.grammar.sets(language)
    )
    if label is None:
        return next(iter(sets))
    codes = parse_label(label)
    if codes not in sets:
        raise UnknownNameError("variable set", label, map(set_label, sets), most=8)
    return codes


def _constructions(
    template: Template,
    codes: VariableSet,
    languages: Sequence[str],
    only: str | None,
    limit: int,
) -> dict[str, dict[str, ConstructionSentences | None]]:
    grammar = template.grammar
    made = {
        language: {
            name: ConstructionSentences(
                automaton.count,
                tuple(" ".join(tokens) for tokens in islice(automaton, limit)),
            )
            for name, automaton in grammar.constructions(language, codes).items()
            if only in (None, name)
        }
        if codes in grammar.sets(language)
        else {}
        for language in languages
    }
    names = dict.fromkeys(name for by_name in made.values() for name in by_name)
    if only is not None and not names:
        known = dict.fromkeys(
            name
            for language in languages
            if codes in grammar.sets(language)
            for name in grammar.constructions(language, codes)
        )
        raise UnknownNameError("construction of this set", only, known)
    return {
        name: {language: made[language].get(name) for language in languages}
        for name in names
    }

# SPDX-License-Identifier: Apache-2.0
"""What is wrong, or looks wrong, with a template.

Syntax, names and types are checked when a grammar is read, and are errors there.
Here is what needs the sentences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tertium.grammars.authoring.bundled import FILE
from tertium.grammars.authoring.samples import Sample, accepts, where_it_stops
from tertium.grammars.gf.variables import VariableSet, show_set
from tertium.grammars.morphology.base import BatchAnalyser
from tertium.grammars.search.tokens import bare_tokens

if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.grammars.authoring.template import Template
    from tertium.grammars.gf.grammar import Grammar

__all__ = ["Finding", "TokenAnalyser", "check_template"]


class TokenAnalyser(Protocol):
    """Anything that analyses words."""

    def analyse(self, token: str, /) -> Collection[object]:
        """Return the analyses of a token, none if it is unknown."""


@dataclass(frozen=True)
class Finding:
    """Something wrong with a template.

    Attributes
    ----------
    severity : {"error", "warning"}
        Whether it must be fixed.
    code : str
        Its kind, such as ``sample-rejected``.
    where : str
        A file with a line, or a language with a variable set.
    message, cure : str
        What is wrong, and how to fix it.
    excerpt : str
        The line in question with a caret below, or an empty string.
    options : tuple of str
        Arguments that are a cure, as in :class:`tertium.InputError`.
    """

    severity: str
    code: str
    where: str
    message: str
    cure: str
    excerpt: str = ""
    options: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, str]:
        """Return ``severity``, ``code``, ``where``, ``message`` and ``cure``."""
        return {
            "severity": self.severity,
            "code": self.code,
            "where": self.where,
            "message": self.message,
            "cure": self.cure,
        }

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.message}; {self.cure}"


def check_template(
    template: Template,
    analyser: TokenAnalyser | Mapping[str, TokenAnalyser] | None = None,
) -> list[Finding]:
    """Return what is wrong with a template, errors first.

    Parameters
    ----------
    template : Template
        What :func:`tertium.grammars.authoring.template.load_template` returned.
    analyser : TokenAnalyser or mapping, optional
        Of the target language, or by language; unknown tokens are reported.

    Returns
    -------
    list of Finding
        Empty if nothing is wrong.
    """
    analysers: Mapping[str, TokenAnalyser]
    if analyser is None or isinstance(analyser, Mapping):
        analysers = analyser or {}
    else:
        analysers = dict.fromkeys(template.targets, analyser)
    findings = [
        *_of_the_grammar(template.grammar),
        *_sets(template),
        *_prototype(template),
        *_samples(template),
        *_single_expressions(template),
        *_small_sets(template),
        *_unknown_tokens(template, analysers),
    ]
    return sorted(findings, key=lambda finding: finding.severity != "error")


def _of_the_grammar(grammar: Grammar) -> Iterator[Finding]:
    for warning in grammar.warnings:
        where = str(warning.at or warning.path)
        yield Finding("warning", "grammar", where, warning.what, warning.cure)


def _place(language: str, codes: VariableSet) -> str:
    return f"{language} {{{show_set(codes)}}}"


def _sets(template: Template) -> Iterator[Finding]:
    """Find sets of one language only, and sets without a sentence."""
    sets = {one: template.grammar.sets(one) for one in template.languages}
    every = dict.fromkeys(codes for by_codes in sets.values() for codes in by_codes)
    for codes in every:
        has = [one for one, by_codes in sets.items() if codes in by_codes]
        for language in template.languages:
            if language in has:
                continue
            lacking = _lacking(template.grammar, language, codes)
            yield Finding(
                "error",
                "set-in-one-language",
                _place(language, codes),
                f"{' and '.join(has)} can express the set, {language} cannot",
                f"write lin for {' or '.join(lacking)} in {language}"
                if lacking
                else f"give {language} a construction for these values",
            )
    for language, by_codes in sets.items():
        for codes, automaton in by_codes.items():
            if not automaton:
                yield Finding(
                    "error",
                    "empty-set",
                    _place(language, codes),
                    "there is no sentence in the set",
                    "every sentence has a form that is nonExist; write another form",
                )
            elif automaton.finals[0]:
                yield Finding(
                    "warning",
                    "empty-sentence",
                    _place(language, codes),
                    "a sentence of the set has no token",
                    "look for a construction that is [] throughout",
                )


def _lacking(grammar: Grammar, language: str, codes: VariableSet) -> list[str]:
    """Return functions of the set that the language has no lin for."""
    available = set(grammar.available(language))
    return [
        function.name
        for code in sorted(codes)
        for function in grammar.functions(code)
        if function.name not in available
    ]


def _prototype(template: Template) -> Iterator[Finding]:
    """Find a prototype that no language of the template has."""
    sets = {one: template.grammar.sets(one) for one in template.languages}
    automata = list(sets[template.source].values())
    sentence = template.prototype
    if not automata or not list(bare_tokens(sentence)):
        return
    if not any(
        accepts(one, sentence) for some in sets.values() for one in some.values()
    ):
        yield Finding(
            "error",
            "prototype-rejected",
            str(template.folder / FILE),
            f"{template.source} does not accept the prototype {sentence!r}",
            _rejected(sentence, automata),
        )


def _samples(template: Template) -> Iterator[Finding]:
    for language, samples in template.samples.items():
        sets = template.grammar.sets(language)
        for sample in (*samples.positive, *samples.negative):
            if sample.codes is not None and sample.codes not in sets:
                yield Finding(
                    "error",
                    "sample-without-set",
                    _line(sample),
                    f"{language} has no variable set {show_set(sample.codes)!r}",
                    "write one of its sets, or none",
                )
        for sample in samples.positive:
            automata = _asked(sample, sets)
            if automata and not any(accepts(one, sample.sentence) for one in automata):
                yield Finding(
                    "error",
                    "sample-rejected",
                    _line(sample),
                    f"{language} does not accept {sample.sentence!r}",
                    _rejected(sample.sentence, automata),
                )
        for sample in samples.negative:
            hits = [
                codes
                for codes, one in sets.items()
                if sample.codes in (None, codes) and accepts(one, sample.sentence)
            ]
            if hits:
                yield Finding(
                    "error",
                    "sample-accepted",
                    _line(sample),
                    f"{_place(language, hits[0])} accepts {sample.sentence!r}",
                    "fix " + _makers(template.grammar, language, hits[0], sample),
                )


def _line(sample: Sample) -> str:
    return f"{sample.path}:{sample.line}"


def _asked(sample: Sample, sets: Mapping[VariableSet, Automaton]) -> list[Automaton]:
    return [one for codes, one in sets.items() if sample.codes in (None, codes)]


def _rejected(sentence: str, sets: list[Automaton]) -> str:
    """Return how far the sentence is accepted, by the set that accepts most of it."""
    read, follows = max(
        (where_it_stops(one, sentence) for one in sets),
        key=lambda stop: len(stop[0]),
    )
    shown = ", ".join(follows[:5]) + (", ..." if follows[5:] else "")
    after = f"after {read!r}" if read else "at its beginning"
    return f"{after} the grammar has {shown or 'the end of the sentence'}"


def _makers(grammar: Grammar, language: str, codes: VariableSet, sample: Sample) -> str:
    made = grammar.constructions(language, codes)
    names = [name for name, one in made.items() if accepts(one, sample.sentence)]
    return f"{' and '.join(names)}, or remove the sample"


def _single_expressions(template: Template) -> Iterator[Finding]:
    """Find values with a single source expression, which recurs in all sources."""
    grammar = template.grammar
    codes = dict.fromkeys(one.code for one in grammar.functions() if one.code)
    for code in codes:
        if grammar.expressions(template.source, code) == 1:
            names = " and ".join(one.name for one in grammar.functions(code))
            yield Finding(
                "warning",
                "single-expression",
                f"{template.source} {code}",
                f"{names} has a single expression, which will recur in all sources",
                "add a synonym if there is one",
            )


def _small_sets(template: Template) -> Iterator[Finding]:
    for language in template.targets:
        for codes, automaton in template.grammar.sets(language).items():
            if 0 < automaton.count < template.minimum:
                yield Finding(
                    "warning",
                    "small-set",
                    _place(language, codes),
                    f"there are {automaton.count} references, fewer than "
                    f"{template.minimum}",
                    "add paraphrases, or lower `minimum`",
                )


def _unknown_tokens(
    template: Template, analysers: Mapping[str, TokenAnalyser]
) -> Iterator[Finding]:
    for language in template.targets:
        if language not in analysers:
            continue
        analyser = analysers[language]
        tokens = sorted(
            {
                token
                for automaton in template.grammar.sets(language).values()
                for token in bare_tokens(automaton.symbols)
                if any(character.isalnum() for character in token)
            }
        )
        # A program is started once for all of them.
        analyses: Sequence[Collection[object]]
        if isinstance(analyser, BatchAnalyser):
            analyses = analyser.analyse_many(tokens)
        else:
            analyses = [analyser.analyse(token) for token in tokens]
        for token, readings in zip(tokens, analyses, strict=True):
            if not readings:
                yield Finding(
                    "warning",
                    "unknown-token",
                    language,
                    f"the analyser does not know {token!r}",
                    "look for a typo, or add the word to the analyser's lexicon",
                )

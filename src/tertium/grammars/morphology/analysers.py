# SPDX-License-Identifier: Apache-2.0
"""The analysers that templates name, one or several combined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from tertium.errors import UntrustedError
from tertium.grammars.authoring.bundled import FILE
from tertium.grammars.authoring.template import Template
from tertium.grammars.morphology import Analyser, Analysis, load_analyser
from tertium.grammars.morphology.base import NoAnalyser, analyse_all
from tertium.grammars.morphology.features import unique

__all__ = ["JoinedAnalyser", "analyser_spec", "choose_analyser", "template_analyser"]

#: Analysers whose text after the colon is a file beside the template.
_OF_FILES = ("tsv", "unimorph", "udpipe")
#: Analysers that run code: a program, or what a model brings with it (pickles).
_RUN_CODE = {
    "command": "start a program",
    "spacy": "run the code of a model",
    "stanza": "run the code of a model",
}


class JoinedAnalyser:
    """Several analysers as one: a word has the readings of all of them.

    Templates bring lexicons of their words; a test set of several templates needs all.

    Parameters
    ----------
    analysers : sequence of Analyser
        Of one language.
    """

    def __init__(self, analysers: Sequence[Analyser]) -> None:
        self._analysers = tuple(analysers)
        self.name = "+".join(dict.fromkeys(one.name for one in analysers))
        self.language = next((one.language for one in analysers if one.language), "")
        # One that knows the language can tell which words it lacks.
        self.closed = all(getattr(one, "closed", False) for one in analysers)

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        """Return the readings of a token."""
        return self.analyse_many([token])[0]

    def analyse_many(self, tokens: Sequence[str]) -> list[tuple[Analysis, ...]]:
        """Return the readings of every token, by one run of each program."""
        readings = [analyse_all(one, tokens) for one in self._analysers]
        return [unique(chain.from_iterable(of)) for of in zip(*readings, strict=True)]


def analyser_spec(template: Template, language: str) -> str:
    """Return the analyser spec of a language, with its files relative to the template.

    Raises
    ------
    UntrustedError
        If it would run code, or read a file outside the template's folder, and whoever
        loaded the template has not allowed that.

    Examples
    --------
    >>> from tertium.grammars.gf.grammar import parse_grammar
    >>> grammar = parse_grammar('''
    ... abstract Hello = { flags startcat = S ; cat S ; fun Greet : S ; }
    ... concrete HelloFin of Hello = { lincat S = Str ; lin Greet = "hei" ; }''')
    >>> template = Template("hello", "", "Eng", ("Fin",), grammar)
    >>> analyser_spec(template, "Fin")
    'none'
    """
    spec = template.analysers.get(language, "none")
    kind, _, rest = spec.partition(":")
    if kind in _RUN_CODE and not template.allow_commands:
        message = (
            f"the analyser of {language} would {_RUN_CODE[kind]} ({spec!r}); read the "
            "template and allow it with allow_commands=True, or choose another analyser"
        )
        raise UntrustedError(
            message,
            path=str(template.folder / FILE),
            options=("allow_commands", "analyser"),
        )
    if kind in _OF_FILES and rest:
        return f"{kind}:{template.file(rest)}"
    return spec


def choose_analyser(
    analyser: Analyser | str | None, templates: Sequence[Template], language: str = ""
) -> Analyser:
    """Return an analyser: as asked for, or that of the templates.

    Parameters
    ----------
    analyser : Analyser, str or None
        A spec as :func:`tertium.grammars.load_analyser` takes it, or None for what
        the templates name.
    templates : sequence of Template
        May be empty; then words are not analysed by default.
    language : str
        A target language; the first of each template by default.

    Examples
    --------
    >>> choose_analyser(None, []).name
    'none'
    """
    if isinstance(analyser, str):
        return load_analyser(analyser)
    if analyser is not None:
        return analyser
    return template_analyser(templates, language) if templates else NoAnalyser()


def template_analyser(templates: Iterable[Template], language: str = "") -> Analyser:
    """Return the analyser of templates: all that they name for the language.

    Parameters
    ----------
    templates : iterable of Template
        At least one.
    language : str
        A target language; the first of each template by default.
    """
    specs = dict.fromkeys(
        analyser_spec(one, language or one.targets[0]) for one in templates
    )
    loaded = [load_analyser(spec) for spec in specs if spec != "none"]
    if not loaded:
        return NoAnalyser()
    return loaded[0] if len(loaded) == 1 else JoinedAnalyser(loaded)

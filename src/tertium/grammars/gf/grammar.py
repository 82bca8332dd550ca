# SPDX-License-Identifier: Apache-2.0
"""A grammar: what it says in each language for each set of semantic variables."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from tertium.automata.automaton import Automaton
from tertium.automata.diagram import Diagram
from tertium.automata.expressions import Expression, choice
from tertium.errors import UnknownNameError
from tertium.grammars.authoring.bundled import root_of
from tertium.grammars.gf.abstracts import AbstractGrammar, TreeFunction
from tertium.grammars.gf.checking import ConcreteGrammar, check_modules
from tertium.grammars.gf.modules import Modules, read_folder, read_texts
from tertium.grammars.gf.packing import Packing
from tertium.grammars.gf.problems import GrammarError, Source
from tertium.grammars.gf.variables import VariableSet, parse_set, show_set

__all__ = ["Grammar", "load_grammar", "parse_grammar"]


class Grammar:
    """A paraphrase grammar: one abstract part, and a concrete one per language.

    Make it with :func:`load_grammar` or :func:`parse_grammar`. Languages have the
    names of their concrete modules without that of the abstract one: ``Fin`` for
    ``HaveFin``. Automata are made when they are first asked for.

    Attributes
    ----------
    name : str
        The name of the abstract module.
    languages : tuple of str
        The languages, in the order of the files.
    warnings : tuple of GrammarError
        What looks wrong but need not be.
    """

    def __init__(
        self,
        abstract: AbstractGrammar,
        concretes: Sequence[ConcreteGrammar],
        warnings: Iterable[GrammarError] = (),
    ) -> None:
        self.abstract = abstract
        self.name = abstract.name
        self.concretes = {one.language: one for one in concretes}
        self.languages = tuple(self.concretes)
        self.warnings = tuple(warnings)
        self._packings = {one.language: Packing(abstract, one) for one in concretes}
        # One a language: sets share most of their sentences' ends.
        self._diagrams = {one.language: Diagram() for one in concretes}
        self._automata: dict[str, dict[VariableSet, Automaton]] = {}
        self._constructions: dict[tuple[str, VariableSet], dict[str, Automaton]] = {}

    def __repr__(self) -> str:
        languages = ", ".join(self.languages)
        return f"<Grammar {self.name}: {languages}; {self.trees:,} trees>"

    # -------------------------------------------------------------------- trees

    @cached_property
    def tree_counts(self) -> dict[VariableSet, int]:
        """The number of trees of each variable set, in any language."""
        counts = self.abstract.tree_counts()
        return {codes: counts[codes] for codes in sorted(counts, key=_order)}

    @property
    def trees(self) -> int:
        """The number of trees; those with two values of one variable are none."""
        return sum(self.tree_counts.values())

    def functions(self, code: str | None = None) -> list[TreeFunction]:
        """Return the functions, or those of one value of a semantic variable."""
        every = self.abstract.functions.values()
        return [one for one in every if code is None or one.code == code]

    def available(self, language: str) -> list[str]:
        """Return the functions that a language has a ``lin`` for."""
        lins = self.concretes[self._language(language)].lins
        return [name for name in self.abstract.functions if name in lins]

    # ---------------------------------------------------------------- sentences

    def sets(self, language: str) -> dict[VariableSet, Automaton]:
        """Return the sentences of each variable set that the language can say.

        An automaton is empty if all sentences of the set hold a form that does not
        exist.
        """
        language = self._language(language)
        if language not in self._automata:
            packed = self._packings[language].constructions
            self._automata[language] = {
                codes: self._automaton(language, packed[codes].values())
                for codes in sorted(packed, key=_order)
            }
        return self._automata[language]

    def sentences(
        self, language: str, codes: VariableSet | str | None = None
    ) -> Automaton:
        """Return the sentences of one variable set, or of all together."""
        if codes is not None:
            return self.sets(language)[self._set(language, codes)]
        packed = self._packings[self._language(language)].constructions
        parts = [one for functions in packed.values() for one in functions.values()]
        return self._automaton(self._language(language), parts)

    def constructions(
        self, language: str, codes: VariableSet | str
    ) -> dict[str, Automaton]:
        """Return the sentences of each function of the start category.

        Functions without a ``lin`` in the language, or without a tree in the set,
        are left out.
        """
        language = self._language(language)
        codes = self._set(language, codes)
        key = (language, codes)
        if key not in self._constructions:
            packed = self._packings[language].constructions[codes]
            self._constructions[key] = {
                name: self._automaton(language, [expression])
                for name, expression in packed.items()
            }
        return self._constructions[key]

    def accepting(
        self, language: str, codes: VariableSet | str, sentence: str | Sequence[str]
    ) -> tuple[str, ...]:
        """Return the functions of the start category that make a sentence."""
        made = self.constructions(language, codes)
        return tuple(name for name, automaton in made.items() if sentence in automaton)

    def expressions(self, language: str, code: str) -> int:
        """Return how many ways a language has to say a value of a variable.

        The largest number of different texts at one place of the values that the
        functions with this code make, such as the nominatives of all synonyms.
        """
        language = self._language(language)
        return max(
            (
                self._automaton(language, [expression]).count
                for expression in self._packings[language].sayings(code)
            ),
            default=0,
        )

    # ------------------------------------------------------------------ looking

    def _automaton(self, language: str, expressions: Iterable[Expression]) -> Automaton:
        diagram = self._diagrams[language]
        try:
            state = diagram.glued(diagram.add(choice(expressions)))
            return Automaton.from_diagram(diagram, state)
        except RecursionError:
            raise GrammarError(
                "a sentence is too long to compile (several hundred tokens)",
                "write shorter sentences",
                at=self.concretes[language].at,
            ) from None

    def _language(self, language: str) -> str:
        if language in self.concretes:
            return language
        for one in self.concretes.values():
            if one.name == language:
                return one.language
        kind = "language"
        raise UnknownNameError(kind, language, self.languages)

    def _set(self, language: str, codes: VariableSet | str) -> VariableSet:
        wanted = parse_set(codes) if isinstance(codes, str) else frozenset(codes)
        known = self._packings[self._language(language)].constructions
        if wanted not in known:
            kind = f"variable set of {language}"
            sets = map(show_set, known)
            raise UnknownNameError(kind, show_set(wanted), sets, most=8)
        return wanted


def load_grammar(
    path: Path | str, *, root: Path | str | None = None, allow_outside: bool = False
) -> Grammar:
    """Read the grammar in a folder, or the one whose abstract module is in a file.

    As long as its files do not change, it is made only once.

    Parameters
    ----------
    path : Path or str
        A folder of ``.gf`` files with one abstract module, or the file of it.
    root : Path or str, optional
        The folder that all its files must lie in, those named by ``-path`` included;
        by default its own.
    allow_outside : bool
        Whether files may lie anywhere.

    Returns
    -------
    Grammar
        The checked grammar.

    Raises
    ------
    GrammarError
        If something is wrong; the message shows where, and the cure.
    MissingExtraError
        If the parser is not installed.
    """
    path = Path(path)
    folder = path if path.is_dir() else path.parent
    modules = read_folder(path, root_of(folder, root, allow_outside=allow_outside))
    sources = tuple((one.name.text, one.at.source) for one in modules)
    if sources not in _recent:
        _recent[sources] = _made(modules)
    _recent.move_to_end(sources)
    if len(_recent) > _MOST_RECENT:
        _recent.popitem(last=False)
    return _recent[sources]


#: Grammars by the names and texts of their modules, the last one used at the end.
_recent: OrderedDict[tuple[tuple[str, Source], ...], Grammar] = OrderedDict()
_MOST_RECENT = 16


def parse_grammar(texts: Mapping[str, str] | str) -> Grammar:
    """Read a grammar from texts, each with the name of a file.

    Examples
    --------
    >>> grammar = parse_grammar('''
    ... abstract Hello = { flags startcat = S ; cat S ; fun Greet : S ; }
    ... concrete HelloEng of Hello = {
    ...   lincat S = Str ;
    ...   lin Greet = ("hello" | "good" ++ ("morning" | "day")) ++ "world" ;
    ... }''')
    >>> grammar.sentences("Eng")[0]
    ('good', 'day', 'world')
    """
    named = {"grammar.gf": texts} if isinstance(texts, str) else dict(texts)
    return _made(read_texts(named))


def _made(modules: Modules) -> Grammar:
    try:
        abstract, concretes = check_modules(modules)
        return Grammar(abstract, concretes, modules.problems.warnings)
    except RecursionError:
        from tertium.grammars.gf.reading import NESTED

        raise GrammarError(*NESTED, at=modules.abstract.at) from None


def _order(codes: VariableSet) -> tuple[tuple[int, str], ...]:
    return tuple(
        (int(code.rstrip("abcdefghijklmnopqrstuvwxyz")), code)
        for code in show_set(codes).split(",")
        if code
    )

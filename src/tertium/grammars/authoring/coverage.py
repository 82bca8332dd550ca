# SPDX-License-Identifier: Apache-2.0
"""Human translations that a grammar rejects: the coverage of reference sets.

The share of independent human translations that a reference set contains estimates
its recall (Nieminen 2018, equation 7). Every other translation is corrected into the
set, and the edits show what is missing (see :mod:`tertium.grammars.authoring.causes`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tertium._version import __version__
from tertium.automata.automaton import Automaton
from tertium.data.lines import StrPath
from tertium.errors import InputError
from tertium.grammars.authoring.catalogue import Templates, load_templates
from tertium.grammars.authoring.causes import Cause, Rejected, Translation, find_causes
from tertium.grammars.authoring.samples import read_samples
from tertium.grammars.gf.variables import show_set
from tertium.grammars.morphology.analysers import choose_analyser
from tertium.grammars.morphology.base import Analyser
from tertium.grammars.search.edits import PROFILES, EditCosts
from tertium.grammars.search.matching import Matcher
from tertium.grammars.search.words import Lexis
from tertium.grammars.sets.exchange import as_paths
from tertium.grammars.sets.reference_sets import ANY
from tertium.grammars.sets.testset import (
    GrammarTestset,
    Sources,
    Systems,
    read_grammar_testset,
    read_systems,
    with_template_references,
)

__all__ = ["Coverage", "Share", "Translation", "cover", "measure_coverage"]


@dataclass(frozen=True)
class Share:
    """How many translations of a template, or by a translator, are accepted."""

    template: str
    accepted: int
    total: int

    @property
    def share(self) -> float:
        """The share of accepted translations: an estimate of recall."""
        return self.accepted / self.total

    def to_dict(self) -> dict[str, object]:
        """Return ``accepted``, ``total`` and ``share``."""
        return {"accepted": self.accepted, "total": self.total, "share": self.share}


@dataclass(frozen=True)
class Coverage:
    """Which translations are accepted, and why the others are not.

    Attributes
    ----------
    shares : tuple of Share
        By template.
    people : tuple of Share
        The same by translator; `template` is then the name of the translator.
    causes : tuple of Cause
        Those that alone keep out the most translations come first.
    rejected : tuple of Rejected
        In the order given.
    analyser : str
        Name and version.
    notes : tuple of str
        What reference files contain and the reference sets do not.
    """

    shares: tuple[Share, ...]
    people: tuple[Share, ...]
    causes: tuple[Cause, ...]
    rejected: tuple[Rejected, ...]
    analyser: str
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> Share:
        """All templates together."""
        return Share(
            "all",
            sum(share.accepted for share in self.shares),
            sum(share.total for share in self.shares),
        )

    def to_json(self) -> dict[str, object]:
        """Return the whole coverage as a JSON object.

        Keys: ``tertium`` (version), ``analyser``, ``total``, ``templates`` and
        ``people`` (shares), ``causes`` (with the places of their translations in
        ``rejected``) and ``rejected``.
        """
        places = {id(one): place for place, one in enumerate(self.rejected)}
        return {
            "tertium": __version__,
            "analyser": self.analyser,
            "total": self.total.to_dict(),
            "templates": {one.template: one.to_dict() for one in self.shares},
            "people": {one.template: one.to_dict() for one in self.people},
            "causes": [
                {
                    "template": cause.template,
                    "kind": cause.kind,
                    "hyp": cause.hyp,
                    "ref": cause.ref,
                    "alone": cause.alone,
                    "proposal": cause.proposal,
                    "rejected": [places[id(one)] for one in cause.rejected],
                }
                for cause in self.causes
            ],
            "rejected": [one.to_dict() for one in self.rejected],
        }


def measure_coverage(
    systems: Systems | None = None,
    templates: Templates = (),
    *,
    sentences: StrPath | None = None,
    references: StrPath | Sequence[StrPath] = (),
    testset: Sources | None = None,
    target: str = "",
    input_format: str = "auto",
    analyser: Analyser | str | None = None,
    costs: EditCosts | str = "default",
    allow_commands: bool = False,
    allow_outside: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Coverage:
    """Return which human translations reference sets contain, and what others lack.

    Parameters
    ----------
    systems : mapping of name to path or translations, or sequence, optional
        Correct translations of the test set, by people who have not seen the grammar.
    sentences : path, optional
        Instead of `systems` and `testset`: a file with one sentence per line for one
        template, optionally preceded by a variable set and a tab.
    templates, references, testset, target, input_format
        As in :func:`tertium.evaluate`.
    analyser, costs, allow_commands, allow_outside, threads
        As in :func:`tertium.evaluate`.
    progress : callable, optional
        Called with how many translations are done.

    Raises
    ------
    InputError
        When translations, references and test set do not fit together.

    Examples
    --------
    >>> from tertium.grammars import SourceSentence
    >>> sentence = SourceSentence("1", "size", "1a,2a,3a", "The digger is enormous.")
    >>> people = {"Ann": ["Kaivuri on valtava, mutta liikkuu hyvin tarkasti."]}
    >>> measure_coverage(people, "size", testset=[sentence]).total.share
    1.0
    """
    if (sentences is None) == (systems is None):
        message = "give either translations of a test set or a list of sentences"
        raise InputError(message, options=("systems", "sentences"))
    if sentences is not None:
        if as_paths(references) or testset is not None:
            message = (
                "a list of sentences belongs to a template; omit reference files and "
                "test set"
            )
            raise InputError(message, options=("references", "testset"))
        loaded = load_templates(
            templates, allow_commands=allow_commands, allow_outside=allow_outside
        )
        if len(loaded) != 1:
            message = f"a list of sentences belongs to one template, not {len(loaded)}"
            raise InputError(f"{message}; name one")
        data = with_template_references([], loaded, target)
        translations = _from_list(sentences, loaded[0].id)
    else:
        data = read_grammar_testset(
            templates,
            references=references,
            testset=testset,
            target=target,
            input_format=input_format,
            allow_commands=allow_commands,
            allow_outside=allow_outside,
        )
        translations = _from_people(systems or (), data)
    coverage = cover(
        translations,
        data.references.automaton,
        analyser=choose_analyser(analyser, data.templates, data.target),
        costs=EditCosts.read(costs) if isinstance(costs, str) else costs,
        constructions=data.references.of_reference,
        threads=threads,
        progress=progress,
    )
    return replace(coverage, notes=data.notes)


def _from_people(systems: Systems, data: GrammarTestset) -> list[Translation]:
    return [
        Translation(text, segment.template, segment.set, name, segment.id)
        for name, texts in read_systems(systems, data.segments).items()
        for segment, text in zip(data.segments, texts, strict=True)
    ]


def _from_list(path: StrPath, template: str) -> list[Translation]:
    samples = read_samples(Path(path))
    if not samples:
        raise InputError(f"{path} has no sentence; write one per line")
    return [
        Translation(
            sample.sentence,
            template,
            ANY if sample.codes is None else show_set(sample.codes),
            Path(sample.path).stem,
            f"{sample.path}:{sample.line}",
        )
        for sample in samples
    ]


def cover(
    translations: Iterable[Translation],
    references: Callable[[str, str], Automaton],
    *,
    analyser: Analyser | Lexis | None = None,
    costs: EditCosts = PROFILES["default"],
    constructions: Callable[[str, str, Sequence[str]], tuple[str, ...]] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Coverage:
    """Return which translations reference sets contain, and what the others lack.

    Parameters
    ----------
    translations : iterable of Translation
        Correct translations, by people who have not seen the set.
    references : callable
        Returns the reference set of a template and variable set.
    analyser : Analyser or Lexis, optional
        Where the readings of words come from; without it, most edits are ``sub``.
    costs : EditCosts
        What edits cost.
    constructions : callable, optional
        Returns the functions that make a sentence of a template and variable set.
    threads : int, optional
        All cores by default.
    progress : callable, optional
        Called with how many translations are done.

    Raises
    ------
    InputError
        When there is no translation.

    Examples
    --------
    >>> ball = Automaton.from_sentences(["the ball is red", "a ball is red"])
    >>> coverage = cover(
    ...     [Translation("The ball is red.", "ball", ""),
    ...      Translation("The sphere is red.", "ball", "")],
    ...     lambda template, codes: ball,
    ... )
    >>> coverage.total.share, coverage.causes[0].proposal
    (0.5, "accept 'sphere' as an alternative to 'ball'")
    """
    every = list(translations)
    if not every:
        raise InputError("no translation; give at least one")
    lexis = analyser if isinstance(analyser, Lexis) else Lexis(analyser)
    groups: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(every):
        groups.setdefault((one.template, one.set), []).append(place)
    best: dict[int, Rejected] = {}
    done = 0
    for (template, codes), places in groups.items():
        matcher = Matcher(references(template, codes), lexis, costs)
        texts = [every[place].text for place in places]
        for place, match in zip(
            places, matcher.closest_many(texts, threads=threads), strict=True
        ):
            if match.best.edits:
                makers = (
                    constructions(template, codes, match.best.reference)
                    if constructions is not None
                    else ()
                )
                best[place] = Rejected(every[place], match.best, makers)
        done += len(places)
        if progress is not None:
            progress(done)
    rejected = tuple(best[place] for place in sorted(best))
    lost = Counter(one.translation.template for one in rejected)
    lost_by = Counter(one.translation.by for one in rejected)
    return Coverage(
        _shares(Counter(one.template for one in every), lost),
        _shares(Counter(one.by for one in every), lost_by),
        find_causes(rejected),
        rejected,
        lexis.name,
    )


def _shares(every: Counter[str], lost: Counter[str]) -> tuple[Share, ...]:
    return tuple(Share(name, n - lost[name], n) for name, n in every.items())

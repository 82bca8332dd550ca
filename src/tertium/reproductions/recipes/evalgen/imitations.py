# SPDX-License-Identifier: Apache-2.0
"""Imitated systems: references of our templates with known numbers of typed errors.

An error of a kind is whatever the edit model calls so: a word is replaced by another
of the lexicons for which it names this kind. Places are random and every word has one
error at most, so numbers, kinds and places of errors are known.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from tertium._seed import SEED
from tertium.grammars.analysis import Evaluation, evaluate_outputs
from tertium.grammars.morphology.analysers import analyser_spec, template_analyser
from tertium.grammars.morphology.tsv import TsvLexicon
from tertium.grammars.search.edits import PROFILES, Kind, classify
from tertium.grammars.search.tokens import bare_tokens
from tertium.grammars.search.words import Lexis, Word
from tertium.grammars.sets.selection import make_testset
from tertium.grammars.sets.testset import GrammarTestset, read_grammar_testset
from tertium.judgements.agreement.positions import EditPlaces

__all__ = [
    "TARGET",
    "Damage",
    "Imitation",
    "Material",
    "correct",
    "imitate",
    "lexis",
    "testset",
]

TARGET = "Fin"
_TRIES = 400  # places that are tried for an error
_FAR = 3  # places that a word moves at most
_NONSENSE = ("xq", "zw", "qv")
#: Errors that replace a word by one for which the edit model names the kind.
_REPLACING = (
    Kind.SUB,
    Kind.TENSENUM_SUB,
    Kind.ANIMACY_SUB,
    Kind.CASENUM_SUB,
    Kind.LEMMA_SUB,
    Kind.CASESHIFT,
)

#: Which replacements a system makes: the word it uses, the word it should use.
Wanted = Callable[[Word, Word], bool]


@dataclass(frozen=True)
class Material:
    """A test set: how many sentences, of which template, by default of all."""

    size: int
    templates: str = "bundled"


@dataclass
class Damage:
    """A reference and the errors put into it: tokens instead of each of its words.

    Attributes
    ----------
    words : list of str
        The reference.
    slots : list of (tuple of str, bool)
        What stands there now, and whether it has an error.
    kinds : Counter of Kind
        The errors.
    """

    words: list[str]
    slots: list[tuple[tuple[str, ...], bool]] = field(init=False)
    kinds: Counter[Kind] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.slots = [((word,), False) for word in self.words]

    @property
    def text(self) -> str:
        """The damaged sentence."""
        return " ".join(token for tokens, _ in self.slots for token in tokens)

    @property
    def places(self) -> EditPlaces:
        """Where the damaged sentence needs edits."""
        flags = [wrong for tokens, wrong in self.slots for _ in tokens]
        tokens = frozenset(i for i, wrong in enumerate(flags) if wrong)
        return EditPlaces(tokens, self.kinds[Kind.INSERT])


@dataclass(frozen=True)
class Imitation:
    """The outputs of an imitated system and what was put into them."""

    damages: tuple[Damage, ...]

    @property
    def outputs(self) -> list[str]:
        """One sentence per segment."""
        return [damage.text for damage in self.damages]

    @property
    def kinds(self) -> Counter[Kind]:
        """All errors."""
        return sum((damage.kinds for damage in self.damages), Counter())


@cache
def testset(material: Material) -> GrammarTestset:
    """Return sentences of all bundled templates with their Finnish references."""
    chosen = make_testset(material.templates, size=material.size)
    return read_grammar_testset(
        material.templates, testset=chosen.sentences, target=TARGET
    )


@cache
def lexis(material: Material) -> Lexis:
    """Return what analyses the words of the templates."""
    return Lexis(template_analyser(testset(material).templates, TARGET))


def imitate(
    material: Material,
    errors: Mapping[Kind, int],
    *,
    seed: int = SEED,
    wanted: Wanted | None = None,
    most: int | None = None,
) -> Imitation:
    """Return references of a test set with errors of these kinds.

    Parameters
    ----------
    material : Material
        The test set.
    errors : mapping of Kind to int
        How many; of ``comp_lemma_join`` two per compound. Errors for which there is
        no place are left out.
    seed : int
    wanted : callable, optional
        Which case shifts may be made; all by default.
    most : int, optional
        The largest number of errors of a sentence.
    """
    draw = random.Random(seed)
    damages = []
    for segment in testset(material).reference_sets():
        (reference,) = segment.automaton.sample(1, draw.getrandbits(63))
        damages.append(Damage(bare_tokens(" ".join(reference))))
    # Words are dropped, added and moved last: the other errors need their places.
    last = (Kind.INSERT, Kind.DELETE, Kind.UNKDEL, Kind.MOVE)
    for kind in (Kind.COMP_LEMMA_JOIN, *_REPLACING, Kind.UNKSUB, *last):
        step = 2 if kind is Kind.COMP_LEMMA_JOIN else 1
        for _ in range(0, errors.get(kind, 0), step):
            for _ in range(_TRIES):
                damage = draw.choice(damages)
                full = most is not None and damage.kinds.total() >= most
                if not full and _put(damage, kind, draw, material, wanted):
                    damage.kinds[kind] += step
                    break
    return Imitation(tuple(damages))


def correct(
    material: Material, outputs: Mapping[str, Sequence[str]], resamples: int = 1000
) -> Evaluation:
    """Return the error analysis of systems on a test set."""
    data = testset(material)
    return evaluate_outputs(
        data.segments,
        outputs,
        data.references,
        analyser=lexis(material),
        resamples=resamples,
        moves=(),
    )


# -------------------------------------------------------------------------- errors


def _put(
    damage: Damage,
    kind: Kind,
    draw: random.Random,
    material: Material,
    wanted: Wanted | None,
) -> bool:
    """Put an error at a random place; return whether it fits there."""
    slots = damage.slots
    place = draw.randrange(len(slots))
    tokens, wrong = slots[place]
    if kind in (Kind.DELETE, Kind.UNKDEL):
        word = (
            _nonsense(draw)
            if kind is Kind.UNKDEL
            else draw.choice(_pool(material)).token
        )
        slots.insert(place, ((word,), True))
        return True
    if wrong or len(tokens) != 1:
        return False
    if kind is Kind.INSERT:
        if len(slots) < 3:
            return False
        slots.pop(place)
        return True
    if kind is Kind.MOVE:
        return _move(slots, place, draw)
    if kind is Kind.UNKSUB:
        options: Sequence[tuple[str, ...]] = ((_nonsense(draw),),)
    elif kind is Kind.COMP_LEMMA_JOIN:
        options = _parts(tokens[0], material)
    else:
        options = _replacements(tokens[0], kind, material, wanted)
    if not options:
        return False
    slots[place] = (draw.choice(options), True)
    return True


def _move(
    slots: list[tuple[tuple[str, ...], bool]], place: int, draw: random.Random
) -> bool:
    shift = draw.choice([n for n in range(-_FAR, _FAR + 1) if n])
    target = place + shift
    if not 0 <= target < len(slots):
        return False
    tokens, _ = slots.pop(place)
    slots.insert(target, (tokens, True))
    return True


def _nonsense(draw: random.Random) -> str:
    return draw.choice(_NONSENSE) + str(draw.randrange(1000))


@cache
def _pool(material: Material) -> tuple[Word, ...]:
    """Return all words of the lexicons of the templates."""
    forms: dict[str, None] = {}
    for template in testset(material).templates:
        path = analyser_spec(template, TARGET).removeprefix("tsv:")
        forms |= dict.fromkeys(entry.form for entry in TsvLexicon.read(path).entries)
    return tuple(lexis(material).reference(form) for form in sorted(forms))


@cache
def _parts(token: str, material: Material) -> tuple[tuple[str, ...], ...]:
    """Return the ways to write a compound apart that the edit model joins."""
    word = lexis(material).reference(token)
    known = lexis(material)
    ways = [parts for parts in word.compounds if len(parts) == 2]
    return tuple(parts for parts in ways if all(map(known.readings, parts)))


@cache
def _replacements(
    token: str, kind: Kind, material: Material, wanted: Wanted | None
) -> tuple[tuple[str, ...], ...]:
    ref = lexis(material).reference(token)
    return tuple(
        (hyp.token,)
        for hyp in _kinds(token, material).get(kind, ())
        if wanted is None or kind is not Kind.CASESHIFT or wanted(hyp, ref)
    )


@cache
def _kinds(token: str, material: Material) -> dict[Kind, list[Word]]:
    """Return the words of the lexicons by what they would be instead of a token."""
    ref = lexis(material).reference(token)
    kinds: dict[Kind, list[Word]] = {}
    for hyp in _pool(material):
        kinds.setdefault(classify(hyp, ref, PROFILES["default"]).kind, []).append(hyp)
    return kinds

# SPDX-License-Identifier: Apache-2.0
"""What a group of features counted, as notes that name words.

The groups of BEER 4 have sentences of their own; for others, the feature that lost most
is named. Only sides with a loss are described: where a model gives recall no weight,
missing words cost nothing, and are not named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tertium.learn.features.blocks import Reduced
from tertium.learn.features.lexical import Lexical
from tertium.learn.features.lexical_words import Differences, LexicalPair
from tertium.notes import Note
from tertium.notes.learn import GROUPS
from tertium.text.languages import LANGUAGES

if TYPE_CHECKING:
    from tertium.learn.profile import Profile

__all__ = ["Feature", "GroupValues", "Wording"]

#: Words that a sentence names; it counts the rest.
_NAMED = 8

_Described: TypeAlias = "tuple[Note, tuple[str, ...]]"


class Feature(NamedTuple):
    """A feature of a text, its value in a copy of the reference, and the raw loss."""

    name: str
    value: float
    copy: float
    loss: float


@dataclass(frozen=True)
class GroupValues:
    """The features of a text, by group."""

    profile: Profile
    values: Sequence[float]
    copy: Sequence[float]
    losses: Sequence[float]

    def of(self, group: str) -> list[Feature]:
        """Return the features of a group."""
        columns = zip(
            self.profile.names, self.values, self.copy, self.losses, strict=True
        )
        return [
            Feature(*column)
            for column, name in zip(columns, self.profile.groups, strict=True)
            if name == group
        ]


class Wording:
    """Describes what the features of a profile counted in a text.

    Parameters
    ----------
    profile : Profile
    hyp, ref : str
    """

    def __init__(self, profile: Profile, hyp: str, ref: str) -> None:
        self._hyp, self._ref = profile.prepared([hyp, ref])
        self._block: Lexical | None = None
        self._names: set[str] = set()
        for block in profile.blocks:
            whole = block.whole if isinstance(block, Reduced) else block
            if isinstance(whole, Lexical):
                self._block, self._names = whole, set(block.names)

    def describe(self, group: str, features: Sequence[Feature]) -> _Described:
        """Return what a group counted, and the words that the note names."""
        lexical = [feature for feature in features if feature.name in self._names]
        describe = _GROUPS.get(group)
        lost = sum(feature.loss for feature in features)
        # Other features of the same group may have lost more.
        fits = 2 * sum(feature.loss for feature in lexical) >= lost > 0
        if describe and fits and (described := describe(self, lexical)):
            return described
        if not lost:
            return Note("loss-none", {"group": GROUPS.get(group, group)}), ()
        sign = -1 if lost < 0 else 1
        most = max(features, key=lambda feature: sign * feature.loss)
        values: dict[str, object] = {
            "group": GROUPS.get(group, group),
            "feature": most.name,
            "value": most.value + 0.0,  # no negative zero
            "copy": most.copy + 0.0,
        }
        return Note("loss-gain" if lost < 0 else "loss-feature", values), ()

    @cached_property
    def _pair(self) -> LexicalPair:
        words = self._block.word_list if self._block else None
        return LexicalPair.read(self._hyp, self._ref, words)

    # ------------------------------------------------------------ groups of BEER 4

    def _unknown(self, features: Sequence[Feature]) -> _Described | None:
        costly = {f.name.split(".")[1] for f in features if f.loss > 0}
        by_kind = self._pair.unknown_words()
        words = tuple(w for kind in by_kind if kind in costly for w in by_kind[kind])
        values: dict[str, object] = {
            "listed": _listed(words),
            "count": len(words),
            "total": len(self._pair.hyp.lexemes),
        }
        code = self._block.language.lower() if self._block else ""
        if not code:
            return Note("loss-unlisted", values), words
        language = LANGUAGES.get(code, code)
        return Note("loss-unknown", {"language": language, **values}), words

    def _script(self, features: Sequence[Feature]) -> _Described | None:  # noqa: ARG002
        words, count, total = self._pair.foreign_letters()
        values: dict[str, object] = {
            "listed": _listed(words),
            "count": count,
            "total": total,
        }
        return Note("loss-script", values), words

    def _stem(self, features: Sequence[Feature]) -> _Described | None:
        missing, extra = _costly(self._pair.stems(), features)
        if missing and extra:
            values = {"missing": _listed(missing), "extra": _listed(extra)}
            return Note("loss-stem-missing-extra", values), missing + extra
        if missing:
            note = Note("loss-stem-missing", {"missing": _listed(missing)})
            return note, missing
        return Note("loss-stem-extra", {"extra": _listed(extra)}), extra

    def _function(self, features: Sequence[Feature]) -> _Described | None:
        words = self._pair.function_words()
        if not any(words):
            return Note("loss-no-function-words"), ()
        return _different("function", *_costly(words, features))

    def _word(self, features: Sequence[Feature]) -> _Described | None:
        words = _costly(self._pair.words(), features)
        return _different("word", *words) if any(words) else _shares("word", features)

    def _order(self, features: Sequence[Feature]) -> _Described | None:
        value = {feature.name.split(".")[1]: feature.value for feature in features}
        hyp, ref = len(self._pair.hyp.lexemes), len(self._pair.ref.lexemes)
        matched = self._pair.matched_stems
        if not matched:
            return Note("loss-order-none"), ()
        rising = round(value["rising"] * max(hyp, ref))
        # The feature is -(chunks + missing words - 1) / words of the reference.
        chunks = round(-value["chunks"] * ref) - (ref - matched) + 1
        values: dict[str, object] = {
            "matched": matched,
            "total": max(hyp, ref),
            "chunks": chunks,
            "rising": rising,
        }
        if rising < matched:
            return Note("loss-order-wrong", values), ()
        code = "loss-order-right" if chunks == 1 else "loss-order-split"
        return Note(code, values), ()

    def _edit(self, features: Sequence[Feature]) -> _Described | None:
        sizes = [len(side.characters) for side in (self._pair.hyp, self._pair.ref)]
        total = max(sizes)
        value = next(f.value for f in features if f.name == "edit.distance")
        values: dict[str, object] = {"count": round(-value * total), "total": total}
        return Note("loss-edit", values), ()

    def _length(self, features: Sequence[Feature]) -> _Described | None:  # noqa: ARG002
        sides = (self._pair.hyp, self._pair.ref)
        words = [len(side.lexemes) for side in sides]
        characters = [len(side.characters.replace(" ", "")) for side in sides]
        values: dict[str, object] = {
            "words": words[0],
            "characters": characters[0],
            "ref_words": words[1],
            "ref_characters": characters[1],
        }
        return Note("loss-length", values), ()

    def _char(self, features: Sequence[Feature]) -> _Described | None:
        return _shares("char", features)

    def _spaced(self, features: Sequence[Feature]) -> _Described | None:
        return _shares("spaced", features)


_GROUPS: dict[str, Callable[[Wording, Sequence[Feature]], _Described | None]] = {
    "unknown": Wording._unknown,
    "script": Wording._script,
    "stem": Wording._stem,
    "function": Wording._function,
    "word": Wording._word,
    "order": Wording._order,
    "edit": Wording._edit,
    "length": Wording._length,
    "char": Wording._char,
    "spaced": Wording._spaced,
}


def _listed(words: Sequence[str]) -> object:
    """Return words for a sentence; of many, the first and how many there are more."""
    # A bare comma would be lost among those between words.
    marks = [word if any(map(str.isalnum, word)) else f"“{word}”" for word in words]
    if len(words) <= _NAMED + 1:
        return tuple(marks)
    first = tuple(marks[:_NAMED])
    return Note("loss-more", {"words": first, "count": len(words) - _NAMED})


def _costly(words: Differences, features: Sequence[Feature]) -> Differences:
    """Return words of the sides, precision or recall, that lost anything.

    All where these have none: a text without words has no precision either.
    """
    sides = {feature.name[-2:] for feature in features if feature.loss > 0}
    missing = words.missing if ".r" in sides else ()
    extra = words.extra if ".p" in sides else ()
    return Differences(missing, extra) if missing or extra else words


def _different(
    group: str, missing: tuple[str, ...], extra: tuple[str, ...]
) -> _Described | None:
    name = GROUPS[group]
    if missing and extra:
        values = {"missing": _listed(missing), "extra": _listed(extra)}
        return Note("loss-missing-extra", {"group": name, **values}), missing + extra
    if missing:
        note = Note("loss-missing", {"group": name, "missing": _listed(missing)})
        return note, missing
    if extra:
        return Note("loss-extra", {"group": name, "extra": _listed(extra)}), extra
    return None


def _shares(group: str, features: Sequence[Feature]) -> _Described | None:
    """Return mean precision and recall of the features with a loss."""
    sides = {
        side: [100 * f.value for f in features if f.loss > 0 and f.name[-2:] == side]
        for side in (".p", ".r")
    }
    means = {side: sum(x) / len(x) for side, x in sides.items() if x}
    name = GROUPS[group]
    if len(means) == 2:
        both = {"group": name, "precision": means[".p"], "recall": means[".r"]}
        return Note("loss-both-shares", both), ()
    if ".p" in means:
        return Note("loss-precision", {"group": name, "precision": means[".p"]}), ()
    if ".r" in means:
        return Note("loss-recall", {"group": name, "recall": means[".r"]}), ()
    return None

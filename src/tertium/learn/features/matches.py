# SPDX-License-Identifier: Apache-2.0
"""Words that the aligner matches: all, function and content words (BEER 1.0, 1.1).

P is the share of the text's words that are matched, R of the reference's. Matchers
count together or one by one; function and content words always together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from tertium import _core
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.aligned import AlignedBlock, AlignerTable, known_language
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.tables import FUNCTION_WORDS_FILE, TableReader
from tertium.learn.features.values import Shares, read_value, value_columns
from tertium.text.functionwords import (
    count_words,
    function_words,
    read_function_words,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tertium.metrics.base import Rows

__all__ = ["Matches"]

_CLASSES = ("all", "function", "content")
_RULES = ("threshold", "number", "coverage")

#: A list of words, or how to choose them from the references of training.
FunctionWords: TypeAlias = "tuple[str, ...] | Mapping[str, float]"


class Matches(AlignedBlock):
    """Precision, recall and their means of matched words.

    Parameters
    ----------
    values : sequence of str
        ``p r`` or, if symmetric, ``min max``, and means ``f1 f0.5 g1``.
    classes : sequence of str
        ``all``, ``function`` and ``content`` words; or the text ``language``: all
        three, but for languages that BEER 1.1 did not know all words alone.
    separate : bool
        Whether every matcher counts alone (``exact``, ``stem``, ...) or all together
        (``words``).
    cumulative : bool
        With `separate`: whether a matcher counts together with those before it
        (``exact``, ``exact+stem``, ...). A copy of the reference then has the largest
        value of every feature; alone, a stem that matches is a word that does not.
    denominator : {"class", "sentence"}
        Whether function words are divided by function words, or by all words as in
        BEER 1.1.
    symmetric : bool
    empty : {"backoff", "zero"}
        What stands for 0/0 where both texts have no word of a class: all words,
        and 1 if there is none; or 0.
    function_words : tuple of str or mapping
        The words, or a rule to choose them by (see :meth:`fitted`): ``threshold``, the
        share of all words that each has more than; ``number``; or ``coverage``, the
        share of all words that they make up together.
    resources, where, **words
        As in :class:`~tertium.learn.features.aligned.AlignedBlock`.
    """

    kind = "matches"

    def __init__(
        self,
        values: Sequence[str] = ("p", "r", "f1"),
        *,
        classes: Sequence[str] | str = ("all",),
        separate: bool = False,
        cumulative: bool = False,
        denominator: str = "class",
        symmetric: bool = False,
        empty: str = "backoff",
        function_words: FunctionWords = (),
        resources: Resources | None = None,
        where: str = "",
        **words: Unpack[AlignerTable],
    ) -> None:
        super().__init__(resources=resources, where=where, **words)
        if not values or not classes:
            message = f"{self.where}: values and classes must not be empty; name some"
            raise InputError(message)
        if cumulative and not separate:
            message = f"{self.where}: cumulative needs separate = true; add it"
            raise InputError(message)
        self.values = tuple(values)
        self.separate, self.cumulative = separate, cumulative
        self.denominator, self.empty = denominator, empty
        self.function_words = function_words
        self._by_language = classes == "language"
        if classes == "language":
            classes = _CLASSES if known_language(self.language) else ("all",)
        self.classes = tuple(classes)
        self._symmetric = symmetric
        # With more than equal words, which words are covered may depend on the side.
        self.symmetric = symmetric and self.match == "exact"
        self._means = [
            read_value(value, symmetric=symmetric, where=self.where) for value in values
        ]
        columns = [
            (name, group, sign)
            for word_class in self.classes
            for name, group, sign in self._columns(word_class)
        ]
        self.names, self.groups, self.signs = zip(*columns, strict=True)

    def _columns(self, word_class: str) -> list[tuple[str, str, int]]:
        """Return name, group and sign of every feature of a class of words."""
        if word_class != "all":
            signs = [self._class_sign(kind) for kind, _ in self._means]
            names = [f"{word_class}.{value}" for value in self.values]
            return [(n, "function", s) for n, s in zip(names, signs, strict=True)]
        if not self.separate:
            sign = int(self._copies_match)
            return [(f"words.{value}", "word", sign) for value in self.values]
        out = []
        for place, matcher in enumerate(self.matchers):
            group = "word" if matcher == "exact" else matcher
            if self.cumulative:
                name = "+".join(self.matchers[: place + 1])
                sign = int({"exact", "stem"} & set(self.matchers[: place + 1]) != set())
            else:
                # All words of a copy go to the first matcher.
                name = matcher
                first = self.matchers[0] in ("exact", "stem")
                sign = 0 if not first else 1 if place == 0 else -1
            out += [(f"{name}.{value}", group, sign) for value in self.values]
        return out

    @property
    def _copies_match(self) -> bool:
        """Whether all words of a copy of the reference are matched."""
        return bool({"exact", "stem"} & set(self.matchers))

    def _class_sign(self, kind: str) -> int:
        """Return whether a copy has the most of a class of words."""
        if not self._copies_match:
            return 0
        least = kind == ("p" if self._symmetric else "r")
        if self.denominator == "sentence":
            # A text of function words alone has a larger share of them.
            return int(least)
        if self.empty == "zero" and self.match != "exact":
            # A function word may match a content word of a reference without any.
            most = "r" if self._symmetric else "p"
            return int(kind != most)
        return 1

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Matches:
        """Return the block of a table."""
        reader = TableReader(table, where)
        block = cls(
            reader.texts("values", ("p", "r", "f1")),
            classes=(
                "language"
                if reader.value("classes") == "language"
                else reader.texts("classes", ("all",), choices=_CLASSES)
            ),
            separate=reader.flag("separate", False),
            cumulative=reader.flag("cumulative", False),
            denominator=reader.text(
                "denominator", "class", choices=("class", "sentence")
            ),
            symmetric=reader.flag("symmetric", False),
            empty=reader.text("empty", "backoff", choices=("backoff", "zero")),
            function_words=_read_words(reader),
            where=where,
            **cls.read_aligner(reader),
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        words = self.function_words
        return {
            "kind": self.kind,
            "values": list(self.values),
            "classes": list(self.classes),
            "separate": self.separate,
            "cumulative": self.cumulative,
            "denominator": self.denominator,
            "symmetric": self._symmetric,
            "empty": self.empty,
            "function_words": dict(words)
            if isinstance(words, Mapping)
            else list(words),
            **self.aligner_table(settled=True),
        }

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the language and the tables that a user brings."""
        settled = self.settled
        return cast(
            "Block", self._copy(resources, self.function_words, settled=settled)
        )

    def fitted(self, refs: Sequence[str]) -> Block:
        """Return the block with function words chosen from references of training.

        References are as the block sees them, lower-cased if the profile does that.
        """
        rule = self.function_words
        if not isinstance(rule, Mapping):
            return cast("Block", self._copy(self.resources, rule, settled=True))
        counts = count_words(refs, lowercase=self.lowercase, tokenize=self.tokenize)
        if "coverage" in rule:
            chosen = _covering(counts, rule["coverage"])
        elif "number" in rule:
            chosen = function_words(counts, number=int(rule["number"]))
        else:
            chosen = function_words(counts, threshold=rule["threshold"])
        return cast("Block", self._copy(self.resources, tuple(chosen), settled=True))

    def _copy(
        self, resources: Resources, words: FunctionWords, *, settled: bool
    ) -> Matches:
        return Matches(
            self.values,
            classes=self.classes if settled or not self._by_language else "language",
            separate=self.separate,
            cumulative=self.cumulative,
            denominator=self.denominator,
            symmetric=self._symmetric,
            empty=self.empty,
            function_words=words,
            resources=resources,
            where=self.where,
            **self.aligner_table(settled=settled),
        )

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        import numpy as np

        with_classes = self.classes != ("all",)
        if with_classes and isinstance(self.function_words, Mapping):
            rule = ", ".join(f"{key}={v:g}" for key, v in self.function_words.items())
            message = (
                f"{self.where}: function words ({rule}) are chosen in training; train "
                "a model, or give function_words = [...]"
            )
            raise InputError(message)
        pairs = self.pairs(batch, threads=threads)
        # Other blocks share the pairs, so they are marked anew for every one.
        pairs.set_function_words(frozenset(self.function_words))
        active = self.active
        kernel = _core.meteor([1.0] * len(active), 0.5, 1.0, 0.0, 0.5, False, False)
        counts = _Counts(kernel.rows(pairs, threads or 0)[0], active)
        columns: list[Rows] = []
        for shares in self._shares(counts):
            columns += value_columns(self._means, shares, symmetric=self._symmetric)
        return np.stack(columns, axis=1)

    def _shares(self, counts: _Counts) -> list[Shares]:
        """Return the shares behind the features, in their order."""
        words = Shares.of(counts.matched(self.matchers), counts.words)
        backoff = self.empty == "backoff"
        if backoff:
            words = words.or_else(None)
        out: list[Shares] = []
        for word_class in self.classes:
            if word_class != "all":
                units = counts.classes[word_class]
                if self.denominator == "sentence":
                    units = counts.words
                shares = Shares.of(counts.matched(self.matchers, word_class), units)
                out.append(shares.or_else(words) if backoff else shares)
            elif not self.separate:
                out.append(words)
            else:
                for place, matcher in enumerate(self.matchers):
                    known = (
                        self.matchers[: place + 1] if self.cumulative else (matcher,)
                    )
                    shares = Shares.of(counts.matched(known), counts.words)
                    whole = self.cumulative or place == 0
                    out.append(shares.or_else(None) if backoff and whole else shares)
        return out


class _Counts:
    """Matched words by matcher, class and side, as METEOR's kernel counts them."""

    def __init__(self, rows: Rows, matchers: Sequence[str]) -> None:
        self._rows = rows
        self._matchers = tuple(matchers)
        self.words = rows[:, 0], rows[:, 1]
        function = rows[:, 2], rows[:, 3]
        content = rows[:, 0] - rows[:, 2], rows[:, 1] - rows[:, 3]
        self.classes = {"function": function, "content": content}

    def matched(
        self, matchers: Sequence[str], word_class: str = "all"
    ) -> tuple[Rows, Rows]:
        """Return matched words of texts and references."""
        import numpy as np

        offsets = {"content": (0,), "function": (2,), "all": (0, 2)}[word_class]
        both = []
        for side in (0, 1):
            places = [
                4 + 4 * place + offset + side
                for place, name in enumerate(self._matchers)
                if name in matchers
                for offset in offsets
            ]
            both.append(np.asarray(self._rows[:, places].sum(axis=1)))
        return both[0], both[1]


def _covering(counts: Counter[str], share: float) -> list[str]:
    """Return the fewest words that make up a share of all words."""
    chosen: list[str] = []
    covered, limit = 0, share * sum(counts.values())
    for word in function_words(counts, threshold=0.0):
        if covered >= limit:
            break
        chosen.append(word)
        covered += counts[word]
    return chosen


def _read_words(reader: TableReader) -> FunctionWords:
    """Return the words or the rule that a table has."""
    rule_table = reader.value("function_words")
    path = reader.value(FUNCTION_WORDS_FILE)
    if path is not None:
        if rule_table is not None or not isinstance(path, str):
            message = (
                f"{reader.where}: function_words_file is the path of a list of words, "
                "and stands alone; leave function_words out"
            )
            raise InputError(message)
        return tuple(sorted(read_function_words(path)))
    if rule_table is None:
        return ()
    if not isinstance(rule_table, Mapping):
        return reader.texts("function_words")
    numbers = [v for v in rule_table.values() if isinstance(v, (int, float))]
    rule = dict(zip(rule_table, numbers, strict=False))
    if (
        len(rule_table) != 1
        or len(numbers) != 1
        or next(iter(rule_table)) not in _RULES
    ):
        message = (
            f"{reader.where}: function_words is a list, or one of {{threshold=0.001}}, "
            f"{{number=100}} and {{coverage=0.4}}, not {dict(rule_table)!r}; change it"
        )
        raise InputError(message)
    key, value = next(iter(rule.items()))
    if isinstance(value, bool) or not value >= 0 or (key != "number" and value > 1):
        message = (
            f"{reader.where}: {key}={value!r} of function_words is out of range; give "
            + ("how many words" if key == "number" else "a share from 0 to 1")
        )
        raise InputError(message)
    return {key: value}

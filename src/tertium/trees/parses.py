# SPDX-License-Identifier: Apache-2.0
"""Several parses of one text: the n best of a parser, or one each of several parsers.

In CoNLL-U, every parse is a block. Further parses follow the first one and say so:
``# parse = 2``, ``# parse = 3``. ``# probability = 0.3`` weighs a parse, in all blocks
of a segment or in none; probabilities are divided by their sum, so any weights will do.
All parses of a segment have the same words. CoNLL-U itself has no such convention.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tertium.data.lines import StrPath, display
from tertium.errors import FormatError, InputError
from tertium.trees.conllu import Sentence, read_conllu
from tertium.trees.tree import DependencyTree

__all__ = [
    "Parse",
    "Parses",
    "group_parses",
    "make_parses",
    "parses_of",
    "read_first_parses",
    "sentences_of",
]


# Not str.isdigit, which is true of superscripts; nine digits are enough.
_NUMBER = re.compile("[0-9]{1,9}")


class Parse(NamedTuple):
    """A tree of a text and its probability.

    Parameters
    ----------
    tree : DependencyTree
    probability : float
        The probabilities of all parses of a text have the sum 1.
    """

    tree: DependencyTree
    probability: float = 1.0


Parses = tuple[Parse, ...]


def make_parses(
    trees: Sequence[DependencyTree], weights: Sequence[float] | None = None
) -> Parses:
    """Return trees of one text as its parses; equal trees are joined.

    Parameters
    ----------
    trees : sequence of DependencyTree
        At least one, all over the same words.
    weights : sequence of float, optional
        By default, all trees are equally probable.

    Raises
    ------
    InputError
        When there is no tree, words differ, or weights are not positive numbers.

    Examples
    --------
    >>> one = DependencyTree(("a", "b"), (0, 1), ("root", "dep"))
    >>> other = DependencyTree(("a", "b"), (2, 0), ("dep", "root"))
    >>> [parse.probability for parse in make_parses([one, other, one], [2, 1, 1])]
    [0.75, 0.25]
    """
    if not trees:
        raise InputError("a text has no parse; give at least one tree")
    weights = [1.0] * len(trees) if weights is None else weights
    joined: dict[tuple[tuple[int, ...], tuple[str, ...]], Parse] = {}
    for tree, weight in zip(trees, weights, strict=True):
        if tree.forms != trees[0].forms:
            raise InputError(_other_words(trees[0].forms, tree.forms))
        if not (weight > 0 and math.isfinite(weight)):
            message = f"probability {weight} is not a positive number; correct it"
            raise InputError(message)
        key = tree.heads, tree.deprels
        first = joined.get(key, Parse(tree, 0.0))
        joined[key] = Parse(first.tree, first.probability + weight)
    total = sum(parse.probability for parse in joined.values())
    return tuple(Parse(tree, weight / total) for tree, weight in joined.values())


def group_parses(
    sentences: Iterable[Sentence], *, name: str
) -> Iterator[tuple[Sentence, ...]]:
    """Yield the blocks of each segment: one, or several parses.

    Parameters
    ----------
    sentences : iterable of Sentence
    name : str
        The name of the file, for messages.

    Raises
    ------
    FormatError
        When parses are not numbered from 1, or have other words than the first.
    """
    group: list[Sentence] = []
    for sentence in sentences:
        number = _number(sentence, name)
        if number > 1 and number != len(group) + 1:
            after = f"parse {len(group)}" if group else "no parse"
            what = (
                f"this block is parse {number} of a segment and follows {after}; "
                "number the parses of a segment from 1"
            )
            raise FormatError(what, path=name, line=sentence.line)
        if number == 1 and group:
            yield tuple(group)
            group = []
        if group and sentence.tree.forms != group[0].tree.forms:
            what = _other_words(group[0].tree.forms, sentence.tree.forms)
            raise FormatError(what, path=name, line=sentence.line)
        group.append(sentence)
    if group:
        yield tuple(group)


def read_first_parses(path: StrPath) -> Iterator[Sentence]:
    """Yield the first parse of every segment of a CoNLL-U file.

    Parameters
    ----------
    path : str or path
        The file; ``-`` for standard input.

    Raises
    ------
    FormatError
        As :func:`~tertium.trees.conllu.read_conllu` and `group_parses` do.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from tertium.trees.conllu import write_conllu
    >>> one = DependencyTree(("a", "b"), (0, 1), ("root", "dep"))
    >>> other = DependencyTree(("a", "b"), (2, 0), ("dep", "root"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.conllu")
    ...     write_conllu(file, sentences_of(make_parses([one, other])))
    ...     [sentence.tree.heads for sentence in read_first_parses(file)]
    [(0, 1)]
    """
    for first, *_ in group_parses(read_conllu(path), name=display(path)):
        yield first


def parses_of(blocks: Sequence[Sentence], *, name: str) -> Parses:
    """Return the parses in the blocks of one segment, as `group_parses` yields them.

    Raises
    ------
    FormatError
        When a probability is missing or not a positive number.
    """
    weights = []
    for block in blocks:
        text = block.comment("probability")
        try:
            weight = None if text is None else float(text)
        except ValueError:
            weight = math.nan
        if weight is not None and not (weight > 0 and math.isfinite(weight)):
            what = f"'# probability = {text}' is not a positive number; correct it"
            raise FormatError(what, path=name, line=block.line)
        weights.append(weight)
    if len(blocks) > 1 and len({weight is None for weight in weights}) > 1:
        what = (
            "some parses of this segment have '# probability', others do not; give it "
            "for all of them, or for none"
        )
        raise FormatError(what, path=name, line=blocks[0].line)
    known = [weight for weight in weights if weight is not None]
    return make_parses([block.tree for block in blocks], known or None)


def sentences_of(
    parses: Parses, *, text: str | None = None, sent_id: str = ""
) -> Iterator[Sentence]:
    """Yield the blocks of the parses of a text, which `group_parses` reads.

    Parameters
    ----------
    parses : Parses
    text, sent_id
        As for :meth:`Sentence.from_tree`.
    """
    for number, (tree, probability) in enumerate(parses, 1):
        block = Sentence.from_tree(tree, text=text, sent_id=sent_id)
        if len(parses) > 1:
            extra = (f"# parse = {number}", f"# probability = {probability:.6g}")
            block = replace(block, comments=(*block.comments, *extra))
        yield block


def _number(sentence: Sentence, name: str) -> int:
    text = sentence.comment("parse")
    if text is None:
        return 1
    if not _NUMBER.fullmatch(text) or int(text) < 1:
        what = f"'# parse = {text}' is not a number from 1; correct it"
        raise FormatError(what, path=name, line=sentence.line)
    return int(text)


def _other_words(first: Sequence[str], other: Sequence[str]) -> str:
    one, two = (
        " ".join(words[:8]) + " ..." * (len(words) > 8) for words in (first, other)
    )
    return (
        f"parses of one text have different words, {one!r} and {two!r}; tokenise the "
        "text once, for all parses"
    )

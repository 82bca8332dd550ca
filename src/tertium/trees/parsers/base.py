# SPDX-License-Identifier: Apache-2.0
"""What parsers share: the protocol, and how texts become words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol

from tertium.errors import InputError, UnknownNameError
from tertium.text.tokenizers import TOKENIZERS, tokenize
from tertium.trees.parses import Parse, Parses
from tertium.trees.tree import DependencyTree

__all__ = ["TOKENIZE", "ModelParser", "Parser"]

#: The tokenisers of a parser.
TOKENIZE = ("own", *TOKENIZERS)


class Parser(Protocol):
    """Anything that parses texts."""

    @property
    def signature(self) -> str:
        """Name, version and model, for signatures; equal ones give equal trees."""

    def parse(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of each text."""


class ModelParser(ABC):
    """A parser with a trained model.

    Parameters
    ----------
    model : str
        As the user names it.
    tokenize : str
        One of :data:`TOKENIZE`.
    """

    name: ClassVar[str] = ""

    def __init__(self, model: str, *, tokenize: str = "own") -> None:
        if tokenize not in TOKENIZE:
            raise UnknownNameError("tokeniser", tokenize, TOKENIZE)
        self.model = model
        self.tokenize = tokenize

    @property
    @abstractmethod
    def version(self) -> str:
        """The version of the package."""

    @property
    @abstractmethod
    def model_signature(self) -> str:
        """The model's name and a short hash of its content."""

    @abstractmethod
    def parse_words(self, texts: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """Return the tree of each tokenised text."""

    @abstractmethod
    def parse_text(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of each text, tokenised by the model."""

    def nbest_words(
        self,
        texts: Sequence[Sequence[str]],  # noqa: ARG002 (for parsers that override it)
        size: int,  # noqa: ARG002
    ) -> list[Parses]:
        """Return up to `size` parses of each tokenised text, the best first.

        Raises
        ------
        InputError
            If the parser has only one.
        """
        message = (
            f"parser {self.name} gives one tree per text; use parser=spacy, or give "
            "several trees in CoNLL-U ('# parse = 2')"
        )
        raise InputError(message)

    def split_text(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text, tokenised by the model."""
        return [list(tree.forms) for tree in self.parse_text(texts)]

    @property
    def splits(self) -> bool:
        """Whether the model has a tokeniser."""
        return True

    @property
    def words(self) -> str:
        """The tokeniser: the name of the parser, or of another tokeniser."""
        if self.tokenize != "own":
            return self.tokenize
        return self.name if self.splits else "none"

    @property
    def signature(self) -> str:
        """Parser, version, model and tokeniser; equal ones give equal trees.

        Such as ``udpipe-1.4.0.1/en.udpipe@12345678/13a``.
        """
        signature = f"{self.name}-{self.version}/{self.model_signature}/{self.words}"
        return signature.replace("|", "_").replace(":", "_")

    def parse(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of each text.

        A text of several sentences has several roots; a text without words has an
        empty tree.
        """
        if self.words == self.name:
            # Some pipelines fail on a text without words.
            filled = [i for i, text in enumerate(texts) if text and not text.isspace()]
            trees = self.parse_text([texts[i] for i in filled])
            return _spread(trees, filled, len(texts))
        words = tokenize(texts, self.words)
        filled = [i for i, tokens in enumerate(words) if tokens]
        return _spread(self.parse_words([words[i] for i in filled]), filled, len(texts))

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words that :meth:`parse` makes of each text, without parsing."""
        if self.words != self.name:
            return tokenize(map(str, texts), self.words)
        filled = [i for i, text in enumerate(texts) if text and not text.isspace()]
        split: list[list[str]] = [[] for _ in texts]
        words = self.split_text([str(texts[i]) for i in filled])
        for i, tokens in zip(filled, words, strict=True):
            split[i] = tokens
        return split

    def nbest(self, texts: Sequence[str], size: int) -> list[Parses]:
        """Return up to `size` parses of each text, the most probable first.

        Raises
        ------
        InputError
            If the parser has only one.
        """
        words = self.split(texts)
        filled = [i for i, tokens in enumerate(words) if tokens]
        parses: list[Parses] = [(Parse(DependencyTree((), (), ())),) for _ in texts]
        best = self.nbest_words([words[i] for i in filled], size)
        for i, trees in zip(filled, best, strict=True):
            parses[i] = trees
        return parses


def _spread(
    trees: list[DependencyTree], places: list[int], size: int
) -> list[DependencyTree]:
    spread = [DependencyTree((), (), ())] * size
    for place, tree in zip(places, trees, strict=True):
        spread[place] = tree
    return spread

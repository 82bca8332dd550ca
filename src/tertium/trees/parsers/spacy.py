# SPDX-License-Identifier: Apache-2.0
"""SpaCy pipelines, by path or by the name of an installed package."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import Any

from tertium.errors import MissingExtraError
from tertium.trees.parsers.base import ModelParser
from tertium.trees.parsers.models import cannot_load, content_hash
from tertium.trees.parses import Parse, Parses, make_parses
from tertium.trees.tree import DependencyTree

__all__ = ["SpacyParser"]

#: Components of pipelines that trees do not need.
_NEEDLESS = ("ner", "textcat", "textcat_multilabel", "entity_linker", "spancat")


class SpacyParser(ModelParser):
    """A spaCy pipeline with a dependency parser; see :class:`ModelParser`."""

    name = "spacy"

    def __init__(self, model: str, *, tokenize: str = "own") -> None:
        super().__init__(model, tokenize=tokenize)
        self._spacy = spacy_module()
        try:
            self._nlp = self._spacy.load(model, exclude=_NEEDLESS)
        except Exception as error:  # A damaged file may raise any exception.
            why = "there is no such folder or package"
            if os.path.exists(model):
                why = f"spaCy cannot load it ({_first_line(error)})"
            raise cannot_load("spacy", model, why) from None
        (doc,) = self._docs([self._doc(["a"])])
        if not doc.has_annotation("DEP"):
            raise cannot_load("spacy", model, "the pipeline has no dependency parser")

    @property
    def version(self) -> str:
        """The version of spaCy."""
        return str(self._spacy.__version__)

    @cached_property
    def model_signature(self) -> str:
        """The model's name and a short hash of its content."""
        folder = str(self._nlp.path)
        return f"{os.path.basename(os.path.abspath(folder))}@{content_hash(folder)}"

    def parse_words(self, texts: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """Return the tree of each tokenised text."""
        return [_tree(doc) for doc in self._docs([self._doc(words) for words in texts])]

    def parse_text(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of each text, tokenised by the pipeline."""
        return [_tree(doc) for doc in self._docs(texts)]

    def split_text(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text, tokenised by the pipeline."""
        docs = map(self._nlp.make_doc, texts)
        return [[token.text for token in doc if not token.is_space] for doc in docs]

    def nbest_words(self, texts: Sequence[Sequence[str]], size: int) -> list[Parses]:
        """Return up to `size` parses of each tokenised text, the most probable first.

        They are the final states of a beam search with a beam of `size`; derivations
        of the same tree are joined.
        """
        parser = self._nlp.get_pipe("parser")
        # The greedy parse would set the ends of sentences.
        tagged = [self._doc(words) for words in texts]
        docs = self._docs(tagged, without=("parser",))
        return [self._beam(parser, doc, size) for doc in docs]

    def _beam(self, parser: Any, doc: Any, size: int) -> Parses:
        (beam,) = parser.beam_parse([doc], beam_width=size)
        states = parser.moves.get_beam_parses(beam)
        # A text of one word has no arcs, which spaCy takes for no parse.
        ranked = sorted(states, key=lambda state: -state[0])
        trees = [self._arcs(doc, arcs) for _, arcs in ranked]
        # The smallest probabilities may be rounded to 0.
        weights = [max(probability, 1e-30) for probability, _ in ranked]
        return make_parses(trees, weights) if trees else (Parse(_tree(parser(doc))),)

    def _arcs(self, doc: Any, arcs: Sequence[tuple[int, int, str]]) -> DependencyTree:
        """Return the tree of the parser's arcs: (head, dependent, relation)."""
        heads, names = list(range(len(doc))), ["ROOT"] * len(doc)
        for head, word, name in arcs:
            heads[word], names[word] = head, name
        words = [token.text for token in doc]
        made = self._spacy.tokens.Doc(doc.vocab, words=words, heads=heads, deps=names)
        if any("||" in name for name in names):  # arcs that were lifted in training
            nonproj = import_module("spacy.pipeline._parser_internals.nonproj")
            made = nonproj.deprojectivize(made)
        parsed, tagged = _tree(made), _tree(doc)
        return replace(tagged, heads=parsed.heads, deprels=parsed.deprels)

    def _docs(self, texts: Sequence[Any], *, without: Sequence[str] = ()) -> list[Any]:
        """Return the parsed documents of texts, or of documents."""
        try:
            return list(self._nlp.pipe(texts, disable=list(without)))
        except Exception as error:  # A damaged file may be noticed only now.
            why = f"spaCy cannot parse with it ({_first_line(error)})"
            raise cannot_load("spacy", self.model, why) from None

    def _doc(self, words: Sequence[str]) -> Any:
        return self._spacy.tokens.Doc(self._nlp.vocab, words=list(words))


def _tree(doc: Any) -> DependencyTree:
    tree = DependencyTree(
        tuple(token.text for token in doc),
        # A root is its own head; UD's name for the relation is lower case.
        tuple(0 if token.head.i == token.i else token.head.i + 1 for token in doc),
        tuple("root" if t.dep_ == "ROOT" else t.dep_ or "dep" for t in doc),
        upos=tuple(token.pos_ or "_" for token in doc),
        xpos=tuple(token.tag_ or "_" for token in doc),
        lemmas=tuple(token.lemma_ or "_" for token in doc),
        feats=tuple(str(token.morph) or "_" for token in doc),
    )
    # In spaCy, runs of spaces are tokens; they are not words.
    words = [i for i, token in enumerate(doc, 1) if not token.is_space]
    return tree if len(words) == len(tree) else tree.keep(words)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def spacy_module() -> Any:
    """Return spaCy."""
    try:
        return import_module("spacy")
    except ImportError as error:
        raise MissingExtraError("the parser spacy", extra="parse-spacy") from error

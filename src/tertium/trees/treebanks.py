# SPDX-License-Identifier: Apache-2.0
"""Parsers trained on treebanks, and evaluated against them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.trees.conllu import Sentence
from tertium.trees.parsers import load_parser
from tertium.trees.parses import read_first_parses
from tertium.trees.scores import Attachment, attachment

if TYPE_CHECKING:
    from tertium.data.lines import StrPath

__all__ = [
    "ParserScores",
    "check_training",
    "evaluate_parser",
    "split_treebanks",
    "train_parser",
    "treebank_language",
]


@dataclass(frozen=True)
class ParserScores:
    """Attachment scores of a parser.

    Parameters
    ----------
    parser : str
        Its signature; ``given`` for trees from a file.
    attachment : Attachment
    """

    parser: str
    attachment: Attachment

    def to_dict(self) -> dict[str, object]:
        """Return parser and scores as JSON has them.

        Examples
        --------
        >>> scores = ParserScores("given", Attachment(10, 2, 90.0, 80.0, 80.0))
        >>> scores.to_dict()["las"]
        80.0
        """
        return {"parser": self.parser, **asdict(self.attachment)}


def split_treebanks(
    treebanks: Sequence[StrPath],
    *,
    dev: Sequence[StrPath] | None = None,
    seed: int = SEED,
) -> tuple[list[Sentence], list[Sentence]]:
    """Return the sentences to train on and those to test on.

    Parameters
    ----------
    treebanks : sequence of paths
        Files in CoNLL-U.
    dev : sequence of paths, optional
        Files to test on; by default a tenth of the treebanks is sampled.
    seed : int
    """
    from tertium.trees.training import split_treebank

    sentences = _read(treebanks)
    if dev:
        return sentences, _read(dev)
    return split_treebank(sentences, seed=seed)


def train_parser(
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    *,
    parser: str,
    output: str,
    epochs: int | None = None,
    language: str | None = None,
    detail: Sequence[str] | None = None,
    seed: int = SEED,
    log: IO[str] | None = None,
) -> ParserScores:
    """Train a parser, write its model and return its scores.

    Parameters
    ----------
    train, dev : sequence of Sentence
        Sentences to train on, and to test on.
    parser : {"udpipe", "spacy"}
    output : str
        The model: a file for udpipe, a folder for spacy.
    epochs : int, optional
        Passes over the treebank.
    language : str, optional
        spaCy's language, for its tokeniser; ``xx`` by default.
    detail : sequence of str, optional
        Settings of UDPipe's tokenizer, tagger and parser, such as
        ``parser=iterations=5``.
    seed : int
        For spaCy; UDPipe's is fixed.
    log : stream, optional
        Where spaCy writes its progress.

    Raises
    ------
    InputError
        When the parser cannot be trained, or an option is not for it.
    """
    from tertium.trees.training import train_spacy, train_udpipe

    check_training(parser, language=language, detail=detail)
    if parser == "udpipe":
        details = dict(map(_part_settings, detail or ()))
        train_udpipe(output, train, dev, epochs=epochs, details=details, apart=True)
    else:
        train_spacy(
            output,
            train,
            dev,
            language=language or "xx",
            epochs=epochs,
            seed=seed,
            log=log,
        )
    return _measured(parser, output, dev)


def check_training(
    parser: str, *, language: str | None = None, detail: Sequence[str] | None = None
) -> None:
    """Raise an error if a parser cannot be trained, or an option is not for it."""
    if parser not in ("udpipe", "spacy"):
        message = f"parser {parser!r} cannot be trained here; choose udpipe or spacy"
        raise InputError(message)
    if parser == "udpipe" and language:
        message = "language is for spaCy; omit it with udpipe"
        raise InputError(message, options=("language",))
    if parser == "spacy" and detail:
        message = "detail is for udpipe; spaCy takes epochs and language"
        raise InputError(message, options=("detail",))
    for item in detail or ():
        _part_settings(item)


def treebank_language(path: StrPath) -> str | None:
    """Return the language code that the name of a UD treebank starts with.

    Examples
    --------
    >>> treebank_language("ud/en_ewt-ud-train.conllu"), treebank_language("a.conllu")
    ('en', None)
    """
    match = re.match(r"([a-z]{2,3})_", os.path.basename(path))
    return match[1] if match else None


def evaluate_parser(
    treebanks: Sequence[StrPath],
    *,
    parser: str | None = None,
    model: str = "",
    trees: StrPath | None = None,
) -> ParserScores:
    """Return the attachment scores of a parser, or of trees, on treebanks.

    Parameters
    ----------
    treebanks : sequence of paths
        Files in CoNLL-U, whose trees are correct. Their words are parsed.
    parser, model : str
        As for :func:`tertium.trees.parsers.load_parser`.
    trees : path, optional
        Trees of the same sentences, to evaluate instead of a parser.

    Raises
    ------
    InputError
        When there is neither a parser nor trees, or both; or when the trees are not
        those of the same sentences.
    """
    if (parser is None) == (trees is None) or (trees and model):
        message = "give either a parser with its model, or trees"
        raise InputError(message, options=("parser", "model", "trees"))
    gold = _read(treebanks)
    if parser is not None:
        return _measured(parser, model, gold)
    sentences = _read([trees] if trees is not None else [])
    if len(sentences) != len(gold):
        message = (
            f"{trees} has {len(sentences)} sentences, the treebank {len(gold)}; give "
            "trees of the same sentences"
        )
        raise InputError(message)
    pairs = zip(sentences, gold, strict=True)
    return ParserScores("given", attachment((a.tree, b.tree) for a, b in pairs))


def _measured(name: str, model: str, gold: Sequence[Sentence]) -> ParserScores:
    parser = load_parser(name, model, tokenize="none")
    filled = [sentence.tree for sentence in gold if len(sentence.tree)]
    trees = parser.parse_words([tree.forms for tree in filled])
    return ParserScores(parser.signature, attachment(zip(trees, filled, strict=True)))


def _read(paths: Sequence[StrPath]) -> list[Sentence]:
    return [sentence for path in paths for sentence in read_first_parses(path)]


def _part_settings(item: str) -> tuple[str, str]:
    part, equals, settings = item.partition("=")
    if not equals:
        message = f"{item!r} is not a setting; write parser=iterations=5"
        raise InputError(message, options=("detail",))
    return part, settings

# SPDX-License-Identifier: Apache-2.0
"""Models from treebanks, through the trainers of UDPipe and spaCy.

Both write their progress to a stream of their own or to standard error. Training
is repeatable: UDPipe has fixed seeds inside, spaCy takes ours.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from tertium._files import check_place, replace_file, replace_folder
from tertium._processes import workers
from tertium._seed import SEED
from tertium.errors import InputError, MissingExtraError
from tertium.trees.conllu import Sentence
from tertium.trees.parsers.spacy import spacy_module

__all__ = ["split_treebank", "train_spacy", "train_udpipe"]

_UDPIPE_PARTS = ("tokenizer", "tagger", "parser")
#: What a part of a spaCy pipeline learns from: columns of words.
_SPACY_PARTS = {
    "tagger": ("xpos",),
    "morphologizer": ("upos", "feats"),
    "trainable_lemmatizer": ("lemmas",),
    "parser": ("heads",),
}


def split_treebank(
    sentences: Sequence[Sentence], *, share: float = 0.1, seed: int = SEED
) -> tuple[list[Sentence], list[Sentence]]:
    """Return a treebank as a part to train on and a part to test on.

    Parameters
    ----------
    sentences : sequence of Sentence
    share : float
        The share to test on, at least one sentence.
    seed : int
    """
    if len(sentences) < 2:
        message = (
            f"the treebank has {len(sentences)} sentences; give two at least, better "
            "some thousand"
        )
        raise InputError(message)
    count = max(1, min(len(sentences) - 1, round(share * len(sentences))))
    chosen = set(random.Random(seed).sample(range(len(sentences)), count))  # noqa: S311
    train = [s for i, s in enumerate(sentences) if i not in chosen]
    return train, [sentences[i] for i in sorted(chosen)]


def train_udpipe(
    path: str,
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    *,
    epochs: int | None = None,
    details: Mapping[str, str] | None = None,
    apart: bool = False,
) -> None:
    """Train a UDPipe 1 model and write it to a file.

    UDPipe does not heed Ctrl-C while it learns; a process of its own can be ended.

    Parameters
    ----------
    path : str
    train, dev : sequence of Sentence
        To learn from, and to stop early by.
    epochs : int, optional
        Rounds of the parser; UDPipe's own number, 10, by default.
    details : mapping, optional
        Settings in UDPipe's own words for ``tokenizer``, ``tagger`` and ``parser``,
        such as ``iterations=5;hidden_layer=100``. ``tokenizer`` is ``none`` unless
        the treebank says where spaces are.
    apart : bool
        Whether to learn in a process of its own. It is spawned, so a script must
        guard its own start with ``if __name__ == "__main__":``.
    """
    try:
        import_module("ufal.udpipe")
    except ImportError as missing:
        raise MissingExtraError("training udpipe", extra="parse-udpipe") from missing
    chosen = {"tokenizer": "", "tagger": "", "parser": "", **(details or {})}
    for part in chosen:
        if part not in _UDPIPE_PARTS:
            message = f"UDPipe has no part {part!r}; choose from tokenizer, tagger"
            raise InputError(f"{message}, parser")
    if not chosen["tokenizer"] and not _knows_spaces(train):
        chosen["tokenizer"] = "none"
    if epochs is not None:
        own = f"iterations={epochs}"
        chosen["parser"] = ";".join(filter(None, (own, chosen["parser"])))
    settings = [chosen[part] for part in _UDPIPE_PARTS]
    check_place(path)
    if apart:
        with workers(1) as (worker,):
            worker.call(_udpipe_model, _conllu(train), _conllu(dev), settings)
            model = cast("bytes", worker.result())
    else:
        model = _udpipe_model(_conllu(train), _conllu(dev), settings)
    with replace_file(path) as stream:
        stream.write(model)


def train_spacy(
    path: str,
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    *,
    language: str = "xx",
    epochs: int | None = None,
    seed: int = SEED,
    log: IO[str] | None = None,
) -> None:
    """Train a small spaCy pipeline on the processor and write it to a folder.

    Parameters
    ----------
    path : str
        The folder; it must not hold anything yet.
    train, dev : sequence of Sentence
        To learn from, and to stop early by.
    language : str
        SpaCy's language, for its tokeniser; ``xx`` is none in particular.
    epochs : int, optional
        Rounds at most; spaCy stops when nothing improves by default.
    seed : int
    log : stream, optional
        Where spaCy tells of its progress.
    """
    spacy = spacy_module()
    try:
        vocab = spacy.blank(language).vocab
    except ImportError:
        message = f"spaCy knows no language {language!r}; see https://spacy.io/usage/"
        raise InputError(f"{message}models#languages, or say xx") from None
    with replace_folder(path) as place, tempfile.TemporaryDirectory() as folder:
        corpora = {}
        for name, part in (("train", train), ("dev", dev)):
            corpora[name] = os.path.join(folder, f"{name}.spacy")
            docs = [_spacy_doc(spacy, vocab, sentence) for sentence in part]
            spacy.tokens.DocBin(docs=docs, store_user_data=False).to_disk(corpora[name])
        words = sum(len(sentence.tree) for sentence in train)
        parts = _spacy_parts(train)
        config = _spacy_config(language, parts, corpora, epochs, seed)
        # Some 1,000 words a step: test now and then, but also on small treebanks.
        config["training"]["eval_frequency"] = max(5, min(200, words // 1000))
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            out = log or nowhere
            nlp = import_module("spacy.training.initialize").init_nlp(config)
            loop = import_module("spacy.training.loop")
            target = Path(folder, "out")
            target.mkdir()
            loop.train(nlp, target, stdout=out, stderr=out)
        shutil.copytree(target / "model-best", place, dirs_exist_ok=True)


def _knows_spaces(sentences: Sequence[Sentence]) -> bool:
    return any("SpaceAfter=No" in row[-1] for s in sentences for row in s.rows)


def _conllu(sentences: Sequence[Sentence]) -> str:
    return "".join(f"{sentence}\n\n" for sentence in sentences)


def _udpipe_model(train: str, dev: str, settings: Sequence[str]) -> bytes:
    udpipe = import_module("ufal.udpipe")
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        _udpipe_sentences(udpipe, train),
        _udpipe_sentences(udpipe, dev),
        *settings,
        error,
    )
    if error.occurred() or not model:
        raise InputError(
            f"UDPipe cannot train on this ({error.message}); check the settings, and "
            "that the treebank has words, tags and relations"
        )
    return cast("bytes", model)


def _udpipe_sentences(udpipe: Any, text: str) -> Any:
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(text)
    found = udpipe.Sentences()
    error = udpipe.ProcessingError()
    while True:
        sentence = udpipe.Sentence()
        if not reader.nextSentence(sentence, error):
            break
        found.append(sentence)
    if error.occurred():
        raise InputError(
            f"UDPipe cannot read the treebank: {error.message}; correct it"
        )
    return found


def _spacy_doc(spacy: Any, vocab: Any, sentence: Sentence) -> Any:
    tree = sentence.tree

    def known(values: Sequence[str]) -> list[str]:
        return ["" if value == "_" else value for value in values]

    return spacy.tokens.Doc(
        vocab,
        words=list(tree.forms),
        spaces=[row[-1] != "SpaceAfter=No" for row in sentence.words],
        tags=known(tree.xpos),
        pos=known(tree.upos),
        morphs=known(tree.feats),
        lemmas=list(tree.lemmas),
        # A root is its own head in spaCy; other heads count from 0.
        heads=[i if head == 0 else head - 1 for i, head in enumerate(tree.heads)],
        deps=["ROOT" if name == "root" else name for name in tree.deprels],
    )


def _spacy_parts(sentences: Sequence[Sentence]) -> list[str]:
    """Return the parts that a treebank can teach; many lack a column."""
    return [
        part
        for part, columns in _SPACY_PARTS.items()
        if any(
            value != "_"
            for sentence in sentences
            for column in columns
            for value in getattr(sentence.tree, column)
        )
    ]


def _spacy_config(
    language: str,
    parts: list[str],
    corpora: Mapping[str, str],
    epochs: int | None,
    seed: int,
) -> Any:
    """Return spaCy's recommended configuration with our files and numbers."""
    make = import_module("spacy.cli.init_config").init_config
    config = make(lang=language, pipeline=parts, optimize="efficiency")
    config["paths"].update(corpora)
    config["system"]["seed"] = seed
    config["training"]["seed"] = seed
    if epochs is not None:
        config["training"]["max_epochs"] = epochs
    return config

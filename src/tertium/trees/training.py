# SPDX-License-Identifier: Apache-2.0
"""Models from treebanks, trained by UDPipe and spaCy.

Both write their progress to a stream or to standard error. Training is reproducible:
UDPipe has fixed seeds, spaCy uses ours.
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
#: The columns that each component of a spaCy pipeline is trained on.
_SPACY_PARTS = {
    "tagger": ("xpos",),
    "morphologizer": ("upos", "feats"),
    "trainable_lemmatizer": ("lemmas",),
    "parser": ("heads",),
}


def split_treebank(
    sentences: Sequence[Sentence], *, share: float = 0.1, seed: int = SEED
) -> tuple[list[Sentence], list[Sentence]]:
    """Split a treebank into sentences to train on and sentences to test on.

    Parameters
    ----------
    sentences : sequence of Sentence
    share : float
        The share to test on, at least one sentence.
    seed : int
    """
    if len(sentences) < 2:
        message = (
            f"the treebank has {len(sentences)} sentences; give at least two, "
            "preferably thousands"
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

    UDPipe ignores Ctrl-C during training; a separate process can be ended.

    Parameters
    ----------
    path : str
    train, dev : sequence of Sentence
        To train on, and for early stopping.
    epochs : int, optional
        Epochs of the parser; UDPipe's default is 10.
    details : mapping, optional
        Settings of UDPipe's ``tokenizer``, ``tagger`` and ``parser``,
        such as ``iterations=5;hidden_layer=100``. ``tokenizer`` is ``none`` unless
        the treebank marks spaces.
    apart : bool
        Whether to train in a separate process. It is spawned, so a script must be
        guarded by ``if __name__ == "__main__":``.
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
        iterations = f"iterations={epochs}"
        chosen["parser"] = ";".join(filter(None, (iterations, chosen["parser"])))
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
        The folder, which must be empty or missing.
    train, dev : sequence of Sentence
        To train on, and for early stopping.
    language : str
        SpaCy's language, for its tokeniser; ``xx`` stands for any language.
    epochs : int, optional
        The maximum number of epochs; by default spaCy stops when nothing improves.
    seed : int
    log : stream, optional
        Where spaCy writes its progress.
    """
    spacy = spacy_module()
    try:
        vocab = spacy.blank(language).vocab
    except ImportError:
        message = f"spaCy does not have the language {language!r}; use xx, or see"
        raise InputError(f"{message} https://spacy.io/usage/models") from None
    with replace_folder(path) as place, tempfile.TemporaryDirectory() as folder:
        corpora = {}
        for name, part in (("train", train), ("dev", dev)):
            corpora[name] = os.path.join(folder, f"{name}.spacy")
            docs = [_spacy_doc(spacy, vocab, sentence) for sentence in part]
            spacy.tokens.DocBin(docs=docs, store_user_data=False).to_disk(corpora[name])
        words = sum(len(sentence.tree) for sentence in train)
        parts = _spacy_parts(train)
        config = _spacy_config(language, parts, corpora, epochs, seed)
        # About 1,000 words per step: evaluate occasionally, on small treebanks too.
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
    sentences = udpipe.Sentences()
    error = udpipe.ProcessingError()
    while True:
        sentence = udpipe.Sentence()
        if not reader.nextSentence(sentence, error):
            break
        sentences.append(sentence)
    if error.occurred():
        raise InputError(
            f"UDPipe cannot read the treebank: {error.message}; correct it"
        )
    return sentences


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
    """Return the components that a treebank has columns for."""
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

# SPDX-License-Identifier: Apache-2.0
"""Thot as a decoder for `tertium tune run`: train a model, write n-best lists.

    python thot.py train PAIRS.tsv MODEL
    python thot.py decode MODEL SOURCE WEIGHTS NBEST [--size N] [--jump N]

Run it with a Python that has ``sil-thot`` and ``sil-machine``; Tertium is not needed.
PAIRS.tsv has one source and one target per line, WEIGHTS is the JSON object that
`tertium tune run` writes, and NBEST is written as Moses writes it.

Thot prints eight score components, but their weighted sum is not the printed score:

- The word penalty is geometric: n words have log(.3) each, and the end of the sentence
  log(.7). The printed component lacks the end; the score has it.
- The printed sentence length is the value when the last phrase was added, which depends
  on how the hypothesis was built. The score has the log-probability of the final length
  instead, which depends on source and length alone.

The lists have both components as the score has them, so features and weights give the
score exactly.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from machine.translation.thot import ThotSmtParameters
    from thot.translation import TranslationData

#: Score components in the order of Thot.
COMPONENTS = (
    "WordPenalty",
    "LanguageModel",
    "TargetPhraseLength",
    "SourceJump",
    "SourcePhraseLength",
    "Phrase_0",
    "Phrase_1",
    "SentenceLength",
)
_END = math.log(0.7)
_REORDERING = 2  # positions that a phrase may jump
_SMALLEST = 1e-3  # weight of the sentence length: from zero it could not be recovered


class _KeepWeights:
    """A tuner of weights for Thot's trainer that leaves them alone."""

    def tune(self, parameters: ThotSmtParameters, *_: object) -> ThotSmtParameters:
        return parameters


def train(pairs: Path, folder: Path) -> None:
    """Train word alignments, a phrase table and a trigram model on pairs."""
    from machine.corpora import DictionaryTextCorpus, MemoryText, TextRow
    from machine.translation.thot import (
        ThotSmtModelTrainer,
        ThotWordAlignmentModelType,
    )

    lines = pairs.read_text(encoding="utf-8").splitlines()
    sides = zip(*(line.split("\t") for line in lines), strict=True)
    source, target = (
        DictionaryTextCorpus(
            MemoryText(
                "all", [TextRow("all", i, [text]) for i, text in enumerate(side)]
            )
        )
        for side in sides
    )
    kind = ThotWordAlignmentModelType.HMM
    corpus = source.align_rows(target)
    with ThotSmtModelTrainer(kind, corpus, _parameters(folder)) as trainer:
        trainer._model_weight_tuner = _KeepWeights()
        trainer.train()
        folder.mkdir(parents=True, exist_ok=True)
        trainer.save()


def decode(
    folder: Path,
    source: Path,
    weights: Path,
    nbest: Path,
    *,
    size: int,
    jump: int = _REORDERING,
) -> None:
    """Write the n-best list of every line under weights."""
    from machine.translation.thot import ThotWordAlignmentModelType
    from machine.translation.thot.thot_utils import load_smt_decoder, load_smt_model

    values = json.loads(weights.read_text(encoding="utf-8"))
    used = [float(values[name]) for name in COMPONENTS]
    if abs(used[-1]) < _SMALLEST:
        used[-1] = _SMALLEST
    # Thot's weights have single precision.
    used = [ctypes.c_float(value).value for value in used]
    parameters = _parameters(folder)
    parameters.model_non_monotonicity = jump
    parameters.model_weights = used
    model = load_smt_model(ThotWordAlignmentModelType.HMM, parameters)
    decoder = load_smt_decoder(model, parameters)
    lines = source.read_text(encoding="utf-8").splitlines()
    with nbest.open("w", encoding="utf-8", newline="\n") as out:
        for number, line in enumerate(lines):
            for each in decoder.translate_n(line, size):
                pairs = zip(COMPONENTS, _features(each, used), strict=True)
                features = " ".join(f"{name}= {value:.5f}" for name, value in pairs)
                text = " ".join(each.target)
                out.write(f"{number} ||| {text} ||| {features} ||| {each.score:.5f}\n")
    decoder.clear()
    model.clear()


def _features(each: TranslationData, weights: Sequence[float]) -> list[float]:
    """Return the components such that their weighted sum is the score."""
    penalty, *others, _ = each.score_components
    features = [penalty + _END, *others]
    known = sum(w * f for w, f in zip(weights[:-1], features, strict=True))
    return [*features, (each.score - known) / weights[-1]]


def _parameters(folder: Path) -> ThotSmtParameters:
    from machine.translation.thot import ThotSmtParameters

    return ThotSmtParameters(
        translation_model_filename_prefix=str(folder / "tm" / "src_trg"),
        language_model_filename_prefix=str(folder / "lm" / "trg.lm"),
        model_non_monotonicity=_REORDERING,
    )


def main() -> None:
    """Run one of the two actions."""
    parser = argparse.ArgumentParser(description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("train")
    action.add_argument("pairs", type=Path)
    action.add_argument("folder", type=Path)
    action = actions.add_parser("decode")
    for name in ("folder", "source", "weights", "nbest"):
        action.add_argument(name, type=Path)
    action.add_argument("--size", type=int, default=100)
    action.add_argument("--jump", type=int, default=_REORDERING)
    options = vars(parser.parse_args())
    if options.pop("action") == "train":
        train(**options)
    else:
        decode(**options)


if __name__ == "__main__":
    main()

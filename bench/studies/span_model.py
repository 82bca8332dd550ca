# SPDX-License-Identifier: Apache-2.0
"""Train the span model that comes with Tertium on WMT23 en-de.

    python -m bench span_model

Writes src/tertium/learn/spans/spans-1.json. Documents that bench.studies.spans holds
out are not used.
"""

from __future__ import annotations

import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from bench.measure import ROOT
from tertium.data.testset import Testset
from tertium.judgements import Judgements
from tertium.learn.spans import SpanModel, train_span_model
from tertium.meta.files.mtme import read_mtme

DATA = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
MODEL = ROOT / "src" / "tertium" / "learn" / "spans" / "spans-1.json"
MERGED = DATA / "esa" / "wmt23.en-de.mqm.merged.seg.rating.gz"
REFERENCE = "refA"


def main() -> None:
    model = trained()
    model.save(MODEL)
    print(model.thresholds, model.missing_severity, model.penalty)
    print(model.training, model.validation, sep="\n")


def trained() -> SpanModel:
    """Return the model."""
    texts = single_reference(read_mtme(DATA / "wmt23-mtme", "en-de").testset)
    docs = texts.docs or []
    part = segments_of(texts, held_out=False)
    return train_span_model(
        part,
        Judgements.read(MERGED),
        name="spans-1",
        licence="Apache-2.0 for the weights; trained on MQM judgements of WMT23 en-de, "
        "released by the organisers for research",
        training={
            "command": "python -m bench span_model",
            "data": "WMT23 en-de: texts of the metrics task, reference refA; merged "
            "MQM spans (Freitag et al. 2023)",
            "documents": len({docs[int(i) - 1] for i in judged(part)}),
            "held_out": "documents whose name has a SHA-256 that begins with a byte of "
            "0 or 1 modulo 5",
        },
    )


def judged(part: Testset) -> set[str]:
    """Return the names of judged segments of a test set."""
    names = set(part.ids or ())
    spans = Judgements.read(MERGED).spans.select("segment").unique().collect()
    return names & set(map(str, spans["segment"]))


def is_held_out(document: str) -> bool:
    """Return whether nothing may be trained on a document."""
    return sha256(document.encode()).digest()[0] % 5 < 2


def single_reference(texts: Testset) -> Testset:
    """Return a test set with the human reference alone.

    The folder's second reference has an output wherever people judged one better than
    refA: whoever compares with it has seen the judgements.
    """
    systems = dict(texts.systems)
    references = [(text,) for text in systems.pop(REFERENCE)]
    systems.pop("synthetic_ref", None)
    return replace(texts, references=references, systems=systems)


def segments_of(texts: Testset, *, held_out: bool) -> Testset:
    """Return the segments of held-out documents, or all others, named by line."""
    chosen = [
        i for i, doc in enumerate(texts.docs or ()) if is_held_out(doc) == held_out
    ]

    def column(values: list[str] | None) -> list[str] | None:
        return None if values is None else [values[i] for i in chosen]

    return Testset(
        [texts.references[i] for i in chosen],
        {name: [each[i] for i in chosen] for name, each in texts.systems.items()},
        column(texts.sources),
        column(texts.docs),
        [str(i + 1) for i in chosen],
        texts.langpair or "en-de",
    )


if __name__ == "__main__":
    main()

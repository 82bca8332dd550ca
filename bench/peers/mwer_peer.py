# SPDX-License-Identifier: Apache-2.0
"""Texts cut into the lines of a reference by mweralign, in a Python that has it.

`bench.peers.mwer` starts this file with a request as JSON on standard input; Tertium is
not needed. It prints lines, edits and seconds, or what is missing. Texts go through the
calls of mweralign's own command line, document by document.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

Segmenter = Any  # mweralign's, or None: words between spaces


def answer(
    jobs: list[dict[str, Any]], pieces: dict[str, Any] | None, runs: int
) -> dict[str, object]:
    """Return lines, edits and seconds of every job.

    A job has, for every document, lines of the reference (`refs`) and a text (`hyps`),
    and says whether to use `pieces`: a SentencePiece model by its `path`, or one of
    some `size` learnt from `texts`. mweralign lower-cases words itself.
    """
    try:
        import mweralign
        from mweralign.segmenter import SPSegmenter
    except ImportError as error:
        return {"missing": str(error)}
    from importlib.metadata import version

    segmenter = None
    if pieces is not None:
        with tempfile.TemporaryDirectory() as folder:
            path = pieces["path"] or _learnt(pieces["texts"], pieces["size"], folder)
            segmenter = SPSegmenter(path)
    answers = []
    for job in jobs:
        chosen = segmenter if job["pieces"] else None
        times = []
        for _ in range(runs):
            start = time.process_time()
            lines = [
                _aligned(refs, hyp, chosen)
                for refs, hyp in zip(job["refs"], job["hyps"], strict=True)
            ]
            times.append(time.process_time() - start)
        edits = None
        if job["edits"]:
            edits = [
                _edits(mweralign.MwerAlign(), refs, hyp)
                for refs, hyp in zip(job["refs"], job["hyps"], strict=True)
            ]
        answers.append({"lines": lines, "edits": edits, "seconds": min(times)})
    return {"version": version("mweralign"), "answers": answers}


def _aligned(refs: list[str], hyp: str, segmenter: Segmenter) -> list[str]:
    from mweralign import align_texts

    if segmenter is None:
        return list(align_texts("\n".join(refs), hyp).split("\n"))
    result = align_texts(
        "\n".join(" ".join(segmenter.encode(ref)) for ref in refs),
        " ".join(segmenter.encode(hyp)),
        is_tokenized=True,
        forbid_midword_boundary=True,
    )
    return [segmenter.decode(line) for line in result.split("\n")]


def _edits(aligner: Any, refs: list[str], hyp: str) -> int:
    """Return the cost of the best path; costs of segments are running totals."""
    aligner.set_collect_trace(True)
    aligner.align("\n".join(refs), hyp)
    return int(aligner.get_trace().segment_costs[-1])


def _learnt(texts: list[str], size: int, folder: str) -> str:
    """Return the path of a model that changes no character, as mweralign's do not."""
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_prefix=str(Path(folder, "pieces")),
        vocab_size=size,
        character_coverage=1.0,
        normalization_rule_name="identity",
        num_threads=1,
        minloglevel=2,
    )
    return str(Path(folder, "pieces.model"))


if __name__ == "__main__":
    request = json.load(sys.stdin)
    # The aligner says something about every document.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stdout.write(json.dumps(answer(**request)))

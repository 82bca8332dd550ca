# SPDX-License-Identifier: Apache-2.0
"""``tertium explain --spans``: outputs with error spans."""

from __future__ import annotations

import os
import shutil
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.explain.options import Options
from tertium.cli.shared.inputs import keep_testset
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, emit_json
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.learn.spans import MarkedSegment, SpanModel

__all__ = ["spans_command"]

# Options that say nothing about spans.
_OTHERS = (
    *("permutation", "permutations", "zero_based", "metrics", "tokenize", "match"),
    *("language", "synonyms", "paraphrases", "cased", "parser", "model", "variant"),
    *("alignments", "one_based", "sure_only", "trees", "ref_trees", "sets", "draw"),
    "all",
)


def spans_command(options: Options) -> int:
    """Mark spans, print or write them, and return the exit code."""
    from tertium.judgements.formats.names import file_langpair
    from tertium.learn.spans import DEFAULT_MODEL, find_span_model, stream_marked
    from tertium.report.explain.segments import choose_segments, read_segment_list

    _check(options)
    model = find_span_model(options.span_model or DEFAULT_MODEL)
    if options.span_threshold is not None:
        model = model.with_threshold(options.span_threshold)
    if options.hyp is not None:
        _write([_alone(options, model)], model, options)
        return 0
    testset = keep_testset(options)
    if testset.langpair is None and options.testset is not None:
        testset = replace(testset, langpair=file_langpair(options.testset))
    listed = None if options.list is None else read_segment_list(options.list)
    outputs = choose_segments(
        testset,
        segments=options.segments,
        system=options.system,
        listed=listed,
        most=None,
    )
    reference = None if options.reference is None else options.reference - 1
    marked = stream_marked(testset, outputs=outputs, reference=reference, model=model)
    if options.predictions is None:
        _write(list(marked), model, options)
        return 0
    counted = _Counted(marked)
    if not outputs or listed is not None or _repeats_names(testset):
        _predict_at_once(list(counted), options.predictions)
    else:
        _predict(counted, options.predictions)
    if options.predictions != "-":
        errors, total = count(counted.errors, "error"), count(counted.outputs, "output")
        remark(options, f"{errors} in {total}, in {options.predictions}")
    return 0


def _alone(options: Options, model: SpanModel) -> MarkedSegment:
    """Return the output that the command line gives."""
    from tertium.learn.spans import MarkedSegment, mark_spans

    refs = tuple(options.ref or ())
    (output,) = mark_spans(
        [options.hyp or ""],
        [refs],
        None if options.src is None else [options.src],
        langpair=options.langpair or "",
        model=model,
    )
    return MarkedSegment("", 1, "1", None, refs, output)


def _write(marked: Sequence[MarkedSegment], model: SpanModel, options: Options) -> None:
    from tertium.report.explain.spans import render_spans, spans_to_dict

    if options.format == "json":
        from tertium._version import __version__

        segments = [spans_to_dict(each) for each in marked]
        content = {"tertium": __version__, "model": model.name, "segments": segments}
        emit_json(content, options.output)
        return
    terminal = options.output is None and sys.stdout.isatty()
    width = shutil.get_terminal_size((80, 24)).columns if terminal else 80
    colour = terminal and not os.environ.get("NO_COLOR")
    emit(render_spans(marked, width=width, colour=colour), options.output)


class _Counted:
    """Marked outputs that are counted as they pass."""

    def __init__(self, marked: Iterable[MarkedSegment]) -> None:
        self.outputs = self.errors = 0
        self._marked = marked

    def __iter__(self) -> Iterator[MarkedSegment]:
        for each in self._marked:
            self.outputs += 1
            self.errors += len(each.output.spans)
            yield each


def _repeats_names(testset: Testset) -> bool:
    """Return whether segments have the same id, if only in different documents."""
    if testset.ids is None:
        return False
    from tertium.data.segment_ids import repeats

    _, later = repeats(array("q", map(hash, testset.ids)))
    return len(later) > 0


# Readers take judge and language pair, which the format lacks, from the file name.


def _predict(marked: Iterable[MarkedSegment], path: str) -> None:
    """Write predictions as they come, segment by segment."""
    from tertium.data.lines import write_lines
    from tertium.learn.spans import prediction_lines

    write_lines(path, prediction_lines(marked))


def _predict_at_once(marked: Sequence[MarkedSegment], path: str) -> None:
    """Write predictions for segments in any order, of which some may have one name."""
    from tertium.judgements.writing import write_judgements
    from tertium.learn.spans import predictions

    write_judgements(predictions(marked), path, format="wmt26-predictions")


def _check(options: Options) -> None:
    defaults = {each.name: each.default for each in fields(options)}
    for name in _OTHERS:
        value = getattr(options, name)
        if value and value != defaults[name]:
            flag = name.replace("_", "-")
            message = f"--{flag} has no effect on error spans; omit it, or omit --spans"
            raise InputError(message)
    if options.format not in ("text", "json"):
        message = f"error spans are text or JSON, not {options.format}; choose -f json"
        raise InputError(message)
    if options.predictions is not None and (
        options.format != "text" or options.output is not None
    ):
        message = (
            "--predictions writes a file of its own, so that -f and -o have no effect; "
            "omit them"
        )
        raise InputError(message)
    if options.predictions is not None and options.hyp is not None:
        message = "--predictions is about a test set; give one instead of --hyp"
        raise InputError(message)

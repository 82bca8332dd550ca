# SPDX-License-Identifier: Apache-2.0
"""What Pearmut logs: scores, sliders and error spans of whole documents.

A line of ``CAMPAIGN.jsonl`` (or an entry of the JSON that the dashboard offers, by
campaign) is one answer: ``user_id``, ``item_i``, the ``item`` that was shown (segments
with ``item_id`` and ``tgt`` by model), the ``annotation`` (for every segment, by model:
``score``, ``error_spans``, perhaps ``sliders``) and the ``actions`` with their times.

- Who answers again replaces the earlier answer, model by model, since dynamic
  assignment shows an item again with other models. A reset removes what it names: an
  item, or else all answers of a user (``get_active_db_log`` of Pearmut, commit
  13e7a1f). The lines that no longer count are set aside.
- Positions count UTF-16 units, line ends included. Versions before 1.1.5 left these
  out; the spans of a campaign tell, see :func:`marks.numbering_votes`.
- The log does not name the protocol: ratings are ``MQM`` if an error has a category,
  ``ESA`` if there are errors, ``DA`` otherwise, unless a scale is named. Sliders have
  scales of their own names.
- After the text come fields for what is missing, and for instructions that were not
  followed (WMT 2026): spans without a place, of category ``missing`` and
  ``instruction-fault``.
- The category ``Other/Other``, of a kind without finer ones, is read as ``Other``.
- An answer is about a document: the one that its segments name, or else the first
  segment's name.
- Tutorials and attention checks (``validation``, ``welcome_0``, ``random_0``) go to the
  scale ``...-control``, with their spans in the metadata.
- The time of an answer, breaks cut to a minute as Pearmut does, is shared among its
  outputs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import datetime
from itertools import pairwise, zip_longest
from typing import NamedTuple, TypeAlias

from tertium.data.lines import open_lines
from tertium.errors import FormatError
from tertium.judgements.formats.appraise import error_spans
from tertium.judgements.formats.appraise_rows import langpair
from tertium.judgements.formats.cells import (
    epoch,
    from_json,
    score,
    sizes,
    to_meta,
)
from tertium.judgements.formats.format import Format, ImportOptions
from tertium.judgements.formats.marks import as_json, marks, numbering_votes
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.judgement import Bad, Judgement, Rating
from tertium.judgements.scales import CONTROL

__all__ = ["PEARMUT"]

_RESET = "__RESET__"
_EXTRA = re.compile(r"^(welcome|random|goodbye)_")
_OPENS = re.compile(r'\s*"[^"]+": ?\[')  # the answers of a campaign
_BREAK = 60.0  # seconds
_FIELDS = ("missing", "instruction-fault")
_PAIR = re.compile(r"^([a-z]{2,3})(?:_[A-Za-z]+)?---([a-z]{2,3})(?:_[A-Za-z]+)?\b")
_ID = "_###_"  # between the parts of an id of WMT 2026
_SUFFIX = re.compile(r"\.jsonl?(\.(gz|xz|bz2|zst))?$")

Entry = dict[str, object]
_Key: TypeAlias = "tuple[str, str, str]"  # campaign, user, item


class _Line(NamedTuple):
    number: int
    campaign: str
    text: str
    entry: Entry | None


def _entries(path: str) -> Iterator[_Line]:
    """Yield the answers of a log, or of a download with several."""
    name = _SUFFIX.sub("", os.path.basename(path))
    lines = enumerate(open_lines(path), start=1)
    for number, line in lines:
        if not line.strip():
            continue
        content = _json(line)
        if number == 1 and (content is None or _is_download(content)):
            rest = [line, *(text for _, text in lines)]
            yield from _download("\n".join(rest), path)
            return
        yield _Line(number, name, line, content)


def _json(text: str) -> Entry | None:
    try:
        content = from_json(text, "this is")
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _is_download(content: Entry) -> bool:
    return "annotation" not in content and all(
        isinstance(value, list) for value in content.values()
    )


def _download(text: str, path: str) -> Iterator[_Line]:
    content = _json(text)
    if content is None or not _is_download(content):
        what = "neither a log of Pearmut nor what it lets download; check the format"
        raise FormatError(what, path=path, line=1)
    number = 0
    for campaign, entries in content.items():
        for entry in entries if isinstance(entries, list) else ():
            number += 1
            known = entry if isinstance(entry, dict) else None
            yield _Line(number, campaign, json.dumps(entry, ensure_ascii=False), known)


def _key(line: _Line) -> _Key:
    entry = line.entry or {}
    return line.campaign, str(entry.get("user_id")), str(entry.get("item_i"))


class _Survey(NamedTuple):
    """What only a whole log tells.

    Parameters
    ----------
    last : dict of (key, str) to int
        The line of the last answer, by item and model.
    removed : dict of int to int
        The lines that a reset removes, and the line of the reset.
    scales : dict of str to str
        The protocol, by campaign; those without errors are missing.
    votes : dict of str to int
        How positions are numbered, by campaign; see `numbering_votes`.
    """

    last: Mapping[tuple[_Key, str], int]
    removed: Mapping[int, int]
    scales: Mapping[str, str]
    votes: Mapping[str, int]


def _survey(path: str) -> _Survey:
    last: dict[tuple[_Key, str], int] = {}
    removed: dict[int, int] = {}
    open_: dict[tuple[str, str], dict[int, str]] = {}  # answers and their items
    scales: dict[str, str] = {}
    votes: Counter[str] = Counter()
    for line in _entries(path):
        if line.entry is None or "annotation" not in line.entry:
            continue
        campaign, user, item = key = _key(line)
        answered = open_.setdefault((campaign, user), {})
        if line.entry["annotation"] == _RESET:
            every = line.entry.get("item_i") is None
            gone = [number for number, at in answered.items() if every or at == item]
            for number in gone:
                removed[number] = line.number
                del answered[number]
            continue
        answered[line.number] = item
        for model in _models(line.entry):
            last[key, model] = line.number
        for text, output in _outputs(line.entry):
            spans = output.get("error_spans")
            votes[campaign] += numbering_votes(spans, text or "")
            for span in spans if isinstance(spans, list) else ():
                typed = isinstance(span, dict) and bool(span.get("category"))
                known = scales.get(campaign)
                scales[campaign] = "MQM" if typed else known or "ESA"
    return _Survey(last, removed, scales, votes)


def _models(entry: Entry) -> list[str]:
    """Return the models that an answer is about."""
    return list(dict.fromkeys(model for one in _answers(entry) for model in one))


def _outputs(entry: Entry) -> Iterator[tuple[str | None, Entry]]:
    """Yield the text of every output, if known, and the answer about it."""
    items = entry.get("item")
    answers = _answers(entry)
    shown = items if isinstance(items, list) else []
    for item, answer in zip_longest(shown[: len(answers)], answers):
        texts = item.get("tgt") if isinstance(item, dict) else None
        for model, output in answer.items():
            text = texts.get(model) if isinstance(texts, dict) else None
            if isinstance(output, dict):
                yield text if isinstance(text, str) else None, output


def _answers(entry: Entry) -> list[dict[str, object]]:
    """Return for every segment what was said, by model."""
    answers = entry["annotation"]
    if isinstance(answers, dict):  # The first versions: one segment an answer.
        return [answers]
    if not isinstance(answers, list):
        return []
    return [answer if isinstance(answer, dict) else {} for answer in answers]


def _read(path: str, options: ImportOptions) -> Iterator[Judgement | Bad]:
    if path == "-":
        what = "a log is read twice, which standard input does not allow; give a file"
        raise FormatError(what, path="<stdin>")
    survey = _survey(path)
    pair = options.langpair or _langpair(os.path.basename(path))
    for line in _entries(path):
        entry = line.entry
        if entry is None or "annotation" not in entry:
            reason = "no JSON object with an annotation"
            yield Bad(line.number, reason, line.text)
            continue
        if entry["annotation"] == _RESET:
            yield Bad(line.number, "a reset, not an answer", line.text, skipped=True)
            continue
        newest = {model: survey.last[_key(line), model] for model in _models(entry)}
        again = survey.removed.get(line.number) or min(newest.values(), default=0)
        if again > line.number:
            reason = f"answered again, or reset, in line {again}"
            yield Bad(line.number, reason, line.text, skipped=True)
            continue
        scale = options.scale or survey.scales.get(line.campaign, "DA")
        line_options = ImportOptions(
            pair or _langpair(line.campaign), options.campaign, scale
        )
        try:
            judgements = _judgements(
                line,
                entry,
                line_options,
                replaced={name for name, at in newest.items() if at != line.number},
                spans=line.campaign in survey.scales,
                numbering="clicks" if survey.votes[line.campaign] < 0 else "units",
            )
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            yield Bad(line.number, f"not an answer of Pearmut: {error}", line.text)
            continue
        if not judgements:
            yield Bad(line.number, "no scores", line.text, skipped=True)
        yield from judgements


def _judgements(
    line: _Line,
    entry: Entry,
    options: ImportOptions,
    *,
    replaced: Set[str],
    spans: bool,
    numbering: str,
) -> list[Judgement]:
    answers = _answers(entry)
    items = entry.get("item")
    if items is None:
        items = [{"item_id": f"{entry.get('item_i')}"}] * len(answers)
    if not isinstance(items, list) or len(items) != len(answers):
        message = "as many items as annotations are due"
        raise ValueError(message)
    time, duration = _times(entry)
    outputs = sum(len(answer) for answer in answers)
    shared = duration / outputs if duration is not None and outputs else None
    place = str(entry.get("item_i", ""))
    judgements: list[Judgement] = []
    document = _common_document(items)
    for item, answer in zip(items, answers, strict=True):
        if not isinstance(item, dict):
            message = f"item {item!r} is not a JSON object"
            raise ValueError(message)
        if "form" in item:
            continue
        control = bool(item.get("validation")) or bool(_EXTRA.match(place))
        segment = _segment(item) if answer else ""
        for model, output in answer.items():
            if not isinstance(output, dict) or model in replaced:
                continue
            base = Rating(
                model,
                0.0,
                (options.scale or "DA") + (CONTROL if control else ""),
                segment,
                str(entry["user_id"]) if entry.get("user_id") else None,
                _document(item) or document,
                options.langpair,
                options.campaign or line.campaign,
                time,
                shared,
            )
            judgements += _output(
                base,
                item,
                output,
                place,
                control=control,
                spans=spans,
                numbering=numbering,
            )
    return judgements


def _output(
    base: Rating,
    item: Entry,
    output: Entry,
    place: str,
    *,
    control: bool,
    spans: bool,
    numbering: str,
) -> list[Judgement]:
    """Return the judgements of one output."""
    texts = item.get("tgt")
    text = texts.get(base.system) if isinstance(texts, dict) else None
    errors = [
        mark._replace(category=_category(mark.category))
        for mark in marks(
            output.get("error_spans") or [],
            text=text if isinstance(text, str) else None,
            category="category",
            fields=_FIELDS,
            numbering=numbering,
        )
    ]
    size = sizes(text if isinstance(text, str) else None)
    rest: dict[str, object] = {"textfield": output.get("textfield"), **size}
    if control:
        rest |= {"item": place if _EXTRA.match(place) else "check"}
        rest |= {"spans": as_json(errors)} if errors else {}
    base = base._replace(meta=to_meta(rest))
    values: list[tuple[str, object]] = []
    if output.get("score") is not None:
        values.append((base.scale, output["score"]))
    sliders = output.get("sliders")
    for name, value in sliders.items() if isinstance(sliders, dict) else ():
        if value is not None:
            values.append((f"{name}{CONTROL if control else ''}", value))
    judgements: list[Judgement] = [
        base._replace(scale=scale, score=score(str(value))) for scale, value in values
    ]
    if not control and (judgements or errors):
        judgements += [
            span._replace(meta=to_meta(size))
            for span in error_spans(base, errors, none=spans)
        ]
    return judgements


def _category(name: str) -> str:
    """Return a category without the repetition that stands for no finer one."""
    kind, _, finer = name.partition("/")
    return kind if kind == finer else name


def _segment(item: Entry) -> str:
    """Return the name of a segment; without one, something of its source."""
    name = item.get("item_id")
    if name is not None and name != "":
        return str(name)
    source = item.get("src") or item.get("ref")
    if not isinstance(source, str) or not source:
        message = "a segment has neither item_id nor src; name it in the campaign"
        raise ValueError(message)
    digest = hashlib.sha256(source.encode(errors="surrogatepass")).hexdigest()
    return f"src-{digest[:12]}"


def _document(item: Entry) -> str | None:
    name = item.get("doc_id") or item.get("document_id") or item.get("document")
    return str(name) if name else None


def _common_document(items: Sequence[object]) -> str | None:
    """Return the document of an answer, None if it is one segment without a name."""
    names = [
        str(item["item_id"])
        for item in items
        if isinstance(item, dict) and item.get("item_id") not in (None, "")
    ]
    documents = {name.rpartition(_ID)[0] for name in names}
    if len(documents) == 1 and (name := documents.pop()):
        return name
    return names[0] if len(names) > 1 else None


def _langpair(name: str) -> str | None:
    """Return the language pair of a campaign or file, if its name states it.

    Examples
    --------
    >>> _langpair("eng_Latn---deu_Latn v3"), _langpair("wmt.en-cs.jsonl")
    ('en-de', 'en-cs')
    """
    pair = _PAIR.match(name)
    if pair is None:
        return file_langpair(name)
    return langpair(dict(zip(("source", "target"), pair.groups(), strict=True)))


def _times(entry: Entry) -> tuple[datetime | None, float | None]:
    """Return when an answer was options, and how long it took."""
    actions = entry.get("actions")
    times: Sequence[float] = [
        float(action["time"])
        for action in (actions if isinstance(actions, list) else ())
        if isinstance(action, dict) and isinstance(action.get("time"), (int, float))
    ]
    if not times:
        return None, None
    steps = [later - earlier for earlier, later in pairwise(times)]
    lasted = sum(min(max(step, 0.0), _BREAK) for step in steps)
    return epoch(str(times[-1])), lasted if len(times) > 1 else None


def _fits(path: str, head: Sequence[str]) -> bool:
    if not head or not head[0].startswith("{"):
        return False
    first = head[0]
    if first.strip() == "{" and _OPENS.match("".join(head[1:2])):
        # A download in several lines; a campaign may have no answers.
        content = _json("\n".join(open_lines(path))) or {}
        every = content.values() if _is_download(content) else ()
        answers = (each[0] for each in every if isinstance(each, list) and each)
        first = json.dumps(next(answers, None))
    named = '"annotation"' in first and '"user_id"' in first
    return named and ('"item_i"' in first or _RESET in first)


PEARMUT = Format(
    "pearmut",
    _fits,
    _read,
    kinds=("ratings", "spans"),
)

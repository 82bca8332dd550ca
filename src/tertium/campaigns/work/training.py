# SPDX-License-Identifier: Apache-2.0
"""Training: items whose answer is known, which everybody gets before the work.

The file has answers of somebody who knows, a line each: what ``tertium campaign export
--format answers`` writes. Read are ``content``, ``answer``, ``item`` (a name) and
``note``, which says why. Who wrote a candidate is left out: nobody needs it. An image
in the content may be the path of a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.images import with_images
from tertium.campaigns.tasks import AnswerError, ItemDraft, Task
from tertium.campaigns.work.payloads import PayloadError, read_json
from tertium.errors import FormatError, InputError

__all__ = ["expected_of", "read_training"]

_EXPECTED, _NOTE = "expected", "note"
_LONGEST = 2000  # characters of a note


def read_training(
    config: CampaignConfig, task: Task, options: Mapping[str, object]
) -> Iterator[ItemDraft]:
    """Yield the training items of a campaign, in the order of their file.

    Raises
    ------
    FormatError
        When a line is not an answer to this task.
    InputError
        When the task has no training, or the file cannot be read.
    """
    if not config.training:
        return
    if task.private:
        message = (
            f"[training] does not fit {task.name}, which has a worked sample; remove "
            "it, and set sample_hypothesis and sample_reference in [task]"
        )
        raise FormatError(message, path=str(config.path))
    place = config.file(config.training)
    try:
        lines = place.read_bytes().splitlines()
    except OSError as error:
        message = (
            f"cannot read the training {place}: {error.strerror}; correct the path"
        )
        raise InputError(message) from None
    seen = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        draft = _draft(line, number, config, task, options)
        if draft.key in seen:
            what = f"a second item is called {draft.segment!r}; give it another name"
            raise FormatError(what, path=str(place), line=number)
        seen.add(draft.key)
        yield draft
    if not seen:
        raise FormatError("it has no item; add some lines", path=str(place))


def _draft(
    line: bytes,
    number: int,
    config: CampaignConfig,
    task: Task,
    options: Mapping[str, object],
) -> ItemDraft:
    place = config.file(config.training)

    def wrong(what: str) -> FormatError:
        return FormatError(what, path=str(place), line=number)

    try:
        entry = read_json(line)
    except PayloadError as error:
        raise wrong(str(error)) from None
    content = entry.get("content") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(content, dict):
        raise wrong(
            "no content; give lines of `tertium campaign export --format answers`"
        )
    name, note = entry.get("item", str(number)), entry.get(_NOTE, "")
    if not isinstance(name, str) or not isinstance(note, str) or len(note) > _LONGEST:
        raise wrong(f"item and note must be texts, a note of {_LONGEST} signs at most")
    content = with_images(content, config, path=str(place), line=number)
    try:
        answer = task.check_expected(content, entry.get("answer"), options)
        task.page(content, options, Random(0))
    except AnswerError as error:
        raise wrong(f"the answer does not fit: {error}") from None
    except Exception:  # whatever a task stumbles over in what it did not write
        what = f"the content does not fit the task {task.name!r}; export it again"
        raise wrong(what) from None
    return ItemDraft(
        key=f"training:{name}",
        segment=name,
        content=content,
        meta={_EXPECTED: answer, _NOTE: note},
        kind="training",
    )


def expected_of(meta: Mapping[str, object]) -> tuple[object, str]:
    """Return the answer that a training item expects (or None), and the note."""
    return meta.get(_EXPECTED), str(meta.get(_NOTE, ""))

# SPDX-License-Identifier: Apache-2.0
"""The addresses of the API. People appear under pseudonyms everywhere."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO

from django.db import DatabaseError
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.urls import reverse

from tertium.campaigns.api.callers import Caller, caller_of, callers
from tertium.campaigns.api.document import DOCUMENT
from tertium.campaigns.api.replies import (
    ApiError,
    reply,
    takes,
    upload,
    upload_with_images,
    uploads,
)
from tertium.campaigns.config import CampaignConfig, Plan
from tertium.campaigns.dashboard.progress import members, progress
from tertium.campaigns.exchange.downloads import CELLS, make_download
from tertium.campaigns.exchange.formats import RAW, SIDES, formats, imports
from tertium.campaigns.exchange.importing import Imported, import_file
from tertium.campaigns.images import images_of, stored_image
from tertium.campaigns.loading import add
from tertium.campaigns.models import Campaign, Item, Role
from tertium.campaigns.people.accounts import delete_member
from tertium.campaigns.tasks import get_task
from tertium.campaigns.views.images import image_reply
from tertium.errors import TertiumError

__all__ = [
    "add_items",
    "add_judgements",
    "campaign",
    "campaigns",
    "delete_participant",
    "document",
    "export",
    "image",
    "items",
    "participants",
]

_LOG = logging.getLogger(__name__)
_LINES = {"application/x-ndjson": "jsonl", "application/jsonl": "jsonl"}
#: Endings of uploads by media type; a file never has a name from outside.
_FILES = {
    **_LINES,
    "text/tab-separated-values": "tsv",
    "application/xml": "xml",
    "application/json": "json",
    "text/csv": "csv",
}
#: The same of judgements; those of Parquet tables come packed.
_JUDGEMENTS = {
    **_FILES,
    "text/plain": "txt",
    "application/zip": "zip",
    "application/vnd.sqlite3": "sqlite",
}
_BOOLEANS = ("true", "false")


def document(request: HttpRequest) -> HttpResponseBase:  # noqa: ARG001
    """Return the description of the API."""
    return reply(DOCUMENT)


def campaigns(request: HttpRequest) -> HttpResponseBase:
    """List the campaigns of whoever is asking."""
    visible = [
        _facts(caller) for caller in callers(request) if caller.role != Role.ANNOTATOR
    ]
    return reply({"campaigns": visible})


def _facts(caller: Caller) -> dict[str, object]:
    campaign = caller.campaign
    return {
        "name": campaign.name,
        "title": campaign.title,
        "task": campaign.task,
        "source": campaign.source,
        "target": campaign.target,
        "phase": campaign.phase,
        "role": caller.role,
    }


def campaign(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return a campaign and how far it is."""
    caller = caller_of(request, name)
    numbers = asdict(progress(caller.campaign))
    known = ("campaign", "title", "task", "phase")
    far = {key: value for key, value in numbers.items() if key not in known}
    return reply({**_facts(caller), "progress": far})


def participants(request: HttpRequest, name: str) -> HttpResponseBase:
    """List the members by pseudonym, with what they did."""
    caller = caller_of(request, name)
    return reply({"participants": [asdict(one) for one in members(caller.campaign)]})


@takes("page", "size")
def items(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return a page of items; managers see systems."""
    caller = caller_of(request, name)
    page = _number(request, "page", 1, 1_000_000)
    size = _number(request, "size", 100, 1000)
    matching = Item.objects.filter(campaign=caller.campaign).order_by("position", "pk")
    start = (page - 1) * size
    chosen = matching.select_related("base").prefetch_related("origins")
    return reply(
        {
            "total": matching.count(),
            "page": page,
            "size": size,
            "items": [_item(one, caller) for one in chosen[start : start + size]],
        }
    )


def _item(item: Item, caller: Caller) -> dict[str, object]:
    facts: dict[str, object] = {
        "key": item.key,
        "kind": item.kind,
        "base": item.base.key if item.base else None,
        "segment": item.segment,
        "document": item.document,
        "content": item.content,
        "images": [
            reverse("api-image", args=[caller.campaign.name, one["name"]])
            for one in map(stored_image, images_of(item.content))
            if one is not None
        ],
        "taken": item.taken,
    }
    if caller.is_manager:
        # Metadata may name systems too.
        facts |= {"systems": item.systems(), "meta": item.meta}
    return facts


def image(request: HttpRequest, name: str, digest: str) -> HttpResponseBase:
    """Send an image that items show."""
    caller = caller_of(request, name)
    sent = image_reply(caller.campaign, digest)
    if sent is None:
        raise ApiError(404, "no such image; items list theirs under images")
    return sent


def _number(request: HttpRequest, name: str, default: int, most: int) -> int:
    text = request.GET.get(name)
    if text is None:
        return default
    # Not int() alone, which takes " 1_0 " and digits of every script.
    if text.isascii() and text.isdigit() and len(text) < 9 and 0 < int(text) <= most:
        return int(text)
    raise ApiError(400, f"{name} must be a number from 1 to {most}")


def _choice(
    request: HttpRequest,
    name: str,
    default: str,
    choices: Collection[str],
) -> str:
    value = request.GET.get(name, default)
    if value not in choices:
        raise ApiError(400, f"{name} must be one of {', '.join(choices)}")
    return value


@takes("format", "cells", "archive")
def export(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send the judgements in any format, or what lies beside them."""
    caller = caller_of(request, name, manager=True)
    format_name = _choice(request, "format", RAW, formats() | SIDES)
    cells = _choice(request, "cells", "check", CELLS)
    archive = None
    if "archive" in request.GET:
        archive = _choice(request, "archive", "", _BOOLEANS) == "true"
    try:
        made = make_download(
            caller.campaign,
            format_name,
            cells=cells,
            archive=archive,
            actor=caller.actor,
        )
    except TertiumError as error:
        raise ApiError(422, str(error)) from None
    return FileResponse(
        made.file, as_attachment=True, filename=made.name, content_type=made.type
    )


@takes("format", "skip_bad")
def add_judgements(request: HttpRequest, name: str) -> HttpResponseBase:
    """Import judgements from elsewhere: all of them or none, unless asked otherwise."""
    caller = caller_of(request, name, write=True)
    skip_bad = _choice(request, "skip_bad", "false", _BOOLEANS) == "true"
    format_name = None
    if "format" in request.GET:
        format_name = _choice(request, "format", "", imports())
    file, ending = upload(request, _JUDGEMENTS)
    nothing = asdict(Imported())
    with file, _folder(file, f"judgements.{ending}", more=nothing) as place:
        done = import_file(
            caller.campaign,
            str(place),
            format_name=format_name,
            skip_bad=skip_bad,
            actor=caller.actor,
        )
    result = asdict(done)
    if not done.stored:
        message = (
            f"{done.wrong} lines cannot be stored, so nothing was; correct them, or "
            "add skip_bad=true to store the others"
        )
        raise ApiError(422, message, more=result)
    return reply(result)


@contextmanager
def _folder(
    file: IO[bytes], called: str, *, more: Mapping[str, object] | None = None
) -> Iterator[Path]:
    """Put an upload into a folder under our own name; reject unreadable ones."""
    with tempfile.TemporaryDirectory(prefix="tertium-upload-") as folder:
        place = Path(folder, called)
        with place.open("wb") as copy:
            shutil.copyfileobj(file, copy)
        try:
            yield place
        except TertiumError as error:
            # Where it lay for a moment is nobody's business.
            text = str(error).replace(f"{folder}/", "").replace(folder, "it")
            raise ApiError(422, text, more=more) from None
        except (ApiError, DatabaseError):
            raise
        except Exception:  # a reader of files that stumbled over this one
            _LOG.exception("an upload could not be read")
            message = "this cannot be read; try `tertium campaign` on the server"
            raise ApiError(422, message, more=more) from None


@takes("systems")
def add_items(request: HttpRequest, name: str) -> HttpResponseBase:
    """Take items in the format that the campaign's task reads."""
    caller = caller_of(request, name, write=True)
    task = get_task(caller.campaign.task)
    if task.fixed:
        message = (
            f"items of {task.name!r} are sampled when a campaign is loaded, and none "
            "can be added; load a new one with `tertium campaign load`"
        )
        raise ApiError(422, message)
    systems = request.GET.get("systems", "")
    if systems and task.systems_file:
        # There it names a file, and no file of the server is anybody's business.
        message = f"items of {task.name!r} take no systems here; send them as a file"
        raise ApiError(400, f"{message}: curl -F items=@FILE -F systems=@FILE")
    table: IO[bytes] | None = None
    images: dict[str, IO[bytes]] = {}
    if task.systems_file and request.content_type == "multipart/form-data":
        file, table = uploads(request, "items", "systems")
        ending = "jsonl"  # recognised from its first line
    elif request.content_type == "multipart/form-data":
        file, ending, images = upload_with_images(request, _FILES)
    else:
        file, ending = upload(request, _FILES)
    with file, _folder(file, f"items.{ending}") as place:
        if table is not None:
            systems = "systems.tsv"
            with table, place.with_name(systems).open("wb") as copy:
                shutil.copyfileobj(table, copy)
        for called, image_file in images.items():
            beside = place.with_name("images") / called
            beside.parent.mkdir(exist_ok=True)
            with image_file, beside.open("wb") as copy:
                shutil.copyfileobj(image_file, copy)
        config = _config(caller.campaign, place, systems)
        loaded = add(caller.campaign, config, actor=caller.actor)
    return reply({"added": loaded.added, "known": loaded.known})


def _config(campaign: Campaign, place: Path, systems: str) -> CampaignConfig:
    return CampaignConfig(
        path=place.with_name("campaign.toml"),
        name=campaign.name,
        title=campaign.title,
        task=campaign.task,
        items=place.name,
        source=campaign.source,
        target=campaign.target,
        systems=systems,
        seed=campaign.seed,
        plan=Plan.from_json(campaign.plan),
        options=campaign.options,
    )


def delete_participant(request: HttpRequest, name: str, code: str) -> HttpResponseBase:
    """Delete somebody with everything they said."""
    caller = caller_of(request, name, write=True)
    member = caller.campaign.members.filter(code=code).first()
    if member is None:
        raise ApiError(404, "nobody of that pseudonym; list the participants")
    if member.role == Role.MANAGER:
        raise ApiError(409, "this is a manager, who cannot be deleted from here")
    lost = delete_member(member, actor=caller.actor)
    return reply({"deleted": code, "judgements": lost})

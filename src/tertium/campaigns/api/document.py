# SPDX-License-Identifier: Apache-2.0
"""The API as OpenAPI 3; tests try the server against it."""

from __future__ import annotations

from collections.abc import Mapping

from tertium._version import __version__
from tertium.campaigns.exchange.downloads import CELLS
from tertium.campaigns.exchange.formats import SIDES, formats, imports, losses
from tertium.campaigns.images import TYPES
from tertium.campaigns.tasks import TASKS

__all__ = ["DOCUMENT"]

_Json = dict[str, object]
_NAME: _Json = {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,48}$"}
_COUNT: _Json = {"type": "integer", "minimum": 0}
_TEXT: _Json = {"type": "string"}


def _object(
    properties: Mapping[str, object], *, optional: tuple[str, ...] = ()
) -> _Json:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _list(of: _Json) -> _Json:
    return {"type": "array", "items": of}


def _ref(name: str) -> _Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _json(description: str, schema: _Json) -> _Json:
    return {
        "description": description,
        "content": {"application/json": {"schema": schema}},
    }


def _replies(ok: _Json, *statuses: int, unfit: _Json | None = None) -> _Json:
    """Return the reply of an address, and its errors."""
    known = {
        400: "A parameter is not what it should be.",
        401: "No token, or an invalid one; changes need a token.",
        403: "The role does not include this.",
        404: "No such campaign, image or participant, or none of yours.",
        409: "A manager cannot be deleted from here.",
        413: "The upload is too large.",
        415: "The upload is of another type.",
        422: "The judgements or the upload do not fit; nothing was changed.",
        429: "Too many bad tokens from this address; wait 15 minutes.",
    }
    replies: _Json = {"200": ok}
    for status in sorted({400, 401, 429, *statuses}):
        replies[str(status)] = _json(known[status], _ref("Error"))
    return replies if unfit is None else replies | {"422": unfit}


def _query(name: str, about: str, schema: _Json) -> _Json:
    return {"name": name, "in": "query", "description": about, "schema": schema}


_OF_CAMPAIGN = [{"name": "name", "in": "path", "required": True, "schema": _NAME}]
_CAMPAIGN: _Json = {
    "name": _NAME,
    "title": _TEXT,
    "task": {"type": "string", "enum": list(TASKS)},
    "source": _TEXT,
    "target": _TEXT,
    "phase": {"type": "string", "enum": ["open", "paused", "closed"]},
    "role": {"type": "string", "enum": ["manager", "observer"]},
}
_SECONDS: _Json = {
    "type": "number",
    "nullable": True,
    "description": "The median time of an item.",
}
_PROGRESS = _object(
    {
        "items": _COUNT,
        "judged": _COUNT,
        "wanted": _COUNT,
        "first": _COUNT,
        "under_way": _COUNT,
        "judgements": _COUNT,
        "annotators": _COUNT,
        "judges": _COUNT,
        "seconds": _SECONDS,
    }
)
_ITEM = _object(
    {
        "key": _TEXT,
        "kind": {"type": "string", "enum": ["work", "check", "training"]},
        "base": {"type": "string", "nullable": True},
        "segment": _TEXT,
        "document": _TEXT,
        "content": {"type": "object"},
        "images": {
            **_list(_TEXT),
            "description": "Addresses of the images that it shows.",
        },
        "taken": _COUNT,
        "systems": {
            "type": "object",
            "description": "Systems by candidate; for managers.",
            "additionalProperties": _list(_TEXT),
        },
        "meta": {"type": "object", "description": "For managers."},
    },
    optional=("systems", "meta"),
)
_PARTICIPANT = _object(
    {
        "code": {"type": "string", "description": "The pseudonym."},
        "role": {"type": "string", "enum": ["manager", "annotator", "observer"]},
        "paused": {"type": "boolean"},
        "done": _COUNT,
        "skipped": _COUNT,
        "again": _COUNT,
        "checks": _COUNT,
        "seconds": _SECONDS,
    }
)
_IMPORTED: _Json = {
    "added": _COUNT,
    "known": _COUNT,
    "items": _COUNT,
    "judges": _COUNT,
    "bad": _list(_object({"line": {"type": "integer", "minimum": 1}, "reason": _TEXT})),
    "wrong": _COUNT,
    "stored": {"type": "boolean"},
}
_BOOLEAN: _Json = {"type": "string", "enum": ["true", "false"]}
_FILE: _Json = {"type": "string", "format": "binary"}
_BINARY: _Json = {"schema": _FILE}


_FILES = dict.fromkeys(
    (
        "application/x-ndjson",
        "application/json",
        "text/csv",
        "text/tab-separated-values",
        "text/plain",
        "text/markdown",
        "application/zip",
        "application/vnd.sqlite3",
    ),
    _BINARY,
)


def _about_formats() -> str:
    """Return what the formats of exports are, and what each loses."""
    lines = []
    for name, what in (formats() | SIDES).items():
        lost = losses(name)
        lines.append(
            f"{name}: {what}" + (f" (without {', '.join(map(str, lost))})" * bool(lost))
        )
    return "; ".join(lines)


def _body(types: tuple[str, ...], about: str, *, form: _Json | None = None) -> _Json:
    content = dict.fromkeys(types, _BINARY)
    if form is not None:
        content["multipart/form-data"] = {"schema": form}
    return {"required": True, "description": about, "content": content}


def _page(of: str) -> _Json:
    return _object(
        {"total": _COUNT, "page": _COUNT, "size": _COUNT, "items": _list(_ref(of))}
    )


#: The description, ready for JSON.
DOCUMENT: _Json = {
    "openapi": "3.0.3",
    "info": {
        "title": "Tertium: campaigns of human judgements",
        "version": __version__,
        "description": (
            "A token belongs to one campaign: `tertium campaign token NAME`. A browser "
            "in which a manager or observer is signed in may read without one. People "
            "appear under pseudonyms. Errors come as "
            '{"error": "what is wrong; the cure"}.'
        ),
    },
    "security": [{"token": []}],
    "paths": {
        "/api/v1/openapi.json": {
            "get": {
                "operationId": "document",
                "summary": "This document.",
                "security": [],
                "responses": {"200": _json("The document.", {"type": "object"})},
            }
        },
        "/api/v1/campaigns": {
            "get": {
                "operationId": "campaigns",
                "summary": "The campaigns of the token or the person.",
                "responses": _replies(
                    _json(
                        "The campaigns.",
                        _object({"campaigns": _list(_ref("Campaign"))}),
                    )
                ),
            }
        },
        "/api/v1/campaigns/{name}": {
            "parameters": _OF_CAMPAIGN,
            "get": {
                "operationId": "campaign",
                "summary": "A campaign, and how far it is.",
                "responses": _replies(
                    _json(
                        "The campaign.", _object({**_CAMPAIGN, "progress": _PROGRESS})
                    ),
                    403,
                    404,
                ),
            },
        },
        "/api/v1/campaigns/{name}/items": {
            "parameters": _OF_CAMPAIGN,
            "get": {
                "operationId": "items",
                "summary": "A page of items; managers see systems.",
                "parameters": [
                    _query(
                        "page",
                        "From 1.",
                        {
                            "type": "integer",
                            "minimum": 1,
                            "maximum": 1_000_000,
                            "default": 1,
                        },
                    ),
                    _query(
                        "size",
                        "Items a page.",
                        {
                            "type": "integer",
                            "minimum": 1,
                            "maximum": 1000,
                            "default": 100,
                        },
                    ),
                ],
                "responses": _replies(_json("The items.", _page("Item")), 403, 404),
            },
            "post": {
                "operationId": "addItems",
                "summary": "Add items, all of the file or nothing.",
                "parameters": [
                    _query("systems", "Systems wanted, with commas.", _TEXT),
                ],
                "requestBody": _body(
                    (
                        "application/x-ndjson",
                        "application/jsonl",
                        "text/tab-separated-values",
                        "application/xml",
                        "application/json",
                        "text/csv",
                    ),
                    "What `items` of campaign.toml would name; 32 MB at most. For "
                    "segranks also a form of two files, so that systems come along; "
                    "for other tasks a form with images, named as images/FILE.",
                    form=_object(
                        {"items": _FILE, "systems": _FILE, "images": _list(_FILE)},
                        optional=("systems", "images"),
                    ),
                ),
                "responses": _replies(
                    _json(
                        "Items that are new, and those that were there.",
                        _object({"added": _COUNT, "known": _COUNT}),
                    ),
                    403,
                    404,
                    413,
                    415,
                    422,
                ),
            },
        },
        "/api/v1/campaigns/{name}/images/{digest}": {
            "parameters": [
                *_OF_CAMPAIGN,
                {
                    "name": "digest",
                    "in": "path",
                    "required": True,
                    "description": "The SHA-256 of the image.",
                    "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                },
            ],
            "get": {
                "operationId": "image",
                "summary": "An image that items show.",
                "responses": _replies(
                    {
                        "description": "The image.",
                        "content": dict.fromkeys(TYPES.values(), _BINARY),
                    },
                    403,
                    404,
                ),
            },
        },
        "/api/v1/campaigns/{name}/export": {
            "parameters": _OF_CAMPAIGN,
            "get": {
                "operationId": "export",
                "summary": "The judgements, or what is beside them; for managers.",
                "parameters": [
                    _query(
                        "format",
                        _about_formats(),
                        {
                            "type": "string",
                            "enum": [*formats(), *SIDES],
                            "default": "answers",
                        },
                    ),
                    _query(
                        "archive",
                        "Of a survey: only those who agreed to archiving. By default "
                        "so of participants, and not so of judgements.",
                        _BOOLEAN,
                    ),
                    _query(
                        "cells",
                        "Of CSV and TSV, what to do with cells that a spreadsheet "
                        "would run. "
                        + "; ".join(f"{name}: {what}" for name, what in CELLS.items()),
                        {"type": "string", "enum": list(CELLS), "default": "check"},
                    ),
                ],
                "responses": _replies(
                    {
                        "description": "The file.",
                        "content": _FILES,
                    },
                    403,
                    404,
                    422,
                ),
            },
        },
        "/api/v1/campaigns/{name}/import": {
            "parameters": _OF_CAMPAIGN,
            "post": {
                "operationId": "addJudgements",
                "summary": "Import judgements; those already there are not added.",
                "parameters": [
                    _query(
                        "format",
                        "Told from the file by default.",
                        {"type": "string", "enum": list(imports())},
                    ),
                    _query(
                        "skip_bad",
                        "Store good lines though others are bad.",
                        {**_BOOLEAN, "default": "false"},
                    ),
                ],
                "requestBody": _body(
                    (
                        "application/x-ndjson",
                        "application/jsonl",
                        "application/json",
                        "text/csv",
                        "text/tab-separated-values",
                        "text/plain",
                        "application/xml",
                        "application/zip",
                        "application/vnd.sqlite3",
                    ),
                    "What export writes, but means and pairs; 32 MB at most. "
                    "`answers` bring their items; other formats are for items that "
                    "are there, found by segment and systems.",
                ),
                "responses": _replies(
                    _json("What was stored.", _object(_IMPORTED)),
                    403,
                    404,
                    413,
                    415,
                    unfit=_json(
                        "Lines are bad, and nothing was stored.",
                        _object({"error": _TEXT, **_IMPORTED}),
                    ),
                ),
            },
        },
        "/api/v1/campaigns/{name}/participants": {
            "parameters": _OF_CAMPAIGN,
            "get": {
                "operationId": "participants",
                "summary": "Everybody by pseudonym, with what they did.",
                "responses": _replies(
                    _json(
                        "The participants.",
                        _object({"participants": _list(_ref("Participant"))}),
                    ),
                    403,
                    404,
                ),
            },
        },
        "/api/v1/campaigns/{name}/participants/{code}": {
            "parameters": [
                *_OF_CAMPAIGN,
                {
                    "name": "code",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,12}$"},
                },
            ],
            "delete": {
                "operationId": "deleteParticipant",
                "summary": "Delete somebody with everything they said.",
                "responses": _replies(
                    _json(
                        "They are gone.",
                        _object({"deleted": _TEXT, "judgements": _COUNT}),
                    ),
                    403,
                    404,
                    409,
                ),
            },
        },
    },
    "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "schemas": {
            "Error": _object({"error": _TEXT}),
            "Campaign": _object(_CAMPAIGN),
            "Item": _ITEM,
            "Participant": _PARTICIPANT,
        },
    },
}

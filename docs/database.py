# SPDX-License-Identifier: Apache-2.0
"""The data dictionary of the annotation server, from its models."""

from __future__ import annotations

import os

ABOUT = """\
# The database of campaigns

What the annotation server keeps, table by table. Read it through
[`tertium campaign export`](guides/campaign.md#export) or the API: tables may change
from version to version, exports stay.

Systems are named in one table, `origin`; no page of an annotator reads it. Consent
(`consent`) has no link to whoever gave it. Failed sign-ins (`attempt`) are counted for
15 minutes, by a keyed hash: neither names nor addresses are kept.

Times are in UTC. An arrow names the table that a number points to. Sessions are in
Django's own table `django_session`.
"""

#: What readers call the types of Django.
_TYPES = {
    "BigAuto": "number",
    "BigInteger": "number",
    "Boolean": "yes or no",
    "Char": "text",
    "Date": "day",
    "DateTime": "time",
    "Float": "number",
    "PositiveInteger": "number",
    "Slug": "text",
    "Text": "text",
    "UUID": "UUID",
}


def database_page() -> str:
    """Return the page, a table of columns for every table of the database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tertium.campaigns.site.settings")
    import django

    django.setup()
    from django.apps import apps

    parts = [ABOUT]
    for model in apps.get_app_config("campaigns").get_models():
        name = model._meta.db_table.removeprefix("campaigns_")
        parts.append(f"## {name}\n\n{_first(model.__doc__)}\n")
        parts.append("| column | type | meaning |\n|---|---|---|")
        parts += [_row(field) for field in model._meta.local_fields]
        parts.append("")
    return "\n".join(parts)


def _row(field) -> str:
    internal = field.get_internal_type().removesuffix("Field")
    kind = _TYPES.get(internal, internal)
    if field.is_relation:
        kind = f"→ {field.related_model._meta.db_table.removeprefix('campaigns_')}"
    if field.null:
        kind += ", may be missing"
    meaning = str(field.help_text)
    if field.primary_key and not meaning:
        meaning = "Its number."
    if field.choices:
        listed = ", ".join(f"`{value}`" for value, _label in field.choices)
        meaning = f"{meaning} One of {listed}.".strip()
    return f"| `{field.column}` | {kind} | {meaning} |"


def _first(doc: str | None) -> str:
    return " ".join((doc or "").strip().split("\n\n")[0].split()).replace("``", "`")

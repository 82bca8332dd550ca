# SPDX-License-Identifier: Apache-2.0
"""Downloads of judgements."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import IO

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tertium.campaigns import managing
from tertium.campaigns.exporting import RAW, formats, write_export
from tertium.campaigns.models import Campaign, Role
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.dashboard import show
from tertium.errors import TertiumError

__all__ = ["download", "exports"]

#: How names of files end; other formats are tables of text.
_ENDINGS = {
    RAW: ".jsonl",
    "parquet": "",
    "sqlite": ".sqlite",
    "tertium-jsonl": ".jsonl",
    "legacy-json": ".json",
    "wmt-xml": ".xml",
}


@login_required
@require_safe
def exports(request: HttpRequest, name: str) -> HttpResponseBase:
    """List the formats."""
    member = member_of(request, name, Role.MANAGER)
    return show(request, member, "exports", {"formats": formats(), "raw": RAW})


@login_required
@require_POST
def download(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send the judgements in a format; folders are packed as zip."""
    member = member_of(request, name, Role.MANAGER)
    wanted = request.POST.get("format", "")
    if wanted not in formats():
        raise Http404
    try:
        file, ending = _write(member.campaign, wanted)
    except TertiumError as error:
        messages.error(request, str(error))
        return redirect("exports", name)
    managing.log(member, "export", format=wanted)
    # A slug, a day and a name of ours: nothing in it needs to be escaped.
    day = timezone.now().strftime("%Y-%m-%d")
    called = f"{member.campaign.name}-{wanted}-{day}{ending}"
    return FileResponse(
        file,
        as_attachment=True,
        filename=called,
        content_type="application/octet-stream",
    )


def _write(campaign: Campaign, wanted: str) -> tuple[IO[bytes], str]:
    """Return an export as an open file that nobody else can see, and its ending."""
    with tempfile.TemporaryDirectory(prefix="tertium-export-") as folder:
        ending = _ending(wanted)
        path = Path(folder) / f"{campaign.name}{ending}"
        write_export(campaign, str(path), wanted)
        if path.is_dir():
            packed = shutil.make_archive(
                str(Path(folder) / "packed"), "zip", folder, path.name
            )
            path, ending = Path(packed), ".zip"
        kept: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
        with path.open("rb") as file:
            shutil.copyfileobj(file, kept)
    kept.seek(0)
    return kept, ending


def _ending(wanted: str) -> str:
    if wanted in _ENDINGS:
        return _ENDINGS[wanted]
    return next((f".{end}" for end in ("csv", "tsv", "xml") if end in wanted), ".txt")

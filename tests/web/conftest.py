# SPDX-License-Identifier: Apache-2.0
"""A browser and a server, both real."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from conftest import missing
from support.accessibility import WIDE
from support.campaign_server import Server
from support.span_campaign import write_spans
from support.span_page import open_item

#: Pictures of pages, to be looked at; not kept in the repository. They are taken only
#: where TERTIUM_PICTURES is set: to draw a whole page takes longer than to test it.
PICTURES = Path(__file__).resolve().parents[2] / "build" / "pictures"


#: The tour that takes the pictures of the documentation; its pages have tests of
#: their own.
collect_ignore = [] if os.environ.get("TERTIUM_PICTURES") else ["test_guides.py"]


@pytest.fixture(scope="session")
def chromium():
    """Return Debian's browser, driven by Playwright.

    The shell is the same engine without a desktop's windows, and starts faster.
    """
    program = (
        os.environ.get("TERTIUM_CHROMIUM")
        or shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
    )
    if program is None:
        missing("no browser; apt install chromium-headless-shell, or TERTIUM_CHROMIUM")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed; pip install playwright")
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path):
    """Return a server that is not started yet, on a database without campaigns."""
    result = Server(tmp_path, ready=True)
    yield result
    result.kill()


@pytest.fixture
def person(chromium):
    """Return a function that opens a browser of somebody, with cookies of their own.

    Errors of scripts and breaches of the content security policy fail the test.
    """
    contexts, troubles = [], []

    def open_browser(**settings):
        settings.setdefault("viewport", {"width": 1100, "height": 800})
        context = chromium.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda entry: _note(entry, troubles))
        return page

    yield open_browser
    for context in contexts:
        context.close()
    assert not troubles


def _note(entry, troubles):
    # A rejected request is reported too; tests of rejections expect those.
    if entry.type == "error" and "Failed to load resource" not in entry.text:
        troubles.append(entry.text)


@pytest.fixture
def join():
    """Return a function that follows an invitation, to the campaign."""
    return _join


def _join(page, server, invitation):
    """Follow an invitation as an anonymous person, and go to the campaign."""
    page.goto(server.url + invitation)
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Go on").click()


@pytest.fixture
def picture(request):
    """Return a function that keeps a picture of a page under a name, if asked to."""

    def take(page, name, *, full=True):
        if not os.environ.get("TERTIUM_PICTURES"):
            return
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png", full_page=full)

    return take


@pytest.fixture
def visit_file(chromium):
    """Return a function that opens a report's page; errors and requests fail."""
    problems, contexts = [], []

    def go(path, anchor="", **settings):
        context = chromium.new_context(**{"viewport": WIDE, **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.on(
            "console", lambda m: problems.append(m.text) if m.type == "error" else None
        )
        page.on(
            "request",
            lambda r: None if r.url.startswith("file:") else problems.append(r.url),
        )
        page.goto(path.as_uri() + anchor)
        if settings.get("java_script_enabled", True):
            page.wait_for_selector("#filter[data-state=ready]")
        return page

    yield go
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def short(server, person, join):
    """Return a function that opens an item of short texts of one's own."""

    def open_texts(*texts, target="de", task="esa", context=None, **settings):
        lines = [
            {"id": f"s{n}", "doc": "d", "src": f"source {n}", "ref": ["r"],
             "tgt": {"one": text}}
            for n, text in enumerate(texts)
        ]  # fmt: skip
        config = write_spans(server.folder / "c", task, lines=lines, **settings)
        text = config.read_text().replace('target = "de"', f'target = "{target}"')
        config.write_text(text)
        links = server.load(config)
        server.start()
        page = person(**(context or {}))
        open_item(page, server, links, join)
        return page

    return open_texts

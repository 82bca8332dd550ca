# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign demo --task esa|mqm|cesa``: from the command to a saved mark."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from support.span_page import click, marks


@pytest.fixture
def demo(tmp_path):
    """Return a function that starts the demonstration and gives all it prints."""
    running = []

    def start(task):
        process = subprocess.Popen(
            [sys.executable, "-m", "tertium", "campaign", "demo", "--task", task,
             "--port", "0", "--folder", str(tmp_path / "demo")],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        running.append(process)
        printed = ""
        for line in process.stdout:
            printed += line
            if "serving" in line:
                break
        return printed

    yield start
    for process in running:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("task", ["esa", "mqm", "cesa"])
def test_the_demonstration_works(task, demo, person, picture):
    printed = demo(task)
    address = re.search(r"serving (http://[^/\s]*:\d+)", printed)[1]
    paths = dict(re.findall(r"^(\w+) \(.*?(/join/\S+)$", printed, re.M))
    page = person()
    page.goto(address + paths["annotator"])
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()
    # The sign of the first lesson, where there is one.
    signs = page.get_by_role("button", name="A sign in a shop window")
    assert signs.count() == (task == "esa")
    for sign in signs.locator("img").all():
        page.wait_for_function("one => one.naturalWidth > 0", arg=sign.element_handle())
        picture(page, "image-demo", full=False)
    area = page.locator(".marked").first
    word = area.text_content().split()[0].rstrip(",")
    click(page, area, word)
    assert marks(page.locator(".cell").first) == [word]
    page.get_by_text("Saved", exact=True).wait_for()
    page.reload()
    page.locator("#work[data-ready]").wait_for()
    assert marks(page.locator(".cell").first) == [word]

# SPDX-License-Identifier: Apache-2.0
"""Longer words of other languages fit on a narrow screen."""

from __future__ import annotations

from support.accessibility import too_wide

_CUT = """() => [...document.querySelectorAll('button, .button, .rank-label')]
  .filter(one => one.offsetParent && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.innerText)"""


def fits(page):
    assert not too_wide(page)
    assert page.evaluate(_CUT) == []


def test_narrow_screens(server, person, picture):
    links = server.load(server.new("segranks"))
    server.start()
    for language, start in (("cs", "Začít"), ("de", "Beginnen"), ("fi", "Aloita")):
        page = person(locale=language, viewport={"width": 360, "height": 780})
        page.goto(server.url + links["annotator"])
        fits(page)
        page.locator("main button").first.click()
        fits(page)
        page.locator("main a.button").click()
        page.get_by_role("button", name=start).click()
        page.locator("#work[data-ready]").wait_for()
        page.locator(".rank-pick").first.click()
        fits(page)
        picture(page, f"language-{language}")

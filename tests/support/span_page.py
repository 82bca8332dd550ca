# SPDX-License-Identifier: Apache-2.0
"""Hands for the page of span tasks: where words are, and what is marked."""

from __future__ import annotations

import json
from pathlib import Path

_RECT = """(area, [word, nth]) => {
  let at = -1;
  for (let n = 0; n <= nth; n += 1) at = area.textContent.indexOf(word, at + 1);
  if (at < 0) throw new Error(`no ${word}`);
  const range = document.createRange();
  const walk = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
  let seen = 0, begun = false;
  while (walk.nextNode()) {
    const {data} = walk.currentNode;
    if (!begun && at < seen + data.length) {
      range.setStart(walk.currentNode, at - seen);
      begun = true;
    }
    if (at + word.length <= seen + data.length) {
      range.setEnd(walk.currentNode, at + word.length - seen);
      break;
    }
    seen += data.length;
  }
  const {left, right, top, bottom} = range.getBoundingClientRect();
  return {left, right, top, bottom};
}"""


def rect(area, word: str, nth: int = 0) -> dict[str, float]:
    """Return where a word of a text is on the screen; it is scrolled there."""
    area.scroll_into_view_if_needed()
    return area.evaluate(_RECT, [word, nth])


def middle(area, word: str, nth: int = 0) -> tuple[float, float]:
    """Return the middle of a word on the screen."""
    box = rect(area, word, nth)
    return (box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2


def click(page, area, word: str, nth: int = 0) -> None:
    """Click the middle of a word."""
    page.mouse.click(*middle(area, word, nth))


def drag(page, area, first: str, last: str) -> None:
    """Drag the mouse from the middle of a word to that of another."""
    start, end = middle(area, first), middle(area, last)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def marks(cell) -> list[str]:
    """Return the words of all marks that are listed in a cell."""
    return cell.locator(".marks .words").all_text_contents()


def open_item(page, server, links, join) -> None:
    """Join, and open the first item."""
    join(page, server, links["annotator"])
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()


def exported(server, name: str) -> list[dict[str, object]]:
    """Return the answers of a campaign."""
    server.tertium("campaign", "export", name, "-o", "answers.jsonl")
    text = Path(server.folder, "answers.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def ready(page) -> None:
    """Wait until the page counts moves."""
    page.locator("#work[data-ready]").wait_for()


def saved(page) -> None:
    """Wait until the draft is on the server."""
    page.get_by_text("Saved", exact=True).wait_for()


def score_all(page) -> None:
    """Click all sliders, each at another place; confirm low scores without marks."""
    for number, slider in enumerate(page.get_by_role("slider").all()):
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        slider.click(position={"x": box["width"] * (0.3 + 0.1 * (number % 5)), "y": 20})
    for button in page.locator(".clean[aria-pressed=false]:visible").all():
        button.click()


def submit(page) -> None:
    """Submit, and wait for the next page."""
    before = page.url
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url(lambda url: url != before)

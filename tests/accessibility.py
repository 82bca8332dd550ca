# SPDX-License-Identifier: Apache-2.0
"""Looks at a page in a browser as WCAG 2.1 AA asks: axe-core, width and targets.

A machine finds only a part of what shuts people out; that every item can be done by
keyboard, and what is read aloud, have tests of their own.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

WIDE = {"width": 1100, "height": 800}
NARROW = {"width": 360, "height": 740}

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
_RUN = """(tags) => axe.run(document, {
  runOnly: {type: "tag", values: tags}, resultTypes: ["violations", "incomplete"],
}).then(({violations, incomplete}) => {
  const brief = (rules) => rules.map(({id, help, nodes}) => ({
    rule: id, help, nodes: nodes.map((n) => `${n.html.slice(0, 160)} ${n.any
      .concat(n.all, n.none).map((one) => one.message).join(" ").slice(0, 300)}`),
  }));
  return {violations: brief(violations), incomplete: brief(incomplete)};
})"""
# A label belongs to its target, and a link within a sentence may be as high as the
# sentence (the exception of 2.5.8, which is of WCAG 2.2 and so not in the tags).
_SMALL = """() => {
  const kinds = "a[href], button, summary, select, textarea, input:not([type=hidden])";
  const found = [];
  for (const one of document.querySelectorAll(kinds)) {
    const shapes = [one, ...(one.labels ?? [])].map((e) => e.getBoundingClientRect());
    const seen = one.checkVisibility({visibilityProperty: true});
    if (!seen || shapes[0].right <= 0) continue; // the skip link waits outside
    const style = getComputedStyle(one);
    const block = one.parentElement.closest("p, li, td, th, dd, dt, div, h1, h2, h3");
    const words = (e) => e.textContent.trim().replace(/\\s+/g, " ");
    if (style.display === "inline" && words(block) !== words(one)) continue;
    const width = Math.max(...shapes.map((shape) => shape.width));
    const height = Math.max(...shapes.map((shape) => shape.height));
    if (Math.min(width, height) < 23.99) {
      found.push(`${Math.round(width)} x ${Math.round(height)}: ${one.outerHTML}`
        .slice(0, 200));
    }
  }
  return found;
}"""


@cache
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def check(page, name: str) -> None:
    """Fail where a page breaks a rule: light, dark and narrow."""
    # As a debugger does it, and so past the content security policy.
    page.evaluate(_axe())
    troubles: dict[str, object] = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate(_RUN, _TAGS)
        if found["violations"]:
            troubles[scheme] = found
    page.set_viewport_size(NARROW)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wide > 0:
        troubles["pixels too wide"] = wide
    if small := page.evaluate(_SMALL):
        troubles["too small"] = small
    found = page.evaluate(_RUN, _TAGS)
    if found["violations"]:
        troubles["narrow"] = found
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
    shown = json.dumps(troubles, indent=1, ensure_ascii=False)
    assert not troubles, f"{name}, {page.url}:\n{shown}"

# SPDX-License-Identifier: Apache-2.0
"""Looks at a page in a browser as WCAG 2.1 AA asks: axe-core, width and targets.

A machine finds only a part of what shuts people out; that every item can be done by
keyboard, and what is read aloud, have tests of their own.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

WIDE = {"width": 1100, "height": 800}
NARROW = {"width": 360, "height": 740}

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
# The rules on colours, which cost most of the time, are looked at in light and dark.
_COLOURS = ["color-contrast", "link-in-text-block"]
_ALL = {"runOnly": _TAGS}
_COLOURS_ONLY = {"runOnly": _COLOURS}
_RUN = """(options) => axe.run(document, {
  ...options, resultTypes: ["violations", "incomplete"],
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
    const block = one.parentElement
      .closest("p, li, td, th, dd, div, nav, form, main, h2");
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

# Of charts axe-core says "cannot tell"; it sees neither placeholders nor the edges of
# fields (1.4.11).
_PALE = r"""() => {
  const rgb = (said) => said.match(/[\d.]+/g).map(Number);
  const light = (said) => {
    const [r, g, b] = rgb(said).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (let e = one; e; e = e.parentElement) {
      const said = getComputedStyle(e).backgroundColor;
      if ((rgb(said)[3] ?? 1) === 1) return said;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  const look = (kinds, least, colour, ground, part) => {
    for (const one of document.querySelectorAll(kinds)) {
      if (!one.checkVisibility({visibilityProperty: true})) continue;
      const [a, b] = [light(colour(getComputedStyle(one, part))),
                      light(behind(ground(one)))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const said = `${ratio.toFixed(2)} ${one.outerHTML.slice(0, 160)}`;
      if (ratio < least) found.push(said);
    }
  };
  look("svg text", 4.5, (style) => style.fill, (one) => one.ownerSVGElement);
  look("[placeholder]", 4.5, (style) => style.color, (one) => one, "::placeholder");
  look("select, textarea, input:not([type=hidden], [type=radio], [type=range])", 3,
    (style) => style.borderTopColor, (one) => one.parentElement);
  return found;
}"""


@cache
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def too_wide(page) -> int:
    """Return how many pixels of a page stand out at the right, once it is loaded."""
    page.wait_for_load_state()
    return page.evaluate(
        "Math.max(0, document.documentElement.scrollWidth - innerWidth)"
    )


def faults(page) -> dict[str, object]:
    """Return what is wrong with a page: light, dark, and what a narrow one shows."""
    page.wait_for_load_state()
    # As a debugger does it, and so past the content security policy.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    # Nor can axe-core tell what stands on the shadows of what scrolls.
    page.evaluate("""document.querySelectorAll(".scroll").forEach((each) => {
        each.style.background = "none"; })""")
    faults_seen: dict[str, object] = {}
    faults_seen |= _broken(page, "light", _ALL)
    page.emulate_media(color_scheme="dark")
    faults_seen |= _broken(page, "dark", _COLOURS_ONLY)
    page.set_viewport_size(NARROW)
    if wide := too_wide(page):
        faults_seen["pixels too wide"] = wide
    if small := page.evaluate(_SMALL):
        faults_seen["too small"] = small
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
    return faults_seen


def _broken(page, how: str, options: dict[str, object]) -> dict[str, object]:
    """Return broken rules, and then what axe-core could not tell as well."""
    results = page.evaluate(_RUN, options)
    pale = page.evaluate(_PALE)
    if not results["violations"] and not pale:
        return {}
    return {how: {**results, "pale": pale}}

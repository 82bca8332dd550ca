# SPDX-License-Identifier: Apache-2.0
"""How the page looks: light, dark and printed."""

from __future__ import annotations

from tertium.report.draw.palette import DARK

__all__ = ["HEAD", "dark_rules", "page_style"]


def page_style() -> str:
    """Return the style sheet: light, dark, and print."""
    dark = "\n".join(dark_rules())
    return (
        f"{_CSS}\n@media screen and (prefers-color-scheme: dark) {{\n{_DARK_PAGE}\n"
        f"{dark}\n}}"
    )


def dark_rules(diagram: str = "svg") -> list[str]:
    """Return the rules that colour diagrams, by a selector, for dark screens."""
    rules = []
    for name, (stroke, fill, ink) in DARK.items():
        rules.append(f"{diagram} .{name}{{stroke:{stroke};fill:{fill}}}")
        rules.append(f"{diagram} .{name}.text{{stroke:none;fill:{ink}}}")
        if stroke != "none":
            rules.append(f"{diagram} .{name}.solid{{fill:{stroke}}}")
        rules.append(f"{diagram} .{name}.line{{fill:none}}")
    return rules


HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>"""

_CSS = """\
:root { --ink: #1b1f24; --muted: #5b6470; --rule: #dfe3e8; --paper: #ffffff;
  --soft: #f4f6f8; --blue: #004b76; --blue-soft: #e0eff8; --orange: #7a4900;
  --orange-soft: #fdebc8; --red: #8a1f13; --red-soft: #fbe1dc; --green: #00533e;
  --green-soft: #d8f1e8; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 3rem; max-width: 76rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, -apple-system, "Segoe UI",
  Helvetica, Arial, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 1.5rem; }
h2 { font-size: 1.25rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
section { border-top: 1px solid var(--rule); padding: 1.5rem 0 1rem; }
header + main > section:first-child { border-top: 0; padding-top: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th { text-align: left; font-weight: 600; color: var(--muted); white-space: nowrap; }
th, td { padding: .3rem 1.1rem .3rem 0; border-bottom: 1px solid var(--rule);
  vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
nav { margin-bottom: 2rem; }
a { color: var(--blue); }
.texts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem;
  margin: 0 0 1rem; }
.texts dt { color: var(--muted); }
.texts dd { margin: 0; }
mark { color: inherit; background: none; border-radius: .2em; padding: 0 .15em; }
mark.missing, mark.extra { background: var(--red-soft); color: var(--red);
  text-decoration: underline dotted; text-underline-offset: .2em; }
mark.replaced { background: var(--orange-soft); color: var(--orange);
  text-decoration: underline dashed; text-underline-offset: .2em; }
mark.moved { background: var(--blue-soft); color: var(--blue); }
mark.form { background: var(--green-soft); color: var(--green); }
.findings { list-style: none; margin: 0 0 1.25rem; padding: 0; }
.findings li { display: flex; gap: .6rem; padding: .15rem 0; }
.mark { flex: none; width: 1.6rem; text-align: center; color: var(--muted);
  font-weight: 600; }
.findings em { font-style: italic; font-weight: 600; }
.scores { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1.25rem; }
.scores div { background: var(--soft); border-radius: .4rem; padding: .3rem .7rem; }
.scores dt { color: var(--muted); font-size: .78rem; }
.scores dd { margin: 0; font-variant-numeric: tabular-nums; }
figure { margin: 1.5rem 0; border: 1px solid var(--rule); border-radius: .5rem;
  padding: .75rem; break-inside: avoid; }
figure svg { display: block; margin: 0 auto; }
figcaption { color: var(--muted); font-size: .85rem; margin-top: .5rem; }
.edits del { color: var(--red); background: var(--red-soft); }
.edits ins { color: var(--blue); background: var(--blue-soft); }
.edits del + ins { margin-left: .2em; }
.chip { display: inline-block; background: var(--soft); border-radius: .3rem;
  padding: 0 .4rem; margin: 0 .3rem .2rem 0; white-space: pre; }
small { color: var(--muted); }
footer { color: var(--muted); font-size: .85rem; margin-top: 2rem; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; }
  figure svg { max-width: 100%; max-height: 22cm; height: auto; }
  h2, h3 { break-after: avoid; } .scores div, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  section { break-before: page; } nav + section, main > section:first-child {
  break-before: auto; } }"""

_DARK_PAGE = """\
:root { --ink: #e8ebef; --muted: #aab3bd; --rule: #343b44; --paper: #16191d;
  --soft: #22272e; --blue: #a9dafa; --blue-soft: #12344a; --orange: #fbd796;
  --orange-soft: #4a3208; --red: #f9b9ae; --red-soft: #4b1b14; --green: #9aebd0;
  --green-soft: #0d4435; }"""

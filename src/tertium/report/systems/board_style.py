# SPDX-License-Identifier: Apache-2.0
"""How reports on systems look: a headline, a ranking as bars, sections of tables."""

from __future__ import annotations

from tertium.report.explain.style import page_style
from tertium.report.meta.style import CHARTS_STYLE

__all__ = ["BOARD_STYLE", "board_style"]


def board_style() -> str:
    """Return the style sheet of a report without charts."""
    return f"{page_style()}\n{CHARTS_STYLE}\n{BOARD_STYLE}"


#: Rules behind those of :data:`tertium.report.meta.style.CHARTS_STYLE`.
BOARD_STYLE = """\
:root { --shade: 0 114 178; }
@media screen and (prefers-color-scheme: dark) { :root { --shade: 88 180 236; } }
.kicker { text-transform: uppercase; letter-spacing: .08em; font-size: .78rem;
  font-weight: 600; color: var(--muted); margin: 0 0 .4rem; }
h1 { font-size: clamp(1.7rem, 1.2rem + 2.2vw, 2.6rem); letter-spacing: -.02em;
  text-wrap: balance; margin: 0 0 .8rem; }
header p.lead { color: var(--ink); font-size: 1.08rem; max-width: 46rem;
  margin: 0 0 1.4rem; }
h2 { font-size: 1.4rem; letter-spacing: -.01em; }
section > p, .intro { max-width: 46rem; }
section, header + main > section:first-child { padding: 2.2rem 0 1.2rem;
  border-top: 1px solid var(--rule); }
nav { margin-bottom: 1rem; }
.board { list-style: none; margin: 0 0 1.5rem; padding: 0; }
.board li { display: grid; grid-template-columns: minmax(7rem, 12rem) 1fr 5rem;
  grid-template-areas: "name bar score" "name note note"; gap: 0 1.1rem;
  padding: .55rem 0; border-bottom: 1px solid var(--rule); align-items: center; }
.board .name { grid-area: name; font-weight: 600; overflow-wrap: anywhere; }
.board .name small { display: block; font-weight: 400; }
.board .note { grid-area: note; color: var(--muted); font-size: .85rem; margin: 0; }
.board .score { grid-area: score; text-align: right; font-weight: 600;
  font-variant-numeric: tabular-nums; }
.bar { grid-area: bar; position: relative; height: 1.15rem; background: var(--soft);
  border-radius: .3rem; }
.bar i { position: absolute; inset: 0 auto 0 0; width: calc(100% * var(--v));
  min-width: 2px; background: var(--chart-blue); border-radius: .3rem; }
.human .bar i { background: var(--chart-orange); }
.bar b { position: absolute; top: 50%; height: 0; border-top: 2px solid var(--ink);
  left: calc(100% * var(--l)); width: calc(100% * (var(--h) - var(--l))); }
.bar b::before, .bar b::after { content: ""; position: absolute; top: -.32rem;
  height: .56rem; border-left: 2px solid var(--ink); }
.bar b::before { left: 0; } .bar b::after { right: 0; }
.cautions h2 { font-size: 1rem; margin: 0 0 .3rem; color: var(--orange); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
/* Targets of at least 24 pixels. */
.contents a, th button { display: inline-block; min-height: 1.5rem;
  line-height: 1.5rem; }
input:focus-visible, a:focus-visible { outline: 2px solid var(--chart-blue);
  outline-offset: 2px; }
@media (max-width: 40rem) {
  .board li { grid-template-columns: 1fr 4rem;
    grid-template-areas: "name score" "bar bar" "note note"; row-gap: .25rem; }
  .board .name small { display: inline; }
  .scroll > table td:first-child, .scroll > table th:first-child { position: sticky;
    left: 0; background: var(--paper); } }
code { font-size: .85em; overflow-wrap: anywhere; }
@media print { .bar i { print-color-adjust: exact;
  -webkit-print-color-adjust: exact; } }
"""

# SPDX-License-Identifier: Apache-2.0
"""How the page of an error analysis looks, behind the rules of all pages."""

from __future__ import annotations

from tertium.report.grammar.categories import category_style
from tertium.report.systems.board_style import board_style

__all__ = ["grammar_style"]


def grammar_style() -> str:
    """Return the style sheet."""
    return f"{board_style()}\n{category_style()}\n{_STYLE}"


_STYLE = """\
.person { color: var(--orange); background: var(--orange-soft); border-radius: .3rem;
  font-size: .75rem; padding: 0 .4rem; font-weight: 400; white-space: nowrap; }
.grid { display: grid; gap: 0 1.25rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.grid.two { grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); }
.grid figure { margin: .6rem 0; min-width: 0; }
figure h3 { margin: 0 0 .4rem; }
.grid .chart { width: 100%; }
.e { white-space: nowrap; border-radius: .25rem; padding: .06em .25em;
  background: var(--own-soft); color: var(--own); box-decoration-break: clone; }
.e del { text-decoration: line-through; text-decoration-thickness: 1.5px; }
.e ins { text-decoration: none; font-weight: 600; }
.e del + ins { margin-left: .3em; }
.e small, .m > small { color: inherit; font-size: .68em; margin-left: .35em;
  letter-spacing: .02em; }
.m { white-space: nowrap; border-bottom: 2px dotted var(--own-strong);
  padding: 0 .1em; }
.m > small { color: var(--own); font-weight: 600; }
.key { display: flex; flex-wrap: wrap; gap: .3rem 1rem; list-style: none; padding: 0;
  margin: .6rem 0 1rem; font-size: .88rem; }
.shade { display: inline-block; min-width: 3.4em; padding: .08rem .4rem;
  border-radius: .25rem; background: rgb(var(--shade) / calc(var(--share) * .55)); }
td.shaded { padding-top: .2rem; padding-bottom: .2rem; }
small.under { display: block; white-space: normal; max-width: 24rem; min-width: 9rem; }
.templates td:first-child { white-space: normal; }
.pairs { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem;
  font-size: .9rem; }
.pairs dt { font-weight: 600; } .pairs dd { margin: 0; }
.filter { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end;
  position: sticky; top: 0; z-index: 2; background: var(--paper);
  padding: .6rem 0; border-bottom: 1px solid var(--rule); }
.filter[hidden] { display: none; }
.filter label { font-size: .8rem; color: var(--muted); display: grid; gap: .1rem; }
.filter label.tick { display: flex; align-items: center; gap: .4rem;
  padding-bottom: .35rem; color: var(--ink); }
.filter input[type=search] { font: inherit; font-size: .95rem; color: var(--ink);
  background: var(--soft); border: 1px solid var(--muted); border-radius: .35rem;
  padding: .2rem .5rem; width: 11rem; max-width: 100%; }
.filter select { font-size: .95rem; max-width: 12rem; }
.filter input::placeholder { color: var(--muted); opacity: 1; }
.save, .row summary { display: inline-block;
  min-height: 1.5rem; line-height: 1.5rem; }
.row summary { display: list-item; list-style-position: inside; }
.save { min-width: 1.5rem; }
.button { font: inherit; font-size: .95rem; color: var(--blue); cursor: pointer;
  background: var(--soft); border: 1px solid var(--muted); border-radius: .35rem;
  padding: .2rem .8rem; }
.segment { padding: 1.1rem 0 .4rem; border-bottom: 1px solid var(--rule);
  break-inside: avoid; }
.segment:focus { outline: none; }
.segment h3 { margin: 0; font-size: 1.08rem; line-height: 1.35; }
.segment .what { margin: 0 0 .5rem; color: var(--muted); font-size: .78rem;
  overflow-wrap: anywhere; }
.built { color: var(--muted); font-size: .78rem; overflow-wrap: anywhere; }
.row { display: grid; grid-template-columns: 10rem 1fr 3.6rem; gap: .2rem 1rem;
  padding: .3rem 0; align-items: baseline; }
.row p { margin: 0; }
.row .who { color: var(--muted); font-size: .88rem; overflow-wrap: anywhere; }
.row .text { line-height: 1.9; }
.row .cost { text-align: right; font-variant-numeric: tabular-nums; font-weight: 600; }
.row.right .cost { color: var(--green); font-weight: 400; }
.row.hit { border-left: .25rem solid var(--chart-blue); padding-left: .7rem; }
.row .written { color: var(--muted); font-size: .85rem; }
.row .written span { font-style: italic; }
.row details { margin: .1rem 0 .2rem; font-size: .85rem; }
.row summary { width: fit-content; }
.row dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem;
  margin: .4rem 0; padding: .5rem .8rem; background: var(--soft);
  border-radius: .4rem; }
.row dt { color: var(--muted); } .row dd { margin: 0; }
.row ul { margin: 0; padding: 0; list-style: none; }
@media (max-width: 40rem) {
  .row { grid-template-columns: 1fr 3.6rem; }
  .row .said { grid-column: 1 / -1; grid-row: 2; }
  .e, .m { white-space: normal; } .e, .m, .row .text { overflow-wrap: anywhere; }
  .filter { position: static; }
  .pairs { grid-template-columns: 1fr; gap: 0; } .pairs dd { margin-bottom: .4rem; }
  .row dl { grid-template-columns: 1fr; } }
@media print { .filter, #more, button[data-look] { display: none; }
  .shade, .e { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""

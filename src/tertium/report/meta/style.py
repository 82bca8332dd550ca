# SPDX-License-Identifier: Apache-2.0
"""How a page of charts and tables looks, and the script that makes them work."""

from __future__ import annotations

__all__ = ["CHARTS_STYLE", "SCRIPT"]

#: Rules behind those of :func:`tertium.report.explain.style.page_style`.
CHARTS_STYLE = """\
:root { --chart-blue: #0072B2; --chart-orange: #c77700; --chart-green: #00795a;
  --chart-cool: #4aa3d8; --chart-warm: #eeb04e; }
@media screen and (prefers-color-scheme: dark) { :root {
  --chart-blue: #58b4ec; --chart-orange: #f0a83a; --chart-green: #3fd0a3;
  --chart-cool: #1f6b9c; --chart-warm: #85590f; } }
h1 { margin-bottom: .5rem; }
header p { margin: 0 0 .4rem; color: var(--muted); }
.contents { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; padding: 0;
  margin: .8rem 0 0; list-style: none; }
.summary dl { display: grid; grid-template-columns: max-content 1fr;
  gap: .35rem 1.2rem; margin: .5rem 0 1rem; }
.summary dt { font-weight: 600; }
.summary dd { margin: 0; }
.cautions { background: var(--orange-soft); color: var(--ink); border-radius: .5rem;
  border-left: .3rem solid var(--chart-orange); padding: .7rem 1rem; }
.cautions h3 { margin: 0 0 .3rem; color: var(--orange); }
.cautions ul { margin: 0; padding-left: 1.1rem; }
.controls form, .controls { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; }
.controls:not(:empty) { margin-bottom: .6rem; }
.vega-bind label { display: flex; align-items: center; gap: .5rem; font-size: .9rem; }
.vega-bind-name { color: var(--muted); }
select, .save, summary { font: inherit; }
select { color: var(--ink); background: var(--soft); border: 1px solid var(--muted);
  border-radius: .35rem; padding: .2rem .5rem; max-width: 18rem; }
.chart { min-height: 3rem; }
.chart svg { display: block; margin: 0; }
.chart .error { color: var(--red); }
figure { position: relative; }
.save { color: var(--blue); background: none; border: 0; padding: 0;
  font-size: .85rem; cursor: pointer; text-decoration: underline; }
#vg-tooltip-element { position: fixed; z-index: 9; visibility: hidden;
  pointer-events: none; background: var(--paper); color: var(--ink);
  border: 1px solid var(--muted); border-radius: .35rem; padding: .35rem .6rem;
  font-size: .85rem; box-shadow: 0 2px 6px rgb(0 0 0 / .25); }
#vg-tooltip-element.visible { visibility: visible; }
#vg-tooltip-element td, #vg-tooltip-element th { border: 0; padding: 0 .6rem 0 0; }
#vg-tooltip-element td.key { color: var(--muted); }
.tables { display: flex; flex-wrap: wrap; gap: 0 3.5rem; }
.tables .table { max-width: 100%; }
.table h3 { max-width: 34rem; margin: 1.25rem 0 .3rem; }
.table .scroll { margin-bottom: 1rem; }
.scroll:focus-visible, button:focus-visible, select:focus-visible,
summary:focus-visible { outline: 2px solid var(--chart-blue); outline-offset: 2px; }
td { white-space: nowrap; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; white-space: nowrap; }
th button::after { content: "\\2195"; display: inline-block; width: 1em;
  margin-left: .25em; opacity: .45; }
th[aria-sort=ascending] button::after { content: "\\2191"; opacity: 1; }
th[aria-sort=descending] button::after { content: "\\2193"; opacity: 1; }
tbody tr:hover { background: var(--soft); }
abbr { text-decoration: none; }
td.win { color: var(--green); }
td.lost, .none { color: var(--muted); }
.matrix td:nth-child(n+3), .matrix th:nth-child(n+3) { text-align: right;
  font-variant-numeric: tabular-nums; }
.tag { color: var(--orange); background: var(--orange-soft); border-radius: .3rem;
  font-size: .75rem; padding: 0 .35rem; }
tr.probe td { font-style: italic; }
tr:not(.probe) + tr.probe td { border-top: 2px solid var(--muted); }
.legend { color: var(--muted); font-size: .85rem; }
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--blue); }
@media (max-width: 40rem) { body { padding: 1rem .75rem 2rem; }
  .summary dl { grid-template-columns: 1fr; gap: 0; }
  .summary dd { margin-bottom: .5rem; } figure { padding: .5rem; } }
@media print { .save, .contents, th button::after { display: none; }
  select { appearance: none; border: 0; background: none; padding: 0; }
  section { break-before: auto; } figure { border: 0; padding: 0; }
  .chart svg { max-width: 100%; height: auto; } }
"""

#: Tables sort without the charts' library, so a failure of one leaves the other.
SCRIPT = """\
(() => {
  "use strict";
  const key = (row, column) => {
    const cell = row.cells[column];
    const own = cell.dataset.key;
    const number = parseFloat(own === undefined
      ? cell.textContent.replace(/[←↑]/, "") : /^-?[0-9.e+-]+$/.test(own) ? own : "");
    if (Number.isNaN(number)) return own === undefined ? null : own;
    return number;
  };
  const sort = (table, column, direction) => {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [key(row, column), row]);
    rows.sort(([a], [b]) => {
      // What has no value is last in either direction.
      if (a === null || b === null) return (a === null) - (b === null);
      if (typeof a === "number" && typeof b === "number") return direction * (a - b);
      return direction * String(a).localeCompare(String(b), undefined, {numeric: true});
    });
    body.append(...rows.map(([, row]) => row));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        // Numbers are best first to begin with.
        const first = head.classList.contains("number") ? "descending" : "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        const now = before === first ? other : first;
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", now);
        sort(table, column, now === "ascending" ? 1 : -1);
      });
    });
  }

  const save = (figure, view) => {
    const button = figure.querySelector(".save");
    button.hidden = false;
    button.onclick = async () => {
      const style = getComputedStyle(document.documentElement);
      const drawn = await view.toSVG();
      // Files know no style sheet: put the colours in.
      const whole = drawn.replace(/var\\((--[a-z-]+)\\)/g,
        (_, name) => style.getPropertyValue(name).trim());
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([whole], {type: "image/svg+xml"}));
      link.download = figure.id + ".svg";
      link.click();
      URL.revokeObjectURL(link.href);
    };
  };
  const columns = (figure) => {
    const width = figure.querySelector(".chart").clientWidth;
    const panel = Number(figure.dataset.panel);
    return Math.max(1, Math.min(4, Math.floor(width / panel)));
  };
  const draw = async (figure) => {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const chart = figure.querySelector(".chart");
    const controls = figure.querySelector(".controls");
    if (spec.columns) {
      spec.columns = columns(figure);
      figure.dataset.columns = spec.columns;
      const lacking = Number(figure.dataset.panel) - chart.clientWidth;
      if (lacking > 0 && spec.spec.width > 0) {
        spec.spec.width = Math.max(120, spec.spec.width - lacking);
      }
      if (figure.dataset.labels) {
        // Panels share the labels before the first of a row, and all of the width.
        const free = chart.clientWidth - Number(figure.dataset.labels);
        spec.spec.width = Math.max(120, Math.floor(free / spec.columns) - 24);
      }
    }
    const chosen = figure.view ? Array.from(spec.params || [], ({name}) =>
      [name, figure.view.signal(name)]) : [];
    if (figure.view) figure.view.finalize();
    controls.replaceChildren();
    try {
      const made = await vegaEmbed(chart, spec, {mode: "vega-lite", renderer: "svg",
        actions: false, bind: controls, defaultStyle: false, logLevel: 1,
        tooltip: {disableDefaultStyle: true}});
      figure.view = made.view;
      for (const [name, value] of chosen) made.view.signal(name, value);
      await made.view.runAsync();
      // A choice of one is none.
      for (const select of controls.querySelectorAll("select")) {
        if (select.options.length < 2) select.closest(".vega-bind").hidden = true;
      }
      save(figure, made.view);
      figure.dataset.state = "drawn";
    } catch (error) {
      chart.textContent = "This chart could not be drawn: " + error.message;
      figure.dataset.state = "failed";
      console.error(error);
    }
  };
  const figures = Array.from(document.querySelectorAll("figure.vega"));
  (async () => { for (const figure of figures) await draw(figure); })();
  let later;
  addEventListener("resize", () => {
    clearTimeout(later);
    later = setTimeout(() => {
      for (const figure of figures) {
        const now = figure.dataset.columns;
        if (now && Number(now) !== columns(figure)) draw(figure);
      }
    }, 250);
  });
})();
"""

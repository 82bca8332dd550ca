// Filters for lists of outputs; see report/browser.py.
(async () => {
  "use strict";
  const data = await Browser.read();
  const {elements} = document.getElementById("filter");
  const matches = document.getElementById("matches");
  const spread = (rows) => {
    const costs = rows.map((row) => row.c);
    return Math.max(...costs) - Math.min(...costs);
  };
  const draw = ({segment, rows, all}) => {
    const article = document.createElement("article");
    article.className = "segment";
    article.innerHTML = segment.h + all.map((row) => row.h).join("");
    if (all.length > rows.length) {
      all.forEach((row, place) => {
        if (rows.includes(row)) {
          article.querySelectorAll(".row")[place].classList.add("hit");
        }
      });
    }
    return article;
  };
  const list = Browser.list(draw, data.first);
  const choose = () => {
    const {system, template, kind, least, order, words, others} = elements;
    const name = system.value === "" ? null : Number(system.value);
    const error = kind.value === "" ? null : Number(kind.value);
    const cost = least.value === "" ? 0 : Number(least.value);
    // What looks like an edit is matched as a whole.
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean)
      .map((word) => word.includes(">") ? " " + word + " " : word);
    const chosen = [];
    let outputs = 0;
    for (const segment of data.segments) {
      if (template && template.value && segment.t !== template.value) continue;
      const rows = segment.r.filter((row) =>
        (name === null || row.s.includes(name)) &&
        (error === null || row.k.includes(error)) &&
        row.c >= cost && wanted.every((word) => row.x.includes(word)));
      if (!rows.length) continue;
      outputs += rows.length;
      chosen.push({segment, rows, all: others.checked ? segment.r : rows});
    }
    const highest = ({rows}) => Math.max(...rows.map((row) => row.c));
    if (order.value === "expensive") chosen.sort((a, b) => highest(b) - highest(a));
    if (order.value === "disagreement") {
      chosen.sort((a, b) => spread(b.segment.r) - spread(a.segment.r));
    }
    matches.textContent = chosen.length ? Browser.count(outputs, "output") + " in " +
      Browser.count(chosen.length, "segment") + "."
      : "No output matches; use fewer filters.";
    list.set(chosen);
  };
  Browser.form(choose, "system");
  choose();
})().catch(Browser.fail);

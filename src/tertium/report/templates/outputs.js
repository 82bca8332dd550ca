// Filters for lists of outputs; see report/browser.py.
(async () => {
  "use strict";
  const read = async () => {
    const source = document.getElementById("segment-data");
    if (source.type === "application/json") return JSON.parse(source.textContent);
    const bytes = Uint8Array.from(atob(source.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream()
      .pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const data = await read();
  const form = document.getElementById("filter");
  const list = document.getElementById("segments");
  const matches = document.getElementById("matches");
  const more = document.getElementById("more");
  let chosen = [];
  let shown = 0;
  const spread = (rows) => {
    const costs = rows.map((row) => row.c);
    return Math.max(...costs) - Math.min(...costs);
  };
  const choose = () => {
    const {system, template, kind, least, order, words, others} = form.elements;
    const name = system.value === "" ? null : Number(system.value);
    const error = kind.value === "" ? null : Number(kind.value);
    const cost = least.value === "" ? 0 : Number(least.value);
    // What looks like an edit is matched as a whole.
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean)
      .map((word) => word.includes(">") ? " " + word + " " : word);
    chosen = [];
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
    const parts = (count, word) => count.toLocaleString("en") + " " + word +
      (count === 1 ? "" : "s");
    matches.textContent = chosen.length ? parts(outputs, "output") + " in " +
      parts(chosen.length, "segment") + "." : "No output matches; use fewer filters.";
    list.replaceChildren();
    shown = 0;
    show(data.first);
  };
  const show = (count) => {
    const next = chosen.slice(shown, shown + count);
    for (const {segment, rows, all} of next) {
      const article = document.createElement("article");
      article.className = "segment";
      article.innerHTML = segment.h +
        all.map((row) => row.h).join("");
      if (all.length > rows.length) {
        all.forEach((row, place) => {
          if (rows.includes(row)) {
            article.querySelectorAll(".row")[place].classList.add("hit");
          }
        });
      }
      list.append(article);
    }
    shown += next.length;
    const left = chosen.length - shown;
    more.hidden = left <= 0;
    more.textContent = "Show " + Math.min(20, left) + " more of " +
      left.toLocaleString("en");
  };
  form.addEventListener("input", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(choose));
  more.addEventListener("click", () => {
    const before = list.children.length;
    show(20);
    const next = list.children[before];
    if (next) { next.tabIndex = -1; next.focus({preventScroll: true}); }
  });
  for (const button of document.querySelectorAll("button[data-filter]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      form.reset();
      for (const [key, value] of Object.entries(JSON.parse(button.dataset.filter))) {
        if (form.elements[key]) form.elements[key].value = value;
      }
      choose();
      const section = document.getElementById("outputs");
      section.scrollIntoView({behavior: matchMedia("(prefers-reduced-motion: reduce)")
        .matches ? "auto" : "smooth"});
      form.elements.system.focus({preventScroll: true});
    });
  }
  form.hidden = false;
  choose();
})().catch((error) => {
  document.getElementById("matches").textContent +=
    " The other segments cannot be shown: " + error.message;
  console.error(error);
});

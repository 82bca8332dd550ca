// Outputs with human and predicted marks: filtered, sorted; see report/spans/outputs.py.
(async () => {
  "use strict";
  const data = await Browser.read();
  const {node} = Browser;
  const fields = document.getElementById("filter");
  const {elements} = fields;
  const matches = document.getElementById("matches");
  const SIGNS = {match: "✓", miss: "✗", "false alarm": "!"};
  const PLURALS = {match: "matches", miss: "misses", "false alarm": "false alarms"};
  data.segments.forEach((segment, i) => { segment.i = i; });

  // ---------------------------------------------------------------------- findings
  // Label, start and end of the human mark and of the predicted one, and the judge.
  const kindOf = ([human, , , predicted]) =>
    human < 0 ? "false alarm" : predicted < 0 ? "miss" : "match";
  const levelOf = (finding) => data.levels[finding[0] < 0 ? finding[3] : finding[0]];
  const named = (label) => data.labels[label].filter(Boolean).join(" ") || "error";
  const chosenMetric = () => Number(elements.metric.value);
  const tally = (found) => {
    const counts = {match: 0, miss: 0, "false alarm": 0};
    for (const finding of found) counts[kindOf(finding)]++;
    return counts;
  };

  // -------------------------------------------------------------------------- rows
  const mark = (text, human, predicted, more = "") => {
    const classes = (human ? "h" + human : "") + (predicted ? " p" + predicted : "");
    return classes ? node("mark", {class: (classes + more).trim()}, text) : text;
  };
  const level = (label) => label < 0 ? 0 : data.levels[label];
  const pieces = (text, found) => {
    const characters = Array.from(text); // positions are code points
    const levels = [0, 3].map((side) => {
      const worst = new Uint8Array(characters.length);
      for (const finding of found) {
        const [label, start, end] = finding.slice(side, side + 3);
        if (label < 0 || start < 0) continue;
        for (let i = start; i < end && i < worst.length; i++) {
          worst[i] = Math.max(worst[i], level(label));
        }
      }
      return worst;
    });
    const made = [];
    for (let i = 0, from = 0; i < characters.length; i++) {
      const last = i + 1 === characters.length ||
        levels.some((worst) => worst[i] !== worst[i + 1]);
      if (!last) continue;
      made.push(mark(characters.slice(from, i + 1).join(""), levels[0][i], levels[1][i]));
      from = i + 1;
    }
    for (const [human, start, , predicted, begin] of found) {
      const both = [start < 0 ? level(human) : 0, begin < 0 ? level(predicted) : 0];
      if (both[0] || both[1]) made.push(" ", mark(data.lack, ...both, " lack"));
    }
    return made.length ? made : [node("i", {}, "nothing")];
  };
  const item = (text, finding) => {
    const characters = Array.from(text);
    const words = [];
    for (const side of [0, 3]) {
      const [label, start, end] = finding.slice(side, side + 3);
      if (label >= 0) {
        words.push(start < 0 ? data.lack : characters.slice(start, end).join(""));
      }
    }
    const about = [];
    if (finding[0] >= 0) {
      about.push((data.judges[finding[6]] ?? "human") + ": " + named(finding[0]));
    }
    if (finding[3] >= 0) about.push("metric: " + named(finding[3]));
    const kind = kindOf(finding);
    return node("li", {class: kind.replace(" ", "-")},
      node("b", {}, node("span", {"aria-hidden": "true"}, SIGNS[kind]), " " + kind), " ",
      node("span", {class: "words", dir: "auto"}, [...new Set(words)].join(" / ")), " ",
      node("small", {}, about.join(", ")));
  };
  const counted = (found) => {
    const parts = Object.entries(tally(found)).filter(([, number]) => number)
      .map(([kind, number]) => number + " " + (number === 1 ? kind : PLURALS[kind]));
    return parts.join(", ") || "no marks";
  };
  const row = (output, hit) => {
    const m = chosenMetric();
    const found = output.f[m];
    const body = node("div", {class: "output"},
      node("p", {class: "text", dir: "auto"}, ...pieces(output.t, found)));
    if (found.length) {
      body.append(node("ul", {class: "marks"},
        ...found.map((finding) => item(output.t, finding))));
    }
    return node("div", {class: "row scored spans" + (hit ? " hit" : "")},
      node("p", {class: "who"}, data.systems[output.s]), body,
      node("p", {class: "cost"}, counted(found),
        node("small", {}, "human " + output.h + " · metric " + output.p[m])));
  };
  const article = ({segment, outputs}) => {
    const id = "segment-" + (segment.i + 1);
    const shown = elements.others.checked ? segment.o : outputs;
    return node("article", {class: "segment", id},
      node("h3", {dir: "auto"}, node("a", {href: "#" + id}, segment.s || segment.n)),
      node("p", {class: "about"}, segment.n + " · " +
        Browser.count(segment.o.length, "output")),
      ...shown.map((output) =>
        row(output, shown.length > outputs.length && outputs.includes(output))));
  };

  // ----------------------------------------------------------------------- filters
  const folded = new Map();
  const fold = (segment, output) => {
    if (!folded.has(output)) {
      folded.set(output, (segment.n + " " + segment.s + " " + output.t).toLowerCase());
    }
    return folded.get(output);
  };
  const list = Browser.list(article, data.first);
  const choose = () => {
    const m = chosenMetric();
    const system = elements.system.value === "" ? null : Number(elements.system.value);
    const kind = elements.kind.value;
    const least = Number(elements.level.value || 0);
    const words = elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = ({f, s}) => {
      if (system !== null && s !== system) return false;
      if (kind === "none") return f[m].length === 0;
      if (!kind && !least) return true;
      return f[m].some((finding) =>
        (!kind || kindOf(finding) === kind) && levelOf(finding) >= least);
    };
    const chosen = [];
    let number = 0;
    for (const segment of data.segments) {
      const outputs = segment.o.filter((output) => wanted(output) &&
        words.every((word) => fold(segment, output).includes(word)));
      if (!outputs.length) continue;
      number += outputs.length;
      chosen.push({segment, outputs});
    }
    const order = elements.order.value;
    if (order) {
      for (const each of chosen) {
        each.key = Math.max(...each.outputs.map((output) => {
          const counts = tally(output.f[m]);
          return order === "wrong" ? counts.miss + counts["false alarm"] : counts[order];
        }));
      }
      chosen.sort((a, b) => b.key - a.key);
    }
    matches.textContent = chosen.length ? Browser.count(number, "output") + " in " +
      Browser.count(chosen.length, "segment") + "."
      : "No output matches; use fewer filters.";
    list.set(chosen);
  };

  // -------------------------------------------------------------------------- keys
  const step = (by) => {
    const current = document.activeElement.closest(".segment");
    const shown = list.place.children;
    const at = current ? Array.prototype.indexOf.call(shown, current) + by : 0;
    if (at >= shown.length) list.grow(data.first);
    Browser.visit(shown[Math.max(0, at)]);
  };
  const follow = () => {
    const link = /^#segment-(\d+)$/.exec(location.hash);
    if (!link) return;
    const wanted = Number(link[1]) - 1;
    const at = list.items.findIndex(({segment}) => segment.i === wanted);
    if (at < 0) return;
    if (at < list.begin || at >= list.end) list.set(list.items, at);
    Browser.visit(document.getElementById("segment-" + (wanted + 1)));
  };
  Browser.keys(step, elements.words);
  addEventListener("hashchange", follow);
  Browser.form(choose, "metric");
  choose();
  follow();
  fields.dataset.state = "ready";
})().catch(Browser.fail);

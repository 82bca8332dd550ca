// Segments with all outputs: sorted, filtered, linked to; see report/analysis/data.py.
(async () => {
  "use strict";
  const data = await Browser.read();
  const {systems, metrics, focus} = data;
  const width = systems.length;
  const size = data.lengths.length;
  const fields = document.getElementById("filter");
  const {elements} = fields;
  const matches = document.getElementById("matches");

  // ------------------------------------------------------------------------ columns
  const references = (i) =>
    typeof data.references === "number" ? data.references : data.references[i];
  const sourced = data.sources ? 1 : 0;
  const starts = new Int32Array(size + 1); // where the texts of a segment begin
  for (let i = 0; i < size; i++) {
    starts[i + 1] = starts[i] + sourced + references(i) + width;
  }
  const output = (i, s) => starts[i] + sourced + references(i) + s;
  const scores = data.scores.map((column, m) => {
    const unit = 10 ** metrics[m].digits;
    return Float64Array.from(column, (v) => v === null ? NaN : v / unit);
  });
  const groups = data.groups.map((steps) => {
    const member = new Uint8Array(size);
    let at = 0;
    for (const step of steps) member[at += step] = 1;
    return member;
  });
  const lines = data.labels.map(() => []);
  const label = (s, part, i) =>
    (lines[s][part] ??= data.labels[s][part].split("\n"))[i];
  const links = (s, i) => Drawings.linked(label(s, 2, i));
  // All texts of a segment in one string, in which words are looked for first.
  const joined = new Array(size);
  const join = (i) =>
    (joined[i] ??= data.texts.slice(starts[i], starts[i + 1]).join("\n"));
  const folded = new Array(size);
  const fold = (i) => (folded[i] ??= join(i).toLowerCase());
  const lower = new Array(data.texts.length);

  // ----------------------------------------------------------------------- filters
  const number = (field) => field.value === "" ? null : Number(field.value);
  const chosenMetric = () => Number(elements.metric.value);
  const pair = () => {
    const a = number(elements.system) ?? focus[0];
    const wanted = number(elements.other) ?? focus[1];
    return [a, wanted !== a ? wanted : focus.find((s) => s !== a)];
  };
  let query = []; // regular expressions for what is searched for, to highlight it
  // Whether a segment may have the words, and whether text t has; null without words.
  const finder = () => {
    const text = elements.words.value.trim();
    elements.words.setCustomValidity("");
    query = [];
    if (!text) return null;
    const small = (t) => (lower[t] ??= data.texts[t].toLowerCase());
    if (elements.regex.checked) {
      query = [new RegExp(text, "giu")];
      // Without capitals it is looked for in small letters, which is faster.
      const plain = !/[^ -@[-~]|\\[pux]/.test(text);
      const [near, wanted] = ["m", ""].map((flag) =>
        new RegExp(text, (plain ? "u" : "iu") + flag));
      // What must not follow may be the end of the line.
      const sure = /\(\?<?!/.test(text);
      return {may: (i) => sure || near.test(plain ? fold(i) : join(i)),
        has: (t) => wanted.test(plain ? small(t) : data.texts[t])};
    }
    const words = Array.from(text.matchAll(/["“]([^"”]+)["”]|(\S+)/gu),
      (match) => (match[1] ?? match[2]).toLowerCase());
    query = words.map((word) =>
      new RegExp(word.replace(/[\\^$.*+?()[\]{}|\-/]/g, "\\$&"), "giu"));
    return {may: (i) => words.every((word) => fold(i).includes(word)),
      has: (t) => words.every((word) => small(t).includes(word))};
  };
  const listed = () => {
    const text = elements.only.value;
    if (!text.trim()) return null;
    const chosen = new Set();
    for (const [, low, high] of text.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)) {
      const last = Math.min(size, Number(high ?? low));
      for (let i = Number(low); i <= last; i++) chosen.add(i - 1);
    }
    return chosen;
  };
  const filtered = () => {
    const words = finder();
    const has = words?.has;
    const only = listed();
    const field = elements.field.value;
    const system = number(elements.system);
    const error = number(elements.error);
    const bit = error === null ? 0 : 1 << error;
    const low = number(elements.low) ?? -Infinity;
    const high = number(elements.high) ?? Infinity;
    const ranged = elements.low.value !== "" || elements.high.value !== "";
    const column = scores[chosenMetric()];
    const group = elements.group?.value ? groups[Number(elements.group.value)] : null;
    const named = elements.document?.value ? Number(elements.document.value) : null;
    const first = system ?? 0;
    const last = system ?? width - 1;
    const chosen = [];
    for (let i = 0; i < size; i++) {
      if (only && !only.has(i)) continue;
      if (group && !group[i]) continue;
      if (named !== null && data.documents.numbers[i] !== named) continue;
      if (words && !words.may(i)) continue;
      let whole = !has; // whether every output counts as a match
      if (has && field !== "output") {
        const begin = starts[i] + (field === "reference" ? sourced : 0);
        const end = field === "source" ? starts[i] + 1
          : starts[i] + sourced + references(i);
        for (let t = begin; t < end && !whole; t++) whole = has(t);
        if (!whole && field !== "") continue;
      }
      const hits = [];
      for (let s = first; s <= last; s++) {
        const at = i * width + s;
        if (bit && !(data.errors[at] & bit)) continue;
        if (ranged && !(column[at] >= low && column[at] <= high)) continue;
        if (whole || has(output(i, s))) hits.push(s);
      }
      if (hits.length) chosen.push({i, hits});
    }
    const narrow = has || bit || ranged || system !== null;
    for (const item of chosen) item.narrow = narrow && item.hits.length < width;
    return chosen;
  };
  // What segments are sorted by, the largest first; null for their own order.
  const sortKey = () => {
    const m = chosenMetric();
    const column = scores[m];
    const sign = metrics[m].higher ? 1 : -1;
    const [a, b] = pair();
    const gap = ({i}) => sign * (column[i * width + a] - column[i * width + b]);
    const best = (turn) => ({i, hits}) =>
      turn * Math.max(...hits.map((s) => turn * column[i * width + s]));
    return {
      gap: (item) => Math.abs(gap(item)), gain: gap, loss: (item) => -gap(item),
      low: (item) => -best(-1)(item), high: best(1),
      disagreement: ({i}) => data.disagreement[i],
      short: ({i}) => -data.lengths[i], long: ({i}) => data.lengths[i],
    }[elements.order.value];
  };
  const sorted = (chosen) => {
    const key = sortKey();
    if (!key) return chosen;
    for (const item of chosen) item.key = key(item);
    return chosen.sort((one, other) =>
      Number.isNaN(one.key) - Number.isNaN(other.key) || other.key - one.key);
  };
  const choose = () => {
    let chosen;
    try {
      chosen = sorted(filtered());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      elements.words.setCustomValidity(error.message);
      matches.textContent = error.message + ".";
      return;
    }
    const outputs = chosen.reduce((sum, {hits}) => sum + hits.length, 0);
    matches.textContent = chosen.length ? Browser.count(outputs, "output") + " in " +
      Browser.count(chosen.length, "segment") + "."
      : "No output matches; use fewer filters.";
    set(chosen);
  };

  // ------------------------------------------------------------------------- texts
  const {node} = Browser;
  const pattern = new RegExp(data.words, "gu");
  const split = (text) => Array.from(text.matchAll(pattern), (match) => match[0]);
  const looks = [[8, "extra"], [4, "replaced"], [1, "form"], [2, "moved"]];
  const look = (flags) => looks.find(([bit]) => flags & bit)?.[1];
  // A text whose words have looks; look is a function of the number of the word.
  const marked = (text, lookOf) => {
    if (!text.trim()) return [node("i", {}, "nothing")];
    const pieces = [];
    let done = 0;
    let place = 0;
    for (const match of text.matchAll(pattern)) {
      const kind = lookOf(place++);
      if (!kind) continue;
      pieces.push(text.slice(done, match.index), node("mark", {class: kind}, match[0]));
      done = match.index + match[0].length;
    }
    return [...pieces, text.slice(done)];
  };
  // Which words of a text are not in the longest common sequence with another text.
  const different = (text, other) => {
    const [one, two] = [split(text), split(other)];
    const found = new Uint8Array(one.length);
    let begin = 0;
    let [end, far] = [one.length, two.length];
    while (begin < Math.min(end, far) && one[begin] === two[begin]) begin++;
    while (end > begin && far > begin && one[end - 1] === two[far - 1]) { end--; far--; }
    const [rows, columns] = [end - begin, far - begin];
    if (rows * columns > 4e6) { // Too long: words that the other has nowhere.
      const known = new Set(two);
      for (let i = begin; i < end; i++) found[i] = !known.has(one[i]);
      return found;
    }
    const longest = new Uint16Array((rows + 1) * (columns + 1));
    const at = (i, j) => i * (columns + 1) + j;
    for (let i = rows - 1; i >= 0; i--) {
      for (let j = columns - 1; j >= 0; j--) {
        longest[at(i, j)] = one[begin + i] === two[begin + j]
          ? longest[at(i + 1, j + 1)] + 1
          : Math.max(longest[at(i + 1, j)], longest[at(i, j + 1)]);
      }
    }
    for (let i = 0, j = 0; i < rows;) {
      if (j < columns && one[begin + i] === two[begin + j]) { i++; j++; }
      else if (j < columns && longest[at(i, j + 1)] >= longest[at(i + 1, j)]) j++;
      else found[begin + i++] = 1;
    }
    return found;
  };

  // -------------------------------------------------------------------------- rows
  const row = (name, pieces, classes = "") => node("div", {class: "row scored" + classes},
    node("p", {class: "who"}, name),
    node("div", {class: "output"}, node("p", {class: "text", dir: "auto"}, ...pieces)));
  const shown = (m, value) =>
    Number.isNaN(value) ? "n/a"
      : value.toFixed(metrics[m].digits).replace("-", "\u2212");
  const scoreCell = (i, s) => {
    const m = chosenMetric();
    const of = (other) => scores[m][i * width + other];
    const values = systems.map((_, other) => of(other)).filter((v) => !Number.isNaN(v));
    const best = metrics[m].higher ? Math.max(...values) : Math.min(...values);
    const cell = node("p", {class: of(s) === best ? "cost best" : "cost",
      title: metrics[m].label}, shown(m, of(s)));
    const others = metrics.map(({label: name}, other) =>
      node("span", {}, name + " " + shown(other, scores[other][i * width + s])));
    others.splice(m, 1);
    cell.append(node("small", {}, ...others.flatMap((one, at) => at ? [" · ", one] : [one])));
    return cell;
  };
  const outputRow = ({i, hits, narrow}, s) => {
    const text = data.texts[output(i, s)];
    const other = elements.marks.value ? pair()[1] : null;
    let made;
    if (other === null) {
      const flags = label(s, 0, i);
      made = row(systems[s], marked(text, (w) => look(parseInt(flags[w], 16))));
      const missing = missingWords(i, s);
      if (missing.length) {
        const words = node("span", {dir: "auto"});
        missing.forEach((word, place) => words.append(
          place ? " " : "", node("mark", {class: "missing"}, word)));
        made.querySelector(".output").append(
          node("p", {class: "lacks"}, "missing: ", words));
      }
    } else {
      const marks = different(text, data.texts[output(i, other)]);
      made = row(systems[s], marked(text, (w) => marks[w] ? "differs" : ""));
    }
    if (narrow && hits.includes(s)) made.classList.add("hit");
    made.append(scoreCell(i, s), drawings(i, s));
    return made;
  };
  const referenceNumber = (i, s) =>
    starts[i] + sourced + (data.chosen ? data.chosen[i * width + s] : 0);
  const referenceOf = (i, s) => data.texts[referenceNumber(i, s)];
  const missingWords = (i, s) => {
    const flags = label(s, 1, i);
    if (!/[89a-f]/.test(flags)) return [];
    return split(referenceOf(i, s)).filter((_, w) => parseInt(flags[w], 16) & 8);
  };
  const article = (item) => {
    const {i, hits} = item;
    const made = node("article", {class: "segment", id: "segment-" + (i + 1)},
      node("h3", {}, node("a", {href: "#segment-" + (i + 1)}, "Segment " + (i + 1))));
    const about = [Browser.count(data.lengths[i], "reference word")];
    if (data.documents) about.unshift(data.documents.names[data.documents.numbers[i]]);
    made.append(node("p", {class: "about", dir: "auto"}, about.join(" · ")));
    if (sourced) made.append(row("source", [data.texts[starts[i]]], " plain"));
    const number = references(i);
    for (let r = 0; r < number; r++) {
      const name = number > 1 ? "reference " + (r + 1) : "reference";
      made.append(row(name, [data.texts[starts[i] + sourced + r]], " plain"));
    }
    const which = elements.rows.value;
    const two = pair();
    new Set([...two, ...data.ranked]).forEach((s) => {
      if (which === "pair" && !two.includes(s)) return;
      if (which === "hits" && !hits.includes(s)) return;
      made.append(outputRow(item, s));
    });
    return made;
  };

  // ---------------------------------------------------------------------- drawings
  const view = (i, s, most = data.most) => {
    const texts = [data.texts[output(i, s)], referenceOf(i, s)];
    const words = texts.map((text) => split(text).slice(0, most));
    const looks = words.map((each, side) => {
      const flags = label(s, side, i);
      const kinds = each.map((_, w) => look(parseInt(flags[w], 16)) ?? "");
      return kinds.map((kind) => side && kind === "extra" ? "missing" : kind);
    });
    const begin = starts[i] + sourced;
    return {name: systems[s], number: i + 1, texts, command: data.commands?.[s],
      layers: data.layers, language: data.language,
      all: [texts[0], ...data.texts.slice(begin, begin + references(i))], words, looks,
      reference: references(i) > 1 ? referenceNumber(i, s) - starts[i] - sourced + 1 : 0,
      links: links(s, i).slice(0, most)
        .map((target) => target < words[1].length ? target : -1),
      backwards: /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(texts[1]),
      cut: words.some((each) => each.length === most) ? most : 0};
  };
  const LONG = 1000; // words of what is not drawn; edits take the product of the lengths
  const disclosure = (name, draw) => {
    const details = node("details", {class: "drawing"}, node("summary", {}, name));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(draw());
    });
    return details;
  };
  const tree = Dependencies.reader(data.trees, data.texts, pattern);
  const paths = data.paths.map((settings) => ({settings, links: Paths.reader(settings.links),
    tree: settings.trees && Dependencies.reader(settings.trees, data.texts, pattern)}));
  const losses = data.losses.map(({spec, label: name, outputs}) => ({spec, label: name,
    of: new Map(outputs.map(([i, s, ...lost]) => [i * width + s, lost]))}));
  const drawings = (i, s) => {
    const made = node("div", {class: "drawings"},
      disclosure("findings", () => Findings.list(view(i, s, LONG))),
      disclosure("alignment", () => Drawings.alignment(view(i, s))),
      disclosure("permutation tree", () => Drawings.order(view(i, s))),
      disclosure("edits and n-grams", () => Edits.show(view(i, s, LONG))));
    const numbers = [output(i, s), referenceNumber(i, s)];
    const trees = numbers.map(tree);
    const both = trees.filter(Boolean);
    if (trees[0]) {
      made.append(disclosure(both.length > 1 ? "dependency trees" : "dependency tree", () =>
        Dependencies.drawing(view(i, s), both, numbers.map((t) => data.texts[t]), pattern)));
    }
    for (const {settings, links: linksOf, tree: own} of paths) {
      const best = settings.chosen?.[i * width + s] ?? 0; // by this metric
      const compared = [numbers[0], starts[i] + sourced + best];
      const [pairs, seen] = [linksOf(s, i), compared.map(own ?? tree)];
      if (!pairs || !seen[0] || !seen[1]) continue;
      made.append(disclosure(settings.label + " paths", () =>
        Paths.drawing({...view(i, s), cut: 0, reference: references(i) > 1 ? best + 1 : 0},
          seen, pairs, settings)));
    }
    for (const {spec, label: name, of} of losses) {
      const lost = of.get(i * width + s);
      if (!lost) continue;
      made.append(disclosure("what " + name + " lost", () =>
        Losses.list({...view(i, s), cut: 0, reference: 0}, spec, name, lost)));
    }
    return made;
  };

  // ---------------------------------------------------------------------- the list
  // Of many systems, fewer segments fill the screen and are drawn in time.
  const few = Math.max(3, Math.min(data.first, Math.ceil(40 / width)));
  const list = Browser.list(article, few, 2 * few);
  const earlier = node("button", {type: "button", class: "button", hidden: ""});
  list.place.before(earlier);
  const set = (items, start = 0) => {
    list.set(items, start);
    earlier.hidden = start === 0;
    earlier.textContent = "Show " + Math.min(few, start) + " earlier of " +
      start.toLocaleString("en");
    highlight();
  };
  earlier.addEventListener("click", () =>
    set(list.items, Math.max(0, list.begin - few)));
  // Marks what is searched for, without another element in the texts.
  const highlight = () => {
    if (!window.Highlight) return;
    const ranges = [];
    for (const text of query.length ? list.place.querySelectorAll(".text") : []) {
      const nodes = [];
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
      let length = 0;
      while (walker.nextNode()) {
        nodes.push([length, walker.currentNode]);
        length += walker.currentNode.length;
      }
      const place = (offset) => {
        const [begin, found] = nodes.findLast(([start]) => start <= offset);
        return [found, offset - begin];
      };
      for (const wanted of query) {
        for (const match of text.textContent.matchAll(wanted)) {
          if (!match[0] || ranges.length > 2000) break;
          const range = new Range();
          range.setStart(...place(match.index));
          range.setEnd(...place(match.index + match[0].length));
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("searched", new Highlight(...ranges));
  };
  document.getElementById("more").addEventListener("click", highlight);

  // --------------------------------------------------------------- links and keys
  const {visit} = Browser;
  const follow = () => {
    const link = /^#segment-(\d+)$/.exec(location.hash);
    const wanted = link ? Number(link[1]) - 1 : size;
    if (wanted < 0 || wanted >= size) return;
    const at = list.items.findIndex(({i}) => i === wanted);
    if (at < 0) { // A filter hides it.
      fields.reset();
      setTimeout(follow);
      return;
    }
    if (at < list.begin || at >= list.end) set(list.items, at);
    visit(document.getElementById("segment-" + (wanted + 1)));
  };
  const step = (by) => {
    const current = document.activeElement.closest(".segment");
    const shownNow = list.place.children;
    let at = current ? Array.prototype.indexOf.call(shownNow, current) + by : 0;
    if (at < 0 && list.begin > 0) {
      const before = list.begin;
      set(list.items, Math.max(0, before - few));
      at = before - list.begin - 1;
    }
    if (at >= shownNow.length) { list.grow(few); highlight(); }
    visit(shownNow[Math.max(0, at)]);
  };
  Browser.keys(step, elements.words);
  addEventListener("hashchange", follow);

  Browser.form(choose, "words");
  choose();
  follow();
  fields.dataset.state = "ready";
  // The first search is as fast as others: texts are prepared in spare moments.
  const prepare = (from) => {
    const until = Math.min(size, from + 500);
    for (let i = from; i < until; i++) fold(i);
    if (until < size) setTimeout(prepare, 0, until);
  };
  setTimeout(prepare, 200, 0);
})().catch(Browser.fail);

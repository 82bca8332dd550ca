// Drawings of an output beside its reference, made when a reader asks for one.
//
// A view is what all of them show: {name, number, words, looks, links, backwards, cut}.
// Words and looks are those of output and reference; links has the place of the reference
// word of every output word, or -1.
const Drawings = (() => {
  "use strict";
  const HIGH = 28; // of a word
  const EDGE = 8;
  const pen = document.createElement("canvas").getContext("2d");
  const wide = (text, size = 14) => {
    pen.font = size + "px " + getComputedStyle(document.body).fontFamily;
    return Math.ceil(pen.measureText(text).width);
  };
  const shape = (tag, attributes, text = "") => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  // Boxes of words in a row; gaps are the least distances between neighbours' middles.
  const place = (words, gaps = []) => {
    let middle = EDGE;
    let before = 0;
    return words.map((word, w) => {
      const size = wide(word) + 12;
      const apart = (before + size) / 2 + (w ? 6 : 0);
      middle += Math.max(apart, w ? gaps[w - 1] ?? 0 : 0);
      before = size;
      return {left: middle - size / 2, wide: size, middle};
    });
  };
  // A drawing with rows of words at heights; x turns a place for right-to-left texts.
  const sheet = (view, what, rows, heights, height) => {
    const total = EDGE + Math.max(...rows.map((each) =>
      each.length ? each.at(-1).left + each.at(-1).wide : 0));
    const svg = shape("svg", {width: total, height, role: "img", "aria-label": what,
      viewBox: "0 0 " + total + " " + height});
    const x = (at, size = 0) => view.backwards ? total - at - size : at;
    const link = (from, to, kind = "") => svg.append(shape("line", {
      x1: x(rows[0][from].middle), y1: heights[0] + HIGH, x2: x(rows[1][to].middle),
      y2: heights[1], class: kind}));
    const write = (words, kinds) => rows.forEach((each, side) => each.forEach((box, w) => {
      const kind = kinds[side][w] ?? "";
      svg.append(shape("rect", {x: x(box.left, box.wide), y: heights[side],
        width: box.wide, height: HIGH, rx: 4, class: kind}));
      svg.append(shape("text", {x: x(box.middle), y: heights[side] + 19,
        "text-anchor": "middle", class: kind}, words[side][w]));
    }));
    const line = (points, kind) => svg.append(shape("polyline", {class: kind, fill: "none",
      points: points.map(([at, y]) => x(at) + "," + y).join(" ")}));
    const text = (at, y, words, kind) => svg.append(shape("text", {x: x(at), y,
      "text-anchor": "middle", class: kind}, words));
    return {svg, x, link, write, line, text};
  };
  // A word as a shell reads it.
  const quoted = (word) => /^[\w.,:@%+=/][\w.,:@%+=/-]*$/.test(word) ? word
    : "'" + word.replaceAll("'", "'\\''") + "'";
  // An option and its values, of which a single one may begin with a dash.
  const option = (flag, ...values) => values.length === 1 && values[0].startsWith("-")
    ? flag + "=" + quoted(values[0]) : [flag, ...values.map(quoted)].join(" ");
  // What explains an output: the options that name its files; or its texts, if they are
  // short and bring nothing else; or else its place in files that the page does not know.
  const COPIED = 800; // characters of texts
  // What a terminal would not insert but obey, even between quotes, when it is pasted.
  const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
  const command = (view) => {
    const {node} = Browser;
    const {command: known, all} = view;
    const shown = (words, ...options) => node("code", {class: "command"}, words,
      ...options.flatMap((option) => [" ", node("span", {}, option)]));
    const options = known ? [...known.options] : [];
    const copied = !known && !view.layers && all.join().length <= COPIED &&
      !all.some((text) => CONTROL.test(text)) &&
      (all.length < 3 || !all.slice(1).some((text) => text.startsWith("-")));
    if (copied) options.push(option("--hyp", all[0]), option("--ref", ...all.slice(1)));
    else options.push("--segments " + view.number);
    if (!known && !copied && !CONTROL.test(view.name)) {
      options.push(option("--system", view.name));
    }
    if (view.reference) options.push("--reference " + view.reference);
    // Other metrics than the defaults of explain have an alignment of their own.
    if (view.language && !view.metric) {
      options.push("--match exact+stem", option("--language", view.language));
    }
    if (view.metric && !CONTROL.test(view.metric)) options.push("-m " + quoted(view.metric));
    return [...known?.before ? [shown(known.before), ", then "] : [],
      shown("tertium explain", ...options), known || copied ? "" : " with the files of this report."];
  };
  // What a reader asked for, with a caption; wide things scroll.
  const framed = (view, what, content, caption) => {
    const {node} = Browser;
    return node("figure", {class: "diagram"}, node("div", {class: "scroll", tabindex: "0",
      role: "region", "aria-label": what[0].toUpperCase() + what.slice(1) + " of " +
        view.name}, content),
    node("figcaption", {}, caption + (view.cut ? " The first " + view.cut + " words." : "") +
      " More: ", ...command(view)));
  };

  // Of every word, the word that it is linked with, or -1: one character per word, ! for
  // none, # for the word after the one that was linked last.
  const linked = (line) => {
    let next = 0;
    return Array.from(line, (character) => {
      const code = character.codePointAt(0) - 0x23;
      if (code < 0) return -1;
      const at = next + (code % 2 ? -(code + 1) / 2 : code / 2);
      next = at + 1;
      return at;
    });
  };

  // -------------------------------------------------------------------- alignments
  const alignment = (view) => {
    const rows = view.words.map((words) => place(words));
    const made = sheet(view, "Words of " + view.name +
      " and the words of the reference they are aligned with", rows, [8, 104], 140);
    view.links.forEach((target, w) => {
      if (target >= 0) made.link(w, target, view.looks[0][w]);
    });
    made.write(view.words, view.looks);
    return framed(view, "alignment", made.svg, "Above the output, below the reference; " +
      "lines join aligned words, blue ones cross others.");
  };

  // ------------------------------------------------------------- permutation trees
  const leaf = (value, start) =>
    ({start, end: start + 1, low: value, high: value, kind: "leaf", children: []});
  const parent = (kind, children) => ({start: children[0].start, end: children.at(-1).end,
    low: Math.min(...children.map(({low}) => low)),
    high: Math.max(...children.map(({high}) => high)), kind, children});
  const joined = (one, other) => other.low === one.high + 1 ? "straight"
    : other.high === one.low - 1 ? "inverted" : "";
  // The flat tree of a permutation, as tertium.order.PermutationTree.flat has it. Words
  // are read from left to right, and the last blocks become one as soon as their values
  // have no hole; quadratic, and drawings are short (Zhang and Gildea 2007 are linear).
  const permutationTree = (values) => {
    const stack = [];
    const reduced = (top) => { // what the top and blocks before it are, or nothing
      const last = stack.at(-1);
      const kind = last && joined(last, top);
      if (kind) {
        stack.pop();
        return parent(kind, last.kind === kind ? [...last.children, top] : [last, top]);
      }
      let [low, high] = [top.low, top.high];
      for (let at = stack.length - 1; at >= 0; at--) {
        low = Math.min(low, stack[at].low);
        high = Math.max(high, stack[at].high);
        if (high - low === top.end - stack[at].start - 1) {
          return parent("prime", [...stack.splice(at), top]);
        }
      }
      return null;
    };
    values.forEach((value, start) => {
      let top = leaf(value, start);
      for (let next = top; next; next = reduced(top)) top = next;
      stack.push(top);
    });
    return stack[0] ?? null;
  };
  // The ranks of the children of a node; all of them, where equal operators are merged.
  const ranks = ({children}) => {
    const lows = children.map(({low}) => low).sort((a, b) => a - b);
    return children.map(({low}) => lows.indexOf(low) + 1);
  };
  const brackets = (node) => {
    if (!node.children.length) return String(node.low);
    const prime = ranks(node);
    const name = {straight: "12", inverted: "21"}[node.kind] ??
      prime.join(prime.length > 9 ? "-" : "");
    return "(" + [name, ...node.children.map(brackets)].join(" ") + ")";
  };
  const operator = (node) => {
    const all = ranks(node);
    const shown = node.kind !== "prime" && all.length > 2 ? [all[0], "…", all.at(-1)]
      : all.length > 8 ? [...all.slice(0, 4), "…", all.at(-1)] : all;
    return "⟨" + shown.join(" ") + "⟩";
  };
  // Output words with links, and the order that their reference words have.
  const permutation = (links) => {
    const places = links.flatMap((target, w) => target < 0 ? [] : [w]);
    const order = [...places].sort((one, other) => links[one] - links[other]);
    const rank = new Map(order.map((w, at) => [w, at + 1]));
    return {places, values: places.map((w) => rank.get(w))};
  };
  // How many permutation trees a flat tree stands for: parts of merged blocks may be
  // joined in any order, which Catalan numbers count.
  const trees = ({kind, children}) => {
    const count = children.reduce((product, child) => product * trees(child), 1n);
    if (kind === "prime") return count;
    const parts = BigInt(children.length);
    let catalan = 1n;
    for (let n = 1n; n < parts; n++) catalan = catalan * 2n * (2n * n - 1n) / (n + 1n);
    return parts ? count * catalan : count;
  };
  const frame = (made, node, middle, y) => {
    const half = wide(operator(node), 12) / 2 + 10;
    const [left, right] = [made.x(middle) - half, made.x(middle) + half];
    const [top, bottom] = [y - 11, y + 11];
    const box = (by) => shape("rect", {x: left + by, y: top + by,
      width: 2 * (half - by), height: 22 - 2 * by, rx: node.kind === "straight" ? 11 : 0,
      class: by ? "inner" : node.kind});
    if (node.kind === "inverted") {
      made.svg.append(shape("polygon", {class: node.kind, points: [[left, y],
        [left + 8, top], [right - 8, top], [right, y], [right - 8, bottom],
        [left + 8, bottom]].map((point) => point.join(",")).join(" ")}));
    } else {
      made.svg.append(box(0));
      if (node.kind === "prime") made.svg.append(box(3));
    }
    made.text(middle, y + 4, operator(node), "operator " + node.kind);
  };
  const order = (view) => {
    const {places, values} = permutation(view.links);
    const root = permutationTree(values);
    const nodes = []; // children before parents
    const walk = (node) => {
      node.children.forEach(walk);
      node.level = Math.max(-1, ...node.children.map(({level}) => level)) + 1;
      nodes.push(node);
    };
    if (root) walk(root);
    const base = 26 + (root ? root.level : 0) * 46;
    const heights = [base, base + 96];
    const slots = Array(Math.max(...view.words.map((words) => words.length))).fill(46);
    const rows = view.words.map((words) => place(words, slots));
    const made = sheet(view, "Permutation tree of " + view.name + ": " +
      (root ? brackets(root) : "no word is aligned"), rows, heights, base + 96 + HIGH + 8);
    const linked = new Set(view.links);
    const kinds = [view.links.map((target) => target < 0 ? "loose" : ""),
      view.words[1].map((_, w) => linked.has(w) ? "" : "loose")];
    places.forEach((w) => made.link(w, view.links[w]));
    made.write(view.words, kinds);
    for (const node of nodes) {
      node.middle = node.level ? (node.children[0].middle + node.children.at(-1).middle) / 2
        : rows[0][places[node.start]].middle;
      node.y = base - 11 - (node.level ? node.level * 46 - 12 : 0);
    }
    for (const node of nodes.filter(({level}) => level)) {
      const bus = node.y + 19;
      made.line([[node.middle, node.y + 11], [node.middle, bus]], node.kind);
      made.line([[node.children[0].middle, bus], [node.children.at(-1).middle, bus]],
        node.kind);
      for (const child of node.children) {
        made.line([[child.middle, bus], [child.middle, child.y - (child.level ? 11 : 7)]],
          node.kind);
      }
    }
    for (const node of nodes) {
      if (node.level) frame(made, node, node.middle, node.y);
      else made.text(node.middle, node.y + 4, String(node.low), "rank");
    }
    const meanings = {straight: "rounded, their order is kept",
      inverted: "pointed, it is inverted", prime: "double-framed, they are shuffled"};
    const known = Object.keys(meanings).filter((kind) =>
      nodes.some((node) => node.kind === kind));
    return framed(view, "permutation tree", made.svg, "Numbers: the order in the reference." +
      (known.length ? " Above them, blocks of words that stay together: " +
        known.map((kind) => meanings[kind]).join("; ") + "." : "") +
      (kinds.flat().includes("loose") ? " Dashed: not aligned." : "") +
      (root && trees(root) > 1n ? " It stands for " +
        (trees(root) > 1000000n ? "more than a million" : trees(root).toLocaleString("en")) +
        " binary permutation trees." : ""));
  };
  return {alignment, brackets, framed, linked, order, permutation, permutationTree, place, shape,
    sheet, trees, wide};
})();

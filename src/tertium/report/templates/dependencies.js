// Dependency trees of output and reference; report/analysis/dependencies.py wrote them.
const Dependencies = (() => {
  "use strict";
  const SPACES = " \t\u00a0\u3000";
  const PITCH = 22; // between levels of arcs
  const spans = (text, pattern) => Array.from(text.matchAll(pattern),
    (match) => [match.index, match.index + match[0].length]);

  // ------------------------------------------------------------------------- trees
  // Words that follow each other in a text, by their lengths in characters.
  const measured = (text, lengths) => {
    const characters = Array.from(text);
    let [place, unit] = [0, 0]; // characters and code units
    const step = () => { unit += characters[place++]?.length ?? 0; };
    return Array.from(lengths, (code) => {
      while (place < characters.length && SPACES.includes(characters[place])) step();
      const start = unit;
      for (let left = code.codePointAt(0) - 0x21; left > 0; left--) step();
      return [start, unit];
    });
  };
  // Words of which some are not in the text, as parts of contracted ones; those have the
  // place of what stands between their neighbours.
  const searched = (text, forms) => {
    const found = forms.map(() => null);
    let [place, lost] = [0, 0];
    forms.forEach((form, w) => {
      const at = text.indexOf(form, place);
      const far = at < 0 ? Infinity : text.slice(place, at).trim().length;
      if (far > 2 * lost) { lost += form.length + 2; return; }
      found[w] = [at, at + form.length];
      [place, lost] = [at + form.length, 0];
    });
    let before = 0;
    return found.map((span, w) => {
      if (span) { before = span[1]; return span; }
      return [before, found.slice(w).find(Boolean)?.[0] ?? text.length];
    });
  };
  // A function that returns the tree of a text, or null: {forms, spans, heads, labels}.
  // Heads are places of words; -1 is a root, and null a head that is not stored.
  const reader = (columns, texts, pattern) => {
    let lines = null;
    return (t) => {
      if (!columns) return null;
      lines ??= Object.fromEntries(["heads", "labels", "forms"].map((name) =>
        [name, columns[name].split("\n")]));
      const heads = Array.from(lines.heads[t], (character, w) => {
        const code = character.codePointAt(0) - 0x23;
        if (code < 0) return code === -2 ? -1 : null;
        const steps = Math.floor(code / 2) + 1;
        return code % 2 ? w + steps : w - steps;
      });
      if (!heads.length) return null;
      const [text, line] = [texts[t], lines.forms[t]];
      const given = line.startsWith("\t") ? line.slice(1).split("\t") : null;
      const places = given ? searched(text, given) : line ? measured(text, line)
        : spans(text, pattern).slice(0, heads.length);
      return {heads, spans: places,
        forms: given ?? places.map(([start, end]) => text.slice(start, end)),
        labels: Array.from(lines.labels[t], (character) =>
          columns.relations[character.codePointAt(0) - 0x21])};
    };
  };
  // Pairs of tree words whose words in the texts are aligned, each word once.
  const mates = (trees, texts, links, pattern) => {
    const inside = texts.map((text, side) => spans(text, pattern).map(([start, end]) =>
      trees[side].spans.flatMap(([from, to], f) => from < end && start < to ? [f] : [])));
    const pairs = [new Map(), new Map()];
    links.forEach((target, w) => {
      if (target < 0) return;
      inside[0][w].forEach((one, k) => {
        const other = inside[1][target][k];
        if (other === undefined || pairs[0].has(one) || pairs[1].has(other)) return;
        pairs[0].set(one, other);
        pairs[1].set(other, one);
      });
    });
    return pairs;
  };
  // Of every word: "" if a mate has the same head and relation, or why not.
  const changes = (tree, other, pairs) => tree.heads.map((head, w) => {
    const mate = pairs.get(w);
    if (mate === undefined) return "loose";
    const there = other.heads[mate];
    if (head === null || there === null) return "";
    const same = head < 0 ? there < 0 : pairs.has(head) && there === pairs.get(head);
    return same && tree.labels[w] === other.labels[mate] ? "" : "changed";
  });

  // -------------------------------------------------------------------------- arcs
  const arcsOf = (tree, kinds) => {
    return levelled(tree.heads.flatMap((head, word) => head === null ? [] : [{head, word,
      label: tree.labels[word], kind: kinds[word], first: head < 0 ? word
        : Math.min(head, word), last: Math.max(head, word)}]));
  };
  // The arcs, with the level of each; a plain one has no tip.
  const levelled = (arcs) => {
    const long = arcs.filter(({head}) => head >= 0).sort((one, other) =>
      one.last - one.first - (other.last - other.first) || one.first - other.first);
    // An arc is above shorter ones that it overlaps; quadratic, and drawings are short.
    long.forEach((arc, number) => {
      arc.level = 1 + Math.max(0, ...long.slice(0, number).filter((below) =>
        below.first < arc.last && arc.first < below.last).map(({level}) => level));
    });
    for (const arc of arcs.filter(({head}) => head < 0)) {
      arc.level = 1 + Math.max(0, ...long.filter(({first, last}) =>
        first <= arc.word && arc.word <= last).map(({level}) => level));
    }
    return arcs;
  };
  // How far apart neighbours must stand so that labels fit their arcs.
  const gapsOf = (words, arcs) => {
    const sizes = words.map((word) => Drawings.wide(word) + 12);
    const gaps = sizes.slice(1).map((size, w) => (sizes[w] + size) / 2 + 10);
    for (const {first, last, label} of [...arcs].sort((one, other) =>
      one.last - one.first - (other.last - other.first))) {
      const room = gaps.slice(first, last).reduce((sum, gap) => sum + gap, 0);
      const lack = Drawings.wide(label, 11) + 34 - room;
      for (let w = first; w < last; w++) gaps[w] += Math.max(0, lack) / (last - first);
    }
    return gaps;
  };
  // Ends of arcs are spread over a word, so that those that do not cross in the tree do
  // not cross in the drawing: near to far on its left, far to near on its right.
  const spread = (boxes, arcs) => {
    const ends = boxes.map(() => []);
    for (const arc of arcs) {
      ends[arc.word].push([arc.head < 0 ? 0 : 1 / (arc.head - arc.word), arc, "to"]);
      if (arc.head >= 0) ends[arc.head].push([1 / (arc.word - arc.head), arc, "from"]);
    }
    ends.forEach((each, w) => {
      each.sort(([one], [other]) => one - other);
      const space = Math.min(10, (boxes[w].wide - 8) / Math.max(1, each.length));
      each.forEach(([, arc, end], number) => {
        arc[end] = boxes[w].middle + (number - (each.length - 1) / 2) * space;
      });
    });
  };
  // Arcs above (side -1) or below (side 1) a row whose edge is at y.
  const draw = (made, arcs, y, side) => {
    const {svg, x} = made;
    const path = (arc) => {
      const top = y + side * (8 + PITCH * arc.level);
      const tip = y + side * (arc.plain ? 1 : 6);
      if (arc.head < 0) return [top, "M" + x(arc.to) + " " + top + "V" + tip];
      const turn = Math.min(8, Math.abs(arc.to - arc.from) / 2);
      const on = Math.sign(x(arc.to) - x(arc.from)) * turn;
      return [top, "M" + x(arc.from) + " " + (y + side) + "V" + (top - side * turn) +
        "q0 " + side * turn + " " + on + " " + side * turn + "H" + (x(arc.to) - on) +
        "q" + on + " 0 " + on + " " + -side * turn + "V" + tip];
    };
    for (const arc of arcs) {
      const [top, d] = path(arc);
      arc.top = top;
      svg.append(Drawings.shape("path", {d, class: "arc " + arc.kind}));
      if (arc.plain) continue;
      const to = x(arc.to);
      svg.append(Drawings.shape("polygon", {class: "tip " + arc.kind, points: [
        [to, y + side], [to - 3, y + side * 7], [to + 3, y + side * 7],
      ].map((point) => point.join(",")).join(" ")}));
    }
    for (const arc of arcs.filter(({label}) => label)) {
      const middle = arc.head < 0 ? arc.to : (arc.from + arc.to) / 2;
      const half = Drawings.wide(arc.label, 11) / 2 + 3;
      svg.append(Drawings.shape("rect", {x: x(middle) - half, y: arc.top - 7,
        width: 2 * half, height: 14, class: "veil"}));
      made.text(middle, arc.top + 4, arc.label, "relation " + arc.kind);
    }
  };
  // A sheet with one row of words or two, the arcs of the first above and of the second
  // below; draw() draws them.
  const pair = (view, what, words, arcs) => {
    const high = arcs.map((each) =>
      20 + PITCH * Math.max(0, ...each.map(({level}) => level)));
    const rows = words.map((each, side) => Drawings.place(each, gapsOf(each, arcs[side])));
    const heights = [high[0], high[0] + 88];
    const made = Drawings.sheet(view, what, rows, heights,
      words.length > 1 ? heights[1] + 28 + high[1] : heights[0] + 36);
    made.draw = () => arcs.forEach((each, side) => {
      spread(rows[side], each);
      draw(made, each, heights[side] + (side ? 28 : 0), side ? 1 : -1);
    });
    return made;
  };
  // A drawing of one or two trees, with the alignment of a view between them.
  const drawing = (view, trees, texts, pattern) => {
    const both = trees.length > 1;
    const pairs = both ? mates(trees, texts, view.links, pattern) : null;
    const kinds = trees.map((tree, side) => both
      ? changes(tree, trees[1 - side], pairs[side]) : tree.heads.map(() => ""));
    const arcs = trees.map((tree, side) => arcsOf(tree, kinds[side]));
    const what = both ? "Dependency trees" : "Dependency tree";
    const changed = kinds.map((each) => each.filter((kind) => kind === "changed").length);
    const made = pair(view, what + " of " + view.name + (both
      ? " and the reference: " + changed[0] + " of " + trees[0].forms.length +
        " words of the output are aligned but have another head or relation" : ""),
    trees.map(({forms}) => forms), arcs);
    for (const [one, other] of pairs?.[0] ?? []) made.link(one, other);
    made.write(trees.map(({forms}) => forms), kinds.map((each) => each.map((kind) =>
      kind === "loose" ? "loose" : "")));
    made.draw();
    const every = kinds.flat();
    return Drawings.framed(view, what, made.svg, "Arcs lead from heads to dependents" +
      (both ? ", above in the output, below in the reference." : ".") +
      (every.includes("changed") ? " Orange: aligned, with another head or relation." : "") +
      (every.includes("loose") ? " Red: not aligned." : ""));
  };
  return {drawing, levelled, pair, reader};
})();

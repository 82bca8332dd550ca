// The paths that DERP compares: the spanning tree of the aligned words of both trees, as
// tertium explain shows it; this follows trees/paths.py and report/explain/structure.py.
const Paths = (() => {
  "use strict";
  const KINDS = {free: "blue: the same path in both", some: "orange: less than half of the limit",
    much: "red: half of it or more"};

  // -------------------------------------------------------------------------- paths
  // A tree as a metric reads it, without some of its words and parts of its labels.
  const read = (tree, {flat, labels, ignore_punct: bare}) => ({
    heads: flat ? tree.heads.map((_, w) => w - 1) : tree.heads,
    labels: tree.labels.map((label) => labels === "none" ? "*" : flat ? "DEP"
      : labels === "universal" ? label.split(":")[0] : label),
    dropped: tree.forms.map((form) => bare && /^[\p{P}`\u00b4]+$/u.test(form)),
  });
  const above = ({heads, dropped}, word) => {
    const words = [];
    for (let w = word; w >= 0; w = heads[w]) if (!dropped[w]) words.push(w);
    return words;
  };
  // A function that returns what it has returned before for the same key.
  const kept = (make) => {
    const known = new Map();
    return (key, ...values) => {
      if (!known.has(key)) known.set(key, make(...values));
      return known.get(key);
    };
  };
  // A function that returns the labels climbed from one word and descended to another.
  const finder = (tree) => {
    const climbs = tree.heads.map((_, w) => above(tree, w));
    const path = kept((first, second) => {
      const [up, down] = [climbs[first], climbs[second]];
      let shared = 0;
      while (shared < Math.min(up.length, down.length) &&
        up.at(-1 - shared) === down.at(-1 - shared)) shared++;
      const labels = (words) =>
        words.slice(0, words.length - shared).map((w) => tree.labels[w]);
      return {up: labels(up), forward: first < second, down: labels(down).reverse()};
    });
    return (first, second) => path(first * tree.heads.length + second, first, second);
  };
  const distance = (one, other) => {
    let row = [...other.keys(), other.length];
    one.forEach((label, a) => {
      const next = [a + 1];
      other.forEach((wanted, b) => next.push(Math.min(
        row[b] + (label === wanted ? 0 : 1), row[b + 1] + 1, next[b] + 1)));
      row = next;
    });
    return row.at(-1);
  };
  // A function that compares two paths; many have the same labels.
  const comparer = () => {
    const known = kept(distance);
    const apart = (one, other) => known(JSON.stringify([one, other]), one, other);
    return (hyp, ref) => ({
      cost: apart(hyp.up, ref.up) + (hyp.forward === ref.forward ? 0 : 1) +
        apart(hyp.down, ref.down),
      limit: Math.max(hyp.up.length, ref.up.length) + 1 +
        Math.max(hyp.down.length, ref.down.length)});
  };

  // -------------------------------------------------------------- the spanning tree
  const sets = (size) => {
    const parents = Array.from({length: size}, (_, at) => at);
    const find = (at) => {
      while (parents[at] !== at) at = parents[at] = parents[parents[at]];
      return at;
    };
    return {find, join: (one, other) => {
      const [a, b] = [find(one), find(other)];
      parents[a] = b;
      return a !== b;
    }};
  };
  const byKey = (one, other) => {
    const keys = [one, other].map(({cost, limit, ref, hyp}) => [cost, limit, ...ref, ...hyp]);
    const at = keys[0].findIndex((key, k) => key !== keys[1][k]);
    return at < 0 ? 0 : keys[0][at] - keys[1][at];
  };
  // The edges, and how many words of the reference are aligned, and are there at all.
  const compare = (trees, links, settings) => {
    const [hyp, ref] = trees.map((tree) => read(tree, settings));
    const [hypPath, refPath] = [finder(hyp), finder(ref)];
    const compared = comparer();
    const pairs = links.filter(([h, r]) => !hyp.dropped[h] && !ref.dropped[r]);
    const groups = sets(hyp.heads.length + ref.heads.length);
    for (const [h, r] of pairs) groups.join(h, hyp.heads.length + r);
    const edges = [];
    pairs.forEach(([h, r], number) => {
      for (let next = number + 1; next < pairs.length; next++) {
        const [other, there] = pairs[next];
        const turned = there < r || (there === r && other < h);
        const ends = turned ? [[other, h], [there, r]] : [[h, other], [r, there]];
        const edge = {hyp: ends[0], ref: ends[1], cost: 0, limit: 0};
        if (groups.find(h) !== groups.find(other)) {
          edge.paths = [hypPath(...edge.hyp), refPath(...edge.ref)];
          Object.assign(edge, compared(...edge.paths));
        } else if (h !== other) continue;
        else edge.paths = [null, refPath(...edge.ref)];
        edges.push(edge);
      }
    });
    const joined = sets(ref.heads.length);
    return {edges: edges.sort(byKey).filter((edge) => joined.join(...edge.ref)),
      words: [new Set(pairs.map(([, r]) => r)).size,
        ref.dropped.filter((is) => !is).length]};
  };
  const equation = ({edges, words}, {normalise, degenerate}) => {
    const sum = (name) => edges.reduce((all, edge) => all + edge[name], 0);
    const [cost, limit] = [sum("cost"), sum("limit")];
    if (!limit) {
      return "fewer than two aligned words to compare; score " +
        (degenerate === "keep" ? 1 : 0) + " by definition";
    }
    const counted = {spanning: words[0] - 1, dependency: words[1] - 1}[normalise];
    return counted ? "1 / (1 + " + cost + "/" + counted + ") = " +
      (1 / (1 + cost / counted)).toFixed(4)
      : "1 - " + cost + "/" + limit + " = " + (1 - cost / limit).toFixed(4);
  };

  // ------------------------------------------------------------------------ columns
  // A function that returns the links of an output, or null where they are not known.
  const reader = (columns) => {
    const lines = [];
    return (s, i) => {
      const line = (lines[s] ??= columns[s].split("\n"))[i];
      if (line === " ") return null;
      if (line.startsWith("\t")) {
        return line.slice(1).split(" ").map((pair) => pair.split("-").map(Number));
      }
      return Drawings.linked(line).flatMap((r, h) => r < 0 ? [] : [[h, r]]);
    };
  };

  // ------------------------------------------------------------------------ drawing
  const kindOf = ({cost, limit}) => !cost ? "free" : cost < limit / 2 ? "some" : "much";
  const price = ({cost, limit}) => limit ? cost + "/" + limit : "shared";
  const written = (one, flat) => {
    if (!one) return "same word";
    const arrow = one.forward ? "→" : "←";
    const size = one.up.length + one.down.length;
    if (!size) return one.forward ? "forward" : "backward";
    return flat ? size + (size > 1 ? " words " : " word ") + arrow
      : [...one.up.map((label) => "↑" + label), ...one.down.map((label) => "↓" + label),
        arrow].join(" ");
  };
  const table = (edges, words, flat) => {
    const {node} = Browser;
    const heads = ["cost / limit", "words", "path in the output", "path in the reference"];
    const cells = (edge) => [edge.limit ? edge.cost + " / " + edge.limit : "shared",
      edge.ref.map((w) => words[w]).join(" – "),
      ...edge.paths.map((one) => written(one, flat))];
    return node("table", {"aria-label": "Paths"},
      node("thead", {}, node("tr", {}, ...heads.map((head) =>
        node("th", {scope: "col"}, head)))),
      node("tbody", {}, ...edges.map((edge) => node("tr", {}, ...cells(edge).map((cell, at) =>
        node("td", at ? {dir: "auto"} : {class: kindOf(edge)}, cell))))));
  };
  const arcs = (edges, side) => {
    const found = new Map(); // two edges of the reference may have one in the output
    for (const edge of edges) {
      const [first, last] = [...edge[side]].sort((a, b) => a - b);
      if (first === last) continue;
      found.set(first + "-" + last, {head: first, word: last, first, last, plain: true,
        label: side === "ref" ? price(edge) : "", kind: kindOf(edge)});
    }
    return Dependencies.levelled([...found.values()]);
  };
  const drawing = (view, trees, links, settings) => {
    const compared = compare(trees, links, settings);
    const {edges} = compared;
    const score = (settings.flat ? "DERP of flattened trees" : "DERP") + ": " +
      equation(compared, settings);
    const words = trees.map(({forms}) => forms);
    const both = [arcs(edges, "hyp"), arcs(edges, "ref")];
    const made = Dependencies.pair(view, "DERP spanning tree of " + view.name + ". " + score,
      words, both);
    for (const link of links) made.link(...link);
    made.write(words, words.map((each, side) => {
      const aligned = new Set(links.map((link) => link[side]));
      return each.map((_, w) => aligned.has(w) ? "" : "apart");
    }));
    made.draw();
    const known = Object.keys(KINDS).filter((kind) => edges.some((edge) =>
      kindOf(edge) === kind)).map((kind) => KINDS[kind]);
    const content = Browser.node("div", {}, made.svg);
    if (edges.length) content.append(table(edges, words[1], settings.flat));
    return Drawings.framed({...view, metric: settings.spec}, "DERP paths", content,
      score.replace(/-/g, "\u2212") + "." + (view.reference ? " Compared with reference " +
      view.reference + ", which scores best." : "") + (edges.length ? " Arcs join aligned words along " +
      "the paths that are most alike; the table lists the cost and limit of each. " +
      known.join("; ").replace(/^./, (letter) => letter.toUpperCase()) + "." : ""));
  };
  return {compare, drawing, equation, reader};
})();

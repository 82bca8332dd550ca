// Word edits and n-grams of an output, as tertium explain shows them; this follows
// report/explain/surface.py.
const Edits = (() => {
  "use strict";
  const ORDERS = 4;
  // The fewest edits that turn words into others: [word, word of the other or -1] and the
  // like. Of equally few, those that replace. Takes the product of the lengths.
  const edits = (one, other) => {
    const [rows, columns] = [one.length + 1, other.length + 1];
    const costs = new Uint16Array(rows * columns);
    const at = (i, j) => costs[i * columns + j];
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        costs[i * columns + j] = !i || !j ? i + j
          : Math.min(at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
            at(i - 1, j) + 1, at(i, j - 1) + 1);
      }
    }
    const made = [];
    for (let [i, j] = [one.length, other.length]; i || j;) {
      const cost = at(i, j);
      const differ = i && j && one[i - 1] === other[j - 1] ? 0 : 1;
      if (i && j && at(i - 1, j - 1) + differ === cost) made.push([--i, --j]);
      else if (i && at(i - 1, j) + 1 === cost) made.push([--i, -1]);
      else made.push([-1, --j]);
    }
    return made.reverse();
  };
  // Whether every n-gram of words is among those of the others, clipped as in BLEU.
  const hits = (one, other, order) => {
    const grams = (words) => words.slice(order - 1).map((_, w) =>
      words.slice(w, w + order).join("\n"));
    const left = new Map();
    for (const gram of grams(other)) left.set(gram, (left.get(gram) ?? 0) + 1);
    return grams(one).map((gram) => {
      const times = left.get(gram) ?? 0;
      left.set(gram, times - 1);
      return times > 0;
    });
  };
  const small = (words) => words.map((word) => word.toLowerCase());
  const changes = ({words: [hyp, ref]}) => {
    const {node} = Browser;
    const [one, other] = [small(hyp), small(ref)];
    return node("p", {class: "edits", dir: "auto"}, ...edits(one, other).flatMap(([h, r]) => {
      if (h >= 0 && r >= 0 && one[h] === other[r]) return [hyp[h], " "];
      return [...h < 0 ? [] : [node("del", {}, hyp[h])],
        ...r < 0 ? [] : [node("ins", {}, ref[r])], " "];
    }));
  };
  const ngrams = ({words}) => {
    const {node} = Browser;
    const [one, other] = words.map(small);
    const rows = Array.from({length: ORDERS}, (_, n) => hits(one, other, n + 1))
      .flatMap((found, n) => found.length ? [node("tr", {},
        node("td", {class: "number"}, String(n + 1)),
        node("td", {class: "number"},
          found.filter(Boolean).length + " of " + found.length),
        node("td", {class: "prose", dir: "auto"}, ...found.includes(false)
          ? found.flatMap((hit, w) => hit ? []
            : [node("span", {class: "chip"}, words[0].slice(w, w + n + 1).join(" "))])
          : ["none"]))] : []);
    const heads = [["n", "number"], ["found", "number"], ["not in the reference", ""]];
    return node("table", {"aria-label": "N-grams"}, node("thead", {}, node("tr", {},
      ...heads.map(([head, kind]) => node("th", {scope: "col", class: kind}, head)))),
    node("tbody", {}, ...rows));
  };
  const show = (view) => Drawings.framed(view, "edits and n-grams",
    Browser.node("div", {}, changes(view), ngrams(view)),
    "Above, the fewest words to strike out and to insert; below, which n-grams of the " +
    "output the reference has, at most as often as it has them. Case does not count.");
  return {edits, hits, show};
})();

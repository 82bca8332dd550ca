// What differs between an output and its reference, in sentences, as tertium explain says
// it: this follows report/explain/findings.py, for words that are aligned one to one.
const Findings = (() => {
  "use strict";
  const MOST = 12; // findings that are shown
  const QUOTED = 8; // words of a quotation; longer ones are quoted by their ends
  const LISTED = 6;
  const RANKS = {missing: 0, replaced: 1, extra: 2}; // at equal weight
  const SIGNS = {moved: "↔", reversed: "⇄", shuffled: "✕", missing: "−", extra: "+",
    replaced: "≠", form: "≈", case: "Aa", order: "✓", same: "=", words: "≠", more: "…"};

  // ----------------------------------------------------------------------- wording
  const isMark = (word) => !/[\p{L}\p{N}]/u.test(word);
  const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
  const weight = (words, span) => sum(span.map((w) => isMark(words[w]) ? .25 : 1));
  // Pieces are strings and quotations, which are strings in lists.
  const quote = (words, span) => {
    const kept = span.length > QUOTED ? [...span.slice(0, 4), ...span.slice(-3)] : span;
    return [kept.flatMap((w, at) =>
      at && w !== kept[at - 1] + 1 ? ["…", words[w]] : [words[w]]).join(" ")];
  };
  // A word, with its number if the text has it more than once.
  const mark = (words, w) => {
    const small = words[w].toLowerCase();
    const times = words.filter((word) => word.toLowerCase() === small).length;
    return [[words[w]], times > 1 ? " (word " + (w + 1) + ")" : ""];
  };
  const bare = (words, span) =>
    span.length === 1 ? mark(words, span[0]) : [quote(words, span)];
  const name = (words, span) => [span.length > 1 ? "The block "
    : isMark(words[span[0]]) ? "The punctuation mark " : "The word ", ...bare(words, span)];
  const listed = (items, last = " and ") => items.flatMap((item, at) =>
    at ? [at === items.length - 1 ? last : ", ", item] : [item]);
  const say = (kind, weighs, ...pieces) => ({kind, weighs, pieces});
  const text = ({pieces}) => pieces.map((piece) =>
    typeof piece === "string" ? piece : "*" + piece[0] + "*").join("");

  // -------------------------------------------------------------------------- gaps
  const stretches = (aligned) => {
    const found = [];
    aligned.forEach((is, w) => {
      if (is) return;
      if (w && found.length && found.at(-1).at(-1) === w - 1) found.at(-1).push(w);
      else found.push([w]);
    });
    return found;
  };
  // Stretches of words that are not aligned, in pairs where they face each other: where
  // neighbours are aligned with each other, on both sides or on one.
  const gapsOf = (hyp, ref, links) => {
    const target = (h) => h < 0 ? -1 : h === hyp.length ? ref.length : links[h];
    const known = new Set(links);
    let loose = stretches(hyp.map((_, h) => links[h] >= 0));
    const lost = stretches(ref.map((_, r) => known.has(r)));
    const starts = new Map(lost.map((stretch, number) => [stretch[0], number]));
    const ends = new Map(lost.map((stretch, number) => [stretch.at(-1), number]));
    const sides = (one, other) => [[one[0] - 1, other[0] - 1],
      [one.at(-1) + 1, other.at(-1) + 1]].map(([h, r]) => target(h) === r);
    const facing = (one, other) => {
      const [left, right] = sides(one, other);
      if (left && right) return 3;
      if ((left && one[0] > 0) || (right && one.at(-1) + 1 < hyp.length)) return 2;
      return left || right ? 1 : 0;
    };
    const near = new Map(loose.map((one) => {
      const [before, after] = [target(one[0] - 1), target(one.at(-1) + 1)];
      return [one, [starts.get(before + 1), ends.get(after - 1)]
        .filter((number) => number !== undefined).sort((a, b) => a - b)];
    }));
    const gaps = [];
    const taken = new Set();
    for (const quality of [3, 2, 1]) {
      loose = loose.filter((one) => {
        const number = near.get(one).find((each) =>
          !taken.has(each) && facing(one, lost[each]) >= quality);
        if (number === undefined) return true;
        gaps.push({hyp: one, ref: lost[number]});
        taken.add(number);
        return false;
      });
    }
    return [...gaps, ...loose.map((one) => ({hyp: one, ref: []})),
      ...lost.filter((_, number) => !taken.has(number)).map((one) => ({hyp: [], ref: one}))];
  };
  // How many words have no counterpart, if they are many or in many places.
  const lonely = (hyp, ref, gaps) => {
    const loose = gaps.flatMap((gap) => gap.hyp);
    const lost = gaps.flatMap((gap) => gap.ref);
    const [left, right] = [weight(hyp, loose), weight(ref, lost)];
    if (loose.length === hyp.length) {
      return [say("words", left + right,
        "No word of the output is aligned with a word of the reference.")];
    }
    const share = (loose.length + lost.length) / (hyp.length + ref.length);
    if (gaps.length < 2 || share < 1 / 4) return [];
    const kept = hyp.length - loose.length;
    const some = loose.length + " of the output's " + hyp.length + " words";
    return [say("words", Math.max(left, right), share > 1 / 2
      ? "Only " + kept + " of the output's " + hyp.length + " words " +
        (kept === 1 ? "has" : "have") + " a counterpart among the reference's " +
        ref.length + "."
      : loose.length && lost.length ? some + " and " + lost.length +
        " of the reference's " + ref.length + " have no counterpart."
      : loose.length ? some + " are extra."
      : lost.length + " of the reference's " + ref.length + " words are missing.")];
  };
  const alone = (kind, side, words, span) => {
    const noun = span.every((w) => isMark(words[w])) ? "punctuation mark" : "word";
    const [verb, it, end] = span.length === 1 ? ["is", "it", ""] : ["are", "them", "s"];
    const [before, after] = [[words[span[0] - 1]], [words[span.at(-1) + 1]]];
    const has = "the " + side + " has " + it;
    const place = before[0] === undefined
      ? after[0] === undefined ? ["the " + side + " has nothing else"]
      : [has + " at the start, before ", after]
      : after[0] === undefined ? [has + " at the end, after ", before]
      : [has + " between ", before, " and ", after];
    return say(kind, weight(words, span), "The " + noun + end + " ", quote(words, span),
      " " + verb + " " + kind + "; ", ...place, ".");
  };
  const ofGaps = (hyp, ref, gaps) => gaps.map((gap) => {
    const found = gap.hyp.length && gap.ref.length
      ? say("replaced", Math.max(weight(hyp, gap.hyp), weight(ref, gap.ref)),
        "The output has ", quote(hyp, gap.hyp), " where the reference has ",
        quote(ref, gap.ref), ".")
      : gap.ref.length ? alone("missing", "reference", ref, gap.ref)
      : alone("extra", "output", hyp, gap.hyp);
    return {...found, first: (gap.ref[0] ?? gap.hyp[0])};
  }).sort((one, other) => RANKS[one.kind] - RANKS[other.kind] || one.first - other.first);

  // ------------------------------------------------------------------------- order
  const ofOrder = (hyp, ref, links) => {
    const {places, values} = Drawings.permutation(links);
    const root = Drawings.permutationTree(values);
    const range = ({start, end}) => places.slice(start, end);
    const wanted = (node) => range(node).map((w) => links[w]).sort((a, b) => a - b);
    const turned = [];
    const walk = (node) => {
      if (node.kind === "inverted" || node.kind === "prime") turned.push(node);
      node.children.forEach(walk);
    };
    if (root) walk(root);
    turned.sort((one, other) => other.end - other.start - (one.end - one.start));
    return turned.map((node) => {
      const parts = node.children.map(range);
      const weights = parts.map((part) => weight(hyp, part));
      const weighs = .75 * (sum(weights) - Math.max(...weights));
      const nouns = parts.every((part) => part.length === 1) ? "words" : "blocks";
      const all = "The " + parts.length + " " + nouns + " from ";
      const ends = [quote(hyp, parts[0]), " to ", quote(hyp, parts.at(-1))];
      const quoted = listed(parts.map((part) => quote(hyp, part)));
      if (node.kind === "prime") {
        const proper = [...node.children].sort((one, other) => one.low - other.low);
        return parts.length > LISTED
          ? say("shuffled", weighs, all, ...ends, " are shuffled.")
          : say("shuffled", weighs, "The " + nouns + " ", ...quoted,
            " are shuffled; the reference has ", ...listed(proper.map((child) =>
              quote(ref, wanted(child))), ", "), ".");
      }
      if (parts.length === 2) {
        const [first, second] = parts;
        return first.length <= second.length
          ? say("moved", weighs, ...name(hyp, first), " moved before ",
            ...bare(hyp, second), ".")
          : say("moved", weighs, ...name(hyp, second), " moved after ",
            ...bare(hyp, first), ".");
      }
      if (parts.length === 3) {
        const outer = parts[0].length === 1 && parts[2].length === 1 ? "words" : "blocks";
        return say("reversed", weighs, "The " + outer + " ", ...bare(hyp, parts[0]),
          " and ", ...bare(hyp, parts[2]), " changed places around ",
          ...bare(hyp, parts[1]), ".");
      }
      return parts.length > LISTED
        ? say("reversed", weighs, all, ...ends, " are in reverse order.")
        : say("reversed", weighs, "The " + nouns + " ", ...quoted,
          " are in reverse order.");
    });
  };

  // ------------------------------------------------------------------------- forms
  const ofForms = (hyp, ref, links) => {
    const found = [];
    let cases = [];
    links.forEach((r, h) => {
      if (r < 0 || hyp[h] === ref[r]) return;
      if (hyp[h].toLowerCase() !== ref[r].toLowerCase()) {
        found.push(say("form", .5 * weight(ref, [r]), "The output has ", [hyp[h]], " for ",
          [ref[r]], " (same stem)."));
        return;
      }
      // "The" for "the" beside "the" for "The" only means that links cross.
      const twin = cases.findIndex((one) =>
        hyp[one.h] === ref[r] && ref[one.r] === hyp[h]);
      if (twin < 0) cases.push({h, r});
      else cases = cases.filter((_, at) => at !== twin);
    });
    if (cases.length) {
      found.push(say("case", .1 * weight(ref, cases.map(({r}) => r)),
        "Only the case differs: the output has ", ...cases.flatMap(({h, r}, at) =>
          [at ? ", " : "", [hyp[h]], " for ", [ref[r]]]), "."));
    }
    return found;
  };

  // --------------------------------------------------------------------------- all
  const find = ({words: [hyp, ref], links, texts, cut}) => {
    const number = ({length}) => Browser.count(length, "word");
    if (hyp.length === ref.length && hyp.every((word, w) => word === ref[w])) {
      if (cut) return [say("same", 0, "The first " + cut + " words are equal.")];
      const spaced = texts.map((each) => each.trim().split(/\s+/).join(" "));
      return [say("same", 0, !hyp.length && spaced[0] === spaced[1]
        ? "Both texts are empty." : spaced[0] === spaced[1]
        ? "The output equals the reference." : "The words equal those of the " +
          "reference; only spaces or the place of punctuation differ.")];
    }
    if (!hyp.length) return [say("missing", 0,
      "The output is empty; the reference has " + number(ref) + ".")];
    if (!ref.length) return [say("extra", 0,
      "The reference is empty; the output has " + number(hyp) + ".")];
    const gaps = gapsOf(hyp, ref, links);
    const found = [...lonely(hyp, ref, gaps), ...ofGaps(hyp, ref, gaps),
      ...ofOrder(hyp, ref, links), ...ofForms(hyp, ref, links)]
      .sort((one, other) => other.weighs - one.weighs);
    const {values} = Drawings.permutation(links);
    if (values.length > 1 && values.every((value, at) => value === at + 1) &&
        4 * values.length >= hyp.length + ref.length) {
      found.push(say("order", 0, "The aligned words are in the order of the reference."));
    }
    return found;
  };
  // The most important findings as a list.
  const list = (view) => {
    const {node} = Browser;
    let found = find(view);
    // A sentence about a single finding that is left out would take as much space.
    if (found.length > MOST + 1) {
      found = [...found.slice(0, MOST), say("more", 0, (found.length - MOST) +
        " less important findings; tertium explain --all lists them.")];
    }
    const made = found.map(({kind, pieces}) => node("li", {class: kind},
      node("span", {class: "sign", "aria-hidden": "true"}, SIGNS[kind]),
      node("span", {}, ...pieces.map((piece) => typeof piece === "string" ? piece
        : node("em", {}, node("bdi", {}, ...piece))))));
    return Drawings.framed(view, "findings", node("ul", {class: "findings"}, ...made),
      "Aligned words that are equal or have the same stem count as the same.");
  };
  return {find, list, text};
})();

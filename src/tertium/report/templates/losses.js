// What the scores of trained metrics lost or gained, by group of features, as tertium
// explain lists it; report/analysis/trained_losses.py wrote the rows.
const Losses = (() => {
  "use strict";
  const amount = (text, share) => {
    const made = Browser.node("span", {class: "shade"}, text.replace("-", "\u2212"));
    made.style.setProperty("--share", Math.max(0, share));
    return made;
  };
  const list = (view, spec, label, [score, heading, points, rows]) => {
    const {node} = Browser;
    const made = node("table", {"aria-label": "Losses"},
      node("thead", {}, node("tr", {},
        node("th", {scope: "col", class: "number"}, points ? "points" : "share"),
        node("th", {scope: "col"}, "features"))),
      node("tbody", {}, ...rows.map(([lost, text, share]) => node("tr", {},
        node("td", {class: "number"}, amount(lost, share)),
        node("td", {class: "prose", dir: "auto"}, text)))));
    return Drawings.framed({...view, metric: spec}, "losses", node("div", {}, made), label + " " +
      score.toFixed(4) + ": " + heading + (points ? " (1 is a copy of the reference)" : "") +
      (rows.some(([lost]) => lost.startsWith("-")) ? "; below zero, a gain." : "."));
  };
  return {list};
})();

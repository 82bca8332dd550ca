// SPDX-License-Identifier: Apache-2.0
import { start } from "../campaigns/work.js";
import { editor } from "./editor.js";

// Nothing can be sent from the answers of training: nothing looks as if it could change.
const frozen = document.getElementById("work").dataset.submit === undefined;
const settings = JSON.parse(document.getElementById("settings").textContent);
settings.frozen = frozen;
document.querySelector(".side-by-side")?.style.setProperty("--candidates", settings.candidates);
let work = null;
const changed = () => work?.changed();

// A slider always has a value; ours has none until touched.
function scale(box, react = changed) {
  const slider = box.querySelector("input");
  slider.disabled = frozen;
  const given = box.querySelector("output");
  let touched = false;
  const show = () => {
    const words = touched ? slider.value : box.dataset.unset;
    box.classList.toggle("unset", !touched);
    slider.setAttribute("aria-valuetext", words);
    given.textContent = words;
  };
  const touch = () => {
    touched = true;
    show();
  };
  slider.addEventListener("input", touch);
  for (const kind of ["change", "click"]) {
    slider.addEventListener(kind, () => {
      touch();
      react();
    });
  }
  return {
    lock: (locked) => {
      slider.disabled = frozen || locked;
    },
    read: () => (touched ? slider.valueAsNumber : null),
    restore: (score) => {
      touched = Number.isInteger(score) && score >= 0 && score <= 100;
      slider.value = touched ? score : 50;
      show();
    },
  };
}

const cells = [...document.querySelectorAll(".cell")].map((box) => {
  const clean = box.querySelector(".clean");
  const scored = box.querySelector(".scale");
  const one = {
    key: box.dataset.key,
    number: Number(box.dataset.number),
    isClean: () => clean.getAttribute("aria-pressed") === "true",
  };
  const press = (on) => clean.setAttribute("aria-pressed", String(on));
  const react = () => {
    show();
    changed();
  };
  one.score = scored ? scale(scored, react) : null;
  const marked = () => {
    if (one.editor.marks().length > 0) press(false);
    react();
  };
  one.editor = editor(box, settings, marked, (reason) => work.reject(reason));
  clean.disabled = frozen;
  clean.addEventListener("click", () => {
    press(!one.isClean());
    if (one.isClean()) one.editor.restore([]);
    react();
  });

  // With scores, "No errors" confirms what a score without marks leaves open.
  const hint = box.querySelector(".confirm");
  function show() {
    if (!hint) return;
    const state = doubt(one.editor.marks(), one.score.read(), one.isClean());
    one.score.lock(state === "locked");
    const text = frozen || state === "" ? "" : hint.dataset[state];
    if (hint.textContent !== text) hint.textContent = text;
    const idle = (frozen || state === "") && !one.isClean();
    if (clean.hidden !== idle) clean.hidden = idle;
  }

  one.restore = (entry) => {
    one.editor.restore(entry ? entry.marks : settings.prefilled[one.key]?.[one.number]);
    one.score?.restore(entry?.score);
    press(entry?.clean === true);
    show();
  };
  return one;
});

// Why a paragraph without marks cannot be submitted as it is: "locked" before its score,
// "low" after it; "" where it can.
function doubt(marks, score, clean) {
  if (marks.length > 0 || clean) return "";
  if (settings.spansFirst) return "locked";
  return score !== null && score < settings.low ? "low" : "";
}

const wholes = [...document.querySelectorAll(".whole")].map((box) => ({ key: box.dataset.key, ...scale(box) }));

function read() {
  const answer = { outputs: {} };
  for (const { key, number, editor: { marks }, score, isClean } of cells) {
    const entry = { marks: marks(), clean: isClean() };
    if (score) entry.score = score.read();
    (answer.outputs[key] ??= [])[number] = entry;
  }
  if (wholes.length > 0) answer.document = Object.fromEntries(wholes.map((one) => [one.key, one.read()]));
  return answer;
}

work = start({
  read,
  restore: (answer) => {
    for (const one of cells) one.restore(answer?.outputs?.[one.key]?.[one.number]);
    for (const one of wholes) one.restore(answer?.document?.[one.key]);
  },
  complete: (answer) =>
    Object.values(answer.outputs).flat().every(({ marks, score, clean }) =>
      (score === undefined ? clean !== marks.length > 0 : score !== null && doubt(marks, score, clean) === "")
      && (settings.categories.length === 0 || marks.every((mark) => mark.category)))
    && Object.values(answer.document ?? {}).every((score) => score !== null),
});

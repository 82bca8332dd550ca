// SPDX-License-Identifier: Apache-2.0
import { start } from "../campaigns/work.js";

const TYPING = 1500; // milliseconds in which digits make one number
const MIDDLE = 50; // where keys start from

const scale = document.getElementById("scale");
const slider = document.getElementById("score");
const given = document.getElementById("given");
let touched = false; // a slider always has a value; ours has none until touched

function show() {
  const words = touched
    ? scale.dataset.given.replace("{score}", slider.value)
    : scale.dataset.unset;
  scale.classList.toggle("unset", !touched);
  slider.setAttribute("aria-valuetext", words);
  given.textContent = words;
}

function touch() {
  touched = true;
  show();
}

const work = start({
  read: () => ({ score: touched ? slider.valueAsNumber : null }),
  restore: (answer) => {
    const score = answer?.score;
    touched = Number.isInteger(score) && score >= 0 && score <= 100;
    slider.value = touched ? score : MIDDLE;
    show();
  },
  complete: (answer) => answer.score !== null,
});

slider.addEventListener("input", touch);
slider.addEventListener("change", () => {
  touch();
  work.changed();
});
// The middle, where an untouched slider secretly is: no change, and yet a choice.
slider.addEventListener("click", () => {
  if (touched) return;
  touch();
  work.changed();
});

let typed = "";
let last = 0;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input:not([type=range]), textarea, select")) return;
  if (!/^[0-9]$/.test(event.key)) {
    typed = "";
    return;
  }
  event.preventDefault();
  typed = event.timeStamp - last < TYPING ? typed + event.key : event.key;
  if (Number(typed) > 100) typed = event.key;
  last = event.timeStamp;
  slider.value = Number(typed);
  slider.focus();
  touch();
  work.changed();
});

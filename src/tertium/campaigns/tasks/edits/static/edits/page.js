// SPDX-License-Identifier: Apache-2.0
import { start } from "../campaigns/work.js";

const box = document.getElementById("tokens");
const none = document.getElementById("none");
const marks = [...box.querySelectorAll("button")]; // gaps and tokens as they stand
const tokens = marks.filter((mark) => mark.dataset.token !== undefined);
const gaps = marks.filter((mark) => mark.dataset.gap !== undefined);

const isOn = (button) => button.getAttribute("aria-pressed") === "true";
const set = (button, on) => button.setAttribute("aria-pressed", String(on));
const places = (buttons) => buttons.flatMap((button, place) => (isOn(button) ? [place] : []));

const work = start({
  read: () => ({ tokens: places(tokens), gaps: places(gaps), none: isOn(none) }),
  restore: (answer) => {
    const has = (list, place) => Array.isArray(list) && list.includes(place);
    tokens.forEach((button, place) => set(button, has(answer?.tokens, place)));
    gaps.forEach((button, place) => set(button, has(answer?.gaps, place)));
    set(none, answer?.none === true && !marks.some(isOn));
  },
  complete: (answer) => answer.none || answer.tokens.length + answer.gaps.length > 0,
});

// A mark takes "nothing to change" back, and the other way round.
function settle() {
  if (marks.some(isOn)) set(none, false);
  work.changed();
}

none.addEventListener("click", () => {
  const on = !isOn(none);
  if (on) for (const mark of marks) set(mark, false);
  set(none, on);
  work.changed();
});

// Pointers: a tap turns one mark over; a drag makes all tokens on its way the same.

let drag = null;
let tapped = false; // the click that follows was dealt with

box.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button");
  if (!button || event.button !== 0 || !event.isPrimary) return;
  drag = { button, pointer: event.pointerId, on: !isOn(button), before: marks.map(isOn) };
  tapped = true;
  go(button, { preventScroll: true }); // else the text moves away from the finger
  set(button, drag.on);
});

document.addEventListener("pointermove", (event) => {
  if (event.pointerId !== drag?.pointer || !tokens.includes(drag.button)) return;
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("button");
  if (!box.contains(under ?? null)) return;
  const ends = [marks.indexOf(drag.button), marks.indexOf(under)].sort((a, b) => a - b);
  marks.forEach((mark, place) => {
    const inside = tokens.includes(mark) && place >= ends[0] && place <= ends[1];
    set(mark, inside ? drag.on : drag.before[place]);
  });
});

document.addEventListener("pointerup", (event) => {
  if (event.pointerId !== drag?.pointer) return;
  drag = null;
  settle();
});

// The browser took the finger for scrolling.
document.addEventListener("pointercancel", (event) => {
  if (event.pointerId !== drag?.pointer) return;
  marks.forEach((mark, place) => set(mark, drag.before[place]));
  drag = null;
  tapped = false;
});

// Keys and screen readers click without a pointer.
box.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const dealt = tapped && event.detail > 0;
  tapped = false;
  if (dealt || !button) return;
  set(button, !isOn(button));
  settle();
});

// Arrows: one stop of the tab key, and from there by the text.

function go(button, how) {
  for (const mark of marks) mark.tabIndex = mark === button ? 0 : -1;
  button.focus(how);
}

function line(button, step) {
  const own = button.getBoundingClientRect();
  const middle = (own.left + own.right) / 2;
  const away = (rect) => (step > 0 ? rect.top - own.bottom : own.top - rect.bottom);
  const found = marks
    .map((mark) => ({ mark, rect: mark.getBoundingClientRect() }))
    .filter(({ rect }) => away(rect) > -own.height / 2);
  const near = Math.min(...found.map(({ rect }) => away(rect)));
  const aside = ({ rect }) => Math.abs((rect.left + rect.right) / 2 - middle);
  return found
    .filter(({ rect }) => away(rect) < near + own.height / 2)
    .sort((a, b) => aside(a) - aside(b))[0]?.mark;
}

box.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const here = marks.indexOf(event.target);
  if (here < 0) return;
  const ahead = getComputedStyle(box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = ahead === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
  // With Shift from word to word, for a stretch is one of words.
  const step = event.shiftKey && tokens.includes(event.target) ? 2 : 1;
  const next = {
    [ahead]: () => marks[here + step],
    [back]: () => marks[here - step],
    ArrowDown: () => line(event.target, 1),
    ArrowUp: () => line(event.target, -1),
    Home: () => marks[0],
    End: () => marks[marks.length - 1],
  }[event.key];
  if (!next) return;
  event.preventDefault();
  const there = next();
  if (!there) return;
  go(there);
  if (event.shiftKey && step === 2 && [ahead, back].includes(event.key)) {
    set(event.target, true);
    set(there, true);
    settle();
  }
});

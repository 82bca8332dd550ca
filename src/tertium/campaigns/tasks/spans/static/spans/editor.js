// SPDX-License-Identifier: Apache-2.0
// One text in which errors are marked: pointer, keys, and a list of the marks below.
import { rows } from "./list.js";
import { covered, reduce } from "./state.js";
import { points, toPoints, tokenAt, tokensOf } from "./text.js";

export function editor(box, settings, changed, reject) {
  const area = box.querySelector(".marked");
  const list = box.querySelector(".marks");
  const say = document.getElementById("spans").dataset;
  const text = area.dataset.text;
  const id = `${box.dataset.key}-${box.dataset.number}`;
  const chars = [...text];
  const words = tokensOf(text, area.lang, "words");
  const letters = tokensOf(text, area.lang, "characters");
  const tokens = settings.spans === "words" ? words : letters;
  const edges = [...new Set(tokens.flat())].sort((a, b) => a - b); // where keys stop
  let state = {
    tokens, marks: [], active: -1,
    most: settings.most, severities: settings.severities.map(([name]) => name),
    repeats: settings.categories.length > 0,
  };
  let cursor = null; // where keys are, and where their selection began
  let anchor = null;
  let drag = null;

  const runsLeft = () => getComputedStyle(area).direction === "rtl";

  const reads = (action) => ["choose", "chooseAt"].includes(action.type);

  // A button of the list changes its own mark, whichever is chosen.
  function act(action, index = state.active) {
    if (settings.frozen && !reads(action)) return;
    state = reduce(state, { type: "choose", index });
    const before = state;
    state = reduce(state, action);
    const full = state === before && state.most > 0 && state.marks.length >= state.most;
    if (full && ["mark", "missing", "another"].includes(action.type)) {
      reject(say.full);
    }
    draw();
    if (!reads(action)) changed();
  }

  function draw() {
    drawText();
    drawList();
  }

  function drawText() {
    const chosen = drag ?? (anchor !== null && cursor !== null && anchor !== cursor ? [anchor, cursor] : null);
    const range = chosen && covered(tokens, ...chosen);
    const cuts = new Set([0, chars.length]);
    for (const { start, end } of state.marks) if (start !== null) cuts.add(start).add(end);
    if (range) cuts.add(range[0]).add(range[1]);
    if (cursor !== null) cuts.add(cursor);
    const places = [...cuts].sort((a, b) => a - b);
    area.replaceChildren();
    places.slice(0, -1).forEach((start, n) => {
      const end = places[n + 1];
      const there = state.marks.flatMap((mark, m) => (mark.start !== null && mark.start <= start && end <= mark.end ? [m] : []));
      const piece = document.createElement("span");
      piece.textContent = chars.slice(start, end).join("");
      piece.dataset.start = start;
      if (there.length > 0) {
        const worst = Math.max(...there.map((m) => state.severities.indexOf(state.marks[m].severity)));
        piece.className = worst > 0 ? "error severe" : "error";
        if (there.length > 1) piece.classList.add("twice");
        if (there.includes(state.active)) piece.classList.add("chosen");
      }
      if (range && range[0] <= start && end <= range[1]) piece.classList.add("selecting");
      if (cursor === start && document.activeElement === area) piece.classList.add("cursor");
      area.append(piece);
    });
  }

  function drawList() {
    const focus = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const about = { chars, id, rtl: runsLeft(), say, settings };
    list.replaceChildren(...rows(state, about, act, categorise));
    if (focus) (list.querySelector(`[data-key="${focus}"]`) ?? area).focus();
  }

  function categorise(category, index) {
    state = reduce(state, { type: "choose", index });
    state = reduce(state, { type: "category", category });
    drawText();
    changed();
  }

  // Pointers: a drag marks; a click chooses what is marked there, or marks the word.

  // Places of a pointer: the gap between letters that is nearest, for drags, and the
  // letter under it, for clicks: its second half belongs to it, too.
  function at(event) {
    const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const range = caret ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const node = caret?.offsetNode ?? range?.startContainer;
    const offset = caret?.offset ?? range?.startOffset;
    if (!node || node.nodeType !== Node.TEXT_NODE || !area.contains(node)) return null;
    const gap = Number(node.parentElement.dataset.start) + toPoints(node.data, offset);
    const under = letters.find((one) => one.includes(gap) && isOn(event, one));
    return { gap, on: under ? under[0] : null };
  }

  function isOn(event, [start, end]) {
    const range = document.createRange();
    range.setStart(...inside(start));
    range.setEnd(...inside(end));
    // Lines are higher than their letters.
    const slack = event.pointerType === "touch" ? 10 : 7;
    return [...range.getClientRects()].some(({ left, right, top, bottom }) =>
      left <= event.clientX && event.clientX < right
      && top - slack <= event.clientY && event.clientY < bottom + slack);
  }

  // What a drag covers. Of words, those under its ends are whole, even one letter.
  function stretch(from, to) {
    const places = [from.gap, to.gap];
    if (from.gap === to.gap && from.on === to.on) return places;
    if (settings.spans === "words") {
      for (const { on } of [from, to]) if (on !== null) places.push(...letters.find(([start]) => start === on));
    }
    return [Math.min(...places), Math.max(...places)];
  }

  // A place as a text node and an offset.
  function inside(place) {
    const piece = [...area.children].findLast((one) => Number(one.dataset.start) <= place);
    const skipped = chars.slice(Number(piece.dataset.start), place).join("").length;
    return [piece.firstChild, skipped];
  }

  area.addEventListener("pointerdown", (down) => {
    if (down.button !== 0 || !down.isPrimary) return;
    const from = at(down);
    if (from === null) return;
    let moved = false;
    const listening = new AbortController();
    const listen = (kind, react) => document.addEventListener(kind, (event) => {
      if (event.pointerId === down.pointerId) react(event);
    }, { signal: listening.signal });
    listen("pointermove", (event) => {
      moved ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 6;
      const to = moved ? at(event) : null;
      if (to === null) return;
      drag = stretch(from, to);
      drawText();
    });
    listen("pointerup", () => {
      listening.abort();
      const range = drag;
      drag = anchor = null;
      const still = !moved || (range !== null && range[0] === range[1]);
      if (!still && range !== null) act({ type: "mark", start: range[0], end: range[1] });
      else if (still && from.on !== null) press(from.on);
      else drawText();
    });
    listen("pointercancel", () => {
      listening.abort();
      drag = null; // the browser took the finger for scrolling
      drawText();
    });
  });

  function press(place) {
    if (state.marks.some((one) => one.start !== null && one.start <= place && place < one.end)) {
      act({ type: "chooseAt", at: place });
      return;
    }
    const word = tokenAt(words, place);
    if (word) act({ type: "mark", start: word[0], end: word[1] });
  }

  // Keys: arrows move, with Shift they select; Enter marks.

  // Our cursor is none that screen readers know: they are told what is there.
  function speak() {
    const selected = anchor !== null && anchor !== cursor;
    const range = selected ? covered(tokens, anchor, cursor) : tokenAt(tokens, cursor);
    document.getElementById("spoken").textContent = range ? chars.slice(...range).join("") : "";
  }

  area.addEventListener("focus", () => {
    cursor ??= edges[0] ?? null;
    drawText();
  });
  // Not the list: a button that is replaced while it is pressed gets no click.
  area.addEventListener("blur", drawText);
  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || cursor === null) return;
    const ahead = runsLeft() ? "ArrowLeft" : "ArrowRight";
    const back = ahead === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    const here = edges.indexOf(cursor);
    const to = { [ahead]: edges[here + 1], [back]: edges[here - 1], Home: edges[0], End: edges.at(-1) };
    if (event.key in to) {
      event.preventDefault();
      anchor = event.shiftKey ? (anchor ?? cursor) : null;
      cursor = to[event.key] ?? cursor;
      drawText();
      speak();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const from = anchor;
      anchor = null;
      if (from !== null && from !== cursor) act({ type: "mark", start: from, end: cursor });
      else press(cursor);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      act({ type: "remove" });
    } else if (event.key === "s") act({ type: "severity" });
    else if (event.key === "a") act({ type: "another" });
  });

  for (const one of box.querySelectorAll(".missing")) {
    const category = one.dataset.category ?? settings.omission;
    one.disabled = settings.frozen;
    one.addEventListener("click", () => act({ type: "missing", more: category ? { category } : {} }));
  }

  return {
    marks: () => state.marks,
    restore: (marks) => {
      const size = points(text);
      const fits = (one) => one && (one.start === null || (one.start >= 0 && one.start < one.end && one.end <= size));
      state = reduce(state, { type: "restore", marks: (Array.isArray(marks) ? marks : []).filter(fits) });
      anchor = null;
      draw();
    },
  };
}

// SPDX-License-Identifier: Apache-2.0
// Candidates into rows: dragged by mouse or finger, chosen by taps, or moved by keys.
//
// A board has a tray and rows, all with data-row ("" is the tray, then 1 to N, and
// "garbage"), cards with data-card, and buttons of rows. Its words are data, too.
// The answer is {ranks: {KEY: 1 … N | "garbage"}}; cards in the tray are not in it.

import { start } from "./work.js";

const FAR = 6; // pixels until a press is a drag
const EDGE = 70; // pixels from the edge of the window where dragging scrolls

const said = document.getElementById("rank-said");
const boards = [...document.querySelectorAll("[data-panel]")].map(makeBoard);
const cards = new Map(boards.flatMap((board) => board.cards.map((card) => [card.key, card])));
let drag = null;
let dragged = false; // the click that follows a drag is none

function makeBoard(element) {
  const board = { element, words: element.dataset, chosen: null };
  board.choice = element.querySelector("[data-choice]");
  board.count = element.querySelector("[data-count]");
  board.done = element.querySelector("[data-done]");
  board.rows = [...element.querySelectorAll("[data-row]")].map((row) => ({
    row: row.dataset.row,
    name: row.dataset.name,
    element: row,
    slot: row.querySelector("[data-slot]"),
  }));
  board.cards = [...element.querySelectorAll("[data-card]")].map((card) => ({
    board,
    element: card,
    key: card.dataset.card,
    pick: card.querySelector("button"),
    row: "",
  }));
  return board;
}

const rowOf = (board, name) => board.rows.find((row) => row.row === name);
const left = (board) => board.cards.filter((card) => card.row === "").length;
const textOf = (card) => card.pick.textContent.trim();

function say(pattern, card, row) {
  const words = { candidate: textOf(card), row: row?.name ?? "", left: left(card.board) };
  said.textContent = pattern.replace(/\{(\w+)\}/g, (all, name) => words[name] ?? all);
}

// Where cards are. Within a row they stand in the order of the page.

function show(board) {
  for (const row of board.rows) {
    for (const card of board.cards) {
      if (card.row === row.row) row.slot.append(card.element);
    }
    row.element.classList.toggle("rank-filled", board.cards.some((card) => card.row === row.row));
  }
  board.count.textContent = left(board);
  board.done.hidden = left(board) > 0;
  board.element.classList.toggle("rank-complete", left(board) === 0);
  rowOf(board, "").slot.append(board.done);
}

function read() {
  const ranks = {};
  for (const [key, card] of cards) {
    if (card.row !== "") ranks[key] = card.row === "garbage" ? card.row : Number(card.row);
  }
  return { ranks };
}

function restore(answer) {
  const focused = [...cards.values()].find((card) => card.element.contains(document.activeElement));
  for (const board of boards) {
    choose(board, null);
    for (const card of board.cards) {
      const row = String(answer?.ranks?.[card.key] ?? "");
      card.row = rowOf(board, row) ? row : "";
    }
    show(board);
  }
  // Submit is about to be disabled: what was taken back is next.
  const submitting = document.activeElement === document.getElementById("submit");
  const back = submitting && [...cards.values()].find((card) => card.row === "");
  (focused ?? (back || null))?.pick.focus();
}

const work = start({
  read,
  restore,
  complete: (answer) => Object.keys(answer.ranks).length === cards.size,
});

function move(card, name, { focus = false } = {}) {
  const board = card.board;
  const row = rowOf(board, name);
  if (!row) {
    say(board.words.noRow, card);
    return false;
  }
  choose(board, null);
  card.row = name;
  show(board);
  say(board.words.placed, card, row);
  if (focus) {
    card.pick.focus({ preventScroll: true });
    card.element.scrollIntoView({ block: "nearest" });
  }
  work.changed();
  return true;
}

// Choosing: a tap (or Enter) on a card, then on a row or on a number.

function choose(board, card) {
  for (const other of boards) {
    if (other.chosen && other.chosen !== card) {
      other.chosen.element.classList.remove("rank-chosen");
      other.chosen.pick.setAttribute("aria-pressed", "false");
      other.chosen = null;
      other.choice.hidden = true;
      other.element.classList.remove("rank-choosing");
      other.element.append(other.choice);
    }
  }
  if (!card) return;
  board.chosen = card;
  card.element.classList.add("rank-chosen");
  card.pick.setAttribute("aria-pressed", "true");
  board.element.classList.add("rank-choosing");
  for (const button of board.choice.children) {
    const here = button.dataset.to === card.row;
    if (button.dataset.to === "") button.hidden = here;
    else button.classList.toggle("rank-here", here);
  }
  card.element.append(board.choice);
  board.choice.hidden = false;
  board.choice.scrollIntoView({ block: "nearest" });
}

function tap(event) {
  if (dragged) {
    dragged = false;
    return;
  }
  const board = boards.find((one) => one.element.contains(event.target));
  if (!board) return;
  const button = event.target.closest("[data-to]");
  if (button) {
    // A key pressed on a button goes on from the card; a tap leaves the page still.
    move(board.chosen, button.dataset.to, { focus: event.detail === 0 });
    return;
  }
  const element = event.target.closest("[data-card]");
  if (element) {
    const card = cards.get(element.dataset.card);
    if (board.chosen === card) {
      choose(board, null);
      say(board.words.dropped, card);
    } else {
      choose(board, card);
      say(board.words.picked, card);
    }
    return;
  }
  const row = event.target.closest("[data-row]");
  if (row && board.chosen) move(board.chosen, row.dataset.row);
}

// Keys on a card.

function next(card) {
  // The next one to place: in its panel, else in the first panel that has one.
  const own = card.board.cards;
  const at = own.indexOf(card);
  const after = [...own.slice(at + 1), ...own.slice(0, at), ...boards.flatMap((one) => one.cards)];
  return after.find((other) => other.row === "");
}

function beside(card, step) {
  const order = [...document.querySelectorAll("[data-card]")].map((one) => cards.get(one.dataset.card));
  return order[order.indexOf(card) + step];
}

function goTo(card) {
  card.pick.focus({ preventScroll: true });
  card.element.scrollIntoView({ block: "nearest" });
}

function place(card, name) {
  const fresh = card.row === "";
  if (!move(card, name)) return;
  // From the tray one goes on with the next; a card that is only moved stays in hand.
  const following = fresh && name !== "" ? next(card) : card;
  if (following) goTo(following);
  else document.getElementById("submit").focus();
}

function key(event) {
  if (event.key === "Escape") {
    if (drag) {
      const fresh = drag.moving;
      endDrag();
      dragged = fresh; // the button is still down
    }
    for (const board of boards) {
      if (!board.chosen) continue;
      const card = board.chosen;
      choose(board, null);
      if (card.element.contains(document.activeElement)) card.pick.focus();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const element = event.target.closest?.("[data-card]");
  if (!element) return;
  const card = cards.get(element.dataset.card);
  const rows = card.board.rows;
  const at = rows.findIndex((row) => row.row === card.row);
  const pressed = event.key.toLowerCase();
  const rtl = getComputedStyle(card.pick.firstElementChild).direction === "rtl";
  if (/^[1-9]$/.test(pressed)) place(card, pressed);
  else if (pressed === "g" || pressed === "0") place(card, "garbage");
  else if (pressed === "backspace" || pressed === "delete") place(card, "");
  else if (pressed === "arrowup" || pressed === "arrowdown") {
    const row = rows[at + (pressed === "arrowup" ? -1 : 1)];
    if (row) move(card, row.row, { focus: true });
  } else if (event.target !== card.pick) return; // the buttons' own keys
  else if (pressed === "arrowleft" || pressed === "arrowright") {
    const other = beside(card, (pressed === "arrowright") !== rtl ? 1 : -1);
    if (other) goTo(other);
  } else return;
  event.preventDefault();
}

// Dragging: a mouse anywhere on the card, a finger at its grip (the rest scrolls).

function press(event) {
  const element = event.target.closest("[data-card]");
  if (!element || drag || event.button !== 0 || event.target.closest("[data-choice]")) return;
  if (event.pointerType !== "mouse" && !event.target.closest(".rank-grip")) return;
  dragged = false;
  drag = {
    card: cards.get(element.dataset.card),
    pointer: event.pointerId,
    x: event.clientX,
    y: event.clientY,
    moving: false,
  };
}

function pull(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
  if (!drag.moving && far < FAR) return;
  if (!drag.moving) lift();
  drag.nowX = event.clientX;
  drag.nowY = event.clientY;
  follow();
  event.preventDefault();
}

function lift() {
  const { element, board } = drag.card;
  choose(board, null);
  const box = element.getBoundingClientRect();
  drag.moving = true;
  drag.offX = drag.x - box.left;
  drag.offY = drag.y - box.top;
  drag.ghost = element.cloneNode(true);
  drag.ghost.removeAttribute("data-card");
  drag.ghost.setAttribute("aria-hidden", "true");
  drag.ghost.classList.add("rank-ghost");
  drag.ghost.style.width = `${box.width}px`;
  document.body.append(drag.ghost);
  element.classList.add("rank-lifted");
  board.element.classList.add("rank-dragging");
  document.documentElement.classList.add("rank-grabbing");
  // Captured late: a press that is not a drag stays a click on the button.
  board.element.setPointerCapture(drag.pointer);
  drag.timer = setInterval(scroll, 16);
}

function follow() {
  const { ghost, nowX, nowY, offX, offY } = drag;
  ghost.style.transform = `translate(${nowX - offX}px, ${nowY - offY}px) rotate(0.6deg)`;
  const under = document.elementFromPoint(nowX, nowY)?.closest("[data-row]");
  const board = drag.card.board;
  const over = board.rows.find((row) => row.element === under) ?? null;
  for (const row of board.rows) row.element.classList.toggle("rank-over", row === over);
  drag.over = over;
}

function scroll() {
  const bottom = document.querySelector(".bar").getBoundingClientRect().top;
  const up = EDGE - drag.nowY;
  const down = drag.nowY - (bottom - EDGE);
  const step = up > 0 ? -up / 5 : down > 0 ? down / 5 : 0;
  if (step === 0) return;
  window.scrollBy(0, Math.max(-18, Math.min(18, step)));
  follow();
}

function endDrag() {
  const { card, ghost, timer } = drag;
  clearInterval(timer);
  ghost?.remove();
  card.element.classList.remove("rank-lifted");
  card.board.element.classList.remove("rank-dragging");
  document.documentElement.classList.remove("rank-grabbing");
  for (const row of card.board.rows) row.element.classList.remove("rank-over");
  drag = null;
}

function drop(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { card, moving, over } = drag;
  endDrag();
  if (!moving) return;
  dragged = true;
  setTimeout(() => { dragged = false; }); // where no click follows
  if (event.type === "pointerup" && over && over.row !== card.row) move(card, over.row);
}

document.addEventListener("click", tap);
document.addEventListener("keydown", key);
document.addEventListener("pointerdown", press);
document.addEventListener("pointermove", pull);
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);

// SPDX-License-Identifier: Apache-2.0
// What every task shares: drafts after every move, undo and redo, and a submission that
// survives a lost connection, a killed server and a double click.
//
// A task calls start({read, restore, complete}), changed() after every move, and
// reject(reason) where a move is not possible:
//   read()          the answer as it stands, an object
//   restore(answer) show an answer; null is the empty one
//   complete(answer) whether it may be submitted

import { back, begin, forward, record } from "./history.js";

const RETRY = 3000; // milliseconds until the next attempt to reach the server

const form = document.getElementById("work");
const saving = document.getElementById("saving");
const problem = document.getElementById("problem");
const submit = document.getElementById("submit");
const undo = document.getElementById("undo");
const redo = document.getElementById("redo");
const say = form.dataset;
const shelf = `tertium-draft-${say.key}`; // kept in the browser until it is sent
const keeping = say.draft !== undefined; // previews and feedback keep nothing

export function start(task) {
  const kept = JSON.parse(document.getElementById("draft").textContent);
  let version = kept.version;
  let answer = kept.answer;
  const local = readShelf();
  let sent = version;
  if (local !== null && local.version > version) {
    ({ version, answer } = local); // moves that never reached the server
  }
  let sending = false;
  let submitting = false;
  let over = null; // what the server says once the item is finished elsewhere
  let rejection = ""; // why the last move was not possible: stays until the next one

  task.restore(answer);
  let history = begin(JSON.stringify(task.read()));
  gate();
  if (version > sent) send();

  function tell(message) {
    saving.textContent = rejection || message;
  }

  function reject(reason) {
    rejection = reason;
    tell("");
  }

  function gate() {
    submit.disabled = over !== null || submitting || !task.complete(task.read());
    undo.disabled = over !== null || submitting || history.past.length === 0;
    redo.disabled = over !== null || submitting || history.future.length === 0;
  }

  function keep() {
    gate();
    if (!keeping) return;
    version += 1;
    fillShelf({ version, answer: task.read() });
    send();
  }

  // The item was finished in another tab: show the answer that stands, and the way on.
  function settle(body) {
    over = body;
    saving.textContent = "";
    forget();
    if (body.stands) task.restore(body.stands);
    const onward = document.createElement("a");
    onward.href = body.next;
    onward.textContent = say.onward;
    problem.replaceChildren(`${body.error} `, onward);
    gate();
  }

  function changed() {
    if (over !== null) {
      if (over.stands) task.restore(over.stands); // nothing here changes it any more
      return;
    }
    const next = record(history, JSON.stringify(task.read()));
    if (next === history) return;
    history = next;
    rejection = "";
    problem.textContent = "";
    keep();
  }

  function travel(next, message) {
    if (next.now === history.now || submitting || over !== null) return;
    history = next;
    rejection = "";
    task.restore(JSON.parse(history.now));
    keep();
    saving.textContent = message;
  }
  const goBack = () => travel(back(history), say.undone);
  const goForward = () => travel(forward(history), say.redone);

  async function send() {
    if (!keeping || sending || submitting || over !== null) return;
    sending = true;
    while (sent < version && !submitting) {
      const going = version;
      tell(say.saving);
      const reply = await post(say.draft, { version: going, answer: task.read() });
      if (submitting) break; // the submission was quicker: its reply counts
      if (reply.ok) {
        if (reply.body.kept === false) {
          version = Math.max(version, reply.body.version) + 1; // another tab was further
          continue;
        }
        sent = going;
        if (sent === version) tell(say.saved);
      } else if (reply.retry) {
        saving.textContent = trouble(reply);
        await pause();
      } else {
        if (reply.body.next) settle(reply.body);
        else problem.textContent = reply.body.error ?? "";
        break;
      }
    }
    sending = false;
  }

  async function finish(event) {
    event.preventDefault();
    if (!say.submit || submitting || over !== null || !task.complete(task.read())) return;
    submitting = true;
    rejection = "";
    gate();
    for (;;) {
      saving.textContent = say.saving;
      const reply = await post(say.submit, { answer: task.read() });
      if (reply.ok) {
        forget();
        window.location.assign(reply.body.next);
        return;
      }
      if (!reply.retry) {
        submitting = false;
        if (reply.body.next) {
          settle(reply.body);
          return;
        }
        saving.textContent = "";
        problem.textContent = reply.body.error ?? "";
        gate();
        send();
        return;
      }
      saving.textContent = trouble(reply);
      await pause();
    }
  }

  form.addEventListener("submit", finish);
  undo.addEventListener("click", goBack);
  redo.addEventListener("click", goForward);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=range]):not([type=radio]), textarea");
    if (!(event.ctrlKey || event.metaKey) || typing) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) goForward();
    else goBack();
  });
  form.dataset.ready = "yes"; // moves count from here on
  return { changed, reject };
}

function readShelf() {
  try {
    return JSON.parse(localStorage.getItem(shelf));
  } catch {
    return null;
  }
}

function fillShelf(draft) {
  try {
    localStorage.setItem(shelf, JSON.stringify(draft));
  } catch {
    // A full or forbidden shelf: the server keeps drafts all the same.
  }
}

function forget() {
  localStorage.removeItem(shelf);
}

// Why a request has to be sent again, in words.
function trouble(reply) {
  if (reply.signedOut) return say.signedOut;
  return reply.unsaved ? say.unsaved : say.offline;
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, RETRY));
}

// The token of the cookie, not of the page: signing in in another tab renews it.
function csrf() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return cookie ? cookie[1] : form.elements.csrfmiddlewaretoken.value;
}

async function post(address, body) {
  try {
    const reply = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrf() },
      body: JSON.stringify(body),
      redirect: "manual",
      keepalive: true,
    });
    const signedOut = reply.type === "opaqueredirect" || reply.status === 403;
    if (signedOut) return { ok: false, retry: true, signedOut };
    if (reply.status === 404) {
      return { ok: false, retry: false, body: { error: say.gone } }; // not theirs any more
    }
    if (reply.status >= 500 || reply.status === 429) {
      return { ok: false, retry: true, unsaved: reply.status === 503 };
    }
    return { ok: reply.ok, retry: false, body: await reply.json() };
  } catch {
    return { ok: false, retry: true }; // no connection, or a server on its way up
  }
}

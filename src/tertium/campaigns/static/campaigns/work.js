// SPDX-License-Identifier: Apache-2.0
// What every task shares: drafts after every move, undo, and a submission that
// survives a lost connection, a killed server and a double click.
//
// A task calls start({read, restore, complete}) and changed() after every move:
//   read()          the answer as it stands, an object
//   restore(answer) show an answer; null is the empty one
//   complete(answer) whether it may be submitted

const RETRY = 3000; // milliseconds until the next attempt to reach the server

const form = document.getElementById("work");
const saving = document.getElementById("saving");
const problem = document.getElementById("problem");
const submit = document.getElementById("submit");
const undo = document.getElementById("undo");
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
  const past = [];
  let sending = false;
  let submitting = false;

  task.restore(answer);
  let now = JSON.stringify(task.read());
  gate();
  if (version > sent) send();

  function gate() {
    submit.disabled = submitting || !task.complete(task.read());
    undo.disabled = submitting || past.length === 0;
  }

  function keep() {
    gate();
    if (!keeping) return;
    version += 1;
    fillShelf({ version, answer: task.read() });
    send();
  }

  function changed() {
    const next = JSON.stringify(task.read());
    if (next === now) return;
    past.push(now);
    now = next;
    problem.textContent = "";
    keep();
  }

  function back() {
    if (past.length === 0 || submitting) return;
    now = past.pop();
    task.restore(JSON.parse(now));
    keep();
    saving.textContent = say.undone;
  }

  async function send() {
    if (!keeping || sending || submitting) return;
    sending = true;
    while (sent < version && !submitting) {
      const going = version;
      saving.textContent = say.saving;
      const reply = await post(say.draft, { version: going, answer: task.read() });
      if (reply.ok) {
        if (reply.body.kept === false) {
          version = Math.max(version, reply.body.version) + 1; // another tab was further
          continue;
        }
        sent = going;
        if (sent === version) saving.textContent = say.saved;
      } else if (reply.retry) {
        saving.textContent = reply.signedOut ? say.signedOut : say.offline;
        await pause();
      } else {
        problem.textContent = reply.body.error ?? "";
        if (reply.body.next) leave(reply.body.next);
        break;
      }
    }
    sending = false;
  }

  async function finish(event) {
    event.preventDefault();
    if (!say.submit || submitting || !task.complete(task.read())) return;
    submitting = true;
    gate();
    for (;;) {
      saving.textContent = say.saving;
      const reply = await post(say.submit, { answer: task.read() });
      if (reply.ok || reply.body?.next) {
        leave(reply.body.next);
        return;
      }
      if (!reply.retry) {
        saving.textContent = "";
        problem.textContent = reply.body.error ?? "";
        submitting = false;
        gate();
        send();
        return;
      }
      saving.textContent = reply.signedOut ? say.signedOut : say.offline;
      await pause();
    }
  }

  form.addEventListener("submit", finish);
  undo.addEventListener("click", back);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=range]):not([type=radio]), textarea");
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing) {
      event.preventDefault();
      back();
    }
  });
  form.dataset.ready = "yes"; // moves count from here on
  return { changed };
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

function leave(address) {
  localStorage.removeItem(shelf);
  window.location.assign(address);
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
    if (reply.status >= 500 || reply.status === 429) return { ok: false, retry: true };
    return { ok: reply.ok, retry: false, body: await reply.json() };
  } catch {
    return { ok: false, retry: true }; // no connection, or a server on its way up
  }
}

// SPDX-License-Identifier: Apache-2.0
// The two questions: the reference is revealed by a button, boxes by keys 1 to 5.

const reveal = document.getElementById("reveal");
const hidden = document.getElementById("revealed");
const questions = [...document.querySelectorAll("[data-question]")];

export function show() {
  hidden.hidden = false;
  reveal.closest(".reveal").hidden = true;
}

export function hide() {
  hidden.hidden = true;
  reveal.closest(".reveal").hidden = false;
  reveal.focus();
}

export function shown() {
  return !hidden.hidden;
}

// "" means not chosen yet, null a question that is left without an answer.
export function read() {
  const answer = {};
  for (const question of questions) {
    const chosen = question.querySelector("input:checked");
    const value = chosen === null ? "" : chosen.value;
    answer[question.dataset.question] = value === "none" ? null : value && Number(value);
  }
  return answer;
}

export function restore(answer) {
  for (const question of questions) {
    const value = answer?.[question.dataset.question] ?? "";
    const wanted = answer && answer[question.dataset.question] === null ? "none" : String(value);
    for (const input of question.querySelectorAll("input")) input.checked = input.value === wanted;
  }
}

export function complete(answer) {
  return questions.every((question) => answer[question.dataset.question] !== "");
}

export function listen(changed, revealed) {
  reveal.addEventListener("click", () => {
    show();
    revealed();
    questions[0].querySelector("legend").focus();
  });
  for (const question of questions) question.addEventListener("change", changed);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !shown()) return;
    if (!/^[0-9]$/.test(event.key)) return;
    const answer = read();
    const question =
      event.target.closest("[data-question]") ??
      questions.find((one) => answer[one.dataset.question] === "");
    const wanted = event.key === "0" ? "none" : event.key;
    const input = question?.querySelector(`input[value="${wanted}"]`);
    if (!input) return;
    event.preventDefault();
    input.checked = true;
    input.focus();
    changed();
  });
}

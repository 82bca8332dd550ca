// SPDX-License-Identifier: Apache-2.0
import { start } from "../campaigns/work.js";

const choices = [...document.querySelectorAll("input[name=better]")];
const work = start({
  read: () => ({ better: choices.find((choice) => choice.checked)?.value ?? null }),
  restore: (answer) => {
    for (const choice of choices) choice.checked = choice.value === answer?.better;
  },
  complete: (answer) => answer.better !== null,
});

for (const choice of choices) choice.addEventListener("change", work.changed);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input:not([type=radio]), textarea, select")) return;
  const choice = choices.find((one) => one.getAttribute("aria-keyshortcuts") === event.key);
  if (!choice) return;
  choice.checked = true;
  choice.focus();
  work.changed();
});

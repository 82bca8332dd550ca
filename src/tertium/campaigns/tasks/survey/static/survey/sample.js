// SPDX-License-Identifier: Apache-2.0
// The worked sample: the same questions, whose answers never leave the page.
import { listen } from "./questions.js";

listen(() => {}, () => {});
document.getElementById("sample").addEventListener("submit", (event) => {
  for (const input of event.target.querySelectorAll("input[type=radio]")) input.disabled = true;
});

// SPDX-License-Identifier: Apache-2.0
// Small things of every page: the menu of languages, texts that stay folded,
// buttons that copy.

// A menu closes when somebody goes elsewhere.
const languages = document.querySelector("details.language");
document.addEventListener("click", (event) => {
  if (!languages.contains(event.target)) languages.open = false;
});
languages.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  languages.open = false;
  languages.querySelector("summary").focus();
});

// What somebody folds stays folded: instructions are read once, or once more.
for (const folder of document.querySelectorAll("details[data-remember]")) {
  const key = `tertium-folded-${folder.dataset.remember}`;
  folder.open = localStorage.getItem(key) !== "yes";
  folder.addEventListener("toggle", () => localStorage.setItem(key, folder.open ? "no" : "yes"));
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    await navigator.clipboard.writeText(text);
    button.textContent = button.dataset.copied;
  });
}

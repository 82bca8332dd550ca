// SPDX-License-Identifier: Apache-2.0
// Small things of every page: menus that submit themselves, texts that stay folded,
// buttons that copy.

for (const menu of document.querySelectorAll("[data-submit-on-change]")) {
  menu.addEventListener("change", () => menu.form.submit());
}

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

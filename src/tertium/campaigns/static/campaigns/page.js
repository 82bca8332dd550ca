// SPDX-License-Identifier: Apache-2.0
// Small things of every page: menus that submit themselves, buttons that copy.

for (const menu of document.querySelectorAll("[data-submit-on-change]")) {
  menu.addEventListener("change", () => menu.form.submit());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    await navigator.clipboard.writeText(text);
    button.textContent = button.dataset.copied;
  });
}

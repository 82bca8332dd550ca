// SPDX-License-Identifier: Apache-2.0
// Images next to the source open in a dialog: as large as fits, or in actual size.
const dialog = document.getElementById("enlarged");
const sheet = dialog.querySelector(".sheet");
const large = dialog.querySelector("img");
const actual = dialog.querySelector(".actual");

function resize(whole) {
  actual.setAttribute("aria-pressed", String(whole));
  dialog.classList.toggle("whole", whole);
}

for (const button of document.querySelectorAll(".source-image")) {
  button.addEventListener("click", () => {
    const small = button.querySelector("img");
    large.alt = small.alt;
    large.width = button.dataset.width;
    large.height = button.dataset.height;
    actual.hidden = true;
    large.src = small.src;
    resize(false);
    dialog.showModal();
    dialog.querySelector(".close").focus();
  });
}
large.addEventListener("load", () => {
  actual.hidden = large.clientWidth >= large.naturalWidth;
});
actual.addEventListener("click", () => {
  resize(!dialog.classList.contains("whole"));
  sheet.focus();
});
dialog.querySelector(".close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close(); // beside the image
});
// Keys of the task, such as digits and Ctrl+Z, do nothing behind the dialog.
dialog.addEventListener("keydown", (event) => event.stopPropagation());

// Paper has everything: what readers may open is open while a page is printed. Details of
// a single output, which a reader chooses, are not.
(() => {
  "use strict";
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open], .row details)"));
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
    opened = [];
  });
})();

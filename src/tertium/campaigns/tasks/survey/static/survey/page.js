// SPDX-License-Identifier: Apache-2.0
import { start } from "../campaigns/work.js";
import { complete, hide, listen, read, restore, show, shown } from "./questions.js";

const opened = Date.now();
let look = null; // seconds with the translation alone

const work = start({
  read: () => ({ ...read(), look }),
  restore: (answer) => {
    restore(answer);
    look = answer?.look ?? null;
    if (look !== null || (answer && complete(answer))) show();
    else hide();
  },
  complete: (answer) => shown() && complete(answer),
});

listen(work.changed, () => {
  look = Math.round((Date.now() - opened) / 100) / 10;
  work.changed();
});

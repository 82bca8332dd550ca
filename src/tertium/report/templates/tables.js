// Tables that readers sort by a click on a heading.
(() => {
  "use strict";
  const key = (row, column) => {
    const cell = row.cells[column];
    const set = cell.dataset.key;
    const number = parseFloat(set === undefined
      ? cell.textContent.replace(/[←↑]/, "").replace("\u2212", "-") : /^-?[0-9.e+-]+$/.test(set) ? set : "");
    if (Number.isNaN(number)) return set === undefined ? null : set;
    return number;
  };
  const sort = (table, column, direction) => {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [key(row, column), row]);
    rows.sort(([a], [b]) => {
      // Cells without a value come last in either direction.
      if (a === null || b === null) return (a === null) - (b === null);
      if (typeof a === "number" && typeof b === "number") return direction * (a - b);
      return direction * String(a).localeCompare(String(b), undefined, {numeric: true});
    });
    body.append(...rows.map(([, row]) => row));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      if (!button.textContent.trim()) button.setAttribute("aria-label", "Sort");
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        // The first click sorts numbers from high to low.
        const first = head.classList.contains("number") ? "descending" : "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        const now = before === first ? other : first;
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", now);
        sort(table, column, now === "ascending" ? 1 : -1);
      });
    });
  }
})();

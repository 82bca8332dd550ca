// What lists of outputs share: their data, a list that grows, buttons that filter.
const Browser = (() => {
  "use strict";
  const read = async () => {
    const source = document.getElementById("segment-data");
    if (source.type === "application/json") return JSON.parse(source.textContent);
    const packed = atob(source.textContent);
    source.remove();
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
    const stream = new Blob([bytes]).stream()
      .pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const count = (number, word) => number.toLocaleString("en") + " " + word +
    (number === 1 ? "" : "s");
  // A list that shows some of its items, and more when asked to.
  const list = (draw, first, further = 20) => {
    const place = document.getElementById("segments");
    const more = document.getElementById("more");
    let items = [];
    let begin = 0;
    let end = 0;
    const grow = (number) => {
      const next = items.slice(end, end + number);
      place.append(...next.map(draw));
      end += next.length;
      const left = items.length - end;
      more.hidden = left <= 0;
      more.textContent = "Show " + Math.min(further, left) + " more of " +
        left.toLocaleString("en");
    };
    const set = (all, start = 0) => {
      place.replaceChildren();
      items = all;
      begin = end = start;
      grow(first);
    };
    more.addEventListener("click", () => {
      const before = place.children.length;
      grow(further);
      const next = place.children[before];
      if (next) { next.tabIndex = -1; next.focus({preventScroll: true}); }
    });
    return {set, grow, place, get items() { return items; }, get begin() { return begin; },
      get end() { return end; }};
  };
  // The form, and buttons elsewhere on the page that fill it in.
  const form = (choose, focus) => {
    const fields = document.getElementById("filter");
    fields.addEventListener("input", choose);
    fields.addEventListener("submit", (event) => event.preventDefault());
    fields.addEventListener("reset", () => setTimeout(choose));
    for (const button of document.querySelectorAll("button[data-filter]")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        fields.reset();
        for (const [key, value] of Object.entries(JSON.parse(button.dataset.filter))) {
          if (fields.elements[key]) fields.elements[key].value = value;
        }
        choose();
        document.getElementById("outputs").scrollIntoView({behavior:
          matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"});
        fields.elements[focus].focus({preventScroll: true});
      });
    }
    fields.hidden = false;
    pin(fields);
    return fields;
  };
  // The form stays in sight where it leaves most of the window to what it filters, and
  // says how high it is, so that it covers nothing that a link or a key leads to.
  const pin = (fields) => {
    const measure = () => {
      const high = Math.ceil(fields.getBoundingClientRect().height);
      const pinned = high <= innerHeight / 4;
      fields.classList.toggle("pinned", pinned);
      document.body.style.setProperty("--filter", (pinned ? high : 0) + "px");
    };
    measure();
    new ResizeObserver(measure).observe(fields);
    addEventListener("resize", measure);
  };
  // Gives a segment of the list the focus, and the page its address.
  const visit = (made) => {
    if (!made) return;
    made.tabIndex = -1;
    made.focus({preventScroll: true});
    made.scrollIntoView({block: "start"});
    // A frame in a notebook has no address.
    if (location.protocol !== "about:") history.replaceState(null, "", "#" + made.id);
  };
  // Keys: j and k step through segments, / goes to a field.
  const keys = (step, field) => document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const action = {j: () => step(1), k: () => step(-1), "/": () => {
      field.focus();
      field.scrollIntoView({block: "nearest"});
    }}[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // An element with attributes and children.
  const node = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const fail = (error) => {
    document.getElementById("matches").textContent +=
      " The other segments cannot be shown: " + error.message;
    console.error(error);
  };
  return {read, count, list, form, visit, keys, node, fail};
})();

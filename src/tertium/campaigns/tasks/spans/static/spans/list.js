// SPDX-License-Identifier: Apache-2.0
// The list of marks below a text: severity and category of each, and what changes it.

// state      of state.js
// about      { chars, id, rtl, say, settings }: the text, a name for its parts, whether
//            it runs to the left, words for buttons, and the settings of the page
// act        (action, index): first choose the mark of this index, then do it
// categorise (category, index)
export function rows(state, about, act, categorise) {
  return state.marks.map((mark, index) => {
    const { chars, say, settings } = about;
    const row = document.createElement("li");
    const words = mark.start === null ? special(mark, about) ?? say.missing : chars.slice(mark.start, mark.end).join("");
    const chosen = index === state.active;
    if (chosen) row.className = "chosen";
    const add = (key, one, home = row) => {
      one.dataset.key = `${key}${index}`;
      home.append(one);
      return one;
    };
    const change = (key, label, name, action, home) => {
      const one = add(key, button(label, name, () => act(action, index)), home);
      one.disabled = settings.frozen;
      return one;
    };
    const name = add("words", button(`${say.choose}: ${words}`, words, () => act({ type: "choose", index }, index)));
    name.setAttribute("aria-pressed", String(chosen));
    name.className = "words";
    name.dir = "auto";
    const level = settings.severities.find(([one]) => one === mark.severity)?.[1] ?? mark.severity;
    const severe = state.severities.indexOf(mark.severity) > 0;
    const severity = change("severity", `${say.severity}: ${level}`, level, { type: "severity" });
    severity.className = severe ? "severity severe" : "severity";
    change("remove", `${say.remove}: ${words}`, "×", { type: "remove" });
    if (settings.categories.length > 0 && special(mark, about) === null) {
      const [select, meaning] = category(mark, index, words, about, categorise);
      add("category", select);
      row.append(meaning);
    }
    if (chosen && mark.start !== null) row.append(tools(about, change));
    return row;
  });
}

// The name of a mark that the campaign adds to those of errors; null: it is an error.
const special = (mark, { settings }) =>
  (mark.start === null && settings.special.includes(mark.category) ? mark.category : null);

function button(label, name, action) {
  const one = document.createElement("button");
  one.type = "button";
  one.textContent = name;
  one.setAttribute("aria-label", label);
  one.title = label;
  one.addEventListener("click", action);
  return one;
}

// What moves the edges of the chosen mark, and adds another one on the same words.
function tools({ rtl, say, settings }, change) {
  const line = document.createElement("div");
  line.className = "adjust";
  const edges = [["start", say.start, [["sb", -1], ["sf", 1]]], ["end", say.end, [["eb", -1], ["ef", 1]]]];
  for (const [edge, label, moves] of edges) {
    const group = document.createElement("span");
    group.className = "edge";
    const name = document.createElement("span");
    name.textContent = label;
    name.setAttribute("aria-hidden", "true"); // the buttons say it, too
    group.append(name);
    // Arrows point where the edge goes: text may run to the left.
    if (rtl) moves.reverse();
    moves.forEach(([key, by], n) => change(key, say[key], "←→"[n], { type: "move", edge, by }, group));
    line.append(group);
  }
  if (settings.categories.length > 0) {
    const one = change("another", say.another, say.another, { type: "another" }, line);
    one.removeAttribute("title");
    one.className = "another";
  }
  return line;
}

// Categories by kind, and the sentence on the chosen one.
function category(mark, index, words, { id, say, settings }, categorise) {
  const select = document.createElement("select");
  const meaning = document.createElement("p");
  select.setAttribute("aria-label", `${say.category}: ${words}`);
  select.disabled = settings.frozen;
  select.add(new Option(say.category, ""));
  for (const [kind, parts] of settings.categories) {
    let home = select;
    if (parts.some(([, name]) => name)) {
      home = document.createElement("optgroup");
      home.label = kind;
      select.append(home);
    }
    for (const [whole, name] of parts) home.append(new Option(name || kind, whole));
  }
  select.value = mark.category ?? "";
  meaning.className = "meaning";
  meaning.id = `meaning-${id}-${index}`;
  select.setAttribute("aria-describedby", meaning.id);
  const explain = () => {
    const [kind, parts] = settings.categories.find(([, some]) => some.some(([whole]) => whole === select.value)) ?? ["", []];
    const [, name, sentence] = parts.find(([whole]) => whole === select.value) ?? [];
    meaning.textContent = name ? `${kind}: ${sentence || name}` : sentence ?? "";
  };
  explain();
  // The list stays as it is: a new select would forget the letters typed so far.
  select.addEventListener("change", () => {
    explain();
    categorise(select.value, index);
  });
  return [select, meaning];
}

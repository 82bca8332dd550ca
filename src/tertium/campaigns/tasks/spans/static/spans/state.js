// SPDX-License-Identifier: Apache-2.0
// The marks of one text: reduce(state, action) gives the next state, and changes nothing.
//
// state:  { tokens, marks, active, most, severities, repeats }
//   tokens      [[start, end]] in code points, ascending: what can be marked, without
//               white space; a mark begins where a token begins, and ends where one ends
//   marks       [{ start, end, severity, category?, prefilled? }]; missing: both null
//   active      the index of the mark that keys and buttons change, or -1
//   repeats     whether words can have several errors, of different categories
// Actions that make no sense in a state leave it as it is.

const place = (mark) => (mark.start === null ? [Infinity, Infinity] : [mark.start, mark.end]);

function sorted(marks, chosen) {
  const order = marks
    .map((mark, index) => ({ mark, index }))
    .sort((a, b) => {
      const [x, y] = [place(a.mark), place(b.mark)];
      return (x[0] === y[0] ? 0 : x[0] - y[0]) || (x[1] === y[1] ? 0 : x[1] - y[1]) || a.index - b.index;
    });
  return {
    marks: order.map((one) => one.mark),
    active: order.findIndex((one) => one.index === chosen),
  };
}

const replace = (state, index, mark) => ({
  ...state,
  ...sorted(state.marks.map((one, n) => (n === index ? mark : one)), index),
});

function add(state, mark) {
  const same = state.marks.findIndex((one) => one.start === mark.start && one.end === mark.end);
  return same >= 0 && mark.start !== null ? { ...state, active: same } : insert(state, mark);
}

function insert(state, mark) {
  if (state.most > 0 && state.marks.length >= state.most) return state;
  return { ...state, ...sorted([...state.marks, mark], state.marks.length) };
}

// From the first to the last token that a stretch touches; null where there is none.
export function covered(tokens, one, other) {
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  const touched = tokens.filter(([start, end]) => start < high && low < end);
  return touched.length > 0 ? [touched[0][0], touched[touched.length - 1][1]] : null;
}

// Where an edge goes that moves by a token; undefined beyond the text. A mark of a file
// may begin within a token: then its edge goes to that token's.
function moved(tokens, edge, at, by) {
  const edges = tokens.map((token) => token[edge === "start" ? 0 : 1]);
  return by < 0 ? edges.findLast((one) => one < at) : edges.find((one) => one > at);
}

export function reduce(state, action) {
  const { tokens, marks, severities } = state;
  const active = marks[state.active];
  switch (action.type) {
    case "mark": {
      const range = covered(tokens, action.start, action.end);
      if (range === null) return state;
      return add(state, { start: range[0], end: range[1], severity: severities[0] });
    }
    case "missing":
      return add(state, { start: null, end: null, severity: severities[0], ...action.more });
    case "another":
      if (!active || active.start === null || !state.repeats) return state;
      return insert(state, { start: active.start, end: active.end, severity: severities[0] });
    case "choose":
      return { ...state, active: action.index < marks.length ? action.index : -1 };
    case "chooseAt": {
      // The next one of those that lie there: overlapping marks take turns.
      const there = marks.flatMap((one, n) =>
        one.start !== null && one.start <= action.at && action.at < one.end ? [n] : []);
      if (there.length === 0) return { ...state, active: -1 };
      return { ...state, active: there.find((n) => n > state.active) ?? there[0] };
    }
    case "move": {
      if (!active || active.start === null) return state;
      const to = moved(tokens, action.edge, active[action.edge], action.by);
      if (to === undefined) return state;
      const next = { ...active, [action.edge]: to };
      return next.start < next.end ? replace(state, state.active, next) : state;
    }
    case "severity": {
      if (!active) return state;
      const wanted = action.severity ?? severities[(severities.indexOf(active.severity) + 1) % severities.length];
      if (!severities.includes(wanted)) return state;
      return replace(state, state.active, { ...active, severity: wanted });
    }
    case "category":
      return active ? replace(state, state.active, { ...active, category: action.category }) : state;
    case "remove":
      return active ? { ...state, marks: marks.filter((one) => one !== active), active: -1 } : state;
    case "restore":
      return { ...state, ...sorted(action.marks, -1), active: -1 };
    default:
      return state;
  }
}

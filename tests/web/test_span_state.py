# SPDX-License-Identifier: Apache-2.0
"""The editor's state against an obvious model, with random texts and moves.

The modules of the page run in the browser, without a page; the model is Python that
counts code points, which the browser does not.
"""

from __future__ import annotations

import base64
import json
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SEVERITIES = ["minor", "major", "critical"]
#: One character to a reader each, of one or more code points and UTF-16 units.
CHARACTERS = [
    "a", "b", "é", "e\u0301", "ü", "\u0915\u093f", "漢", "字", "ש",
    "👩", "👩\u200d👧\u200d👦", "👍🏽", "🇩🇪", "🇫🇮", "𝔄",
]  # fmt: skip
_CALL = """async ([modules, argument]) => {
  window.loaded ??= {};
  const load = async (source) => (window.loaded[source] ??= await import(source));
  const [state, text, history] = await Promise.all(modules.map(load));
  %s
}"""
_RUN = """
  let now = state.reduce(argument.state, {type: "restore", marks: []});
  let past = history.begin(JSON.stringify(now.marks));
  const seen = [];
  for (const action of argument.actions) {
    if (action.type === "undo" || action.type === "redo") {
      const next = action.type === "undo" ? history.back(past) : history.forward(past);
      if (next.now !== past.now) {
        past = next;
        now = state.reduce(now, {type: "restore", marks: JSON.parse(past.now)});
      }
    } else {
      const frozen = JSON.stringify(now);
      const next = state.reduce(now, action);
      if (JSON.stringify(now) !== frozen) throw new Error("the old state changed");
      now = next;
      past = history.record(past, JSON.stringify(now.marks));
    }
    seen.push({marks: now.marks, active: now.active});
  }
  return seen;
"""
_TEXT = """return argument.map(({text: one, kind}) => ({
  points: text.points(one),
  tokens: text.tokensOf(one, "en", kind),
  offsets: [...Array(one.length + 1).keys()].map((at) => text.toPoints(one, at)),
}));"""


@pytest.fixture(scope="module")
def call(chromium):
    """Return a function that runs JavaScript with the three modules at hand."""
    package = files("tertium.campaigns")
    places = [
        "tasks/spans/static/spans/state.js",
        "tasks/spans/static/spans/text.js",
        "static/campaigns/history.js",
    ]
    sources = [(package / place).read_bytes() for place in places]
    modules = [
        "data:text/javascript;base64," + base64.b64encode(source).decode()
        for source in sources
    ]
    context = chromium.new_context()
    page = context.new_page()
    yield lambda script, argument: page.evaluate(_CALL % script, [modules, argument])
    context.close()


# --------------------------------------------------------------------------- model


class Model:
    """Marks as a list, changed in place; every state is kept for undo."""

    def __init__(self, tokens, most, severities, repeats):
        self.tokens, self.most, self.severities = tokens, most, severities
        self.repeats = repeats
        self.marks, self.active = [], None
        self.states, self.at = [[]], 0

    def act(self, action):
        kind = action["type"]
        if kind in ("undo", "redo"):
            self._travel(-1 if kind == "undo" else 1)
            return
        getattr(self, f"_{kind}")(**{k: v for k, v in action.items() if k != "type"})
        self.marks.sort(key=lambda one: (one["start"] is None, one["start"] or 0,
                                         one["end"] or 0))  # fmt: skip
        now = [dict(one) for one in self.marks]
        if now != self.states[self.at]:
            del self.states[self.at + 1 :]
            self.states.append(now)
            self.at += 1

    def _travel(self, by):
        if 0 <= self.at + by < len(self.states):
            self.at += by
            self.marks = [dict(one) for one in self.states[self.at]]
            self.active = None

    def _mark(self, start, end):
        low, high = sorted((start, end))
        touched = [t for t in self.tokens if t[0] < high and t[1] > low]
        if touched:
            self._add({"start": touched[0][0], "end": touched[-1][1]})

    def _missing(self):
        self._add({"start": None, "end": None})

    def _add(self, place):
        for one in self.marks:
            if place["start"] is not None and place.items() <= one.items():
                self.active = one
                return
        self._insert(place)

    def _another(self):
        active = self.active
        if self.repeats and active is not None and active["start"] is not None:
            self._insert({name: active[name] for name in ("start", "end")})

    def _insert(self, place):
        if not self.most or len(self.marks) < self.most:
            self.active = {**place, "severity": self.severities[0]}
            self.marks.append(self.active)

    def _choose(self, index):
        self.active = self.marks[index] if index < len(self.marks) else None

    def _chooseAt(self, at):  # noqa: N802, as the page calls it
        placed = [(n, one) for n, one in enumerate(self.marks) if one["end"]]
        there = [n for n, one in placed if at in range(one["start"], one["end"])]
        now = self._index()
        later = [n for n in there if n > now]
        chosen = (later or there or [None])[0]
        self.active = None if chosen is None else self.marks[chosen]

    def _move(self, edge, by):
        if self.active is None or self.active["start"] is None:
            return
        places = sorted(token[edge == "end"] for token in self.tokens)
        at = places.index(self.active[edge]) + by
        if not 0 <= at < len(places):
            return
        moved = {**self.active, edge: places[at]}
        if moved["start"] < moved["end"]:
            self.active[edge] = places[at]

    def _severity(self):
        if self.active is not None:
            at = self.severities.index(self.active["severity"])
            self.active["severity"] = self.severities[(at + 1) % len(self.severities)]

    def _category(self, category):
        if self.active is not None:
            self.active["category"] = category

    def _remove(self):
        self.marks = [one for one in self.marks if one is not self.active]
        self.active = None

    def _index(self):
        return next((n for n, one in enumerate(self.marks) if one is self.active), -1)

    def seen(self):
        return {"marks": [dict(one) for one in self.marks], "active": self._index()}


@st.composite
def runs(draw):
    """Draw a text of words, what is marked in it, and moves."""
    words = draw(st.lists(st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=4),
                          min_size=1, max_size=6))  # fmt: skip
    whole_words = draw(st.booleans())
    tokens, at = [], 0
    for word in words:
        units = ["".join(word)] if whole_words else word
        for unit in units:
            tokens.append([at, at + len(unit)])
            at += len(unit)
        at += 1  # a space
    place = st.integers(0, at)
    spots = st.sampled_from(tokens).map(
        lambda one: {"type": "mark", "start": one[0], "end": one[1]}
    )
    moves = st.one_of(
        spots,
        st.fixed_dictionaries({"type": st.just("mark"), "start": place, "end": place}),
        st.fixed_dictionaries({"type": st.just("chooseAt"), "at": place}),
        st.fixed_dictionaries({"type": st.just("choose"), "index": st.integers(0, 5)}),
        st.fixed_dictionaries(
            {
                "type": st.just("move"),
                "edge": st.sampled_from(["start", "end"]),
                "by": st.sampled_from([-1, 1]),
            }
        ),
        st.fixed_dictionaries(
            {"type": st.just("category"), "category": st.sampled_from("xy")}
        ),
        st.sampled_from(
            [{"type": one} for one in
             ("severity", "missing", "another", "another", "remove", "undo", "undo",
              "redo")]
        ),
    )  # fmt: skip
    severities = SEVERITIES[: draw(st.integers(1, 3))]
    most = draw(st.sampled_from([0, 1, 3]))
    made = draw(st.lists(moves, min_size=5, max_size=30))
    return tokens, most, severities, draw(st.booleans()), made


@settings(deadline=None, max_examples=max(200, settings().max_examples))
@given(run=runs())
def test_the_editor_is_its_model(call, run):
    tokens, most, severities, repeats, actions = run
    state = {
        "tokens": tokens, "marks": [], "active": -1, "most": most,
        "severities": severities, "repeats": repeats,
    }  # fmt: skip
    model = Model(tokens, most, severities, repeats)
    wanted = []
    for action in actions:
        model.act(action)
        wanted.append(model.seen())
    assert call(_RUN, {"state": state, "actions": actions}) == wanted


@settings(deadline=None)
@given(
    texts=st.lists(
        st.lists(st.sampled_from([*CHARACTERS, " ", "\n", "."]), max_size=12),
        min_size=1,
        max_size=20,
    )
)
def test_positions_are_code_points(call, texts):
    asked = [{"text": "".join(one), "kind": "characters"} for one in texts]
    for characters, result in zip(texts, call(_TEXT, asked), strict=True):
        text = "".join(characters)
        assert result["points"] == len(text)
        # Every UTF-16 offset is the number of code points that are whole before it.
        units = [len(char.encode("utf-16-le")) // 2 for char in text]
        wanted = [0]
        for place, size in enumerate(units):
            wanted += [place] * (size - 1) + [place + 1]
        assert result["offsets"] == wanted
        tokens, at = [], 0
        for one in characters:
            if one.strip():
                tokens.append([at, at + len(one)])
            at += len(one)
        assert result["tokens"] == tokens


def test_words_of_scripts_with_and_without_spaces(call):
    texts = ["Der Hund, bellt.", "我们今天去图书馆。", "כלב גדול נובח", "2,5 km – gut"]
    asked = [{"text": one, "kind": "words"} for one in texts]
    shown = [
        [text[a:b] for a, b in result["tokens"]]
        for text, result in zip(texts, call(_TEXT, asked), strict=True)
    ]
    assert shown[0] == ["Der", "Hund", ",", "bellt", "."]
    assert shown[1][-1] == "。"
    assert 3 < len(shown[1]) < len(texts[1])  # words, not characters
    assert shown[2] == ["כלב", "גדול", "נובח"]
    assert shown[3] == ["2,5", "km", "–", "gut"]


def test_a_mark_of_a_file_within_a_word_moves_to_its_edges(call):
    state = {"tokens": [[0, 5], [6, 9]], "marks": [], "active": -1, "most": 0,
             "severities": SEVERITIES}  # fmt: skip
    script = """
      let now = state.reduce(argument, {type: "restore",
        marks: [{start: 2, end: 4, severity: "minor"}]});
      now = state.reduce(now, {type: "choose", index: 0});
      const move = (edge, by) => state.reduce(now, {type: "move", edge, by}).marks[0];
      return [move("start", -1).start, move("end", 1).end];
    """
    assert json.loads(json.dumps(call(script, state))) == [0, 5]


def test_the_same_words_have_a_second_error_where_a_campaign_has_categories(call):
    script = """
      const act = (now, ...types) =>
        types.reduce((one, type) => state.reduce(one, {type, start: 0, end: 3}), now);
      return [true, false].map((repeats) => {
        const twice = act({...argument, repeats}, "mark", "another", "another", "mark");
        return [twice.marks.length, twice.active];
      });
    """
    state = {"tokens": [[0, 3]], "marks": [], "active": -1, "most": 2,
             "severities": SEVERITIES}  # fmt: skip
    # Marking the words again chooses what is there.
    assert call(script, state) == [[2, 0], [1, 0]]

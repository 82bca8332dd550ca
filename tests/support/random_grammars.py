# SPDX-License-Identifier: Apache-2.0
"""Random grammars, as data for the oracle and as text for the reader."""

from __future__ import annotations

PARAMS = {"P": ["A", "B"], "Q": ["X P", "Y"]}
A, B = (("@", name, ()) for name in "AB")
KEYS = {"P": [A, B], "Q": [("@", "X", (A,)), ("@", "X", (B,)), ("@", "Y", ())]}
#: Types are "Str", "P", "Q", ("=>", param, type), or dicts.
TYPES = [
    "Str",
    {"s": "Str", "p": "P"},
    {"s": ("=>", "P", "Str")},
    {"s": ("=>", "P", "Str"), "t": "Str", "q": "Q"},
    {"a": "Str", "b": "Str"},
    ("=>", "Q", "Str"),
    {"r": {"a": "Str", "p": "P"}, "b": "Str"},
]
WORDS = ["a", "b", "c", "d e", "", "f"]


class Maker:
    """Makes well-typed expressions with a source of randomness."""

    def __init__(self, random):
        self.random = random
        self.fresh = 0
        self.opers = {}

    def pick(self, *choices):
        return self.random.choice(choices)()

    def name(self):
        self.fresh += 1
        return f"x{self.fresh}"

    def make(self, of, names, depth):
        """Return an expression of a type."""
        known = [exp for exp, kind in self.parts(names, depth) if kind == of]
        if known and self.random.random() < 0.6:
            return self.random.choice(known)
        if depth > 0 and self.random.random() < 0.35:
            return self.pick(
                lambda: self.variants(of, names, depth),
                lambda: self.variants(of, names, depth),
                lambda: self.let(of, names, depth),
                lambda: self.case(of, names, depth),
                lambda: self.selected(of, names, depth),
            )
        if isinstance(of, dict):
            return self.record(of, names, depth)
        if isinstance(of, tuple):
            return self.table(of, names, depth)
        if of == "P":
            return ("constructor", self.random.choice("AB"))
        if of == "Q":
            return self.pick(
                lambda: ("constructor", "Y"),
                lambda: ("construct", "X", [self.make("P", names, depth - 1)]),
            )
        return self.text(names, depth)

    def parts(self, names, depth):
        """Yield what variables hold, with types."""
        waiting = [(("variable", name), of) for name, of in names.items()]
        while waiting:
            exp, of = waiting.pop()
            yield exp, of
            if isinstance(of, dict):
                waiting += [(("project", exp, name), kind) for name, kind in of.items()]
            if isinstance(of, tuple) and depth > 0:
                # The key may itself come from a variable.
                waiting.append((("select", exp, self.make(of[1], {}, 1)), of[2]))

    def text(self, names, depth):
        if depth <= 0:
            return ("text", self.random.choice(WORDS))
        join = lambda: (  # noqa: E731
            "join",
            self.make("Str", names, depth - 1),
            self.make("Str", names, depth - 1),
        )
        call = lambda: self.call(names, depth)  # noqa: E731
        return self.pick(
            lambda: ("text", self.random.choice(WORDS)),
            join,
            join,
            join,
            lambda: ("join", ("join", self.make("Str", names, 0), ("bind",)), join()),
            lambda: self.random.choice([("nonExist",), ("text", "g")]),
            lambda: ("glue", self.known(2), self.known(2)),
            call,
            call,
        )

    def known(self, depth):
        """Return a text that ``+`` can glue."""
        kind = self.random.choice(["text", "text", "variants", "join", "glue"])
        if depth <= 0 or kind == "text":
            return self.random.choice(
                [("text", self.random.choice(WORDS))] * 9 + [("nonExist",)]
            )
        return (kind, self.known(depth - 1), self.known(depth - 1))

    def call(self, names, depth):
        if not self.opers:
            return ("text", "h")
        oper = self.random.choice(sorted(self.opers))
        types = self.opers[oper][0]
        return ("call", oper, [self.make(of, names, depth - 1) for of in types])

    def variants(self, of, names, depth):
        return (
            "variants",
            *(
                self.make(of, names, depth - 1)
                for _ in range(self.random.choice([1, 2]))
            ),
            self.make(of, names, depth - 1),
        )

    def let(self, of, names, depth):
        name = self.name()
        kind = self.random.choice([of, "Str", "P", *TYPES[:3]])
        bound = self.make(kind, names, depth - 1)
        return (
            "let",
            name,
            kind,
            bound,
            self.make(of, {**names, name: kind}, depth - 1),
        )

    def branches(self, param, of, names, depth):
        simple = lambda: self.make(of, names, depth - 1)  # noqa: E731
        bound = self.name()
        if param == "P":
            return self.random.choice(
                [
                    [(("A", []), simple()), (("B", []), simple())],
                    [(("B", []), simple()), ("_", simple())],
                    [(bound, self.make(of, {**names, bound: "P"}, depth - 1))],
                ]
            )
        inner = self.make(of, {**names, bound: "P"}, depth - 1)
        return self.random.choice(
            [
                [(("X", [bound]), inner), (("Y", []), simple())],
                [(("X", [("A", [])]), simple()), ("_", simple())],
            ]
        )

    def case(self, of, names, depth):
        param = self.random.choice("PQ")
        scrutinee = self.make(param, names, depth - 1)
        return ("case", scrutinee, param, self.branches(param, of, names, depth))

    def selected(self, of, names, depth):
        param = self.random.choice("PQ")
        table = self.make(("=>", param, of), names, depth - 1)
        return (
            "let",
            name := self.name(),
            ("=>", param, of),
            table,
            ("select", ("variable", name), self.make(param, names, depth - 1)),
        )

    def record(self, of, names, depth):
        if depth > 0 and len(of) > 1 and self.random.random() < 0.2:
            left = dict(list(of.items())[:1])
            right = dict(list(of.items())[1:])
            return (
                "extend",
                self.plain_record(left, names, depth),
                self.plain_record(right, names, depth),
            )
        return self.plain_record(of, names, depth)

    def plain_record(self, of, names, depth):
        return (
            "record",
            {name: self.make(kind, names, depth - 1) for name, kind in of.items()},
        )

    def table(self, of, names, depth):
        _, param, value = of
        if self.random.random() < 0.5:
            name = self.name()
            body = self.make(value, {**names, name: param}, depth - 1)
            return ("tabulate", name, param, body)
        return ("table", param, self.branches(param, value, names, depth))


def random_grammar(random):
    """Return the data of a grammar."""
    maker = Maker(random)
    maker.opers = {}
    opers, oper_types = {}, {}
    for name, types in (("op", ["Str", "P"]), ("word", []), ("twice", ["Str"])):
        variables = [f"{name}{number}" for number in range(len(types))]
        body = maker.make("Str", dict(zip(variables, types, strict=True)), 2)
        opers[name] = (variables, body)
        oper_types[name] = types
        maker.opers = {one: (oper_types[one],) for one in opers}
    lincats = {"S": "Str"}
    for category in ("C", "D", "E"):
        lincats[category] = random.choice(TYPES)
    functions = {"SemVar1aOne": ((), "C"), "SemVar1bTwo": ((), "C")}
    for name, codes, category in (
        ("Three", "1a", "C"),
        ("Four", "2a", "D"),
        ("Five", "2b", "D"),
    ):
        if random.random() < 0.6:
            functions[f"SemVar{codes}{name}"] = ((), category)
    functions["Plain"] = ((), "D")
    functions["Build"] = (("C", "D"), "E")
    if random.random() < 0.5:
        functions["Wrap"] = (("D",), "E")
    functions["Say"] = (("E",), "S")
    functions["Tell"] = (("C", "E"), "S")
    if random.random() < 0.4:
        functions["SemVar3aHold"] = (("D",), "S")
    lins = {}
    for name, (arguments, result) in functions.items():
        if random.random() < 0.05:
            continue  # not available in this language
        variables = [f"arg{number}" for number in range(len(arguments))]
        types = {
            variable: lincats[argument]
            for variable, argument in zip(variables, arguments, strict=True)
        }
        lins[name] = (variables, maker.make(lincats[result], types, 3))
    return {
        "params": KEYS,
        "opers": opers,
        "oper_types": oper_types,
        "lincats": lincats,
        "functions": functions,
        "lins": lins,
    }


# ----------------------------------------------------------------------- printing


def show_type(of):
    if isinstance(of, dict):
        return "{" + " ; ".join(f"{k} : {show_type(v)}" for k, v in of.items()) + "}"
    if isinstance(of, tuple):
        return f"{of[1]} => {show_type(of[2])}"
    return of


def show(exp):
    """Return an expression as text, with more parentheses than needed."""
    kind, *parts = exp
    if kind == "text":
        return f'"{parts[0]}"' if parts[0] else "[]"
    if kind in ("variable", "constructor"):
        return parts[0]
    if kind == "bind":
        return "BIND"
    if kind == "nonExist":
        return "nonExist"
    marks = {"join": "++", "glue": "+", "select": "!", "extend": "**"}
    if kind in marks:
        return f"({show(parts[0])} {marks[kind]} {show(parts[1])})"
    if kind == "variants":
        return "variants {" + " ; ".join(map(show, parts)) + "}"
    if kind == "construct":
        return "(" + " ".join([parts[0], *map(show, parts[1])]) + ")"
    if kind == "call":
        return "(" + " ".join([parts[0], *map(show, parts[1])]) + ")"
    if kind == "project":
        return f"{show(parts[0])}.{parts[1]}"
    if kind == "record":
        return "{" + " ; ".join(f"{k} = {show(v)}" for k, v in parts[0].items()) + "}"
    if kind == "tabulate":
        return f"(\\\\{parts[0]} => {show(parts[2])})"
    if kind == "table":
        return "table {" + show_branches(parts[1]) + "}"
    if kind == "case":
        return f"case {show(parts[0])} of {{{show_branches(parts[2])}}}"
    name, of, bound, body = parts
    return f"(let {name} : {show_type(of)} = {show(bound)} in {show(body)})"


def show_branches(branches):
    return " ; ".join(f"{show_pattern(pat)} => {show(body)}" for pat, body in branches)


def show_pattern(pattern):
    if isinstance(pattern, str):
        return pattern
    return " ".join([pattern[0], *(f"({show_pattern(one)})" for one in pattern[1])])


def show_grammar(grammar):
    lines = ["abstract G = {", "flags startcat = S ;", "cat S ; C ; D ; E ;", "fun"]
    for name, (arguments, result) in grammar["functions"].items():
        lines.append(f"  {name} : {' -> '.join([*arguments, result])} ;")
    lines += ["}", "concrete GEng of G = open R in {", "lincat"]
    for category, of in grammar["lincats"].items():
        lines.append(f"  {category} = {show_type(of)} ;")
    lines.append("lin")
    for name, (variables, body) in grammar["lins"].items():
        lines.append(f"  {' '.join([name, *variables])} = {show(body)} ;")
    lines += ["}", "resource R = {", "param"]
    for name, values in PARAMS.items():
        lines.append(f"  {name} = {' | '.join(values)} ;")
    lines.append("oper")
    for name, (variables, body) in grammar["opers"].items():
        of = " -> ".join([*map(show_type, grammar["oper_types"][name]), "Str"])
        head = f"\\{','.join(variables)} -> " if variables else ""
        lines.append(f"  {name} : {of} = {head}{show(body)} ;")
    return "\n".join([*lines, "}", ""])

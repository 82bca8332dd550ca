# SPDX-License-Identifier: Apache-2.0
"""What a grammar says, tree by tree, with an evaluator of a page.

Expressions are tuples, such as ``("join", a, b)``. The value of an expression is
the set of all values it may have: a text is a tuple of tokens, or None if it does
not exist; a parameter is ``("@", constructor, arguments)``; a record or a table is
``("{}", pairs)``. Names stand for expressions, so what they are bound to varies with
each use; an argument of a linearisation is one value.
"""

from __future__ import annotations

import itertools
import re

MOST = 4000


class TooBigError(Exception):
    pass


def product(sets):
    size = 1
    for one in sets:
        size *= len(one)
    if size > MOST:
        raise TooBigError
    return itertools.product(*sets)


def values(exp, names, grammar):
    kind, *parts = exp
    inner = []
    if kind in ("join", "glue", "variants", "select", "extend"):
        inner = [values(part, names, grammar) for part in parts]
    if kind == "text":
        return {tuple(parts[0].split())}
    if kind == "bind":
        return {("&+",)}
    if kind == "nonExist":
        return {None}
    if kind == "variable":
        bound = names[parts[0]]
        return {bound[1]} if bound[0] == "value" else values(*bound[1:], grammar)
    if kind == "join":
        return {None if None in pair else pair[0] + pair[1] for pair in product(inner)}
    if kind == "glue":
        return {glued(*pair) for pair in product(inner)}
    if kind == "variants":
        return set().union(*inner)
    if kind == "constructor":
        return {("@", parts[0], ())}
    if kind == "construct":
        arguments = [values(part, names, grammar) for part in parts[1]]
        return {("@", parts[0], chosen) for chosen in product(arguments)}
    if kind == "select":
        return {dict(table[1])[key] for table, key in product(inner)}
    if kind == "project":
        return {dict(one[1])[parts[1]] for one in values(parts[0], names, grammar)}
    if kind == "record":
        fields = [values(value, names, grammar) for value in parts[0].values()]
        return {structure(parts[0], chosen) for chosen in product(fields)}
    if kind == "extend":
        return {
            structure(*zip(*{**dict(one[1]), **dict(other[1])}.items(), strict=True))
            for one, other in product(inner)
        }
    if kind == "tabulate":
        name, param, body = parts
        keys = grammar["params"][param]
        entries = [
            values(body, {**names, name: ("value", key)}, grammar) for key in keys
        ]
        return {structure(keys, chosen) for chosen in product(entries)}
    if kind == "table":
        param, branches = parts
        keys = grammar["params"][param]
        entries = [taken(branches, key, names, grammar) for key in keys]
        return {structure(keys, chosen) for chosen in product(entries)}
    if kind == "case":
        scrutinee, _, branches = parts
        return set().union(
            *(
                taken(branches, key, names, grammar)
                for key in values(scrutinee, names, grammar)
            )
        )
    if kind == "let":
        name, _, bound, body = parts
        return values(body, {**names, name: ("term", bound, names)}, grammar)
    if kind == "call":
        variables, body = grammar["opers"][parts[0]]
        bound = {
            name: ("term", argument, names)
            for name, argument in zip(variables, parts[1], strict=True)
        }
        return values(body, bound, grammar)
    raise AssertionError(kind)


def structure(keys, parts):
    return ("{}", tuple(sorted(zip(keys, parts, strict=True), key=repr)))


def taken(branches, key, names, grammar):
    """Return the values of the first branch whose pattern a key matches."""
    for pattern, body in branches:
        bound = matched(pattern, key)
        if bound is not None:
            return values(body, {**names, **bound}, grammar)
    raise AssertionError(key)


def matched(pattern, key):
    if pattern == "_":
        return {}
    if isinstance(pattern, str):
        return {pattern: ("value", key)}
    name, inner = pattern
    if name != key[1]:
        return None
    bindings = {}
    for one, part in zip(inner, key[2], strict=True):
        bound = matched(one, part)
        if bound is None:
            return None
        bindings.update(bound)
    return bindings


def glued(left, right):
    if left is None or right is None:
        return None
    if not left or not right:
        return left + right
    return (*left[:-1], left[-1] + right[0], *right[1:])


def bound_together(tokens):
    words, glue = [], False
    for token in tokens:
        if token == "&+":
            glue = True
            continue
        if glue and words:
            words[-1] += token
        else:
            words.append(token)
        glue = False
    return tuple(words)


def trees(grammar, category):
    """Yield all trees of a category: the function, and its subtrees."""
    for name, (arguments, result) in grammar["functions"].items():
        if result == category:
            below = [list(trees(grammar, argument)) for argument in arguments]
            for chosen in itertools.product(*below):
                yield (name, *chosen)


def codes(tree):
    match = re.match(r"^SemVar(\d+)([a-z]+)[A-Z]\w*$", tree[0])
    pairs = {(match[1], match[2])} if match else set()
    return pairs.union(*map(codes, tree[1:]))


def linearised(tree, grammar):
    """Return the values of a tree, or None if a function is not available."""
    if tree[0] not in grammar["lins"]:
        return None
    below = [linearised(subtree, grammar) for subtree in tree[1:]]
    if None in below:
        return None
    variables, body = grammar["lins"][tree[0]]
    texts = set()
    for chosen in product(below):
        names = {
            name: ("value", value)
            for name, value in zip(variables, chosen, strict=True)
        }
        texts |= values(body, names, grammar)
    return texts


def sentences(grammar):
    """Return the sentences by variable set and function, and the number of trees."""
    by_codes = {}
    count = 0
    for tree in trees(grammar, "S"):
        assigned = codes(tree)
        if len({variable for variable, _ in assigned}) < len(assigned):
            continue
        count += 1
        made = linearised(tree, grammar)
        if made is None:
            continue
        key = frozenset(variable + value for variable, value in assigned)
        texts = by_codes.setdefault(key, {}).setdefault(tree[0], set())
        texts |= {bound_together(one) for one in made if one is not None}
    return by_codes, count

# SPDX-License-Identifier: Apache-2.0
"""Colours, dashes and shapes, the same in every diagram.

The hues are those of Okabe and Ito, which colour-blind readers can tell apart. Dashes,
shapes or signs repeat what colours show, so diagrams also work in greyscale.
"""

from __future__ import annotations

from tertium.report.draw.svg import Paint

__all__ = [
    "BAND",
    "DARK",
    "FAINT",
    "GRID",
    "INK",
    "KINDS",
    "LINK",
    "MATCHERS",
    "MUTED",
    "PLAIN",
    "STATUS",
    "VEIL",
    "dark_rules",
]

INK = Paint("ink", stroke="#1b1f24")
MUTED = Paint("muted", stroke="#8a929c", ink="#5b6470", width=1.0)
FAINT = Paint("faint", stroke="#c9cfd6", fill="#f4f6f8", ink="#5b6470", width=1.0)
GRID = Paint("grid", stroke="#e3e7eb", width=1.0)
BAND = Paint("band", fill="#f1f3f6")
PLAIN = Paint("plain", stroke="#aeb5be", fill="#ffffff", width=1.0)
LINK = Paint("link", stroke="#8a929c", width=1.1)
VEIL = Paint("veil", fill="#ffffff")

#: Nodes of permutation trees.
KINDS = {
    "leaf": PLAIN,
    "straight": Paint("blue", stroke="#0072B2", fill="#e0eff8", ink="#004b76"),
    "inverted": Paint(
        "orange", stroke="#c77700", fill="#fdebc8", ink="#7a4900", width=1.6
    ),
    "prime": Paint("red", stroke="#c0392b", fill="#fbe1dc", ink="#8a1f13", width=2.0),
}
#: Words of dependency trees.
STATUS = {
    "matched": Paint("blue", stroke="#0072B2", fill="#e0eff8", ink="#004b76"),
    "renamed": Paint(
        "orange", stroke="#c77700", fill="#fdebc8", ink="#7a4900", width=1.4, dash="5 2"
    ),
    "deleted": Paint(
        "red", stroke="#c0392b", fill="#ffffff", ink="#8a1f13", width=1.3, dash="2 2"
    ),
}
#: Matches of words; every matcher also has a shape of its own.
MATCHERS = {
    "exact": Paint("blue solid", stroke="#0072B2", fill="#0072B2", ink="#004b76"),
    "stem": Paint("green solid", stroke="#00795a", fill="#5fcfae", ink="#00533e"),
    "synonym": Paint("orange solid", stroke="#c77700", fill="#f5bd4f", ink="#7a4900"),
    "paraphrase": Paint(
        "purple solid", stroke="#96407a", fill="#dfa3c8", ink="#6c2a57"
    ),
    "other": Paint("muted solid", stroke="#5b6470", fill="#b6bdc6", ink="#5b6470"),
}

#: The colours of dark screens by class name: stroke, fill, text.
DARK = {
    "ink": ("#e8ebef", "none", "#e8ebef"),
    "muted": ("#8f99a5", "#8f99a5", "#aab3bd"),
    "faint": ("#6b7480", "#22272e", "#aab3bd"),
    "grid": ("#343b44", "none", "#aab3bd"),
    "band": ("none", "#22272e", "#aab3bd"),
    "plain": ("#5b6470", "#1d2127", "#e8ebef"),
    "link": ("#8f99a5", "none", "#aab3bd"),
    "veil": ("none", "#16191d", "#e8ebef"),
    "paper": ("none", "#16191d", "#e8ebef"),
    "blue": ("#58b4ec", "#12344a", "#a9dafa"),
    "orange": ("#f0a83a", "#4a3208", "#fbd796"),
    "red": ("#f0806f", "#4b1b14", "#f9b9ae"),
    "green": ("#3fd0a3", "#0d4435", "#9aebd0"),
    "purple": ("#df8fc4", "#4a2240", "#f3c4e3"),
}


def dark_rules(diagram: str = "svg") -> list[str]:
    """Return the style rules that colour diagrams on dark screens.

    Parameters
    ----------
    diagram : str
        The selector of diagrams.
    """
    rules = []
    for name, (stroke, fill, ink) in DARK.items():
        rules.append(f"{diagram} .{name}{{stroke:{stroke};fill:{fill}}}")
        rules.append(f"{diagram} .{name}.text{{stroke:none;fill:{ink}}}")
        if stroke != "none":
            rules.append(f"{diagram} .{name}.solid{{fill:{stroke}}}")
        rules.append(f"{diagram} .{name}.line{{fill:none}}")
    return rules

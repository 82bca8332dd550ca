# SPDX-License-Identifier: Apache-2.0
"""Print core/text/unicode_tables.inc: the classes of characters that tokenisers need.

The `intl` tokeniser needs three general categories (N, P, S), which sacreBLEU takes
from the `regex` module, so we do too. The `words` tokeniser needs two classes more:
marks (M), and letters of scripts that are written without spaces between words.

    python tools/make_unicode_tables.py > core/text/unicode_tables.inc
"""

import sys

import regex

#: Katakana is left out: a run of it is a word more often than not.
SPACELESS = "Han Hiragana Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet"
SCRIPTS = "".join(rf"\p{{Script={name}}}" for name in SPACELESS.split())
PATTERN = regex.compile(
    rf"(\p{{N}})|(\p{{P}})|(\p{{S}})|(\p{{M}})|([[{SCRIPTS}]&&\p{{L}}])", regex.V1
)
CLASSES = {
    1: "kNumber",
    2: "kPunctuation",
    3: "kSymbol",
    4: "kCombining",
    5: "kSpaceless",
}


def classify(point: int) -> str | None:
    match = PATTERN.match(chr(point))
    return CLASSES[match.lastindex] if match else None


def ranges() -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for point in range(sys.maxunicode + 1):
        kind = classify(point)
        if kind is None:
            continue
        if found and found[-1][1] == point - 1 and found[-1][2] == kind:
            found[-1] = (found[-1][0], point, kind)
        else:
            found.append((point, point, kind))
    return found


def main() -> None:
    print("// Made by tools/make_unicode_tables.py from the `regex` module,")
    print(f"// version {regex.__version__}. Do not edit.")
    for first, last, kind in ranges():
        print(f"{{0x{first:04X}, 0x{last:04X}, {kind}}},")


if __name__ == "__main__":
    main()

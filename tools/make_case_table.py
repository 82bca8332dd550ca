# SPDX-License-Identifier: Apache-2.0
"""Print core/text/lower_case.inc: lower case of every character that has one.

Characters whose lower case is several characters keep their case.

    python tools/make_case_table.py > core/text/lower_case.inc
"""

import sys
import unicodedata


def changes() -> list[tuple[int, int]]:
    """Return characters and how far their lower case is from them."""
    pairs = ((point, chr(point).lower()) for point in range(sys.maxunicode + 1))
    return [
        (point, ord(lower) - point)
        for point, lower in pairs
        if len(lower) == 1 and ord(lower) != point
    ]


def ranges() -> list[tuple[int, int, int, int]]:
    """Return first, last, step and offset of runs of characters."""
    runs: list[list[int]] = []
    for point, offset in changes():
        if runs and runs[-1][3] == offset:
            step = point - runs[-1][1]
            if step <= 2 and runs[-1][2] in (0, step):
                runs[-1][1:3] = [point, step]
                continue
        runs.append([point, point, 0, offset])
    return [(first, last, step or 1, offset) for first, last, step, offset in runs]


def main() -> None:
    """Print the table."""
    print("// Made by tools/make_case_table.py from Unicode")
    print(f"// {unicodedata.unidata_version}. Do not edit.")
    for first, last, step, offset in ranges():
        print(f"{{0x{first:04X}, 0x{last:04X}, {step}, {offset}}},")


if __name__ == "__main__":
    main()

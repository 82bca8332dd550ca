# SPDX-License-Identifier: Apache-2.0
"""Print the requirements of a group in pyproject.toml, one per line.

pip reads dependency groups only from version 25.1 on; this works with any:

    python tools/requirements.py test | pip install -r /dev/stdin

``build-system`` prints what building needs.
"""

import re
import sys
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    tomllib = None  # type: ignore[assignment]


def requirements(group: str, text: str) -> list[str]:
    if tomllib is not None:
        project = tomllib.loads(text)
        if group == "build-system":
            return list(project["build-system"]["requires"])
        return list(project["dependency-groups"][group])
    # Without a TOML parser: the value of one key, a list of strings.
    key, table = (
        ("requires", "build-system")
        if group == "build-system"
        else (
            group,
            "dependency-groups",
        )
    )
    body = text.split(f"[{table}]\n", 1)[1].split("\n[", 1)[0]
    match = re.search(rf"^{key} = \[(.*?)\]$", body, re.DOTALL | re.MULTILINE)
    if not match:
        sys.exit(f"no group {group!r} in pyproject.toml")
    return re.findall(r'"([^"]+)"', match[1])


if __name__ == "__main__":
    pyproject = Path(__file__).parent.parent / "pyproject.toml"
    print("\n".join(requirements(sys.argv[1], pyproject.read_text(encoding="utf-8"))))

# SPDX-License-Identifier: Apache-2.0
"""Print a bill of materials: what a wheel contains, with origin and licence.

    python tools/make_sbom.py --check    # say what licences/bundled.toml misses
    python tools/make_sbom.py -o sbom.cdx.json

The table is licences/bundled.toml. The bill is a CycloneDX 1.6 document; CMake has it
made for every wheel, which keeps it in ``.dist-info/sboms`` (PEP 770). It has no date,
so that equal sources give equal wheels.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef]

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "tertium"
TABLE = ROOT / "licences" / "bundled.toml"
_BUILT = {".py", ".pyc", ".so", ".pyd"}  # our own code


def read_table() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def data_files() -> list[str]:
    """Return the files of the package that are not its own code."""
    return sorted(
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in _BUILT
    )


def matches(pattern: str, path: str) -> bool:
    """Return whether a path fits a pattern; only ``**`` crosses folders."""
    parts = (
        {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}.get(part, re.escape(part))
        for part in re.split(r"(\*\*/|\*\*|\*)", pattern)
    )
    return re.fullmatch("".join(parts), path) is not None


def problems() -> Iterator[str]:
    """Yield what the table misses, or says without need."""
    table, files = read_table(), data_files()
    for path in files:
        entries = [e["name"] for e in table["data"] if _covers(e, path)]
        if len(entries) != 1:
            yield f"src/tertium/{path} is in {len(entries)} entries {entries}, not 1"
    for entry in table["data"]:
        for pattern in entry["files"]:
            if not any(matches(pattern, path) for path in files):
                yield f"no file fits {pattern!r} of {entry['name']!r}"
    for entry in table["code"] + table["data"]:
        if "text" in entry and not (ROOT / entry["text"]).is_file():
            yield f"there is no file {entry['text']}"
    for entry in table["code"]:
        for path in entry.get("files", ()):
            if not (ROOT / path).is_file():
                yield f"there is no file {path}"


def _covers(entry: dict[str, Any], path: str) -> bool:
    return any(matches(pattern, path) for pattern in entry["files"])


def document(version: str, nanobind: str) -> dict[str, Any]:
    """Return the bill of materials of a version, built with a version of nanobind."""
    table, files = read_table(), data_files()
    for entry in table["code"]:
        if entry["name"] == "nanobind":
            entry |= {"version": nanobind, "purl": f"pkg:pypi/nanobind@{nanobind}"}
    project = {
        "type": "library",
        "bom-ref": "tertium",
        "name": "tertium",
        "version": version,
        "licenses": [{"expression": "Apache-2.0"}],
        "purl": f"pkg:pypi/tertium@{version}",
    }
    components = [_component(entry, "library", []) for entry in table["code"]]
    for entry in table["data"]:
        covered = [path for path in files if _covers(entry, path)]
        components.append(_component(entry, "data", covered))
    references = [component["bom-ref"] for component in components]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": project},
        "components": components,
        "dependencies": [
            {"ref": "tertium", "dependsOn": references},
            *({"ref": reference} for reference in references),
        ],
    }


def _component(entry: dict[str, Any], kind: str, files: list[str]) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": kind,
        "bom-ref": re.sub(r"\W+", "-", entry["name"].lower()),
        "name": entry["name"],
        **({"version": entry["version"]} if "version" in entry else {}),
        "description": entry["about"],
        "licenses": [{"expression": entry["licence"]}],
    }
    if "purl" in entry:
        component["purl"] = entry["purl"]
    if "origin" in entry:
        component["externalReferences"] = [{"type": "website", "url": entry["origin"]}]
    if files:
        component["components"] = [
            {
                "type": "file",
                "bom-ref": f"tertium/{path}",
                "name": f"tertium/{path}",
                "hashes": [{"alg": "SHA-256", "content": _digest(PACKAGE / path)}],
            }
            for path in files
        ]
    return component


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def own_version() -> str:
    text = (PACKAGE / "_version.py").read_text(encoding="utf-8")
    return re.findall(r'^__version__ = "(.+)"', text, re.MULTILINE)[0]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check",
        action="store_true",
        help="only exit with 1 if a file has no entry in licences/bundled.toml",
    )
    parser.add_argument("--nanobind", metavar="VERSION", default="unknown")
    parser.add_argument("-o", "--output", metavar="FILE", help="(default: stdout)")
    options = parser.parse_args(argv)
    complaints = list(problems())
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if complaints or options.check:
        return bool(complaints)
    bill = document(own_version(), options.nanobind)
    text = json.dumps(bill, indent=1, ensure_ascii=False) + "\n"
    if options.output is None:
        print(text, end="")
        return 0
    target = Path(options.output)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

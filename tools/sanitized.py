# SPDX-License-Identifier: Apache-2.0
"""Run kernel tests against the core in a folder; see tools/sanitize.sh."""

import sys
from pathlib import Path

import pytest

TESTS = [
    "tests/unit/metrics",
    "tests/unit/stats",
    "tests/unit/align",
    "tests/unit/order",
    "tests/unit/preorder",
    "tests/unit/grammars/search/test_closest_kernel.py",
    "tests/unit/grammars/search/test_closest_peers.py",
    "tests/unit/trees/test_edit.py",
    "tests/unit/trees/test_derp.py",
    "tests/unit/trees/test_dted.py",
    "tests/unit/learn",
    "tests/unit/meta",
    "tests/unit/judgements/test_ranking.py",
    "tests/unit/test_pairs.py",
    "tests/laws",
    "tests/conformance/test_vectors.py",
]


def main() -> int:
    target = Path(sys.argv[1]).resolve()
    # The editable install of the working tree must not win over the folder.
    sys.meta_path[:] = [f for f in sys.meta_path if "skbc" not in type(f).__module__]
    sys.path.insert(0, str(target))
    import tertium

    if not Path(tertium.__file__).is_relative_to(target):
        print(f"tertium comes from {tertium.__file__}, not from {target}")
        return 2
    # Checked memory is not returned at once, so its growth says nothing.
    options = ["-q", "-s", "-o", "addopts=--import-mode=importlib", "-k", "not memory"]
    return pytest.main([*options, *(sys.argv[2:] or TESTS)])


if __name__ == "__main__":
    sys.exit(main())

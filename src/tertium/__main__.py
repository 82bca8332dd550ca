# SPDX-License-Identifier: Apache-2.0
"""``python -m tertium`` is ``tertium``."""

from tertium.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

# SPDX-License-Identifier: Apache-2.0
"""Django's settings for tests: a database that is thrown away.

``TERTIUM_TEST_DATABASE`` names another kind of database than SQLite.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_folder = tempfile.TemporaryDirectory(prefix="tertium-tests-")
_place = Path(_folder.name)
os.environ["TERTIUM_DATABASE"] = os.environ.get(
    "TERTIUM_TEST_DATABASE", str(_place / "unused.sqlite3")
)
# Playwright keeps an event loop running in the process that drives a browser; Django
# would take every later test in it for asynchronous. The server has no such code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
os.environ["TERTIUM_SECRET_FILE"] = str(_place / "secret.key")

from django.contrib.auth.hashers import Argon2PasswordHasher  # noqa: E402

from tertium.campaigns.site.settings import *  # noqa: E402, F403
from tertium.campaigns.site.settings import DATABASES  # noqa: E402

# A file, not memory: tests of leases open several connections.
if "sqlite3" in str(DATABASES["default"]["ENGINE"]):
    DATABASES["default"]["TEST"] = {"NAME": str(_place / "test.sqlite3")}


class QuickArgon2(Argon2PasswordHasher):
    """As the server's, with the least work that it can be asked for."""

    time_cost = 1
    memory_cost = 8
    parallelism = 1


# Tests of limits try hundreds of passwords.
PASSWORD_HASHERS = ["support.campaign_settings.QuickArgon2"]

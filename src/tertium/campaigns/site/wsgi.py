# SPDX-License-Identifier: Apache-2.0
"""For WSGI servers: ``gunicorn tertium.campaigns.site.wsgi``."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from tertium.campaigns.site.headers import behind_proxy, utf8_only
from tertium.campaigns.site.setup import use_settings

use_settings()
application = behind_proxy(
    utf8_only(get_wsgi_application()), os.environ.get("TERTIUM_PROXY", "")
)

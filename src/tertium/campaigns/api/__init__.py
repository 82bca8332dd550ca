# SPDX-License-Identifier: Apache-2.0
"""The REST API under ``/api/v1/``: plain JSON, described by ``openapi.json``.

* ``tokens``    what programs show; signed, expiring, revocable
* ``callers``   who is asking, and what they may do
* ``replies``   errors as JSON, methods, uploads
* ``views``     the addresses
* ``document``  the same addresses as OpenAPI
"""

from __future__ import annotations

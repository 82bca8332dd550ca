# SPDX-License-Identifier: Apache-2.0
"""Judgements from elsewhere into a campaign: all of a file, or nothing.

* ``files``    which format a file has, and what is done with it
* ``raw``      raw judgements from another server, with items and judges
* ``records``  judgements in any format that Tertium reads, for items that are there
* ``fields``   what a raw line may hold
* ``keeping``  what both put into the database, and what they report
"""

from __future__ import annotations

from tertium.campaigns.exchange.importing.files import import_file
from tertium.campaigns.exchange.importing.keeping import BadLine, Imported
from tertium.campaigns.exchange.importing.raw import import_raw

__all__ = ["BadLine", "Imported", "import_file", "import_raw"]

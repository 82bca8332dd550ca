# SPDX-License-Identifier: Apache-2.0
"""The annotation server: campaigns that collect human judgements (extra ``[web]``).

* ``config``     what a campaign is, read from TOML; needs no Django
* ``site``       the Django project: settings, addresses, the production server
* ``models``     the database
* ``tasks``      one folder a kind of question: items, template, validation, export
* ``work``       who gets which item: sampling, leases, drafts, submission
* ``views``      pages, thin over the rooms above

People are blind to systems: their names live in one table, ``Origin``, that no
annotator's page reads.
"""

from __future__ import annotations

__all__: list[str] = []

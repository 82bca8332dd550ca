# SPDX-License-Identifier: Apache-2.0
"""Reports: tables for terminals and papers, HTML pages, charts and diagrams.

The package is also the function :func:`tertium.analysis.report`, because Python keeps
functions and subpackages of a package under the same names: ``tertium.report(...)``
writes a report on systems, and ``import tertium.report.explain`` goes on working.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspect import Signature


class _CallableModule(ModuleType):
    """A package that is called like a function."""

    def __call__(self, *args: object, **kwargs: object) -> object:
        from tertium.analysis.report import report

        return report(*args, **kwargs)  # type: ignore[arg-type]

    @property
    def __signature__(self) -> Signature:
        from inspect import signature

        from tertium.analysis.report import report

        return signature(report)


sys.modules[__name__].__class__ = _CallableModule

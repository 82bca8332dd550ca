# SPDX-License-Identifier: Apache-2.0
"""The documentation: guides in Markdown, and what generates the other pages."""

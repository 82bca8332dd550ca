# SPDX-License-Identifier: Apache-2.0
"""Reports of error analysis by grammars."""

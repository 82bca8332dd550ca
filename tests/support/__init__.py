# SPDX-License-Identifier: Apache-2.0
"""What tests of several folders share: data, servers, strategies."""

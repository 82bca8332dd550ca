# SPDX-License-Identifier: Apache-2.0
"""How far judges agree: kappa, alpha, intraclass correlations."""

// SPDX-License-Identifier: Apache-2.0
// The probability that two words change places, from a chart with outside values.
#pragma once

#include <span>

#include "preorder/parse_chart.hpp"

namespace tertium {

// For words i < j, write the posterior that j comes before i to out[i * words + j].
//
// A node whose children c < d change places adds its posterior to a rectangle: the words
// of c times those of d. As a two-dimensional difference, a rectangle is four pairs of
// node boundaries, so the posteriors of all pairs of boundaries suffice; those of edges
// with all their boundaries, O(n^5) of arity 4, are never needed. A pair of boundaries is
// a slot, an item with its start, or, for arity 3 and more, a chain of inner children with
// what is around it.
void swap_posteriors(const ParseChart& chart, std::span<double> out);

}  // namespace tertium

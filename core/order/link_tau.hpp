// SPDX-License-Identifier: Apache-2.0
// Kendall's tau over pairs of links (McCaffery 2017, 3.5.2).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "align/pairs.hpp"

namespace tertium {

using WordLink = std::pair<std::uint32_t, std::uint32_t>;  // hypothesis, reference

// (concordant - discordant) / (concordant + discordant) over all pairs of links;
// pairs that share a word are skipped. Nothing if no pair is left. O(n log n).
// Changes the order of the links.
std::optional<double> link_tau(std::vector<WordLink>& links);

// Row: tau and 1, or 0 and 0 where it is undefined; and 1 where it is undefined.
// A match of phrases links each of its words with each.
std::unique_ptr<PairKernel> make_link_tau();

}  // namespace tertium

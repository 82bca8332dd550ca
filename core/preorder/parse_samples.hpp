// SPDX-License-Identifier: Apache-2.0
// Orders sampled from the distribution of a reordering grammar.
#pragma once

#include <cstdint>
#include <vector>

#include "preorder/parser.hpp"
#include "preorder/risk.hpp"

namespace tertium {

struct SampledOrder {
  Order order;
  std::int64_t count;
};

// Sample derivations top down (Stanojević 2017, section 3.3.3) and count their orders:
// the most frequent first, equal ones in lexicographic order. The stream of random
// numbers depends on the seed and the sentence's number alone.
std::vector<SampledOrder> sample_orders(const Parser& parser, std::size_t count,
                                        std::uint64_t seed, std::uint64_t sentence);

}  // namespace tertium

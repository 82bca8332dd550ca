// SPDX-License-Identifier: Apache-2.0
// TER (Snover et al. 2006) with Tercom's greedy shifts, equal to sacreBLEU's.
#pragma once

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

// Row: edits against the closest reference, mean reference length.
std::unique_ptr<Kernel> make_ter(const TercomOptions& options);

}  // namespace tertium

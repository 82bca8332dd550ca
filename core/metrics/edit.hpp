// SPDX-License-Identifier: Apache-2.0
// Word error rates: WER, PER (Tillmann et al. 1997), CDER (Leusch et al. 2006).
#pragma once

#include <cstdint>

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

enum class EditKind : std::uint8_t { kWer, kPer, kCder };

// Row: errors, length of the reference with the lowest rate.
std::unique_ptr<Kernel> make_edit(EditKind kind, Scheme scheme);

// errors / length; with nothing to count against, 1 if there are errors, else 0.
double error_rate(double errors, double length);

}  // namespace tertium

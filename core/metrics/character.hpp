// SPDX-License-Identifier: Apache-2.0
// CharacTER (Wang et al. 2016): word shifts, then character edits.
#pragma once

#include "base/kernel.hpp"

namespace tertium {

struct CharacterOptions {
  // Words match for a shift if their character distance is below this share
  // of the longer one's length. The paper says "below a threshold" only.
  double threshold = 0.34;
};

// Row: shift cost plus character edits, characters of the hypothesis.
std::unique_ptr<Kernel> make_character(const CharacterOptions& options);

}  // namespace tertium

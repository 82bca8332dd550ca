// SPDX-License-Identifier: Apache-2.0
// A quick test for lines that may be on an upper envelope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tertium {

// Mark which lines, offset + gamma * slope, may win at some gamma: 1, or 0 for most of
// those that win nowhere. As points (slope, offset) the winners are an upper hull, so
// points below chords between hull points are not on it. The five hull points used are
// the ends, the highest point, and the farthest above each chord between them, as the
// first steps of quickhull (Barber, Dobkin and Huhdanpaa 1996) have it. O(n).
void mark_candidates(std::span<const double> offsets, std::span<const double> slopes,
                     std::uint8_t* out);

}  // namespace tertium

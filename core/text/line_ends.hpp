// SPDX-License-Identifier: Apache-2.0
// Where every so many lines of a file end, block by block.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tertium {

// How many line ends a text has.
std::size_t count_line_ends(std::string_view text);

// The places after every `size`-th line end of a block, where `before` lines of the
// same piece came in blocks before (fewer than `size`); and the lines of the piece
// that the block leaves open.
struct LineEnds {
  std::vector<std::size_t> places;
  std::size_t lines = 0;
};
LineEnds find_line_ends(std::string_view block, std::size_t size, std::size_t before);

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
#include "text/line_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/clones.hpp"

namespace tertium {

namespace {

constexpr std::size_t kLanes = 64;
constexpr std::size_t kRounds = 255;    // until a byte is full
constexpr std::size_t kPiece = 1 << 12;  // bytes that are counted before a place is looked for

// Bytes add up lane by lane, so that the loop runs in vector registers.
TERTIUM_CLONES std::size_t count(const char* data, std::size_t length) {
  std::size_t total = 0, at = 0;
  while (length - at >= kLanes) {
    unsigned char lanes[kLanes] = {};
    const std::size_t rounds = std::min(kRounds, (length - at) / kLanes);
    for (std::size_t round = 0; round < rounds; ++round, at += kLanes)
      for (std::size_t k = 0; k < kLanes; ++k)
        lanes[k] = static_cast<unsigned char>(lanes[k] + (data[at + k] == '\n'));
    for (const unsigned char lane : lanes) total += lane;
  }
  for (; at < length; ++at) total += data[at] == '\n';
  return total;
}

// The place after the given line end of a text that has as many.
std::size_t after(std::string_view text, std::size_t number) {
  const char* place = text.data();
  for (; number > 0; --number) {
    const auto rest = static_cast<std::size_t>(text.data() + text.size() - place);
    place = static_cast<const char*>(std::memchr(place, '\n', rest)) + 1;
  }
  return static_cast<std::size_t>(place - text.data());
}

}  // namespace

std::size_t count_line_ends(std::string_view text) { return count(text.data(), text.size()); }

LineEnds find_line_ends(std::string_view block, std::size_t size, std::size_t before) {
  LineEnds out{{}, before};
  for (std::size_t start = 0; start < block.size(); start += kPiece) {
    std::string_view piece = block.substr(start, kPiece);
    std::size_t lines = count_line_ends(piece), done = 0;
    while (out.lines + lines >= size) {
      const std::size_t wanted = size - out.lines;
      done += after(piece.substr(done), wanted);
      out.places.push_back(start + done);
      lines -= wanted;
      out.lines = 0;
    }
    out.lines += lines;
  }
  return out;
}

}  // namespace tertium

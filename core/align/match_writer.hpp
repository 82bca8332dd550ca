// SPDX-License-Identifier: Apache-2.0
// Where aligners put their matches.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "align/pairs.hpp"

namespace tertium {

// Gives the pairs of a batch their matches; one per thread. Those of many pairs are side
// by side in a few large blocks, as memory for every single pair costs more than to
// align most of them.
class MatchWriter {
 public:
  explicit MatchWriter(PairBatch& batch) : batch_(batch), unsure_(batch.systems()) {}

  // Call align(pair, its number, out) for all pairs of segments [from, to) and keep what
  // it writes to `out`. Returns how often it returned false. If `alike`, equal outputs
  // of a segment are aligned once: systems often agree, above all on short segments.
  template <class Align>
  std::size_t write_all(std::size_t from, std::size_t to, bool alike, Align align) {
    std::size_t unsure = 0;
    for (std::size_t i = from; i < to; ++i)
      for (std::size_t s = 0; s < batch_.systems(); ++s) {
        const std::size_t twin = alike ? first_equal(s, i) : s;
        if (twin < s) {
          share(twin, s, i);
        } else {
          unsure_[s] = 0;
          for (std::size_t r = batch_.first_ref(i); r < batch_.first_ref(i + 1); ++r) {
            unsure_[s] += !align(batch_.pair(s, i, r), s * batch_.refs() + r, out_);
            write(s, r);
          }
        }
        unsure += unsure_[s];
      }
    return unsure;
  }

 private:
  static constexpr std::size_t kMatches = 2048;  // of a block

  // The first system with the same output as `system`: itself, if none is before it.
  std::size_t first_equal(std::size_t system, std::size_t segment) const;
  void share(std::size_t from, std::size_t to, std::size_t segment);
  void write(std::size_t system, std::size_t ref);

  PairBatch& batch_;
  std::vector<Match>* block_ = nullptr;  // it never grows, so that matches stay in place
  std::vector<Match> out_;
  std::vector<std::size_t> unsure_;  // pairs of the current segment, by system
};

}  // namespace tertium

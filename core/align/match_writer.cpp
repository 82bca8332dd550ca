// SPDX-License-Identifier: Apache-2.0
#include "align/match_writer.hpp"

#include <algorithm>

namespace tertium {

std::size_t MatchWriter::first_equal(std::size_t system, std::size_t segment) const {
  const auto words = [&](std::size_t s) {
    return batch_.words().text(batch_.hyp_text(s, segment));
  };
  const auto own = words(system);
  std::size_t s = 0;
  while (s < system && !std::ranges::equal(words(s), own)) ++s;
  return s;
}

void MatchWriter::share(std::size_t from, std::size_t to, std::size_t segment) {
  for (std::size_t r = batch_.first_ref(segment); r < batch_.first_ref(segment + 1); ++r)
    batch_.matches_[to * batch_.refs() + r] = batch_.matches_[from * batch_.refs() + r];
  unsure_[to] = unsure_[from];
}

void MatchWriter::write(std::size_t system, std::size_t ref) {
  if (!block_ || block_->capacity() - block_->size() < out_.size()) {
    block_ = &batch_.add_block({});
    block_->reserve(std::max(kMatches, out_.size()));
  }
  const std::size_t start = block_->size();
  block_->insert(block_->end(), out_.begin(), out_.end());
  batch_.matches_[system * batch_.refs() + ref] = std::span(*block_).subspan(start);
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
#include "align/context.hpp"

#include <algorithm>

namespace tertium {

void ContextAligner::Occurrences::start(Symbols text, std::uint32_t word) {
  text_ = text;
  places_.clear();
  for (std::uint32_t p = 0; p < text.size(); ++p)
    if (text[p] == word) places_.push_back(p);
}

void ContextAligner::Occurrences::keep(std::ptrdiff_t offset, std::uint32_t word) {
  std::erase_if(places_, [&](std::uint32_t place) {
    const std::ptrdiff_t p = static_cast<std::ptrdiff_t>(place) + offset;
    return p < 0 || p >= static_cast<std::ptrdiff_t>(text_.size()) ||
           text_[static_cast<std::size_t>(p)] != word;
  });
}

std::span<const Identified> ContextAligner::align(Symbols hyp, Symbols ref, std::size_t types) {
  found_.clear();
  if (hyp_counts_.size() <= types) {
    hyp_counts_.resize(types + 1);
    ref_counts_.resize(types + 1);
  }
  for (const std::uint32_t word : hyp) ++hyp_counts_[word];
  for (const std::uint32_t word : ref) ++ref_counts_[word];
  for (std::uint32_t i = 0; i < hyp.size(); ++i) {
    const std::uint32_t word = hyp[i];
    if (i % 16 == 15) pace_.spend(16 * (hyp.size() + ref.size()));
    if (ref_counts_[word] == 0) continue;
    if (hyp_counts_[word] == 1 && ref_counts_[word] == 1) {
      const auto place = std::find(ref.begin(), ref.end(), word) - ref.begin();
      found_.push_back({i, static_cast<std::uint32_t>(place)});
    } else {
      by_context(hyp, ref, i);
    }
  }
  for (const std::uint32_t word : hyp) hyp_counts_[word] = 0;
  for (const std::uint32_t word : ref) ref_counts_[word] = 0;
  return found_;
}

void ContextAligner::by_context(Symbols hyp, Symbols ref, std::uint32_t i) {
  for (Occurrences* side : {&right_ref_, &left_ref_}) side->start(ref, hyp[i]);
  for (Occurrences* side : {&right_hyp_, &left_hyp_}) side->start(hyp, hyp[i]);
  const std::size_t limit = std::min(std::max<std::size_t>(i, hyp.size() - i + 1), ref.size());
  for (std::size_t window = 1; window < limit; ++window) {
    const auto offset = static_cast<std::ptrdiff_t>(window);
    if (i + window < hyp.size()) {
      right_ref_.keep(offset, hyp[i + window]);
      right_hyp_.keep(offset, hyp[i + window]);
      if (right_ref_.size() == 1 && right_hyp_.size() == 1)
        return found_.push_back({i, right_ref_.front()});
    }
    if (window <= i) {
      left_ref_.keep(-offset, hyp[i - window]);
      left_hyp_.keep(-offset, hyp[i - window]);
      if (left_ref_.size() == 1 && left_hyp_.size() == 1)
        return found_.push_back({i, left_ref_.front()});
    }
    const bool right_open = right_ref_.size() > 0 && i + window + 1 < hyp.size();
    const bool left_open = left_ref_.size() > 0 && window + 1 <= i;
    if (!right_open && !left_open) return;
  }
}

}  // namespace tertium

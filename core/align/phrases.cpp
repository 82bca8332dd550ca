// SPDX-License-Identifier: Apache-2.0
#include "align/phrases.hpp"

#include <algorithm>

namespace tertium {

void PhraseTable::add(std::string_view phrase, std::string_view paraphrase) {
  closed_ = false;  // new phrases have no list of paraphrases yet
  const std::uint32_t a = number(phrase), b = number(paraphrase);
  if (a == kRoot || b == kRoot || a == b) return;  // nothing, or nothing new
  pairs_.emplace_back(a, b);
  pairs_.emplace_back(b, a);
}

void PhraseTable::close() {
  if (closed_) return;
  std::sort(pairs_.begin(), pairs_.end());
  repeated_.clear();
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    if (i > 0 && pairs_[i] == pairs_[i - 1]) repeated_.back() = true;
    else repeated_.push_back(false);
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  first_.assign(last_node_ + std::size_t{2}, 0);
  for (const auto& [phrase, other] : pairs_) ++first_[phrase + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  others_.clear();
  for (const auto& [phrase, other] : pairs_) others_.push_back(other);
  closed_ = true;
}

bool PhraseTable::repeated(std::uint32_t phrase, std::uint32_t other) const {
  const auto begin = others_.begin() + static_cast<std::ptrdiff_t>(first_[phrase]);
  const auto end = others_.begin() + static_cast<std::ptrdiff_t>(first_[phrase + 1]);
  const auto found = std::lower_bound(begin, end, other);
  return found != end && *found == other &&
         repeated_[static_cast<std::size_t>(found - others_.begin())];
}

std::uint32_t PhraseTable::number(std::string_view phrase) {
  std::uint32_t node = kRoot;
  for (std::size_t start = 0; start < phrase.size();) {
    const std::size_t end = std::min(phrase.find(' ', start), phrase.size());
    if (end > start) {
      const std::uint32_t word = words_.add(phrase.substr(start, end - start));
      std::uint32_t& next = nodes_.at_or_add(edge(node, word));
      if (next == 0) next = ++last_node_;
      node = next;
    }
    start = end + 1;
  }
  return node;
}

}  // namespace tertium

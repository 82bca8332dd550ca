// SPDX-License-Identifier: Apache-2.0
#include "text/skip_pairs.hpp"

#include <algorithm>
#include <array>

#include "base/clones.hpp"

namespace tertium {

namespace {

using Count = std::int16_t;

constexpr std::size_t kOneAt = 64;

// Read from &kOne[kOneAt - t] on, it is zero but for place t.
constexpr auto kOne = [] {
  std::array<Count, 2 * kOneAt> out{};
  out[kOneAt] = 1;
  return out;
}();

// Count the pairs of words below `types` <= S in rows of S. The counts of the words
// before are kept in registers, which a change of one place would not allow: so
// words are added and taken away as whole rows that are zero but for one place.
template <std::size_t S>
void fill_rows(std::span<const std::uint32_t> words, std::size_t types, std::size_t reach,
               Count* matrix) {
  static_assert(S <= kOneAt);
  Count window[S] = {};
  for (std::size_t j = 0; j < words.size(); ++j) {
    if (j > reach && words[j - reach - 1] < types) {
      const Count* one = &kOne[kOneAt - words[j - reach - 1]];
      for (std::size_t k = 0; k < S; ++k) window[k] = static_cast<Count>(window[k] - one[k]);
    }
    if (words[j] >= types) continue;
    const Count* one = &kOne[kOneAt - words[j]];
    Count* row = matrix + words[j] * S;
    for (std::size_t k = 0; k < S; ++k) row[k] = static_cast<Count>(row[k] + window[k]);
    for (std::size_t k = 0; k < S; ++k) window[k] = static_cast<Count>(window[k] + one[k]);
  }
}

// The sum has no more than 32,640 pairs, so that no lane overflows.
TERTIUM_CLONES std::size_t sum_of_smaller(const Count* a, const Count* b, std::size_t n) {
  constexpr std::size_t kLanes = 16;
  Count sums[kLanes] = {};
  for (std::size_t i = 0; i < n; i += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k)
      sums[k] = static_cast<Count>(sums[k] + std::min(a[i + k], b[i + k]));
  std::size_t total = 0;
  for (const Count sum : sums) total += static_cast<std::size_t>(sum);
  return total;
}

}  // namespace

std::size_t SkipPairs::total(std::size_t words) const {
  if (words < 2) return 0;
  // A pair with d - 1 words between is there words - d times.
  const std::size_t most = words - 1;
  if (gap_ < 0 || static_cast<std::size_t>(gap_) + 1 >= most) return words * most / 2;
  const std::size_t reach = static_cast<std::size_t>(gap_) + 1;
  return reach * words - reach * (reach + 1) / 2;
}

void SkipPairs::set_ref(Words ref, std::size_t types) {
  ref_ = ref;
  types_ = types;
  stride_ = 0;
  if (ref.size() > kShort || types > kShort) return;
  stride_ = std::max<std::size_t>(1, (types + kLanes - 1) / kLanes) * kLanes;
  fill(ref, ref_matrix_);
}

std::size_t SkipPairs::common(Words hyp) {
  if (stride_ != 0 && hyp.size() <= kShort) {
    fill(hyp, hyp_matrix_);
    return sum_of_smaller(ref_matrix_.data(), hyp_matrix_.data(), types_ * stride_);
  }
  return gap_ >= 0 && gap_ < kHashed ? common_by_hash(hyp) : common_by_second(hyp);
}

void SkipPairs::fill(Words words, std::vector<Count>& matrix) {
  matrix.assign(types_ * stride_, 0);
  const std::size_t reach = gap_ < 0 ? words.size() : static_cast<std::size_t>(gap_) + 1;
  switch (stride_) {
    case 16: return fill_rows<16>(words, types_, reach, matrix.data());
    case 32: return fill_rows<32>(words, types_, reach, matrix.data());
    case 48: return fill_rows<48>(words, types_, reach, matrix.data());
    case 64: return fill_rows<64>(words, types_, reach, matrix.data());
    default: break;
  }
  window_.assign(stride_, 0);
  for (std::size_t j = 0; j < words.size(); ++j) {
    if (j > reach && words[j - reach - 1] < types_) --window_[words[j - reach - 1]];
    if (words[j] >= types_) continue;
    Count* row = &matrix[words[j] * stride_];
    for (std::size_t k = 0; k < stride_; ++k) row[k] = static_cast<Count>(row[k] + window_[k]);
    ++window_[words[j]];
  }
}

template <class Visit>
void SkipPairs::for_each_pair(Words words, Visit&& visit) const {
  const std::size_t reach = static_cast<std::size_t>(gap_) + 1;
  for (std::size_t j = 1; j < words.size(); ++j) {
    if (words[j] >= types_) continue;
    for (std::size_t i = j > reach ? j - reach : 0; i < j; ++i)
      if (words[i] < types_) visit(words[i], words[j]);
  }
}

std::size_t SkipPairs::common_by_hash(Words hyp) {
  const auto key = [](std::uint32_t first, std::uint32_t second) {
    return static_cast<std::uint64_t>(first) << 32 | second;
  };
  map_.reset(total(ref_.size()));
  for_each_pair(ref_, [&](std::uint32_t first, std::uint32_t second) {
    FlatMap::Slot& slot = map_.find(key(first, second));
    if (map_.holds(slot)) ++slot.value;
    else map_.fill(slot, key(first, second), 1);
  });
  std::size_t found = 0;
  for_each_pair(hyp, [&](std::uint32_t first, std::uint32_t second) {
    FlatMap::Slot& slot = map_.find(key(first, second));
    if (!map_.holds(slot) || slot.value == 0) return;
    --slot.value;
    ++found;
  });
  return found;
}

// One second word after the other: types * words steps, but memory for one row.
std::size_t SkipPairs::common_by_second(Words hyp) {
  std::size_t found = 0;
  for (std::uint32_t second = 0; second < types_; ++second) {
    count_first(hyp, second, hyp_counts_);
    count_first(ref_, second, ref_counts_);
    for (std::size_t k = 0; k < types_; ++k) found += std::min(hyp_counts_[k], ref_counts_[k]);
    pace_.spend(hyp.size() + ref_.size() + types_);
  }
  return found;
}

// Add to counts[a] the pairs of word a with `second` behind it.
void SkipPairs::count_first(Words words, std::uint32_t second,
                            std::vector<std::uint64_t>& counts) const {
  counts.assign(types_ + 1, 0);
  const std::size_t n = words.size();
  const std::size_t reach = gap_ < 0 ? n : static_cast<std::size_t>(gap_) + 1;
  std::uint64_t behind = 0;  // how often `second` is among the next `reach` words
  for (std::size_t i = n; i-- > 0;) {
    if (reach < n && i + reach + 1 < n && words[i + reach + 1] == second) --behind;
    counts[std::min<std::size_t>(words[i], types_)] += behind;
    if (words[i] == second) ++behind;
  }
}

}  // namespace tertium

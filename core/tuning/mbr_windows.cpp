// SPDX-License-Identifier: Apache-2.0
#include "tuning/mbr_windows.hpp"

#include <algorithm>
#include <bit>

#include "base/flat_map.hpp"

namespace tertium {

std::uint32_t EpochMap::at_or_add(std::uint64_t key, std::uint32_t fresh) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = mix(key) & mask;
  while (slots_[i].epoch == epoch_) {
    if (slots_[i].key == key) return slots_[i].value;
    i = (i + 1) & mask;
  }
  slots_[i] = {key, epoch_, fresh};
  if (2 * ++used_ > slots_.size()) grow();
  return fresh;
}

void EpochMap::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.epoch != epoch_) continue;
    std::size_t i = mix(slot.key) & mask;
    while (slots_[i].epoch == epoch_) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

void NgramWindows::reset(std::size_t orders, std::size_t types) {
  orders_ = orders;
  bits_ = static_cast<unsigned>(std::bit_width(types));
  if (bits_ * orders > 64) bits_ = 0;
  windows_.clear();
  children_.clear();
  grams_.clear();
  walked_.resize(orders);
  gram_count_ = 1;
  texts_.clear();
  first_.assign(1, 0);
}

void NgramWindows::add(std::span<const std::uint32_t> symbols) {
  const std::size_t start = texts_.size();
  texts_.resize(start + symbols.size());
  const unsigned top = bits_ * static_cast<unsigned>(orders_ - 1);
  std::uint64_t packed = 0;  // symbols are counted from 1: zeros are behind the end
  for (std::size_t i = symbols.size(); i-- > 0;) {
    if (bits_) packed = packed >> bits_ | (symbols[i] + std::uint64_t{1}) << top;
    texts_[start + i] = window_at(symbols, i, packed);
  }
  first_.push_back(texts_.size());
}

std::uint32_t NgramWindows::window_at(std::span<const std::uint32_t> symbols, std::size_t i,
                                      std::uint64_t packed) {
  const auto fresh = static_cast<std::uint32_t>(windows());
  // The longest n-gram tells a window from all others, too, but takes `orders` look-ups.
  const std::uint64_t key = bits_ ? packed : walk(symbols, i, walked_.data());
  const std::uint32_t window = windows_.at_or_add(key, fresh);
  if (window == fresh) {
    if (bits_) walk(symbols, i, walked_.data());
    grams_.insert(grams_.end(), walked_.begin(), walked_.end());
  }
  return window;
}

// Write the n-grams that start at a place, and return the longest.
std::uint32_t NgramWindows::walk(std::span<const std::uint32_t> symbols, std::size_t i,
                                 std::uint32_t* out) {
  const std::size_t longest = std::min(orders_, symbols.size() - i);
  std::uint32_t gram = kNone;
  for (std::size_t n = 0; n < longest; ++n) {
    const auto fresh = static_cast<std::uint32_t>(gram_count_);
    gram = children_.at_or_add(std::uint64_t{gram} << 32 | symbols[i + n], fresh);
    if (gram == fresh) ++gram_count_;
    out[n] = gram;
  }
  std::fill(out + longest, out + orders_, kNone);
  return gram;
}

}  // namespace tertium

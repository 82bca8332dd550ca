// SPDX-License-Identifier: Apache-2.0
// An open-addressing map from 64-bit keys to 32-bit values, emptied in O(1).
//
// Kernels fill and empty one map a segment, so emptying must not touch the
// table: every slot carries the epoch in which it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

inline std::uint64_t mix(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15ull;
  return x ^ (x >> 32);
}

class FlatMap {
 public:
  struct Slot {
    std::uint64_t key;
    std::uint32_t epoch;
    std::uint32_t value;
  };

  // Empty the map and make room for `keys` keys without growing.
  void reset(std::size_t keys) {
    std::size_t wanted = 64;
    while (wanted < 2 * keys) wanted *= 2;
    if (wanted > slots_.size()) {
      slots_.assign(wanted, Slot{0, 0, 0});
      epoch_ = 0;
    }
    // Probe only a part of a large table for short segments: it stays in cache.
    mask_ = wanted - 1;
    if (++epoch_ == 0) {
      for (Slot& slot : slots_) slot.epoch = 0;
      epoch_ = 1;
    }
  }

  // The slot of `key`; a fresh one has epoch != epoch() and must be filled.
  Slot& find(std::uint64_t key) {
    std::size_t i = mix(key) & mask_;
    while (slots_[i].epoch == epoch_ && slots_[i].key != key) i = (i + 1) & mask_;
    return slots_[i];
  }

  bool holds(const Slot& slot) const { return slot.epoch == epoch_; }

  void fill(Slot& slot, std::uint64_t key, std::uint32_t value) {
    slot = Slot{key, epoch_, value};
  }

 private:
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint32_t epoch_ = 0;
};

}  // namespace tertium

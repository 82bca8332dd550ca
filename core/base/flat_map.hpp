// SPDX-License-Identifier: Apache-2.0
// An open-addressing map from 64-bit keys to 32-bit values, emptied in O(1).
//
// Kernels fill and empty one map a segment, so emptying must not touch the
// table: every slot carries the epoch in which it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/compiler.hpp"

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

// A map that grows and is never emptied; absent keys have the value 0.
class GrowingMap {
 public:
  std::uint32_t at(std::uint64_t key) const { return slots_[place(key)].value; }

  // Have the place of `key` brought into the cache.
  void prefetch(std::uint64_t key) const {
    tertium::prefetch(&slots_[mix(key) & (slots_.size() - 1)]);
  }

  // Make room for so many keys at once.
  void reserve(std::size_t keys) {
    std::size_t size = slots_.size();
    while (size < 2 * keys) size *= 2;
    if (size > slots_.size()) grow(size);
  }

  // The value of `key`, to be set to something other than 0 if it is 0. The
  // reference is valid until the next call.
  std::uint32_t& at_or_add(std::uint64_t key) {
    if (2 * ++used_ > slots_.size()) grow(2 * slots_.size());
    Slot& slot = slots_[place(key)];
    if (slot.value == 0) slot.key = key;
    else --used_;
    return slot.value;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = 0;
  };

  std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = mix(key) & mask;
    while (slots_[i].value != 0 && slots_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  void grow(std::size_t size) {
    std::vector<Slot> old(size);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.value != 0) slots_[place(slot.key)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::size_t used_ = 0;
};

}  // namespace tertium

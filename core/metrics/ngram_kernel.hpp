// SPDX-License-Identifier: Apache-2.0
// Metrics over clipped n-gram matches: their texts can be counted one by one, before it
// is known which will be hypothesis and which reference.
#pragma once

#include <cstdint>
#include <vector>

#include "base/kernel.hpp"

namespace tertium {

// A text as numbers below types(), one sequence per stream: characters, words.
using Symbols = std::vector<std::uint32_t>;

// Reads the texts of one list; equal characters or words get equal numbers.
class NgramReader {
 public:
  virtual ~NgramReader() = default;
  // Forget all numbers. `bytes` bounds the length of the texts to come.
  virtual void reset(std::size_t bytes) = 0;
  // Write the symbols of a text to one place per stream. The text must live until reset().
  virtual void read(Text text, std::span<Symbols> out) = 0;
  virtual std::size_t types(std::size_t stream) const = 0;
};

// What is known of a text without its counterpart: the symbols of every stream, and the
// n-grams of every order, stream by stream. Not integers where texts are averaged.
struct NgramTotals {
  const double* lengths;
  const double* totals;
};

class NgramKernel : public Kernel {
 public:
  // The longest n-grams of every stream.
  virtual std::vector<std::size_t> orders() const = 0;
  virtual std::unique_ptr<NgramReader> reader() const = 0;
  // The statistics of a hypothesis and one reference from their matches by order.
  virtual void fill(NgramTotals hyp, NgramTotals ref, const double* matches,
                    double* out) const = 0;
};

}  // namespace tertium

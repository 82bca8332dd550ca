// SPDX-License-Identifier: Apache-2.0
// NIST (Doddington 2002): n-gram precision weighted by information.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

// What references told: enough to make an equal kernel in another process.
struct NistState {
  double total = 0.0;
  std::vector<std::string> words;   // numbered from 1
  std::vector<double> counts;       // of node 0 (all words), of words, of longer n-grams
  std::vector<std::uint64_t> keys;  // of longer n-grams: node of all but the last word, word
};

// A kernel whose information weights come from references seen before rows are
// computed. Row: weighted matches by order, totals by order, reference length,
// hypothesis length (both counted once an order, as NLTK does).
class NistKernel : public Kernel {
 public:
  // Take the next references of a test set.
  virtual void observe(std::span<const Text> refs) = 0;
  // Compute the weights, after the last references. To be called once.
  virtual void finish() = 0;

  virtual NistState state() const = 0;
  virtual void restore(const NistState& state) = 0;
};

std::unique_ptr<NistKernel> make_nist(Scheme scheme, std::size_t max_order);

}  // namespace tertium

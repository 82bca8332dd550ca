// SPDX-License-Identifier: Apache-2.0
// NIST (Doddington 2002): n-gram precision weighted by information.
#pragma once

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

// A kernel whose information weights come from references seen before rows are
// computed. Row: weighted matches by order, totals by order, reference length,
// hypothesis length (both counted once an order, as NLTK does).
class NistKernel : public Kernel {
 public:
  // Take the weights from all references of a test set. To be called once.
  virtual void observe(std::span<const Text> refs) = 0;
};

std::unique_ptr<NistKernel> make_nist(Scheme scheme, std::size_t max_order);

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Explicit semantic analysis (Gabrilovich and Markovitch 2007): a text as its similarity to
// every document of a background corpus.
#pragma once

#include <vector>

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

// A kernel whose concepts are documents seen before rows are computed. Row: cosine of the
// concept vectors with the most similar reference, 1; the corpus score is the mean.
class EsaKernel : public Kernel {
 public:
  // Index the documents of the background corpus. To be called once.
  virtual void observe(std::span<const Text> documents) = 0;
  // The similarity of a text to every document, but for a common factor.
  virtual std::vector<double> concepts(Text text) const = 0;
};

std::unique_ptr<EsaKernel> make_esa(Scheme scheme);

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Metrics of word order: from aligned words to a permutation to a score.
//
// Sent = α · Lex(hyp, ref) + (1 - α) · BP(|π|, |ref|) · ordering(π)
// (Stanojević 2017, eq. 4.1). α = 0 without the penalty is the ordering alone.
#pragma once

#include <memory>
#include <vector>

#include "align/pairs.hpp"
#include "order/scores.hpp"

namespace tertium {

// Which link of a hypothesis word with several counts.
enum class Keep : std::uint8_t { kLeftmost, kRightmost, kProbable };

// What happens to hypothesis words without a link: left out, or moved with the
// nearest aligned word on that side (on the other where there is none).
enum class Unaligned : std::uint8_t { kDrop, kLeft, kRight };

enum class Lexical : std::uint8_t { kBleu1, kF1 };

struct OrderKernelSettings {
  OrderSettings order;
  Keep keep = Keep::kLeftmost;
  Unaligned unaligned = Unaligned::kDrop;
  double alpha = 0.0;
  Lexical lexical = Lexical::kBleu1;
  bool brevity = false;    // whether the penalty counts
  bool by_length = false;  // whether a segment weighs as many words as its reference
};

// Reduces alignments to permutations (Stanojević 2017, 2.5.2); keeps scratch
// memory. O(n log n).
class Reduction {
 public:
  // A position of the permutation.
  struct Place {
    std::uint32_t word = 0;  // of the hypothesis
    std::uint32_t key = 0;   // the word of the reference, its own or its neighbour's
    bool linked = false;     // whether there is a key
    bool own = false;        // whether it is the word's own
    double weight = 0.0;
  };

  Reduction(Keep keep, Unaligned unaligned) : keep_(keep), unaligned_(unaligned) {}
  // The permutation, from 0, of the aligned words; it lives until the next call.
  Permutation reduce(const Pair& pair);
  std::span<const Place> places() const { return places_; }

 private:
  bool shares_words(const Pair& pair);
  void take_phrases(const Pair& pair);
  void take_links(const Pair& pair);
  void attach();

  Keep keep_;
  Unaligned unaligned_;
  std::vector<Place> places_;
  std::vector<char> hyp_, ref_;
  std::vector<std::uint32_t> order_, perm_;
};

// Many permutations of any length, one after the other, with values from 0.
struct Permutations {
  std::vector<std::uint32_t> values;
  std::vector<std::size_t> first = {0};

  std::size_t size() const { return first.size() - 1; }
  Permutation at(std::size_t i) const {
    return Permutation(values).subspan(first[i], first[i + 1] - first[i]);
  }
};

// Row: weight · score, weight, and 1 for a degenerate segment, whose permutation
// has fewer than two words. Scores for which lower is better are negative here, so
// that of several references the best is the highest.
class OrderKernel final : public PairKernel {
 public:
  explicit OrderKernel(const OrderKernelSettings& settings) : settings_(settings) {}
  std::size_t width() const override { return 3; }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }
  std::unique_ptr<PairWorker> worker() const override;
  const OrderSettings& order() const { return settings_.order; }

  // The same rows from permutations alone: |ref| is the permutation's length, and
  // there is no lexical part.
  void permutation_rows(const Permutations& perms, std::size_t begin, std::size_t end,
                        unsigned threads, double* out) const;

 private:
  OrderKernelSettings settings_;
};

}  // namespace tertium

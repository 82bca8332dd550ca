// SPDX-License-Identifier: Apache-2.0
// The hidden Markov model of word alignment (Vogel et al. 1996) for one sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// How likely jumps from one aligned word to the next are, by distance; those beyond the
// window count as at its edge. Weights need not sum to 1: they are normalised over the
// words that a sentence has.
struct Jumps {
  std::vector<double> weights;  // an odd number; no jump in the middle

  explicit Jumps(std::size_t window) : weights(2 * window + 1, 1.0) {}
  std::size_t window() const { return weights.size() / 2; }
  std::size_t place(std::ptrdiff_t distance) const;
};

// What a sentence says about the weights. A weight w becomes count / share, which never
// lowers the likelihood, although weights are normalised in every sentence (Hunter 2004,
// section 3: the same bound as for Bradley-Terry models).
struct JumpCounts {
  std::vector<std::uint64_t> counts, shares;  // as to_fixed() makes them

  explicit JumpCounts(const Jumps& jumps)
      : counts(jumps.weights.size()), shares(jumps.weights.size()) {}
  void add(const JumpCounts& other);
  // New weights, which sum to 1; `prior` is a number of jumps that any distance takes
  // part in and one in twenty takes.
  std::vector<double> estimate(const Jumps& jumps, double prior) const;
};

// Expected counts are added as integers: their sum does not depend on the order, so
// threads may take any sentences.
inline constexpr double kFixed = 1 << 28;
inline std::uint64_t to_fixed(double x) { return static_cast<std::uint64_t>(x * kFixed + 0.5); }
inline double from_fixed(std::uint64_t x) { return static_cast<double>(x) / kFixed; }

// Forward-backward over n states and their NULL states: a word that belongs to NULL keeps
// the last position (Och and Ney 2003, section 2.2.2). O(n^2 m) for n states, m words.
class Chain {
 public:
  // Compute the posteriors and return the log-likelihood. emission[j * n + i] is the
  // probability of word j in state i, null[j] that of word j without a state; not all
  // may be 0 for one j.
  double run(std::span<const double> emission, std::span<const double> null, std::size_t n,
             const Jumps& jumps, double null_probability);
  // The same without order: any state is equally likely (Brown et al. 1993, model 1).
  double run_unordered(std::span<const double> emission, std::span<const double> null,
                       std::size_t n, double null_probability);

  // The probability that word j is in state i, at j * n + i.
  std::span<double> posterior() { return posterior_; }
  // The probability that word j has no state.
  std::span<double> null_posterior() { return null_posterior_; }
  // Add the expected jumps of the last run().
  void add_jumps(const Jumps& jumps, JumpCounts& counts) const;

 private:
  void spread(const Jumps& jumps, std::size_t n);
  double forward(std::span<const double> emission, std::span<const double> null, double stay);
  void backward(std::span<const double> emission, std::span<const double> null, double stay);

  std::size_t n_ = 0;
  // By distance: ahead_[n + d] and back_[n - d] have the weight of a jump by d.
  std::vector<double> ahead_, back_;
  std::vector<double> norm_;                   // by last position, the start first
  std::vector<double> real_, total_, scale_;   // forward, by word
  std::vector<double> beta_, next_, flow_;     // backward, of one word
  std::vector<double> products_, leaving_;     // expected jumps
  std::vector<double> posterior_, null_posterior_;
};

}  // namespace tertium

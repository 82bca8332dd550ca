// SPDX-License-Identifier: Apache-2.0
// learn/: features of trained metrics, and products of their matrices.
//
// Features of words and characters, and scores of linear models over them.
//
// Counts become shares, shares become features, features become a score, all
// in one worker: nothing is kept a segment but the score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/kernel.hpp"
#include "learn/units.hpp"

namespace tertium {

enum class Family : std::uint8_t { kChar, kWord, kSkip, kCharLength, kWordLength };

// What a feature is computed from.
struct Source {
  Family family = Family::kChar;
  long n = 1;              // order, or words between; -1: any number
  bool symmetric = true;   // the smaller share first
  bool backoff = true;     // 0/0: the next shorter unit, or else 0
  bool exponential = false;  // of lengths: exp(max / min) - e
  double empty = 1.0;        // of lengths: see disbalance()
};

enum class Formula : std::uint8_t { kFirst, kSecond, kF, kG };

// A feature: a formula over the two shares of a source; of lengths, kFirst.
struct Column {
  std::size_t source = 0;
  Formula formula = Formula::kFirst;
  double beta = 1.0;
};

struct SurfaceOptions {
  std::vector<Source> sources;
  std::vector<Column> columns;
  bool released = false;  // see learn/units.hpp
};

// How a weighted sum becomes a score; `same` is that of the reference itself.
enum class Scaling : std::uint8_t {
  kSigmoid,   // 1 / (1 + exp(-(a raw + b)))
  kQuasi,     // 2 / (1 + exp(same - raw))
  kLinear,    // (a raw + b) / 100, kept within 0 and 1
  kIsotonic,  // between the knots of a rising line
};

struct LinearOptions {
  std::vector<double> weights;  // one per column
  double bias = 0.0;
  Scaling scaling = Scaling::kSigmoid;
  double slope = 1.0, offset = 0.0;
  std::vector<double> knots, heights;
  bool anchor = false;  // divide by the score of the reference itself
};

// One row of features per segment, for its first reference.
std::unique_ptr<Kernel> make_surface_features(const SurfaceOptions& options);
// The row is (score, 1), with the best reference; the score of rows is their mean.
std::unique_ptr<Kernel> make_surface_model(const SurfaceOptions& options,
                                           const LinearOptions& model);

}  // namespace tertium

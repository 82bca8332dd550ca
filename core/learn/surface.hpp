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
#include "learn/linear_model.hpp"
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

// One row of features per segment, for its first reference.
std::unique_ptr<Kernel> make_surface_features(const SurfaceOptions& options);
// The row is (score, 1), with the best reference; the score of rows is their mean.
std::unique_ptr<Kernel> make_surface_model(const SurfaceOptions& options,
                                           const LinearOptions& model);

}  // namespace tertium

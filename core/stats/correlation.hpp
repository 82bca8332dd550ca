// SPDX-License-Identifier: Apache-2.0
// Coefficients of agreement between two vectors: people's and a metric's.
//
// Kendall's coefficients all come from five counts of pairs. Two scores of the
// metric are tied when they differ by no more than epsilon (Deutsch, Foster and
// Freitag 2023); for people's only equal scores are. O(n log n), Knight (1966)
// with a window for epsilon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

struct PairCounts {
  std::int64_t concordant = 0, discordant = 0;
  std::int64_t tied_human = 0, tied_metric = 0, tied_both = 0;  // the first two: only there
  std::int64_t classes_human = 0, classes_metric = 0;           // different values

  std::int64_t pairs() const {
    return concordant + discordant + tied_human + tied_metric + tied_both;
  }
};

enum class Coefficient { kTauA, kTauB, kTauC, kTau23, kAcc23, kPearson, kSpearman };

// Keeps its scratch memory from one call to the next. Values are finite.
class Correlator {
 public:
  PairCounts count(std::span<const double> human, std::span<const double> metric,
                   double epsilon);

  // NaN where the coefficient is not defined.
  double operator()(Coefficient kind, std::span<const double> human,
                    std::span<const double> metric, double epsilon);

  // The same without the entries where one of the two is NaN.
  double complete(Coefficient kind, std::span<const double> human,
                  std::span<const double> metric, double epsilon);

 private:
  void count_few(std::span<const double> human, std::span<const double> metric, double epsilon,
                 PairCounts& out);
  void count_many(std::span<const double> human, std::span<const double> metric, double epsilon,
                  PairCounts& out);
  double spearman(std::span<const double> human, std::span<const double> metric);

  struct Point {
    std::uint64_t key;    // of one score, see sort_key
    std::uint32_t place;  // first the entry, then its rank by people
  };
  std::vector<std::uint32_t> order_, tree_, seen_;
  std::vector<Point> points_, scratch_;
  std::vector<double> sorted_, left_, right_, kept_human_, kept_metric_;
};

// One of Kendall's coefficients of n values, NaN where it is not defined.
double from_counts(Coefficient kind, const PairCounts& counts, std::size_t n);

double pearson(std::span<const double> x, std::span<const double> y);

// Ranks from 1 on, equal values share the mean of theirs. O(n log n).
void average_ranks(std::span<const double> values, std::vector<std::uint32_t>& order,
                   std::vector<double>& ranks);

}  // namespace tertium

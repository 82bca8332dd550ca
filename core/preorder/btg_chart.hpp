// SPDX-License-Identifier: Apache-2.0
// All binary trees over a sentence, with straight and inverted nodes: the derivations of a
// bracketing transduction grammar (Wu 1997).
//
// A node joins the spans [l, m) and [m, r), in their order or inverted. Scores of nodes
// make a log-linear distribution over trees; inside and outside sums take O(n^3).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tertium {

// A number for either orientation of a node, a cut or a span.
struct Both {
  double straight = 0, inverted = 0;
  void operator+=(const Both& other) {
    straight += other.straight;
    inverted += other.inverted;
  }
};

// Nodes of a sentence of n words in a row: by l, then r, then m.
class BtgNodes {
 public:
  void reset(std::size_t words);
  std::size_t words() const { return words_; }
  std::size_t size() const { return size_; }
  // The first node of the span [l, r); the others follow by m. r - l >= 2.
  std::size_t first(std::size_t l, std::size_t r) const { return first_[l * (words_ + 1) + r]; }

  // Call visit(node, l, m, r) for every node in its order.
  template <class Visit>
  void each(Visit&& visit) const {
    std::size_t node = 0;
    for (std::size_t l = 0; l < words_; ++l)
      for (std::size_t r = l + 2; r <= words_; ++r)
        for (std::size_t m = l + 1; m < r; ++m) visit(node++, l, m, r);
  }

  // out[node] = the sum of pairs[i * n + j] for i in [l, m), j in [m, r).
  void rectangles(std::span<const double> pairs, std::vector<double>& out);
  // pairs[i * n + j], for i < j, = the sum of values(node) where i and j are on two sides.
  template <class Values>
  void pair_sums(Values&& values, std::vector<double>& pairs) {
    const std::size_t side = words_ + 1;
    corner_.assign(side * side, 0);
    each([&](std::size_t node, std::size_t l, std::size_t m, std::size_t r) {
      const double x = values(node);
      corner_[l * side + m] += x;
      corner_[m * side + m] -= x;
      corner_[l * side + r] -= x;
      corner_[m * side + r] += x;
    });
    add_up(pairs);
  }

 private:
  void add_up(std::vector<double>& pairs);

  std::size_t words_ = 0, size_ = 0;
  std::vector<std::size_t> first_;
  std::vector<double> corner_;
};

// The score of a node that no tree has.
inline constexpr double kNever = -std::numeric_limits<double>::infinity();

// The distribution over trees that scores of nodes define.
class BtgChart {
 public:
  // The logarithm of the sum over all trees; 0 below two words, kNever without a tree. It is in logarithms
  // throughout, so that long sentences neither overflow nor vanish.
  double inside(const BtgNodes& nodes, std::span<const Both> scores);
  // The probability of every node, after inside, if there is a tree.
  void outside(const BtgNodes& nodes, std::span<const Both> scores, std::vector<Both>& out);

 private:
  std::vector<double> inside_, span_;
  std::vector<Both> terms_;
};

}  // namespace tertium

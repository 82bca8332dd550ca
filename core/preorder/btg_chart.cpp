// SPDX-License-Identifier: Apache-2.0
#include "preorder/btg_chart.hpp"

#include <algorithm>
#include <cmath>

namespace tertium {

void BtgNodes::reset(std::size_t words) {
  if (words == words_ && !first_.empty()) return;
  words_ = words;
  size_ = 0;
  first_.assign((words + 1) * (words + 1), 0);
  for (std::size_t l = 0; l < words; ++l)
    for (std::size_t r = l + 2; r <= words; ++r) {
      first_[l * (words + 1) + r] = size_;
      size_ += r - l - 1;
    }
}

void BtgNodes::rectangles(std::span<const double> pairs, std::vector<double>& out) {
  const std::size_t n = words_, side = n + 1;
  corner_.assign(side * side, 0);  // sums of all pairs (i, j), i < j, above and to the left
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::size_t j = i + 1; j < n; ++j) {
      row += pairs[i * n + j];
      corner_[(i + 1) * side + j + 1] = corner_[i * side + j + 1] + row;
    }
  }
  // Below the diagonal nothing is added: a column keeps its last sum.
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 0; j <= i; ++j) corner_[i * side + j] = corner_[(i - 1) * side + j];
  out.resize(size_);
  each([&](std::size_t node, std::size_t l, std::size_t m, std::size_t r) {
    out[node] = corner_[m * side + r] - corner_[l * side + r] - corner_[m * side + m] +
                corner_[l * side + m];
  });
}

void BtgNodes::add_up(std::vector<double>& pairs) {
  const std::size_t n = words_, side = n + 1;
  pairs.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (i > 0) corner_[i * side + j] += corner_[(i - 1) * side + j];
      row += corner_[i * side + j];
      if (j > i) pairs[i * n + j] = row;
    }
  }
}

double BtgChart::inside(const BtgNodes& nodes, std::span<const Both> scores) {
  const std::size_t n = nodes.words(), side = n + 1;
  inside_.assign(side * side, 0);
  terms_.resize(n);
  for (std::size_t length = 2; length <= n; ++length)
    for (std::size_t l = 0; l + length <= n; ++l) {
      const std::size_t r = l + length;
      const Both* score = scores.data() + nodes.first(l, r);
      double most = kNever;
      for (std::size_t k = 0; k + 1 < length; ++k) {
        const std::size_t m = l + 1 + k;
        const double children = inside_[l * side + m] + inside_[m * side + r];
        terms_[k] = {score[k].straight + children, score[k].inverted + children};
        most = std::max({most, terms_[k].straight, terms_[k].inverted});
      }
      if (most == kNever) {
        inside_[l * side + r] = kNever;
        continue;
      }
      double sum = 0;
      for (std::size_t k = 0; k + 1 < length; ++k)
        sum += std::exp(terms_[k].straight - most) + std::exp(terms_[k].inverted - most);
      inside_[l * side + r] = most + std::log(sum);
    }
  return n < 2 ? 0 : inside_[n];
}

void BtgChart::outside(const BtgNodes& nodes, std::span<const Both> scores,
                       std::vector<Both>& out) {
  const std::size_t n = nodes.words(), side = n + 1;
  out.assign(nodes.size(), {});
  span_.assign(side * side, 0);  // the probability that a span is a node
  span_[n] = 1;
  for (std::size_t length = n; length >= 2; --length)
    for (std::size_t l = 0; l + length <= n; ++l) {
      const std::size_t r = l + length;
      const double parent = span_[l * side + r];
      if (parent == 0) continue;
      const std::size_t first = nodes.first(l, r);
      for (std::size_t k = 0; k + 1 < length; ++k) {
        const std::size_t m = l + 1 + k;
        const double rest =
            inside_[l * side + m] + inside_[m * side + r] - inside_[l * side + r];
        const Both& score = scores[first + k];
        Both& node = out[first + k];
        node = {parent * std::exp(score.straight + rest), parent * std::exp(score.inverted + rest)};
        span_[l * side + m] += node.straight + node.inverted;
        span_[m * side + r] += node.straight + node.inverted;
      }
    }
}

}  // namespace tertium

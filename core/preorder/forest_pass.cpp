// SPDX-License-Identifier: Apache-2.0
#include "preorder/forest_pass.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/clones.hpp"

namespace tertium {
namespace {

// out[i] += factor · in[i] for each of `rows` factors and consecutive rows of `in`. Sums
// run over rows in order, so that wider vectors change nothing.
TERTIUM_CLONES void add_rows(const double* factors, std::size_t rows, const double* in,
                             std::size_t stride, double* out, std::size_t n) {
  for (std::size_t r = 0; r < rows; ++r, in += stride) {
    const double factor = factors[r];
    for (std::size_t i = 0; i < n; ++i) out[i] += factor * in[i];
  }
}

// out[r][i] += a[r] · b[i].
TERTIUM_CLONES void add_outer(const double* a, std::size_t rows, const double* b, double* out,
                              std::size_t stride, std::size_t n) {
  for (std::size_t r = 0; r < rows; ++r, out += stride) {
    const double factor = a[r];
    for (std::size_t i = 0; i < n; ++i) out[i] += factor * b[i];
  }
}

}  // namespace

void ForestPass::lay_out(const CompiledForest& forest) {
  const std::size_t nodes = forest.nodes.size() - 1;
  node_at_.resize(nodes + 1);
  factor_at_.resize(nodes + 1);
  use_at_.resize(forest.uses.size() + 1);
  std::size_t states = 0, slots = 0, edges = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    const CompiledForest::Node& node = forest.nodes[i];
    node_at_[i] = states;
    factor_at_[i] = edges;
    if (node.op >= 0) states += shape_.splits[static_cast<std::size_t>(node.op)];
    edges += node.edges;
  }
  node_at_[nodes] = states;
  for (std::size_t i = 0; i < forest.uses.size(); ++i) {
    use_at_[i] = slots;
    slots += splits(forest.uses[i]);
  }
  use_at_.back() = slots;
  exponent_.assign(nodes, 0);
  factor_.resize(edges);
  place_.assign(forest.uses.size(), kNowhere);
  inside_.assign(states, 0.0);
  slot_inside_.assign(slots, 0.0);
  pace_.spend(slots * 64);
}

double ForestPass::inside(const CompiledForest& forest) {
  lay_out(forest);
  const std::size_t nodes = forest.nodes.size() - 1;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (forest.nodes[i].op < 0) {
      inside_unit(forest, i);
    } else {
      inside_node(forest, i);
      expand(forest, i);
    }
  }
  // Roots of different operators are alternatives.
  int highest = std::numeric_limits<int>::min();
  for (std::size_t i = 0; i < nodes; ++i)
    if (forest.is_root(i)) highest = std::max(highest, exponent_[i]);
  total_ = 0.0;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (!forest.is_root(i)) continue;
    const auto op = static_cast<std::size_t>(forest.nodes[i].op);
    const double* root = &grammar_.root[shape_.first_state[op]];
    double sum = 0.0;
    for (std::size_t at = node_at_[i], k = 0; at < node_at_[i + 1]; ++at, ++k)
      sum += root[k] * inside_[at];
    total_ += std::ldexp(sum, exponent_[i] - highest);
  }
  top_exponent_ = highest;
  return total_ > 0 ? std::log(total_) + highest * std::log(2.0)
                    : -std::numeric_limits<double>::infinity();
}

void ForestPass::inside_unit(const CompiledForest& forest, std::size_t at) {
  const CompiledForest::Node& node = forest.nodes[at];
  const auto begin = grammar_.slot.begin() + grammar_.first[node.terminal];
  const auto end = grammar_.slot.begin() + grammar_.first[node.terminal + 1];
  const double backoff = grammar_.terminal_backoff[node.terminal];
  for (std::uint32_t u = node.first_use; u < forest.nodes[at + 1].first_use; ++u) {
    const CompiledForest::Use& use = forest.uses[u];
    const std::uint32_t block = shape_.block(use.op, use.child), n = splits(use);
    double* out = &slot_inside_[use_at_[u]];
    for (std::uint32_t k = 0; k < n; ++k) out[k] = grammar_.slot_backoff[block + k] * backoff;
    const auto place = std::lower_bound(begin, end, block);
    if (place == end || *place >= block + n) continue;
    if (end - place < n || *place != block || place[n - 1] != block + n - 1)
      throw std::invalid_argument("emissions of a terminal lack some states of an operator");
    place_[u] = static_cast<std::uint32_t>(place - grammar_.slot.begin());
    for (std::uint32_t k = 0; k < n; ++k) out[k] += grammar_.value[place_[u] + k];
  }
}

void ForestPass::inside_node(const CompiledForest& forest, std::size_t at) {
  const CompiledForest::Node& node = forest.nodes[at];
  const auto op = static_cast<std::size_t>(node.op);
  const std::uint32_t arity = shape_.operators[op].arity(), n = shape_.splits[op];
  const std::uint32_t* children = &forest.edges[node.first_edge];
  double* factors = &factor_[factor_at_[at]];
  // The exponent of an edge is the sum of those of its children.
  int highest = std::numeric_limits<int>::min();
  for (std::uint32_t e = 0; e < node.edges; ++e) {
    int sum = 0;
    for (std::uint32_t c = 0; c < arity; ++c)
      sum += exponent_[forest.uses[children[e * arity + c]].node];
    factors[e] = sum;
    highest = std::max(highest, sum);
  }
  double* v = &inside_[node_at_[at]];
  product_.resize(n);
  for (std::uint32_t e = 0; e < node.edges; ++e) {
    factors[e] = std::ldexp(1.0, static_cast<int>(factors[e]) - highest);
    std::fill(product_.begin(), product_.end(), factors[e]);
    for (std::uint32_t c = 0; c < arity; ++c) {
      const double* s = &slot_inside_[use_at_[children[e * arity + c]]];
      for (std::uint32_t k = 0; k < n; ++k) product_[k] *= s[k];
    }
    for (std::uint32_t k = 0; k < n; ++k) v[k] += product_[k];
  }
  int shift = 0;
  std::frexp(*std::max_element(v, v + n), &shift);
  shift = std::max(shift, -1000);  // EM makes spans so improbable that 2^-shift is infinite.
  const double scale = std::ldexp(1.0, -shift);
  for (std::uint32_t k = 0; k < n; ++k) v[k] *= scale;
  for (std::uint32_t e = 0; e < node.edges; ++e) factors[e] *= scale;
  exponent_[at] = highest + shift;
}

// The slots of all uses of a node.
void ForestPass::expand(const CompiledForest& forest, std::size_t at) {
  const auto op = static_cast<std::size_t>(forest.nodes[at].op);
  const std::size_t slots = shape_.slots();
  for (std::uint32_t u = forest.nodes[at].first_use; u < forest.nodes[at + 1].first_use;
       ++u) {
    const CompiledForest::Use& use = forest.uses[u];
    add_rows(&inside_[node_at_[at]], shape_.splits[op],
             &transposed_[shape_.first_state[op] * slots + shape_.block(use.op, use.child)],
             slots, &slot_inside_[use_at_[u]], splits(use));
  }
}

void ForestPass::outside(const CompiledForest& forest, double factor, double* root,
                         double* unary, Emitted& emitted) {
  const std::size_t nodes = forest.nodes.size() - 1, states = shape_.states();
  outside_.assign(inside_.size(), 0.0);
  slot_outside_.assign(slot_inside_.size(), 0.0);
  for (std::size_t i = 0; i < nodes; ++i) {
    if (!forest.is_root(i)) continue;
    const auto top = static_cast<std::size_t>(forest.nodes[i].op);
    const std::size_t first = shape_.first_state[top], start = node_at_[i];
    const double scale = std::ldexp(factor, exponent_[i] - top_exponent_);
    for (std::size_t k = 0; k < shape_.splits[top]; ++k) {
      outside_[start + k] = grammar_.root[first + k] / total_ * scale;
      root[first + k] += outside_[start + k] * inside_[start + k];
    }
  }
  for (std::size_t i = nodes; i-- > 0;) {
    const CompiledForest::Node& node = forest.nodes[i];
    if (node.op < 0) {
      count_unit(forest, i, emitted);
      continue;
    }
    const auto op = static_cast<std::size_t>(node.op);
    const std::size_t column = shape_.first_state[op], n = shape_.splits[op];
    for (std::uint32_t u = node.first_use; u < forest.nodes[i + 1].first_use; ++u) {
      const CompiledForest::Use& use = forest.uses[u];
      const std::size_t corner = shape_.block(use.op, use.child) * states + column;
      const double* above = &slot_outside_[use_at_[u]];
      add_rows(above, splits(use), &grammar_.unary[corner], states, &outside_[node_at_[i]], n);
      add_outer(above, splits(use), &inside_[node_at_[i]], unary + corner, states, n);
    }
    outside_edges(forest, i);
  }
}

void ForestPass::outside_edges(const CompiledForest& forest, std::size_t at) {
  const CompiledForest::Node& node = forest.nodes[at];
  const auto op = static_cast<std::size_t>(node.op);
  const std::uint32_t arity = shape_.operators[op].arity(), n = shape_.splits[op];
  const double* above = &outside_[node_at_[at]];
  for (std::uint32_t e = 0; e < node.edges; ++e) {
    const std::uint32_t* children = &forest.edges[node.first_edge + e * arity];
    const double factor = factor_[factor_at_[at] + e];
    for (std::uint32_t c = 0; c < arity; ++c) {
      product_.resize(n);
      for (std::uint32_t k = 0; k < n; ++k) product_[k] = above[k] * factor;
      for (std::uint32_t other = 0; other < arity; ++other) {
        if (other == c) continue;
        const double* s = &slot_inside_[use_at_[children[other]]];
        for (std::uint32_t k = 0; k < n; ++k) product_[k] *= s[k];
      }
      double* out = &slot_outside_[use_at_[children[c]]];
      for (std::uint32_t k = 0; k < n; ++k) out[k] += product_[k];
    }
  }
}

void ForestPass::count_unit(const CompiledForest& forest, std::size_t at, Emitted& emitted) {
  for (std::uint32_t u = forest.nodes[at].first_use; u < forest.nodes[at + 1].first_use;
       ++u) {
    if (place_[u] == kNowhere) continue;
    emitted.place.push_back(place_[u]);
    emitted.size.push_back(splits(forest.uses[u]));
    for (std::size_t i = use_at_[u]; i < use_at_[u + 1]; ++i)
      emitted.count.push_back(slot_outside_[i] * slot_inside_[i]);
  }
}

void ForestPass::add_losses(const CompiledForest& forest, const StatePairs& pairs,
                            double* losses) {
  for (std::size_t i = 0; i + 1 < forest.nodes.size(); ++i) {
    if (forest.nodes[i].op < 0) continue;
    const auto op = static_cast<std::size_t>(forest.nodes[i].op);
    const std::uint32_t first = shape_.first_state[op];
    const double *in = &inside_[node_at_[i]], *out = &outside_[node_at_[i]];
    for (std::size_t p = pairs.first[op]; p < pairs.first[op + 1]; ++p) {
      const std::uint32_t k = pairs.state[p] - first;
      const double apart = in[k] * out[k] + in[k + 1] * out[k + 1];
      const double merged = merged_inside(forest, i, k, &pairs.share[2 * p]);
      const double ratio = 1.0 - apart + merged * (out[k] + out[k + 1]);
      losses[p] -= std::log(std::max(ratio, std::numeric_limits<double>::min()));
    }
  }
}

// The inside of a node for states k and k + 1 as one, whose slots are the means of theirs.
double ForestPass::merged_inside(const CompiledForest& forest, std::size_t at, std::uint32_t k,
                                 const double* shares) {
  const CompiledForest::Node& node = forest.nodes[at];
  const std::uint32_t arity = shape_.operators[static_cast<std::size_t>(node.op)].arity();
  const std::uint32_t* children = &forest.edges[node.first_edge];
  double sum = 0.0;
  for (std::uint32_t e = 0; e < node.edges; ++e) {
    double product = factor_[factor_at_[at] + e];
    for (std::uint32_t c = 0; c < arity; ++c) {
      const double* s = &slot_inside_[use_at_[children[e * arity + c]] + k];
      product *= shares[0] * s[0] + shares[1] * s[1];
    }
    sum += product;
  }
  return sum;
}

}  // namespace tertium

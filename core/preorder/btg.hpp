// SPDX-License-Identifier: Apache-2.0
// A log-linear bracketing transduction grammar over source words: a conditional random
// field whose trees are latent. Training and expectations are exact.
//
// The gold order of a sentence comes from word links and has errors. An order is taken to
// be observed with a probability that falls by exp(-penalty) per pair of words on
// which it differs from the tree's order, so that no gold order is impossible. With a high
// penalty this is the likelihood of the trees that yield the gold order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "preorder/btg_features.hpp"
#include "preorder/order_limits.hpp"

namespace tertium {

// Sentence i has the words [starts[i], starts[i + 1]), with kBtgAttributes numbers each.
struct BtgText {
  std::span<const std::uint64_t> attributes;
  std::span<const std::uint64_t> starts;

  std::size_t size() const { return starts.size() - 1; }
  std::size_t words(std::size_t i) const { return starts[i + 1] - starts[i]; }
  std::span<const std::uint64_t> sentence(std::size_t i) const {
    return attributes.subspan(starts[i] * kBtgAttributes, words(i) * kBtgAttributes);
  }
};

// Two numbers per slot, for straight and inverted nodes; a power of two of slots.
struct BtgWeights {
  std::span<float> weights;
  std::span<float> squares;  // sums of squared gradients
};

// Which sentences are learnt from, in this order, and how.
struct BtgPass {
  std::span<const std::uint32_t> order;
  std::span<const std::int32_t> ranks;  // the gold rank of every word of the text
  double penalty;
  std::size_t batch;               // sentences whose gradients are taken at the same weights
  double first_rate, last_rate;    // the learning rate at both ends; linear between
};

// Change the weights by AdaGrad (Duchi, Hazan and Singer 2011). The sum of the objective
// over the sentences, each before its update. O(n^3) per sentence; equal for any number of
// threads.
double btg_train(const BtgText& text, const BtgPass& pass, BtgWeights model, unsigned threads);

// For each sentence, n × n numbers: the probability that word i comes before word j, of
// trees that its limits allow, if there are limits; without such a tree, words keep their
// order.
std::vector<double> btg_expectations(const BtgText& text, std::span<const float> weights,
                                     std::span<const OrderLimits> limits, unsigned threads);

// The scores of the nodes of one sentence.
std::vector<Both> btg_scores(std::span<const std::uint64_t> attributes,
                             std::span<const float> weights);

// The objective of sentences and its gradient, as long as the weights.
double btg_gradient(const BtgText& text, std::span<const std::int32_t> ranks, double penalty,
                    std::span<const float> weights, std::span<double> gradient);

}  // namespace tertium

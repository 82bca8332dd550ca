// SPDX-License-Identifier: Apache-2.0
// Clipped n-gram matches of any two texts of a list, as intersections of sets.
//
// The k-th occurrence of an n-gram in a text is a feature of its own, so that the sum over
// n-grams of the smaller count is the number of features that two texts share: one `and`
// and one population count for 64 features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tuning/mbr_windows.hpp"

namespace tertium {

// The features of one stream of symbols.
class StreamFeatures {
 public:
  struct Feature {
    std::uint32_t next = 0;  // of the next occurrence of the n-gram, or 0
    std::uint32_t order = 0;
    std::uint32_t texts = 0;
  };

  void find(const NgramWindows& windows);
  // Features from 1 on; 0 is a feature of no text.
  std::span<const Feature> features() const { return features_; }
  // The features of a text, those of order n at places n, n + orders, ...
  std::span<const std::uint32_t> of(std::size_t text) const {
    return std::span(texts_).subspan(first_[text], first_[text + 1] - first_[text]);
  }

 private:
  struct Gram {
    std::uint32_t text = 0;             // the text that had it last, counted from 1
    std::uint32_t first = 0, last = 0;  // features: of the first occurrence, of the last
  };

  std::uint32_t take(Gram& gram, std::uint32_t text, std::size_t order);
  std::uint32_t add_feature(std::size_t order);

  std::vector<Gram> grams_;
  std::vector<Feature> features_;
  std::vector<std::uint32_t> texts_;
  std::vector<std::size_t> first_;
};

class FeatureSets {
 public:
  // `streams` are windows over the same texts: of characters and of words.
  void build(std::span<const NgramWindows> streams);

  // Write the matches of two different texts by order, stream by stream.
  void match(std::size_t a, std::size_t b, double* out) const;
  // Words of 64 features per text.
  std::size_t words() const { return words_; }

 private:
  void place(std::size_t stream, std::size_t first, std::size_t texts);
  void set_bits(std::size_t stream, std::size_t first, std::size_t orders, std::size_t text);

  std::size_t words_ = 0;
  std::vector<double> always_;       // matches that any two texts have, by order
  std::vector<std::size_t> counts_;  // features with a bit, by order
  std::vector<std::size_t> starts_;  // the first word of every order, and the end
  std::vector<std::uint64_t> bits_;
  std::vector<StreamFeatures> streams_;
  std::vector<std::vector<std::uint32_t>> places_;  // bits by stream and feature
};

}  // namespace tertium

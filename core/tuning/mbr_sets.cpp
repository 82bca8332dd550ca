// SPDX-License-Identifier: Apache-2.0
#include "tuning/mbr_sets.hpp"

#include <algorithm>
#include <bit>

#include "base/clones.hpp"

namespace tertium {

namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFFu;

// Add the common bits of every order, whose words are starts[order] .. starts[order + 1].
TERTIUM_CLONES void add_common(const std::uint64_t* a, const std::uint64_t* b,
                               const std::size_t* starts, std::size_t orders, double* out) {
  for (std::size_t n = 0; n < orders; ++n) {
    std::size_t common = 0;
    for (std::size_t w = starts[n]; w < starts[n + 1]; ++w)
      common += static_cast<std::size_t>(std::popcount(a[w] & b[w]));
    out[n] += static_cast<double>(common);
  }
}

}  // namespace

void StreamFeatures::find(const NgramWindows& windows) {
  grams_.assign(windows.grams(), {});
  features_.assign(1, {});
  texts_.clear();
  first_.assign(1, 0);
  const std::size_t orders = windows.orders();
  for (std::size_t t = 0; t < windows.texts(); ++t) {
    std::size_t place = texts_.size();
    texts_.resize(place + windows.of(t).size() * orders);
    for (const std::uint32_t window : windows.of(t)) {
      const std::uint32_t* grams = windows.grams_of(window);
      for (std::size_t n = 0; n < orders; ++n, ++place)
        texts_[place] = grams[n] == NgramWindows::kNone
                            ? 0
                            : take(grams_[grams[n]], static_cast<std::uint32_t>(t + 1), n);
    }
    first_.push_back(texts_.size());
  }
}

std::uint32_t StreamFeatures::take(Gram& gram, std::uint32_t text, std::size_t order) {
  if (gram.text != text) {
    if (gram.first == 0) gram.first = add_feature(order);
    gram.last = gram.first;
    gram.text = text;
  } else {
    if (features_[gram.last].next == 0) {
      const std::uint32_t fresh = add_feature(order);
      features_[gram.last].next = fresh;
    }
    gram.last = features_[gram.last].next;
  }
  ++features_[gram.last].texts;
  return gram.last;
}

std::uint32_t StreamFeatures::add_feature(std::size_t order) {
  features_.push_back({0, static_cast<std::uint32_t>(order), 0});
  return static_cast<std::uint32_t>(features_.size() - 1);
}

void FeatureSets::build(std::span<const NgramWindows> streams) {
  std::size_t orders = 0;
  for (const NgramWindows& windows : streams) orders += windows.orders();
  always_.assign(orders, 0.0);
  counts_.assign(orders, 0);
  streams_.resize(streams.size());
  places_.resize(streams.size());
  const std::size_t texts = streams.front().texts();
  for (std::size_t s = 0, first = 0; s < streams.size(); first += streams[s++].orders()) {
    streams_[s].find(streams[s]);
    place(s, first, texts);
  }
  starts_.assign(1, 0);
  for (const std::size_t count : counts_) starts_.push_back(starts_.back() + (count + 63) / 64);
  words_ = starts_.back();
  bits_.assign(texts * words_, 0);
  for (std::size_t s = 0, first = 0; s < streams.size(); first += streams[s++].orders())
    for (std::size_t t = 0; t < texts; ++t)
      set_bits(s, first, streams[s].orders(), t);
}

// Features of one text match nothing, and those of all texts match always: neither has a
// bit. `first` is the first order of the stream.
void FeatureSets::place(std::size_t stream, std::size_t first, std::size_t texts) {
  const std::span<const StreamFeatures::Feature> features = streams_[stream].features();
  std::vector<std::uint32_t>& places = places_[stream];
  places.assign(features.size(), kNowhere);
  for (std::size_t f = 1; f < features.size(); ++f) {
    const StreamFeatures::Feature& feature = features[f];
    const std::size_t order = first + feature.order;
    if (feature.texts == texts) always_[order] += 1.0;
    else if (feature.texts > 1) places[f] = static_cast<std::uint32_t>(counts_[order]++);
  }
}

void FeatureSets::set_bits(std::size_t stream, std::size_t first, std::size_t orders,
                           std::size_t text) {
  std::uint64_t* bits = bits_.data() + text * words_;
  std::size_t n = 0;
  for (const std::uint32_t feature : streams_[stream].of(text)) {
    const std::uint32_t place = places_[stream][feature];
    if (place != kNowhere)
      bits[starts_[first + n] + place / 64] |= std::uint64_t{1} << (place % 64);
    if (++n == orders) n = 0;
  }
}

void FeatureSets::match(std::size_t a, std::size_t b, double* out) const {
  std::ranges::copy(always_, out);
  add_common(bits_.data() + a * words_, bits_.data() + b * words_, starts_.data(),
             always_.size(), out);
}

}  // namespace tertium

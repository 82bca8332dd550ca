// SPDX-License-Identifier: Apache-2.0
#include "preorder/btg_features.hpp"

namespace tertium {
namespace {

enum Attribute : std::size_t { kWord, kCoarse, kMiddle, kFine };
static_assert(kFine + 1 == kBtgAttributes);
constexpr std::uint64_t kBefore = 0, kAfter = 1;  // the ends of the sentence

// Families of templates: equal words in two of them are different features.
enum Family : std::uint64_t { kCutFamily, kSpanFamily, kLeftFamily, kRightFamily, kNodeFamily,
                              kPairFamily };

std::uint64_t size_class(std::size_t words) {
  if (words <= 4) return words;
  if (words <= 6) return 5;
  if (words <= 9) return 6;
  return words <= 14 ? 7 : 8;
}

std::uint64_t combine_hash(std::uint64_t hash, std::uint64_t part) {
  return (hash ^ (part + 0x9E3779B97F4A7C15ull)) * 0xFF51AFD7ED558CCDull ^ (hash >> 29);
}

std::uint64_t finish_hash(std::uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93ull;
  return hash ^ (hash >> 32);
}

}  // namespace

// Writes the features of one part after the other.
class BtgFeatures::Writer {
 public:
  Writer(BtgFeatures& out, std::span<const std::uint64_t> attributes, std::uint32_t mask)
      : out_(out), attributes_(attributes), words_(out.words()), mask_(mask) {
    out.slots_.clear();
    out.first_.clear();
  }

  void start(Family family) {
    out_.first_.push_back(out_.slots_.size());
    template_ = static_cast<std::uint64_t>(family) << 32;
  }
  void skip() { out_.first_.push_back(out_.slots_.size()); }
  void end() { skip(); }

  // The attribute of a word, which may be one before the first or after the last. Words
  // are counted from 1 here, so that positions stay unsigned.
  std::uint64_t at(std::size_t word, std::size_t attribute) const {
    if (word == 0) return kBefore;
    return word > words_ ? kAfter : attributes_[(word - 1) * kBtgAttributes + attribute];
  }

  // The next template, with these values.
  template <class... Parts>
  void add(Parts... parts) {
    std::uint64_t hash = ++template_;
    ((hash = combine_hash(hash, parts)), ...);
    out_.slots_.push_back(static_cast<std::uint32_t>(finish_hash(hash)) & mask_);
  }
  // The next template, with one attribute of several words.
  template <class... Words>
  void words(std::size_t attribute, Words... word) {
    add(at(word, attribute)...);
  }
  // Two words, with and without a size; also one by its class.
  void two(std::size_t a, std::size_t b, std::uint64_t size) {
    for (std::size_t k = kWord; k < kBtgAttributes; ++k) {
      words(k, a, b);
      add(at(a, k), at(b, k), size);
    }
    add(at(a, kWord), at(b, kMiddle));
    add(at(a, kMiddle), at(b, kWord));
  }

 private:
  BtgFeatures& out_;
  std::span<const std::uint64_t> attributes_;
  std::size_t words_;
  std::uint32_t mask_;
  std::uint64_t template_ = 0;
};

void BtgFeatures::read(std::span<const std::uint64_t> attributes, std::uint32_t mask) {
  nodes_.reset(attributes.size() / kBtgAttributes);
  Writer writer(*this, attributes, mask);
  write_cuts(writer);
  write_spans(writer);
  write_left(writer);
  write_right(writer);
  write_nodes(writer);
  write_pairs(writer);
  writer.end();
}

// In what follows, a span [l, r) has the words l + 1 to r in the writer's count.

void BtgFeatures::write_cuts(Writer& writer) {
  for (std::size_t m = 0; m < words(); ++m) {
    if (m == 0) {
      writer.skip();
      continue;
    }
    writer.start(kCutFamily);
    writer.add();
    for (std::size_t k = kWord; k < kBtgAttributes; ++k) {
      writer.words(k, m);
      writer.words(k, m + 1);
      writer.words(k, m, m + 1);
      writer.words(k, m - 1, m);
      writer.words(k, m + 1, m + 2);
      if (k < kCoarse) continue;
      writer.words(k, m - 1, m, m + 1);
      writer.words(k, m, m + 1, m + 2);
      writer.words(k, m - 1, m, m + 1, m + 2);
    }
    writer.add(writer.at(m, kWord), writer.at(m + 1, kMiddle));
    writer.add(writer.at(m, kMiddle), writer.at(m + 1, kWord));
  }
}

void BtgFeatures::write_spans(Writer& writer) {
  for (std::size_t l = 0; l < words(); ++l)
    for (std::size_t r = 0; r <= words(); ++r) {
      if (r < l + 2) {
        writer.skip();
        continue;
      }
      writer.start(kSpanFamily);
      const std::uint64_t size = size_class(r - l);
      writer.add(size);
      writer.add(std::uint64_t{l == 0}, std::uint64_t{r == words()});
      for (std::size_t k = kWord; k < kBtgAttributes; ++k) {
        for (const std::size_t word : {l, l + 1, r, r + 1}) writer.words(k, word);
        writer.add(writer.at(l + 1, k), size);
        writer.add(writer.at(r, k), size);
        writer.words(k, l, l + 1);
        writer.words(k, r, r + 1);
      }
      writer.two(l + 1, r, size);
      writer.two(l, r + 1, size);
    }
}

void BtgFeatures::write_left(Writer& writer) {
  for (std::size_t l = 0; l < words(); ++l)
    for (std::size_t m = 0; m <= words(); ++m) {
      if (m <= l || m == words()) {
        writer.skip();
        continue;
      }
      writer.start(kLeftFamily);
      const std::uint64_t size = size_class(m - l);
      writer.add(size);
      for (std::size_t k = kWord; k < kBtgAttributes; ++k) {
        writer.words(k, l + 1);
        writer.add(writer.at(m, k), size);
        writer.add(writer.at(m + 1, k), size);
        writer.words(k, l + 1, m, m + 1);
      }
      writer.two(l + 1, m, size);
      writer.two(l + 1, m + 1, size);
      writer.two(l, m + 1, size);
    }
}

void BtgFeatures::write_right(Writer& writer) {
  for (std::size_t m = 0; m < words(); ++m)
    for (std::size_t r = 0; r <= words(); ++r) {
      if (r <= m || m == 0) {
        writer.skip();
        continue;
      }
      writer.start(kRightFamily);
      const std::uint64_t size = size_class(r - m);
      writer.add(size);
      for (std::size_t k = kWord; k < kBtgAttributes; ++k) {
        writer.words(k, r);
        writer.add(writer.at(m, k), size);
        writer.add(writer.at(m + 1, k), size);
        writer.words(k, m, m + 1, r);
      }
      writer.two(m + 1, r, size);
      writer.two(m, r, size);
      writer.two(m, r + 1, size);
    }
}

void BtgFeatures::write_nodes(Writer& writer) {
  nodes_.each([&](std::size_t, std::size_t l, std::size_t m, std::size_t r) {
    writer.start(kNodeFamily);
    writer.add(size_class(m - l), size_class(r - m));
  });
}

void BtgFeatures::write_pairs(Writer& writer) {
  for (std::size_t i = 1; i <= words(); ++i)
    for (std::size_t j = i + 1; j <= words(); ++j) {
      writer.start(kPairFamily);
      const std::uint64_t size = size_class(j - i);
      writer.add(size);
      for (std::size_t k = kWord; k < kBtgAttributes; ++k) {
        writer.words(k, i);
        writer.words(k, j);
        writer.add(writer.at(i, k), size);
        writer.add(writer.at(j, k), size);
      }
      writer.two(i, j, size);
      for (std::size_t k = kCoarse; k < kBtgAttributes; ++k) {
        writer.words(k, i - 1, i, j);
        writer.words(k, i, i + 1, j);
        writer.words(k, i, j - 1, j);
        writer.words(k, i, j, j + 1);
      }
    }
}

void BtgFeatures::combine(std::span<const Both> parts, std::vector<Both>& scores) {
  const std::size_t n = words();
  pairs_.assign(n * n, 0);
  std::size_t number = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) pairs_[i * n + j] = parts[pair(number++)].inverted;
  nodes_.rectangles(pairs_, rectangles_);
  scores.resize(nodes_.size());
  nodes_.each([&](std::size_t k, std::size_t l, std::size_t m, std::size_t r) {
    Both sum = parts[node(k)];
    sum += parts[cut(m)];
    sum += parts[span(l, r)];
    sum += parts[left(l, m)];
    sum += parts[right(m, r)];
    sum.inverted += rectangles_[k];
    scores[k] = sum;
  });
}

void BtgFeatures::divide(std::span<const Both> scores, std::vector<Both>& parts) {
  const std::size_t n = words();
  parts.assign(this->parts(), {});
  nodes_.each([&](std::size_t k, std::size_t l, std::size_t m, std::size_t r) {
    parts[node(k)] = scores[k];
    parts[cut(m)] += scores[k];
    parts[span(l, r)] += scores[k];
    parts[left(l, m)] += scores[k];
    parts[right(m, r)] += scores[k];
  });
  nodes_.pair_sums([&](std::size_t k) { return scores[k].inverted; }, pairs_);
  std::size_t number = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) parts[pair(number++)].inverted = pairs_[i * n + j];
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
#include "metrics/character.hpp"

#include <algorithm>
#include <vector>

#include "base/flat_map.hpp"
#include "metrics/edit.hpp"
#include "text/levenshtein.hpp"
#include "text/tokenize.hpp"

namespace tertium {

namespace {

constexpr std::size_t kMaxShiftSize = 10;  // as in TER

using Symbols = std::vector<std::uint32_t>;

// Cost of one hypothesis against one reference. As long as moving a phrase to
// where the reference has a like one saves more character edits than the mean
// word length of the phrase (its price), the best such move is made.
class CharacterSearch {
 public:
  explicit CharacterSearch(const CharacterOptions& options) : options_(options) {}

  // Sets `length` to the characters of the hypothesis, single spaces included.
  double cost(Text hyp, Text ref, double& length) {
    read(hyp, hyp_);
    read(ref, ref_);
    number_characters();
    length = static_cast<double>(joined(hyp_).size());
    pattern_.set_pattern(joined(ref_), types_);
    find_similar();
    std::vector<std::size_t> order(hyp_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    double shifts = 0.0;
    std::size_t edits = distance(order);
    while (edits > 0) {
      double best_gain = 1e-9, best_price = 0.0;
      std::size_t best_edits = 0;
      std::vector<std::size_t> best_order;
      for_each_shift(order, [&](const std::vector<std::size_t>& moved, double price) {
        const std::size_t after = distance(moved);
        const double gain = static_cast<double>(edits) - static_cast<double>(after) - price;
        if (gain > best_gain) {
          best_gain = gain;
          best_price = price;
          best_edits = after;
          best_order = moved;
        }
      });
      if (best_order.empty()) break;
      order = std::move(best_order);
      shifts += best_price;
      edits = best_edits;
    }
    return shifts + static_cast<double>(edits);
  }

 private:
  void read(Text text, std::vector<Symbols>& words) {
    std::vector<Text> tokens;
    split(text, stops_, tokens);
    words.resize(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) decode(tokens[i], words[i]);
  }

  // Replace code points by small numbers; 0 is the space between words.
  void number_characters() {
    std::size_t total = 1;
    for (const auto* words : {&hyp_, &ref_})
      for (const Symbols& word : *words) total += word.size();
    numbers_.reset(total);
    types_ = 1;
    for (auto* words : {&hyp_, &ref_}) {
      for (Symbols& word : *words) {
        for (std::uint32_t& c : word) {
          FlatMap::Slot& slot = numbers_.find(c);
          if (!numbers_.holds(slot)) numbers_.fill(slot, c, static_cast<std::uint32_t>(types_++));
          c = slot.value;
        }
      }
    }
  }

  const Symbols& joined(const std::vector<Symbols>& words) {
    line_.clear();
    for (const Symbols& word : words) {
      if (!line_.empty()) line_.push_back(0);
      line_.insert(line_.end(), word.begin(), word.end());
    }
    return line_;
  }

  std::size_t distance(const std::vector<std::size_t>& order) {
    line_.clear();
    for (const std::size_t w : order) {
      if (!line_.empty()) line_.push_back(0);
      line_.insert(line_.end(), hyp_[w].begin(), hyp_[w].end());
    }
    return pattern_.distance(line_);
  }

  void find_similar() {
    similar_.assign(hyp_.size() * ref_.size(), false);
    for (std::size_t r = 0; r < ref_.size(); ++r) {
      words_.set_pattern(ref_[r], types_);
      for (std::size_t h = 0; h < hyp_.size(); ++h) {
        const std::size_t longer = std::max(hyp_[h].size(), ref_[r].size());
        const std::size_t d = words_.distance(hyp_[h]);
        similar_[h * ref_.size() + r] =
            static_cast<double>(d) < options_.threshold * static_cast<double>(longer);
      }
    }
  }

  // A phrase moves to the index that its reference phrase has.
  template <class Try>
  void for_each_shift(const std::vector<std::size_t>& order, Try&& attempt) {
    const std::size_t n = order.size(), m = ref_.size();
    std::vector<std::size_t> rest, moved;
    for (std::size_t h = 0; h < n; ++h) {
      for (std::size_t r = 0; r < m; ++r) {
        if (h == r) continue;
        double characters = 0.0;
        for (std::size_t length = 1; length <= kMaxShiftSize; ++length) {
          if (h + length > n || r + length > m) break;
          if (!similar_[order[h + length - 1] * m + r + length - 1]) break;
          characters += static_cast<double>(hyp_[order[h + length - 1]].size());
          const auto from = order.begin() + static_cast<std::ptrdiff_t>(h);
          const auto to = from + static_cast<std::ptrdiff_t>(length);
          rest.assign(order.begin(), from);
          rest.insert(rest.end(), to, order.end());
          const auto target = static_cast<std::ptrdiff_t>(std::min(r, rest.size()));
          moved = rest;
          moved.insert(moved.begin() + target, from, to);
          if (moved == order) continue;
          attempt(moved, characters / static_cast<double>(length));
        }
      }
    }
  }

  CharacterOptions options_;
  std::vector<Symbols> hyp_, ref_;
  Symbols line_;
  Stops stops_;
  FlatMap numbers_;
  std::size_t types_ = 1;
  Levenshtein pattern_, words_;
  std::vector<bool> similar_;
};

class CharacterWorker final : public Worker {
 public:
  explicit CharacterWorker(const CharacterOptions& options) : search_(options) {}

  void set_refs(std::span<const Text> refs) override { refs_.assign(refs.begin(), refs.end()); }

  void row(Text hyp, double* out) override {
    for (std::size_t r = 0; r < refs_.size(); ++r) {
      double length = 0.0;
      const double cost = search_.cost(hyp, refs_[r], length);
      if (r == 0 || cost < out[0]) out[0] = cost;
      out[1] = length;
    }
  }

 private:
  std::vector<Text> refs_;
  CharacterSearch search_;
};

class Character final : public Kernel {
 public:
  explicit Character(const CharacterOptions& options) : options_(options) {}
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<CharacterWorker>(options_);
  }
  double score(const double* row) const override { return error_rate(row[0], row[1]); }

 private:
  CharacterOptions options_;
};

}  // namespace

std::unique_ptr<Kernel> make_character(const CharacterOptions& options) {
  return std::make_unique<Character>(options);
}

}  // namespace tertium

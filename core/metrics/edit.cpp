// SPDX-License-Identifier: Apache-2.0
#include "metrics/edit.hpp"

#include <algorithm>
#include <vector>

#include "base/pace.hpp"
#include "text/levenshtein.hpp"
#include "text/segment.hpp"

namespace tertium {

double error_rate(double errors, double length) {
  if (length > 0) return errors / length;
  return errors > 0 ? 1.0 : 0.0;
}

namespace {

using Symbols = std::span<const std::uint32_t>;

class EditWorker final : public Worker {
 public:
  EditWorker(EditKind kind, Scheme scheme) : kind_(kind), segment_(Tokenizer(scheme)) {}

  void set_refs(std::span<const Text> refs) override { segment_.set_refs(refs); }

  void row(Text hyp, double* out) override {
    segment_.set_hyp(hyp);
    double best = -1.0;
    for (std::size_t r = 0; r < segment_.refs(); ++r) {
      const double count = static_cast<double>(errors(segment_.hyp(), segment_.ref(r)));
      const double length = static_cast<double>(segment_.ref(r).size());
      const double rate = error_rate(count, length);
      if (best < 0 || rate < best) {
        best = rate;
        out[0] = count;
        out[1] = length;
      }
    }
  }

 private:
  std::size_t errors(Symbols hyp, Symbols ref) {
    switch (kind_) {
      case EditKind::kWer:
        levenshtein_.set_pattern(ref, segment_.types() + 1);
        return levenshtein_.distance(hyp);
      case EditKind::kPer:
        return std::max(hyp.size(), ref.size()) - overlap(hyp, ref);
      default:
        return cder(hyp, ref);
    }
  }

  // The size of the intersection of the two bags of words.
  std::size_t overlap(Symbols hyp, Symbols ref) {
    counts_.assign(segment_.types() + 1, 0);
    for (const std::uint32_t word : ref) ++counts_[word];
    std::size_t common = 0;
    for (const std::uint32_t word : hyp) {
      if (counts_[word] > 0) {
        --counts_[word];
        ++common;
      }
    }
    return common;
  }

  // Rows are reference words, columns hypothesis words; after each row a long
  // jump reaches every column for the row's minimum plus one. O(|hyp| |ref|).
  std::size_t cder(Symbols hyp, Symbols ref) {
    costs_.assign(hyp.size() + 1, 1);
    costs_[0] = 0;
    for (const std::uint32_t word : ref) {
      std::size_t diagonal = costs_[0];
      std::size_t lowest = ++costs_[0];
      for (std::size_t j = 1; j <= hyp.size(); ++j) {
        const std::size_t substitute = diagonal + (hyp[j - 1] != word);
        diagonal = costs_[j];
        costs_[j] = std::min({substitute, costs_[j] + 1, costs_[j - 1] + 1});
        lowest = std::min(lowest, costs_[j]);
      }
      for (std::size_t& cost : costs_) cost = std::min(cost, lowest + 1);
      pace_.spend(2 * hyp.size());
    }
    return costs_.back();
  }

  EditKind kind_;
  TokenizedSegment segment_;
  Levenshtein levenshtein_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::size_t> costs_;
  Pace pace_;
};

class Edit final : public Kernel {
 public:
  Edit(EditKind kind, Scheme scheme) : kind_(kind), scheme_(scheme) {}
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<EditWorker>(kind_, scheme_);
  }
  double score(const double* row) const override { return error_rate(row[0], row[1]); }

 private:
  EditKind kind_;
  Scheme scheme_;
};

}  // namespace

std::unique_ptr<Kernel> make_edit(EditKind kind, Scheme scheme) {
  return std::make_unique<Edit>(kind, scheme);
}

}  // namespace tertium

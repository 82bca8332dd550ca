// SPDX-License-Identifier: Apache-2.0
#include "metrics/ter.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "metrics/edit.hpp"
#include "metrics/ter_search.hpp"
#include "text/segment.hpp"

namespace tertium {

namespace {

// sacreBLEU runs the tokeniser over references twice, which matters in corners such as
// "..1"; equal numbers need the same.
class ReferenceReader {
 public:
  explicit ReferenceReader(const TercomOptions& options)
      : twice_(options.normalized), tokenizer_(Scheme::kTercom, options) {}

  // The texts to be read as references: valid until the next call.
  std::span<const Text> refs(std::span<const Text> refs) {
    if (!twice_) return refs;
    lines_.assign(refs.size(), "");
    texts_.clear();
    for (std::size_t r = 0; r < refs.size(); ++r) {
      tokenizer_.reset();
      tokenizer_(refs[r], tokens_);
      for (const Text token : tokens_) (lines_[r] += token) += ' ';
      texts_.push_back(lines_[r]);
    }
    return texts_;
  }

 private:
  bool twice_;
  Tokenizer tokenizer_;
  std::vector<std::string> lines_;
  std::vector<Text> texts_, tokens_;
};

class TerWorker final : public Worker {
 public:
  explicit TerWorker(const TercomOptions& options)
      : reader_(options), segment_(Tokenizer(Scheme::kTercom, options)) {}

  void set_refs(std::span<const Text> refs) override {
    segment_.set_refs(reader_.refs(refs));
  }

  void row(Text hyp, double* out) override {
    segment_.set_hyp(hyp);
    int fewest = ter::kInfinity;
    std::size_t length = 0;
    for (std::size_t r = 0; r < segment_.refs(); ++r) {
      fewest = std::min(fewest,
                        search_.edits(segment_.hyp(), segment_.ref(r), segment_.types() + 1));
      length += segment_.ref(r).size();
    }
    out[0] = fewest;
    out[1] = static_cast<double>(length) / static_cast<double>(segment_.refs());
  }

 private:
  ReferenceReader reader_;
  TokenizedSegment segment_;
  ter::Search search_;
};

// All texts of a list as numbers.
class TerPairs final : public TextsWorker {
 public:
  explicit TerPairs(const TercomOptions& options)
      : reader_(options), tokenizer_(Scheme::kTercom, options) {}

  void read(std::span<const Text> texts) override {
    tokenizer_.reset();
    hyp_tokens_.resize(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) tokenizer_(texts[i], hyp_tokens_[i]);
    const std::span<const Text> refs = reader_.refs(texts);
    // Most often references are read as hypotheses are.
    ref_tokens_.resize(refs.data() == texts.data() ? 0 : texts.size());
    for (std::size_t i = 0; i < ref_tokens_.size(); ++i) tokenizer_(refs[i], ref_tokens_[i]);
    std::size_t words = 0;
    for (const auto* lists : {&hyp_tokens_, &ref_tokens_})
      for (const std::vector<Text>& tokens : *lists) words += tokens.size();
    intern_.reset(words);
    number(hyp_tokens_, hyps_);
    number(ref_tokens_, refs_);
  }

  void row(std::size_t hyp, std::size_t ref, double* out) override {
    const std::vector<std::uint32_t>& words = (refs_.empty() ? hyps_ : refs_)[ref];
    out[0] = search_.edits(hyps_[hyp], words, intern_.size());
    out[1] = static_cast<double>(words.size());
  }

 private:
  using Numbers = std::vector<std::vector<std::uint32_t>>;

  void number(const std::vector<std::vector<Text>>& texts, Numbers& out) {
    out.resize(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      out[i].clear();
      for (const Text token : texts[i]) out[i].push_back(intern_.add(token));
    }
  }

  ReferenceReader reader_;
  Tokenizer tokenizer_;
  Interner intern_;
  std::vector<std::vector<Text>> hyp_tokens_, ref_tokens_;
  Numbers hyps_, refs_;  // no references where they are as hypotheses
  ter::Search search_;
};

class Ter final : public Kernel {
 public:
  explicit Ter(const TercomOptions& options) : options_(options) {}
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<TerWorker>(options_);
  }
  std::unique_ptr<TextsWorker> texts_worker() const override {
    return std::make_unique<TerPairs>(options_);
  }
  double score(const double* row) const override { return 100 * error_rate(row[0], row[1]); }

 private:
  TercomOptions options_;
};

}  // namespace

std::unique_ptr<Kernel> make_ter(const TercomOptions& options) {
  return std::make_unique<Ter>(options);
}

}  // namespace tertium

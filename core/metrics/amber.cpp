// SPDX-License-Identifier: Apache-2.0
#include "metrics/amber.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "align/context.hpp"
#include "base/pace.hpp"
#include "text/ngrams.hpp"
#include "text/segment.hpp"

namespace tertium {

namespace {

using Symbols = std::span<const std::uint32_t>;

constexpr std::size_t kShort = 3;  // characters of a short word at most

// Where the columns of one form's block are.
struct Columns {
  explicit Columns(std::size_t n)
      : hyp_totals(n), ref_totals(2 * n), shorter(3 * n), longer(shorter + 1),
        shorter_chars(shorter + 2), longer_chars(shorter + 3), ref_chars(shorter + 4),
        short_words(shorter + 5), long_words(shorter + 6), chunks(shorter + 7),
        continued(shorter + 8), spearman(continued + n - 1), kendall(spearman + 1),
        aligned(spearman + 2), width(spearman + 3) {}

  std::size_t hyp_totals, ref_totals, shorter, longer, shorter_chars, longer_chars, ref_chars,
      short_words, long_words, chunks, continued, spearman, kendall, aligned, width;
};

// ------------------------------------------------------------------------- score

double power(double base, double exponent) { return exponent == 0 ? 1.0 : std::pow(base, exponent); }

// 1 where `part` equals `whole`, e^(1 - whole / part) below it.
double exp_ratio(double part, double whole) {
  if (part >= whole) return 1.0;
  return part > 0 ? std::exp(1.0 - whole / part) : 0.0;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

class AmberScore {
 public:
  explicit AmberScore(const AmberOptions& options) : options_(options), at_(options.max_order) {}

  std::size_t width() const { return at_.width; }

  double operator()(const double* row) const {
    if (row[0] <= 0) return 0.0;  // no word is matched
    return fit(row) * penalty(row);
  }

 private:
  double f_measure(double p, double r) const {
    const double below = options_.alpha * p + (1 - options_.alpha) * r;
    return below > 0 ? p * r / below : 0.0;
  }

  double fit(const double* row) const {
    double log_sum = 0, p_sum = 0, r_sum = 0, f_sum = 0, orders = 0;
    for (std::size_t n = 0; n < options_.max_order; ++n) {
      const double match = row[n], hyp = row[at_.hyp_totals + n], ref = row[at_.ref_totals + n];
      if (hyp <= 0 && ref <= 0) break;  // both texts are shorter than n
      ++orders;
      const double one = n > 0 ? 1.0 : 0.0;
      log_sum += std::log((match + one) / (hyp + one));
      const double p = share(match, hyp), r = share(match, ref);
      p_sum += p;
      r_sum += r;
      f_sum += f_measure(p, r);
    }
    return options_.theta[0] * std::exp(log_sum / orders) +
           options_.theta[1] * f_measure(p_sum / orders, r_sum / orders) +
           options_.theta[2] * f_sum / orders;
  }

  double penalty(const double* row) const {
    const double ref = row[at_.ref_totals];
    const std::array<double, kAmberPenalties> factors = {
        exp_ratio(row[at_.shorter], ref),
        std::exp(1.0 - row[at_.longer] / ref),
        exp_ratio(row[at_.shorter_chars], row[at_.ref_chars]),
        std::exp(1.0 - row[at_.longer_chars] / row[at_.ref_chars]),
        std::exp(-row[at_.short_words] / ref),
        std::exp(-row[at_.long_words] / ref),
        1.0 - options_.gamma * power(std::min(1.0, row[at_.chunks] / row[0]), options_.beta),
        std::exp(continuity(row) - 1.0),
        row[at_.aligned] > 0 ? row[at_.spearman] / row[at_.aligned] : 1.0,
        row[at_.aligned] > 0 ? row[at_.kendall] / row[at_.aligned] : 1.0,
    };
    double product = 1.0;
    for (std::size_t i = 0; i < kAmberPenalties; ++i)
      product *= power(std::clamp(factors[i], 0.0, 1.0), options_.weights[i]);
    return product;
  }

  // How many matched n-grams continue matched ones, the mean over orders.
  double continuity(const double* row) const {
    double sum = 0, orders = 0;
    for (std::size_t n = 1; n < options_.max_order; ++n) {
      const double possible = row[at_.continued + n - 1];
      if (possible <= 0) continue;
      sum += std::min(1.0, row[n] / possible);
      ++orders;
    }
    return orders > 0 ? sum / orders : 1.0;
  }

  AmberOptions options_;
  Columns at_;
};

// ------------------------------------------------------------------------- forms

// The place in a word after so many characters from `start`, or its end.
std::size_t skip(Text word, std::size_t start, std::size_t characters) {
  while (start < word.size() && characters > 0) {
    ++start;
    while (start < word.size() && (static_cast<unsigned char>(word[start]) & 0xC0) == 0x80) ++start;
    --characters;
  }
  return start;
}

std::size_t length(Text word) {
  return static_cast<std::size_t>(std::ranges::count_if(
      word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void add_tokens(AmberForm form, Text word, std::vector<Text>& out) {
  const bool whole = form == AmberForm::kWords || form == AmberForm::kStems;
  const std::size_t size = whole ? 0 : length(word);
  if (size <= kAmberPart) return out.push_back(word);
  const std::size_t first = skip(word, 0, kAmberPart);
  const std::size_t last = skip(word, 0, size - kAmberPart);
  switch (form) {
    case AmberForm::kPrefixes: return out.push_back(word.substr(0, first));
    case AmberForm::kSuffixes: return out.push_back(word.substr(last));
    case AmberForm::kPrefixSplit:
      out.push_back(word.substr(0, first));
      return out.push_back(word.substr(first));
    case AmberForm::kSuffixSplit:
      out.push_back(word.substr(0, last));
      return out.push_back(word.substr(last));
    default: break;
  }
  const bool pieces = form == AmberForm::kPieces;
  for (std::size_t start = 0; start < word.size();) {
    const std::size_t end = skip(word, start, kAmberPart);
    out.push_back(word.substr(start, end - start));
    if (end == word.size()) break;
    start = pieces ? end : skip(word, start, 1);
  }
}

// ------------------------------------------------------------------------- rows

// A text in one form.
struct Side {
  std::vector<Text> tokens;
  std::vector<std::uint32_t> symbols;
  double chars = 0, short_words = 0;

  void read(AmberForm form, std::span<const Text> words) {
    tokens.clear();
    for (const Text word : words) add_tokens(form, word, tokens);
    chars = short_words = 0;
    for (const Text token : tokens) {
      const std::size_t size = length(token);
      chars += static_cast<double>(size);
      short_words += size <= kShort;
    }
  }
  double size() const { return static_cast<double>(tokens.size()); }
  double long_words() const { return size() - short_words; }
};

// The references of a segment in one form, each with its n-grams.
struct FormRefs {
  Interner intern;
  std::vector<Side> sides;
  std::vector<NgramCounts> counts;
  std::size_t size = 0;
};

// The words of a text and their stems.
struct Reading {
  std::vector<Text> words, stems;
};

class AmberWorker final : public Worker {
 public:
  explicit AmberWorker(const AmberOptions& options)
      : options_(options), at_(options.max_order), score_(options), tokenizer_(options.scheme),
        forms_(options.forms.size()),
        stems_(std::ranges::find(options.forms, AmberForm::kStems) != options.forms.end()) {}

  void set_refs(std::span<const Text> refs) override {
    tokenizer_.reset();
    refs_.resize(std::max(refs_.size(), refs.size()));
    for (std::size_t r = 0; r < refs.size(); ++r) read(refs[r], refs_[r]);
    for (std::size_t f = 0; f < forms_.size(); ++f)
      set_form(options_.forms[f], refs.size(), forms_[f]);
  }

  void row(Text hyp, double* out) override {
    read(hyp, hyp_reading_);
    best_.resize(at_.width);
    for (std::size_t f = 0; f < forms_.size(); ++f, out += at_.width) {
      FormRefs& refs = forms_[f];
      hyp_.read(options_.forms[f], tokens_of(options_.forms[f], hyp_reading_));
      hyp_.symbols.clear();
      for (const Text token : hyp_.tokens) hyp_.symbols.push_back(refs.intern.find(token));
      double best = -1;
      for (std::size_t r = 0; r < refs.size; ++r) {
        fill(refs, r, best_.data());
        const double score = refs.size > 1 ? score_(best_.data()) : 0.0;
        if (score <= best) continue;
        best = score;
        std::ranges::copy(best_, out);
      }
    }
  }

 private:
  void read(Text text, Reading& out) {
    const std::size_t end = stems_ ? text.rfind(kAmberStems) : Text::npos;
    tokenizer_(text.substr(0, end), out.words);
    out.stems.clear();
    if (end != Text::npos) split(text.substr(end + 1), stops_, out.stems);
  }

  static std::span<const Text> tokens_of(AmberForm form, const Reading& reading) {
    return form == AmberForm::kStems ? reading.stems : reading.words;
  }

  void set_form(AmberForm form, std::size_t count, FormRefs& refs) {
    refs.size = count;
    if (refs.sides.size() < count) {
      refs.sides.resize(count);
      refs.counts.resize(count);
    }
    std::size_t tokens = 0;
    for (std::size_t r = 0; r < count; ++r) {
      refs.sides[r].read(form, tokens_of(form, refs_[r]));
      tokens += refs.sides[r].tokens.size();
    }
    refs.intern.reset(tokens);
    for (std::size_t r = 0; r < count; ++r) {
      Side& side = refs.sides[r];
      side.symbols.clear();
      for (const Text token : side.tokens) side.symbols.push_back(refs.intern.add(token));
    }
    for (std::size_t r = 0; r < count; ++r)
      refs.counts[r].build(1, [&](std::size_t) { return Symbols(refs.sides[r].symbols); },
                           refs.sides[r].symbols.size(), options_.max_order, refs.intern.size());
  }

  void fill(FormRefs& refs, std::size_t r, double* out) {
    const Side& ref = refs.sides[r];
    const std::span<const std::size_t> matches = refs.counts[r].match(hyp_.symbols);
    for (std::size_t n = 0; n < options_.max_order; ++n) {
      out[n] = static_cast<double>(matches[n]);
      out[at_.hyp_totals + n] = static_cast<double>(ngram_total(hyp_.tokens.size(), n + 1));
      out[at_.ref_totals + n] = static_cast<double>(ngram_total(ref.tokens.size(), n + 1));
      if (n > 0) out[at_.continued + n - 1] = std::max(0.0, out[n - 1] - 1);
    }
    out[at_.shorter] = std::min(hyp_.size(), ref.size());
    out[at_.longer] = std::max(hyp_.size(), ref.size());
    out[at_.shorter_chars] = std::min(hyp_.chars, ref.chars);
    out[at_.longer_chars] = std::max(hyp_.chars, ref.chars);
    out[at_.ref_chars] = ref.chars;
    out[at_.short_words] = std::abs(hyp_.short_words - ref.short_words);
    out[at_.long_words] = std::abs(hyp_.long_words() - ref.long_words());
    out[at_.chunks] = chunks(out, ref.size());
    order(aligner_.align(hyp_.symbols, ref.symbols, refs.intern.size()), out);
  }

  // Matched words less those that continue a match; none in a copy.
  double chunks(const double* out, double ref_size) const {
    const double words = out[0], pairs = options_.max_order > 1 ? out[1] : 0.0;
    if (words == 0) return 0.0;
    const double count = std::max(1.0, words - pairs);
    return count == 1 && words == hyp_.size() && words == ref_size ? 0.0 : count;
  }

  // Spearman's and Kendall's share of the aligned words, times their number; O(n^2).
  void order(std::span<const Identified> words, double* out) {
    const std::size_t n = words.size();
    out[at_.spearman] = out[at_.kendall] = out[at_.aligned] = 0.0;
    if (n < 2) return;
    ranks_.assign(n, 0);
    std::size_t ascending = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        ascending += words[i].ref < words[j].ref;
        ++ranks_[words[i].ref <= words[j].ref ? j : i];
      }
      if (i % 64 == 63) pace_.spend(64 * n);
    }
    double squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double gap = static_cast<double>(ranks_[i]) - static_cast<double>(i);
      squares += gap * gap;
    }
    const double size = static_cast<double>(n);
    out[at_.spearman] = size * (1.0 - 3.0 * squares / (size * (size * size - 1)));
    out[at_.kendall] = size * static_cast<double>(ascending) / (size * (size - 1) / 2);
    out[at_.aligned] = size;
  }

  AmberOptions options_;
  Columns at_;
  AmberScore score_;
  Tokenizer tokenizer_;
  Stops stops_;
  std::vector<Reading> refs_;
  Reading hyp_reading_;
  std::vector<FormRefs> forms_;
  bool stems_;
  Side hyp_;
  std::vector<double> best_;
  ContextAligner aligner_;
  std::vector<std::uint32_t> ranks_;
  Pace pace_;
};

class Amber final : public Kernel {
 public:
  explicit Amber(AmberOptions options) : options_(std::move(options)), score_(options_) {}

  std::size_t width() const override { return options_.forms.size() * score_.width(); }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<AmberWorker>(options_);
  }
  double score(const double* row) const override {
    double sum = 0.0;
    for (std::size_t f = 0; f < options_.forms.size(); ++f) sum += score_(row + f * score_.width());
    return sum / static_cast<double>(options_.forms.size());
  }

 private:
  AmberOptions options_;
  AmberScore score_;
};

}  // namespace

std::unique_ptr<Kernel> make_amber(AmberOptions options) {
  return std::make_unique<Amber>(std::move(options));
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
#include "align/bilingual.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tertium {

namespace {

// Keeps a sentence that the model finds impossible from dividing by 0.
constexpr double kLeast = 1e-30;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

}  // namespace

bool alike(std::string_view one, std::string_view other) {
  if (one == other) return true;
  const std::size_t least = std::min(one.size(), other.size());
  std::size_t end = 0;
  while (end < least && one[end] == other[end]) ++end;
  while (end > 0 && end < one.size() && !starts_character(one[end])) --end;
  const std::size_t common = characters(one.substr(0, end));
  return common >= 3 && 4 * common >= characters(one) + characters(other);
}

BilingualModel::BilingualModel(std::array<Vocabulary, 2> words, PairTable table,
                               std::size_t window, const BilingualSettings& settings)
    : words_(std::move(words)), table_(std::move(table)), settings_(settings) {
  for (const Vocabulary& side : words_) {
    if (side.share.size() != side.size()) throw std::invalid_argument("one share per word");
    for (const std::int32_t stem : side.stem_of)
      if (stem < 0 || static_cast<std::size_t>(stem) >= side.stems.size())
        throw std::out_of_range("a word has no stem");
  }
  if (table_.sources() != words_[0].size()) throw std::invalid_argument("one row per word");
  for (const std::int32_t target : table_.targets())
    if (target < 0 || static_cast<std::size_t>(target) >= words_[1].size())
      throw std::out_of_range("a target word is not in the vocabulary");
  link_stems();
  for (std::size_t d = 0; d < 2; ++d) {
    set_counts(d, std::vector<float>(table_.size()));
    set_null_counts(d, std::vector<double>(words_[1 - d].size()));
    sides_[d].jumps = Jumps(window);
  }
}

// The table of stems, with the pairs of words that belong to each of its pairs.
void BilingualModel::link_stems() {
  std::vector<std::vector<std::int32_t>> members(words_[0].stems.size());
  for (std::size_t w = 0; w < words_[0].size(); ++w)
    members[static_cast<std::size_t>(words_[0].stem_of[w])].push_back(static_cast<std::int32_t>(w));
  std::vector<std::int64_t> rows{0};
  std::vector<std::int32_t> targets, row;
  std::vector<std::uint32_t> number(words_[1].stems.size(), PairTable::kNone);
  pairs_.resize(table_.size());
  stem_pair_of_.resize(table_.size());
  const auto each = [&](const std::vector<std::int32_t>& row_words, auto&& visit) {
    for (const std::int32_t word : row_words)
      for (std::int64_t p = table_.rows()[static_cast<std::size_t>(word)];
           p < table_.rows()[static_cast<std::size_t>(word) + 1]; ++p) {
        const auto target = static_cast<std::size_t>(table_.targets()[static_cast<std::size_t>(p)]);
        visit(static_cast<std::size_t>(p), static_cast<std::size_t>(words_[1].stem_of[target]));
      }
  };
  for (std::size_t stem = 0; stem < members.size(); ++stem) {
    row.clear();
    each(members[stem], [&](std::size_t, std::size_t other) {
      if (number[other] != PairTable::kNone) return;
      number[other] = 0;
      row.push_back(static_cast<std::int32_t>(other));
    });
    std::sort(row.begin(), row.end());
    for (const std::int32_t other : row) {
      const auto at = static_cast<std::size_t>(other);
      number[at] = static_cast<std::uint32_t>(targets.size());
      targets.push_back(other);
    }
    each(members[stem], [&](std::size_t p, std::size_t other) {
      stem_pair_of_[p] = number[other];
      pairs_[p].prior = prior(words_[0].stems[stem], words_[1].stems[other]);
    });
    for (const std::int32_t other : row) number[static_cast<std::size_t>(other)] = PairTable::kNone;
    rows.push_back(static_cast<std::int64_t>(targets.size()));
  }
  stems_ = PairTable(std::move(rows), std::move(targets));
}

std::vector<float> BilingualModel::counts(std::size_t d) const {
  std::vector<float> out(pairs_.size());
  for (std::size_t p = 0; p < out.size(); ++p) out[p] = pairs_[p].counts[d];
  return out;
}

void BilingualModel::set_counts(std::size_t d, std::span<const float> counts) {
  if (counts.size() != pairs_.size()) throw std::invalid_argument("one count per pair");
  Direction& side = sides_[d];
  side.rows.assign(words_[d].size(), 0.0);
  side.stem_rows.assign(words_[d].stems.size(), 0.0);
  std::vector<float>& stem_counts = stem_counts_[d];
  stem_counts.assign(stems_.size(), 0.0f);
  for (std::size_t source = 0; source < table_.sources(); ++source)
    for (std::int64_t at = table_.rows()[source]; at < table_.rows()[source + 1]; ++at) {
      const auto p = static_cast<std::size_t>(at);
      const auto target = static_cast<std::size_t>(table_.targets()[p]);
      pairs_[p].counts[d] = counts[p];
      stem_counts[stem_pair_of_[p]] += counts[p];
      side.rows[d == 0 ? source : target] += counts[p];
    }
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    pairs_[p].stem_counts[d] = stem_counts[stem_pair_of_[p]];
  for (std::size_t w = 0; w < side.rows.size(); ++w)
    side.stem_rows[static_cast<std::size_t>(words_[d].stem_of[w])] += side.rows[w];
}

void BilingualModel::set_null_counts(std::size_t d, std::span<const double> counts) {
  if (counts.size() != words_[1 - d].size()) throw std::invalid_argument("one count per word");
  sides_[d].null.assign(counts.begin(), counts.end());
  sides_[d].null_sum = 0;
  for (const double count : counts) sides_[d].null_sum += count;
}

void BilingualModel::set_jumps(std::size_t d, std::span<const double> weights) {
  if (weights.size() % 2 == 0) throw std::invalid_argument("an odd number of jumps");
  sides_[d].jumps.weights.assign(weights.begin(), weights.end());
}

float BilingualModel::prior(std::string_view source, std::string_view target) const {
  return static_cast<float>(settings_.prior + (alike(source, target) ? settings_.likeness : 0));
}

BilingualModel::Pair BilingualModel::find(const KnownWord& source, const KnownWord& target) const {
  const std::uint32_t number = table_.find(source.word, target.word);
  if (number != PairTable::kNone) return pairs_[number];
  Pair out;
  out.prior = prior(source.text, target.text);
  const std::uint32_t stems = stems_.find(source.stem, target.stem);
  if (stems != PairTable::kNone)
    for (std::size_t d = 0; d < 2; ++d) out.stem_counts[d] = stem_counts_[d][stems];
  return out;
}

// A Dirichlet prior on the translations of a word, whose mean is those of its stem, which
// have a sparse prior of their own. A cell that ignored none of its own count would
// confirm itself: rare words would collect words that nobody else explains.
double BilingualModel::emission(std::size_t d, const Pair& pair, std::int32_t from,
                                std::int32_t from_stem, double share, double held) const {
  const auto without = [held](double count) { return std::max(0.0, count - held); };
  const Direction& side = sides_[d];
  const double row = from < 0 ? 0 : side.rows[static_cast<std::size_t>(from)];
  const double stem_row = from_stem < 0 ? 0 : side.stem_rows[static_cast<std::size_t>(from_stem)];
  // Stems but for this one; a model of nothing has seen none.
  const std::size_t others = std::max<std::size_t>(words_[1 - d].stems.size(), 1) - 1;
  const double stems = settings_.prior * static_cast<double>(others);
  // The mean is `part` of `whole`: one division instead of two.
  const double part = (without(pair.stem_counts[d]) + pair.prior) * share;
  const double whole = without(stem_row) + stems + pair.prior;
  return (without(pair.counts[d]) * whole + settings_.back_off * part) /
             ((without(row) + settings_.back_off) * whole) +
         kLeast;
}

double BilingualModel::null_emission(std::size_t d, std::int32_t word) const {
  const Direction& side = sides_[d];
  const double count = word < 0 ? 0 : side.null[static_cast<std::size_t>(word)];
  const auto types = static_cast<double>(side.null.size() + 1);  // and the unknown word
  return (count + settings_.null_prior) / (side.null_sum + settings_.null_prior * types) + kLeast;
}

void BilingualWorker::resize(std::size_t sources, std::size_t targets) {
  sizes_ = {sources, targets};
  for (std::size_t d = 0; d < 2; ++d) {
    emission_[d].resize(sources * targets);
    null_[d].resize(sizes_[1 - d]);
  }
}

std::array<double, 2> BilingualWorker::run(bool ordered) {
  std::array<double, 2> out{};
  const double null = model_.settings().null_probability;
  for (std::size_t d = 0; d < 2; ++d)
    out[d] = ordered
                 ? chains_[d].run(emission_[d], null_[d], sizes_[d], model_.jumps(d), null)
                 : chains_[d].run_unordered(emission_[d], null_[d], sizes_[d], null);
  return out;
}

}  // namespace tertium

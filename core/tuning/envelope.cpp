// SPDX-License-Identifier: Apache-2.0
#include "tuning/envelope.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/batch.hpp"

namespace tertium {

namespace {

// A line of an envelope, and where it begins to win.
struct Winner {
  double from;
  std::int32_t hypothesis;
};

struct Change {
  double cut;
  std::int32_t before, after;
};

// The envelopes of all lists; that of list i begins at first[i] and has count[i] lines.
struct Envelopes {
  std::vector<Winner> winners;
  std::vector<std::int32_t> count;
};

class Envelope {
 public:
  Envelope(std::span<const double> offsets, std::span<const double> slopes, Winner* out)
      : offsets_(offsets), slopes_(slopes), out_(out) {}

  // Lines come by slope; of equal ones the first in the list comes first.
  void add(std::int32_t line) {
    double from = -std::numeric_limits<double>::infinity();
    while (count_ > 0) {
      const std::int32_t top = out_[count_ - 1].hypothesis;
      const double rise = slopes_[line] - slopes_[top];
      const double drop = offsets_[top] - offsets_[line];
      if (rise == 0 && drop >= 0) return;  // never above the line it runs along
      if (rise > 0) {
        from = drop / rise;
        if (from > out_[count_ - 1].from) break;
        from = -std::numeric_limits<double>::infinity();
      }
      --count_;
    }
    out_[count_++] = {from, line};
  }

  std::int32_t count() const { return count_; }

 private:
  std::span<const double> offsets_, slopes_;
  Winner* out_;
  std::int32_t count_ = 0;
};

Envelopes envelopes_of(const Hypotheses& hypotheses, std::span<const double> offsets,
                       std::span<const double> slopes, std::span<const std::int32_t> order,
                       unsigned threads) {
  constexpr std::size_t kBlock = 64;
  const std::size_t lists = hypotheses.first.size() - 1;
  Envelopes out{std::vector<Winner>(offsets.size()), std::vector<std::int32_t>(lists)};
  parallel_for(lists, kBlock, threads, [&]() -> Body {
    return [&, local = std::vector<std::int32_t>()](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        const auto from = static_cast<std::size_t>(hypotheses.first[i]);
        const auto size = static_cast<std::size_t>(hypotheses.first[i + 1]) - from;
        std::span<const std::int32_t> lines = order;
        if (order.empty()) {
          local.resize(size);
          std::iota(local.begin(), local.end(), static_cast<std::int32_t>(from));
          std::sort(local.begin(), local.end(), [&](std::int32_t a, std::int32_t b) {
            return slopes[a] < slopes[b] || (slopes[a] == slopes[b] && a < b);
          });
          lines = local;
        } else {
          lines = order.subspan(from, size);
        }
        Envelope envelope(offsets, slopes, out.winners.data() + from);
        for (const std::int32_t line : lines) envelope.add(line);
        out.count[i] = envelope.count();
      }
    };
  });
  return out;
}

std::vector<Change> changes_of(const Hypotheses& hypotheses, const Envelopes& envelopes) {
  const std::size_t bytes = hypotheses.width * sizeof(double);
  const auto row = [&](std::int32_t i) { return hypotheses.statistics + i * hypotheses.width; };
  std::vector<Change> changes;
  for (std::size_t i = 0; i < envelopes.count.size(); ++i) {
    const Winner* winners = envelopes.winners.data() + hypotheses.first[i];
    for (std::int32_t k = 1; k < envelopes.count[i]; ++k) {
      const std::int32_t before = winners[k - 1].hypothesis, after = winners[k].hypothesis;
      if (std::memcmp(row(before), row(after), bytes) != 0)
        changes.push_back({winners[k].from, before, after});
    }
  }
  // Sums of fractions depend on the order, so it is a total one.
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.cut < b.cut || (a.cut == b.cut && a.before < b.before);
  });
  return changes;
}

}  // namespace

Sweep sweep_line(const Hypotheses& hypotheses, std::span<const double> offsets,
                 std::span<const double> slopes, std::span<const std::int32_t> order,
                 unsigned threads) {
  const Envelopes envelopes = envelopes_of(hypotheses, offsets, slopes, order, threads);
  const std::vector<Change> changes = changes_of(hypotheses, envelopes);
  const std::size_t width = hypotheses.width;
  const auto row = [&](std::int32_t i) { return hypotheses.statistics + i * width; };
  Sweep out;
  std::vector<double> sums(width);
  for (std::size_t i = 0; i < envelopes.count.size(); ++i) {
    const double* first = row(envelopes.winners[hypotheses.first[i]].hypothesis);
    for (std::size_t k = 0; k < width; ++k) sums[k] += first[k];
  }
  out.cuts.reserve(changes.size());
  out.statistics.reserve((changes.size() + 1) * width);
  for (std::size_t c = 0; c < changes.size();) {
    const double cut = changes[c].cut;
    out.statistics.insert(out.statistics.end(), sums.begin(), sums.end());
    out.cuts.push_back(cut);
    for (; c < changes.size() && changes[c].cut == cut; ++c) {
      const double* before = row(changes[c].before);
      const double* after = row(changes[c].after);
      for (std::size_t k = 0; k < width; ++k) sums[k] += after[k] - before[k];
    }
  }
  out.statistics.insert(out.statistics.end(), sums.begin(), sums.end());
  return out;
}

double mira_pass(const MiraPass& pass, std::span<double> weights, std::span<double> total) {
  const std::size_t width = weights.size();
  double losses = 0;
  Pace pace;
  for (const std::int32_t list : pass.order) {
    const std::int64_t begin = pass.first[list], end = pass.first[list + 1];
    pace.spend(static_cast<std::size_t>(end - begin) * width);
    std::int64_t hope = begin, fear = begin;
    double best = -std::numeric_limits<double>::infinity(), worst = best;
    double hope_model = 0, fear_model = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const double* row = pass.features.data() + i * width;
      double model = 0;
      for (std::size_t k = 0; k < width; ++k) model += weights[k] * row[k];
      if (model + pass.gains[i] > best) best = model + pass.gains[i], hope = i, hope_model = model;
      if (model - pass.gains[i] > worst) worst = model - pass.gains[i], fear = i, fear_model = model;
    }
    const double cost = pass.gains[hope] - pass.gains[fear];
    const double loss = cost - (hope_model - fear_model);
    if (cost > 0 && loss > 0) {
      const double* good = pass.features.data() + hope * width;
      const double* bad = pass.features.data() + fear * width;
      double norm = 0;
      for (std::size_t k = 0; k < width; ++k) norm += (good[k] - bad[k]) * (good[k] - bad[k]);
      if (norm > 0) {
        const double step = std::min(pass.aggressiveness, loss / norm);
        for (std::size_t k = 0; k < width; ++k) weights[k] += step * (good[k] - bad[k]);
      }
      losses += loss;
    }
    for (std::size_t k = 0; k < width; ++k) total[k] += weights[k];
  }
  return losses;
}

}  // namespace tertium

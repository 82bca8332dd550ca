// SPDX-License-Identifier: Apache-2.0
#include "tuning/envelope.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/batch.hpp"
#include "base/compiler.hpp"
#include "base/radix.hpp"
#include "tuning/roof.hpp"

namespace tertium {

namespace {

// A line of an envelope, and where it begins to win.
struct Winner {
  double from;
  std::int32_t hypothesis;
};

struct Change {
  std::uint64_t key;  // sorts as the cut does
  std::int32_t before, after;
};

// What becomes of some lists along the line: who wins at first, and what changes.
struct Course {
  std::vector<double> start;  // sums of the statistics
  std::vector<Change> changes;
};

class Envelope {
 public:
  Envelope(std::span<const double> offsets, std::span<const double> slopes,
           std::vector<Winner>& out)
      : offsets_(offsets), slopes_(slopes), out_(out) {
    out_.clear();
  }

  // Lines come by slope; of equal ones the first in the list comes first.
  void add(std::int32_t line) {
    double from = -std::numeric_limits<double>::infinity();
    while (!out_.empty()) {
      const std::int32_t top = out_.back().hypothesis;
      const double rise = slopes_[line] - slopes_[top];
      const double drop = offsets_[top] - offsets_[line];
      if (rise == 0 && drop >= 0) return;  // never above the line it runs along
      if (rise > 0) {
        from = drop / rise;
        if (from > out_.back().from) break;
        from = -std::numeric_limits<double>::infinity();
      }
      out_.pop_back();
    }
    out_.push_back({from, line});
  }

 private:
  std::span<const double> offsets_, slopes_;
  std::vector<Winner>& out_;
};

// Follows one list after the other.
class Follower {
 public:
  Follower(const Hypotheses& hypotheses, std::span<const double> offsets,
           std::span<const double> slopes)
      : hypotheses_(hypotheses), offsets_(offsets), slopes_(slopes) {}

  void follow(std::size_t list, Course& out) {
    choose_lines(static_cast<std::size_t>(hypotheses_.first[list]),
                 static_cast<std::size_t>(hypotheses_.first[list + 1]));
    Envelope envelope(offsets_, slopes_, winners_);
    for (const auto& [slope, line] : lines_) envelope.add(line);
    const std::size_t width = hypotheses_.width;
    const double* before = row(winners_[0].hypothesis);
    for (std::size_t k = 0; k < width; ++k) out.start[k] += before[k];
    for (std::size_t i = 1; i < winners_.size(); ++i) {
      const double* after = row(winners_[i].hypothesis);
      if (std::memcmp(before, after, width * sizeof(double)) != 0)
        out.changes.push_back({sort_key(winners_[i].from), winners_[i - 1].hypothesis,
                               winners_[i].hypothesis});
      before = after;
    }
  }

 private:
  const double* row(std::int32_t i) const {
    return hypotheses_.statistics + static_cast<std::size_t>(i) * hypotheses_.width;
  }

  // Lines by slope that may be on the envelope; of equal slopes the first comes first.
  void choose_lines(std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin;
    marks_.resize(n);
    lines_.resize(n);
    mark_candidates(offsets_.subspan(begin, n), slopes_.subspan(begin, n), marks_.data());
    std::size_t count = 0;
    for (std::size_t k = 0; k < n; ++k) {
      lines_[count] = {slopes_[begin + k], static_cast<std::int32_t>(begin + k)};
      count += marks_[k];  // no branch: nobody could foresee it
    }
    lines_.resize(count);
    std::sort(lines_.begin(), lines_.end());
  }

  const Hypotheses& hypotheses_;
  std::span<const double> offsets_, slopes_;
  std::vector<std::uint8_t> marks_;
  std::vector<std::pair<double, std::int32_t>> lines_;  // slope and line
  std::vector<Winner> winners_;
};

// The sums between changes, which come in order.
Sweep summed(const Hypotheses& hypotheses, std::span<const Change> changes,
             std::vector<double> sums) {
  constexpr std::size_t kAhead = 16;  // winners are all over memory: ask for them early
  const std::size_t width = hypotheses.width, count = changes.size();
  const auto row = [&](std::int32_t i) {
    return hypotheses.statistics + static_cast<std::size_t>(i) * width;
  };
  const auto ask = [width](const double* from) {
    prefetch(from);
    prefetch(from + width - 1);
  };
  Sweep out(count, width);
  double* place = out.statistics.get();
  for (std::size_t c = 0; c < count;) {
    const std::uint64_t key = changes[c].key;
    place = std::copy(sums.begin(), sums.end(), place);
    out.cuts[out.size++] = from_sort_key(key);
    for (; c < count && changes[c].key == key; ++c) {
      if (c + kAhead < count)
        ask(row(changes[c + kAhead].before)), ask(row(changes[c + kAhead].after));
      const double* before = row(changes[c].before);
      const double* after = row(changes[c].after);
      for (std::size_t k = 0; k < width; ++k) sums[k] += after[k] - before[k];
    }
  }
  std::copy(sums.begin(), sums.end(), place);
  return out;
}

}  // namespace

void model_scores(std::span<const double> features, std::span<const double> weights,
                  unsigned threads, std::span<double> out) {
  constexpr std::size_t kBlock = 16384;
  const std::size_t width = weights.size();
  parallel_for(out.size(), kBlock, threads, [&]() -> Body {
    return [&](std::size_t begin, std::size_t end) {
      // Several rows side by side: a sum alone waits for each of its additions.
      constexpr std::size_t kRows = 8;
      std::size_t i = begin;
      for (; i + kRows <= end; i += kRows) {
        const double* row = features.data() + i * width;
        double sums[kRows] = {};
        for (std::size_t k = 0; k < width; ++k)
          for (std::size_t r = 0; r < kRows; ++r) sums[r] += weights[k] * row[r * width + k];
        std::copy(sums, sums + kRows, out.begin() + static_cast<std::ptrdiff_t>(i));
      }
      for (; i < end; ++i) {
        const double* row = features.data() + i * width;
        double sum = 0;
        for (std::size_t k = 0; k < width; ++k) sum += weights[k] * row[k];
        out[i] = sum;
      }
    };
  });
}

Sweep sweep_line(const Hypotheses& hypotheses, std::span<const double> offsets,
                 std::span<const double> slopes, unsigned threads) {
  // Sums of fractions depend on their order, so lists are divided in the same way for any
  // number of threads, and equal cuts follow each other by list.
  constexpr std::size_t kPart = 64;
  const std::size_t lists = hypotheses.first.size() - 1, width = hypotheses.width;
  std::vector<Course> parts((lists + kPart - 1) / kPart);
  parallel_for(parts.size(), 4, threads, [&]() -> Body {
    return [&, follower = Follower(hypotheses, offsets, slopes)](std::size_t begin,
                                                                 std::size_t end) mutable {
      for (std::size_t part = begin; part < end; ++part) {
        parts[part].start.resize(width);
        const std::size_t last = std::min(lists, (part + 1) * kPart);
        for (std::size_t list = part * kPart; list < last; ++list)
          follower.follow(list, parts[part]);
      }
    };
  });
  std::vector<double> sums(width);
  std::vector<Change> changes, scratch;
  for (const Course& part : parts) {
    for (std::size_t k = 0; k < width; ++k) sums[k] += part.start[k];
    changes.insert(changes.end(), part.changes.begin(), part.changes.end());
  }
  sort_by_key(changes, scratch);  // equal cuts keep the order of lists
  return summed(hypotheses, changes, std::move(sums));
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

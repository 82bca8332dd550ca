// SPDX-License-Identifier: Apache-2.0
#include "preorder/risk.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>

#include "base/pace.hpp"

namespace tertium {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Sums over rectangles of a square matrix.
class Prefix {
 public:
  template <class At>
  Prefix(std::size_t n, At&& at) : width_(n + 1), sums_(width_ * width_) {
    for (std::size_t i = 0; i < n; ++i) {
      double row = 0;
      for (std::size_t j = 0; j < n; ++j) {
        row += at(i, j);
        sums_[(i + 1) * width_ + j + 1] = sums_[i * width_ + j + 1] + row;
      }
    }
  }
  // Rows [a, b), columns [c, d).
  double sum(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
    return (sums_[b * width_ + d] - sums_[a * width_ + d]) -
           (sums_[b * width_ + c] - sums_[a * width_ + c]);
  }

 private:
  std::size_t width_;
  std::vector<double> sums_;
};

std::vector<double> forbidden_pairs(const RiskTask& task) {
  const std::size_t n = task.words;
  if (task.walls.empty() && task.before.empty()) return {};
  std::vector<double> out(n * n);
  for (const auto& [first, second] : task.before) out[second * n + first] = 1;
  for (const std::uint32_t wall : task.walls)
    for (std::size_t i = wall; i < n; ++i)
      for (std::size_t j = 0; j < wall; ++j) out[i * n + j] = 1;
  return out;
}

// The first word of every unit, and the number of words.
std::vector<std::size_t> unit_bounds(const RiskTask& task) {
  std::vector<std::size_t> out;
  std::size_t next = 0;
  for (const auto& [from, to] : task.frozen) {
    while (next < from) out.push_back(next++);
    out.push_back(from);
    next = to;
  }
  while (next <= task.words) out.push_back(next++);
  return out;
}

// How the two parts of a span are ordered; kAny is the better of both.
enum Kind : std::size_t { kStraight = 0, kInverted = 1, kAny = 2 };

// One way to derive an item: a split and the ranks of its parts' derivations; for kAny,
// the kind and the rank of its derivation.
struct Way {
  double value;
  std::uint32_t split, left, right;
  // std::priority_queue keeps the largest on top.
  bool operator<(const Way& other) const {
    if (value != other.value) return value < other.value;
    if (split != other.split) return split > other.split;
    if (left != other.left) return left > other.left;
    return right > other.right;
  }
};

// Items are (span, offset, kind): the words of a span of units, moved by `offset` places
// altogether. A part that comes first in the source never has the kind of its parent, so
// that each order has exactly one tree (Wu 1997, section 6).
class Search {
 public:
  explicit Search(const RiskTask& task)
      : task_(task),
        n_(task.words),
        bounds_(unit_bounds(task)),
        units_(bounds_.size() - 1),
        gains_(n_, [&](std::size_t i, std::size_t j) { return task.expectations[i * n_ + j]; }),
        forbidden_(forbidden_pairs(task)),
        faults_(forbidden_.empty() ? 0 : n_,
                [&](std::size_t i, std::size_t j) { return forbidden_[i * n_ + j]; }) {
    if (task.max_displacement >= 0 && task.max_displacement + 1 < static_cast<std::int64_t>(n_)) {
      limited_ = true;
      reach_ = task.max_displacement;
      offsets_ = static_cast<std::size_t>(2 * reach_ + 1);
    }
    best_.assign(units_ * (units_ + 1) * offsets_ * 3, kNever);
    fill();
  }

  std::vector<SafeOrder> run(std::size_t count) {
    std::vector<SafeOrder> out;
    const double pairs = static_cast<double>(n_) * static_cast<double>(n_ - 1) / 2;
    const std::size_t root = item(0, units_, 0, kAny);
    for (std::uint32_t rank = 0; rank < count; ++rank) {
      const Way* way = ranked(root, rank);
      if (!way) break;
      SafeOrder& one = out.emplace_back(SafeOrder{{}, way->value / pairs});
      one.order.reserve(n_);
      write(root, rank, one.order);
    }
    return out;
  }

 private:
  struct Ranked {
    std::vector<Way> done;
    std::priority_queue<Way> waiting;
  };

  std::size_t item(std::size_t i, std::size_t j, std::int64_t offset, Kind kind) const {
    return (((i * (units_ + 1) + j) * offsets_) + static_cast<std::size_t>(offset + reach_)) * 3 +
           kind;
  }
  bool within(std::int64_t offset) const {
    return !limited_ || (-reach_ <= offset && offset <= reach_);
  }
  std::size_t words(std::size_t i, std::size_t j) const { return bounds_[j] - bounds_[i]; }

  // The gain from ordering the parts [i, m) and [m, j) of a span.
  double between(std::size_t i, std::size_t m, std::size_t j, Kind kind) const {
    const std::size_t a = bounds_[i], b = bounds_[m], c = bounds_[j];
    if (kind == kStraight)
      return !forbidden_.empty() && faults_.sum(a, b, b, c) > 0 ? kNever : gains_.sum(a, b, b, c);
    return !forbidden_.empty() && faults_.sum(b, c, a, b) > 0 ? kNever : gains_.sum(b, c, a, b);
  }

  // The items of the two parts; false if one moves too far.
  bool parts(std::size_t i, std::size_t m, std::size_t j, std::int64_t offset, Kind kind,
             std::size_t& left, std::size_t& right) const {
    std::int64_t first = offset, second = offset;
    if (kind == kInverted && limited_) {
      first += static_cast<std::int64_t>(words(m, j));
      second -= static_cast<std::int64_t>(words(i, m));
      if (!within(first) || !within(second)) return false;
    }
    left = item(i, m, first, kind == kStraight ? kInverted : kStraight);
    right = item(m, j, second, kAny);
    return true;
  }

  void fill() {
    for (std::size_t i = 0; i < units_; ++i)
      for (std::int64_t offset = -reach_; offset <= reach_; ++offset)
        for (const Kind kind : {kStraight, kInverted, kAny})
          best_[item(i, i + 1, offset, kind)] = unit_gain(i);
    for (std::size_t length = 2; length <= units_; ++length)
      for (std::size_t i = 0; i + length <= units_; ++i) {
        pace_.spend(length * offsets_ * 8);
        for (std::int64_t offset = -reach_; offset <= reach_; ++offset)
          fill(i, i + length, offset);
      }
  }

  void fill(std::size_t i, std::size_t j, std::int64_t offset) {
    double both = kNever;
    for (const Kind kind : {kStraight, kInverted}) {
      double best = kNever;
      std::size_t left = 0, right = 0;
      for (std::size_t m = i + 1; m < j; ++m)
        if (parts(i, m, j, offset, kind, left, right))
          best = std::max(best, best_[left] + best_[right] + between(i, m, j, kind));
      best_[item(i, j, offset, kind)] = best;
      both = std::max(both, best);
    }
    best_[item(i, j, offset, kAny)] = both;
  }

  // The gain within a unit, whose words stay in order.
  double unit_gain(std::size_t i) const {
    const std::size_t from = bounds_[i], to = bounds_[i + 1];
    double sum = 0;
    for (std::size_t a = from; a < to; ++a)
      for (std::size_t b = a + 1; b < to; ++b) {
        if (!forbidden_.empty() && forbidden_[a * n_ + b] > 0) return kNever;
        sum += task_.expectations[a * n_ + b];
      }
    return sum;
  }

  struct Place {
    std::size_t i, j;
    std::int64_t offset;
    Kind kind;
  };
  Place place(std::size_t item) const {
    const auto kind = static_cast<Kind>(item % 3);
    item /= 3;
    const std::int64_t offset = static_cast<std::int64_t>(item % offsets_) - reach_;
    item /= offsets_;
    return {item / (units_ + 1), item % (units_ + 1), offset, kind};
  }

  // The derivation of this rank, best first, or null: lazily (Huang and Chiang 2005,
  // algorithm 3).
  const Way* ranked(std::size_t at, std::uint32_t rank) {
    const Place here = place(at);
    const auto [entry, fresh] = ranked_.try_emplace(at);
    Ranked& lists = entry->second;  // stays where it is when others are added
    if (fresh) start(here, lists);
    while (lists.done.size() <= rank) {
      if (!lists.done.empty()) expand(here, lists, lists.done.back());
      if (lists.waiting.empty()) return nullptr;
      lists.done.push_back(lists.waiting.top());
      lists.waiting.pop();
    }
    return &lists.done[rank];
  }

  static void add(Ranked& lists, const Way& way) {
    if (way.value > kNever) lists.waiting.push(way);
  }

  void start(const Place& here, Ranked& lists) {
    const auto [i, j, offset, kind] = here;
    if (j == i + 1) {
      add(lists, {best_[item(i, j, offset, kind)], 0, 0, 0});
      return;
    }
    if (kind == kAny) {
      for (const Kind choice : {kStraight, kInverted})
        add(lists, {best_[item(i, j, offset, choice)], static_cast<std::uint32_t>(choice), 0, 0});
      return;
    }
    std::size_t left = 0, right = 0;
    for (std::size_t m = i + 1; m < j; ++m)
      if (parts(i, m, j, offset, kind, left, right))
        add(lists, {best_[left] + best_[right] + between(i, m, j, kind),
                    static_cast<std::uint32_t>(m), 0, 0});
  }

  // Add what follows a derivation in the same split.
  void expand(const Place& here, Ranked& lists, const Way last) {
    const auto [i, j, offset, kind] = here;
    if (j == i + 1) return;
    pace_.spend(256);
    if (kind == kAny) {
      const Way* next =
          ranked(item(i, j, offset, static_cast<Kind>(last.split)), last.left + 1);
      if (next) add(lists, {next->value, last.split, last.left + 1, 0});
      return;
    }
    std::size_t left = 0, right = 0;
    parts(i, last.split, j, offset, kind, left, right);
    const double gain = between(i, last.split, j, kind);
    // Each pair of ranks is reached in one way.
    if (const Way* next = ranked(right, last.right + 1)) {
      const double value = ranked(left, last.left)->value + next->value + gain;
      add(lists, {value, last.split, last.left, last.right + 1});
    }
    if (last.right > 0) return;
    if (const Way* next = ranked(left, last.left + 1)) {
      const double value = next->value + ranked(right, 0)->value + gain;
      add(lists, {value, last.split, last.left + 1, 0});
    }
  }

  void write(std::size_t at, std::uint32_t rank, Order& out) {
    const auto [i, j, offset, kind] = place(at);
    if (j == i + 1) {
      for (std::size_t word = bounds_[i]; word < bounds_[j]; ++word)
        out.push_back(static_cast<std::int32_t>(word));
      return;
    }
    const Way way = *ranked(at, rank);
    if (kind == kAny)
      return write(item(i, j, offset, static_cast<Kind>(way.split)), way.left, out);
    std::size_t left = 0, right = 0;
    parts(i, way.split, j, offset, kind, left, right);
    if (kind == kStraight) write(left, way.left, out);
    write(right, way.right, out);
    if (kind == kInverted) write(left, way.left, out);
  }

  const RiskTask& task_;
  std::size_t n_;
  std::vector<std::size_t> bounds_;
  std::size_t units_;
  Prefix gains_;
  std::vector<double> forbidden_;
  Prefix faults_;
  bool limited_ = false;
  std::int64_t reach_ = 0;
  std::size_t offsets_ = 1;
  std::vector<double> best_;
  std::unordered_map<std::size_t, Ranked> ranked_;
  Pace pace_;
};

}  // namespace

std::vector<SafeOrder> best_orders(const RiskTask& task, std::size_t count) {
  if (count == 0) return {};
  if (task.words == 0) return {{{}, 1.0}};
  if (task.words == 1) return {{{0}, 1.0}};
  return Search(task).run(count);
}

double expected_tau(std::span<const std::int32_t> order, const double* expectations) {
  const std::size_t n = order.size();
  if (n < 2) return 1;
  double sum = 0;
  for (std::size_t s = 0; s < n; ++s) {
    const double* row = expectations + static_cast<std::size_t>(order[s]) * n;
    for (std::size_t t = s + 1; t < n; ++t) sum += row[order[t]];
  }
  return sum / (static_cast<double>(n) * static_cast<double>(n - 1) / 2);
}

}  // namespace tertium

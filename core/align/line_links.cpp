// SPDX-License-Identifier: Apache-2.0
#include "align/line_links.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "text/unicode.hpp"

namespace tertium {
namespace {

struct Shape {
  std::uint8_t refs, hyps;
};
// In the order of preference.
constexpr std::array<Shape, 10> kShapes{
    {{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {1, 4}, {4, 1}, {2, 2}, {1, 0}, {0, 1}}};
constexpr double kNever = -std::numeric_limits<double>::infinity();

}  // namespace

void LineLinks::read(std::span<const std::string_view> texts, Side& side) {
  side.lines = texts.size();
  side.groups.assign(texts.size() * kLongest, {});
  side.sizes.assign(1, 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    points_.clear();
    decode(texts[i], points_);
    std::erase_if(points_, [](std::uint32_t point) { return is_space(point); });
    Trigrams& grams = side.groups[i * kLongest];
    // 21 bits hold a code point: trigrams are numbers, without collisions.
    if (!points_.empty() && points_.size() < 3) {
      grams.push_back(points_[0] | (points_.size() > 1 ? std::uint64_t{points_[1]} << 21 : 0));
    }
    for (std::size_t k = 2; k < points_.size(); ++k)
      grams.push_back(points_[k - 2] | std::uint64_t{points_[k - 1]} << 21 |
                      std::uint64_t{points_[k]} << 42);
    std::sort(grams.begin(), grams.end());
    side.sizes.push_back(side.sizes.back() + grams.size());
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t count = 2; count <= kLongest && i + count <= texts.size(); ++count) {
      const Trigrams& less = side.of(i, count - 1);
      const Trigrams& last = side.of(i + count - 1, 1);
      Trigrams& both = side.groups[i * kLongest + count - 1];
      both.resize(less.size() + last.size());
      std::merge(less.begin(), less.end(), last.begin(), last.end(), both.begin());
    }
}

double LineLinks::dice(const Trigrams& a, const Trigrams& b) {
  pace_.spend(a.size() + b.size());
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t x = a[i], y = b[j];
    shared += x == y;
    i += x <= y;
    j += y <= x;
  }
  const std::size_t all = a.size() + b.size();
  return all == 0 ? 0 : 2 * static_cast<double>(shared) / static_cast<double>(all);
}

// Link within a width; return whether no link touches its edge.
bool LineLinks::link(std::size_t width, std::vector<LineLink>& links) {
  const std::size_t n = ref_.lines, m = hyp_.lines;
  // The window of every row: around the line that as large a part of the text is before.
  const double scale = static_cast<double>(hyp_.sizes.back()) /
                       static_cast<double>(std::max<std::size_t>(ref_.sizes.back(), 1));
  std::vector<std::size_t> low(n + 1, 0), high(n + 1, m);
  for (std::size_t i = 0, j = 0; i <= n; ++i) {
    const double before = static_cast<double>(ref_.sizes[i]) * scale;
    while (j < m && static_cast<double>(hyp_.sizes[j + 1]) <= before) ++j;
    // The corners, and a row that the row before reaches.
    low[i] = i == 0 ? 0 : j > width ? j - width : 0;
    high[i] = i == n ? m : std::min(m, j + width);
    low[i] = std::min(low[i], m > width ? m - 1 : 0);
  }
  struct Cell {
    double worth = kNever, similarity = 0;
    std::uint8_t shape = 0;
  };
  std::vector<std::vector<Cell>> cells(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    cells[i].resize(high[i] - low[i] + 1);
    for (std::size_t j = low[i]; j <= high[i]; ++j) {
      Cell& cell = cells[i][j - low[i]];
      if (i == 0 && j == 0) cell.worth = 0;
      for (std::uint8_t s = 0; s < kShapes.size(); ++s) {
        const auto [a, b] = kShapes[s];
        if (a > i || b > j || j - b < low[i - a] || j - b > high[i - a]) continue;
        const double before = cells[i - a][j - b - low[i - a]].worth;
        if (before == kNever) continue;
        double similarity = 0, gain = 0;
        if (a > 0 && b > 0) {
          if (ref_.blank(i - a, a) || hyp_.blank(j - b, b)) continue;
          similarity = dice(ref_.of(i - a, a), hyp_.of(j - b, b));
          gain = (a + b) * (similarity - worth.floor) - (a + b - 2) * worth.merge;
        }
        if (before + gain > cell.worth) cell = {before + gain, similarity, s};
      }
    }
  }
  links.clear();
  bool inside = true;
  for (std::size_t i = n, j = m; i > 0 || j > 0;) {
    const Cell& cell = cells[i][j - low[i]];
    const auto [a, b] = kShapes[cell.shape];
    if ((j == low[i] && low[i] > 0) || (j == high[i] && high[i] < m)) inside = false;
    if (cell.worth == kNever) return false;
    i -= a;
    j -= b;
    links.push_back({static_cast<std::uint32_t>(i), a, static_cast<std::uint32_t>(j), b,
                     cell.similarity});
  }
  std::reverse(links.begin(), links.end());
  return inside;
}

std::vector<LineLink> LineLinks::operator()(std::span<const std::string_view> refs,
                                            std::span<const std::string_view> hyps) {
  read(refs, ref_);
  read(hyps, hyp_);
  std::vector<LineLink> links;
  for (std::size_t now = std::max<std::size_t>(width, 1);; now *= 2) {
    const std::size_t row = now < hyps.size() / 2 ? 2 * now + 1 : hyps.size() + 1;
    if (refs.size() + 1 > kMostCells / row) throw std::length_error("too many lines to link");
    if (link(now, links) || now >= hyps.size()) break;
  }
  return links;
}

}  // namespace tertium

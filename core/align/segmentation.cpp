// SPDX-License-Identifier: Apache-2.0
#include "align/segmentation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tertium {
namespace {

// A cell: edits in the upper bits, then penalties, then a place. A path has fewer than
// 2^21 edits, so that infinity and all that is added to it fit.
constexpr unsigned kPenaltyBits = 21, kEditBits = 42;
constexpr std::uint64_t kEdit = std::uint64_t{1} << kEditBits;
constexpr std::uint64_t kPlaces = (std::uint64_t{1} << kPenaltyBits) - 1;
constexpr std::uint64_t kNever = std::uint64_t{1} << 63;
constexpr std::uint32_t kNeverEdits = UINT32_MAX / 2;

}  // namespace

void Segmentation::measure() {
  const auto& segments = document_->segments;
  before_.assign(1, {0, 0});
  std::vector<std::uint32_t> first;
  for (const std::vector<Words>& refs : segments) {
    if (refs.empty()) throw std::invalid_argument("a segment has no reference");
    const auto [least, most] = std::minmax_element(
        refs.begin(), refs.end(), [](Words a, Words b) { return a.size() < b.size(); });
    before_.push_back({before_.back().least + least->size(), before_.back().most + most->size()});
    first.insert(first.end(), refs[0].begin(), refs[0].end());
  }
  if (std::max({document_->hyp.size(), before_.back().most, 3 * segments.size()}) >= kMost)
    throw std::length_error("the document is too long");
  std::uint32_t types = 0;
  for (const std::uint32_t word : first) types = std::max(types, word + 1);
  for (const std::uint32_t word : document_->hyp) types = std::max(types, word + 1);
  levenshtein_.set_pattern(first, types);
  // Two more, so that second-best ends are in the band as well.
  bound_ = levenshtein_.distance(document_->hyp) + 2;
}

Segmentation::Range Segmentation::after(std::size_t segment) const {
  const Range whole = before_.back(), start = before_[segment];
  return {whole.least - start.least, whole.most - start.most};
}

// The places that a path with few enough edits may pass: at least as many words are
// inserted or deleted as lengths differ before and after. The number is convex.
Segmentation::Band Segmentation::band(Range before, Range after) const {
  const auto n = static_cast<std::ptrdiff_t>(document_->hyp.size());
  const auto outside = [](std::ptrdiff_t length, Range range) {
    return std::max({std::ptrdiff_t{0}, length - static_cast<std::ptrdiff_t>(range.most),
                     static_cast<std::ptrdiff_t>(range.least) - length});
  };
  const auto indels = [&](std::ptrdiff_t place) {
    return outside(place, before) + outside(n - place, after);
  };
  const auto most = static_cast<std::ptrdiff_t>(bound_);
  std::ptrdiff_t best = static_cast<std::ptrdiff_t>(before.least);
  for (const std::ptrdiff_t place :
       {static_cast<std::ptrdiff_t>(before.most), n - static_cast<std::ptrdiff_t>(after.least),
        n - static_cast<std::ptrdiff_t>(after.most)})
    if (indels(place) < indels(best)) best = place;
  const auto edge = [&](std::ptrdiff_t inside, std::ptrdiff_t beyond) {
    while (std::abs(beyond - inside) > 1) {
      const std::ptrdiff_t middle = inside + (beyond - inside) / 2;
      (indels(middle) <= most ? inside : beyond) = middle;
    }
    return inside;
  };
  return {edge(best, static_cast<std::ptrdiff_t>(before.least) - most - 1),
          edge(best, static_cast<std::ptrdiff_t>(before.most) + most + 1)};
}

// The band where a segment starts, for one of its references; it moves right by one
// with every word of that reference.
Segmentation::Band Segmentation::band_at(std::size_t segment, std::size_t length) const {
  const Range rest = after(segment + 1);
  return band(before_[segment], {rest.least + length, rest.most + length});
}

// Turn the row before a segment into the one after it, without penalties.
void Segmentation::forward(std::size_t segment, std::vector<Cell>& row) {
  const Words hyp = document_->hyp;
  const auto n = static_cast<std::ptrdiff_t>(hyp.size());
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = (row[j] & ~kPlaces) | j;
  merged_.assign(row.size(), kNever);
  for (const Words ref : document_->segments[segment]) {
    const Band start = band_at(segment, ref.size());
    work_.assign(row.size(), kNever);
    std::ptrdiff_t low = std::max<std::ptrdiff_t>(start.low, 0), high = std::min(start.high, n);
    if (low <= high)
      std::copy(row.begin() + low, row.begin() + high + 1, work_.begin() + low);
    // Words of the output before the first word of the reference.
    for (std::ptrdiff_t j = low + 1; j <= high; ++j)
      work_[j] = std::min(work_[j], work_[j - 1] + kEdit);
    for (std::size_t w = 0; w < ref.size(); ++w) {
      const auto moved = static_cast<std::ptrdiff_t>(w + 1);
      low = std::max<std::ptrdiff_t>(start.low + moved, 0);
      high = std::min(start.high + moved, n);
      Cell diagonal = low > 0 && low - 1 <= n ? work_[low - 1] : kNever;
      Cell left = kNever;
      const std::uint32_t word = ref[w];
      for (std::ptrdiff_t j = low; j <= high; ++j) {
        const Cell up = work_[j];
        Cell best = std::min(up, left) + kEdit;
        if (j > 0) best = std::min(best, diagonal + (hyp[j - 1] == word ? 0 : kEdit));
        diagonal = up;
        work_[j] = left = best;
      }
      if (low <= high) pace_.spend(2 * static_cast<std::size_t>(high - low + 1));
    }
    for (std::ptrdiff_t j = low; j <= high; ++j) merged_[j] = std::min(merged_[j], work_[j]);
  }
  row.swap(merged_);
}

// Turn the edits of all that follows a segment into those from its start.
void Segmentation::backward(std::size_t segment, std::vector<std::uint32_t>& row) {
  const Words hyp = document_->hyp;
  const auto n = static_cast<std::ptrdiff_t>(hyp.size());
  back_merged_.assign(row.size(), kNeverEdits);
  for (const Words ref : document_->segments[segment]) {
    const Band start = band_at(segment, ref.size());
    back_.assign(row.size(), kNeverEdits);
    std::ptrdiff_t moved = static_cast<std::ptrdiff_t>(ref.size());
    std::ptrdiff_t low = std::max<std::ptrdiff_t>(start.low + moved, 0);
    std::ptrdiff_t high = std::min(start.high + moved, n);
    if (low <= high)
      std::copy(row.begin() + low, row.begin() + high + 1, back_.begin() + low);
    for (std::ptrdiff_t j = high - 1; j >= low; --j)
      back_[j] = std::min(back_[j], back_[j + 1] + 1);
    for (std::size_t w = ref.size(); w-- > 0;) {
      --moved;
      low = std::max<std::ptrdiff_t>(start.low + moved, 0);
      high = std::min(start.high + moved, n);
      std::uint32_t diagonal = high >= 0 && high < n ? back_[high + 1] : kNeverEdits;
      std::uint32_t right = kNeverEdits;
      const std::uint32_t word = ref[w];
      for (std::ptrdiff_t j = high; j >= low; --j) {
        const std::uint32_t down = back_[j];
        std::uint32_t best = std::min(down, right) + 1;
        if (j < n) best = std::min(best, diagonal + (hyp[j] != word));
        diagonal = down;
        back_[j] = right = best;
      }
      if (low <= high) pace_.spend(2 * static_cast<std::size_t>(high - low + 1));
    }
    for (std::ptrdiff_t j = low; j <= high; ++j)
      back_merged_[j] = std::min(back_merged_[j], back_[j]);
  }
  row.swap(back_merged_);
}

// Count the ends that are as good, and what the second-best one costs.
void Segmentation::judge(const std::vector<Cell>& row, const std::vector<std::uint32_t>& rest,
                         SegmentEnd& end) const {
  end.places = 0;
  end.margin = 2;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const std::uint64_t further = (row[j] >> kEditBits) + rest[j] - distance_;
    if (further == 0) ++end.places;
    if (j != end.end && further < end.margin) end.margin = static_cast<std::uint32_t>(further);
  }
}

// The edits of one segment, and most matches with these: as few substitutions as can be.
void Segmentation::count_edits(Words hyp, std::size_t segment, SegmentEnd& end) {
  constexpr unsigned kBits = 32;
  constexpr std::uint64_t kOne = std::uint64_t{1} << kBits;
  const std::vector<Words>& refs = document_->segments[segment];
  end.edits = UINT32_MAX;
  for (std::size_t r = 0; r < refs.size(); ++r) {
    const Words ref = refs[r];
    work_.resize(hyp.size() + 1);
    for (std::size_t j = 0; j <= hyp.size(); ++j) work_[j] = j * kOne;
    for (const std::uint32_t word : ref) {
      std::uint64_t diagonal = work_[0];
      work_[0] += kOne;
      for (std::size_t j = 1; j <= hyp.size(); ++j) {
        const std::uint64_t up = work_[j];
        const std::uint64_t across = diagonal + (hyp[j - 1] == word ? 0 : kOne + 1);
        work_[j] = std::min(across, std::min(up, work_[j - 1]) + kOne);
        diagonal = up;
      }
      pace_.spend(2 * hyp.size());
    }
    const std::uint64_t edits = work_.back() >> kBits, substituted = work_.back() & (kOne - 1);
    if (edits >= end.edits) continue;
    // Deleted and inserted words are the other edits; their difference is that of lengths.
    const std::uint64_t inserted = (edits - substituted + hyp.size() - ref.size()) / 2;
    end.edits = static_cast<std::uint32_t>(edits);
    end.matched = static_cast<std::uint32_t>(hyp.size() - inserted - substituted);
    end.ref = static_cast<std::uint32_t>(r);
  }
}

std::vector<SegmentEnd> Segmentation::operator()(const SegmentedDocument& document) {
  document_ = &document;
  const std::size_t n = document.hyp.size(), count = document.segments.size();
  if (document.penalties.size() != n + 1) throw std::invalid_argument("one penalty per place");
  std::vector<SegmentEnd> ends(count);
  measure();
  if (count == 0) {
    if (n > 0) throw std::invalid_argument("words, but no segment to take them");
    return ends;
  }
  const auto step = [&](std::size_t segment, std::vector<Cell>& row) {
    forward(segment, row);
    if (segment + 1 == count) return;
    for (std::size_t j = 0; j <= n; ++j)
      row[j] += std::uint64_t{document.penalties[j]} << kPenaltyBits;
  };
  std::size_t block = std::max<std::size_t>(memory / (sizeof(Cell) * (n + 1)), 1);
  block = std::max(block, static_cast<std::size_t>(std::sqrt(static_cast<double>(count))));
  // Rows at the start of every block.
  std::vector<std::vector<Cell>> starts;
  std::vector<Cell> row(n + 1, kNever);
  row[0] = 0;
  for (std::size_t segment = 0;; ++segment) {
    if (segment % block == 0) starts.push_back(row);
    if ((segment / block + 1) * block >= count) break;
    step(segment, row);
  }
  std::vector<std::vector<Cell>> rows(std::min(block, count));
  std::vector<std::uint32_t> rest(n + 1, kNeverEdits);
  rest[n] = 0;
  std::size_t place = n;
  for (std::size_t b = starts.size(); b-- > 0;) {
    const std::size_t begin = b * block, stop = std::min(count, begin + block);
    row.swap(starts[b]);
    for (std::size_t segment = begin; segment < stop; ++segment) {
      step(segment, row);
      rows[segment - begin] = row;
    }
    if (stop == count) distance_ = row[n] >> kEditBits;
    for (std::size_t segment = stop; segment-- > begin;) {
      SegmentEnd& end = ends[segment];
      const std::vector<Cell>& after = rows[segment - begin];
      end.end = static_cast<std::uint32_t>(place);
      end.places = 1;
      end.margin = 2;
      if (segment + 1 < count) judge(after, rest, end);
      place = static_cast<std::size_t>(after[place] & kPlaces);
      if (segment > 0) backward(segment, rest);
    }
  }
  for (std::size_t segment = 0, begin = 0; segment < count; begin = ends[segment++].end)
    count_edits(document.hyp.subspan(begin, ends[segment].end - begin), segment, ends[segment]);
  return ends;
}

}  // namespace tertium

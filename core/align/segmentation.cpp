// SPDX-License-Identifier: Apache-2.0
#include "align/segmentation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

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

Segmentation::Band Segmentation::clipped(Band band) const {
  return {std::max<std::ptrdiff_t>(band.low, 0),
          std::min(band.high, static_cast<std::ptrdiff_t>(document_->hyp.size()))};
}

// The places of all bands where a segment starts, or where it ends.
Segmentation::Band Segmentation::around(std::size_t segment, bool after) const {
  Band all{static_cast<std::ptrdiff_t>(document_->hyp.size()) + 1, -1};
  for (const Words ref : document_->segments[segment]) {
    const Band start = band_at(segment, ref.size());
    const auto moved = after ? static_cast<std::ptrdiff_t>(ref.size()) : 0;
    const Band one = clipped({start.low + moved, start.high + moved});
    if (one.low > one.high) continue;
    all = {std::min(all.low, one.low), std::max(all.high, one.high)};
  }
  return all;
}

// The most places of a row after a segment.
std::size_t Segmentation::widest() const {
  std::ptrdiff_t most = 1;
  for (std::size_t segment = 0; segment < document_->segments.size(); ++segment) {
    const Band row = around(segment, true);
    most = std::max(most, row.high - row.low + 1);
  }
  return static_cast<std::size_t>(most);
}

// Turn the row before a segment into the one after it, without penalties.
void Segmentation::forward(std::size_t segment, Row<Cell>& row) {
  const Words hyp = document_->hyp;
  merged_.fill(around(segment, true), kNever);
  for (const Words ref : document_->segments[segment]) {
    const Band start = band_at(segment, ref.size());
    const auto length = static_cast<std::ptrdiff_t>(ref.size());
    work_.fill(clipped({start.low, start.high + length}), kNever);
    auto [low, high] = clipped(start);
    for (std::ptrdiff_t j = low; j <= high; ++j)
      work_[j] = (row.at(j, kNever) & ~kPlaces) | static_cast<Cell>(j);
    // Words of the output before the first word of the reference.
    for (std::ptrdiff_t j = low + 1; j <= high; ++j)
      work_[j] = std::min(work_[j], work_[j - 1] + kEdit);
    for (std::ptrdiff_t w = 0; w < length; ++w) {
      const Band now = clipped({start.low + w + 1, start.high + w + 1});
      low = now.low;
      high = now.high;
      Cell diagonal = work_.at(low - 1, kNever);
      Cell left = kNever;
      const std::uint32_t word = ref[static_cast<std::size_t>(w)];
      for (std::ptrdiff_t j = low; j <= high; ++j) {
        const Cell up = work_[j];
        Cell best = std::min(up, left) + kEdit;
        if (j > 0)
          best = std::min(
              best, diagonal + (hyp[static_cast<std::size_t>(j - 1)] == word ? 0 : kEdit));
        diagonal = up;
        work_[j] = left = best;
      }
      if (low <= high) pace_.spend(2 * static_cast<std::size_t>(high - low + 1));
    }
    for (std::ptrdiff_t j = low; j <= high; ++j) merged_[j] = std::min(merged_[j], work_[j]);
  }
  std::swap(row, merged_);
}

// Turn the edits of all that follows a segment into those from its start.
void Segmentation::backward(std::size_t segment, Row<std::uint32_t>& row) {
  const Words hyp = document_->hyp;
  const auto n = static_cast<std::ptrdiff_t>(hyp.size());
  back_merged_.fill(around(segment, false), kNeverEdits);
  for (const Words ref : document_->segments[segment]) {
    const Band start = band_at(segment, ref.size());
    const auto length = static_cast<std::ptrdiff_t>(ref.size());
    back_.fill(clipped({start.low, start.high + length}), kNeverEdits);
    auto [low, high] = clipped({start.low + length, start.high + length});
    for (std::ptrdiff_t j = low; j <= high; ++j) back_[j] = row.at(j, kNeverEdits);
    for (std::ptrdiff_t j = high - 1; j >= low; --j)
      back_[j] = std::min(back_[j], back_[j + 1] + 1);
    for (std::ptrdiff_t w = length; w-- > 0;) {
      const Band now = clipped({start.low + w, start.high + w});
      low = now.low;
      high = now.high;
      std::uint32_t diagonal = back_.at(high + 1, kNeverEdits);
      std::uint32_t right = kNeverEdits;
      const std::uint32_t word = ref[static_cast<std::size_t>(w)];
      for (std::ptrdiff_t j = high; j >= low; --j) {
        const std::uint32_t down = back_[j];
        std::uint32_t best = std::min(down, right) + 1;
        if (j < n) best = std::min(best, diagonal + (hyp[static_cast<std::size_t>(j)] != word));
        diagonal = down;
        back_[j] = right = best;
      }
      if (low <= high) pace_.spend(2 * static_cast<std::size_t>(high - low + 1));
    }
    for (std::ptrdiff_t j = low; j <= high; ++j)
      back_merged_[j] = std::min(back_merged_[j], back_[j]);
  }
  std::swap(row, back_merged_);
}

// Count the ends that are as good, and what the second-best one costs.
void Segmentation::judge(const Row<Cell>& row, const Row<std::uint32_t>& rest,
                         SegmentEnd& end) const {
  end.places = 0;
  end.margin = 2;
  for (std::ptrdiff_t j = row.low; j < row.end(); ++j) {
    const std::uint64_t further = (row[j] >> kEditBits) + rest.at(j, kNeverEdits) - distance_;
    if (further == 0) ++end.places;
    if (j != static_cast<std::ptrdiff_t>(end.end) && further < end.margin)
      end.margin = static_cast<std::uint32_t>(further);
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
    counts_.resize(hyp.size() + 1);
    for (std::size_t j = 0; j <= hyp.size(); ++j) counts_[j] = j * kOne;
    for (const std::uint32_t word : ref) {
      std::uint64_t diagonal = counts_[0];
      counts_[0] += kOne;
      for (std::size_t j = 1; j <= hyp.size(); ++j) {
        const std::uint64_t up = counts_[j];
        const std::uint64_t across = diagonal + (hyp[j - 1] == word ? 0 : kOne + 1);
        counts_[j] = std::min(across, std::min(up, counts_[j - 1]) + kOne);
        diagonal = up;
      }
      pace_.spend(2 * hyp.size());
    }
    const std::uint64_t edits = counts_.back() >> kBits, substituted = counts_.back() & (kOne - 1);
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
  double share = 0;
  const auto done = [&] {
    if (on_step) on_step(share);
  };
  const auto step = [&](std::size_t segment, Row<Cell>& row) {
    forward(segment, row);
    done();
    if (segment + 1 == count) return;
    for (std::ptrdiff_t j = row.low; j < row.end(); ++j)
      row[j] += std::uint64_t{document.penalties[static_cast<std::size_t>(j)]} << kPenaltyBits;
  };
  std::size_t block = std::max<std::size_t>(memory / (sizeof(Cell) * widest()), 1);
  block = std::max(block, static_cast<std::size_t>(std::sqrt(static_cast<double>(count))));
  // Segments of all blocks but the last are passed twice, and all of them backwards.
  share = 1.0 / static_cast<double>((count - 1) / block * block + 2 * count - 1);
  // Rows at the start of every block.
  std::vector<Row<Cell>> starts;
  Row<Cell> row{0, {0}};
  for (std::size_t segment = 0;; ++segment) {
    if (segment % block == 0) starts.push_back(row);
    if ((segment / block + 1) * block >= count) break;
    step(segment, row);
  }
  std::vector<Row<Cell>> rows(std::min(block, count));
  Row<std::uint32_t> rest{static_cast<std::ptrdiff_t>(n), {0}};
  auto place = static_cast<std::ptrdiff_t>(n);
  for (std::size_t b = starts.size(); b-- > 0;) {
    const std::size_t begin = b * block, stop = std::min(count, begin + block);
    std::swap(row, starts[b]);
    for (std::size_t segment = begin; segment < stop; ++segment) {
      step(segment, row);
      rows[segment - begin] = row;
    }
    if (stop == count) distance_ = row[place] >> kEditBits;
    for (std::size_t segment = stop; segment-- > begin;) {
      SegmentEnd& end = ends[segment];
      const Row<Cell>& after = rows[segment - begin];
      end.end = static_cast<std::uint32_t>(place);
      end.places = 1;
      end.margin = 2;
      if (segment + 1 < count) judge(after, rest, end);
      place = static_cast<std::ptrdiff_t>(after[place] & kPlaces);
      if (segment == 0) continue;
      backward(segment, rest);
      done();
    }
  }
  for (std::size_t segment = 0, begin = 0; segment < count; begin = ends[segment++].end)
    count_edits(document.hyp.subspan(begin, ends[segment].end - begin), segment, ends[segment]);
  return ends;
}

}  // namespace tertium

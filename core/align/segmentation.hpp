// SPDX-License-Identifier: Apache-2.0
// Outputs cut where lines of the reference end: minimum edit distance over words (Matusov
// et al. 2005, "Evaluating machine translation output with automatic sentence
// segmentation").
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/pace.hpp"
#include "text/levenshtein.hpp"

namespace tertium {

using Words = std::span<const std::uint32_t>;

// A document: the words of its output, and its segments with one or more references each.
// Places lie between words: place j follows j words. A segment had better end at a place
// with a low penalty, among places of equal edits.
struct SegmentedDocument {
  Words hyp;
  std::span<const std::uint8_t> penalties;  // by place: hyp.size() + 1
  std::vector<std::vector<Words>> segments;
};

// Where a segment ends, and how sure that is.
struct SegmentEnd {
  std::uint32_t end;      // the place
  std::uint32_t edits;    // from the closest reference, of equal ones the first
  std::uint32_t matched;  // words that are equal, as many as these edits allow
  std::uint32_t ref;      // the number of that reference
  std::uint32_t places;   // how many ends give as few edits in the whole document
  std::uint32_t margin;   // further edits that the second-best end costs: 0, 1 or 2
};

// Cuts a document so that the sum of edits is the smallest; among such cuts, the sum of
// penalties; then the last inner end is as early as it can be, then the one before it ...
//
// Cells are computed and kept in a band that no path with few enough edits leaves: the
// distance d from the first references is a bound (bit-parallel, O(nm / 64) for n words
// and m words of references). A band is O(d) places wide, and by how much the lengths of
// references differ. Cells carry where their segment began, so that one row a segment is
// enough to trace all ends. Rows are kept for a block of segments at a time, and computed
// again from its start: O(d sqrt(k)) memory for k segments, O((m + k) d) time. Counting
// the edits of every segment takes the product of its words and those of its references.
class Segmentation {
 public:
  // Words and segments of a document must be fewer.
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  std::vector<SegmentEnd> operator()(const SegmentedDocument& document);

  // Called after every step with the share of a document that it is, if there is one.
  std::function<void(double)> on_step;

  // Rows of segments that are kept at a time, in bytes; small for tests.
  std::size_t memory = std::size_t{1} << 26;

 private:
  using Cell = std::uint64_t;  // edits, penalties, the place where the segment began

  struct Band {
    std::ptrdiff_t low, high;  // places; both may lie outside the text
  };
  // How many words of references may come before and after the row of a reference.
  struct Range {
    std::size_t least, most;
  };

  // A row of cells from a place on; cells elsewhere are infinite.
  template <class T>
  struct Row {
    std::ptrdiff_t low = 0;
    std::vector<T> cells;

    std::ptrdiff_t end() const { return low + static_cast<std::ptrdiff_t>(cells.size()); }
    T& operator[](std::ptrdiff_t place) { return cells[static_cast<std::size_t>(place - low)]; }
    const T& operator[](std::ptrdiff_t place) const {
      return cells[static_cast<std::size_t>(place - low)];
    }
    T at(std::ptrdiff_t place, T never) const {
      return place >= low && place < end() ? (*this)[place] : never;
    }
    // Fill the places of a band.
    void fill(Band band, T never) {
      low = band.low;
      cells.assign(static_cast<std::size_t>(std::max<std::ptrdiff_t>(band.high - low + 1, 0)),
                   never);
    }
  };

  void measure();
  Band band(Range before, Range after) const;
  Band band_at(std::size_t segment, std::size_t length) const;
  Band clipped(Band band) const;
  Band around(std::size_t segment, bool after) const;
  std::size_t widest() const;
  Range after(std::size_t segment) const;
  void forward(std::size_t segment, Row<Cell>& row);
  void backward(std::size_t segment, Row<std::uint32_t>& row);
  void judge(const Row<Cell>& row, const Row<std::uint32_t>& rest, SegmentEnd& end) const;
  void count_edits(Words hyp, std::size_t segment, SegmentEnd& end);

  const SegmentedDocument* document_ = nullptr;
  std::size_t bound_ = 0, distance_ = 0;
  std::vector<Range> before_;  // by segment, and of the whole at the end
  Row<Cell> work_, merged_;
  Row<std::uint32_t> back_, back_merged_;
  std::vector<std::uint64_t> counts_;
  Levenshtein levenshtein_;
  Pace pace_;
};

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// The greedy search of TER for shifts, as Tercom and sacreBLEU do it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/pace.hpp"
#include "text/levenshtein.hpp"

namespace tertium {

namespace ter {

// Tercom's limits, as sacreBLEU sets them.
constexpr std::size_t kMaxShiftSize = 10;
constexpr std::size_t kMaxShiftDistance = 50;
constexpr int kBeamWidth = 25;
constexpr int kMaxCandidates = 1000;

constexpr int kInfinity = 1 << 29;

struct Shift {
  int gain = 0;
  std::size_t length = 0, start = 0, target = 0;

  // Tercom's order: largest gain, longest, earliest start, earliest target.
  bool better_than(const Shift& other) const {
    if (gain != other.gain) return gain > other.gain;
    if (length != other.length) return length > other.length;
    if (start != other.start) return start < other.start;
    return target < other.target;
  }
};

// The words [first, end) that a shift changes.
struct Changed {
  std::size_t first, end;
};

// Edits of one hypothesis against one reference.
//
// sacreBLEU restricts the edit distance to a beam around the diagonal, so only the
// columns of the beam are kept: memory grows with the words, not with their square.
// A path of cost d makes at most (d + |n - m|) / 2 steps to one side of the diagonal,
// so cheap paths never leave the beam: there the plain bit-parallel distance is the
// beam distance, and the band is filled only once for every shift made.
class Search {
 public:
  using Symbols = std::span<const std::uint32_t>;

  int edits(Symbols hyp, Symbols ref, std::size_t types) {
    if (ref.empty()) return static_cast<int>(hyp.size());
    if (hyp.empty()) return static_cast<int>(ref.size());
    hyp_.assign(hyp.begin(), hyp.end());
    ref_ = ref;
    set_beam();
    bits_ = ref.size() <= kMostForBits && Levenshtein::keeps_masks(ref.size(), types);
    if (bits_) levenshtein_.set_pattern(ref, types);
    int shifts = 0, checked = 0;
    std::size_t same = 0;
    for (;;) {
      align(same);
      if (distance_ == 0) break;  // nothing to gain
      Shift best;
      const bool found = find_shift(checked, best);
      if (checked >= kMaxCandidates || !found || best.gain <= 0) break;
      same = perform(best).first;
      std::swap(hyp_, shifted_);
      ++shifts;
    }
    return shifts + distance_;
  }

 private:
  // Longer references are compared in the beam alone, which costs less than blocks of
  // 64 words for all of them, and no memory for their states.
  static constexpr std::size_t kMostForBits = 1024;

  void set_beam() {
    const double n = static_cast<double>(hyp_.size());
    const double m = static_cast<double>(ref_.size());
    ratio_ = m / n;
    beam_ = kBeamWidth;
    if (kBeamWidth < ratio_ / 2) beam_ = static_cast<int>(std::ceil(ratio_ / 2 + kBeamWidth));
    // How cheap a path must be to stay inside the beam for certain; one less on
    // either side than needed, for rounding in the slope of the diagonal.
    const int drift = std::abs(static_cast<int>(hyp_.size()) - static_cast<int>(ref_.size()));
    const bool beam_matters = static_cast<int>(ref_.size()) >= beam_;
    safe_distance_ = beam_matters ? 2 * beam_ - 3 - drift : kInfinity;
    // A cell before the beam's first column, and behind its last one those that the
    // next row still looks at: the diagonal moves by the ratio, rounded.
    stride_ = std::min(ref_.size() + 3,
                       2 * static_cast<std::size_t>(beam_) + static_cast<std::size_t>(ratio_) + 5);
  }

  // The columns [first, last) of row i that the beam covers.
  struct Range {
    int first, last;
  };
  Range beam_range(std::size_t i) const {
    const int m = static_cast<int>(ref_.size());
    const int diagonal = static_cast<int>(static_cast<double>(i) * ratio_);  // rounded down
    return {std::max(0, diagonal - beam_), i == hyp_.size() ? m + 1 : std::min(m + 1, diagonal + beam_)};
  }

  // A row of the band has a cell without a way to it, the columns of the beam from the
  // second cell on, and no way to the cells after them.
  int* row(std::size_t i) { return &band_[i * stride_]; }

  // Row i of the band from row i - 1.
  void fill_row(std::uint32_t word, std::size_t i, const int* above, int* out) const {
    const Range range = beam_range(i);
    above += range.first - beam_range(i - 1).first;  // now column j is above[k + 1], too
    const std::uint32_t* refs = ref_.data() + range.first;
    const int width = range.last - range.first;
    int left = out[0] = kInfinity;
    int k = 0;
    if (range.first == 0) out[++k] = left = above[1] + 1;
    for (; k < width; ++k) {
      const int substitute = above[k] + (word != refs[k - 1]);
      left = std::min({substitute, above[k + 1] + 1, left + 1});
      out[k + 1] = left;
    }
    std::fill(out + width + 1, out + stride_, kInfinity);
  }

  // Fill the band and the bit-parallel states after the first `same` words, which
  // have not changed, and read off the alignment.
  void align(std::size_t same) {
    const std::size_t n = hyp_.size(), m = ref_.size();
    const std::size_t blocks = bits_ ? levenshtein_.blocks() : 0;
    band_.resize((n + 1) * stride_);
    states_.resize((n + 1) * blocks);
    distances_.resize(n + 1);
    if (same == 0) {
      row(0)[0] = kInfinity;
      for (std::size_t j = 0; j + 1 < stride_; ++j)
        row(0)[j + 1] = j <= m ? static_cast<int>(j) : kInfinity;
      if (bits_) distances_[0] = levenshtein_.start(states_.data());
    }
    for (std::size_t i = same + 1; i <= n; ++i) {
      fill_row(hyp_[i - 1], i, row(i - 1), row(i));
      pace_.spend(stride_);
      if (!bits_) continue;
      std::copy_n(&states_[(i - 1) * blocks], blocks, &states_[i * blocks]);
      distances_[i] = levenshtein_.step(&states_[i * blocks], hyp_[i - 1], distances_[i - 1]);
    }
    distance_ = at(n, m);
    trace();
  }

  int at(std::size_t i, std::size_t j) {
    return row(i)[static_cast<int>(j) - beam_range(i).first + 1];
  }

  // Positions and error flags, with prefix sums of the flags.
  void trace() {
    const std::size_t n = hyp_.size(), m = ref_.size();
    aligned_.assign(m, -1);
    hyp_errors_.assign(n + 1, 0);
    ref_errors_.assign(m + 1, 0);
    // Of equally cheap ways: keep or substitute, then delete, then insert.
    std::size_t i = n, j = m;
    for (Range range = beam_range(n); i > 0;) {
      // Both rows by their columns.
      const Range next = beam_range(i - 1);
      const int* here = row(i) + 1 - range.first;
      const int* above = row(i - 1) + 1 - next.first;
      for (;;) {
        const int cost = here[j];
        const bool wrong = j > 0 && hyp_[i - 1] != ref_[j - 1];
        if (j > 0 && cost == above[j - 1] + wrong) {
          aligned_[j - 1] = static_cast<int>(i) - 1;
          hyp_errors_[i] = wrong;
          ref_errors_[j--] = wrong;
          break;
        }
        if (cost == above[j] + 1) {
          hyp_errors_[i] = 1;
          break;
        }
        // A reference word without partner.
        aligned_[j - 1] = static_cast<int>(i) - 1;
        ref_errors_[j--] = 1;
      }
      --i;
      range = next;
    }
    for (; j > 0; --j) ref_errors_[j] = 1;  // aligned to nothing
    for (std::size_t k = 1; k <= n; ++k) hyp_errors_[k] += hyp_errors_[k - 1];
    for (std::size_t k = 1; k <= m; ++k) ref_errors_[k] += ref_errors_[k - 1];
  }

  bool find_shift(int& checked, Shift& best) {
    const std::size_t n = hyp_.size(), m = ref_.size();
    bool found = false;
    for (std::size_t h = 0; h < n; ++h) {
      const std::size_t last = std::min(m, h + kMaxShiftDistance + 1);
      for (std::size_t r = h > kMaxShiftDistance ? h - kMaxShiftDistance : 0; r < last; ++r) {
        std::size_t length = 0;
        while (length < kMaxShiftSize && h + length < n && r + length < m &&
               hyp_[h + length] == ref_[r + length]) {
          ++length;
          found |= try_targets(h, r, length, checked, found, best);
          if (checked >= kMaxCandidates) return found;
        }
      }
      pace_.spend(2 * kMaxShiftDistance);
    }
    return found;
  }

  // Try every target position of the phrase hyp[h .. h + length).
  bool try_targets(std::size_t h, std::size_t r, std::size_t length, int& checked,
                   bool found, Shift& best) {
    // Both sides must have an error here, and the phrase must really move.
    if (hyp_errors_[h + length] == hyp_errors_[h]) return false;
    if (ref_errors_[r + length] == ref_errors_[r]) return false;
    const int partner = aligned_[r];
    if (static_cast<int>(h) <= partner && partner < static_cast<int>(h + length)) return false;
    bool tried = false;
    int previous = -1;
    for (int offset = -1; offset < static_cast<int>(length); ++offset) {
      const int position = static_cast<int>(r) + offset;
      if (position >= static_cast<int>(ref_.size())) break;
      const int target = position == -1 ? 0 : aligned_[static_cast<std::size_t>(position)] + 1;
      if (target == previous) continue;
      previous = target;
      Shift shift{0, length, h, static_cast<std::size_t>(target)};
      shift.gain = distance_ - shifted_distance(shift);
      ++checked;
      tried = true;
      if (!found || shift.better_than(best)) {
        best = shift;
        found = true;
      }
    }
    return tried;
  }

  int shifted_distance(const Shift& shift) {
    const Changed changed = perform(shift);
    if (bits_) {
      const std::size_t plain = plain_distance(changed.first);
      if (static_cast<int>(plain) <= safe_distance_) return static_cast<int>(plain);
    }
    return beam_distance(changed);
  }

  // The distance of shifted_ without a beam; its first `same` words are unchanged.
  std::size_t plain_distance(std::size_t same) {
    const std::size_t n = hyp_.size(), blocks = levenshtein_.blocks();
    std::size_t plain = distances_[same];
    if (blocks == 1) {
      Levenshtein::Block state = states_[same];
      for (std::size_t i = same; i < n; ++i) plain = levenshtein_.step(&state, shifted_[i], plain);
    } else {
      scratch_.assign(&states_[same * blocks], &states_[same * blocks] + blocks);
      for (std::size_t i = same; i < n; ++i)
        plain = levenshtein_.step(scratch_.data(), shifted_[i], plain);
    }
    pace_.spend(2 * (n - same) * blocks);
    return plain;
  }

  // The beam distance of shifted_.
  int beam_distance(const Changed& changed) {
    above_.assign(row(changed.first), row(changed.first) + stride_);
    below_.resize(stride_);
    for (std::size_t i = changed.first + 1; i <= hyp_.size(); ++i) {
      fill_row(shifted_[i - 1], i, above_.data(), below_.data());
      std::swap(above_, below_);
      pace_.spend(stride_);
      int more;
      if (i >= changed.end && differs_by(row(i), above_.data(), i, more)) return distance_ + more;
    }
    const Range range = beam_range(hyp_.size());
    return above_[ref_.size() + 1 - static_cast<std::size_t>(range.first)];
  }

  // Whether all cells of a row cost more by the same amount, which is then `more`:
  // with equal words to come, all rows after it are, too.
  bool differs_by(const int* before, const int* after, std::size_t i, int& more) const {
    const Range range = beam_range(i);
    const int width = range.last - range.first;
    more = after[1] - before[1];
    for (int k = 2; k <= width; ++k)
      if (after[k] - before[k] != more) return false;
    return true;
  }

  // Write the shifted words to shifted_; return which words are others than before.
  Changed perform(const Shift& s) {
    const std::vector<std::uint32_t>& words = hyp_;
    shifted_.resize(words.size());
    const auto begin = words.begin();
    const auto at = [&](std::size_t k) {
      return begin + static_cast<std::ptrdiff_t>(std::min(k, words.size()));
    };
    const std::size_t end = s.start + s.length;
    auto out = shifted_.begin();
    if (s.target < s.start) {
      out = std::copy(begin, at(s.target), out);
      out = std::copy(at(s.start), at(end), out);
      out = std::copy(at(s.target), at(s.start), out);
      std::copy(at(end), words.end(), out);
      return {s.target, end};
    }
    // Behind its old place; a target inside the phrase counts from its end.
    const std::size_t stop = s.target > end ? s.target : s.target + s.length;
    out = std::copy(begin, at(s.start), out);
    out = std::copy(at(end), std::max(at(end), at(stop)), out);
    out = std::copy(at(s.start), at(end), out);
    std::copy(std::max(at(end), at(stop)), words.end(), out);
    return {s.start, std::min(words.size(), std::max(end, stop))};
  }

  Symbols ref_;
  std::vector<std::uint32_t> hyp_, shifted_;
  double ratio_ = 1.0;
  int beam_ = kBeamWidth, safe_distance_ = 0, distance_ = 0;
  bool bits_ = true;  // whether the plain distance is asked first
  std::size_t stride_ = 0;
  Levenshtein levenshtein_;
  std::vector<Levenshtein::Block> states_, scratch_;
  std::vector<std::size_t> distances_;
  std::vector<int> band_, above_, below_, aligned_, hyp_errors_, ref_errors_;
  Pace pace_;
};

}  // namespace ter

}  // namespace tertium

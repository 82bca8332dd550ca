// SPDX-License-Identifier: Apache-2.0
#include "tuning/roof.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/clones.hpp"
#include "base/doubles.hpp"

namespace tertium {

namespace {

// Four points side by side. Their indices are doubles, too, so that both move together.
constexpr std::size_t kPoints = kDoubles;
using Points = Doubles;
constexpr Points kIndices = {0, 1, 2, 3};

TERTIUM_INLINE void load(const double* from, Points& out) {
  std::memcpy(&out, from, sizeof out);
}

// The highest value so far in every lane, and where it was.
struct Highest {
  Points value, index;

  TERTIUM_INLINE void clear() {
    value = Points{} - std::numeric_limits<double>::infinity();
    index = Points{};
  }
  TERTIUM_INLINE void offer(const Points& x, const Points& at) {
    const auto higher = x > value;
    choose(higher, at, index, index);
    choose(higher, x, value, value);
  }
  TERTIUM_INLINE std::size_t where() const {
    std::size_t best = 0;
    for (std::size_t lane = 1; lane < kPoints; ++lane)
      if (value[lane] > value[best]) best = lane;
    return static_cast<std::size_t>(index[best]);
  }
};

// The last block may overlap the one before: a point that is seen twice changes nothing.
template <class Block>
TERTIUM_INLINE void for_blocks(std::size_t n, const Block& block) {
  for (std::size_t i = 0; i + kPoints <= n; i += kPoints) block(i);
  if (n % kPoints) block(n - kPoints);
}

struct Ends {
  std::size_t left, top, right;
};

TERTIUM_CLONES void find_ends(const double* offsets, const double* slopes, std::size_t n,
                              Ends& out) {
  Highest left, top, right;
  left.clear(), top.clear(), right.clear();
  for_blocks(n, [&](std::size_t i) TERTIUM_INLINE_LAMBDA {
    Points offset, slope;
    load(offsets + i, offset), load(slopes + i, slope);
    const Points at = kIndices + static_cast<double>(i);
    left.offer(-slope, at);
    top.offer(offset, at);
    right.offer(slope, at);
  });
  out = {left.where(), top.where(), right.where()};
}

struct Middles {
  std::size_t up, down;
};

// The farthest points above two chords of these slopes.
TERTIUM_CLONES void find_middles(const double* offsets, const double* slopes, std::size_t n,
                                 double rise, double fall, Middles& out) {
  Highest up, down;
  up.clear(), down.clear();
  for_blocks(n, [&](std::size_t i) TERTIUM_INLINE_LAMBDA {
    Points offset, slope;
    load(offsets + i, offset), load(slopes + i, slope);
    const Points at = kIndices + static_cast<double>(i);
    up.offer(offset - rise * slope, at);
    down.offer(offset - fall * slope, at);
  });
  out = {up.where(), down.where()};
}

// The line from the point at slope `from` to the next point of the hull.
struct Chord {
  double from, at, tilt;
};

constexpr std::size_t kChords = 4;

// Points are compared with the chord at their slope, never with the line beyond its ends:
// chords between any points of the list are below the hull there.
TERTIUM_CLONES void mark_above(const double* offsets, const double* slopes, std::size_t n,
                               const Chord* chords, std::uint8_t* out) {
  for_blocks(n, [&](std::size_t i) TERTIUM_INLINE_LAMBDA {
    Points offset, slope;
    load(offsets + i, offset), load(slopes + i, slope);
    const Chord& last = chords[kChords - 1];
    Points low = last.at + last.tilt * (slope - last.from);
    for (std::size_t c = kChords - 1; c-- > 0;) {
      const Points chord = chords[c].at + chords[c].tilt * (slope - chords[c].from);
      choose(slope < chords[c + 1].from, chord, low, low);
    }
    const auto below = offset < low;
    for (std::size_t k = 0; k < kPoints; ++k) out[i + k] = static_cast<std::uint8_t>(!below[k]);
  });
}

}  // namespace

void mark_candidates(std::span<const double> offsets, std::span<const double> slopes,
                     std::uint8_t* out) {
  const std::size_t n = offsets.size();
  if (n < 2 * kPoints) {
    std::fill(out, out + n, std::uint8_t{1});
    return;
  }
  const auto tilt = [&](std::size_t a, std::size_t b) {
    const double along = slopes[b] - slopes[a];
    return along > 0 ? (offsets[b] - offsets[a]) / along : 0;
  };
  Ends ends;
  find_ends(offsets.data(), slopes.data(), n, ends);
  const auto [left, top, right] = ends;
  Middles middles;
  find_middles(offsets.data(), slopes.data(), n, tilt(left, top), tilt(top, right), middles);
  const std::size_t hull[] = {left, middles.up, top, middles.down, right};
  Chord chords[kChords];
  for (std::size_t c = 0; c < kChords; ++c) {
    const std::size_t a = hull[c], b = hull[c + 1];
    // Lines on a chord may be on the envelope, and rounding may put them below it.
    const double slack = 1e-10 * (std::abs(offsets[a]) + std::abs(offsets[b]));
    chords[c] = {slopes[a], offsets[a] - slack, tilt(a, b)};
  }
  mark_above(offsets.data(), slopes.data(), n, chords, out);
}

}  // namespace tertium

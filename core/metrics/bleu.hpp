// SPDX-License-Identifier: Apache-2.0
// metrics/: metrics over texts, and over aligned words without order or trees.
//
// BLEU (Papineni et al. 2002) and its smoothed sentence forms.
#pragma once

#include <cstdint>

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

// kNone, kFloor, kAddK, kExp: Chen and Cherry (2014), as in sacreBLEU.
// kPlusOne: (m + 1) / (l + 1) for every order, the SENTBLEU of the WMT metrics
// task of 2014.
enum class Smoothing : std::uint8_t { kNone, kFloor, kAddK, kExp, kPlusOne };

// Which reference length the brevity penalty uses when there are several.
enum class RefLength : std::uint8_t { kClosest, kShortest, kAverage, kLongest };

struct BleuOptions {
  Scheme scheme = Scheme::k13a;
  Smoothing smoothing = Smoothing::kExp;
  double smooth_value = 0.0;
  bool effective_order = false;
  std::size_t max_order = 4;
  RefLength ref_length = RefLength::kClosest;
};

// Row: hypothesis length, reference length, matches by order, totals by order.
std::unique_ptr<Kernel> make_bleu(const BleuOptions& options);

// BLEU-NRC: smoothed counts of Chen and Cherry (2014), methods 4 and 5
// combined. Row: segment score, 1; the corpus score is the mean.
std::unique_ptr<Kernel> make_bleu_nrc(Scheme scheme, double k);

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// align/: pairs of texts, and which of their words belong together.
//
// Monolingual word alignment: which words of an output stand for which words of
// a reference.
#pragma once

#include <span>
#include <vector>

#include "align/candidates.hpp"
#include "align/pairs.hpp"

namespace tertium {

// Align all pairs of a batch: most words, fewest chunks, least displacement (see
// AlignmentSearch). `given` are candidates of matchers of kind kGiven, one list a
// pair in the order system x references, or nothing. Returns how many pairs had
// more states than `beam`, so that a better alignment may exist.
std::size_t align(PairBatch& batch, std::span<const Matcher> matchers,
                  std::span<const std::vector<Match>> given, std::size_t beam, unsigned threads);

// Align equal words that their context identifies (see ContextAligner). Of two
// words identified with one reference word the first counts.
void align_by_context(PairBatch& batch, unsigned threads);

}  // namespace tertium

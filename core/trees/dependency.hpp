// SPDX-License-Identifier: Apache-2.0
// trees/: dependency trees: edit distance, paths, shared relations.
//
// Dependencies that two trees share: headword chains (Liu and Gildea 2005) and
// single arcs.
#pragma once

#include <cstddef>

#include "align/pairs.hpp"

namespace tertium {

// Chains of 1 .. max_length words, each the head of the next. Row, for every
// length: chains of the hypothesis that are in the reference (clipped), chains of
// the hypothesis. Score: the mean of the precisions.
std::unique_ptr<PairKernel> make_headword_chain(bool flat, std::size_t max_length);

// The counts that recall needs too. Row, for every length: shared chains (clipped),
// chains of the hypothesis, chains of the reference. Score: the mean of 2 s / (h + r).
std::unique_ptr<PairKernel> make_chain_counts(bool flat, std::size_t max_length);

// What two arcs must share to be equal: head, dependent and label; head and
// dependent; the dependent alone.
enum class Arcs { kLabelled, kUnlabelled, kWords };
enum class Overlap { kPrecision, kRecall, kF, kMean };

// Row: shared arcs (clipped), arcs of the hypothesis, arcs of the reference.
std::unique_ptr<PairKernel> make_dependency_overlap(bool flat, Arcs arcs, Overlap overlap);

}  // namespace tertium

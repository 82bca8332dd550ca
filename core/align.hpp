// SPDX-License-Identifier: Apache-2.0
// Monolingual word alignment: which words of an output stand for which words of
// a reference.
#pragma once

#include "pairs.hpp"

namespace tertium {

// Align all pairs of a batch.
void align(PairBatch& batch, unsigned threads);

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Whole batches on several threads, with results that do not depend on them.
#pragma once

#include <functional>
#include <vector>

#include "kernel.hpp"

namespace tertium {

// References of all segments in one list: those of segment i are
// refs[first[i] .. first[i + 1]).
struct Batch {
  std::vector<Text> hyps;
  std::vector<Text> refs;
  std::vector<std::size_t> first;

  std::size_t size() const { return hyps.size(); }
  std::span<const Text> refs_of(std::size_t i) const {
    return std::span(refs).subspan(first[i], first[i + 1] - first[i]);
  }
};

// Call body(begin, end) for consecutive blocks of [0, n), on up to `threads`
// threads (0: as many as the machine has). make_body is called once a thread.
using Body = std::function<void(std::size_t, std::size_t)>;
void parallel_for(std::size_t n, std::size_t block, unsigned threads,
                  const std::function<Body()>& make_body);

// The rows of segments [begin, end), written to out.
void compute_rows(const Kernel& kernel, const Batch& batch, std::size_t begin,
                  std::size_t end, unsigned threads, double* out);

// Add all rows to `total`, one after the other: the same sum for any number of
// threads and any cut of the data into batches.
void add_rows(const Kernel& kernel, const Batch& batch, unsigned threads, double* total);

}  // namespace tertium

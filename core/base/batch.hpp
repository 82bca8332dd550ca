// SPDX-License-Identifier: Apache-2.0
// Whole batches on several threads, with results that do not depend on them.
#pragma once

#include <functional>
#include <vector>

#include "base/kernel.hpp"
#include "base/pace.hpp"
#include "base/sums.hpp"

namespace tertium {

// Outputs of one or more systems for the same segments. References of all
// segments are in one list: those of segment i are refs[first[i] .. first[i + 1]).
struct Batch {
  std::vector<std::vector<Text>> systems;
  std::vector<Text> refs;
  std::vector<std::size_t> first;

  std::size_t size() const { return first.size() - 1; }
  std::span<const Text> refs_of(std::size_t i) const {
    return std::span(refs).subspan(first[i], first[i + 1] - first[i]);
  }
};

// Call body(begin, end) for consecutive parts of [0, n), on up to `threads` threads
// (0: as many as the machine has), which take one block after the other and do it in
// steps. make_body is called once a thread. What one throws, all stop for.
using Body = std::function<void(std::size_t, std::size_t)>;
void parallel_for(std::size_t n, std::size_t block, unsigned threads,
                  const std::function<Body()>& make_body);

// What the thread that called parallel_for does ten times per second, between items or
// while it waits for the others: look for Ctrl-C, say. If it throws, all stop.
// Set once, before any work.
void set_poll(void (*poll)());
// Items that take long call poll_within_item; see base/pace.hpp.

// The exact sums of the rows of n segments, one per system; rows are kept for a part of
// the segments at a time. `compute` writes those of [begin, end) to one place per system.
using Compute = std::function<void(std::size_t, std::size_t, std::span<double* const>)>;
std::vector<Sums> sum_in_parts(std::size_t n, std::size_t width, std::size_t systems,
                               const Compute& compute);

// The rows of segments [begin, end), written to one place a system.
void compute_rows(const Kernel& kernel, const Batch& batch, std::size_t begin,
                  std::size_t end, unsigned threads, std::span<double* const> out);

// The sums of all rows, one per system.
std::vector<Sums> sum_rows(const Kernel& kernel, const Batch& batch, unsigned threads);

}  // namespace tertium

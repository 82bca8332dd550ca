// SPDX-License-Identifier: Apache-2.0
// base/: what every family uses: the contract of kernels, batches on threads, exact sums,
// random numbers, containers.
//
// The contract of every metric kernel: statistics add up.
//
// A kernel turns one segment into a short row of numbers and turns a sum of
// rows into a score. Batches, threads and resampling are written once, on top
// of these two functions.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace tertium {

using Text = std::string_view;  // UTF-8, checked by the caller

// The scratch memory of one thread. References are read once and then serve
// any number of hypotheses of the same segment.
class Worker {
 public:
  virtual ~Worker() = default;
  virtual void set_refs(std::span<const Text> refs) = 0;
  // Write the statistics of a hypothesis to out[0 .. width).
  virtual void row(Text hyp, double* out) = 0;
};

// The scratch memory of one thread for all pairs of some texts, which are read once: each
// may be the hypothesis and the only reference.
class TextsWorker {
 public:
  virtual ~TextsWorker() = default;
  virtual void read(std::span<const Text> texts) = 0;
  // Write the statistics of a hypothesis to out[0 .. width).
  virtual void row(std::size_t hyp, std::size_t ref, double* out) = 0;
};

class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual std::size_t width() const = 0;
  // The score of a row or of a sum of rows.
  virtual double score(const double* row) const = 0;
};

class Kernel : public Scorer {
 public:
  virtual std::unique_ptr<Worker> worker() const = 0;
  // Nothing where a worker reads hypotheses at no cost.
  virtual std::unique_ptr<TextsWorker> texts_worker() const { return nullptr; }
};

}  // namespace tertium

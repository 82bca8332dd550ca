// SPDX-License-Identifier: Apache-2.0
#include "align/pairs.hpp"

#include <algorithm>

#include "base/batch.hpp"

namespace tertium {

namespace {
constexpr std::size_t kBlock = 64;
}  // namespace

void compute_rows(const PairKernel& kernel, const PairBatch& batch, std::size_t begin,
                  std::size_t end, unsigned threads, std::span<double* const> out) {
  const std::size_t width = kernel.width();
  parallel_for(end - begin, kBlock, threads, [&]() -> Body {
    std::shared_ptr<PairWorker> worker = kernel.worker();
    return [&, worker, other = std::vector<double>(width)](std::size_t from,
                                                           std::size_t to) mutable {
      for (std::size_t i = from; i < to; ++i) {
        const std::size_t segment = begin + i, first = batch.first_ref(segment);
        for (std::size_t s = 0; s < out.size(); ++s) {
          double* best = out[s] + i * width;
          worker->row(batch.pair(s, segment, first), best);
          for (std::size_t r = first + 1; r < batch.first_ref(segment + 1); ++r) {
            worker->row(batch.pair(s, segment, r), other.data());
            if (kernel.preference(other.data()) > kernel.preference(best))
              std::copy(other.begin(), other.end(), best);
          }
        }
      }
    };
  });
}

std::vector<Sums> sum_rows(const PairKernel& kernel, const PairBatch& batch, unsigned threads) {
  return sum_in_parts(batch.segments(), kernel.width(), batch.systems(),
                      [&](std::size_t begin, std::size_t end, std::span<double* const> out) {
                        compute_rows(kernel, batch, begin, end, threads, out);
                      });
}

void reference_rows(const PairKernel& kernel, const PairBatch& batch, std::size_t system,
                    unsigned threads, double* out) {
  parallel_for(batch.segments(), kBlock, threads, [&]() -> Body {
    std::shared_ptr<PairWorker> worker = kernel.worker();
    return [&, worker](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        for (std::size_t r = batch.first_ref(i); r < batch.first_ref(i + 1); ++r)
          worker->row(batch.pair(system, i, r), out + r * kernel.width());
    };
  });
}

}  // namespace tertium

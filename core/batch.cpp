// SPDX-License-Identifier: Apache-2.0
#include "batch.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace tertium {

void parallel_for(std::size_t n, std::size_t block, unsigned threads,
                  const std::function<Body()>& make_body) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t blocks = (n + block - 1) / block;
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, blocks));
  if (threads <= 1) {
    if (n > 0) make_body()(0, n);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto run = [&] {
    try {
      const Body body = make_body();
      for (std::size_t b = next++; b < blocks; b = next++)
        body(b * block, std::min(n, (b + 1) * block));
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(run);
  } catch (const std::system_error&) {
    // The machine gives no more threads: those that started do the work.
  }
  run();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void compute_rows(const Kernel& kernel, const Batch& batch, std::size_t begin,
                  std::size_t end, unsigned threads, std::span<double* const> out) {
  constexpr std::size_t kBlock = 64;
  const std::size_t width = kernel.width();
  parallel_for(end - begin, kBlock, threads, [&]() -> Body {
    std::shared_ptr<Worker> worker = kernel.worker();
    return [&, worker](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        worker->set_refs(batch.refs_of(begin + i));
        for (std::size_t s = 0; s < out.size(); ++s)
          worker->row(batch.systems[s][begin + i], out[s] + i * width);
      }
    };
  });
}

void add_in_parts(std::size_t n, std::size_t width, std::vector<std::vector<double>>& totals,
                  const Compute& compute) {
  constexpr std::size_t kRows = 16384;  // bounds the memory for rows
  const std::size_t rows = std::min(kRows, n);
  std::vector<double> buffer(rows * width * totals.size());
  std::vector<double*> out;
  for (std::size_t s = 0; s < totals.size(); ++s) out.push_back(buffer.data() + s * rows * width);
  for (std::size_t begin = 0; begin < n; begin += kRows) {
    const std::size_t end = std::min(n, begin + kRows);
    compute(begin, end, out);
    for (std::size_t s = 0; s < totals.size(); ++s)
      for (std::size_t i = 0; i < (end - begin) * width; ++i) totals[s][i % width] += out[s][i];
  }
}

void add_rows(const Kernel& kernel, const Batch& batch, unsigned threads,
              std::vector<std::vector<double>>& totals) {
  add_in_parts(batch.size(), kernel.width(), totals,
               [&](std::size_t begin, std::size_t end, std::span<double* const> out) {
                 compute_rows(kernel, batch, begin, end, threads, out);
               });
}

}  // namespace tertium

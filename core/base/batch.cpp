// SPDX-License-Identifier: Apache-2.0
#include "base/batch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace tertium {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPoll = std::chrono::milliseconds(100);
// Items between two looks at the clock, unless they take long: long texts may follow
// short ones, and nobody should have to wait for many of them.
constexpr std::size_t kItems = 8;
constexpr auto kLong = std::chrono::milliseconds(10);

void (*poll)() = [] {};

// What ends an item in a thread that another one asks to stop.
struct Stopped {};
// Set while a thread works for a parallel_for.
thread_local const std::atomic<bool>* stopped = nullptr;
// Whether parallel_for started this thread: only who called it polls. (Python must not
// learn of the others: who first imports `threading` is its main thread.)
thread_local bool helper = false;

// Long work may come in many short calls: the time is that of the last poll in any.
void poll_at(Clock::time_point now) {
  thread_local Clock::time_point last = now;
  if (now - last < kPoll) return;
  last = now;
  poll();
}

// What the threads of one parallel_for share.
class Work {
 public:
  Work(std::size_t n, std::size_t block, const std::function<Body()>& make_body)
      : n_(n), block_(block), make_body_(make_body) {}

  void run() {
    const std::atomic<bool>* const before_this = std::exchange(stopped, &stop_);
    do_blocks();
    stopped = before_this;
  }

  void leave() {
    const std::lock_guard lock(guard_);
    ++left_;
    left_one_.notify_one();
  }

  // Wait for the other threads, and throw what was thrown first.
  void finish(std::vector<std::thread>& others) {
    const auto all_left = [&] { return left_ == others.size(); };
    for (std::unique_lock lock(guard_); !left_one_.wait_for(lock, kPoll, all_left);) {
      lock.unlock();
      try {
        if (!stop_) poll_at(Clock::now());
      } catch (...) {
        fail();
      }
      lock.lock();
    }
    for (std::thread& thread : others) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void do_blocks() {
    try {
      const Body body = make_body_();
      std::size_t step = 1;
      Clock::time_point before = Clock::now();
      for (std::size_t begin; (begin = next_.fetch_add(block_)) < n_;)
        for (std::size_t i = begin, end = std::min(n_, begin + block_), to; i < end; i = to) {
          if (stop_.load(std::memory_order_relaxed)) return;
          body(i, to = std::min(end, i + step));
          const Clock::time_point now = Clock::now();
          step = now - before > kLong ? 1 : std::min(kItems, 2 * step);
          before = now;
          if (!helper) poll_at(now);
        }
    } catch (const Stopped&) {
      // Somebody else has failed, and says why.
    } catch (...) {
      fail();
    }
  }

  void fail() {
    const std::lock_guard lock(guard_);
    if (!failure_) failure_ = std::current_exception();
    stop_ = true;
  }

  const std::size_t n_, block_;
  const std::function<Body()>& make_body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex guard_;
  std::condition_variable left_one_;
  std::size_t left_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void poll_within_item() {
  if (stopped && stopped->load(std::memory_order_relaxed)) throw Stopped{};
  if (!helper) poll_at(Clock::now());
}

void set_poll(void (*given)()) { poll = given; }

void parallel_for(std::size_t n, std::size_t block, unsigned threads,
                  const std::function<Body()>& make_body) {
  if (n == 0) return;
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, (n + block - 1) / block));
  Work work(n, block, make_body);
  std::vector<std::thread> others;
  try {
    for (unsigned t = 1; t < threads; ++t)
      others.emplace_back([&work] {
        helper = true;
        work.run();
        work.leave();
      });
  } catch (const std::system_error&) {
    // The machine gives no more threads: those that started do the work.
  }
  work.run();
  work.finish(others);
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

std::vector<Sums> sum_in_parts(std::size_t n, std::size_t width, std::size_t systems,
                               const Compute& compute) {
  constexpr std::size_t kRows = 16384;  // bounds the memory for rows
  const std::size_t rows = std::min(kRows, n);
  std::vector<Sums> sums(systems, Sums(width));
  std::vector<double> buffer(rows * width * systems);
  std::vector<double*> out;
  for (std::size_t s = 0; s < systems; ++s) out.push_back(buffer.data() + s * rows * width);
  for (std::size_t begin = 0; begin < n; begin += kRows) {
    const std::size_t end = std::min(n, begin + kRows);
    compute(begin, end, out);
    for (std::size_t s = 0; s < systems; ++s) sums[s].add(out[s], end - begin);
  }
  return sums;
}

std::vector<Sums> sum_rows(const Kernel& kernel, const Batch& batch, unsigned threads) {
  return sum_in_parts(batch.size(), kernel.width(), batch.systems.size(),
                      [&](std::size_t begin, std::size_t end, std::span<double* const> out) {
                        compute_rows(kernel, batch, begin, end, threads, out);
                      });
}

}  // namespace tertium

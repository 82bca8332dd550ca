// SPDX-License-Identifier: Apache-2.0
// Looks for Ctrl-C within an item that may take long.
#pragma once

#include <cstddef>

namespace tertium {

// Let the caller's thread look for Ctrl-C, if it is time, and end this item if another
// thread has failed: by an exception, which parallel_for handles.
void poll_within_item();

// Calls it once in a few milliseconds: a kernel says how many steps of about a
// nanosecond it has done.
class Pace {
 public:
  void spend(std::size_t steps) {
    if (steps < left_) {
      left_ -= steps;
      return;
    }
    left_ = kSteps;
    poll_within_item();
  }

 private:
  static constexpr std::size_t kSteps = std::size_t{1} << 22;
  std::size_t left_ = kSteps;
};

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Permutations and their trees.
#include "python.hpp"

namespace tertium {

void bind_order(nb::module_&) {}

}  // namespace tertium

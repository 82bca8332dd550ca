// SPDX-License-Identifier: Apache-2.0
// Tree edit distance and DTED.
#include "python.hpp"

namespace tertium {

void bind_tree_edit(nb::module_&) {}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// DERP and dependency overlap.
#include "python.hpp"

namespace tertium {

void bind_derp(nb::module_&) {}

}  // namespace tertium

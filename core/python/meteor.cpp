// SPDX-License-Identifier: Apache-2.0
// METEOR.
#include "python.hpp"

namespace tertium {

void bind_meteor(nb::module_&) {}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Line ends of blocks of a file.
#include "text/line_ends.hpp"

#include "python.hpp"

namespace tertium {

namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::tuple find(const Bytes& block, std::size_t length, std::size_t size, std::size_t before) {
  if (length > block.size()) throw std::invalid_argument("the block is shorter");
  if (before >= size) throw std::invalid_argument("fewer lines must come before");
  LineEnds ends;
  {
    nb::gil_scoped_release release;
    const auto* data = reinterpret_cast<const char*>(block.data());
    ends = find_line_ends({data, length}, size, before);
  }
  return nb::make_tuple(ends.places, ends.lines);
}

}  // namespace

void bind_line_ends(nb::module_& m) {
  m.def("find_line_ends", &find, "block"_a, "length"_a, "size"_a, "before"_a);
}

}  // namespace tertium

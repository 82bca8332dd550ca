// SPDX-License-Identifier: Apache-2.0
// Features of words and characters, and linear models over them.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "learn/surface.hpp"
#include "python.hpp"

namespace tertium {
namespace {

using SourceTable = std::vector<std::tuple<std::string, long, bool, bool, bool, double>>;
using ColumnTable = std::vector<std::tuple<std::size_t, std::string, double>>;

Family family(const std::string& name) {
  if (name == "char") return Family::kChar;
  if (name == "word") return Family::kWord;
  if (name == "skip") return Family::kSkip;
  if (name == "char-length") return Family::kCharLength;
  if (name == "word-length") return Family::kWordLength;
  throw std::invalid_argument("unknown family " + name);
}

Formula formula(const std::string& name) {
  if (name == "p") return Formula::kFirst;
  if (name == "r") return Formula::kSecond;
  if (name == "f") return Formula::kF;
  if (name == "g") return Formula::kG;
  throw std::invalid_argument("unknown formula " + name);
}

SurfaceOptions surface(const SourceTable& sources, const ColumnTable& columns, bool released) {
  SurfaceOptions out;
  out.released = released;
  for (const auto& [name, n, symmetric, backoff, exponential, empty] : sources)
    out.sources.push_back({family(name), n, symmetric, backoff, exponential, empty});
  for (const auto& [source, name, beta] : columns)
    out.columns.push_back({source, formula(name), beta});
  return out;
}

}  // namespace

void bind_surface(nb::module_& m) {
  m.def("surface_features",
        [](const SourceTable& sources, const ColumnTable& columns, bool released) {
          return make_surface_features(surface(sources, columns, released));
        },
        "sources"_a, "columns"_a, "released"_a);
  m.def("surface_model",
        [](const SourceTable& sources, const ColumnTable& columns, bool released,
           const LinearOptions& model) {
          return make_surface_model(surface(sources, columns, released), model);
        },
        "sources"_a, "columns"_a, "released"_a, "model"_a);
}

}  // namespace tertium

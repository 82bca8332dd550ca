// SPDX-License-Identifier: Apache-2.0
// Flat arrays between NumPy and the kernels of preordering.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "preorder/grammar.hpp"
#include "preorder/order_limits.hpp"
#include "python.hpp"

namespace tertium {

template <typename T>
using InVector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using NumpyVector = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <typename T>
std::span<const T> as_span(const InVector<T>& array) {
  return {array.data(), array.shape(0)};
}

template <typename T>
std::vector<T> copied(const InVector<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

// The array takes over the memory of the vector.
template <typename T>
NumpyVector<T> to_numpy(std::vector<T>&& values) {
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  std::vector<T>* const kept = held.get();
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  held.release();
  return NumpyVector<T>(kept->data(), {kept->size()}, owner);
}

template <typename T>
using NumpyRows = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

// The same, as `count` rows of `width` numbers.
template <typename T>
NumpyRows<T> to_rows(std::vector<T>&& values, std::size_t width, std::size_t count) {
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  std::vector<T>* const kept = held.get();
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  held.release();
  return NumpyRows<T>(kept->data(), {count, width}, owner);
}

// Boundaries whose words stay neighbours, walls, pairs in order.
using InLimits = std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>,
                            std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

// The limits of one of the sentences; there are none, or one row per sentence.
inline OrderLimits read_limits(const std::vector<InLimits>& rows, std::size_t index,
                               std::size_t words) {
  if (rows.empty()) return {};
  const auto& [joints, walls, before] = rows[index];
  if (joints.empty() && walls.empty() && before.empty()) return {};
  return {words, {joints, walls, before}};
}

inline void check_limits(const std::vector<InLimits>& rows, std::size_t sentences) {
  if (!rows.empty() && rows.size() != sentences)
    throw std::invalid_argument("as many limits as sentences");
}

inline GrammarShape read_shape(const std::vector<std::vector<std::uint32_t>>& ranks,
                               const std::vector<std::int32_t>& emitters,
                               const std::vector<std::uint32_t>& splits) {
  if (ranks.size() != emitters.size())
    throw std::invalid_argument("every operator needs its ranks and its emitter");
  std::vector<GrammarOperator> operators;
  for (std::size_t i = 0; i < ranks.size(); ++i) operators.push_back({ranks[i], emitters[i]});
  return GrammarShape(std::move(operators), splits);
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Orders of least risk.
#include "preorder/risk.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "preorder_arrays.hpp"
#include "python.hpp"

namespace tertium {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
// Frozen spans, walls, pairs in order, the maximum displacement.
using Limits = std::tuple<Pairs, std::vector<std::uint32_t>, Pairs, std::int64_t>;
using InOrders = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Answer = std::pair<NumpyRows<std::int32_t>, NumpyVector<double>>;

std::size_t checked_side(const Matrix& expectations, std::size_t i) {
  if (expectations.shape(0) != expectations.shape(1))
    throw std::invalid_argument("the expectations of sentence " + std::to_string(i) +
                                " are not square");
  return expectations.shape(0);
}

RiskTask read_task(const Matrix& expectations, std::size_t i) {
  RiskTask task;
  task.words = checked_side(expectations, i);
  task.expectations = expectations.data();
  return task;
}

void add_limits(RiskTask& task, const Limits& limits) {
  std::tie(task.frozen, task.walls, task.before, task.max_displacement) = limits;
  const auto outside = [&](const auto& pair) {
    return std::max(pair.first, pair.second) >= task.words;
  };
  std::uint32_t next = 0;
  for (const auto& [from, to] : task.frozen) {
    if (from < next || to <= from || to > task.words)
      throw std::invalid_argument("a frozen span overlaps another or lies outside");
    next = to;
  }
  if (std::any_of(task.before.begin(), task.before.end(), outside) ||
      std::any_of(task.walls.begin(), task.walls.end(),
                  [&](std::uint32_t wall) { return wall > task.words; }))
    throw std::invalid_argument("a constraint lies outside its sentence");
}

Answer as_arrays(const std::vector<SafeOrder>& orders, std::size_t words) {
  std::vector<std::int32_t> places;
  std::vector<double> gains;
  for (const SafeOrder& one : orders) {
    places.insert(places.end(), one.order.begin(), one.order.end());
    gains.push_back(one.gain);
  }
  return {to_rows(std::move(places), words, orders.size()), to_numpy(std::move(gains))};
}

std::vector<Answer> least_risk(const std::vector<Matrix>& expectations,
                               const std::vector<Limits>& limits, std::size_t count,
                               unsigned threads) {
  if (!limits.empty() && limits.size() != expectations.size())
    throw std::invalid_argument("as many constraints as sentences");
  std::vector<RiskTask> tasks;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    tasks.push_back(read_task(expectations[i], i));
    if (!limits.empty()) add_limits(tasks.back(), limits[i]);
  }
  std::vector<std::vector<SafeOrder>> orders(tasks.size());
  {
    nb::gil_scoped_release release;
    parallel_for(tasks.size(), 16, threads, [&]() -> Body {
      return [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) orders[i] = best_orders(tasks[i], count);
      };
    });
  }
  std::vector<Answer> out;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    out.push_back(as_arrays(orders[i], tasks[i].words));
  return out;
}

NumpyVector<double> taus(const Matrix& expectations, const InOrders& orders) {
  const std::size_t n = checked_side(expectations, 0), count = orders.shape(0);
  if (orders.shape(1) != n) throw std::invalid_argument("orders are of another length");
  for (std::size_t i = 0; i < count * n; ++i)
    if (orders.data()[i] < 0 || static_cast<std::size_t>(orders.data()[i]) >= n)
      throw std::invalid_argument("an order has an index outside the sentence");
  std::vector<double> gains(count);
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i)
      gains[i] = expected_tau(std::span(orders.data() + i * n, n), expectations.data());
  }
  return to_numpy(std::move(gains));
}

}  // namespace

void bind_preorder_risk(nb::module_& m) {
  m.def("best_orders", &least_risk, "expectations"_a, "limits"_a, "count"_a, "threads"_a);
  m.def("expected_taus", &taus, "expectations"_a, "orders"_a);
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// TrueSkill: skills from comparisons.
#include "python.hpp"
#include "stats/trueskill.hpp"

namespace tertium {

namespace {

using Numbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Draws = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> span_of(const Numbers& x) { return {x.data(), x.size()}; }

void check(std::span<const std::int32_t> values, std::int64_t below, const char* what) {
  for (const std::int32_t value : values)
    if (value < 0 || value >= below) throw std::invalid_argument(what);
}

OutMatrix trueskill_runs(const Numbers& first, const Numbers& second, const Numbers& outcome,
                         const Numbers& starts, const Draws& draws, std::size_t players,
                         double sigma, double beta, double tau, double margin,
                         std::uint64_t seed, std::size_t first_run, unsigned threads) {
  const Games games{span_of(first), span_of(second), span_of(outcome), span_of(starts), players};
  const std::size_t n = games.first.size();
  if (games.second.size() != n || games.outcome.size() != n)
    throw std::invalid_argument("games have arrays of different lengths");
  if (starts.size() == 0) throw std::invalid_argument("starts are empty");
  check(games.first, static_cast<std::int64_t>(players), "first player out of range");
  check(games.second, static_cast<std::int64_t>(players), "second player out of range");
  check(games.starts, static_cast<std::int64_t>(n) + 1, "start out of range");
  const std::span<const std::int32_t> drawn(draws.data(), draws.size());
  check(drawn, static_cast<std::int64_t>(starts.size()) - 1, "draw out of range");
  if (!(sigma > 0) || !(beta > 0) || !(tau >= 0) || !(margin >= 0))
    throw std::invalid_argument("sigma and beta must be above 0, tau and margin not below");
  const std::size_t runs = draws.shape(0), width = 2 * players;
  double* data = nullptr;
  OutMatrix out = make_matrix(runs, width, data);
  nb::gil_scoped_release release;
  trueskill(games, {sigma, beta, tau, margin}, {drawn, runs, first_run, seed}, threads, data);
  return out;
}

}  // namespace

void bind_trueskill(nb::module_& m) {
  m.def("trueskill", &trueskill_runs, "first"_a, "second"_a, "outcome"_a, "starts"_a, "draws"_a,
        "players"_a, "sigma"_a, "beta"_a, "tau"_a, "margin"_a,
        "seed"_a, "first_run"_a, "threads"_a);
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Correlation with people, tie calibration, permutation tests between metrics.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <tuple>

#include "python.hpp"
#include "stats/bootstrap_groups.hpp"
#include "stats/calibration.hpp"
#include "stats/correlation.hpp"
#include "stats/permute.hpp"

namespace tertium {

namespace {

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<nb::numpy, bool, nb::ndim<3>, nb::c_contig>;
using OutCube = nb::ndarray<nb::numpy, double, nb::ndim<3>, nb::c_contig>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::size_t kMaxEntries = 0xFFFFFFFFull;

// ---------------------------------------------------------------------- names

Coefficient coefficient(const std::string& name) {
  if (name == "a") return Coefficient::kTauA;
  if (name == "b") return Coefficient::kTauB;
  if (name == "c") return Coefficient::kTauC;
  if (name == "23") return Coefficient::kTau23;
  if (name == "acc23") return Coefficient::kAcc23;
  if (name == "pearson") return Coefficient::kPearson;
  if (name == "spearman") return Coefficient::kSpearman;
  throw std::invalid_argument("unknown coefficient " + name);
}

Swap swap_of(const std::string& name) {
  if (name == "none") return Swap::kNone;
  if (name == "both") return Swap::kBoth;
  if (name == "inputs") return Swap::kInputs;
  if (name == "systems") return Swap::kSystems;
  throw std::invalid_argument("unknown swap " + name);
}

Grouping grouping(const std::string& name, const Scores& scores) {
  if (name == "item") return Grouping::items(scores);
  if (name == "sys") return Grouping::by_system(scores);
  if (name == "none") return Grouping::none(scores);
  throw std::invalid_argument("unknown grouping " + name);
}

void check_epsilon(double epsilon) {
  if (!(epsilon >= 0)) throw std::invalid_argument("epsilon must be 0 or more");
}

std::span<const double> finite(const Vector& v) {
  const std::span<const double> values(v.data(), v.shape(0));
  for (const double value : values)
    if (!std::isfinite(value)) throw std::invalid_argument("values must be finite");
  return values;
}

// ---------------------------------------------------------------- correlation

template <class A>
void check_alike(const A& human, const A& metric) {
  for (std::size_t d = 0; d < human.ndim(); ++d)
    if (human.shape(d) != metric.shape(d)) throw std::invalid_argument("shapes differ");
  if (human.size() > kMaxEntries) throw std::invalid_argument("too many values");
}

auto pair_counts(const Vector& human, const Vector& metric, double epsilon) {
  check_alike(human, metric);
  check_epsilon(epsilon);
  const auto h = finite(human), m = finite(metric);
  PairCounts c;
  {
    nb::gil_scoped_release release;
    c = Correlator().count(h, m, epsilon);
  }
  return std::make_tuple(c.concordant, c.discordant, c.tied_human, c.tied_metric, c.tied_both,
                         c.classes_human, c.classes_metric);
}

double correlation(const std::string& kind, const Vector& human, const Vector& metric,
                   double epsilon) {
  check_alike(human, metric);
  check_epsilon(epsilon);
  const Coefficient which = coefficient(kind);
  const auto h = finite(human), m = finite(metric);
  nb::gil_scoped_release release;
  return Correlator()(which, h, m, epsilon);
}

OutVector correlate_rows(const std::string& kind, const Matrix& human, const Matrix& metric,
                         double epsilon, unsigned threads) {
  check_alike(human, metric);
  check_epsilon(epsilon);
  const Coefficient which = coefficient(kind);
  const std::size_t rows = human.shape(0), n = human.shape(1);
  double* data = new double[rows];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  OutVector out(data, {rows}, owner);
  nb::gil_scoped_release release;
  parallel_for(rows, 64, threads, [&]() -> Body {
    return [&, correlate = Correlator()](std::size_t from, std::size_t to) mutable {
      for (std::size_t i = from; i < to; ++i)
        data[i] = correlate.complete(which, {human.data() + i * n, n}, {metric.data() + i * n, n},
                                     epsilon);
    };
  });
  return out;
}

auto calibrate(const Matrix& human, const Matrix& metric) {
  check_alike(human, metric);
  const std::size_t size = human.shape(0) * human.shape(1);
  Calibration found{0, 0, 0};
  if (size > 0) {
    nb::gil_scoped_release release;
    found = calibrate_ties({human.data(), size}, {metric.data(), size}, human.shape(1));
  }
  return std::make_tuple(found.epsilon, found.accuracy, found.groups);
}

// The coefficient of (segments, systems) in resamples of the segments.
OutVector bootstrap(const std::string& kind, const std::string& group, const Matrix& human,
                    const Matrix& metric, double epsilon, std::size_t count, std::uint64_t seed,
                    unsigned threads, std::size_t first) {
  check_alike(human, metric);
  check_epsilon(epsilon);
  const Coefficient which = coefficient(kind);
  // A segment drawn twice is two items, not an item of double weight.
  if (which == Coefficient::kPearson || group == "item")
    throw std::invalid_argument("not for pearson, and not by item");
  if (human.size() == 0) throw std::invalid_argument("there are no scores");
  const Scores scores{human.shape(0), human.shape(1), 1, human.data(), metric.data()};
  const Grouping groups = grouping(group, scores);
  double* data = new double[count];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  OutVector out(data, {count}, owner);
  nb::gil_scoped_release release;
  bootstrap_groups(which, scores, groups, epsilon, {seed, first, count}, threads, data);
  return out;
}

// ----------------------------------------------------------- permutation tests

// Checked scores of people (segments, systems) and metrics (metrics, segments,
// systems).
struct Test {
  Scores scores;
  std::vector<Rivals> rivals;
  SwapTrials trials;

  Test(const Matrix& human, const Cube& metrics, const Pairs& pairs, const std::string& swap,
       std::size_t count, std::uint64_t seed, std::size_t first)
      : scores{human.shape(0), human.shape(1), metrics.shape(0), human.data(), metrics.data()},
        trials{swap_of(swap), seed, first, count} {
    if (metrics.shape(1) != scores.segments || metrics.shape(2) != scores.systems)
      throw std::invalid_argument("shapes differ");
    if (scores.systems == 0 || scores.segments == 0)
      throw std::invalid_argument("there are no scores");
    if (scores.size() > kMaxEntries) throw std::invalid_argument("too many scores");
    for (const auto& [a, b] : pairs) {
      if (a >= scores.metrics || b >= scores.metrics)
        throw std::invalid_argument("there is no such metric");
      rivals.push_back({a, b});
    }
    for (std::size_t e = 0; e < scores.size(); ++e) {
      if (std::isnan(scores.human[e])) continue;
      if (!std::isfinite(scores.human[e])) throw std::invalid_argument("scores must be finite");
      for (std::size_t m = 0; m < scores.metrics; ++m)
        if (!std::isfinite(scores.metric(m)[e]))
          throw std::invalid_argument("a metric has no score where people have one");
    }
  }
};

OutMatrix permute(const std::string& kind, const std::string& group, const Matrix& human,
                  const Cube& metrics, const Pairs& pairs, const std::string& swap,
                  std::size_t count, std::uint64_t seed, unsigned threads, std::size_t first,
                  bool plain) {
  const Test test(human, metrics, pairs, swap, count, seed, first);
  const Coefficient which = coefficient(kind);
  const Grouping groups = grouping(group, test.scores);
  double* data = nullptr;
  OutMatrix out = make_matrix(pairs.size(), count, data);
  nb::gil_scoped_release release;
  const bool items = group == "item";
  if (!plain && which == Coefficient::kTauB && items && test.scores.systems <= kMaxTauSystems) {
    permute_tau_b(test.scores, test.rivals, test.trials, threads, data);
  } else if (!plain && which == Coefficient::kPearson && items) {
    permute_pearson(test.scores, test.rivals, test.trials, threads, data);
  } else if (!plain && (which == Coefficient::kAcc23 || which == Coefficient::kTau23)) {
    permute_accuracy(test.scores, groups, test.rivals, test.trials, threads, data);
    if (which == Coefficient::kTau23)  // 2 acc - 1
      for (std::size_t k = 0; k < pairs.size() * count; ++k) data[k] *= 2;
  } else {
    permute_any(which, test.scores, groups, test.rivals, test.trials, threads, data);
  }
  return out;
}

// Sums of x, x^2 and x h over swapped entries, (trials, groups, 3 * metrics).
OutCube swapped_moments(const std::string& group, const Matrix& human, const Cube& metrics,
                        const std::string& swap, std::size_t count, std::uint64_t seed,
                        unsigned threads, std::size_t first) {
  const Test test(human, metrics, {}, swap, count, seed, first);
  const Scores& scores = test.scores;
  const Grouping groups = grouping(group, scores);
  const std::size_t width = 3 * scores.metrics;
  if (groups.groups > SIZE_MAX / sizeof(double) / width / (count + 1)) throw std::bad_alloc();
  double* data = new double[count * groups.groups * width];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  OutCube out(data, {count, groups.groups, width}, owner);
  nb::gil_scoped_release release;
  std::vector<double> rows(scores.size() * width);
  for (std::size_t e = 0; e < scores.size(); ++e) {
    const double h = scores.human[e];
    if (std::isnan(h)) continue;
    for (std::size_t m = 0; m < scores.metrics; ++m) {
      const double x = scores.metric(m)[e];
      double* row = &rows[e * width + 3 * m];
      row[0] = x;
      row[1] = x * x;
      row[2] = x * h;
    }
  }
  swapped_sums(rows.data(), width, scores, groups, test.trials, threads, data);
  return out;
}

Flags swap_masks(std::size_t segments, std::size_t systems, const std::string& swap,
                 std::size_t count, std::uint64_t seed, std::size_t first) {
  const Swap which = swap_of(swap);
  const std::size_t size = segments * systems;
  bool* data = new bool[count * size];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  for (std::size_t t = 0; t < count; ++t) {
    const SwapMask mask(which, seed, first + t, systems);
    for (std::size_t e = 0; e < size; ++e) data[t * size + e] = mask.at(e / systems, e % systems);
  }
  return Flags(data, {count, segments, systems}, owner);
}

}  // namespace

void bind_meta(nb::module_& m) {
  m.def("pair_counts", &pair_counts, "human"_a, "metric"_a, "epsilon"_a = 0.0);
  m.def("correlation", &correlation, "kind"_a, "human"_a, "metric"_a, "epsilon"_a = 0.0);
  m.def("correlate_rows", &correlate_rows, "kind"_a, "human"_a, "metric"_a, "epsilon"_a,
        "threads"_a);
  m.def("calibrate_ties", &calibrate, "human"_a, "metric"_a);
  m.def("bootstrap_groups", &bootstrap, "kind"_a, "group"_a, "human"_a, "metric"_a, "epsilon"_a,
        "trials"_a, "seed"_a, "threads"_a, "first"_a = 0);
  m.def("permute_metrics", &permute, "kind"_a, "group"_a, "human"_a, "metrics"_a, "pairs"_a,
        "swap"_a, "trials"_a, "seed"_a, "threads"_a, "first"_a = 0, "plain"_a = false);
  m.def("swapped_moments", &swapped_moments, "group"_a, "human"_a, "metrics"_a, "swap"_a,
        "trials"_a, "seed"_a, "threads"_a, "first"_a = 0);
  m.def("swap_masks", &swap_masks, "segments"_a, "systems"_a, "swap"_a, "trials"_a, "seed"_a,
        "first"_a = 0);
}

}  // namespace tertium

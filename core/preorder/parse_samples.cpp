// SPDX-License-Identifier: Apache-2.0
#include "preorder/parse_samples.hpp"

#include <algorithm>
#include <map>

#include "base/pace.hpp"
#include "base/random.hpp"
#include "preorder/parse_edges.hpp"

namespace tertium {
namespace {

class Sampler {
 public:
  Sampler(const Parser& parser, std::uint64_t seed, std::uint64_t sentence)
      : chart_(parser.chart()),
        tables_(chart_.tables()),
        pieces_(parser.pieces()),
        random_(seed, sentence) {}

  Order sample() {
    Order out;
    std::size_t next = 0;
    for (const auto& [begin, end] : pieces_) {
      words(next, begin, out);
      root(begin, end, out);
      next = end;
    }
    words(next, chart_.words(), out);
    return out;
  }

 private:
  static void words(std::size_t begin, std::size_t end, Order& out) {
    for (; begin < end; ++begin) out.push_back(static_cast<std::int32_t>(begin));
  }

  // One of the indices, by their weights.
  template <class At>
  std::size_t choose(std::size_t n, At&& weight) {
    sums_.resize(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sums_[i] = sum += weight(i);
    pace_.spend(2 * n);
    const double at = sum * (static_cast<double>(random_.next() >> 11) * 0x1p-53);
    auto place = std::upper_bound(sums_.begin(), sums_.end(), at);
    // The product may be rounded up to the sum itself.
    if (place == sums_.end()) place = std::lower_bound(sums_.begin(), sums_.end(), sum);
    return static_cast<std::size_t>(place - sums_.begin());
  }

  void root(std::size_t begin, std::size_t end, Order& out) {
    const double* inside = chart_.states(chart_.at(begin, end));
    state(begin, end, choose(tables_.states(), [&](std::size_t s) {
            return tables_.root[s] * inside[s];
          }), out);
  }

  void state(std::size_t begin, std::size_t end, std::size_t index, Order& out) {
    const ParseState& here = tables_.all[index];
    std::vector<std::size_t> bounds(here.arity + 1);
    bounds[0] = begin;
    bounds[here.arity] = end;
    if (chart_.listed(here.arity, begin, end))
      choose_edge(here, bounds);
    else
      choose_splits(here, bounds);
    const std::vector<std::uint32_t>& ranks = tables_.grammar.shape.operators[here.op].ranks;
    for (std::uint32_t rank = 1; rank <= here.arity; ++rank) {
      const auto child = static_cast<std::size_t>(
          std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
      this->slot(bounds[child], bounds[child + 1], here.slots[child], out);
    }
  }

  // Inner boundaries from right to left: an item is a shorter one and the slot after it.
  void choose_splits(const ParseState& here, std::vector<std::size_t>& bounds) {
    const std::size_t begin = bounds[0];
    for (std::size_t done = here.arity; done > 1; --done) {
      const std::uint32_t item = here.items[done], slot = here.slots[done - 1];
      const std::size_t to = bounds[done];
      bounds[done - 1] = begin + 1 + choose(to - begin - 1, [&](std::size_t i) {
                           const std::size_t middle = begin + 1 + i;
                           if (!chart_.allows(item, begin, middle, to)) return 0.0;
                           return chart_.left(chart_.at(begin, middle))[item] *
                                  chart_.slots(chart_.at(middle, to))[slot];
                         });
    }
  }

  void choose_edge(const ParseState& here, std::vector<std::size_t>& bounds) {
    ParseEdges edges(chart_, tables_.complete_run(here.op), bounds.front(), bounds.back());
    std::vector<std::size_t> all;
    std::vector<double> weights;
    edges.each([&](std::span<const std::size_t> one) {
      all.insert(all.end(), one.begin(), one.end());
      weights.push_back(edges.product(one, here.split));
    });
    const std::size_t chosen = choose(weights.size(), [&](std::size_t i) { return weights[i]; });
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(chosen * bounds.size()), bounds.size(),
                bounds.begin());
  }

  void slot(std::size_t begin, std::size_t end, std::size_t index, Order& out) {
    const std::size_t span = chart_.at(begin, end), states = tables_.states();
    if (end - begin == 1) return words(begin, end, out);
    const double* inside = chart_.states(span);
    const double* emissions = chart_.emissions(span);
    const double* row = &tables_.unary[index * states];
    // The last choice is the terminal.
    const std::size_t choice = choose(states + (emissions ? 1 : 0), [&](std::size_t s) {
      return s < states ? row[s] * inside[s] : emissions[index];
    });
    if (choice == states) return words(begin, end, out);
    state(begin, end, choice, out);
  }

  const ParseChart& chart_;
  const ParseTables& tables_;
  const std::vector<ParseSpan>& pieces_;
  Random random_;
  std::vector<double> sums_;
  Pace pace_;
};

}  // namespace

std::vector<SampledOrder> sample_orders(const Parser& parser, std::size_t count,
                                        std::uint64_t seed, std::uint64_t sentence) {
  Sampler sampler(parser, seed, sentence);
  std::map<Order, std::int64_t> counts;
  for (std::size_t i = 0; i < count; ++i) ++counts[sampler.sample()];
  std::vector<SampledOrder> out;
  for (const auto& [order, times] : counts) out.push_back({order, times});
  std::stable_sort(out.begin(), out.end(), [](const SampledOrder& a, const SampledOrder& b) {
    return a.count > b.count;
  });
  return out;
}

}  // namespace tertium

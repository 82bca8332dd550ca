// SPDX-License-Identifier: Apache-2.0
#include "preorder/parse_chart.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "preorder/parse_edges.hpp"

namespace tertium {
namespace {

// Values of a length are rescaled when the largest leaves this range.
constexpr int kRange = 200;
// At most so many spans, unless that leaves no span of two words: some 500 MB for the
// grammar of the thesis, 144 states.
constexpr std::size_t kSpans = 40'000;

TERTIUM_CLONES void add_products(double* __restrict out, const double* __restrict a,
                                 const double* __restrict b, std::size_t n) {
  for (std::size_t x = 0; x < n; ++x) out[x] += a[x] * b[x];
}

TERTIUM_CLONES void keep_products(double* __restrict out, const double* __restrict a,
                                  const double* __restrict b, std::size_t n) {
  for (std::size_t x = 0; x < n; ++x) {
    const double product = a[x] * b[x];
    out[x] = out[x] < product ? product : out[x];
  }
}

// Both parts of a derivation get what is outside of the other.
TERTIUM_CLONES void add_outside(double* __restrict first, double* __restrict second,
                                const double* __restrict outside,
                                const double* __restrict in_first,
                                const double* __restrict in_second, std::size_t n) {
  for (std::size_t x = 0; x < n; ++x) {
    first[x] += outside[x] * in_second[x];
    second[x] += outside[x] * in_first[x];
  }
}

// out += v · rows, for two vectors at a time (the second may be the first): four rows are
// read per pass, as the matrix is the larger part.
TERTIUM_CLONES void add_rows(double* __restrict out0, double* __restrict out1,
                             const double* __restrict v0, const double* __restrict v1,
                             const double* __restrict rows, std::size_t count,
                             std::size_t width) {
  std::size_t r = 0;
  for (; r + 4 <= count; r += 4) {
    const double *u0 = rows + r * width, *u1 = u0 + width, *u2 = u1 + width, *u3 = u2 + width;
    const double a0 = v0[r], a1 = v0[r + 1], a2 = v0[r + 2], a3 = v0[r + 3];
    const double b0 = v1[r], b1 = v1[r + 1], b2 = v1[r + 2], b3 = v1[r + 3];
    for (std::size_t x = 0; x < width; ++x) {
      out0[x] += ((u0[x] * a0 + u1[x] * a1) + u2[x] * a2) + u3[x] * a3;
      out1[x] += ((u0[x] * b0 + u1[x] * b1) + u2[x] * b2) + u3[x] * b3;
    }
  }
  for (; r < count; ++r) {
    const double* u = rows + r * width;
    for (std::size_t x = 0; x < width; ++x) {
      out0[x] += u[x] * v0[r];
      out1[x] += u[x] * v1[r];
    }
  }
}

TERTIUM_CLONES void keep_rows(double* __restrict out, const double* __restrict v,
                              const double* __restrict rows, std::size_t count,
                              std::size_t width) {
  for (std::size_t r = 0; r < count; ++r) {
    const double* u = rows + r * width;
    for (std::size_t x = 0; x < width; ++x) {
      const double product = u[x] * v[r];
      out[x] = out[x] < product ? product : out[x];
    }
  }
}

// Multiply vectors by a matrix, two by two; the sums of one do not depend on the other.
void multiply(std::span<double* const> out, std::span<const double* const> in,
              const std::vector<double>& rows, std::size_t count, std::size_t width,
              std::vector<double>& spare) {
  std::size_t i = 0;
  for (; i + 2 <= out.size(); i += 2)
    add_rows(out[i], out[i + 1], in[i], in[i + 1], rows.data(), count, width);
  if (i == out.size()) return;
  spare.assign(width, 0);
  add_rows(out[i], spare.data(), in[i], in[i], rows.data(), count, width);
}

double largest(const double* values, std::size_t n, double most) {
  for (std::size_t x = 0; x < n; ++x) most = std::max(most, values[x]);
  return most;
}

void scale_by(double* values, std::size_t n, double factor) {
  for (std::size_t x = 0; x < n; ++x) values[x] *= factor;
}

}  // namespace

void ParseChart::fill(const ParseTables& tables, const ParseSentence& sentence,
                      std::size_t max_span, Sum sum, std::span<const char> keep) {
  tables_ = &tables;
  limits_.reset();
  if (sentence.limits.any()) limits_.emplace(tables, sentence.limits);
  n_ = sentence.words;
  const std::size_t most = n_ > 0 ? std::max<std::size_t>(2, kSpans / n_) : 1;
  width_ = std::max<std::size_t>(1, std::min({n_, max_span, most}));
  sum_ = sum;
  kept_.assign(keep.begin(), keep.end());
  slots_.assign(spans() * tables.slots(), 0);
  items_.assign(spans() * tables.items(), 0);
  left_.assign(spans() * tables.items(), 0);
  states_.assign(spans() * tables.states(), 0);
  emit(sentence);
  for (std::size_t length = 1; length <= width_; ++length) {
    if (length > 1) {
      combine(length, keep);
      expand(length, keep);
    }
    const std::size_t states = tables.states();
    for (std::size_t begin = 0; begin + length <= n_; ++begin) {
      const std::size_t span = at(begin, begin + length);
      if (const double* column = emissions(span)) {
        double* out = &slots_[span * tables.slots()];
        for (std::size_t x = 0; x < tables.slots(); ++x)
          out[x] = sum_ == Sum::kAll ? out[x] + column[x] : std::max(out[x], column[x]);
      }
      double* left = &left_[span * tables.items()];
      std::copy_n(slots(span), states, left);
      for (const auto& [item, place] : tables.continued) left[place] = items(span)[item];
    }
    if (length > 1) rescale(length);
  }
}

void ParseChart::emit(const ParseSentence& sentence) {
  const std::size_t width = tables_->slots();
  scale_.assign(n_, 0);
  emitted_.assign(sentence.terminals.size() * width, 0);
  emission_.assign(spans(), 0);
  // Words first: their scales are those of longer terminals.
  for (const bool words : {true, false})
    for (std::size_t row = 0; row < sentence.terminals.size(); ++row) {
      const auto [begin, end, terminal] = sentence.terminals[row];
      if ((end - begin == 1) != words || end - begin > width_) continue;
      if (limits_ && !limits_->order().in_order(begin, end)) continue;
      const std::span<double> out(&emitted_[row * width], width);
      tables_->emissions(terminal, out);
      emission_[at(begin, end)] = static_cast<std::uint32_t>(row + 1);
      if (words) {
        const double most = largest(out.data(), width, 0);
        if (most > 0) scale_[begin] = -std::ilogb(most);
      }
      std::int64_t scale = 0;
      for (std::uint32_t word = begin; word < end; ++word) scale += scale_[word];
      for (double& value : out)
        value = std::ldexp(value, static_cast<int>(std::min<std::int64_t>(scale, 4000)));
    }
}

const double* ParseChart::emissions(std::size_t span) const {
  return emission_[span] ? &emitted_[(emission_[span] - 1) * tables_->slots()] : nullptr;
}

void ParseChart::combine(std::size_t length, std::span<const char> keep) {
  const std::size_t items = tables_->items(), states = tables_->states();
  const bool binary = tables_->continued.empty();
  for (std::size_t begin = 0; begin + length <= n_; ++begin) {
    const std::size_t span = at(begin, begin + length);
    const bool kept = keep.empty() || keep[span];
    if (!kept && binary) continue;
    double* out = &items_[span * items];
    for (std::size_t middle = begin + 1; middle < begin + length; ++middle)
      join(begin, middle, begin + length, out);
    pace_.spend(length * items / 2);
    if (kept && limits_ && limits_->listed(begin, begin + length))
      list_edges(begin, begin + length, out);
    for (std::size_t state = 0; kept && state < states; ++state)
      states_[span * states + state] = out[tables_->complete[state]];
  }
}

void ParseChart::join(std::size_t begin, std::size_t middle, std::size_t end,
                      double* out) const {
  const auto add = sum_ == Sum::kAll ? add_products : keep_products;
  const double* first = left(at(begin, middle));
  const double* second = slots(at(middle, end)) + tables_->states();
  if (!limits_) return add(out, first, second, tables_->items());
  for (const ItemRun& run : tables_->runs)
    if (limits_->allows(run, begin, middle, end))
      add(out + run.first, first + run.first, second + run.first, run.count);
}

void ParseChart::list_edges(std::size_t begin, std::size_t end, double* out) {
  for (const ItemRun& run : tables_->runs) {
    if (run.arity == 2 || run.done < run.arity) continue;
    ParseEdges edges(*this, run, begin, end);
    edges.each([&](std::span<const std::size_t> bounds) {
      pace_.spend(run.count * run.arity);
      for (std::size_t k = 0; k < run.count; ++k) {
        const double value = edges.product(bounds, k);
        double& sum = out[run.first + k];
        sum = sum_ == Sum::kAll ? sum + value : std::max(sum, value);
      }
    });
  }
}

void ParseChart::expand(std::size_t length, std::span<const char> keep) {
  std::vector<double*> out;
  std::vector<const double*> in;
  for (std::size_t begin = 0; begin + length <= n_; ++begin) {
    const std::size_t span = at(begin, begin + length);
    if (!keep.empty() && !keep[span]) continue;
    out.push_back(&slots_[span * tables_->slots()]);
    in.push_back(states(span));
  }
  pace_.spend(out.size() * tables_->unary.size() / 4);
  if (sum_ == Sum::kAll) {
    std::vector<double> spare;
    multiply(out, in, tables_->transpose, tables_->states(), tables_->slots(), spare);
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    keep_rows(out[i], in[i], tables_->transpose.data(), tables_->states(), tables_->slots());
}

// Keep values of this length near 1, by the same power of two for every word.
void ParseChart::rescale(std::size_t length) {
  double most = 0;
  for (std::size_t begin = 0; begin + length <= n_; ++begin) {
    const std::size_t span = at(begin, begin + length);
    most = largest(items(span), tables_->items(), largest(slots(span), tables_->slots(), most));
  }
  if (most == 0 || std::abs(std::ilogb(most)) < kRange) return;
  const int step = -std::ilogb(most) / static_cast<int>(length);
  if (step == 0) return;
  for (std::int64_t& scale : scale_) scale += step;
  for (std::size_t size = 1; size <= width_; ++size)
    for (std::size_t begin = 0; begin + size <= n_; ++begin) {
      const std::size_t span = at(begin, begin + size);
      const double factor = std::ldexp(1.0, step * static_cast<int>(size));
      if (emission_[span])
        scale_by(&emitted_[(emission_[span] - 1) * tables_->slots()], tables_->slots(), factor);
      if (size > length) continue;
      scale_by(&slots_[span * tables_->slots()], tables_->slots(), factor);
      scale_by(&items_[span * tables_->items()], tables_->items(), factor);
      scale_by(&left_[span * tables_->items()], tables_->items(), factor);
      scale_by(&states_[span * tables_->states()], tables_->states(), factor);
    }
}

double ParseChart::root(std::size_t begin, std::size_t end) const {
  const double* values = states(at(begin, end));
  double sum = 0;
  for (std::size_t state = 0; state < tables_->states(); ++state) {
    const double value = tables_->root[state] * values[state];
    sum = sum_ == Sum::kAll ? sum + value : std::max(sum, value);
  }
  return sum;
}

double ParseChart::log_scale(std::size_t begin, std::size_t end) const {
  std::int64_t sum = 0;
  for (std::size_t word = begin; word < end; ++word) sum += scale_[word];
  return static_cast<double>(sum) * std::log(2.0);
}

// ------------------------------------------------------------------------- outside

void ParseChart::fill_outside(std::span<const ParseSpan> roots) {
  const std::size_t states = tables_->states(), slots = tables_->slots();
  slots_outside_.assign(spans() * slots, 0);
  items_outside_.assign(spans() * tables_->items(), 0);
  outside_.assign(spans() * states, 0);
  for (const auto& [begin, end] : roots) {
    const double total = root(begin, end);
    double* out = &outside_[at(begin, end) * states];
    for (std::size_t state = 0; state < states; ++state) out[state] = tables_->root[state] / total;
  }
  std::vector<double*> out;
  std::vector<const double*> in;
  std::vector<double> spare;
  for (std::size_t length = width_; length > 1; --length) {
    out.clear();
    in.clear();
    for (const auto& [from, to] : roots)
      for (std::size_t begin = from; begin + length <= to; ++begin) {
        const std::size_t span = at(begin, begin + length);
        if (!kept_.empty() && !kept_[span]) continue;
        out.push_back(&outside_[span * states]);
        in.push_back(slots_outside(span));
      }
    pace_.spend(out.size() * tables_->unary.size() / 4);
    multiply(out, in, tables_->unary, slots, states, spare);
    for (const auto& [from, to] : roots)
      for (std::size_t begin = from; begin + length <= to; ++begin) scatter(begin, length);
  }
}

void ParseChart::scatter(std::size_t begin, std::size_t length) {
  const std::size_t items = tables_->items(), states = tables_->states(),
                    slots = tables_->slots();
  const std::size_t span = at(begin, begin + length);
  double* outside = &items_outside_[span * items];
  for (std::size_t state = 0; state < states; ++state)
    outside[tables_->complete[state]] = outside_[span * states + state];
  pace_.spend(length * items);
  thread_local std::vector<double> first;
  for (std::size_t middle = begin + 1; middle < begin + length; ++middle) {
    const std::size_t a = at(begin, middle), b = at(middle, begin + length);
    first.assign(items, 0);
    const auto add = [&](std::size_t from, std::size_t count) {
      add_outside(first.data() + from, &slots_outside_[b * slots + states + from],
                  outside + from, left(a) + from, this->slots(b) + states + from, count);
    };
    if (!limits_)
      add(0, items);
    else
      for (const ItemRun& run : tables_->runs)
        if (limits_->allows(run, begin, middle, begin + length)) add(run.first, run.count);
    double* out = &slots_outside_[a * slots];
    for (std::size_t state = 0; state < states; ++state) out[state] += first[state];
    for (const auto& [item, place] : tables_->continued)
      items_outside_[a * items + item] += first[place];
  }
  if (limits_ && limits_->listed(begin, begin + length)) scatter_edges(begin, begin + length);
}

void ParseChart::scatter_edges(std::size_t begin, std::size_t end) {
  const double* outside = items_outside(at(begin, end));
  for (const ItemRun& run : tables_->runs) {
    if (run.arity == 2 || run.done < run.arity) continue;
    const ParseState& state = tables_->all[run.state];
    ParseEdges edges(*this, run, begin, end);
    edges.each([&](std::span<const std::size_t> bounds) {
      pace_.spend(run.count * run.arity * run.arity);
      for (std::size_t c = 0; c < run.arity; ++c) {
        const std::size_t child = at(bounds[c], bounds[c + 1]);
        double* out = &slots_outside_[child * tables_->slots() + state.slots[c]];
        for (std::size_t k = 0; k < run.count; ++k)
          out[k] += outside[run.first + k] * edges.product(bounds, k, c);
      }
    });
  }
}

double ParseChart::posterior(std::size_t span) const {
  const std::size_t states = tables_->states();
  double sum = 0;
  for (std::size_t state = 0; state < states; ++state)
    sum += outside_[span * states + state] * states_[span * states + state];
  return sum;
}

}  // namespace tertium

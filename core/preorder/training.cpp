// SPDX-License-Identifier: Apache-2.0
#include "preorder/training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/batch.hpp"

namespace tertium {
namespace {

// Sentences whose counts are kept apart until they are added, and how many of these
// parts there are at a time. Fixed, so that sums do not depend on threads.
constexpr std::size_t kPart = 128, kParts = 16;

// Alternatives of a sentence with smaller posteriors are not counted.
constexpr double kImprobable = 1e-30;

}  // namespace

// ------------------------------------------------------------------------ forests

ForestCorpus::ForestCorpus(std::vector<GrammarOperator> operators,
                           const ForestSettings& settings)
    : operators_(std::move(operators)), settings_(settings) {}

std::vector<ForestFault> ForestCorpus::add(const UnitArrays& units, unsigned threads) {
  const auto first = units.first, terminal = units.terminal, rank = units.rank;
  const auto sentence = units.sentence;
  const auto weight = units.weight;
  if (first.empty() || first.front() != 0 || first.back() != terminal.size() ||
      terminal.size() != rank.size() || !std::is_sorted(first.begin(), first.end()))
    throw std::invalid_argument("the units do not fit the sentences");
  const std::size_t n = first.size() - 1;
  if (sentence.size() != n || weight.size() != n ||
      !std::is_sorted(sentence.begin(), sentence.end()) ||
      !std::all_of(weight.begin(), weight.end(), [](double w) { return w > 0; }))
    throw std::invalid_argument("the alternatives do not fit the sentences");
  for (const std::uint32_t number : terminal)
    terminals_ = std::max<std::size_t>(terminals_, std::size_t{number} + 1);
  std::vector<ForestFault> faults(n);
  std::vector<CompiledForest> forests(n);
  parallel_for(n, 64, threads, [&]() -> Body {
    auto builder = std::make_shared<ForestBuilder>(operators_, settings_);
    return [&, builder](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t size = first[i + 1] - first[i];
        faults[i] = builder->build(rank.subspan(first[i], size));
        if (faults[i] == ForestFault::kNone)
          forests[i] = compile(builder->forest(), terminal.subspan(first[i], size));
      }
    };
  });
  for (std::size_t i = 0; i < n;) {
    const std::size_t start = i, before = forests_.size();
    double total = 0.0;
    for (; i < n && sentence[i] == sentence[start]; ++i) {
      if (faults[i] != ForestFault::kNone) continue;
      if (forests_.size() == before) units_ += first[i + 1] - first[i];
      for (const CompiledForest::Node& node : forests[i].nodes) edges_ += node.edges;
      forests_.push_back(std::move(forests[i]));
      weights_.push_back(weight[i]);
      total += weight[i];
    }
    if (forests_.size() == before) continue;
    for (std::size_t f = before; f < forests_.size(); ++f) weights_[f] /= total;
    first_.push_back(forests_.size());
  }
  return faults;
}

// List, for every node, the children of operators that it is, each once.
CompiledForest ForestCorpus::compile(const Forest& forest,
                                     std::span<const std::uint32_t> terminal) const {
  CompiledForest out;
  using Use = CompiledForest::Use;
  const std::size_t n = forest.nodes.size();
  std::vector<std::vector<Use>> uses(n);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // node, its use
  out.nodes.reserve(n + 1);
  for (const ForestNode& node : forest.nodes) {
    out.nodes.push_back({node.op, node.op < 0 ? terminal[node.start] : 0, 0,
                         static_cast<std::uint32_t>(edges.size()), node.edges});
    if (node.op < 0) continue;
    const auto op = static_cast<std::uint16_t>(node.op);
    const std::uint32_t arity = operators_[op].arity();
    for (std::uint32_t i = 0; i < node.edges * arity; ++i) {
      const std::uint32_t child = forest.children[node.first_edge + i];
      const auto side = static_cast<std::uint16_t>(i % arity);
      auto& known = uses[child];
      const auto same = [&](const Use& use) { return use.op == op && use.child == side; };
      const auto at = std::find_if(known.begin(), known.end(), same);
      edges.emplace_back(child, static_cast<std::uint32_t>(at - known.begin()));
      if (at == known.end()) known.push_back({child, op, side});
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    out.nodes[i].first_use = static_cast<std::uint32_t>(out.uses.size());
    out.uses.insert(out.uses.end(), uses[i].begin(), uses[i].end());
  }
  out.nodes.push_back({-1, 0, static_cast<std::uint32_t>(out.uses.size()), 0, 0});
  out.edges.reserve(edges.size());
  for (const auto& [node, use] : edges) out.edges.push_back(out.nodes[node].first_use + use);
  return out;
}

std::vector<std::uint32_t> ForestCorpus::first_children() const {
  std::vector<std::uint32_t> out = {0};
  for (const GrammarOperator& op : operators_) out.push_back(out.back() + op.arity());
  return out;
}

ChartCounts ForestCorpus::chart_counts() const {
  const std::vector<std::uint32_t> first = first_children();
  ChartCounts out;
  out.root.assign(operators_.size(), 0.0);
  out.unary.assign(first.back() * operators_.size(), 0.0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> emitted;
  for (std::size_t f = 0; f < forests_.size(); ++f) {
    const CompiledForest& forest = forests_[f];
    for (std::size_t i = 0; i + 1 < forest.nodes.size(); ++i)
      if (forest.is_root(i))
        out.root[static_cast<std::size_t>(forest.nodes[i].op)] += weights_[f];
    for (const CompiledForest::Use& use : forest.uses) {
      const CompiledForest::Node& node = forest.nodes[use.node];
      const std::uint32_t child = first[use.op] + use.child;
      if (node.op < 0)
        emitted[{node.terminal, child}] += weights_[f];
      else
        out.unary[child * operators_.size() + static_cast<std::size_t>(node.op)] += weights_[f];
    }
  }
  for (const auto& [key, count] : emitted) {
    out.terminal.push_back(key.first);
    out.child.push_back(key.second);
    out.count.push_back(count);
  }
  return out;
}

// ------------------------------------------------------------------- expectations

// The forests of a sentence, with the probability of each if there are several.
class SentencePass {
 public:
  using Part = ForestCorpus::Part;

  SentencePass(const ForestCorpus& corpus, const Grammar& grammar,
               const std::vector<double>& transposed)
      : corpus_(corpus), pass_(grammar, transposed) {}

  // The log-probability; counts and losses are added if there is a part.
  double run(std::size_t sentence, Part* part, const StatePairs* pairs);

 private:
  void count(const CompiledForest& forest, double factor, Part* part, const StatePairs* pairs);

  const ForestCorpus& corpus_;
  ForestPass pass_;
  std::vector<double> logs_;
};

double SentencePass::run(std::size_t sentence, Part* part, const StatePairs* pairs) {
  const std::size_t begin = corpus_.first_[sentence], end = corpus_.first_[sentence + 1];
  if (end - begin == 1) {
    const double log = pass_.inside(corpus_.forests_[begin]);
    if (part && std::isfinite(log)) count(corpus_.forests_[begin], 1.0, part, pairs);
    return log;
  }
  logs_.clear();
  for (std::size_t f = begin; f < end; ++f)
    logs_.push_back(pass_.inside(corpus_.forests_[f]) + std::log(corpus_.weights_[f]));
  const double highest = *std::max_element(logs_.begin(), logs_.end());
  if (!std::isfinite(highest)) return highest;
  double sum = 0.0;
  for (const double log : logs_) sum += std::exp(log - highest);
  for (std::size_t f = begin; part && f < end; ++f) {
    const double posterior = std::exp(logs_[f - begin] - highest) / sum;
    if (posterior < kImprobable) continue;
    pass_.inside(corpus_.forests_[f]);  // its values are gone
    count(corpus_.forests_[f], posterior, part, pairs);
  }
  return highest + std::log(sum);
}

void SentencePass::count(const CompiledForest& forest, double factor, Part* part,
                         const StatePairs* pairs) {
  pass_.outside(forest, factor, part->root.data(), part->unary.data(), part->emitted);
  if (!pairs) return;
  pass_.add_losses(forest, *pairs, part->losses.data());
  part->emitted = {};
}

// Run over all sentences; `take` gets the parts in order.
std::vector<double> ForestCorpus::sweep(
    const Grammar& grammar, unsigned threads, const StatePairs* pairs,
    const std::function<void(const Part&)>& take) const {
  const std::size_t states = grammar.shape.states(), slots = grammar.shape.slots();
  if (grammar.shape.operators.size() != operators_.size())
    throw std::invalid_argument("the grammar has other operators than the forests");
  if (terminals_ > grammar.terminals())
    throw std::invalid_argument("the forests have terminals that the grammar lacks");
  std::vector<double> transposed(slots * states);
  for (std::size_t s = 0; s < slots; ++s)
    for (std::size_t t = 0; t < states; ++t)
      transposed[t * slots + s] = grammar.unary[s * states + t];
  std::vector<double> out(size());
  std::vector<Part> parts(take ? kParts : 0);
  for (std::size_t wave = 0; wave < size(); wave += kPart * kParts) {
    const std::size_t left = std::min(size() - wave, kPart * kParts);
    const std::size_t used = (left + kPart - 1) / kPart;
    parallel_for(used, 1, threads, [&]() -> Body {
      auto pass = std::make_shared<SentencePass>(*this, grammar, transposed);
      return [&, pass](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
          Part* const part = take ? &parts[p] : nullptr;
          if (part) {
            part->root.assign(states, 0.0);
            part->unary.assign(slots * states, 0.0);
            part->emitted = {};
            part->losses.assign(pairs ? pairs->state.size() : 0, 0.0);
          }
          const std::size_t from = wave + p * kPart, to = std::min(size(), from + kPart);
          for (std::size_t i = from; i < to; ++i) out[i] = pass->run(i, part, pairs);
        }
      };
    });
    for (std::size_t p = 0; take && p < used; ++p) take(parts[p]);
  }
  return out;
}

std::vector<double> ForestCorpus::expect(const Grammar& grammar, unsigned threads,
                                         GrammarCounts* counts) const {
  if (!counts) return sweep(grammar, threads, nullptr, nullptr);
  const std::size_t states = grammar.shape.states(), slots = grammar.shape.slots();
  counts->root.assign(states, 0.0);
  counts->unary.assign(slots * states, 0.0);
  counts->value.assign(grammar.value.size(), 0.0);
  std::vector<double> out = sweep(grammar, threads, nullptr, [&](const Part& part) {
    for (std::size_t i = 0; i < states; ++i) counts->root[i] += part.root[i];
    for (std::size_t i = 0; i < slots * states; ++i) counts->unary[i] += part.unary[i];
    const double* value = part.emitted.count.data();
    for (std::size_t i = 0; i < part.emitted.place.size(); ++i)
      for (std::size_t k = 0; k < part.emitted.size[i]; ++k)
        counts->value[part.emitted.place[i] + k] += *value++;
  });
  for (std::size_t i = 0; i < slots * states; ++i) counts->unary[i] *= grammar.unary[i];
  return out;
}

std::vector<double> ForestCorpus::merge_losses(const Grammar& grammar,
                                               std::span<const std::uint32_t> states,
                                               std::span<const double> shares,
                                               unsigned threads) const {
  const GrammarShape& shape = grammar.shape;
  if (shares.size() != 2 * states.size() || !std::is_sorted(states.begin(), states.end()))
    throw std::invalid_argument("the shares do not fit the pairs of states");
  StatePairs pairs;
  pairs.state.assign(states.begin(), states.end());
  pairs.share.assign(shares.begin(), shares.end());
  for (const std::uint32_t end : shape.first_state) {
    const auto at = std::lower_bound(states.begin(), states.end(), end) - states.begin();
    if (at > 0 && states[static_cast<std::size_t>(at) - 1] + 1 >= end)
      throw std::invalid_argument("a pair has states of two operators");
    pairs.first.push_back(static_cast<std::size_t>(at));
  }
  std::vector<double> out(states.size(), 0.0);
  sweep(grammar, threads, &pairs, [&](const Part& part) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += part.losses[i];
  });
  return out;
}

}  // namespace tertium

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
#include "base/clones.hpp"
#include "base/pace.hpp"

namespace tertium {
namespace {

// Sentences whose counts are kept apart until they are added, and how many of these
// parts there are at a time. Fixed, so that sums do not depend on threads.
constexpr std::size_t kPart = 128, kParts = 16;

// out[i] += factor · in[i] for each of `rows` factors and consecutive rows of `in`. Sums
// run over rows in order, so that wider vectors change nothing.
TERTIUM_CLONES void add_rows(const double* factors, std::size_t rows, const double* in,
                             std::size_t stride, double* out, std::size_t n) {
  for (std::size_t r = 0; r < rows; ++r, in += stride) {
    const double factor = factors[r];
    for (std::size_t i = 0; i < n; ++i) out[i] += factor * in[i];
  }
}

// out[r][i] += a[r] · b[i].
TERTIUM_CLONES void add_outer(const double* a, std::size_t rows, const double* b, double* out,
                              std::size_t stride, std::size_t n) {
  for (std::size_t r = 0; r < rows; ++r, out += stride) {
    const double factor = a[r];
    for (std::size_t i = 0; i < n; ++i) out[i] += factor * b[i];
  }
}

}  // namespace

// ------------------------------------------------------------------------ forests

ForestCorpus::ForestCorpus(std::vector<GrammarOperator> operators,
                           const ForestSettings& settings)
    : operators_(std::move(operators)), settings_(settings) {}

std::vector<ForestFault> ForestCorpus::add(std::span<const std::uint32_t> first,
                                           std::span<const std::uint32_t> terminal,
                                           std::span<const std::uint32_t> rank,
                                           unsigned threads) {
  if (first.empty() || first.front() != 0 || first.back() != terminal.size() ||
      terminal.size() != rank.size() || !std::is_sorted(first.begin(), first.end()))
    throw std::invalid_argument("the units do not fit the sentences");
  for (const std::uint32_t number : terminal)
    terminals_ = std::max<std::size_t>(terminals_, std::size_t{number} + 1);
  const std::size_t n = first.size() - 1;
  std::vector<ForestFault> faults(n);
  std::vector<Sentence> sentences(n);
  parallel_for(n, 64, threads, [&]() -> Body {
    auto builder = std::make_shared<ForestBuilder>(operators_, settings_);
    return [&, builder](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t size = first[i + 1] - first[i];
        faults[i] = builder->build(rank.subspan(first[i], size));
        if (faults[i] == ForestFault::kNone)
          sentences[i] = compile(builder->forest(), terminal.subspan(first[i], size));
      }
    };
  });
  for (std::size_t i = 0; i < n; ++i) {
    if (faults[i] != ForestFault::kNone) continue;
    units_ += first[i + 1] - first[i];
    for (const Node& node : sentences[i].nodes) edges_ += node.edges;
    sentences_.push_back(std::move(sentences[i]));
  }
  return faults;
}

// List, for every node, the children of operators that it is, each once.
ForestCorpus::Sentence ForestCorpus::compile(const Forest& forest,
                                             std::span<const std::uint32_t> terminal) const {
  Sentence out;
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
  for (const Sentence& sentence : sentences_) {
    const Node& root = sentence.nodes[sentence.nodes.size() - 2];
    out.root[static_cast<std::size_t>(root.op)] += 1;
    for (const Use& use : sentence.uses) {
      const Node& node = sentence.nodes[use.node];
      const std::uint32_t child = first[use.op] + use.child;
      if (node.op < 0)
        emitted[{node.terminal, child}] += 1;
      else
        out.unary[child * operators_.size() + static_cast<std::size_t>(node.op)] += 1;
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

// One pass over a sentence, in scratch memory. Insides of a node are multiplied by a power
// of two, so that the largest is between 1/2 and 1: sentences of any length survive.
// Outsides are divided by the probability of the sentence and carry the inverse power.
class ForestPass {
 public:
  using Node = ForestCorpus::Node;
  using Use = ForestCorpus::Use;
  using Sentence = ForestCorpus::Sentence;

  // Emission counts of a sentence: where they go, and their values one after the other.
  struct Emitted {
    std::vector<std::uint32_t> place, size;
    std::vector<double> count;
  };

  ForestPass(const Grammar& grammar, const std::vector<double>& transposed)
      : grammar_(grammar), shape_(grammar.shape), transposed_(transposed) {}

  double inside(const Sentence& sentence);
  // After inside: add the expected counts; those of unary rules still lack their
  // probability as a factor.
  void outside(const Sentence& sentence, double* root, double* unary, Emitted& emitted);

 private:
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t splits(const Use& use) const { return shape_.splits[use.op]; }
  void lay_out(const Sentence& sentence);
  void inside_unit(const Sentence& sentence, std::size_t at);
  void inside_node(const Sentence& sentence, std::size_t at);
  void expand(const Sentence& sentence, std::size_t at);
  void outside_edges(const Sentence& sentence, std::size_t at);
  void count_unit(const Sentence& sentence, std::size_t at, Emitted& emitted);

  const Grammar& grammar_;
  const GrammarShape& shape_;
  const std::vector<double>& transposed_;  // states x slots
  Pace pace_;
  // Where the vectors of a node (over states) and of a use (over slots) start.
  std::vector<std::size_t> node_at_, use_at_;
  std::vector<int> exponent_;           // by node
  std::vector<double> factor_;          // by edge, a power of two
  std::vector<std::size_t> factor_at_;  // by node
  std::vector<std::uint32_t> place_;    // by use of a unit: where its emissions are
  std::vector<double> inside_, outside_, slot_inside_, slot_outside_, product_;
  double total_ = 0.0;
};

void ForestPass::lay_out(const Sentence& sentence) {
  const std::size_t nodes = sentence.nodes.size() - 1;
  node_at_.resize(nodes + 1);
  factor_at_.resize(nodes + 1);
  use_at_.resize(sentence.uses.size() + 1);
  std::size_t states = 0, slots = 0, edges = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    const Node& node = sentence.nodes[i];
    node_at_[i] = states;
    factor_at_[i] = edges;
    if (node.op >= 0) states += shape_.splits[static_cast<std::size_t>(node.op)];
    edges += node.edges;
  }
  node_at_[nodes] = states;
  for (std::size_t i = 0; i < sentence.uses.size(); ++i) {
    use_at_[i] = slots;
    slots += splits(sentence.uses[i]);
  }
  use_at_.back() = slots;
  exponent_.assign(nodes, 0);
  factor_.resize(edges);
  place_.assign(sentence.uses.size(), kNowhere);
  inside_.assign(states, 0.0);
  slot_inside_.assign(slots, 0.0);
  pace_.spend(slots * 64);
}

double ForestPass::inside(const Sentence& sentence) {
  lay_out(sentence);
  const std::size_t nodes = sentence.nodes.size() - 1;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (sentence.nodes[i].op < 0) {
      inside_unit(sentence, i);
    } else {
      inside_node(sentence, i);
      expand(sentence, i);
    }
  }
  const Node& top = sentence.nodes[nodes - 1];
  const double* root = &grammar_.root[shape_.first_state[static_cast<std::size_t>(top.op)]];
  total_ = 0.0;
  for (std::size_t at = node_at_[nodes - 1], k = 0; at < node_at_[nodes]; ++at, ++k)
    total_ += root[k] * inside_[at];
  return total_ > 0 ? std::log(total_) + exponent_[nodes - 1] * std::log(2.0)
                    : -std::numeric_limits<double>::infinity();
}

void ForestPass::inside_unit(const Sentence& sentence, std::size_t at) {
  const Node& node = sentence.nodes[at];
  const auto begin = grammar_.slot.begin() + grammar_.first[node.terminal];
  const auto end = grammar_.slot.begin() + grammar_.first[node.terminal + 1];
  const double backoff = grammar_.terminal_backoff[node.terminal];
  for (std::uint32_t u = node.first_use; u < sentence.nodes[at + 1].first_use; ++u) {
    const Use& use = sentence.uses[u];
    const std::uint32_t block = shape_.block(use.op, use.child), n = splits(use);
    double* out = &slot_inside_[use_at_[u]];
    for (std::uint32_t k = 0; k < n; ++k) out[k] = grammar_.slot_backoff[block + k] * backoff;
    const auto place = std::lower_bound(begin, end, block);
    if (place == end || *place >= block + n) continue;
    if (end - place < n || *place != block || place[n - 1] != block + n - 1)
      throw std::invalid_argument("emissions of a terminal lack some states of an operator");
    place_[u] = static_cast<std::uint32_t>(place - grammar_.slot.begin());
    for (std::uint32_t k = 0; k < n; ++k) out[k] += grammar_.value[place_[u] + k];
  }
}

void ForestPass::inside_node(const Sentence& sentence, std::size_t at) {
  const Node& node = sentence.nodes[at];
  const auto op = static_cast<std::size_t>(node.op);
  const std::uint32_t arity = shape_.operators[op].arity(), n = shape_.splits[op];
  const std::uint32_t* children = &sentence.edges[node.first_edge];
  double* factors = &factor_[factor_at_[at]];
  // The exponent of an edge is the sum of those of its children.
  int highest = std::numeric_limits<int>::min();
  for (std::uint32_t e = 0; e < node.edges; ++e) {
    int sum = 0;
    for (std::uint32_t c = 0; c < arity; ++c)
      sum += exponent_[sentence.uses[children[e * arity + c]].node];
    factors[e] = sum;
    highest = std::max(highest, sum);
  }
  double* v = &inside_[node_at_[at]];
  product_.resize(n);
  for (std::uint32_t e = 0; e < node.edges; ++e) {
    factors[e] = std::ldexp(1.0, static_cast<int>(factors[e]) - highest);
    std::fill(product_.begin(), product_.end(), factors[e]);
    for (std::uint32_t c = 0; c < arity; ++c) {
      const double* s = &slot_inside_[use_at_[children[e * arity + c]]];
      for (std::uint32_t k = 0; k < n; ++k) product_[k] *= s[k];
    }
    for (std::uint32_t k = 0; k < n; ++k) v[k] += product_[k];
  }
  int shift = 0;
  std::frexp(*std::max_element(v, v + n), &shift);
  shift = std::max(shift, -1000);  // EM makes spans so improbable that 2^-shift is infinite.
  const double scale = std::ldexp(1.0, -shift);
  for (std::uint32_t k = 0; k < n; ++k) v[k] *= scale;
  for (std::uint32_t e = 0; e < node.edges; ++e) factors[e] *= scale;
  exponent_[at] = highest + shift;
}

// The slots of all uses of a node.
void ForestPass::expand(const Sentence& sentence, std::size_t at) {
  const auto op = static_cast<std::size_t>(sentence.nodes[at].op);
  const std::size_t slots = shape_.slots();
  for (std::uint32_t u = sentence.nodes[at].first_use; u < sentence.nodes[at + 1].first_use;
       ++u) {
    const Use& use = sentence.uses[u];
    add_rows(&inside_[node_at_[at]], shape_.splits[op],
             &transposed_[shape_.first_state[op] * slots + shape_.block(use.op, use.child)],
             slots, &slot_inside_[use_at_[u]], splits(use));
  }
}

void ForestPass::outside(const Sentence& sentence, double* root, double* unary,
                         Emitted& emitted) {
  const std::size_t nodes = sentence.nodes.size() - 1, states = shape_.states();
  outside_.assign(inside_.size(), 0.0);
  slot_outside_.assign(slot_inside_.size(), 0.0);
  const auto top = static_cast<std::size_t>(sentence.nodes[nodes - 1].op);
  const std::size_t first = shape_.first_state[top], start = node_at_[nodes - 1];
  for (std::size_t k = 0; k < shape_.splits[top]; ++k) {
    outside_[start + k] = grammar_.root[first + k] / total_;
    root[first + k] += outside_[start + k] * inside_[start + k];
  }
  for (std::size_t i = nodes; i-- > 0;) {
    const Node& node = sentence.nodes[i];
    if (node.op < 0) {
      count_unit(sentence, i, emitted);
      continue;
    }
    const auto op = static_cast<std::size_t>(node.op);
    const std::size_t column = shape_.first_state[op], n = shape_.splits[op];
    for (std::uint32_t u = node.first_use; u < sentence.nodes[i + 1].first_use; ++u) {
      const Use& use = sentence.uses[u];
      const std::size_t corner = shape_.block(use.op, use.child) * states + column;
      const double* above = &slot_outside_[use_at_[u]];
      add_rows(above, splits(use), &grammar_.unary[corner], states, &outside_[node_at_[i]], n);
      add_outer(above, splits(use), &inside_[node_at_[i]], unary + corner, states, n);
    }
    outside_edges(sentence, i);
  }
}

void ForestPass::outside_edges(const Sentence& sentence, std::size_t at) {
  const Node& node = sentence.nodes[at];
  const auto op = static_cast<std::size_t>(node.op);
  const std::uint32_t arity = shape_.operators[op].arity(), n = shape_.splits[op];
  const double* above = &outside_[node_at_[at]];
  for (std::uint32_t e = 0; e < node.edges; ++e) {
    const std::uint32_t* children = &sentence.edges[node.first_edge + e * arity];
    const double factor = factor_[factor_at_[at] + e];
    for (std::uint32_t c = 0; c < arity; ++c) {
      product_.resize(n);
      for (std::uint32_t k = 0; k < n; ++k) product_[k] = above[k] * factor;
      for (std::uint32_t other = 0; other < arity; ++other) {
        if (other == c) continue;
        const double* s = &slot_inside_[use_at_[children[other]]];
        for (std::uint32_t k = 0; k < n; ++k) product_[k] *= s[k];
      }
      double* out = &slot_outside_[use_at_[children[c]]];
      for (std::uint32_t k = 0; k < n; ++k) out[k] += product_[k];
    }
  }
}

void ForestPass::count_unit(const Sentence& sentence, std::size_t at, Emitted& emitted) {
  for (std::uint32_t u = sentence.nodes[at].first_use; u < sentence.nodes[at + 1].first_use;
       ++u) {
    if (place_[u] == kNowhere) continue;
    emitted.place.push_back(place_[u]);
    emitted.size.push_back(splits(sentence.uses[u]));
    for (std::size_t i = use_at_[u]; i < use_at_[u + 1]; ++i)
      emitted.count.push_back(slot_outside_[i] * slot_inside_[i]);
  }
}

std::vector<double> ForestCorpus::expect(const Grammar& grammar, unsigned threads,
                                         GrammarCounts* counts) const {
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
  if (counts) {
    counts->root.assign(states, 0.0);
    counts->unary.assign(slots * states, 0.0);
    counts->value.assign(grammar.value.size(), 0.0);
  }

  struct Part {
    std::vector<double> root, unary;
    ForestPass::Emitted emitted;
  };
  std::vector<Part> parts(counts ? kParts : 0);
  for (std::size_t wave = 0; wave < size(); wave += kPart * kParts) {
    const std::size_t left = std::min(size() - wave, kPart * kParts);
    const std::size_t used = (left + kPart - 1) / kPart;
    parallel_for(used, 1, threads, [&]() -> Body {
      auto pass = std::make_shared<ForestPass>(grammar, transposed);
      return [&, pass](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
          Part* const part = counts ? &parts[p] : nullptr;
          if (part) {
            part->root.assign(states, 0.0);
            part->unary.assign(slots * states, 0.0);
            part->emitted = {};
          }
          const std::size_t from = wave + p * kPart, to = std::min(size(), from + kPart);
          for (std::size_t i = from; i < to; ++i) {
            out[i] = pass->inside(sentences_[i]);
            if (part && std::isfinite(out[i]))
              pass->outside(sentences_[i], part->root.data(), part->unary.data(),
                            part->emitted);
          }
        }
      };
    });
    for (std::size_t p = 0; counts && p < used; ++p) {
      const Part& part = parts[p];
      for (std::size_t i = 0; i < states; ++i) counts->root[i] += part.root[i];
      for (std::size_t i = 0; i < slots * states; ++i) counts->unary[i] += part.unary[i];
      const double* value = part.emitted.count.data();
      for (std::size_t i = 0; i < part.emitted.place.size(); ++i)
        for (std::size_t k = 0; k < part.emitted.size[i]; ++k)
          counts->value[part.emitted.place[i] + k] += *value++;
    }
  }
  if (counts)
    for (std::size_t i = 0; i < slots * states; ++i) counts->unary[i] *= grammar.unary[i];
  return out;
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
#include "automata/closest_search.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <map>
#include <unordered_map>

#include "base/batch.hpp"

namespace tertium {

namespace {

constexpr std::size_t kEdges = 16;  // that a node has on average, in a budget

// A price that is past everything of this cost.
Price past(std::int64_t cost) { return (cost + 1) << kCostShift; }

}  // namespace

Search::Search(const Problem& problem, const MoveLattice& lattice, Clock::time_point deadline)
    : problem_(problem),
      lattice_(lattice),
      bound_(problem, lattice, deadline),
      insert_(problem.model.price(problem.model.insert)),
      join_(problem.model.price(problem.model.join)),
      move_(problem.model.price(problem.model.move)),
      pending_count_(1),
      deadline_(deadline) {
  for (const Compound& compound : problem.compounds) {
    pending_first_.push_back(pending_count_);
    pending_count_ += compound.parts - 1;
  }
}

bool Search::is_goal(const Node& node) const {
  return node.lattice == lattice_.end() && node.pending == 0 &&
         problem_.references.final[node.state] != 0;
}

std::uint32_t Search::node(std::uint32_t lattice, std::uint32_t state, std::uint32_t pending,
                           Price rest) {
  const std::uint64_t key =
      (std::uint64_t{lattice} * problem_.references.size() + state) * pending_count_ + pending;
  std::uint32_t& number = numbers_.at_or_add(key);
  if (number == 0) {
    nodes_.push_back({lattice, state, pending, kNever, rest, 0, 0, false});
    number = static_cast<std::uint32_t>(nodes_.size());
  }
  return number - 1;
}

void Search::reach(std::uint32_t lattice, std::uint32_t state, std::uint32_t pending, Edge edge) {
  const Price paid = paid_ + edge.price;
  const Price rest = bound_.at(lattice, state);
  if (paid + rest >= most_) return;
  edge.to = node(lattice, state, pending, rest);
  edges_.push_back(edge);
  Node& to = nodes_[edge.to];
  if (paid < to.paid) {
    to.paid = paid;
    queue_.emplace_back(paid + rest, edge.to);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
}

void Search::expand(std::uint32_t index) {
  const Node here = nodes_[index];  // a copy: reach may move the nodes
  paid_ = here.paid;
  const auto first = static_cast<std::uint32_t>(edges_.size());
  const auto arcs = problem_.references.arcs_of(here.state);
  if (here.pending == 0)
    for (const Acceptor::Arc arc : arcs)
      reach(here.lattice, arc.to, 0,
            {insert_, 0, kNone, static_cast<std::int32_t>(arc.symbol), problem_.model.insert, false});
  for (const MoveStep& step : lattice_.steps(here.lattice)) {
    if (step.step == Step::kPostpone) {
      reach(step.to, here.state, here.pending, {move_, 0, kNone, kNone, kMatch, false});
      continue;
    }
    const bool moved = step.step != Step::kInPlace;
    const TokenRow& row = *problem_.tokens[step.token];
    const Price way = (step.step == Step::kEarly ? move_ : 0) +
                      (Price{step.displacement} << kDisplacementShift);
    const std::int32_t token = step.token;
    if (here.pending != 0) {
      for (const auto& [compound, part] : row.parts) {
        if (part == 0 || pending_first_[compound] + part - 1 != here.pending) continue;
        const bool last = part + 1 == problem_.compounds[compound].parts;
        reach(step.to, here.state, last ? 0 : here.pending + 1,
              {way + join_, 0, token, kNone, problem_.model.join, moved});
      }
      continue;
    }
    for (const Acceptor::Arc arc : arcs) {
      const Kind kind = row.kinds[arc.symbol];
      const auto symbol = static_cast<std::int32_t>(arc.symbol);
      reach(step.to, arc.to, 0, {way + problem_.model.price(kind), 0, token, symbol, kind, moved});
      for (const auto& [compound, part] : row.parts)
        if (part == 0 && problem_.compounds[compound].symbol == arc.symbol)
          reach(step.to, arc.to, pending_first_[compound],
                {way + join_, 0, token, symbol, problem_.model.join, moved});
    }
    if (!moved) reach(step.to, here.state, 0,
                      {problem_.model.price(row.drop), 0, token, kNone, row.drop, false});
  }
  nodes_[index].first_edge = first;
  nodes_[index].edges = static_cast<std::uint32_t>(edges_.size()) - first;
  nodes_[index].settled = true;
}

bool Search::over(const SearchLimits& limits) const {
  return nodes_.size() > limits.nodes || edges_.size() / kEdges > limits.nodes;
}

void Search::explore(const SearchLimits& limits) {
  // The cheapest correction costs no more than one without moves.
  most_ = past(cost_of(bound_.without_moves()) + limits.slack);
  const std::uint32_t start = node(0, 0, 0, bound_.at(0, 0));
  nodes_[start].paid = 0;
  queue_.emplace_back(nodes_[start].rest, start);
  complete_ = true;
  std::size_t popped = 0;
  while (!queue_.empty() && queue_.front().first < most_) {
    const auto [price, index] = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    queue_.pop_back();
    if (nodes_[index].settled) continue;
    if (!found_) lower_ = price;
    if (!found_ && is_goal(nodes_[index])) {
      found_ = true;
      // Equal prices stay in: the smallest reference is chosen among them.
      most_ = complete_ && limits.slack > 0 ? past(cost_of(price) + limits.slack) : price + 1;
    }
    expand(index);
    bool late = false;
    if (++popped % 256 == 0) {
      poll_within_item();
      late = Clock::now() > deadline_;
    }
    if (!late && !over(limits)) continue;
    complete_ = false;
    if (!found_ || most_ == lower_ + 1) break;
    most_ = lower_ + 1;  // the best is found: leave out the others, but its equals
  }
  measure_rest();
}

// What is really left to pay from every node, end to start. Steps lead to a higher
// lattice state or, in the same one, to a higher reference state.
void Search::measure_rest() {
  std::vector<std::uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Node &x = nodes_[a], &y = nodes_[b];
    return x.lattice != y.lattice ? x.lattice > y.lattice : x.state > y.state;
  });
  for (const std::uint32_t index : order) {
    Node& here = nodes_[index];
    Price rest = is_goal(here) ? 0 : kNever;
    if (here.settled)
      for (std::uint32_t e = here.first_edge; e < here.first_edge + here.edges; ++e)
        if (nodes_[edges_[e].to].rest < kNever)
          rest = std::min(rest, edges_[e].price + nodes_[edges_[e].to].rest);
    here.rest = here.settled ? rest : kNever;
  }
}

// The first correction in the order of steps that costs what the cheapest costs.
Correction Search::correction() const {
  Correction out;
  Price left = nodes_[0].rest;
  out.cost = cost_of(left);
  std::uint32_t at = 0;
  while (!(left == 0 && is_goal(nodes_[at]))) {
    const Node& here = nodes_[at];
    for (std::uint32_t e = here.first_edge; e < here.first_edge + here.edges; ++e) {
      const Edge& edge = edges_[e];
      const Price rest = nodes_[edge.to].rest;
      if (rest == kNever || edge.price + rest != left) continue;
      if (edge.token != kNone || edge.symbol != kNone)
        out.edits.push_back({edge.kind, edge.token, edge.symbol, edge.moved});
      if (edge.symbol != kNone) out.reference.push_back(static_cast<std::uint32_t>(edge.symbol));
      left = rest;
      at = edge.to;
      break;
    }
  }
  return out;
}

namespace {

// A beginning of references: the nodes it may have led to and what they cost there.
struct Prefix {
  Price price;  // of the cheapest reference that begins so
  std::vector<std::uint32_t> symbols;
  std::vector<std::pair<std::uint32_t, Price>> at;
  bool whole;

  bool operator<(const Prefix& other) const {  // the first is at the top of a heap
    if (price != other.price) return price > other.price;
    if (symbols != other.symbols) return symbols > other.symbols;
    return whole < other.whole;
  }
};

}  // namespace

void Search::read(const SearchLimits& limits, Found& found) const {
  std::vector<Prefix> heap{{nodes_[0].rest, {}, {{0, 0}}, false}};
  const Price most = limits.slack > 0 ? past(cost_of(nodes_[0].rest) + limits.slack)
                                      : nodes_[0].rest + 1;
  std::size_t references = 0, made = 0;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    const Prefix top = std::move(heap.back());
    heap.pop_back();
    if (top.whole) {
      const std::int64_t cost = cost_of(top.price);
      if (found.costs.empty() || found.costs.back() != cost) found.costs.push_back(cost);
      if (found.corrections.size() < limits.corrections)
        found.corrections.push_back({cost, top.symbols, {}});
      if (++references == limits.references || (made > limits.nodes)) {
        found.exhausted = found.exhausted && heap.empty();
        return;
      }
      continue;
    }
    // First the steps that add nothing to the reference. All nodes have the same
    // reference state, so lattice states in order are an order of the nodes.
    struct At {
      std::uint32_t lattice, index;
      bool operator<(const At& other) const {
        return lattice != other.lattice ? lattice < other.lattice : index < other.index;
      }
    };
    std::map<At, Price> open;
    for (const auto& [index, paid] : top.at) open[{nodes_[index].lattice, index}] = paid;
    std::map<std::int32_t, std::unordered_map<std::uint32_t, Price>> next;
    Price whole = kNever;
    for (auto it = open.begin(); it != open.end(); ++it) {
      const Node& here = nodes_[it->first.index];
      const Price paid = it->second;
      if (is_goal(here)) whole = std::min(whole, paid);
      for (std::uint32_t e = here.first_edge; e < here.first_edge + here.edges; ++e) {
        const Edge& edge = edges_[e];
        const Node& to = nodes_[edge.to];
        if (to.rest == kNever || paid + edge.price + to.rest >= most) continue;
        if (edge.symbol == kNone) {
          const auto [place, fresh] = open.try_emplace({to.lattice, edge.to}, paid + edge.price);
          if (!fresh) place->second = std::min(place->second, paid + edge.price);
        } else {
          auto& there = next[edge.symbol];
          const auto [place, fresh] = there.try_emplace(edge.to, paid + edge.price);
          if (!fresh) place->second = std::min(place->second, paid + edge.price);
        }
      }
    }
    if (whole < most) {
      heap.push_back({whole, top.symbols, {}, true});
      std::push_heap(heap.begin(), heap.end());
    }
    for (auto& [symbol, at] : next) {
      Prefix longer{kNever, top.symbols, {at.begin(), at.end()}, false};
      longer.symbols.push_back(static_cast<std::uint32_t>(symbol));
      made += longer.at.size() + longer.symbols.size();
      for (const auto& [index, paid] : longer.at)
        longer.price = std::min(longer.price, paid + nodes_[index].rest);
      heap.push_back(std::move(longer));
      std::push_heap(heap.begin(), heap.end());
    }
  }
}

}  // namespace tertium

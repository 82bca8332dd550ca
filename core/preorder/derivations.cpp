// SPDX-License-Identifier: Apache-2.0
#include "preorder/derivations.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

#include "base/pace.hpp"
#include "preorder/parse_edges.hpp"

namespace tertium {
namespace {

// One way to derive something: for an item or an edge, where it splits and the ranks of
// its parts; for a root or a slot, the state and the rank of its derivation (or kTerminal);
// for an item with listed edges, the edge and the rank of its derivation.
struct Way {
  double value;
  std::uint32_t choice, left, right;
  bool operator<(const Way& other) const {
    if (value != other.value) return value < other.value;
    if (choice != other.choice) return choice > other.choice;
    if (left != other.left) return left > other.left;
    return right > other.right;
  }
};

constexpr std::uint32_t kTerminal = UINT32_MAX;

// An edge has fixed boundaries.
enum class Kind { kRoot, kSlot, kItem, kEdge };

struct Place {
  Kind kind;
  std::uint32_t begin, end, index;
};

// The derivations of a piece.
class Ranking {
 public:
  Ranking(const ParseChart& chart, ParseSpan piece)
      : chart_(chart), tables_(chart.tables()), root_{Kind::kRoot, piece.first, piece.second, 0} {
    for (std::uint32_t state = 0; state < tables_.states(); ++state) {
      const ParseState& here = tables_.all[state];
      for (std::size_t done = 2; done <= here.arity; ++done) {
        owner_.resize(std::max<std::size_t>(owner_.size(), here.items[done] + 1));
        owner_[here.items[done]] = {state, static_cast<std::uint32_t>(done)};
      }
    }
  }

  // Its nodes and words in their order; false if there are fewer derivations.
  bool write(std::uint32_t rank, Derivation& out) {
    const Way* way = ranked(root_, rank);
    if (!way) return false;
    out.log_probability += std::log(way->value) - chart_.log_scale(root_.begin, root_.end);
    const Way top = *way;
    state(root_.begin, root_.end, top.choice, top.left, out.nodes, out.order);
    return true;
  }

 private:
  struct Owner {
    std::uint32_t state, done;
  };
  // The first children of a listed edge: all but the last are the edge `first`.
  struct Edge {
    std::uint32_t state, done, middle, first;
  };
  struct Ranked {
    std::vector<Way> done;
    std::priority_queue<Way> waiting;
  };

  std::uint64_t key(const Place& place) const {
    if (place.kind == Kind::kRoot) return 0;
    const std::size_t width = tables_.slots() + tables_.items();
    if (place.kind == Kind::kEdge) return 1 + chart_.spans() * width + place.index;
    const std::size_t index =
        place.kind == Kind::kSlot ? place.index : tables_.slots() + place.index;
    return 1 + chart_.at(place.begin, place.end) * width + index;
  }
  Place whole(std::uint32_t begin, std::uint32_t end, std::uint32_t state) const {
    return {Kind::kItem, begin, end, tables_.complete[state]};
  }
  Owner owner(const Place& place) const {
    if (place.kind == Kind::kItem) return owner_[place.index];
    return {edges_[place.index].state, edges_[place.index].done};
  }
  bool listed(const Place& place) const {
    if (place.kind != Kind::kItem) return false;
    const auto [state, done] = owner_[place.index];
    return done == tables_.all[state].arity && chart_.listed(done, place.begin, place.end);
  }
  Place first_part(const Place& place, std::uint32_t middle) const {
    const auto [state, done] = owner(place);
    if (done == 2) return {Kind::kSlot, place.begin, middle, tables_.all[state].slots[0]};
    if (place.kind == Kind::kEdge)
      return {Kind::kEdge, place.begin, middle, edges_[place.index].first};
    return {Kind::kItem, place.begin, middle, tables_.all[state].items[done - 1]};
  }
  Place second_part(const Place& place, std::uint32_t middle) const {
    const auto [state, done] = owner(place);
    return {Kind::kSlot, middle, place.end, tables_.all[state].slots[done - 1]};
  }
  // The probability of expanding a root or a slot into a state.
  double rule(const Place& place, std::uint32_t state) const {
    return place.kind == Kind::kRoot ? tables_.root[state]
                                     : tables_.unary[place.index * tables_.states() + state];
  }

  const Way* ranked(const Place& place, std::uint32_t rank) {
    const auto [entry, fresh] = ranked_.try_emplace(key(place));
    Ranked& lists = entry->second;  // stays where it is when others are added
    if (fresh) start(place, lists);
    while (lists.done.size() <= rank) {
      if (!lists.done.empty()) expand(place, lists, lists.done.back());
      if (lists.waiting.empty()) return nullptr;
      lists.done.push_back(lists.waiting.top());
      lists.waiting.pop();
    }
    return &lists.done[rank];
  }

  static void add(Ranked& lists, const Way& way) {
    if (way.value > 0) lists.waiting.push(way);
  }

  void start(const Place& place, Ranked& lists) {
    const std::size_t span = chart_.at(place.begin, place.end);
    if (listed(place)) return start_listed(place, lists);
    if (place.kind == Kind::kEdge) {
      const std::uint32_t middle = edges_[place.index].middle;
      const double first = ranked(first_part(place, middle), 0)->value;
      return add(lists, {first * ranked(second_part(place, middle), 0)->value, middle, 0, 0});
    }
    if (place.kind == Kind::kItem) {
      const std::uint32_t slot = second_part(place, place.begin).index;
      for (std::uint32_t middle = place.begin + 1; middle < place.end; ++middle)
        if (chart_.allows(place.index, place.begin, middle, place.end))
          add(lists, {chart_.left(chart_.at(place.begin, middle))[place.index] *
                          chart_.slots(chart_.at(middle, place.end))[slot],
                      middle, 0, 0});
      return;
    }
    for (std::uint32_t state = 0; state < tables_.states(); ++state)
      add(lists, {rule(place, state) * chart_.states(span)[state], state, 0, 0});
    if (place.kind == Kind::kSlot && chart_.emissions(span))
      add(lists, {chart_.emissions(span)[place.index], kTerminal, 0, 0});
  }

  void start_listed(const Place& place, Ranked& lists) {
    const std::uint32_t state = owner_[place.index].state;
    const ParseState& here = tables_.all[state];
    ParseEdges edges(chart_, tables_.complete_run(here.op), place.begin, place.end);
    edges.each([&](std::span<const std::size_t> bounds) {
      const double value = edges.product(bounds, here.split);
      if (value == 0) return;
      for (std::uint32_t done = 2; done <= here.arity; ++done)
        edges_.push_back({state, done, static_cast<std::uint32_t>(bounds[done - 1]),
                          static_cast<std::uint32_t>(edges_.size() - 1)});
      add(lists, {value, static_cast<std::uint32_t>(edges_.size() - 1), 0, 0});
    });
  }

  void expand(const Place& place, Ranked& lists, const Way last) {
    pace_.spend(256);
    if (listed(place)) {
      const Place edge{Kind::kEdge, place.begin, place.end, last.choice};
      if (const Way* next = ranked(edge, last.left + 1))
        add(lists, {next->value, last.choice, last.left + 1, 0});
      return;
    }
    if (place.kind == Kind::kRoot || place.kind == Kind::kSlot) {
      if (last.choice == kTerminal) return;
      if (const Way* next = ranked(whole(place.begin, place.end, last.choice), last.left + 1))
        add(lists, {rule(place, last.choice) * next->value, last.choice, last.left + 1, 0});
      return;
    }
    const Place first = first_part(place, last.choice), second = second_part(place, last.choice);
    // Each pair of ranks is reached in one way.
    if (const Way* next = ranked(second, last.right + 1))
      add(lists, {ranked(first, last.left)->value * next->value, last.choice, last.left,
                  last.right + 1});
    if (last.right > 0) return;
    if (const Way* next = ranked(first, last.left + 1))
      add(lists, {next->value * ranked(second, 0)->value, last.choice, last.left + 1, 0});
  }

  void state(std::uint32_t begin, std::uint32_t end, std::uint32_t index, std::uint32_t rank,
             std::vector<DerivationNode>& nodes, Order& order) {
    const ParseState& here = tables_.all[index];
    nodes.push_back({begin, end, static_cast<std::int32_t>(here.op), here.split, here.arity});
    struct Part {
      Place place;
      std::uint32_t rank;
    };
    std::vector<Part> parts(here.arity);
    Place item = whole(begin, end, index);
    if (listed(item)) {
      const Way way = *ranked(item, rank);
      item = {Kind::kEdge, begin, end, way.choice};
      rank = way.left;
    }
    for (std::size_t done = here.arity; done > 1; --done) {
      const Way way = *ranked(item, rank);
      parts[done - 1] = {second_part(item, way.choice), way.right};
      parts[0] = {first_part(item, way.choice), way.left};
      item = parts[0].place;
      rank = way.left;
    }
    std::vector<Order> words(here.arity);
    for (std::size_t child = 0; child < here.arity; ++child)
      slot(parts[child].place, parts[child].rank, nodes, words[child]);
    const std::vector<std::uint32_t>& ranks = tables_.grammar.shape.operators[here.op].ranks;
    for (std::uint32_t place = 1; place <= here.arity; ++place) {
      const auto child = std::find(ranks.begin(), ranks.end(), place) - ranks.begin();
      order.insert(order.end(), words[static_cast<std::size_t>(child)].begin(),
                   words[static_cast<std::size_t>(child)].end());
    }
  }

  void slot(const Place& place, std::uint32_t rank, std::vector<DerivationNode>& nodes,
            Order& order) {
    const Way way = *ranked(place, rank);
    if (way.choice != kTerminal)
      return state(place.begin, place.end, way.choice, way.left, nodes, order);
    nodes.push_back({place.begin, place.end, -1, 0, 0});
    for (std::uint32_t word = place.begin; word < place.end; ++word)
      order.push_back(static_cast<std::int32_t>(word));
  }

  const ParseChart& chart_;
  const ParseTables& tables_;
  Place root_;
  std::vector<Owner> owner_;  // by item
  std::vector<Edge> edges_;
  std::unordered_map<std::uint64_t, Ranked> ranked_;
  Pace pace_;
};

void add_words(std::uint32_t begin, std::uint32_t end, Derivation& out) {
  for (; begin < end; ++begin) {
    out.nodes.push_back({begin, begin + 1, -1, 0, 0});
    out.order.push_back(static_cast<std::int32_t>(begin));
  }
}

}  // namespace

std::vector<Derivation> best_derivations(const Parser& parser, std::size_t count) {
  const ParseChart& chart = parser.chart();
  const auto words = static_cast<std::uint32_t>(chart.words());
  const std::vector<ParseSpan>& pieces = parser.pieces();
  std::vector<Derivation> out;
  if (pieces.size() == 1 && pieces[0] == ParseSpan{0, words}) {
    Ranking ranking(chart, pieces[0]);
    for (std::uint32_t rank = 0; rank < count; ++rank) {
      Derivation one{0, {}, {}};
      if (!ranking.write(rank, one)) break;
      out.push_back(std::move(one));
    }
    return out;
  }
  Derivation joined{0, {}, {}};
  std::uint32_t next = 0;
  for (const ParseSpan& piece : pieces) {
    add_words(next, piece.first, joined);
    Ranking(chart, piece).write(0, joined);
    next = piece.second;
  }
  add_words(next, words, joined);
  out.push_back(std::move(joined));
  return out;
}

}  // namespace tertium

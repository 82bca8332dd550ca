// SPDX-License-Identifier: Apache-2.0
#include "trees/derp_spanning.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/pace.hpp"

namespace tertium {

void UnionFind::reset(std::size_t n) {
  parent_.resize(n);
  std::iota(parent_.begin(), parent_.end(), 0u);
}

std::uint32_t UnionFind::find(std::uint32_t x) {
  while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
  return x;
}

bool UnionFind::join(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return false;
  parent_[std::max(a, b)] = std::min(a, b);
  return true;
}

std::vector<std::size_t> join_greedily(std::span<const PathPair> pairs, std::size_t hyps,
                                       std::size_t refs) {
  UnionFind hyp, ref;
  hyp.reset(hyps);
  ref.reset(refs);
  std::vector<std::size_t> chosen;
  for (std::size_t e = 0; e < pairs.size(); ++e) {
    const bool joins_hyp = hyp.join(pairs[e].hyp[0], pairs[e].hyp[1]);
    const bool joins_ref = ref.join(pairs[e].ref[0], pairs[e].ref[1]);
    if (joins_hyp || joins_ref) chosen.push_back(e);
  }
  return chosen;
}

namespace {

// A set that spans both graphs is a set I of pairs independent in both, filled up
// to a basis of the one and to a basis of the other. A minimal filling can always
// be taken from a minimum spanning tree of that side. So: the ground set has every
// pair (which covers one rank on either side) and a copy of each tree edge for one
// side alone, which the other side takes freely; a common independent set of most
// rank covered and least cost is a maximum-weight one.
struct Element {
  std::size_t pair;
  bool in[2];  // whether it is an edge of the hypothesis' and of the reference's graph
  std::int64_t weight;
};

using Edge = std::array<std::uint32_t, 2>;

Edge edge_of(const PathPair& pair, int side) { return side == 0 ? pair.hyp : pair.ref; }

class Forest {  // the chosen elements as edges of one side
 public:
  explicit Forest(std::size_t nodes) : around_(nodes), up_(nodes), tree_(nodes), depth_(nodes) {}

  void clear() {
    for (auto& list : around_) list.clear();
  }
  void add(const Edge& edge, std::size_t element) {
    around_[edge[0]].emplace_back(edge[1], element);
    around_[edge[1]].emplace_back(edge[0], element);
  }
  void root() {
    std::fill(tree_.begin(), tree_.end(), kNone);
    for (std::uint32_t r = 0; r < around_.size(); ++r) {
      if (tree_[r] != kNone) continue;
      tree_[r] = r;
      depth_[r] = 0;
      queue_.assign(1, r);
      for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t u = queue_[i];
        for (const auto& [v, element] : around_[u])
          if (tree_[v] == kNone) {
            tree_[v] = r;
            depth_[v] = depth_[u] + 1;
            up_[v] = {u, element};
            queue_.push_back(v);
          }
      }
    }
  }
  bool joins(const Edge& edge) const { return tree_[edge[0]] != tree_[edge[1]]; }
  // Call with every element on the path between the ends of an edge.
  template <typename Call>
  void path(const Edge& edge, Call call) const {
    std::uint32_t a = edge[0], b = edge[1];
    while (a != b) {
      if (depth_[a] < depth_[b]) std::swap(a, b);
      call(up_[a].second);
      a = up_[a].first;
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> around_;
  std::vector<std::pair<std::uint32_t, std::size_t>> up_;
  std::vector<std::uint32_t> tree_, depth_, queue_;
};

class Intersection {
 public:
  Intersection(std::span<const PathPair> pairs, std::size_t hyps, std::size_t refs)
      : pairs_(pairs), forests_{Forest(hyps), Forest(refs)} {
    const auto rank = static_cast<std::int64_t>(hyps + refs);
    std::int64_t longest = 0, most = 0;
    for (const PathPair& pair : pairs)
      longest = std::max(longest, static_cast<std::int64_t>(longest_of(pair.cost)));
    const auto price = [&](const PathPair& pair) {  // lexicographic, as one number
      return static_cast<std::int64_t>(edits_of(pair.cost)) * (rank * longest + 1) +
             static_cast<std::int64_t>(longest_of(pair.cost));
    };
    for (const PathPair& pair : pairs) most = std::max(most, price(pair));
    const std::int64_t covered = rank * most + 1;  // rank comes before cost

    for (const std::size_t e : without_parallels())
      elements_.push_back({e, {true, true}, 2 * covered - price(pairs[e])});
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return pairs[a].cost < pairs[b].cost; });
    for (int side = 0; side < 2; ++side) {
      UnionFind sets;
      sets.reset(side == 0 ? hyps : refs);
      for (const std::size_t e : order) {
        const Edge edge = edge_of(pairs[e], side);
        if (sets.join(edge[0], edge[1]))
          elements_.push_back({e, {side == 0, side == 1}, covered - price(pairs[e])});
      }
    }
    chosen_.assign(elements_.size(), false);
  }

  std::vector<std::size_t> solve() {
    while (augment()) {
    }
    std::vector<std::size_t> out;
    for (std::size_t x = 0; x < elements_.size(); ++x)
      if (chosen_[x]) out.push_back(elements_[x].pair);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  // Of pairs that join the same nodes on both sides, the cheapest.
  std::vector<std::size_t> without_parallels() const {
    std::map<std::array<std::uint32_t, 4>, std::size_t> best;
    for (std::size_t e = 0; e < pairs_.size(); ++e) {
      const auto [a, b] = std::minmax(pairs_[e].hyp[0], pairs_[e].hyp[1]);
      const auto [c, d] = std::minmax(pairs_[e].ref[0], pairs_[e].ref[1]);
      const auto [it, added] = best.try_emplace({a, b, c, d}, e);
      if (!added && pairs_[e].cost < pairs_[it->second].cost) it->second = e;
    }
    std::vector<std::size_t> out;
    for (const auto& [nodes, e] : best) out.push_back(e);
    return out;
  }

  // Whether x can be added on a side, whatever else is chosen.
  bool fits(std::size_t x, int side) const {
    return !elements_[x].in[side] ||
           forests_[side].joins(edge_of(pairs_[elements_[x].pair], side));
  }

  // One step of weighted matroid intersection (Schrijver 2003, 41.3): the shortest
  // path, of these one with fewest arcs, from what fits the first side to what
  // fits the second; elements on it change places.
  bool augment() {
    const std::size_t n = elements_.size();
    std::vector<std::size_t> inside, outside;
    for (std::size_t x = 0; x < n; ++x) (chosen_[x] ? inside : outside).push_back(x);
    for (int side = 0; side < 2; ++side) {
      forests_[side].clear();
      for (const std::size_t y : inside)
        if (elements_[y].in[side])
          forests_[side].add(edge_of(pairs_[elements_[y].pair], side), y);
      forests_[side].root();
    }
    // Which y may leave for x to enter: on side 0 arcs y -> x, on side 1 x -> y.
    std::vector<std::vector<std::size_t>> after(n);
    for (const std::size_t x : outside)
      for (int side = 0; side < 2; ++side) {
        const auto arc = [&](std::size_t y) {
          if (side == 0) after[y].push_back(x);
          else after[x].push_back(y);
        };
        pace_.spend(8 * inside.size());
        if (fits(x, side))
          for (const std::size_t y : inside) arc(y);
        else
          forests_[side].path(edge_of(pairs_[elements_[x].pair], side), arc);
      }

    using Length = std::pair<std::int64_t, std::size_t>;
    constexpr Length kFar = {std::numeric_limits<std::int64_t>::max(), 0};
    std::vector<Length> length(n, kFar);
    std::vector<std::size_t> before(n, n);
    std::vector<char> waiting(n, 0);
    std::deque<std::size_t> queue;
    for (const std::size_t x : outside)
      if (fits(x, 0)) {
        length[x] = {-elements_[x].weight, 0};
        waiting[x] = 1;
        queue.push_back(x);
      }
    while (!queue.empty()) {  // Bellman-Ford: there is no negative cycle
      const std::size_t u = queue.front();
      queue.pop_front();
      waiting[u] = 0;
      pace_.spend(4 * after[u].size());
      for (const std::size_t v : after[u]) {
        const std::int64_t step = chosen_[v] ? elements_[v].weight : -elements_[v].weight;
        const Length found = {length[u].first + step, length[u].second + 1};
        if (!(found < length[v])) continue;
        length[v] = found;
        before[v] = u;
        if (!waiting[v]) queue.push_back(v);
        waiting[v] = 1;
      }
    }
    std::size_t last = n;
    for (const std::size_t x : outside)
      if (fits(x, 1) && length[x] < kFar && (last == n || length[x] < length[last])) last = x;
    if (last == n || length[last].first >= 0) return false;
    for (std::size_t x = last; x != n; x = before[x]) chosen_[x] = !chosen_[x];
    return true;
  }

  std::span<const PathPair> pairs_;
  std::array<Forest, 2> forests_;
  std::vector<Element> elements_;
  std::vector<bool> chosen_;
  Pace pace_;
};

}  // namespace

std::vector<std::size_t> join_exactly(std::span<const PathPair> pairs, std::size_t hyps,
                                      std::size_t refs) {
  return Intersection(pairs, hyps, refs).solve();
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
#include "trees/derp.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "text/unicode.hpp"

namespace tertium {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
// Pairs of paths up to which the exact search is offered: 90 words, a second or so.
constexpr std::size_t kExactPairs = 4000;

std::string opening(std::span<const std::uint32_t> text, const Words& words) {
  std::string out = "'";
  for (std::size_t i = 0; i < std::min<std::size_t>(text.size(), 6); ++i)
    out.append(i == 0 ? "" : " ").append(words.word(text[i]));
  return out + (text.size() > 6 ? " ...'" : "'");
}

}  // namespace

// ------------------------------------------------------------------ reading a pair

void Derp::keep_words(std::span<const std::uint32_t> text, const Words& words,
                      Side& side) const {
  side.words.clear();
  side.index.assign(text.size(), kNone);
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (options_.ignore_punct && is_punctuation(words.word(text[i]))) continue;
    side.index[i] = static_cast<std::uint32_t>(side.words.size());
    side.words.push_back(i);
  }
  side.links.assign(side.words.size(), 0);
}

void Derp::read_tree(const DependencyTree* tree, const Pair& pair, bool is_hyp) {
  const auto text = is_hyp ? pair.hyp : pair.ref;
  Side& side = is_hyp ? hyp_ : ref_;
  if (tree == nullptr || tree->heads.size() != text.size())
    throw std::invalid_argument(opening(text, *pair.words) +
                                " has no dependency tree; give one, or flatten");
  side.heads.clear();
  side.labels.clear();
  for (const std::uint32_t word : side.words) {
    // Dependents of a word left out hang on the next one above that is kept.
    std::uint32_t head = tree->heads[word];
    std::size_t steps = 0;
    for (; head != 0 && side.index[head - 1] == kNone; ++steps) {
      if (steps > text.size()) break;  // a cycle of punctuation: dealt with below
      head = tree->heads[head - 1];
    }
    if (head != 0 && side.index[head - 1] == kNone) head = word + 1;
    pace_.spend(2 * steps);
    side.heads.push_back(head == 0 ? 0 : side.index[head - 1] + 1);
    const std::uint32_t label = tree->labels[word];
    side.labels.push_back(options_.labels == DerpOptions::Labels::kNone ? 0
                          : options_.labels == DerpOptions::Labels::kUniversal &&
                                  label < pair.universal.size()
                              ? pair.universal[label]
                              : label);
  }
  if (!(is_hyp ? trees_.hyp : trees_.ref).set(side.heads, side.labels))
    throw std::invalid_argument("the heads of " + opening(text, *pair.words) +
                                " form a cycle; every word must hang below a root");
}

void Derp::group_links() {
  bool one_to_one = true;
  for (const Link& link : links_)
    if (hyp_.links[link.hyp] > 1 || ref_.links[link.ref] > 1) one_to_one = false;
  first_.clear();
  if (one_to_one) {
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      links_[i].group = i;
      first_.push_back(i);
    }
    first_.push_back(links_.size());
    many_.assign(links_.size(), 0);
    return;
  }
  const auto hyps = static_cast<std::uint32_t>(hyp_.words.size());
  sets_.reset(hyps + ref_.words.size());
  for (const Link& link : links_) sets_.join(link.hyp, hyps + link.ref);
  for (Link& link : links_) link.group = sets_.find(link.hyp);
  std::stable_sort(links_.begin(), links_.end(),
                   [](const Link& a, const Link& b) { return a.group < b.group; });
  std::uint32_t last = kNone, groups = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (links_[i].group != last) {
      last = links_[i].group;
      first_.push_back(i);
      ++groups;
    }
    links_[i].group = groups - 1;
  }
  first_.push_back(links_.size());
  many_.assign(groups, 0);
  for (std::uint32_t g = 0; g < groups; ++g) {
    bool hyp = false, ref = false;
    for (std::size_t i = first_[g]; i < first_[g + 1]; ++i) {
      hyp |= links_[i].hyp != links_[first_[g]].hyp;
      ref |= links_[i].ref != links_[first_[g]].ref;
    }
    many_[g] = hyp && ref;
  }
}

DerpSums Derp::read(const Pair& pair) {
  keep_words(pair.hyp, *pair.words, hyp_);
  keep_words(pair.ref, *pair.words, ref_);
  links_.clear();
  for (const Match& match : pair.matches)  // a phrase match links all with all
    for (std::uint32_t h = match.hyp; h < match.hyp + match.hyp_length; ++h)
      for (std::uint32_t r = match.ref; r < match.ref + match.ref_length; ++r)
        if (hyp_.index[h] != kNone && ref_.index[r] != kNone)
          links_.push_back({hyp_.index[h], ref_.index[r], 0});
  const auto key = [](const Link& link) { return std::tie(link.hyp, link.ref); };
  const auto less = [&](const Link& a, const Link& b) { return key(a) < key(b); };
  if (!std::is_sorted(links_.begin(), links_.end(), less))
    std::sort(links_.begin(), links_.end(), less);
  links_.erase(std::unique(links_.begin(), links_.end(),
                           [&](const Link& a, const Link& b) { return key(a) == key(b); }),
               links_.end());
  DerpSums out;
  for (const Link& link : links_) {
    out.hyp_aligned += hyp_.links[link.hyp]++ == 0;
    out.ref_aligned += ref_.links[link.ref]++ == 0;
  }
  out.hyp_words = hyp_.words.size();
  out.ref_words = ref_.words.size();
  group_links();
  if (!options_.flat) {
    read_tree(pair.hyp_tree, pair, true);
    read_tree(pair.ref_tree, pair, false);
  }
  return out;
}

bool Derp::has_many_to_many() const {
  return options_.ordinality != DerpOptions::Ordinality::kContract &&
         std::find(many_.begin(), many_.end(), 1) != many_.end();
}

template <typename Call>
auto Derp::with_paths(Call call) {
  if (options_.flat) {
    flat_.set(links_);
    return call(flat_);
  }
  trees_.set(links_);
  return call(trees_);
}

// --------------------------------------------------------------- the spanning tree

// Every component of the alignment is a vertex, an edge the least path pair over
// the links of its ends. Prim's algorithm; all minimum trees have the same sums.
template <typename Paths>
void Derp::contract(Paths& paths, DerpSums& sums) {
  nearest_.assign(many_.size(), std::numeric_limits<PathCost>::max());
  open_.resize(links_.size());
  std::iota(open_.begin(), open_.end(), 0u);
  for (std::uint32_t current = 0; current < many_.size();) {
    std::size_t kept = 0;
    for (const std::uint32_t j : open_)
      if (links_[j].group != current) open_[kept++] = j;
    open_.resize(kept);
    if (kept == 0) break;
    for (std::size_t i = first_[current]; i < first_[current + 1]; ++i) {
      paths.from(i);
      pace_.spend(4 * links_.size());
      for (const std::uint32_t j : open_) {
        PathCost& best = nearest_[links_[j].group];
        best = std::min(best, paths.to(j));
      }
    }
    current = links_[open_[0]].group;
    for (const std::uint32_t j : open_) {
      const std::uint32_t group = links_[j].group;
      current = nearest_[group] < nearest_[current] ? group : current;
    }
    sums.add(nearest_[current]);
  }
}

namespace {

// Where edges are written: words as in the texts, the reference's in order.
auto edge_key(const DerpEdge& e) {
  return std::tie(e.cost, e.ref[0], e.ref[1], e.hyp[0], e.hyp[1]);
}

DerpEdge make_edge(const Link& a, const Link& b, PathCost cost) {
  if (std::tie(a.ref, a.hyp) <= std::tie(b.ref, b.hyp))
    return {{a.hyp, b.hyp}, {a.ref, b.ref}, cost};
  return {{b.hyp, a.hyp}, {b.ref, a.ref}, cost};
}

void sort_edges(std::vector<DerpEdge>& edges, Pace& pace) {
  std::sort(edges.begin(), edges.end(), [&](const DerpEdge& a, const DerpEdge& b) {
    pace.spend(4);
    return edge_key(a) < edge_key(b);
  });
}

}  // namespace

// The reference is the base: its aligned words are the nodes, those that share a
// counterpart are joined for nothing (D6), and of several counterparts the nearest
// pair counts (D7).
template <typename Paths>
std::vector<DerpEdge> Derp::kruskal(Paths& paths) {
  std::vector<DerpEdge> candidates;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    paths.from(i);
    pace_.spend(8 * links_.size());
    for (std::size_t j = i + 1; j < links_.size(); ++j) {
      const Link &a = links_[i], &b = links_[j];
      if (a.group != b.group)
        candidates.push_back(make_edge(a, b, paths.to(j)));
      else if (a.hyp == b.hyp)
        candidates.push_back(make_edge(a, b, 0));
    }
  }
  sort_edges(candidates, pace_);
  sets_.reset(ref_.words.size());
  std::vector<DerpEdge> out;
  for (const DerpEdge& edge : candidates)
    if (sets_.join(edge.ref[0], edge.ref[1])) out.push_back(edge);
  return out;
}

// With several words for several words, pairs of paths are chosen until the words
// of both texts are connected. Words that share one counterpart are one node, but
// not where there are several on both sides: there free edges are forbidden (5.7.2).
template <typename Paths>
std::vector<DerpEdge> Derp::join_both(Paths& paths, const Pair& pair) {
  std::vector<DerpEdge> candidates, out;
  std::vector<std::uint32_t> hyp_node(hyp_.words.size(), kNone);
  std::vector<std::uint32_t> ref_node(ref_.words.size(), kNone);
  std::uint32_t hyps = 0, refs = 0;
  for (std::size_t g = 0; g < many_.size(); ++g)
    for (std::size_t i = first_[g]; i < first_[g + 1]; ++i) {
      std::uint32_t &hyp = hyp_node[links_[i].hyp], &ref = ref_node[links_[i].ref];
      if (hyp == kNone) hyp = many_[g] || i == first_[g] ? hyps++ : hyps - 1;
      if (ref == kNone) {
        if (!many_[g] && i > first_[g])
          out.push_back(make_edge(links_[first_[g]], links_[i], 0));
        ref = many_[g] || i == first_[g] ? refs++ : refs - 1;
      }
    }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    paths.from(i);
    pace_.spend(8 * links_.size());
    for (std::size_t j = i + 1; j < links_.size(); ++j) {
      const Link &a = links_[i], &b = links_[j];
      if (hyp_node[a.hyp] != hyp_node[b.hyp] && ref_node[a.ref] != ref_node[b.ref])
        candidates.push_back(make_edge(a, b, paths.to(j)));
    }
  }
  sort_edges(candidates, pace_);
  std::vector<PathPair> pairs;
  for (const DerpEdge& e : candidates)
    pairs.push_back({{hyp_node[e.hyp[0]], hyp_node[e.hyp[1]]},
                     {ref_node[e.ref[0]], ref_node[e.ref[1]]},
                     e.cost});
  const bool exact = options_.ordinality == DerpOptions::Ordinality::kExact;
  if (exact && pairs.size() > kExactPairs)
    throw std::invalid_argument(
        "ordinality=exact compares at most " + std::to_string(kExactPairs) +
        " pairs of paths, and " + opening(pair.hyp, *pair.words) + " with its reference has " +
        std::to_string(pairs.size()) + "; use ordinality=greedy or contract");
  for (const std::size_t e :
       exact ? join_exactly(pairs, hyps, refs) : join_greedily(pairs, hyps, refs))
    out.push_back(candidates[e]);
  sort_edges(out, pace_);
  return out;
}

DerpSums Derp::sums(const Pair& pair) {
  DerpSums out = read(pair);
  with_paths([&](auto& paths) {
    if (!has_many_to_many())
      contract(paths, out);
    else
      for (const DerpEdge& edge : join_both(paths, pair)) out.add(edge.cost);
  });
  return out;
}

DerpSums Derp::edges(const Pair& pair, std::vector<DerpEdge>& out) {
  DerpSums sums = read(pair);
  out = with_paths([&](auto& paths) {
    return has_many_to_many() ? join_both(paths, pair) : kruskal(paths);
  });
  for (DerpEdge& edge : out) {
    sums.add(edge.cost);
    for (std::uint32_t& word : edge.hyp) word = hyp_.words[word];
    for (std::uint32_t& word : edge.ref) word = ref_.words[word];
  }
  return sums;
}

double Derp::score(const DerpSums& sums) const {
  if (sums.degenerate())
    return options_.degenerate == DerpOptions::Degenerate::kKeep ? 1.0 : 0.0;
  const auto edits = static_cast<double>(sums.edits);
  if (options_.normalise == DerpOptions::Normalise::kMax)
    return 1.0 - edits / static_cast<double>(sums.longest);
  const bool spanning = options_.normalise == DerpOptions::Normalise::kSpanning;
  const std::size_t nodes = spanning ? sums.ref_aligned : sums.ref_words;
  // A cost without an upper limit; 1 / (1 + cost) keeps its order, upside down. One
  // aligned word of the reference has no edge: a fraction by 0 is 0 (4.3.2).
  return nodes < 2 ? 1.0 : 1.0 / (1.0 + edits / static_cast<double>(nodes - 1));
}

// ------------------------------------------------------------------------ the kernel

namespace {

class DerpWorker final : public PairWorker {
 public:
  explicit DerpWorker(const DerpOptions& options) : options_(options), derp_(options) {}

  void row(const Pair& pair, double* out) override {
    const DerpSums sums = derp_.sums(pair);
    out[0] = derp_.score(sums);
    out[2] = sums.degenerate();
    out[1] = sums.degenerate() && options_.degenerate == DerpOptions::Degenerate::kDrop ? 0 : 1;
  }

 private:
  DerpOptions options_;
  Derp derp_;
};

class DerpKernel final : public PairKernel {
 public:
  explicit DerpKernel(const DerpOptions& options) : options_(options) {}

  std::size_t width() const override { return 3; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<DerpWorker>(options_);
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }
  // A reference with which nothing can be compared is never the best of several.
  double preference(const double* row) const override { return row[2] > 0 ? -1.0 : score(row); }

 private:
  DerpOptions options_;
};

}  // namespace

std::unique_ptr<PairKernel> make_derp(const DerpOptions& options) {
  return std::make_unique<DerpKernel>(options);
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
#include "trees/dted.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "text/unicode.hpp"

namespace tertium {

namespace {

// Two counts in one number: sums of such numbers compare as pairs do, for fewer
// than 2^31 operations, whereas the thesis's factor 1000 fails at 1000 of them.
constexpr std::int64_t kAligned = std::int64_t{1} << 32;

double share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

}  // namespace

// -------------------------------------------------------------------------- costs

std::int64_t Dted::alone(const Side& side, std::size_t word) const {
  const bool split = options_.variant == DtedVariant::kCo || options_.variant == DtedVariant::kCl;
  return split && side.aligned[word] ? kAligned : 1;
}

// Of two words that are not linked.
std::int64_t Dted::paired(bool hyp_aligned, bool ref_aligned) const {
  if (options_.variant == DtedVariant::kB) return 1;
  const std::int64_t count = hyp_aligned && ref_aligned ? options_.mismatch : 1;
  return options_.variant == DtedVariant::kC || !(hyp_aligned || ref_aligned)
             ? count
             : count * kAligned;
}

// -------------------------------------------------------------------------- texts

void Dted::keep(const DtedText& text, Side& side) const {
  side.kept.clear();
  side.place.assign(text.size, 0);
  for (std::uint32_t i = 0; i < text.size; ++i) {
    if (!text.skipped.empty() && text.skipped[i]) continue;
    side.kept.push_back(i);
    side.place[i] = static_cast<std::uint32_t>(side.kept.size());
  }
  side.aligned.assign(side.kept.size(), 0);
}

void Dted::load(const DtedText& hyp, const DtedText& ref, Links links) {
  keep(hyp, hyp_);
  keep(ref, ref_);
  first_link_.assign(1, 0);
  linked_.clear();
  std::uint32_t word = 0;
  const auto close = [&](std::uint32_t until) {
    for (; word < until; ++word) first_link_.push_back(static_cast<std::uint32_t>(linked_.size()));
  };
  for (const auto& [h, r] : links) {
    const std::uint32_t i = hyp_.place[h], j = ref_.place[r];
    if (i == 0 || j == 0) continue;
    close(i - 1);
    linked_.push_back(j - 1);
    hyp_.aligned[i - 1] = ref_.aligned[j - 1] = 1;
  }
  close(static_cast<std::uint32_t>(hyp_.kept.size()));
}

// The tree of the kept words. Words left out hand their dependents to their heads.
void Dted::grow(const DtedText& text, Side& side) const {
  const std::size_t n = side.kept.size();
  side.parents.resize(n);
  side.word.resize(n);
  if (text.heads.size() != text.size && !options_.flat && text.size > 0)
    throw std::invalid_argument("a text has no dependency tree; flatten with flat=yes");
  const bool chain = options_.flat || text.size == 0;
  if (!chain && n < text.size) side.forest.assign(text.heads);  // no cycles below
  for (std::uint32_t i = 0; i < n; ++i) {
    side.word[i] = i + 1;
    if (chain) {
      side.parents[i] = i;
      continue;
    }
    std::uint32_t head = text.heads[side.kept[i]];
    if (head > text.size) throw NotATree(side.kept[i], "has a head outside its text");
    while (head != 0 && side.place[head - 1] == 0) head = text.heads[head - 1];
    side.parents[i] = head == 0 ? 0 : side.place[head - 1];
  }
  if (!options_.binarise && !options_.virtual_root) return side.forest.assign(side.parents);

  side.forest.assign(side.parents);  // checks that it is a tree
  std::vector<std::vector<std::uint32_t>> children(n + 1);
  for (std::uint32_t i = 0; i < n; ++i) children[side.parents[i]].push_back(i + 1);
  // Nodes in preorder, which keeps children in order by number. A node with more
  // than two children keeps the first; the others move under a new one (4.2.2).
  struct Task {
    std::uint32_t word, parent;              // word 0: a node without a word
    std::vector<std::uint32_t> below;
  };
  std::vector<Task> tasks;
  side.parents.clear();
  side.word.clear();
  if (options_.virtual_root) {
    tasks.push_back({0, 0, children[0]});
  } else {
    for (auto root = children[0].rbegin(); root != children[0].rend(); ++root)
      tasks.push_back({*root, 0, children[*root]});
  }
  while (!tasks.empty()) {
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    side.parents.push_back(task.parent);
    side.word.push_back(task.word);
    const auto self = static_cast<std::uint32_t>(side.parents.size());
    const std::size_t count = task.below.size();
    const std::size_t own = options_.binarise && count > 2 ? 1 : count;
    if (own < count)
      tasks.push_back({0, self, {task.below.begin() + 1, task.below.end()}});
    for (std::size_t c = own; c-- > 0;)
      tasks.push_back({task.below[c], self, children[task.below[c]]});
  }
  side.forest.assign(side.parents);
}

// ----------------------------------------------------------------------- distance

// The distance of two chains is that of two sequences: O(nm) with one row.
std::int64_t Dted::sequences() {
  const std::size_t n = hyp_.kept.size(), m = ref_.kept.size();
  if (options_.variant == DtedVariant::kB) return static_cast<std::int64_t>(std::max(n, m));
  row_.resize(m + 1);
  inserts_.resize(m);
  mark_.assign(m, 0);
  for (auto& costs : costs_) costs.resize(m);
  row_[0] = 0;
  for (std::size_t j = 0; j < m; ++j) {
    inserts_[j] = alone(ref_, j);
    for (const bool own : {false, true}) costs_[own][j] = paired(own, ref_.aligned[j]);
    row_[j + 1] = row_[j] + inserts_[j];
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = first_link_[i]; k < first_link_[i + 1]; ++k) mark_[linked_[k]] = i + 1;
    const std::int64_t* const costs = costs_[hyp_.aligned[i] != 0].data();
    const std::int64_t remove = alone(hyp_, i);
    std::int64_t corner = row_[0], last = row_[0] += remove;
    for (std::size_t j = 0; j < m; ++j) {
      const std::int64_t through = corner + (mark_[j] == i + 1 ? 0 : costs[j]);
      corner = row_[j + 1];
      last = std::min(last + inserts_[j], std::min(corner + remove, through));
      row_[j + 1] = last;
    }
  }
  return row_[m];
}

std::int64_t Dted::trees() {
  mirrored_ = mirrored(hyp_.forest, ref_.forest);
  const Postorder& a = mirrored_ ? hyp_.forest.right() : hyp_.forest.left();
  const Postorder& b = mirrored_ ? ref_.forest.right() : ref_.forest.left();
  check_effort(a, b);
  const std::size_t n = a.node.size(), m = b.node.size();
  table_.removes.resize(n);
  table_.inserts.resize(m);
  table_.renames.resize(n * m);
  mark_.assign(ref_.kept.size() + 1, 0);
  for (std::size_t j = 0; j < m; ++j) {
    const std::uint32_t word = ref_.word[b.node[j]];
    table_.inserts[j] = word == 0 ? 0 : alone(ref_, word - 1);
  }
  const std::int64_t match = options_.variant == DtedVariant::kB ? 1 : 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::int64_t* const renames = table_.renames.data() + i * m;
    const std::uint32_t word = hyp_.word[a.node[i]];
    if (word == 0) {
      table_.removes[i] = 0;
      std::fill_n(renames, m, Costs::kForbidden);
      continue;
    }
    const bool aligned = hyp_.aligned[word - 1];
    table_.removes[i] = alone(hyp_, word - 1);
    for (std::uint32_t k = first_link_[word - 1]; k < first_link_[word]; ++k)
      mark_[linked_[k] + 1] = word;
    const std::int64_t costs[] = {paired(aligned, false), paired(aligned, true)};
    for (std::size_t j = 0; j < m; ++j) {
      const std::uint32_t other = ref_.word[b.node[j]];
      renames[j] = other == 0               ? Costs::kForbidden
                   : mark_[other] == word ? match
                                            : costs[ref_.aligned[other - 1] != 0];
    }
  }
  return edit_.distance(a, b, table_);
}

DtedOutcome Dted::compare(const DtedText& hyp, const DtedText& ref, Links links) {
  load(hyp, ref, links);
  std::int64_t cost = 0;
  if (options_.flat) {
    cost = sequences();
  } else {
    grow(hyp, hyp_);
    grow(ref, ref_);
    cost = trees();
  }
  DtedOutcome out;
  finish(cost, out);
  return out;
}

std::vector<std::int32_t> Dted::mapping(const DtedText& hyp, const DtedText& ref, Links links) {
  load(hyp, ref, links);
  grow(hyp, hyp_);
  grow(ref, ref_);
  trees();
  const Postorder& a = mirrored_ ? hyp_.forest.right() : hyp_.forest.left();
  const Postorder& b = mirrored_ ? ref_.forest.right() : ref_.forest.left();
  std::vector<std::int32_t> out(hyp.size, -1);
  const std::vector<std::int32_t> partner = edit_.mapping(a, b, table_);
  for (std::size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] < 0) continue;
    const std::uint32_t h = hyp_.word[a.node[i]];
    const std::uint32_t r = ref_.word[b.node[static_cast<std::size_t>(partner[i])]];
    out[hyp_.kept[h - 1]] = static_cast<std::int32_t>(ref_.kept[r - 1]);
  }
  return out;
}

// -------------------------------------------------------------------------- score

// Equations 4.1 to 4.5; a fraction without a whole is 0.
void Dted::finish(std::int64_t cost, DtedOutcome& out) const {
  const auto count = [](const Side& side) {
    return static_cast<std::uint64_t>(std::count(side.aligned.begin(), side.aligned.end(), 1));
  };
  out.words = hyp_.kept.size() + ref_.kept.size();
  out.aligned = count(hyp_) + count(ref_);
  const auto words = static_cast<double>(out.words), aligned = static_cast<double>(out.aligned);
  out.prop = share(aligned, words);
  if (options_.variant == DtedVariant::kB || options_.variant == DtedVariant::kC) {
    out.dist = static_cast<std::uint64_t>(cost);
    out.score = 1 - share(static_cast<double>(cost), words);
    out.degenerate = out.words == 0;
    return;
  }
  out.dist_a = static_cast<std::uint64_t>(cost / kAligned);
  out.dist_na = static_cast<std::uint64_t>(cost % kAligned);
  out.dist = out.dist_a + out.dist_na;
  const double wrong = share(static_cast<double>(out.dist_a), aligned);
  if (options_.variant == DtedVariant::kCo) {
    out.score = 1 - wrong;
    out.degenerate = out.aligned == 0;
    return;
  }
  switch (options_.weighting) {
    case DtedWeighting::kLog:
      out.weight =
          out.aligned == 0 ? 1 : std::min(options_.cap, std::pow(options_.log_base, out.prop));
      break;
    case DtedWeighting::kProportional:
      out.weight = out.prop;
      break;
    case DtedWeighting::kInverse:
      out.weight = 1 - out.prop;
      break;
  }
  const double other = share(static_cast<double>(out.dist_na), words - aligned);
  out.score = 1 - ((1 - out.weight) * wrong + out.weight * other);
  out.degenerate = out.words == 0;
}

// ------------------------------------------------------------------------- kernel

namespace {

class DtedWorker final : public PairWorker {
 public:
  explicit DtedWorker(const DtedOptions& options) : options_(options), dted_(options) {}

  void row(const Pair& pair, double* out) override {
    links_.clear();
    for (const Match& match : pair.matches)
      for (std::uint32_t h = 0; h < match.hyp_length; ++h)
        for (std::uint32_t r = 0; r < match.ref_length; ++r)
          links_.emplace_back(match.hyp + h, match.ref + r);
    if (!std::is_sorted(links_.begin(), links_.end())) std::sort(links_.begin(), links_.end());
    const DtedOutcome found = dted_.compare(text(pair.hyp, pair.hyp_tree, *pair.words, skipped_[0]),
                                            text(pair.ref, pair.ref_tree, *pair.words, skipped_[1]),
                                            links_);
    out[0] = found.score;
    out[1] = 1;
    out[2] = found.degenerate;
    if (!found.degenerate || options_.degenerate == Degenerate::kKeep) return;
    out[0] = 0;
    if (options_.degenerate == Degenerate::kDrop) out[1] = 0;
  }

 private:
  DtedText text(std::span<const std::uint32_t> ids, const DependencyTree* tree,
                const Words& words, std::vector<char>& skipped) {
    DtedText out{ids.size(), {}, {}};
    if (tree && !options_.flat) out.heads = tree->heads;
    if (!options_.ignore_punct) return out;
    known_.resize(words.types(), 0);
    skipped.clear();
    for (const std::uint32_t id : ids) {
      if (known_[id] == 0) known_[id] = is_punctuation(words.word(id)) ? 2 : 1;
      skipped.push_back(known_[id] == 2);
    }
    out.skipped = skipped;
    return out;
  }

  DtedOptions options_;
  Dted dted_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links_;
  std::vector<char> known_, skipped_[2];  // of types: 1 a word, 2 punctuation
};

class DtedKernel final : public PairKernel {
 public:
  explicit DtedKernel(const DtedOptions& options) : options_(options) {}
  std::size_t width() const override { return 3; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<DtedWorker>(options_);
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }

 private:
  DtedOptions options_;
};

}  // namespace

std::unique_ptr<PairKernel> make_dted(const DtedOptions& options) {
  return std::make_unique<DtedKernel>(options);
}

}  // namespace tertium

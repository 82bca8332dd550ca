// SPDX-License-Identifier: Apache-2.0
// Pairs of texts with what lies between them: matched words, dependency trees.
//
// Metrics of structure read these layers instead of plain text. A batch of pairs
// is made and aligned once and then serves any number of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/kernel.hpp"
#include "base/sums.hpp"
#include "text/words.hpp"

namespace tertium {

// Neighbouring words of the hypothesis that stand for neighbouring words of the
// reference: one word each, or phrases. An aligner covers no word twice; links
// from a file may.
struct Match {
  std::uint32_t hyp, hyp_length;  // first word and how many
  std::uint32_t ref, ref_length;
  std::uint32_t matcher = 0;      // which of the aligner's matchers found it
  double weight = 1.0;            // probability of a link, where one is known
};

// A dependency tree over the words of a text: heads[i] is the 1-based head of
// word i, 0 for a root. Empty for a text without one.
struct DependencyTree {
  std::vector<std::uint32_t> heads;
  std::vector<std::uint32_t> labels;  // equal labels of a batch, equal numbers
};

struct Pair {
  std::span<const std::uint32_t> hyp, ref;   // words as numbers of the batch
  std::span<const Match> matches;            // by first hypothesis word
  const DependencyTree* hyp_tree = nullptr;  // null where there is none
  const DependencyTree* ref_tree = nullptr;
  const Words* words = nullptr;              // what the numbers stand for
  // For every label the number of the one without its subtype (nsubj for
  // nsubj:pass); empty where names are not known.
  std::span<const std::uint32_t> universal = {};
  std::span<const char> function = {};       // by word: whether it is a function word
};

// Outputs of one or more systems for the same segments, paired with every
// reference. References of all segments are in one list, as in Batch.
class PairBatch {
 public:
  // Texts are added to `words` in this order: all references, then the outputs
  // of every system. References of segment i are first[i] .. first[i + 1].
  PairBatch(Words words, std::size_t systems, std::vector<std::size_t> first)
      : words_(std::move(words)),
        systems_(systems),
        first_(std::move(first)),
        matches_(systems * refs()) {}

  std::size_t systems() const { return systems_; }
  std::size_t segments() const { return first_.size() - 1; }
  std::size_t refs() const { return first_.back(); }
  std::size_t first_ref(std::size_t segment) const { return first_[segment]; }
  const Words& words() const { return words_; }

  std::size_t hyp_text(std::size_t system, std::size_t segment) const {
    return refs() + system * segments() + segment;
  }
  // The matches between a system's output and reference `ref` of all references. What
  // they were before is kept for as long as the batch.
  void set_matches(std::size_t system, std::size_t ref, std::vector<Match> matches) {
    matches_[system * refs() + ref] = add_block(std::move(matches));
  }
  // Whether no output can bring links or trees of its own, as all are plain texts.
  bool plain() const { return plain_; }
  void set_plain(bool plain) { plain_ = plain; }
  // Which words (by number, of all types) are function words; none by default.
  void set_function_words(std::vector<char> flags) { function_ = std::move(flags); }
  // Trees of all texts, in the order of `words`.
  void set_trees(std::vector<DependencyTree> trees, std::vector<std::uint32_t> universal = {}) {
    trees_ = std::move(trees);
    universal_ = std::move(universal);
  }

  Pair pair(std::size_t system, std::size_t segment, std::size_t ref) const {
    const std::size_t hyp = hyp_text(system, segment);
    return {words_.text(hyp), words_.text(ref), matches_[system * refs() + ref],
            trees_.empty() ? nullptr : &trees_[hyp], trees_.empty() ? nullptr : &trees_[ref],
            &words_, universal_, function_};
  }

 private:
  friend class MatchWriter;
  std::vector<Match>& add_block(std::vector<Match> block) {
    const std::lock_guard lock(guard_);
    return blocks_.emplace_back(std::move(block));
  }

  Words words_;
  bool plain_ = false;
  std::size_t systems_;
  std::vector<std::size_t> first_;
  std::vector<std::span<const Match>> matches_;  // system x references
  std::deque<std::vector<Match>> blocks_;        // where they are
  std::mutex guard_;                             // of blocks_
  std::vector<DependencyTree> trees_;
  std::vector<std::uint32_t> universal_;
  std::vector<char> function_;
};

// The scratch memory of one thread.
class PairWorker {
 public:
  virtual ~PairWorker() = default;
  // Write the statistics of a pair to out[0 .. width).
  virtual void row(const Pair& pair, double* out) = 0;
};

class PairKernel : public Scorer {
 public:
  virtual std::unique_ptr<PairWorker> worker() const = 0;
  // What makes a reference the best of several: the score, unless a kernel knows
  // scores that say nothing.
  virtual double preference(const double* row) const { return score(row); }
};

// The rows of segments [begin, end), one place a system. Of several references
// the preferred one counts, of equal ones the first.
void compute_rows(const PairKernel& kernel, const PairBatch& batch, std::size_t begin,
                  std::size_t end, unsigned threads, std::span<double* const> out);

// The sums of all rows, one per system.
std::vector<Sums> sum_rows(const PairKernel& kernel, const PairBatch& batch, unsigned threads);

// The rows of a system against every single reference.
void reference_rows(const PairKernel& kernel, const PairBatch& batch, std::size_t system,
                    unsigned threads, double* out);

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// automata/: search in huge reference sets, given as automata.
//
// The cheapest correction of a hypothesis into a huge reference set.
//
// References are an acyclic automaton; corrections edit tokens and move them. The
// search is best-first over pairs (state of the move lattice, state of the automaton),
// made on demand. See automata/closest_bound.hpp for what it believes is still to be paid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automata/moves.hpp"

namespace tertium {

// A cost, and what decides between equal costs: cost, then the number of edits, then
// how far tokens moved, then how unreliable the kinds of edits are; all in one number,
// so that adding and comparing are one operation each.
using Price = std::int64_t;
constexpr int kCostShift = 36, kEditShift = 24, kDisplacementShift = 16;
constexpr Price kNever = Price{1} << 62;

inline std::int64_t cost_of(Price price) { return price >> kCostShift; }

// A reference set: states in topological order, 0 the start, arcs by symbol.
struct Acceptor {
  struct Arc {
    std::uint32_t symbol, to;
  };
  std::vector<std::uint32_t> first;  // of the arcs of each state, and the end
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> final;

  std::size_t size() const { return final.size(); }
  std::span<const Arc> arcs_of(std::uint32_t state) const {
    return std::span(arcs).subspan(first[state], first[state + 1] - first[state]);
  }
  // The most edges between the start and an end.
  std::size_t longest() const;
};

// The kinds of edits are numbered by decreasing reliability; kMatch is none of them.
using Kind = std::uint8_t;
constexpr Kind kMatch = 0;

struct EditModel {
  std::vector<std::int32_t> costs;  // of each kind, in ten-thousandths
  Kind move, join, insert;
  int moves, window;

  // What one edit of a kind adds.
  Price price(Kind kind) const {
    if (kind == kMatch) return 0;
    return (Price{costs[kind]} << kCostShift) + (Price{1} << kEditShift) + kind;
  }
};

// A hypothesis token as the edit model sees it.
struct TokenRow {
  std::vector<Kind> kinds;  // the edit that turns it into each symbol
  Kind drop;                // the edit that leaves it out
  // The compounds it may be a part of: number of the compound, place of the part.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
};

// A reference token that may be written in several hypothesis tokens.
struct Compound {
  std::uint32_t symbol, parts;
};

constexpr std::int32_t kNone = -1;

// One step of a correction, in the order of the corrected sentence.
struct Correction {
  struct Edit {
    Kind kind;              // kMatch if the token is right
    std::int32_t token;     // of the hypothesis, or kNone
    std::int32_t symbol;    // of the reference, or kNone
    bool moved;
  };
  std::int64_t cost = 0;
  std::vector<std::uint32_t> reference;
  std::vector<Edit> edits;
};

struct SearchLimits {
  std::size_t corrections = 1;  // how many to describe, of different references
  std::int64_t slack = 0;       // look at references that cost so much more at most
  std::size_t references = 1;   // and at so many of them at most
  std::size_t nodes = 0;        // pairs of states to visit at most
  double seconds = 0;           // and time to take
};

struct Found {
  std::vector<Correction> corrections;
  std::vector<std::int64_t> costs;  // different costs of the references looked at
  std::int64_t bound = 0;           // no correction is cheaper than this
  bool proven = true;               // the first correction is the cheapest
  bool exhausted = true;            // all references within the slack were looked at
};

class Closest {
 public:
  Closest(Acceptor references, EditModel model, std::vector<Compound> compounds);

  // Make a token known; its number is what hypotheses are made of.
  std::uint32_t add_token(TokenRow row);
  Found search(std::span<const std::uint32_t> hypothesis, const SearchLimits& limits) const;

 private:
  Acceptor references_;
  std::size_t longest_, symbols_ = 0;
  EditModel model_;
  std::vector<Compound> compounds_;
  std::vector<TokenRow> tokens_;
};

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// Outputs cut, or linked line by line, as references are.
#include "align/segmentation.hpp"

#include <nanobind/stl/tuple.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <tuple>

#include "align/line_links.hpp"
#include "python.hpp"

namespace tertium {
namespace {

using Ids = std::vector<std::uint32_t>;
// Words, penalties by place, and for every segment the words of its references.
using GivenDocument = std::tuple<Ids, std::vector<std::uint8_t>, std::vector<std::vector<Ids>>>;
using EndTuple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                            std::uint32_t, std::uint32_t>;

// Tells a Python function now and then how many segments are done. All threads count,
// that of the caller calls.
class Counter {
 public:
  explicit Counter(nb::handle function) : function_(function) {}

  bool silent() const { return function_.is_none(); }

  void add(double segments) {
    done_.fetch_add(static_cast<std::uint64_t>(segments * kUnit), std::memory_order_relaxed);
    if (std::this_thread::get_id() != caller_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    nb::gil_scoped_acquire acquire;
    function_(done_.load(std::memory_order_relaxed) / kUnit);
  }

 private:
  static constexpr std::uint64_t kUnit = 1 << 20;
  nb::handle function_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> done_ = 0;
};

std::vector<std::vector<EndTuple>> cut_documents(const std::vector<GivenDocument>& given,
                                                 unsigned threads, std::size_t memory,
                                                 const nb::object& progress) {
  std::vector<std::vector<EndTuple>> out(given.size());
  for (const auto& [hyp, penalties, segments] : given)
    for (const std::uint8_t penalty : penalties)
      if (penalty > 3) throw std::invalid_argument("a penalty is at most 3");
  Counter counter(progress);
  nb::gil_scoped_release release;
  parallel_for(given.size(), 1, threads, [&]() -> Body {
    return [&, cut = Segmentation()](std::size_t from, std::size_t to) mutable {
      if (memory > 0) cut.memory = memory;
      for (std::size_t d = from; d < to; ++d) {
        const auto& [hyp, penalties, segments] = given[d];
        SegmentedDocument document{hyp, penalties, {}};
        for (const std::vector<Ids>& refs : segments)
          document.segments.emplace_back(refs.begin(), refs.end());
        if (!counter.silent())
          cut.on_step = [&, size = static_cast<double>(segments.size())](double share) {
            counter.add(share * size);
          };
        for (const SegmentEnd& end : cut(document))
          out[d].emplace_back(end.end, end.edits, end.matched, end.ref, end.places, end.margin);
      }
    };
  });
  return out;
}

using LinkTuple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, double>;

std::vector<std::vector<LinkTuple>> link_lines(const nb::list& refs, const nb::list& hyps,
                                               std::size_t width, unsigned threads) {
  if (refs.size() != hyps.size()) throw std::invalid_argument("as many references as outputs");
  HeldBatch held;
  std::vector<std::vector<Text>> texts[2];
  for (const nb::list* side : {&refs, &hyps})
    for (const nb::handle document : *side) {
      PyObject* items = held.hold(document.ptr());
      auto& lines = texts[side == &hyps].emplace_back();
      for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i)
        lines.push_back(view(PyTuple_GetItem(items, i), "line", static_cast<std::size_t>(i)));
    }
  std::vector<std::vector<LinkTuple>> out(texts[0].size());
  nb::gil_scoped_release release;
  parallel_for(out.size(), 1, threads, [&]() -> Body {
    return [&, link = LineLinks()](std::size_t from, std::size_t to) mutable {
      link.width = width;
      for (std::size_t d = from; d < to; ++d)
        for (const LineLink& one : link(texts[0][d], texts[1][d]))
          out[d].emplace_back(one.ref, one.ref_count, one.hyp, one.hyp_count, one.similarity);
    };
  });
  return out;
}

}  // namespace

void bind_segmentation(nb::module_& m) {
  m.def("cut_documents", &cut_documents, "documents"_a, "threads"_a, "memory"_a = 0,
        "progress"_a = nb::none());
  m.def("link_lines", &link_lines, "refs"_a, "hyps"_a, "width"_a, "threads"_a);
}

}  // namespace tertium

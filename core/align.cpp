// SPDX-License-Identifier: Apache-2.0
#include "align.hpp"

#include "batch.hpp"

namespace tertium {

void align(PairBatch& batch, unsigned threads) {
  parallel_for(batch.segments(), 64, threads, [&]() -> Body {
    return [&, used = std::vector<char>()](std::size_t from, std::size_t to) mutable {
      for (std::size_t i = from; i < to; ++i)
        for (std::size_t s = 0; s < batch.systems(); ++s)
          for (std::size_t r = batch.first_ref(i); r < batch.first_ref(i + 1); ++r) {
            const Pair pair = batch.pair(s, i, r);
            std::vector<Match>& out = batch.matches(s, r);
            out.clear();
            used.assign(pair.ref.size(), 0);
            for (std::uint32_t h = 0; h < pair.hyp.size(); ++h)
              for (std::uint32_t t = 0; t < pair.ref.size(); ++t)
                if (!used[t] && pair.hyp[h] == pair.ref[t]) {
                  used[t] = 1;
                  out.push_back({h, 1, t, 1});
                  break;
                }
          }
    };
  });
}

}  // namespace tertium

// SPDX-License-Identifier: Apache-2.0
// What GCC and Clang have beyond the standard, and what takes its place elsewhere (MSVC).
//
// TERTIUM_STANDARD_ONLY leaves it out everywhere, so that a Linux machine can compile and
// test what MSVC compiles.
#pragma once

#if defined(__GNUC__) && !defined(TERTIUM_STANDARD_ONLY)
#define TERTIUM_VECTORS 1  // __attribute__((vector_size(...))) and operators on them
#define TERTIUM_INLINE_LAMBDA __attribute__((always_inline))
#define TERTIUM_INLINE inline __attribute__((always_inline))
#else
#define TERTIUM_INLINE_LAMBDA
#define TERTIUM_INLINE inline
#endif

namespace tertium {

// Have a place brought into the cache.
inline void prefetch([[maybe_unused]] const void* place) {
#ifdef TERTIUM_VECTORS
  __builtin_prefetch(place);
#endif
}

}  // namespace tertium
